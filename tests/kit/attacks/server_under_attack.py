"""A real server to attack: ``openfelt serve`` in its own process, with an account of every role,
its database and its log.

def test_a_guest_opens_no_table(server: ServerUnderAttack) -> None:
    guest = server.person("guest")
    assert guest.post("/api/v1/tables", json=TABLE).status_code == 403
"""

import contextlib
import itertools
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from openfelt.client import Terminal
from openfelt.protocol.api_prefix import API
from openfelt.protocol.messages import PROTOCOL
from openfelt.storage.sqlite import SqliteStore
from tests.kit.server.real_server import ServerProcess, free_port, server_process
from tests.kit.server.seen_cards import copy_of

PASSWORD: Final = "seven green felt tables"
"""The password of every account that the kit opens."""
ROLES: Final = ("anonymous", "guest", "player", "dealer", "cashier", "supervisor", "auditor")
"""All who may call a server, from the least to the most privileged."""
PATIENCE_SECONDS: Final = 60
"""After so long without an answer a test fails, instead of waiting forever."""
_FAULT: Final = re.compile(r'Traceback|"level": "(?:error|critical)"|"status": 500')
_NAMES: Final = itertools.count(1)


class ServerUnderAttack:
    """A running server, and what an independent observer knows of it."""

    def __init__(self, process: ServerProcess, folder: Path) -> None:
        self.process = process
        self.folder = folder
        self._browsers = contextlib.ExitStack()
        self._supervisor: httpx.Client | None = None

    @property
    def address(self) -> str:
        """Where it listens, such as ``http://127.0.0.1:4711``."""
        return self.process.address

    @property
    def port(self) -> int:
        """The port on which it listens."""
        return int(self.address.rpartition(":")[2])

    # People --------------------------------------------------------------------------------

    def browser(self, **headers: str) -> httpx.Client:
        """A browser in which no account is signed in; it is closed with the server."""
        client = httpx.Client(
            base_url=self.address,
            headers={"Origin": self.address} | headers,
            timeout=PATIENCE_SECONDS,
            verify=False,
        )
        return self._browsers.enter_context(client)

    def supervisor(self) -> httpx.Client:
        """The browser of the supervisor of the starter floor, signed in."""
        if self._supervisor is None:
            self._supervisor = self.browser()
            sign_in(self._supervisor, "supervisor")
        return self._supervisor

    def person(self, role: str) -> httpx.Client:
        """A new browser in which a new account of this role is signed in; see ``ROLES``."""
        browser = self.browser()
        if role == "anonymous":
            return browser
        if role == "guest":
            post(browser, "/guest")
            return browser
        account = {"name": f"{role}-{next(_NAMES)}", "password": PASSWORD}
        if role == "player":
            post(browser, "/sign-up", account)
            return browser
        post(self.supervisor(), "/accounts", account | {"role": role, "temporary": False})
        sign_in(browser, account["name"])
        return browser

    def open_table(self, table: str, house: str, **form: Any) -> str:
        """Let the supervisor open a table; gives its name."""
        post(self.supervisor(), "/tables", {"table": table, "house": house} | form)
        return table

    def close(self) -> None:
        """Close every browser."""
        self._browsers.close()

    # Sockets -------------------------------------------------------------------------------

    def terminal(self, browser: httpx.Client, table: str) -> Terminal:
        """A well-behaved terminal of this browser's account; use it with ``async with``."""
        headers = _cookie_header(browser)
        return Terminal(self.socket_url(table), origin=self.address, headers=headers)

    @contextlib.asynccontextmanager
    async def socket(self, browser: httpx.Client, table: str) -> AsyncIterator[ClientConnection]:
        """A socket of this browser's account, on which anything can be sent after its hello."""
        async with self.bare_socket(browser, table) as socket:
            await socket.send(json.dumps({"type": "hello", "protocol": PROTOCOL}))
            yield socket

    def bare_socket(self, browser: httpx.Client, table: str, **options: Any) -> connect:
        """A socket of this browser's account, without a hello."""
        return connect(
            self.socket_url(table),
            origin=options.pop("origin", Origin(self.address)),
            additional_headers=_cookie_header(browser),
            max_size=None,
            **options,
        )

    def socket_url(self, table: str) -> str:
        """The address of a table's socket."""
        return f"ws{self.address.removeprefix('http')}/ws/tables/{table}"

    # What it did ---------------------------------------------------------------------------

    def log_lines(self) -> list[str]:
        """Everything that the server has logged."""
        return (self.folder / "server.log").read_text("utf-8", "replace").splitlines()

    def faults_logged(self) -> list[str]:
        """The server's own complaints."""
        return [line for line in self.log_lines() if self.is_fault(line)]

    @staticmethod
    def is_fault(line: str) -> bool:
        """Whether a line of the log reports an error of the server itself."""
        return _FAULT.search(line) is not None

    @contextlib.contextmanager
    def store(self, folder: Path) -> Iterator[SqliteStore]:
        """A copy in ``folder`` of what the server has stored by now."""
        copy = folder / f"copy-{next(_NAMES)}.db"
        with closing(copy_of(self.folder / "felt.db", copy)) as store:
            yield store

    def memory_bytes(self) -> int:
        """How much memory the process holds at the moment."""
        status = Path(f"/proc/{self.process.process.pid}/status").read_text("ascii")
        kilobytes = re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)
        assert kilobytes is not None
        return int(kilobytes[1]) * 1024

    def healthy(self) -> bool:
        """Whether it runs, and answers that it is well."""
        answer = httpx.get(f"{self.address}/healthz", timeout=PATIENCE_SECONDS)
        return self.process.process.poll() is None and answer.json()["status"] == "ok"


