"""The log of significant events: all of them, in order, from the newest end."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from openfelt.runtime.exports.significant_events import is_significant
from openfelt.runtime.rounds import record_search
from openfelt.server.accounts.devices import Devices
from openfelt.server.accounts.events import ACCOUNT_FORMS, DeviceState
from openfelt.server.audit_desk import event_log
from openfelt.server.audit_desk.event_log import (
    EventInDepth,
    EventLog,
    LogEntry,
    LogQuery,
    Position,
)
from openfelt.server.audit_desk.event_objects import KINDS
from openfelt.storage.event_forms import EVENT_FORMS
from openfelt.table.commands import ProposeAdjustment, RejectAdjustment
from tests.kit.audit.audited_floors import Floor, five_houses
from tests.kit.floors import Shift, steps_of_a_round
from tests.kit.tables import FLOOR


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """A floor with tables of all houses. It stays as it is."""
    floor = five_houses(tmp_path_factory.mktemp("log") / "floor.db")
    yield floor
    floor.store.close()


def all_pages(log: EventLog, query: LogQuery) -> list[LogEntry]:
    """Everything that a search finds, page by page."""
    entries: list[LogEntry] = []
    page = log.page(query)
    entries += page.entries
    while page.next is not None:
        # The position travels as text.
        page = log.page(query, Position.parse(str(page.next)))
        entries += page.entries
    return entries


def places(entries: list[LogEntry]) -> list[tuple[str, int]]:
    return [(entry.stored.stream, entry.stored.version) for entry in entries]


@pytest.mark.parametrize("ordinary", [False, True])
@pytest.mark.parametrize("limits", [(50, 5_000), (7, 5_000), (50, 11)])
def test_every_event_is_listed_once_and_in_order(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int], *, ordinary: bool
) -> None:
    monkeypatch.setattr(event_log, "ENTRIES_MAX", limits[0])
    monkeypatch.setattr(event_log, "SCANNED_MAX", limits[1])
    monkeypatch.setattr(event_log, "NEAR", 8)
    monkeypatch.setattr(record_search, "CHUNK", 8)
    monkeypatch.setattr(record_search, "FIRST_CHUNK", 8)
    entries = all_pages(EventLog(floor.store), LogQuery(ordinary=ordinary))
    wanted = [
        (stream, stored.version)
        for stream in floor.store.streams()
        if not stream.startswith("wallet/")
        for stored in floor.store.events(stream)
        if ordinary or is_significant(stored.name, stored.cause.actor)
    ]
    assert len(places(entries)) == len(set(places(entries)))
    assert set(places(entries)) == set(wanted)
    times = [entry.stored.at_ms for entry in entries]
    assert times == sorted(times, reverse=True)
    assert not ordinary or len(entries) > 500


def test_what_is_looked_for(floor: Floor) -> None:
    log = EventLog(floor.store)
    voids = all_pages(log, LogQuery(text="LIGHTS went"))
    assert {entry.stored.name for entry in voids} == {"round_voided"}
    assert len(voids) == 7
    assert {entry.why for entry in voids} == {"the lights went out"}
    one = all_pages(log, LogQuery(stream="table/net-1", text="round_voided"))
    assert [entry.stored.stream for entry in one] == ["table/net-1"]
    at_ms = one[0].stored.at_ms
    assert all_pages(log, LogQuery(text="round_voided", start_ms=at_ms, end_ms=at_ms + 1)) == one
    by_floor = all_pages(log, LogQuery(actor="floor:"))
    assert by_floor
    assert all(entry.stored.cause.actor.startswith("floor:") for entry in by_floor)
    assert all_pages(log, LogQuery(stream="wallet/", ordinary=True))
    assert all_pages(log, LogQuery(text="nothing is called so")) == []


def test_hidden_cards_are_not_in_the_log(floor: Floor) -> None:
    dealt = [
        entry
        for entry in all_pages(EventLog(floor.store), LogQuery(ordinary=True))
        if entry.stored.decrypt is not None
    ]
    assert len(dealt) > 50
    assert not any({"card", "decision", "sealed"} & entry.fields.keys() for entry in dealt)


def test_the_values_before(floor: Floor) -> None:
    log = EventLog(floor.store)
    (changed,) = all_pages(log, LogQuery(text="link_rates_changed"))
    found = log.entry(changed.stored.stream, changed.stored.version)
    assert found is not None
    assert found.last is not None
    assert found.last.stored.name == "link_opened"
    assert found.before["seed_cents"] == 100_000
    assert found.entry.fields["seed_cents"] == 50_000
    assert log.entry("table/none", 1) is None


def depth(log: EventLog, stream: str, name: str) -> EventInDepth:
    """The newest event of a name in depth."""
    (entry, *_) = all_pages(log, LogQuery(stream=stream, text=name, ordinary=True))
    found = log.entry(stream, entry.stored.version)
    assert found is not None
    return found


def test_two_terminals_that_change_by_turns_have_their_own_values_before(shift: Shift) -> None:
    devices, log = Devices(shift.store, shift.clock), EventLog(shift.store)
    devices.enrol("Left one", by="sue")
    devices.enrol("Right one", by="sue")
    left, right = (device.id for device in devices.all())
    devices.rename(left, "Window", by="sue")
    devices.rename(right, "Door", by="sue")
    devices.set_state(right, DeviceState.LOCKED, reason="A coin fell in.", by="sue")
    devices.rename(left, "Corner", by="sue")
    found = depth(log, "terminals", "terminal_renamed")
    assert (found.entry.fields["label"], found.before) == ("Corner", {"label": "Window"})
    devices.rename(right, "Stairs", by="sue")
    found = depth(log, "terminals", "terminal_renamed")
    # The state was set in between; the name is that of the renaming before.
    assert (found.entry.fields["label"], found.before) == ("Stairs", {"label": "Door"})
    assert found.last is not None
    assert found.last.stored.name == "terminal_state_set"
    assert depth(log, "terminals", "terminal_enrolled").before == {}


def test_two_seats_and_two_adjustments_of_a_table_are_kept_apart(shift: Shift) -> None:
    log, stream = EventLog(shift.store), "table/table-1"
    desk = shift.open_table("washington").sit("ann", 1, 500).sit("bob", 2, 300)
    for command, who in steps_of_a_round(desk):
        desk.do(command, who)
    desk.do(ProposeAdjustment(1, 1, 700, "a stack too short"), "dan")
    desk.do(ProposeAdjustment(1, 2, 200, "a chip too few"), "dan")
    desk.do(RejectAdjustment(1, "It was right."), FLOOR)
    found = depth(log, stream, "adjustment_rejected")
    assert found.last is not None
    assert found.last.fields["adjustment"]["cents"] == 700
    found = depth(log, stream, "bought_in")
    assert (found.entry.fields["seat"], found.before) == (2, {})


ALONE: Final = frozenset(
    {
        # Moments of a round or of a day, each of which is complete.
        *("bets_reopened", "bets_closed", "cards_turned", "antes_returned", "floor_called"),
        *("play_resumed", "round_settled", "round_voided", "seeds_called", "seeds_fixed"),
        *("clock_started", "clock_stopped", "clock_corrected", "floor_checkpointed"),
        *("dispute_opened", "dispute_noted", "day_closed", "takings_counted"),
        *("player_deposit_counted", "link_round_fed"),
        # Attempts, which set nothing.
        *("account_pin_failed", "account_pin_used", "account_sign_in_failed", "account_unlocked"),
    }
)
"""Events without a past: an earlier one of the same name does not give a previous value."""


def test_every_event_says_what_it_is_about() -> None:
    named = {*EVENT_FORMS, *ACCOUNT_FORMS}
    listed = [name for kind in KINDS for name in kind.events]
    assert len(listed) == len(set(listed))
    assert named == {*listed, *ALONE}
    assert not ALONE & {*listed}


def test_a_page_does_not_read_the_whole_record(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 40)
    head = floor.store.head("table/net-1").version
    page = EventLog(floor.store).page(LogQuery(ordinary=True))
    assert head > 10 * page.scanned
    # From a position in the middle, what is newer is not read again.
    middle = next(floor.store.events("table/net-1", after=head // 2, up_to=head // 2 + 1))
    position = Position(middle.at_ms, middle.stream, middle.version)
    later = EventLog(floor.store).page(LogQuery(ordinary=True), position)
    assert later.entries[0].stored.version == middle.version - 1
    assert later.scanned == page.scanned
    floor.store.close()


@pytest.mark.parametrize("text", ["", "1", "1~2", "x~2~table/a", "1~-2~t", f"{'9' * 30}~1~t"])
def test_a_position_that_is_none(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (its sentence is not shown)
        Position.parse(text)
