"""Card readers: shufflers and shoes, each with a token that sends cards to one table only."""

from dataclasses import dataclass
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import READERS_STREAM
from openfelt.server.accounts.events import ReaderEvent, ReaderIssued, ReaderRevoked
from openfelt.server.accounts.register import TokenRegister
from openfelt.server.accounts.tokens import new_token, token_hash
from openfelt.storage.door import Store
from openfelt.table.commands import Person, Role

TOKEN_NAME: Final = "reader"  # noqa: S105 (the name in a token, and not a token)
NAME_LENGTH: Final = 16
"""How many hexadecimal digits of a reader's id the record of a table names."""
READERS_MAX: Final = 10_000


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


class TableReaders(TokenRegister[TableReader]):
    """All card readers. All calls block."""

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock, READERS_STREAM, token_name=TOKEN_NAME)

    def issue(self, table: str, label: str, *, by: str) -> tuple[str, str]:
        """Issue a token for a reader at a table; returns the reader's id and the token."""
        token = new_token(TOKEN_NAME)
        reader = token_hash(token)

        def decide() -> tuple[ReaderEvent, ...]:
            if len(self._lines) >= READERS_MAX:
                raise Refusal(RuntimeCode.BUSY, "There are too many card readers.")
            return (ReaderIssued(reader, table, label, by),)

        self._write(decide)
        return reader, token

    def revoke(self, reader: str, *, by: str) -> bool:
        """Revoke a reader's token; False if there is no such reader."""
        return self._write(lambda: (ReaderRevoked(reader, by),) if reader in self._lines else ())

    def _apply(self, event: ReaderEvent, at_ms: int) -> None:
        if isinstance(event, ReaderIssued):
            self._lines[event.reader] = TableReader(
                event.reader, event.table, event.label, event.by, at_ms
            )
        else:
            self._lines.pop(event.reader, None)
