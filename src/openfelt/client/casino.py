"""A server as a script uses it: signing in, the lobby, and terminals at its tables."""

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx

from openfelt.catalog import load_house
from openfelt.client.reconnection import PATIENCE_SECONDS
from openfelt.client.terminal import Terminal
from openfelt.protocol.api_prefix import API
from openfelt.runtime.rounds.check import CheckResult, check_round_proof
from openfelt.runtime.rounds.proof_forms import read_proof, read_seed_list
from openfelt.runtime.shuffle.merkle import ProofError

TIMEOUT_SECONDS = 30


class CasinoError(Exception):
    """The server has refused a request, with its code and its sentence."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        super().__init__(f"{sentence} ({code}, {status})")
        self.status = status
        self.code = code
        self.sentence = sentence


class Casino:
    """A server and the account that is signed in to it; use it with ``async with``."""

    def __init__(self, address: str = "http://127.0.0.1:8080") -> None:
        self._address = address.rstrip("/")
        self._http = httpx.AsyncClient(
            base_url=self._address,
            timeout=TIMEOUT_SECONDS,
            headers={"Origin": self._address},
            # Loading the system's certificates takes longer than a whole round.
            verify=self._address.startswith("https:"),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.aclose()

    # Accounts --------------------------------------------------------------------------

    async def guest(self) -> Mapping[str, Any]:
        """Sign in as a guest with play money."""
        account: Mapping[str, Any] = await self.post(f"{API}/guest")
        return account

    async def sign_up(self, name: str, password: str) -> Mapping[str, Any]:
        """Open an account and sign in; a guest's money, seats and history are kept."""
        account: Mapping[str, Any] = await self.post(
            f"{API}/sign-up", {"name": name, "password": password}
        )
        return account

    async def sign_in(
        self, name: str, password: str, *, code: str | None = None
    ) -> Mapping[str, Any]:
        """Sign in to an account, with a code if it has a second factor."""
        form = {"name": name, "password": password} | ({"code": code} if code else {})
        account: Mapping[str, Any] = await self.post(f"{API}/sign-in", form)
        return account

    async def change_password(self, password: str, new_password: str) -> Mapping[str, Any]:
        """Change the password, as the first sign-in with a temporary one requires."""
        account: Mapping[str, Any] = await self.post(
            f"{API}/password", {"password": password, "new_password": new_password}
        )
        return account

    async def sign_out(self) -> None:
        """End the session."""
        await self.post(f"{API}/sign-out")

    async def me(self) -> Mapping[str, Any]:
        """The account and its wallet; the name is None if no account is signed in."""
        account: Mapping[str, Any] = await self.get(f"{API}/me")
        return account

    # Tables ----------------------------------------------------------------------------

    async def tables(self) -> list[dict[str, Any]]:
        """The tables of the lobby."""
        tables: list[dict[str, Any]] = await self.get(f"{API}/tables")
        return tables

    async def private_table(self, house: str = "online") -> str:
        """The name of the account's private table, which is opened if it does not exist yet."""
        opened = await self.post(f"{API}/tables/private", {"house": house})
        return str(opened["table"])

    def table(self, table: str, *, patience_seconds: float = PATIENCE_SECONDS) -> Terminal:
        """A terminal at a table; use it with ``async with``.

        ``patience_seconds`` is how long the server may be away before the terminal gives up.
        """
        parts = urlsplit(self._address)
        scheme = "wss" if parts.scheme == "https" else "ws"
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._http.cookies.jar)
        headers = {"Cookie": cookies} if cookies else {}
        return Terminal(
            f"{scheme}://{parts.netloc}/ws/tables/{table}",
            origin=self._address,
            headers=headers,
            patience_seconds=patience_seconds,
        )

    async def proof(self, table: str, number: int) -> Any:
        """The fairness proof of a finished round, complete with the list of its seeds."""
        return await self.get(f"{API}/tables/{table}/rounds/{number}/proof?whole=true")

    async def check_round(self, terminal: Terminal, number: int) -> CheckResult:
        """Fetch the proof of a round of a terminal and check it here; raises ProofError.

        Its rules come from the installed catalog. The check covers what only the terminal knows:
        that the decks are those it saw sealed before it bet, that the seeds are those that were
        called, that its own was used, and that the cards are those it was shown. It raises
        SeedUnused if the proof holds and its seed was not used, but the house may not be at
        fault.
        """
        path = f"{API}/tables/{terminal.public.table}/rounds/{number}"
        proof = read_proof(await self._text(f"{path}/proof"))
        if proof.seeds is not None and proof.seeds.seeds is None:
            proof = proof.with_seeds(read_seed_list(await self._text(f"{path}/seeds")))
        if (proof.table, proof.number) != (terminal.public.table, number):
            raise ProofError(f"The proof is of round {proof.round_id}.")
        checked = check_round_proof(proof, load_house(proof.house))
        if (own := terminal.rounds.get(number)) is not None:
            own.check(proof)
        return checked

    # HTTP ------------------------------------------------------------------------------

    async def get(self, path: str) -> Any:
        """Send a GET request; raises CasinoError if the server refuses."""
        return read_answer(await self._http.get(path))

    async def _text(self, path: str) -> str:
        """The text of a response, for documents that are read strictly."""
        response = await self._http.get(path)
        if not response.is_success:
            read_answer(response)
        return response.text

    async def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Send a POST request; raises CasinoError if the server refuses."""
        return read_answer(await self._http.post(path, json=body or {}))


def read_answer(response: httpx.Response) -> Any:
    """The server's answer; raises CasinoError if it has refused."""
    try:
        plain = response.json() if response.content else None
    except ValueError:
        plain = None
    if response.is_success:
        return plain
    error = plain if isinstance(plain, dict) else {}
    raise CasinoError(
        response.status_code,
        str(error.get("code", "http_error")),
        str(error.get("sentence", response.reason_phrase)),
    )
