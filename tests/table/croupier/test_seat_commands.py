"""Sitting down, buying in, collecting and standing up."""

from openfelt.rules import RefusalCode
from openfelt.table.commands import BuyIn, Collect, LeaveSeat, OpenBets, TakeSeat
from openfelt.table.refusal import TableCode
from openfelt.table.state import Seat
from tests.kit.tables import Pit


def test_a_player_sits_down_buys_in_and_goes_home_with_everything() -> None:
    pit = (
        Pit("washington", dealer=None)
        .fund("ann", 500)
        .do(TakeSeat(3), "ann")
        .do(BuyIn(3, 20_000), "ann")
    )
    assert pit.table.seats == {3: Seat("ann", 20_000)}
    assert (pit.cents("wallet:ann"), pit.cents("credit:table-1/ann")) == (30_000, 20_000)
    pit.do(LeaveSeat(3), "ann")
    assert pit.names == ["SeatTaken", "BoughtIn", "Collected", "SeatLeft"]
    assert (pit.table.seats, pit.cents("wallet:ann")) == ({}, 50_000)


def test_a_player_without_credit_leaves_without_collecting() -> None:
    pit = Pit("washington", dealer=None).sit("ann", 1).do(LeaveSeat(1), "ann")
    assert pit.names == ["SeatTaken", "SeatLeft"]


def test_a_supervisor_empties_the_seat_of_a_player_who_has_left() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(LeaveSeat(1), "eve")
    assert pit.cents("wallet:ann") == 50_000


def test_collect_takes_the_whole_credit_and_the_player_stays() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(Collect(1), "ann")
    assert pit.table.seats == {1: Seat("ann", 0)}
    assert pit.cents("wallet:ann") == 50_000


def test_a_player_without_wagers_collects_while_others_play() -> None:
    pit = Pit("washington").sit("ann", 1, 500).sit("bob", 2, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").close().do(Collect(2), "bob").do(LeaveSeat(2), "bob")
    pit.refuses(LeaveSeat(1), "ann", TableCode.IN_PLAY)
    pit.void().do(LeaveSeat(1), "ann")
    assert not pit.table.seats


def test_a_seat_that_was_left_is_free_for_another_player() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(LeaveSeat(1), "ann").sit("bob", 1, 100)
    assert pit.table.seats == {1: Seat("bob", 10_000)}
    assert pit.table.seat_of("ann") is None


def test_a_player_buys_in_again_in_the_middle_of_a_round() -> None:
    pit = Pit("washington").sit("ann", 1, 30).do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    pit.close().deal("As Ah Kc Kd").fund("ann", 100).do(BuyIn(1, 10_000), "ann")
    assert pit.choose("ann", "1.1", "4x").credit("ann") == 7_000


def test_what_the_wallet_holds_bounds_a_buy_in() -> None:
    pit = Pit("washington").sit("ann", 1).fund("ann", 100).told(wallet_cents=10_000)
    assert "$100.00" in pit.refuses(BuyIn(1, 10_001), "ann", TableCode.WALLET_SHORT)
    assert pit.do(BuyIn(1, 10_000), "ann").credit("ann") == 10_000


def test_a_seat_holds_no_more_than_can_be_collected_at_once() -> None:
    pit = Pit("washington").sit("ann", 1).fund("ann", 10**10).do(BuyIn(1, 10**12 - 1), "ann")
    pit.refuses(BuyIn(1, 2), "ann", RefusalCode.MALFORMED)
    assert pit.do(BuyIn(1, 1), "ann").do(LeaveSeat(1), "ann").cents("wallet:ann") == 10**12
