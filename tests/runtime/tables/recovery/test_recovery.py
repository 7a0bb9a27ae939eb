"""Tables built again from their record: after every step, with snapshots and without."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from _pytest.logging import LogCaptureFixture

from openfelt.catalog import load_house
from openfelt.rules import CloseBets, House
from openfelt.rules.house import DealerMode
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.recovery import snapshots
from openfelt.runtime.tables.recovery.recovery import RecoveredTable, fold, recover
from openfelt.runtime.tables.recovery.snapshots import SNAPSHOT_FORM, Since, snapshot_of
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Append, Cause, Commit
from openfelt.table.commands import ChangeRules, OpenBets
from openfelt.table.events import TableClosed
from tests.kit.audit.forgeries import recode_snapshots
from tests.kit.floors import Desk, Shift, check_books, steps_of_a_round
from tests.kit.own_houses import own_house
from tests.kit.tables import FLOOR, SECONDS

TABLES = [
    ("washington", None),
    ("online", None),
    ("california", None),
    ("stadium", DealerMode.LIVE),
    ("stadium", DealerMode.VIRTUAL),
    ("draw", None),
]
STREAM = table_stream("table-1")


def seated(shift: Shift, house: House | str, mode: DealerMode | None = None) -> Desk:
    """A table with a clock and as many players as it needs."""
    desk = shift.open_table(house, mode=mode, clock=SECONDS)
    for seat, player in enumerate(["ann", "bob", "cat"][: desk.table.house.seats], start=1):
        desk.sit(player, seat, 1000)
    return desk


def found(shift: Shift) -> RecoveredTable:
    """The table as another process finds it."""
    worker_services = shift.beside().worker_services
    recovered = recover(worker_services.store, worker_services.codec, "table-1")
    assert recovered is not None
    return recovered


# Every step of a round -------------------------------------------------------------------


@pytest.mark.parametrize(("house", "mode"), TABLES)
def test_a_table_continues_after_a_restart_at_any_step(
    shift: Shift, house: str, mode: DealerMode | None
) -> None:
    desk = seated(shift, house, mode)
    phases, streets = set(), set()
    for command, by in steps_of_a_round(desk):
        shift.clock.pass_ms(700)
        desk.do(command, by)
        phases.add(desk.round.phase)
        streets.add(desk.round.street)
        before, views, decks = desk.table, desk.views, desk.decks
        left_ms = desk.worker.time_left_ms
        shift.clock.pass_ms(600_000)
        shift.clock.jump_ms(-7_200_000)
        desk.worker = desk.restart().worker
        assert replace(desk.table, clock=None, clocks=0) == replace(before, clock=None, clocks=0)
        assert desk.views == views
        assert desk.worker.time_left_ms == left_ms
        assert not desk.table.playing or desk.decks == decks
    assert {"wagering", "playing", "settled"} <= phases
    assert streets >= ({"draw"} if house == "draw" else {"before_flop", "on_flop", "on_river"})
    check_books(shift, desk)


@pytest.mark.parametrize(("house", "mode"), TABLES)
def test_what_is_found_is_what_was_left(shift: Shift, house: str, mode: DealerMode | None) -> None:
    desk = seated(shift, house, mode)
    for command, by in steps_of_a_round(desk):
        shift.clock.pass_ms(700)
        desk.do(command, by)
        recovered = found(shift)
        assert recovered.table == desk.table
        assert recovered.head == desk.worker.head
        assert recovered.since == desk.worker.since
        assert recovered.clock_left_ms == desk.worker.time_left_ms


def test_time_after_the_last_event_does_not_count(shift: Shift) -> None:
    desk = seated(shift, "online").bet("ann", "1.1", "ante 10")
    shift.clock.pass_ms(20_000)
    assert desk.worker.time_left_ms == 5_000
    assert found(shift).clock_left_ms == 25_000


def test_a_restart_after_a_restart_gives_no_time_back(shift: Shift) -> None:
    desk = seated(shift, "online").bet("ann", "1.1", "ante 10")
    for left_ms in (25_000, 24_000, 23_000):
        desk = desk.restart()
        assert desk.worker.time_left_ms == left_ms
        shift.clock.pass_ms(1_000)
        desk.bet("ann", "1.1", f"ante {left_ms // 1000}")


@pytest.mark.parametrize("jump_ms", [-7_200_000, 7_200_000])
def test_the_record_keeps_the_time_left_even_if_the_wall_clock_is_set(
    shift: Shift, jump_ms: int
) -> None:
    desk = seated(shift, "online").bet("ann", "1.1", "ante 10")
    shift.clock.jump_ms(jump_ms)
    shift.clock.pass_ms(4_000)
    desk.bet("ann", "1.1", "ante 20")
    assert found(shift).clock_left_ms == desk.worker.time_left_ms == 21_000
    desk.void().bet("ann", "1.1", "ante 20")
    assert shift.record()[-1].at_ms >= shift.clock.wall_ms()


def test_a_missing_table(shift: Shift) -> None:
    assert recover(shift.store, shift.worker_services.codec, "nowhere") is None


def test_a_record_that_does_not_begin_with_an_opening_is_refused(shift: Shift) -> None:
    closed = shift.worker_services.codec.encode(
        TableClosed("It is late."), cause=Cause(actor="floor:sam")
    )
    append = Append(stream=STREAM, expected_version=0, events=(closed,))
    shift.store.commit(Commit(at_ms=1, appends=(append,)))
    with pytest.raises(CodecError, match="begins with its opening"):
        recover(shift.store, shift.worker_services.codec, "table-1")
    with pytest.raises(CodecError, match="begins with its opening"):
        fold(None, TableClosed("It is late."))


# Snapshots ---------------------------------------------------------------------------------


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a snapshot be written after every commit between rounds."""
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 1)


