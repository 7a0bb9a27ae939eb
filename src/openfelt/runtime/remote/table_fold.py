"""A table as the fold of its events, read from the store from where it was last read.

A stream has no gaps, so a process that continues from the last version that it has read misses
nothing. The order of the deck is not read: only the process that deals needs it.
"""

from typing import NamedTuple

from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.recovery.recovery import fold, recover, replaying
from openfelt.runtime.tables.recovery.snapshots import Since
from openfelt.storage.door import Store
from openfelt.storage.event_forms import EventCodec
from openfelt.table.events import TableEvent
from openfelt.table.state import Table


class TableFold(NamedTuple):
    """A table at one version of its record."""

    table: Table
    version: int
    since: Since

    @classmethod
    def begun(cls, store: Store, codec: EventCodec, table: str) -> "TableFold | None":
        """The current table, or None; raises what ``recover`` raises."""
        recovered = recover(store, codec, table, decks=False)
        if recovered is None:
            return None
        return cls(recovered.table, recovered.head.version, recovered.since)

    def read_on(
        self, store: Store, codec: EventCodec
    ) -> tuple["TableFold", tuple[TableEvent, ...]]:
        """The current table, and the events since this version; raises StoreError."""
        state, since, version = self.table, self.since, self.version
        events: list[TableEvent] = []
        stream = table_stream(self.table.id)
        with replaying(stream):
            for stored in store.record(stream, after=self.version):
                event = codec.decode(stored)
                state, since = fold(state, event), since.after(event, stored.at_ms)
                version = stored.version
                events.append(event)
        return TableFold(state, version, since), tuple(events)
