"""Searches of a record from its newest end: they read little for what is recent."""

from collections.abc import Iterator

import pytest

from openfelt.runtime.rounds import record_search
from openfelt.runtime.rounds.record import NoSuchRound, RoundReader
from openfelt.runtime.rounds.record_search import (
    FIRST_CHUNK,
    events_backwards,
    last_opening,
    opened_number,
)
from openfelt.runtime.streams import table_stream
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Store, StoredEvent
from openfelt.storage.event_forms import ROUND_ENDS, ROUND_OPENED
from tests.kit.audit.audited_floors import tamper
from tests.kit.floors import Shift, steps_of_a_round

ROUNDS = 20
STREAM = table_stream("table-1")


@pytest.fixture
def long_record(shift: Shift) -> Shift:
    """A table that has played many rounds, and has one in progress."""
    desk = shift.open_table("online").sit("ann", 1, 90_000)
    for seed in range(ROUNDS):
        for command, by in steps_of_a_round(desk, seed=seed):
            desk.do(command, by)
    desk.bet("ann", "1.1", "ante 5")
    assert desk.worker.head.version > 5 * FIRST_CHUNK
    return shift


class CountedStore:
    """Counts the events that are read from a store."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read = 0
        self._events = store.events
        monkeypatch.setattr(store, "events", self._counted)

    def _counted(
        self, stream: str, *, after: int = 0, up_to: int | None = None
    ) -> Iterator[StoredEvent]:
        for stored in self._events(stream, after=after, up_to=up_to):
            self.read += 1
            yield stored


@pytest.mark.parametrize("chunk", [1, 7, 500])
def test_all_events_are_read_newest_first(
    long_record: Shift, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_search, "CHUNK", chunk)
    monkeypatch.setattr(record_search, "FIRST_CHUNK", min(chunk, FIRST_CHUNK))
    store = long_record.store
    for last in (1, 32, 33, store.head(STREAM).version):
        versions = [stored.version for stored in events_backwards(store, STREAM, last)]
        assert versions == list(range(last, 0, -1))


def test_a_recent_round_of_a_long_record_costs_a_few_pages(
    long_record: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = CountedStore(long_record.store, monkeypatch)
    reader = RoundReader(long_record.store)
    opening = reader.opening("table-1", ROUNDS)
    assert counted.read <= FIRST_CHUNK
    counted.read = 0
    # A number that no round has yet is not looked for among older ones.
    with pytest.raises(NoSuchRound, match="has no round 99"):
        reader.opening("table-1", 99)
    assert counted.read <= FIRST_CHUNK
    counted.read = 0
    # An old round is found as quickly by a version near it.
    first = reader.opening("table-1", 1, last=FIRST_CHUNK)
    assert counted.read <= FIRST_CHUNK
    assert (opened_number(first), opened_number(opening)) == (1, ROUNDS)


def test_every_round_is_found_by_its_number_with_its_events(long_record: Shift) -> None:
    reader, head = RoundReader(long_record.store), long_record.store.head(STREAM).version
    for number in range(1, ROUNDS + 1):
        events = reader.events_of("table-1", number)
        assert events[0] == reader.opening("table-1", number, last=head + 1000)
        assert events[0] == reader.opening_before("table-1", events[-1].version)
        assert [stored.name in ROUND_ENDS for stored in events].index(True) == len(events) - 1
    in_progress = reader.events_of("table-1", ROUNDS + 1)
    assert in_progress[0].name == ROUND_OPENED
    assert in_progress[-1].version == head
    with pytest.raises(NoSuchRound, match="no round 0"):
        reader.events_of("table-1", 0)
    with pytest.raises(NoSuchRound, match="no table called"):
        reader.events_of("nowhere", 1)
    # A version before the round does not lead to another one.
    with pytest.raises(NoSuchRound, match="no round 9"):
        reader.opening("table-1", 9, last=FIRST_CHUNK)


def test_a_search_ends_where_older_events_are_archived(
    long_record: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = long_record.store
    opening = RoundReader(store).opening("table-1", ROUNDS)
    tamper(long_record.path, f"DELETE FROM events WHERE version <= {opening.version}")
    counted = CountedStore(store, monkeypatch)
    kept = [stored.version for stored in events_backwards(store, STREAM, opening.version + 3)]
    assert kept == [opening.version + 3, opening.version + 2, opening.version + 1]
    assert last_opening(store, STREAM, opening.version + 3) is None
    assert counted.read == 6
    with pytest.raises(NoSuchRound):
        RoundReader(store).opening("table-1", ROUNDS - 1)


def test_only_an_opening_has_the_number_of_a_round(long_record: Shift) -> None:
    first = next(long_record.store.events(STREAM))
    with pytest.raises(CodecError, match="opens no round"):
        opened_number(first)
