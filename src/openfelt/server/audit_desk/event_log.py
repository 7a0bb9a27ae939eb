"""The log of significant events: all streams as one list, the newest first, a page at a time.

Streams are merged from their ends, so a page reads the newest events and no others. A search goes
back in steps: each request reads a limited number of events and says where to continue.
"""

import heapq
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from openfelt.runtime.exports.significant_events import is_significant
from openfelt.runtime.rounds.record_search import events_backwards
from openfelt.runtime.streams import StreamKind, kind_of
from openfelt.server.audit_desk.event_objects import ObjectKind, kind_of_event
from openfelt.storage.codec import CodecError, read_json
from openfelt.storage.door import Head, Store, StoredEvent

ENTRIES_MAX: Final = 50
"""How many entries a page has."""
SCANNED_MAX: Final = 5_000
"""How many events one request reads."""
NEAR: Final = 64
"""How many events from the right one a search by time may end; those between are passed over."""
BACK_MAX: Final = 20_000
"""How far back the values before an event are searched, in events of its stream."""
MANY: Final = frozenset({StreamKind.WALLET, StreamKind.VOUCHER, StreamKind.PURGE})
"""Kinds of which there are as many streams as players or vouchers; they are searched only on
request. The actions of staff with vouchers and cash are in the drawers' streams too."""
_REASONS: Final = ("reason", "why", "note", "because")


class Position(NamedTuple):
    """Where a page ends: the next one begins after this event."""

    at_ms: int
    stream: str
    version: int

    def __str__(self) -> str:
        return f"{self.at_ms}~{self.version}~{self.stream}"

    @classmethod
    def parse(cls, text: str) -> "Position":
        """The position in a text; raises ValueError."""
        at_ms, version, stream = text.split("~", 2)
        if not (at_ms.isdecimal() and version.isdecimal() and len(at_ms) < 16 > len(version)):
            raise ValueError("it is not a position in the log")
        return cls(int(at_ms), stream, int(version))

    @property
    def key(self) -> tuple[int, str, int]:
        """Sorts events from the newest to the oldest."""
        return -self.at_ms, self.stream, -self.version


@dataclass(frozen=True, slots=True)
class LogQuery:
    """The search criteria."""

    stream: str = ""
    """A prefix of the names of streams, such as ``table/`` or ``table/pit-3``."""
    actor: str = ""
    """A prefix of actors, such as ``floor:`` or ``floor:sue``."""
    text: str = ""
    """A part of the event's name, its fields, its actor or its stream, in any case."""
    start_ms: int = 0
    end_ms: int = 2**53
    ordinary: bool = False
    """Whether events of ordinary play are listed too."""

    def matches(self, stored: StoredEvent) -> bool:
        """Whether an event matches the query."""
        cause = stored.cause
        if not self.ordinary and not is_significant(stored.name, cause.actor):
            return False
        if not cause.actor.startswith(self.actor):
            return False
        wanted = self.text.lower()
        texts = (stored.name, cause.actor, stored.stream, stored.open_body)
        return not wanted or any(wanted in text.lower() for text in texts)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An event of the log: who, when, what, and why."""

    stored: StoredEvent
    fields: dict[str, Any]
    """The fields that are not encrypted."""

    @property
    def why(self) -> str:
        """The reason that was given, empty for none."""
        return next(
            (value for name in _REASONS if isinstance(value := self.fields.get(name), str)), ""
        )


@dataclass(frozen=True, slots=True)
class EventInDepth:
    """An event, and what its object was before it."""

    entry: LogEntry
    last: LogEntry | None = None
    """The last event before it about the same object, None if none was found."""
    before: dict[str, Any] = field(default_factory=dict)
    """The values that the object had, by the fields that the event sets."""


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log."""

    entries: list[LogEntry]
    next: Position | None
    """Where to continue, None at the beginning of the record."""
    scanned: int


