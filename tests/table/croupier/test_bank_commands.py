"""Stories of the cardroom: the bank offered, taken, passed on, exhausted and returned."""

import pytest

from openfelt.rules import CloseBets, House, Phase, RefusalCode, SetWagers, Spot
from openfelt.table.commands import (
    BuyIn,
    Collect,
    DeclineBank,
    LeaveSeat,
    OpenBets,
    TakeBank,
    TakeSeat,
)
from openfelt.table.events import AbsenceNoted, BankDeclined
from openfelt.table.refusal import TableCode
from tests.kit.felt import wagers_of
from tests.kit.own_houses import own_house
from tests.kit.tables import Pit

SEVEN_CARDS = "Kd", "7c", "2h 3d 8s Js Qc"


def room(*players: str, house: House | str = "california") -> Pit:
    """The players at seats 1, 2 and so on, with $500 each."""
    pit = Pit(house)
    for seat, player in enumerate(players or ("ann", "bob", "cat"), start=1):
        pit.sit(player, seat, 500)
    return pit


def seat_of(pit: Pit, player: str) -> int:
    seat = pit.table.seat_of(player)
    assert seat is not None
    return seat


def banks(pit: Pit, player: str, dollars: int = 100) -> Pit:
    return pit.do(TakeBank(seat_of(pit, player), dollars * 100), player)


def declines(pit: Pit, *players: str) -> Pit:
    for player in players:
        pit.do(DeclineBank(seat_of(pit, player)), player)
    return pit


@pytest.mark.clause("C.20", "R.19", "C.standards.rotation")
def test_each_player_banks_two_rounds_and_then_the_next_one_clockwise() -> None:
    pit, turns = room(), []
    for _ in range(8):
        seat = pit.table.bank_offered_to
        assert seat is not None
        turns.append(pit.table.seats[seat].player)
        banks(pit, turns[-1]).void()
    assert turns == ["ann", "ann", "bob", "bob", "cat", "cat", "ann", "ann"]


@pytest.mark.clause("R.19")
def test_the_bank_is_passed_on_clockwise_to_a_player_who_takes_it() -> None:
    pit = declines(room(), "ann", "bob")
    assert pit.table.bank_offered_to == 3
    banks(pit, "cat")
    assert pit.round.opened.banker is not None
    assert pit.round.opened.banker.seat == 3
    pit.void()
    assert not pit.table.declined


@pytest.mark.clause("R.19", "C.19.house_never_banks")
def test_when_all_have_declined_no_round_is_dealt_until_a_player_takes_the_bank() -> None:
    pit = declines(room(), "ann", "bob", "cat")
    assert pit.table.bank_offered_to is None
    pit.refuses(OpenBets(), "dan", TableCode.NO_BANKER)
    pit.refuses(DeclineBank(1), "ann", TableCode.NOT_YOUR_BANK)
    assert banks(pit, "bob").phase is Phase.WAGERING


@pytest.mark.clause("C.20", "R.19")
def test_no_player_may_bank_if_the_only_one_has_had_two_rounds() -> None:
    pit = room("ann")
    banks(banks(pit, "ann").void(), "ann").void()
    assert pit.table.bank_offered_to is None
    pit.refuses(TakeBank(1, 10_000), "ann", TableCode.NOT_YOUR_BANK)
    pit.sit("bob", 4, 500)
    assert pit.table.bank_offered_to == 4


@pytest.mark.clause("C.20")
def test_a_change_of_seat_earns_no_third_round_and_a_newcomer_does_not_pay_for_it() -> None:
    pit = room("ann", "bob")
    banks(banks(pit, "ann").void(), "ann").void()
    pit.do(LeaveSeat(1), "ann").do(TakeSeat(5), "ann").do(BuyIn(5, 50_000), "ann")
    declines(pit, "bob")
    pit.refuses(TakeBank(5, 10_000), "ann", TableCode.NOT_YOUR_BANK)
    pit.sit("cat", 1, 500)
    assert pit.table.bank_offered_to == 1
    assert banks(pit, "cat").phase is Phase.WAGERING


