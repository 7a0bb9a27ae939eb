"""Searches of a record from its newest end, and the openings of rounds that they find."""

from collections.abc import Iterator
from typing import Final

from openfelt.storage.codec import CodecError, read_json
from openfelt.storage.door import Store, StoredEvent
from openfelt.storage.event_forms import ROUND_OPENED
from openfelt.storage.shown_names import shown

CHUNK: Final = 500
"""How many events are read at a time on the way back, at most."""
FIRST_CHUNK: Final = 32
"""How many are read first: most rounds are not longer, and a full stadium's chunks double."""


def events_backwards(store: Store, stream: str, last: int) -> Iterator[StoredEvent]:
    """The events of a stream up to a version that it has, the newest first, in growing chunks."""
    chunk = FIRST_CHUNK
    while last > 0:
        events = list(store.events(stream, after=max(0, last - chunk), up_to=last))
        if not events:
            # The rest is in an archive.
            return
        yield from reversed(events)
        last, chunk = last - chunk, min(2 * chunk, CHUNK)


def last_opening(store: Store, stream: str, version: int) -> StoredEvent | None:
    """The event that opened the last round of a table up to a version, None if it had none."""
    events = events_backwards(store, stream, version)
    return next((stored for stored in events if stored.name == ROUND_OPENED), None)


def opened_number(stored: StoredEvent) -> int:
    """The number of the round that an event opened; raises CodecError if it opened none."""
    plain = read_json(stored.body) if stored.name == ROUND_OPENED else None
    number = plain.get("number") if isinstance(plain, dict) else None
    if not isinstance(number, int):
        raise CodecError(f"Event {stored.version} of {shown(stored.stream)} opens no round.")
    return number
