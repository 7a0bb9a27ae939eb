"""The California document, where a whole round is more than its clause needs."""

import contextlib
from pathlib import Path

import pytest

from openfelt.cards import FULL_DECK, parse_cards
from openfelt.catalog import load_house
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules import (
    Banker,
    CloseBets,
    DealCard,
    Refusal,
    RefusalCode,
    SetWagers,
    Spot,
    Wager,
    WagerKind,
    open_round,
    view,
)
from openfelt.rules.dealing import Deal, dealing_plan
from openfelt.rules.house import BankKind, Procedure
from openfelt.table import BankTurn, cards_for_round, next_banker
from openfelt.table.commands import ChangeDealer, TakeBank
from tests.kit.felt import TODAY, Felt, play_stakes
from tests.kit.floors import Shift
from tests.kit.tables import FLOOR

HOUSE = load_house("california")
BANKER = Banker(7, 100_000)
FOLDED = {"1.1": "check, check, fold", "2.1": "check, check, fold", "3.1": "4x"}
CARDS = {
    "1.1": "5c 4c",
    "2.1": "Ac 3d",
    "3.1": "8c 8d",
    "dealer": "Ks Qh",
    "common": "8h 7s 6d Kd 2c",
}


def folded_round() -> Felt:
    """A round in which seat 1 folds with a straight and Trips, and seat 2 folds with nothing."""
    felt = Felt(HOUSE, banker=BANKER)
    felt.bet("1.1", "ante 10, trips 5").bet("2.1", "ante 10").bet("3.1", "ante 10")
    return felt.close().run(CARDS, FOLDED)


# Seats and rotation ----------------------------------------------------------


@pytest.mark.clause("C.table.seats", "C.players", "R.17")
@pytest.mark.parametrize("banker", range(1, 8))
def test_six_players_sit_with_a_player_dealer(banker: int) -> None:
    felt = Felt(HOUSE, banker=Banker(banker, 100_000))
    for seat in range(1, 8):
        if seat != banker:
            felt.bet(f"{seat}.1", "ante 10")
    assert len(felt.state.hands) == 6
    ante = (Wager(WagerKind.ANTE, 1000),)
    felt.refuses(SetWagers(Spot(banker, 1), ante), RefusalCode.BANKER_CANNOT_BET)
    felt.refuses(SetWagers(Spot(8, 1), ante), RefusalCode.NO_SUCH_SPOT)


@pytest.mark.clause("C.standards.rotation", "C.20", "R.19")
def test_the_bank_goes_round_clockwise_two_rounds_each() -> None:
    turns: list[BankTurn] = []
    for _ in range(9):
        turn = next_banker(
            [1, 2, 5, 7],
            turns[-1] if turns else None,
            rounds_in_a_row_max=HOUSE.bank.rounds_in_a_row_max,
            accepts=lambda seat: seat != 5,
        )
        assert turn is not None
        turns.append(turn)
    assert [turn.seat for turn in turns] == [1, 1, 2, 2, 7, 7, 1, 1, 2]


@pytest.mark.clause("C.19.house_never_banks", "R.19")
def test_without_a_player_who_banks_no_round_is_dealt() -> None:
    assert HOUSE.bank.kind is BankKind.PLAYER_DEALER
    turn = next_banker([1, 2], None, rounds_in_a_row_max=2, accepts=lambda seat: False)
    assert turn is None
    with pytest.raises(Refusal) as caught:
        open_round(HOUSE, number=1, day=TODAY, banker=None)
    assert caught.value.code is RefusalCode.BAD_OPENING


# Wagers ----------------------------------------------------------------------


@pytest.mark.clause("C.table.areas.1", "C.table.areas.2", "C.table.areas.3", "C.table.areas.4")
def test_each_wager_lies_on_the_word_that_names_it() -> None:
    felt = Felt(HOUSE, banker=BANKER).bet("1.1", "ante 10, trips 5").close()
    felt.run(CARDS, {"1.1": "4x"})
    (hand,) = view(felt.state, seat=None).hands
    assert {wager.kind.words: wager.cents for wager in hand.wagers} == {
        "Ante": 1000,
        "Blind": 1000,
        "Trips": 500,
        "Play": 4000,
    }


