"""The figures of the floor are those of the ledger, to the cent, whenever they are counted."""

from datetime import date

import pytest

from openfelt.rules.house import DealerMode
from openfelt.rules.round_actions import VoidRound
from openfelt.runtime.cage.days.day_book import TableDay, day_book
from openfelt.server.supervision.floor_figures import FloorFigures
from openfelt.server.supervision.table_figures import HOUR_MS, DayFigures
from openfelt.table.commands import ApproveAdjustment, ProposeAdjustment
from tests.kit.audit.audited_floors import tamper
from tests.kit.floors import Desk, Shift, steps_of_a_round
from tests.kit.tables import FLOOR

DAY_MS = 86_400_000
NOON_MS = 12 * HOUR_MS
FIRST = date(2026, 1, 1)
SECOND = date(2026, 1, 2)


def figures(shift: Shift) -> FloorFigures:
    """Figures that have been counted now, by a process that knew nothing before."""
    counted = FloorFigures(shift.store, shift.worker_services.codec, shift.clock)
    counted.refresh()
    return counted


def play(desk: Desk, seed: int) -> None:
    """Play one round."""
    for command, who in steps_of_a_round(desk, seed=seed):
        desk.do(command, who)


def washington(shift: Shift) -> Desk:
    """A live table with two players."""
    desk = shift.open_table("washington", mode=DealerMode.LIVE)
    return desk.sit("ann", 1, 5000).sit("bob", 2, 5000)


def agree(today: DayFigures, book: TableDay) -> None:
    """The figures say what the day's book says of the table."""
    on_felt_cents = today.stakes_cents + today.progressive_cents
    assert on_felt_cents == book.returned_cents + book.lost_cents + book.contributed_cents
    assert today.win_cents == book.win_cents


@pytest.mark.parametrize("house", ["washington", "stadium", "california", "online", "draw"])
def test_stakes_and_win_are_those_of_the_ledger(shift: Shift, house: str) -> None:
    shift.clock.pass_ms(NOON_MS)
    virtual = house in ("stadium", "online")
    mode = DealerMode.VIRTUAL if virtual else DealerMode.LIVE
    desk = shift.open_table(house, mode=mode).sit("ann", 1, 5000)
    if house != "online":
        desk.sit("bob", 2, 5000)
    running = figures(shift)
    for seed in range(4):
        play(desk, seed)
        running.refresh()
    today, again = (one.of("table-1") for one in (running, figures(shift)))
    assert today is not None
    assert again is not None
    assert today.on(FIRST).rounds == 4
    assert today.on(FIRST).stakes_cents > 0
    assert today.on(FIRST) == again.on(FIRST)
    agree(today.on(FIRST), day_book(shift.store, FIRST).tables["table-1"])
    assert today.on(FIRST).banked_by_players == (4 if house == "california" else 0)


def test_a_round_over_midnight_and_an_adjustment_count_on_the_day_that_they_are_booked(
    shift: Shift,
) -> None:
    shift.clock.pass_ms(DAY_MS - 1000)
    desk = washington(shift)
    play(desk, 1)
    desk.do(ProposeAdjustment(1, 1, 700, "a stack too short"), "dan")
    steps = steps_of_a_round(desk, seed=2)
    for _ in range(3):
        command, who = next(steps)
        desk.do(command, who)
    yesterday = figures(shift)
    shift.clock.pass_ms(2000)
    for command, who in steps:
        desk.do(command, who)
    desk.do(ApproveAdjustment(1), FLOOR)
    yesterday.refresh()
    book = day_book(shift.store, SECOND).tables["table-1"]
    for counted in (yesterday, figures(shift)):
        table = counted.of("table-1")
        assert table is not None
        assert table.on(SECOND).rounds == 1
        assert table.on(SECOND).win_cents == book.win_cents
        assert table.hour(shift.clock.wall_ms())[0] == 2


def test_an_adjustment_of_yesterday_is_found_by_a_process_that_starts_today(shift: Shift) -> None:
    desk = washington(shift)
    play(desk, 1)
    desk.do(ProposeAdjustment(1, 1, 700, "a stack too short"), "dan")
    shift.clock.pass_ms(DAY_MS + NOON_MS)
    desk.do(ApproveAdjustment(1), FLOOR)
    table = figures(shift).of("table-1")
    assert table is not None
    assert table.on(SECOND) == DayFigures(day=SECOND, win_cents=-700)


def test_rounds_an_hour_say_how_much_of_the_hour_they_cover(shift: Shift) -> None:
    desk = washington(shift)
    play(desk, 1)
    shift.clock.pass_ms(HOUR_MS // 4)
    counted = figures(shift)
    table = counted.of("table-1")
    assert table is not None
    assert table.hour(shift.clock.wall_ms()) == (1, HOUR_MS // 4)
    shift.clock.pass_ms(HOUR_MS)
    play(desk, 2)
    counted.refresh()
    assert table.hour(shift.clock.wall_ms()) == (1, HOUR_MS)
    late = figures(shift).of("table-1")
    assert late is not None
    assert late.hour(shift.clock.wall_ms()) == (1, HOUR_MS)


def test_void_rounds_are_counted_and_their_stakes_are_not(shift: Shift) -> None:
    desk = shift.open_table("online").sit("ann", 1, 500)
    desk.bet("ann", "1.1", "ante 10").do(VoidRound("a spill"), FLOOR)
    table = figures(shift).of("table-1")
    assert table is not None
    assert table.on(FIRST) == DayFigures(day=FIRST, rounds_voided=1)


def test_a_record_that_cannot_be_read_has_no_figures_at_all(shift: Shift) -> None:
    desk = washington(shift)
    counted = figures(shift)
    play(desk, 1)
    tamper(
        shift.path,
        "UPDATE events SET body = replace(body, 'lines', 'lies') WHERE name = 'round_settled'",
    )
    counted.refresh()
    assert counted.of("table-1") is None
    assert counted.unreadable == {"table-1"}
