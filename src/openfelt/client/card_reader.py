"""A card reader's side of the server: what is due at its table, and one call for each card."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Self

import httpx

from openfelt.client.casino import CasinoError, read_answer
from openfelt.client.reconnection import PATIENCE_SECONDS
from openfelt.protocol.api_prefix import API
from openfelt.protocol.reader_forms import CardsDue, CardTaken

TIMEOUT_SECONDS: Final = 10
RETRY_SECONDS: Final = 0.2
_UNAVAILABLE: Final = 503
_TOO_MANY: Final = 429


class CardReader:
    """A reader with its token at one table; use it with ``with``.

    A call without an answer is repeated as it was, with the same id, until the server answers or
    ``patience_seconds`` have passed: however often a card is sent, it is dealt once.
    """

    def __init__(
        self,
        address: str,
        table: str,
        token: str,
        *,
        patience_seconds: float = PATIENCE_SECONDS,
        on_wait: Callable[[], None] = lambda: None,
    ) -> None:
        """``on_wait`` is called once for each call that has to be repeated."""
        self._path = f"{API}/tables/{table}/cards"
        self._patience_seconds = patience_seconds
        self._on_wait = on_wait
        address = address.rstrip("/")
        self._http = httpx.Client(
            base_url=address,
            timeout=TIMEOUT_SECONDS,
            headers={"Authorization": f"Bearer {token}"},
            # Loading the system's certificates takes longer than a whole round.
            verify=address.startswith("https:"),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def due(self) -> CardsDue:
        """The step that the table waits for; raises CasinoError and httpx.TransportError."""
        return CardsDue.model_validate(self._call("GET", None))

    def send(
        self, card: str, *, scan_id: str, number: int | None = None, place: str | None = None
    ) -> CardTaken:
        """Send one card; raises CasinoError if it is refused, and httpx.TransportError.

        With the ``number`` of the round and a ``place``, it is taken there or not at all.
        """
        form = {"id": scan_id, "card": card, "round": number, "place": place}
        return CardTaken.model_validate(self._call("POST", form))

    def _call(self, method: str, form: dict[str, Any] | None) -> Any:
        patience_ends = time.monotonic() + self._patience_seconds
        waits = False
        while True:
            try:
                return read_answer(self._http.request(method, self._path, json=form))
            except CasinoError as error:
                if (
                    error.status not in (_UNAVAILABLE, _TOO_MANY)
                    or time.monotonic() > patience_ends
                ):
                    raise
            except httpx.TransportError:
                if time.monotonic() > patience_ends:
                    raise
            if not waits:
                waits = True
                self._on_wait()
            time.sleep(RETRY_SECONDS)