@pytest.mark.clause("C.standards.trips_optional", "C.betting.3.1", "C.betting.3.2")
@pytest.mark.parametrize("wagers", ["ante 10", "ante 10, trips 5"])
def test_a_hand_opens_with_or_without_trips(wagers: str) -> None:
    felt = Felt(HOUSE, banker=BANKER).bet("1.1", wagers)
    assert len(felt.state.hands[Spot(1, 1)].wagers) == len(wagers.split(",")) + 1


@pytest.mark.clause("C.betting.2", "C.dealing.1", "C.dealing.1.1")
def test_betting_closes_before_the_first_card_and_stays_closed() -> None:
    felt = Felt(HOUSE, banker=BANKER).bet("1.1", "ante 10")
    felt.refuses(DealCard(FULL_DECK[0]), RefusalCode.NO_CARD_EXPECTED)
    felt.do(CloseBets())
    more = (Wager(WagerKind.ANTE, 2000),)
    for spot, wagers in ((Spot(1, 1), more), (Spot(1, 1), ()), (Spot(2, 1), more)):
        felt.refuses(SetWagers(spot, wagers), RefusalCode.WAGERS_CLOSED)


# Cards -----------------------------------------------------------------------


@pytest.mark.clause("C.dealing.1.2", "C.dealing.2", "C.dealing.3", "C.dealing.3.1")
@pytest.mark.clause("C.dealing.3.2", "C.dealing.3c")
def test_the_shoe_deals_one_card_around_at_a_time_and_all_face_down() -> None:
    assert HOUSE.procedures == (Procedure.SHOE,)
    plan = dealing_plan(HOUSE, Procedure.SHOE, [Spot(2, 1), Spot(5, 1)])
    deals = [step for step in plan if isinstance(step, Deal)]
    assert [str(step.place) for step in deals] == [
        "hand 2.1 card 1",
        "hand 5.1 card 1",
        "dealer card 1",
        "hand 2.1 card 2",
        "hand 5.1 card 2",
        "dealer card 2",
        *(f"common card {n}" for n in range(1, 6)),
    ]
    assert not any(step.face_up for step in deals)
    assert list(plan[: len(deals)]) == deals


@pytest.mark.clause("C.dealing.5")
def test_the_cards_left_over_never_leave_the_shoe() -> None:
    felt = Felt(HOUSE, banker=BANKER)
    felt.bet("1.1", "ante 10").bet("2.1", "ante 10").close()
    cards = cards_for_round(felt.state, lambda limit: limit - 1)
    assert len(cards) == 2 * 2 + 2 + 5
    felt.deal(" ".join(map(str, cards)))
    felt.run({}, {"1.1": "4x", "2.1": "4x"}).confirm()
    shown = view(felt.state, seat=None)
    seen = {*shown.dealer, *shown.common, *(card for hand in shown.hands for card in hand.cards)}
    assert seen == set(cards)


@pytest.mark.clause("C.6")
def test_a_folded_hand_stays_face_down() -> None:
    shown = {hand.spot: hand.cards for hand in view(folded_round().state, seat=3).hands}
    assert shown[Spot(2, 1)] == (None, None)


@pytest.mark.clause("C.17", "C.note.trips")
def test_a_hand_that_wins_on_trips_lies_face_up_until_it_is_paid() -> None:
    felt = folded_round()
    before = {hand.spot: hand.cards for hand in view(felt.state, seat=3).hands}
    assert felt.state.settlement is None
    assert before[Spot(1, 1)] == parse_cards("5c 4c")
    after = view(felt.confirm().state, seat=3)
    assert after.hands[0].cards == parse_cards("5c 4c")
    assert felt.line("1.1", "trips").payout_cents == 2000


# The bank --------------------------------------------------------------------