class EventLog:
    """The log of one store. All calls block."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def page(self, query: LogQuery, after: Position | None = None) -> LogPage:
        """The next entries after a position, the newest first."""
        entries: list[LogEntry] = []
        scanned, last = 0, after
        for stored in self._merged(query, after):
            if stored.at_ms < query.start_ms:
                break
            scanned += 1
            last = Position(stored.at_ms, stored.stream, stored.version)
            if query.matches(stored):
                entries.append(_entry(stored))
            if len(entries) >= ENTRIES_MAX or scanned >= SCANNED_MAX:
                return LogPage(entries, last, scanned)
        return LogPage(entries, None, scanned)

    def entry(self, stream: str, version: int) -> EventInDepth | None:
        """An event with the values before it; None for no event."""
        if version < 1:
            return None
        events = list(self._store.events(stream, after=version - 1, up_to=version))
        if not events:
            return None
        entry = _entry(events[0])
        kind = kind_of_event(entry.stored.name)
        return EventInDepth(entry) if kind is None else self._with_past(entry, kind)

    def _with_past(self, entry: LogEntry, kind: ObjectKind) -> EventInDepth:
        """The last values that earlier events have set of the same object."""
        stored, key = entry.stored, kind.key(entry.fields)
        missing = set(kind.values(entry.fields))
        last: LogEntry | None = None
        values: dict[str, Any] = {}
        back = events_backwards(self._store, stored.stream, stored.version - 1)
        for earlier in itertools.islice(back, BACK_MAX):
            if earlier.name not in kind.events:
                continue
            past = _entry(earlier)
            if kind.key(past.fields) != key:
                continue
            set_then = {
                name: value for name, value in kind.values(past.fields).items() if name in missing
            }
            last = last or past
            values |= set_then
            missing -= set_then.keys()
            if not missing:
                break
        return EventInDepth(entry, last, values)

    def _merged(self, query: LogQuery, after: Position | None) -> Iterator[StoredEvent]:
        """The events of all streams after a position, the newest first."""
        end = Position(query.end_ms, "", 0) if after is None else after
        waiting: list[tuple[tuple[int, str, int], StoredEvent | None, Iterator[StoredEvent]]] = []
        for stream, head in self._heads(query).items():
            first = Position(min(head.at_ms, end.at_ms), stream, 2**53)
            events = self._from(stream, head, end)
            heapq.heappush(waiting, (first.key, None, events))
        while waiting:
            _, stored, events = heapq.heappop(waiting)
            if stored is not None:
                yield stored
            following = next(events, None)
            if following is not None:
                place = Position(following.at_ms, following.stream, following.version)
                heapq.heappush(waiting, (place.key, following, events))

    def _heads(self, query: LogQuery) -> dict[str, Head]:
        heads = self._store.heads(query.stream)
        if query.stream:
            return heads
        return {stream: head for stream, head in heads.items() if kind_of(stream) not in MANY}

    def _from(self, stream: str, head: Head, end: Position) -> Iterator[StoredEvent]:
        """The events of a stream after a position, the newest first."""
        version = head.version
        if head.at_ms >= end.at_ms:
            version = self._last_before(stream, head.version, end.at_ms)
        for stored in events_backwards(self._store, stream, version):
            if Position(stored.at_ms, stored.stream, stored.version).key > end.key:
                yield stored

    def _last_before(self, stream: str, version: int, at_ms: int) -> int:
        """The last version whose time is not after this one, by binary search."""
        low, high = 0, version
        while high - low > NEAR:
            middle = (low + high) // 2
            stored = next(self._store.events(stream, after=middle - 1, up_to=middle), None)
            if stored is None or stored.at_ms <= at_ms:
                # Events that are not there are in an archive, and older.
                low = middle
            else:
                high = middle
        return high


def _entry(stored: StoredEvent) -> LogEntry:
    try:
        fields = read_json(stored.open_body)
    except CodecError:
        fields = {}
    return LogEntry(stored, fields if isinstance(fields, dict) else {})