def without_snapshot(shift: Shift) -> RecoveredTable:
    """The table from all of its events."""
    shift.beside().store._write("DELETE FROM snapshots WHERE stream = ?", (STREAM,))
    return found(shift)


def assert_same(one: RecoveredTable, other: RecoveredTable) -> None:
    """Two ways to build a table again have come to the same one."""
    assert one.table == other.table
    assert (one.head, one.decks) == (other.head, other.decks)
    assert one.clock_left_ms == other.clock_left_ms
    if one.table.playing is not None:
        assert one.since.round_ms == other.since.round_ms


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize(("house", "mode"), TABLES)
def test_a_snapshot_and_the_whole_record_give_the_same_table(
    shift: Shift, house: str, mode: DealerMode | None
) -> None:
    desk = seated(shift, house, mode)
    for _ in range(2):
        for command, by in steps_of_a_round(desk):
            shift.clock.pass_ms(100)
            desk.do(command, by)
            if desk.table.playing is None or len(desk.told) % 5 == 0:
                with_it = found(shift)
                assert with_it.snapshot_version > 0
                assert with_it.table == desk.table
                (row,) = shift.store._read("SELECT * FROM snapshots WHERE stream = ?", (STREAM,))
                assert_same(with_it, without_snapshot(shift))
                shift.store._write("INSERT INTO snapshots VALUES (?, ?, ?, ?, ?)", row)


def test_snapshots_are_written_between_rounds_once_enough_has_happened(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 10)
    desk = seated(shift, "washington")
    first = shift.store.snapshot(STREAM)
    for command, by in steps_of_a_round(desk):
        assert shift.store.snapshot(STREAM) == first
        desk.do(command, by)
    second = shift.store.snapshot(STREAM)
    assert second is not None
    assert second.version == desk.worker.head.version > 20
    desk.do(OpenBets(), "dan").void()
    assert shift.store.snapshot(STREAM) == second
    assert found(shift).snapshot_version == second.version


def is_prepared(desk: Desk) -> bool:
    """Whether the worker of a desk knows of nothing to prepare."""
    return desk.worker.prepared