@pytest.mark.clause("C.20", "R.19")
def test_a_newcomer_at_the_seat_that_banked_last_is_asked_when_the_bank_has_gone_round() -> None:
    pit = room("ann", "bob", "cat")
    banks(pit, "ann").void().do(LeaveSeat(1), "ann").sit("dora", 1, 500)
    asked = []
    while (seat := pit.table.bank_offered_to) is not None:
        asked.append(seat)
        declines(pit, pit.table.seats[seat].player)
    assert asked == [2, 3, 1]


def test_staff_passes_the_bank_on_for_a_player_who_is_away() -> None:
    pit = room()
    pit.refuses(DeclineBank(1), "dan", TableCode.NEEDS_SUPERVISOR)
    pit.told(absent_ms={"ann": 40_000}).do(DeclineBank(1), "dan").do(DeclineBank(2), "eve")
    assert pit.table.bank_offered_to == 3
    assert pit.events[-3:-1] == [AbsenceNoted(1, 40_000), BankDeclined(1)]


def test_a_player_who_leaves_is_not_asked() -> None:
    pit = declines(room(), "ann").do(LeaveSeat(2), "bob")
    assert pit.table.bank_offered_to == 3


@pytest.mark.parametrize("passes", [True, False])
def test_a_player_who_leaves_and_sits_down_again_is_not_asked_again(passes: bool) -> None:
    pit = declines(room("ann", "bob"), *["ann"] * passes)
    pit.do(LeaveSeat(1), "ann").do(TakeSeat(1), "ann")
    assert pit.table.awaited_banker == 2
    declines(pit, "bob")
    assert pit.table.bank_offered_to is None
    banks(pit, "bob").void()
    assert not pit.table.declined


# Money -----------------------------------------------------------------------------------


def played(pit: Pit, *spots: tuple[str, str, str]) -> Pit:
    """Close bets, deal each hand its two cards around, and play the board to the end.

    The bank holds a king and a seven against 2h 3d 8s Js Qc; every hand bets 4x.
    """
    pit.close()
    for turn in (0, 1):
        pit.deal(" ".join(cards.split()[turn] for *_, cards in spots))
        pit.deal(SEVEN_CARDS[turn])
    pit.deal(SEVEN_CARDS[2])
    for player, spot, _ in spots:
        pit.choose(player, spot, "4x")
    return pit.turn()


@pytest.mark.clause("R.20", "C.19.no_percentage")
def test_a_whole_round_with_collections() -> None:
    pit = banks(room(), "ann", 400).bet("bob", "2.1", "ante 10").bet("cat", "3.1", "ante 26")
    assert (pit.credit("ann"), pit.credit("bob"), pit.credit("cat")) == (10_000, 48_000, 44_800)
    played(pit, ("bob", "2.1", "As Jh"), ("cat", "3.1", "9c 4c"))
    # A dollar from Bob's band, two from Cat's, three from the bank for the largest Ante.
    assert pit.cents("drop:table-1") == 100 + 200 + 300
    assert pit.table.dues == {1: 300, 2: 100, 3: 200}
    pit.confirm()
    # The bank does not qualify: Antes push; Bob's jacks win Play, Cat's queen-high loses.
    assert pit.credit("bob") == 50_000 - 100 + 4_000
    assert pit.credit("cat") == 50_000 - 200 - 10_400 - 2_600
    assert pit.credit("ann") == 50_000 - 300 - 4_000 + 13_000
    assert (pit.table.dues, pit.cents("drop:table-1")) == ({}, 600)


@pytest.mark.clause("R.13")
def test_a_void_returns_bank_wagers_and_collections() -> None:
    pit = banks(room(), "ann", 400).bet("bob", "2.1", "ante 10")
    played(pit, ("bob", "2.1", "As Jh")).void("a card was exposed")
    assert [pit.credit(name) for name in ("ann", "bob", "cat")] == [50_000] * 3
    assert pit.cents("drop:table-1") == 0


def test_a_void_before_bets_close_returns_no_unpaid_collection() -> None:
    pit = banks(room(), "ann").bet("bob", "2.1", "ante 10").void()
    assert [pit.credit(name) for name in ("ann", "bob", "cat")] == [50_000] * 3


