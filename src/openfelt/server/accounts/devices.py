"""Terminals of the house: a supervisor enrols them, and only they sit where remote play is not
allowed."""

import hmac
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import Clock
from openfelt.runtime.tables.requests import RuntimeCode
from openfelt.server.accounts.events import (
    ACCOUNT_FORMS,
    TerminalDismissed,
    TerminalEnrolled,
    TerminalEvent,
)
from openfelt.server.accounts.tokens import new_token, token_hash, token_name
from openfelt.storage.codec import Codec
from openfelt.storage.door import Append, Commit, Conflict, Store
from openfelt.storage.event_forms import EventCodec

STREAM: Final = "terminals"
ATTEMPTS_MAX: Final = 50
TERMINALS_MAX: Final = 10_000
TRUSTED_MS: Final = 1000

Decide = Callable[[], TerminalEvent | None]


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal of the house."""

    id: str
    """The hash of its token."""
    label: str
    by: str
    at_ms: int


class Terminals:
    """Which terminals are the house's own. All calls block."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._codec = EventCodec(Codec(lambda _: None), ACCOUNT_FORMS)
        self._terminals: dict[str, Terminal] = {}
        self._version = 0
        self._checked_ms: int | None = None
        self._lock = threading.Lock()

    def enrol(self, label: str, *, by: str) -> str:
        """Enrol a terminal and give its token."""
        token = new_token("terminal")
        self._write(lambda: TerminalEnrolled(token_hash(token), label, by))
        return token

    def dismiss(self, terminal: str, *, by: str) -> bool:
        """Let a terminal be none of the house's any more; False where it was none."""
        return self._write(
            lambda: TerminalDismissed(terminal, by) if terminal in self._terminals else None
        )

    def knows(self, token: str) -> bool:
        """Whether a token is that of a terminal of the house."""
        if token_name(token) != "terminal":
            return False
        wanted = token_hash(token)
        return any([hmac.compare_digest(one.id, wanted) for one in self.all()])  # noqa: C419

    def all(self) -> list[Terminal]:
        """Every terminal of the house, in the order in which they were enrolled."""
        with self._lock:
            now_ms = self._clock.monotonic_ms()
            if self._checked_ms is None or now_ms - self._checked_ms > TRUSTED_MS:
                self._read()
            return list(self._terminals.values())

    def _write(self, decide: Decide) -> bool:
        with self._lock:
            for _ in range(ATTEMPTS_MAX):
                self._read()
                event = decide()
                if event is None:
                    return False
                if isinstance(event, TerminalEnrolled) and len(self._terminals) >= TERMINALS_MAX:
                    raise Refusal(RuntimeCode.BUSY, "There are too many terminals.")
                append = Append(
                    stream=STREAM,
                    expected_version=self._version,
                    events=(self._codec.encode(event),),
                )
                try:
                    self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))
                except Conflict:
                    continue
                self._read()
                return True
        raise Refusal(RuntimeCode.BUSY, "The list of terminals is busy; try again.")

    def _read(self) -> None:
        for stored in self._store.events(STREAM, after=self._version):
            event = self._codec.decode(stored)
            if isinstance(event, TerminalEnrolled):
                self._terminals[event.terminal] = Terminal(
                    event.terminal, event.label, event.by, stored.at_ms
                )
            else:
                self._terminals.pop(event.terminal, None)
            self._version = stored.version
        self._checked_ms = self._clock.monotonic_ms()