@pytest.mark.clause("C.19.no_percentage", "R.20")
@pytest.mark.parametrize("decision", ["4x", "3x"])
@pytest.mark.parametrize("wagers", ["ante 5", "ante 25, trips 25", "ante 10, trips 200"])
def test_the_house_takes_flat_fees_and_no_share_of_the_wagers(
    tmp_path: Path, wagers: str, decision: str
) -> None:
    with contextlib.closing(Shift(tmp_path / "felt.db")) as shift:
        desk = shift.open_table("california").sit("ann", 1, 5000).sit("bob", 2, 5000)
        desk.do(ChangeDealer("dan"), FLOOR).do(TakeBank(1, 400_000), "ann")
        desk.bet("bob", "2.1", wagers).close().deal("As Ac Kd Kc 2h 3s 9d 8h 7c")
        desk.choose("bob", "2.1", decision).turn().confirm()
        house = [shift.cents(f"house:{desk.table.id}"), shift.cents(f"drop:{desk.table.id}")]
        assert house == [0, 100 + 200]
        assert desk.credit("ann") + desk.credit("bob") == 2 * 500_000 - 300


@pytest.mark.clause("R.20", "C.19.no_percentage")
def test_the_collection_is_flat_by_the_size_of_the_ante() -> None:
    bands = HOUSE.bank.collection
    ante = HOUSE.wager(WagerKind.ANTE)
    assert ante is not None
    assert [(band.ante_up_to_cents, band.player_cents, band.banker_cents) for band in bands] == [
        (2500, 100, 200),
        (20000, 200, 300),
    ]
    assert bands[-1].ante_up_to_cents >= ante.max_cents


@pytest.mark.clause("C.19.no_maximum")
@pytest.mark.parametrize("cover_cents", [1, 10_000_000_00, AMOUNT_MAX_CENTS])
def test_a_bank_wager_may_be_as_large_as_money_can_be_written(cover_cents: int) -> None:
    opened = open_round(HOUSE, number=1, day=TODAY, banker=Banker(1, cover_cents))
    assert opened.banker == Banker(1, cover_cents)


@pytest.mark.clause("C.table.inscription", "C.9", "C.10", "C.note.qualifying")
@pytest.mark.parametrize(
    ("dealer", "qualified", "ante_cents"), [("2h 2d", True, 1000), ("Ad Kh", False, 0)]
)
def test_the_player_dealer_plays_as_the_notice_says(
    dealer: str, qualified: bool, ante_cents: int
) -> None:
    assert "Player/dealer only plays with a pair or higher." in HOUSE.notices
    felt = Felt(HOUSE, banker=BANKER).bet("1.1", "ante 10").close()
    cards = {"1.1": "Qs Qd", "dealer": dealer, "common": "9c 7d 5h 4s 3c"}
    felt.run(cards, {"1.1": "4x"}).confirm()
    assert felt.settlement.dealer_qualified is qualified
    assert felt.line("1.1", "ante").net_cents == ante_cents
    assert felt.line("1.1", "play").net_cents == 4000


@pytest.mark.clause("C.standards.early_bets", "C.standards.preflop", "C.standards.flop")
@pytest.mark.clause("C.standards.river")
def test_the_earlier_the_bet_the_larger_it_may_be() -> None:
    felt = Felt(HOUSE, banker=BANKER).bet("1.1", "ante 10").close().run(CARDS)
    assert play_stakes(felt, "1.1") == {3: 3000, 4: 4000}
    assert play_stakes(felt.choose("1.1", "check").run(CARDS), "1.1") == {2: 2000}
    assert play_stakes(felt.choose("1.1", "check").run(CARDS), "1.1") == {1: 1000}


@pytest.mark.clause("C.standards.best_hand", "C.10.2", "R.1")
@pytest.mark.parametrize(
    ("own", "board", "name"),
    [
        ("As Ks", "Qs Js Ts 2h 3h", "Royal flush"),
        ("As 2c", "Ks Qs Js Ts 3h", "Royal flush"),
        ("2c 3d", "As Ks Qs Js Ts", "Royal flush"),
    ],
)
def test_a_hand_uses_two_one_or_none_of_its_own_cards(own: str, board: str, name: str) -> None:
    felt = Felt(HOUSE, banker=Banker(7, 1_000_000)).bet("1.1", "ante 10, trips 5").close()
    felt.run({"1.1": own, "dealer": "9c 9d", "common": board}, {"1.1": "4x"}).confirm()
    assert felt.line("1.1", "trips").because == f"{name} pays 50 to 1."