@pytest.mark.clause("R.18", "C.betting.4", "C.19")
def test_when_the_cover_runs_out_the_rest_goes_back() -> None:
    pit = room(house=own_house("california", {"bank.wager_min_cents": 1}))
    banks(pit, "ann", 15).bet("bob", "2.1", "ante 10").bet("cat", "3.1", "ante 10")
    played(pit, ("bob", "2.1", "As Jh"), ("cat", "3.1", "Ac Jd")).confirm()
    assert pit.line("2.1", "play").payout_cents == 1_500
    assert pit.line("3.1", "play").outcome == "uncovered"
    assert pit.credit("ann") == 50_000 - 200 - 1_500
    assert pit.credit("bob") == 50_000 - 100 + 1_500
    assert pit.credit("cat") == 50_000 - 100


@pytest.mark.clause("C.19.no_maximum")
@pytest.mark.parametrize(("cents", "taken"), [(49_700, True), (49_701, False), (3_000, True)])
def test_a_bank_wager_is_bounded_by_the_credit_less_the_collection(cents: int, taken: bool) -> None:
    pit = room()
    if taken:
        assert pit.do(TakeBank(1, cents), "ann").credit("ann") == 50_000 - cents
    else:
        assert "$497.00" in pit.refuses(TakeBank(1, cents), "ann", TableCode.WALLET_SHORT)


@pytest.mark.clause("R.30")
def test_a_bank_wager_covers_one_whole_hand_where_a_collection_is_taken() -> None:
    words = room().refuses(TakeBank(1, 2_999), "ann", TableCode.BANK_WAGER_SMALL)
    assert words == "A bank wager at this table must be at least $30.00."
    own = own_house("california", {"bank.wager_min_cents": 10_000})
    assert "$100.00" in room(house=own).refuses(
        TakeBank(1, 9_999), "ann", TableCode.BANK_WAGER_SMALL
    )
    free = own_house("california", {"bank.collection": []})
    assert room(house=free).do(TakeBank(1, 1), "ann").credit("ann") == 49_999


def test_the_credit_covers_wagers_play_reserve_and_collection() -> None:
    pit = Pit("california").sit("ann", 1, 500).sit("bob", 2).fund("bob", 31)
    banks(pit.do(BuyIn(2, 3_000), "bob"), "ann")
    ten = SetWagers(Spot(2, 1), wagers_of("ante 10"))
    pit.refuses(ten, "bob", RefusalCode.CREDIT_SHORT)
    pit.do(BuyIn(2, 100), "bob").do(ten, "bob").close()
    assert pit.credit("bob") == 1_000


def test_the_banker_neither_bets_nor_collects_and_waits_for_bettors() -> None:
    pit = banks(room(), "ann")
    ante = SetWagers(Spot(1, 1), wagers_of("ante 10"))
    pit.refuses(ante, "ann", RefusalCode.BANKER_CANNOT_BET)
    pit.refuses(Collect(1), "ann", TableCode.IN_PLAY)
    pit.refuses(LeaveSeat(1), "ann", TableCode.IN_PLAY)
    pit.refuses(CloseBets(), "dan", RefusalCode.NO_WAGERS)
    assert pit.void("Nobody has bet").credit("ann") == 50_000


# The house's money -----------------------------------------------------------------------


@pytest.mark.clause("C.19.house_never_banks", "R.19")
def test_a_player_with_the_houses_money_is_passed_over() -> None:
    pit = Pit("california").sit("house-player-1", 1, 500).sit("ann", 2, 500)
    offered = [pit.table.bank_offered_to]
    assert pit.names.count("BankDeclined") == 1
    pit.refuses(TakeBank(1, 10_000), "house-player-1", TableCode.HOUSE_MONEY)
    pit.do(DeclineBank(2), "ann")
    # All have passed, and the bank is free to take for ann alone.
    offered.append(pit.table.bank_offered_to)
    assert offered == [2, None]
    pit.refuses(TakeBank(1, 10_000), "house-player-1", TableCode.HOUSE_MONEY)
    pit.do(TakeBank(2, 10_000), "ann").bet("house-player-1", "1.1", "ante 5")
