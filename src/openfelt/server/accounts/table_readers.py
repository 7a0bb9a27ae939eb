"""Card readers: shufflers and shoes, each with a token that sends cards to one table only."""

import hmac
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import RuntimeCode
from openfelt.server.accounts.events import (
    ACCOUNT_FORMS,
    ReaderEvent,
    ReaderIssued,
    ReaderRevoked,
)
from openfelt.server.accounts.tokens import new_token, token_hash, token_name
from openfelt.storage.codec import Codec
from openfelt.storage.door import Append, Commit, Conflict, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.table.commands import Person, Role

STREAM: Final = "readers"
TOKEN_NAME: Final = "reader"  # noqa: S105 (the name in a token, and not a token)
NAME_LENGTH: Final = 16
"""How many hexadecimal digits of a reader's id the record of a table names."""
ATTEMPTS_MAX: Final = 50
READERS_MAX: Final = 10_000
CACHE_MS: Final = 1000

Decide = Callable[[], ReaderEvent | None]


@dataclass(frozen=True, slots=True)
class TableReader:
    """A card reader to which a supervisor has issued a token."""

    id: str
    """The hash of its token."""
    table: str
    """The one table whose cards it sends."""
    label: str
    by: str
    at_ms: int

    @property
    def person(self) -> Person:
        """The reader as the sender of a command."""
        return Person(Role.READER, self.id[:NAME_LENGTH])


class TableReaders:
    """All card readers. All calls block."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._codec = EventCodec(Codec(lambda _: None), ACCOUNT_FORMS)
        self._readers: dict[str, TableReader] = {}
        self._version = 0
        self._checked_ms: int | None = None
        self._lock = threading.Lock()

    def issue(self, table: str, label: str, *, by: str) -> tuple[str, str]:
        """Issue a token for a reader at a table; gives the reader's id and the token."""
        token = new_token(TOKEN_NAME)
        reader = token_hash(token)
        self._write(lambda: ReaderIssued(reader, table, label, by))
        return reader, token

    def revoke(self, reader: str, *, by: str) -> bool:
        """Revoke a reader's token; False where there is no such reader."""
        return self._write(lambda: ReaderRevoked(reader, by) if reader in self._readers else None)

    def find(self, token: str) -> TableReader | None:
        """The reader of a token, None for any other token."""
        if token_name(token) != TOKEN_NAME:
            return None
        wanted = token_hash(token)
        # All readers are compared, so that the time says nothing about the list.
        matching = [r for r in self.all() if hmac.compare_digest(r.id, wanted)]
        return matching[0] if matching else None

    def all(self) -> list[TableReader]:
        """Every reader whose token has not been revoked, in the order of issue."""
        with self._lock:
            now_ms = self._clock.monotonic_ms()
            if self._checked_ms is None or now_ms - self._checked_ms > CACHE_MS:
                self._read()
            return list(self._readers.values())

    def _write(self, decide: Decide) -> bool:
        with self._lock:
            for _ in range(ATTEMPTS_MAX):
                self._read()
                event = decide()
                if event is None:
                    return False
                if isinstance(event, ReaderIssued) and len(self._readers) >= READERS_MAX:
                    raise Refusal(RuntimeCode.BUSY, "There are too many card readers.")
                append = Append(
                    stream=STREAM,
                    expected_version=self._version,
                    events=(self._codec.encode(event, cause=acting()),),
                )
                try:
                    self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))
                except Conflict:
                    continue
                self._read()
                return True
        raise Refusal(RuntimeCode.BUSY, "The list of card readers is busy; try again.")

    def _read(self) -> None:
        # A list that cannot be authenticated is not taken over in part.
        for stored in list(self._store.record(STREAM, after=self._version)):
            event = self._codec.decode(stored)
            if isinstance(event, ReaderIssued):
                self._readers[event.reader] = TableReader(
                    event.reader, event.table, event.label, event.by, stored.at_ms
                )
            else:
                self._readers.pop(event.reader, None)
            self._version = stored.version
        self._checked_ms = self._clock.monotonic_ms()
