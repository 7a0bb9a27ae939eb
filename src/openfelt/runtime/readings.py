"""Readings of the record, which are written into the record themselves."""

from typing import Final

from openfelt.record_events.reading_events import RecordRead
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.streams import READINGS_STREAM
from openfelt.storage.codec import Codec
from openfelt.storage.door import Append, Commit, Conflict, Store
from openfelt.storage.event_forms import EventCodec

ATTEMPTS_MAX: Final = 50
"""How many times a reading is written, because others read at the same time."""


def note_reading(store: Store, clock: Clock, reading: RecordRead) -> None:
    """Write into the record who has read what; raises StoreError."""
    codec = EventCodec(Codec(lambda _: None))
    for attempt in range(1, ATTEMPTS_MAX + 1):
        append = Append(
            stream=READINGS_STREAM,
            expected_version=store.head(READINGS_STREAM).version,
            events=(codec.encode(reading, cause=acting()),),
        )
        try:
            store.commit(Commit(at_ms=clock.wall_ms(), appends=(append,)))
        except Conflict:
            if attempt == ATTEMPTS_MAX:
                raise
        else:
            return