def sign_in(browser: httpx.Client, name: str) -> None:
    """Sign an account of the kit in; the one place in which the kit does so."""
    post(browser, "/sign-in", {"name": name, "password": PASSWORD})


def post(browser: httpx.Client, path: str, body: object = None) -> Any:
    """Post a request that is answered with 200; gives its answer."""
    answer = browser.post(f"{API}{path}", json=body)
    assert answer.status_code == 200, (path, answer.status_code, answer.text)
    return answer.json()


def get(browser: httpx.Client, path: str) -> Any:
    """Send a GET request that is answered with 200; gives its answer."""
    answer = browser.get(f"{API}{path}")
    assert answer.status_code == 200, (path, answer.status_code, answer.text)
    return answer.json()


async def receive(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of this type; others are dropped."""
    while True:
        message: dict[str, Any] = json.loads(await socket.recv())
        if message["type"] == kind:
            return message


async def ask(socket: ClientConnection, command_id: str, command: dict[str, Any]) -> dict[str, Any]:
    """Send a command, and give its answer."""
    await socket.send(json.dumps({"type": "command", "id": command_id, "command": command}))
    while True:
        answer = await receive(socket, "answer")
        if answer["id"] == command_id:
            return answer


@contextlib.contextmanager
def attacked_server(
    folder: Path, *arguments: str, must_be_clean: bool = True, may_log: str | None = None
) -> Iterator[ServerUnderAttack]:
    """A server in an empty folder, which must shut down cleanly after any input.

    It must have logged no error either, unless the caller reads the log; ``may_log`` is the message
    of an error that it may log once.
    """
    words = ("--log", "json", *arguments)
    with server_process(folder, free_port(), *words, password=PASSWORD) as process:
        server = ServerUnderAttack(process, folder)
        with contextlib.closing(server):
            yield server
        assert process.end() == 0, server.log_lines()[-20:]
    faults = server.faults_logged()
    expected = [line for line in faults if may_log and f'"message": "{may_log}"' in line]
    assert not must_be_clean or faults == expected[:1]


def _cookie_header(browser: httpx.Client) -> dict[str, str]:
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.cookies.jar)
    return {"Cookie": cookies} if cookies else {}