def test_a_large_table_takes_its_snapshot_after_its_players_are_answered(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOT_EVERY", 10)
    monkeypatch.setattr(snapshots, "SMALL", 1)
    desk = seated(shift, "stadium", DealerMode.VIRTUAL)
    assert len(desk.table.seats) > 1
    while desk.worker.prepare():
        pass
    before = shift.store.snapshot(STREAM)
    for command, by in steps_of_a_round(desk):
        desk.do(command, by)
    assert desk.table.playing is None
    assert shift.store.snapshot(STREAM) == before
    assert not is_prepared(desk)
    shift.clock.pass_ms(5000)
    while desk.worker.prepare():
        pass
    assert is_prepared(desk)
    with_it = found(shift)
    assert with_it.snapshot_version == desk.worker.head.version
    assert with_it.table == desk.table
    assert_same(with_it, without_snapshot(shift))
    # A round that has begun meanwhile is not interrupted; after many events none is late.
    for number, late_max in enumerate((100_000, 10)):
        monkeypatch.setattr(snapshots, "LATE_MAX", late_max)
        for command, by in steps_of_a_round(desk):
            desk.do(command, by)
        assert (shift.store.snapshot(STREAM) is not None) == bool(number)
        desk.bet("ann", "1.1", "ante 10")
        assert not desk.worker.prepare()
        assert is_prepared(desk)
        desk.void()
    assert_same(found(shift), without_snapshot(shift))


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("dealt", [None, "", "As Ah Kc Kd", "As Ah Kc Kd 2c"])
def test_a_void_round_survives_a_snapshot(shift: Shift, dealt: str | None) -> None:
    """Void before bets are closed, after that, with cards on the felt, and while dealing."""
    desk = shift.open_table("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    desk.bet("ann", "1.1", "ante 10, trips 5")
    if dealt is not None:
        desk.close()
        for number, card in enumerate(dealt.split()):
            if number == 4:
                desk.choose("ann", "1.1", "check")
            desk.deal(card)
    desk.void()
    with_it = found(shift)
    assert with_it.snapshot_version == desk.worker.head.version
    assert with_it.table == desk.table
    assert_same(with_it, without_snapshot(shift))
    check_books(shift, desk)


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize(
    "body",
    [
        '{"form":0,"something":"else"}',
        f'{{"form":{SNAPSHOT_FORM}}}',
        f'{{"form":{SNAPSHOT_FORM},"since":[0],"dealt":false,"table":{{}}}}',
        "[]",
        "7",
        "not JSON",
    ],
)
def test_an_unusable_snapshot_is_ignored(
    shift: Shift, body: str, caplog: LogCaptureFixture
) -> None:
    desk = seated(shift, "washington")
    with closing(sqlite3.connect(shift.path)) as connection:
        connection.execute("UPDATE snapshots SET body = ? WHERE stream = ?", (body, STREAM))
        recode_snapshots(connection)
        connection.commit()
    recovered = found(shift)
    assert recovered.snapshot_version == 0
    assert recovered.table == desk.table
    assert ("ignoring the snapshot" in caplog.text) == ('"form":0' not in body)


def test_a_snapshot_says_its_form_and_leaves_the_plan_out(shift: Shift) -> None:
    desk = shift.open_table("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    desk.bet("ann", "1.1", "ante 10").close()
    plain = json.loads(snapshot_of(shift.worker_services.codec, desk.table, Since(5, 7)))
    assert (plain["form"], plain["since"], plain["dealt"]) == (SNAPSHOT_FORM, [5, 7], True)
    assert "plan" not in plain["table"]["round"]


# Rules that change -----------------------------------------------------------------------------


def test_old_rounds_replay_under_their_old_rules(shift: Shift) -> None:
    old = load_house("washington")
    new = own_house("washington", {"wagers.ante.max_cents": 2000, "version": 2})
    desk = shift.open_table(old).sit("ann", 1, 500).do(OpenBets(), "dan")
    desk.bet("ann", "1.1", "ante 50").do(ChangeRules(new), FLOOR)
    during = found(shift).table
    assert (during.house, during.playing) == (new, desk.round)
    assert desk.round.house == old
    desk.close().void().do(OpenBets(), "dan").bet("ann", "1.1", "ante 20")
    assert found(shift).table == desk.table
    for house in (old, new):
        kept = shift.store.rule_set(house.fingerprint)
        assert kept is not None
        assert kept.house == "washington"


def test_rules_are_stored_with_the_event_that_names_them(shift: Shift) -> None:
    new = own_house("online", {"wagers.ante.max_cents": 2000})
    desk = shift.open_table("online")
    shift.store.full = True
    assert desk.ask(ChangeRules(new), FLOOR).refused == "stopped"
    assert shift.store.rule_set(new.fingerprint) is None
    shift.store.full = False
    assert desk.worker.try_again()
    desk.do(ChangeRules(new), FLOOR)
    assert [one.fingerprint for one in shift.store.commits[-1].rule_sets] == [new.fingerprint]


def test_a_table_whose_rules_are_gone_is_not_taken_up(shift: Shift) -> None:
    shift.open_table("online").sit("ann", 1, 500)
    shift.store._write("DELETE FROM rule_sets WHERE house = ?", ("online",))
    with pytest.raises(CodecError, match=r"Event 1 of table/table-1: .* there is no rule set"):
        found(shift)


# Secrets --------------------------------------------------------------------------------------


def test_only_the_decks_of_one_round_are_taken_up(shift: Shift) -> None:
    """They are those of the round in progress or, between rounds, of the next one."""
    desk = seated(shift, "stadium", DealerMode.VIRTUAL)
    decks = {"table", *(f"seat-{seat}" for seat in desk.table.seats)}
    for number in range(1, 12):
        desk.bet("ann", "1.1", "ante 10")
        assert set(found(shift).decks) == decks
        assert found(shift).decks["table"].round_id == f"table-1/{number}"
        desk.void()
        assert set(found(shift).decks) == decks
        assert found(shift).decks["table"].round_id == f"table-1/{number + 1}"


def test_the_record_commits_to_the_decks_that_are_found(shift: Shift) -> None:
    desk = seated(shift, "stadium", DealerMode.VIRTUAL).bet("bob", "2.3", "ante 10")
    desk.do(CloseBets(), FLOOR)
    recovered = found(shift)
    roots = {name: deck.root for name, deck in recovered.decks.items()}
    assert roots == recovered.table.commitments
