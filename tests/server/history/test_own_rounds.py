"""A player's own rounds, found by the money that moved."""

import pytest

from openfelt.catalog import load_house
from openfelt.catalog.houses import dealt_by_either
from openfelt.rules import CloseBets, MakeDecision, clock_decision
from openfelt.rules.house import DealerMode
from openfelt.server.history import own_rounds
from openfelt.server.history.own_rounds import Histories, OwnRound
from openfelt.table.commands import CloseTable, LeaveSeat, TakeSeat
from tests.kit.floors import Desk, Shift, steps_of_a_round
from tests.kit.tables import FLOOR


def table_of(shift: Shift, house: str = "draw") -> Desk:
    return shift.open_table(dealt_by_either(load_house(house)), mode=DealerMode.VIRTUAL)


def play(desk: Desk) -> None:
    for command, by in steps_of_a_round(desk):
        desk.do(command, by)


def numbers(rounds: list[OwnRound]) -> list[int]:
    return [one.number for one in rounds]


def test_rounds_come_newest_first_page_by_page(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 5000)
    for _ in range(5):
        play(desk)
    histories = Histories(shift.tools)
    table = desk.table.id
    assert numbers(histories.rounds(table, "ann", below=None, limit=3)) == [5, 4, 3]
    assert numbers(histories.rounds(table, "ann", below=3, limit=3)) == [2, 1]
    assert histories.rounds(table, "bob", below=None, limit=3) == []
    assert histories.rounds("elsewhere", "ann", below=None, limit=3) == []


def test_what_was_staked_and_what_it_brought(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 5000)
    before = desk.credit("ann")
    play(desk)
    own = Histories(shift.tools).round(desk.table.id, "ann", 1)
    assert own is not None
    assert own.net_cents == desk.credit("ann") - before
    settlement = desk.round.settlement
    assert settlement is not None
    assert own.staked_cents == sum(line.stake_cents for line in settlement.lines)
    assert not own.void
    assert not own.banked


def test_later_rounds_are_added_to_what_is_known(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 5000)
    histories = Histories(shift.tools)
    for number in range(1, 4):
        play(desk)
        assert numbers(histories.rounds(desk.table.id, "ann", below=None, limit=9))[0] == number


def test_wagers_taken_back_make_no_round_of_ones_own(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 500).sit("bob", 2, 500)
    desk.bet("ann", "1.1", "ante 5").bet("bob", "2.1", "ante 5")
    desk.bet("ann", "1.1", "")
    desk.do(LeaveSeat(1), "ann")
    desk.sit("cyd", 1, 500).bet("cyd", "1.1", "ante 5")
    play_on(desk)
    histories = Histories(shift.tools)
    assert histories.round(desk.table.id, "ann", 1) is None
    assert histories.round(desk.table.id, "cyd", 1) is not None


def play_on(desk: Desk) -> None:
    """Play the round in progress to its end."""
    desk.do(CloseBets(), FLOOR)
    while (state := desk.table.playing) is not None:
        spot = min(state.pending)
        player = desk.table.seats[spot.seat].player
        desk.do(MakeDecision(spot, clock_decision(state, spot)), player)


def test_a_void_round_is_marked(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 500).bet("ann", "1.1", "ante 5")
    desk.void()
    own = Histories(shift.tools).round(desk.table.id, "ann", 1)
    assert own is not None
    assert (own.void, own.net_cents) == (True, 0)


def test_whoever_banks_was_in_the_round_too(shift: Shift) -> None:
    desk = table_of(shift, "california").sit("ann", 1, 5000).sit("bob", 2, 5000)
    before = {player: desk.credit(player) for player in ("ann", "bob")}
    play(desk)
    found = {
        player: Histories(shift.tools).round(desk.table.id, player, 1) for player in ("ann", "bob")
    }
    assert sorted(one.banked for one in found.values() if one) == [False, True]
    for player, own in found.items():
        assert own is not None
        assert own.net_cents == desk.credit(player) - before[player]


def test_memory_is_bounded(shift: Shift, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_rounds, "ROUNDS_KEPT", 3)
    monkeypatch.setattr(own_rounds, "INDEXES_MAX", 2)
    desk = table_of(shift).sit("ann", 1, 5000)
    for _ in range(5):
        play(desk)
    histories = Histories(shift.tools)
    assert numbers(histories.rounds(desk.table.id, "ann", below=None, limit=9)) == [5, 4, 3]
    for player in ("bob", "cyd", "dee"):
        histories.rounds(desk.table.id, player, below=None, limit=9)
    assert len(histories._indexes) == 2


def test_a_seat_that_changed_hands_is_another_players(shift: Shift) -> None:
    desk = table_of(shift).sit("ann", 1, 5000)
    play(desk)
    desk.do(LeaveSeat(1), "ann").do(TakeSeat(1), "bob")
    desk.do(CloseTable("late"), FLOOR)
    histories = Histories(shift.tools)
    assert histories.round(desk.table.id, "bob", 1) is None
    assert histories.round(desk.table.id, "ann", 1) is not None
