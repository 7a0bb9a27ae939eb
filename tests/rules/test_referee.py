"""The referee: what is allowed when, and every refusal changing nothing."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from openfelt.cards import Card, parse_cards
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules import (
    Banker,
    Bet,
    Check,
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    DecidedBy,
    Fold,
    Hold,
    MakeDecision,
    Phase,
    Refusal,
    RefusalCode,
    SetWagers,
    Spot,
    TurnCards,
    VoidRound,
    open_round,
)
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.decisions import Decision
from openfelt.rules.house import House, Procedure
from openfelt.rules.referee import act
from openfelt.rules.round_actions import Action
from openfelt.rules.round_events import CardCorrected
from tests.kit.cases import case
from tests.kit.felt import TODAY, Felt, decision_of, spot_of, wagers_of
from tests.kit.own_houses import own_house

CODE = RefusalCode
HOLE = {"1.1": "As Ah", "2.1": "Ks Kh", "dealer": "2c 7d"}
BOARD = {"common": "9c Td Jh 3s 4s"}
BANKER = Banker(4, 100_000)


def wagering(house: House | str = "washington") -> Felt:
    return Felt(house, banker=BANKER if house == "california" else None)


def two_hands(house: House | str = "washington") -> Felt:
    """Two hands of $10, all cards before the flop dealt."""
    return wagering(house).bet("1.1", "ante 10").bet("2.1", "ante 10").close().run(HOLE)


def on_river(house: House | str = "washington") -> Felt:
    return two_hands(house).run(HOLE | BOARD, {"1.1": "check, check", "2.1": "4x"})


def ready() -> Felt:
    felt = on_river().run(HOLE | BOARD, {"1.1": "1x"})
    assert felt.state.phase is Phase.READY
    return felt


# Opening ---------------------------------------------------------------------

OPENINGS: list[Any] = [
    case("washington", {"procedure": Procedure.SHOE}, "does not deal by the shoe procedure"),
    case("draw", {"procedure": Procedure.HANDHELD}, "does not deal by the handheld procedure"),
    case("washington", {"banker": BANKER}, "The house banks this game."),
    case("california", {}, "A round cannot be dealt without a player/dealer.",
         proves="R.19 C.19.house_never_banks"),
    case("california", {"banker": Banker(0, 100)}, "There is no seat 0."),
    case("california", {"banker": Banker(8, 100)}, "There is no seat 8.", proves="R.17"),
    case("california", {"banker": Banker(True, 100)}, "There is no seat True."),
    case("california", {"banker": Banker(1, 0)}, "bank wager must be whole cents, above 0"),
    case("california", {"banker": Banker(1, -100)}, "bank wager"),
    case("california", {"banker": Banker(1, 1.5)}, "bank wager"),  # type: ignore[arg-type]
    case("california", {"banker": Banker(1, True)}, "bank wager"),
    case("california", {"banker": Banker(1, 10**13)}, "bank wager"),
    case("california", {"banker": 4}, "A player/dealer must have a seat and a bank wager."),
    case("california", {"banker": (4, 100_000)}, "must have a seat and a bank wager."),
    case("washington", {"procedure": "handheld"}, "does not deal by the handheld procedure"),
    case("washington", {"number": 0}, "A round number must be a whole number from 1."),
    case("washington", {"number": -1}, "A round number must be a whole number from 1."),
    case("washington", {"number": 1.0}, "A round number must be a whole number from 1."),
    case("washington", {"number": True}, "A round number must be a whole number from 1."),
    case("washington", {"number": None}, "A round number must be a whole number from 1."),
    case("washington", {"day": "2026-01-01"}, "A round must have a day, which decides its limits."),
    case("washington", {"day": None}, "A round must have a day, which decides its limits."),
    case("washington", {"day": datetime(2026, 1, 1, tzinfo=UTC)}, "A round must have a day"),
    # Before the first of a house's limits it is unknown what the law allows.
    case("washington", {"day": date(2008, 12, 31)}, "has no limits for 2008-12-31 yet.",
         proves="W.intro.2"),
    case("washington", {"day": date.min}, "has no limits for 0001-01-01 yet."),
]  # fmt: skip


@pytest.mark.parametrize(("house_id", "options", "sentence"), OPENINGS)
def test_a_round_is_not_opened(house_id: str, options: dict[str, Any], sentence: str) -> None:
    opening: dict[str, Any] = {"number": 1, "day": TODAY} | options
    with pytest.raises(Refusal) as refused:
        open_round(own_house(house_id), **opening)
    assert refused.value.code is CODE.BAD_OPENING
    assert sentence in str(refused.value)


def test_a_round_is_opened_from_the_first_day_of_the_limits_or_ever_without_them() -> None:
    first = date(2009, 1, 1)
    assert open_round(own_house("washington"), number=1, day=first).day == first
    assert open_round(own_house("stadium"), number=1, day=date.min).day == date.min


def test_an_opening_names_the_rules_it_was_made_under() -> None:
    house = own_house("washington")
    opened = open_round(house, number=7, day=date(2020, 2, 2))
    assert (opened.number, opened.house, opened.day) == (7, "washington", date(2020, 2, 2))
    assert (opened.fingerprint, opened.procedure) == (house.fingerprint, Procedure.HANDHELD)


@pytest.mark.clause("C.19.no_maximum")
def test_a_bank_wager_has_no_limit_of_the_table() -> None:
    opened = open_round(own_house("california"), number=1, day=TODAY, banker=Banker(7, 10**12))
    assert opened.banker == Banker(7, 10**12)


def test_actions_are_decided_and_applied_one_after_another() -> None:
    felt = two_hands()
    first, second = MakeDecision(Spot(1, 1), Check()), MakeDecision(Spot(2, 1), Bet(4))
    expected = two_hands().choose("1.1", "check").choose("2.1", "4x").state
    assert act(felt.state, first, second) == expected
    assert act(felt.state) == felt.state
    with pytest.raises(Refusal) as refused:
        act(felt.state, first, first)
    assert refused.value.code is CODE.ALREADY_DECIDED


# Spots and wagers ------------------------------------------------------------

SPOTS: list[Any] = [
    case("washington", Spot(0, 1), CODE.NO_SUCH_SPOT),
    case("washington", Spot(7, 1), CODE.NO_SUCH_SPOT),
    case("washington", Spot(1, 2), CODE.NO_SUCH_SPOT),
    case("washington", Spot(-1, 1), CODE.NO_SUCH_SPOT),
    case("washington", Spot(True, 1), CODE.NO_SUCH_SPOT),
    case("washington", Spot(1.0, 1), CODE.NO_SUCH_SPOT),  # type: ignore[arg-type]
    case("stadium", Spot(1, 4), CODE.NO_SUCH_SPOT, proves="S.3"),
    case("stadium", Spot(2001, 1), CODE.NO_SUCH_SPOT),
    case("california", Spot(8, 1), CODE.NO_SUCH_SPOT, proves="C.players"),
    case("california", Spot(4, 1), CODE.BANKER_CANNOT_BET),
]


@pytest.mark.parametrize(("house_id", "spot", "code"), SPOTS)
def test_a_bet_where_there_is_no_spot_is_refused(
    house_id: str, spot: Spot, code: RefusalCode
) -> None:
    wagering(house_id).refuses(SetWagers(spot, wagers_of("ante 10")), code)


@pytest.mark.clause("S.3")
def test_a_stadium_seat_bets_on_one_two_or_three_hands() -> None:
    felt = Felt("stadium")
    for hand in ("5.1", "5.2", "5.3"):
        felt.bet(hand, "ante 10")
    assert [str(spot) for spot in felt.state.hands] == ["5.1", "5.2", "5.3"]


def test_wagers_can_be_changed_and_taken_back_until_bets_close() -> None:
    felt = wagering().bet("1.1", "ante 10, trips 5").bet("1.1", "ante 20")
    assert felt.state.hands[Spot(1, 1)].wagers == wagers_of("ante 20, blind 20")
    felt.bet("1.1", "")
    assert not felt.state.hands
    felt.refuses(CloseBets(), CODE.NO_WAGERS)


@pytest.mark.clause("W.additional.3")
def test_the_aggregate_of_the_table_counts_all_spots() -> None:
    house = own_house("washington", {"limits.1.table_aggregate_max_cents": 5000})
    felt = Felt(house).bet("1.1", "ante 20")
    felt.refuses(SetWagers(Spot(2, 1), wagers_of("ante 6")), CODE.AGGREGATE_REACHED)
    felt.bet("2.1", "ante 5").bet("1.1", "ante 10").bet("2.1", "ante 15")


@pytest.mark.clause("C.betting.2", "W.pairs.participation", "C.dealing.1", "C.dealing.1.1")
@pytest.mark.parametrize("wagers", ["ante 20", "", "ante 10, ultimate_pairs 5"])
def test_after_no_more_bets_no_wager_is_made_changed_or_taken_back(wagers: str) -> None:
    felt = wagering().bet("1.1", "ante 10").close()
    felt.refuses(SetWagers(Spot(1, 1), wagers_of(wagers)), CODE.WAGERS_CLOSED)
    felt.refuses(SetWagers(Spot(2, 1), wagers_of(wagers)), CODE.WAGERS_CLOSED)
    felt.refuses(CloseBets(), CODE.WAGERS_CLOSED)


@pytest.mark.parametrize(
    ("base", "most"), [case("washington", 22, proves="R.11"), case("draw", 8, proves="R.28")]
)
def test_a_shared_deck_serves_so_many_hands_and_not_one_more(base: str, most: int) -> None:
    house = replace(own_house(base), seats=30)
    felt = Felt(house)
    for seat in range(1, most + 1):
        felt.bet(f"{seat}.1", "ante 10")
    full = Felt(house)
    full.state, full.events = felt.state, list(felt.events)
    full.close()
    felt.bet(f"{most + 1}.1", "ante 10")
    assert f"One deck serves {most} hands" in felt.refuses(CloseBets(), CODE.TOO_MANY_HANDS)


# Cards -----------------------------------------------------------------------


def test_a_card_is_dealt_once() -> None:
    felt = wagering().bet("1.1", "ante 10").close().deal("As")
    words = felt.refuses(DealCard(Card.parse("As")), CODE.CARD_ALREADY_DEALT)
    assert words == "The ace of spades has already been dealt."
    felt.deal("Ah Kd Kc").choose("1.1", "check")
    for card in parse_cards("As Ah Kd Kc"):
        felt.refuses(DealCard(card), CODE.CARD_ALREADY_DEALT)


@pytest.mark.clause("R.11")
def test_terminals_with_decks_of_their_own_share_no_cards_with_dealer_and_board() -> None:
    felt = Felt("stadium").bet("1.1", "ante 10").bet("1.2", "ante 10").bet("2.1", "ante 10").close()
    felt.deal("9c Td Jh 3s 4s")
    felt.refuses(DealCard(Card.parse("9c")), CODE.CARD_ALREADY_DEALT)
    felt.deal("2c 2d").deal("As Ah")
    for card in parse_cards("9c Td Jh 3s 4s 2c 2d As Ah"):
        felt.refuses(DealCard(card), CODE.CARD_ALREADY_DEALT)
    felt.deal("Ks Kh")
    for card in parse_cards("9c Td Jh 3s 4s 2c 2d"):
        felt.refuses(DealCard(card), CODE.CARD_ALREADY_DEALT)
    felt.deal("As")
    felt.refuses(DealCard(Card.parse("As")), CODE.CARD_ALREADY_DEALT)
    felt.deal("Ks")
    assert felt.state.pending == {Spot(1, 1), Spot(1, 2), Spot(2, 1)}


NOT_CARDS: list[Any] = ["As", 51, None, Spot(1, 1)]


@pytest.mark.parametrize("card", NOT_CARDS, ids=repr)
def test_what_is_no_card_is_not_dealt(card: Any) -> None:
    felt = wagering().bet("1.1", "ante 10").close()
    felt.refuses(DealCard(card), CODE.NO_CARD_EXPECTED)


COMMON_1, DEALER_1 = Place(Lies.COMMON, None, 1), Place(Lies.DEALER, None, 1)
HAND_1 = Place(Lies.HAND, Spot(1, 1), 1)
ODD_PLACE: Any = Place
NOT_CORRECTED: list[Any] = [
    # where, the right card: why not
    case(wagering, COMMON_1, "Ac", CODE.NO_SUCH_CARD, name="before bets close"),
    case(two_hands, COMMON_1, "Ac", CODE.NO_SUCH_CARD, name="a board that is not there yet"),
    case(two_hands, Place(Lies.DEALER, None, 3), "Ac", CODE.NO_SUCH_CARD, name="a third card"),
    case(two_hands, Place(Lies.DEALER, None, 0), "Ac", CODE.NO_SUCH_CARD, name="card 0"),
    case(two_hands, Place(Lies.DEALER, None, -1), "Ac", CODE.NO_SUCH_CARD, name="card -1"),
    case(two_hands, Place(Lies.HAND, Spot(3, 1), 1), "Ac", CODE.NO_SUCH_CARD, name="no such hand"),
    case(two_hands, HAND_1, "Ah", CODE.CARD_ALREADY_DEALT, name="the other card of the hand"),
    case(two_hands, HAND_1, "As", CODE.CARD_ALREADY_DEALT, name="the same card"),
    case(two_hands, HAND_1, "2c", CODE.CARD_ALREADY_DEALT, name="a card of the dealer"),
    case(two_hands, DEALER_1, "Ks", CODE.CARD_ALREADY_DEALT, name="a card of another hand"),
    case(two_hands, Place(Lies.HAND, None, 1), "Ac", CODE.NO_SUCH_SPOT, name="no player's hand"),
    case(two_hands, ODD_PLACE(Lies.HAND, (1, 1), 1), "Ac", CODE.NO_SUCH_SPOT, name="no spot"),
    case(two_hands, Place(Lies.DEALER, Spot(1, 1), 1), "Ac", CODE.MALFORMED, name="a spot"),
    case(two_hands, ODD_PLACE("dealer", None, 1), "Ac", CODE.MALFORMED, name="a mere word"),
    case(two_hands, ODD_PLACE(Lies.DEALER, None, 1.0), "Ac", CODE.MALFORMED, name="card 1.0"),
    case(two_hands, Place(Lies.DEALER, None, True), "Ac", CODE.MALFORMED, name="card True"),
    case(two_hands, (Lies.DEALER, None, 1), "Ac", CODE.MALFORMED, name="no place"),
    case(two_hands, None, "Ac", CODE.MALFORMED, name="nowhere"),
]  # fmt: skip


@pytest.mark.parametrize(("situation", "place", "card", "code"), NOT_CORRECTED)
def test_a_card_is_not_corrected(situation: Any, place: Any, card: str, code: RefusalCode) -> None:
    situation().refuses(CorrectCard(place, Card.parse(card)), code)


@pytest.mark.parametrize("card", NOT_CARDS, ids=repr)
def test_a_card_is_corrected_to_a_card(card: Any) -> None:
    two_hands().refuses(CorrectCard(DEALER_1, card), CODE.MALFORMED)


def test_a_card_is_corrected_at_any_time_before_the_round_is_confirmed() -> None:
    for situation in (two_hands, on_river, ready):
        felt = situation().do(CorrectCard(DEALER_1, Card.parse("Ac")))
        assert felt.state.dealer == parse_cards("Ac 7d")
        assert felt.events[-1] == CardCorrected(DEALER_1, Card.parse("Ac"))
    felt.confirm().refuses(CorrectCard(DEALER_1, Card.parse("Ad")), CODE.ROUND_OVER)


def test_the_card_that_was_not_there_can_be_dealt_later() -> None:
    felt = two_hands().do(CorrectCard(HAND_1, Card.parse("Ac"))).choose("1.1", "check")
    felt.choose("2.1", "4x").deal("As")
    assert felt.state.common == parse_cards("As")


@pytest.mark.clause("R.11")
def test_with_decks_of_their_own_a_table_card_is_no_card_of_any_terminal() -> None:
    felt = Felt("stadium").bet("1.1", "ante 10").bet("2.1", "ante 10").close()
    felt.deal("9c Td Jh 3s 4s 2c 2d").deal("As Ah").deal("As Kh")
    for card in ("As", "Ah", "Kh"):
        felt.refuses(CorrectCard(COMMON_1, Card.parse(card)), CODE.CARD_ALREADY_DEALT)
    felt.do(CorrectCard(HAND_1, Card.parse("Kh"))).do(CorrectCard(COMMON_1, Card.parse("9d")))


# The wrong moment ------------------------------------------------------------

ACE = DealCard(Card.parse("Ac"))
PLAY_4X = MakeDecision(Spot(1, 1), Bet(4))
WRONG_MOMENTS = [
    case(wagering, ACE, CODE.NO_CARD_EXPECTED, name="card before bets close"),
    case(wagering, TurnCards(), CODE.NOTHING_TO_TURN, name="turn before bets close"),
    case(wagering, PLAY_4X, CODE.NO_SUCH_SPOT, name="decision without a hand"),
    case(wagering, Confirm(), CODE.NOT_FINISHED, name="confirm before bets close"),
    case(two_hands, ACE, CODE.NO_CARD_EXPECTED, name="card while hands decide"),
    case(two_hands, TurnCards(), CODE.NOTHING_TO_TURN, name="turn while hands decide"),
    case(two_hands, Confirm(), CODE.NOT_FINISHED, name="confirm while hands decide"),
    case(two_hands, MakeDecision(Spot(3, 1), Check()), CODE.NO_SUCH_SPOT, name="hand not in play"),
    case(on_river, Confirm(), CODE.NOT_FINISHED, name="confirm on the river"),
    case(on_river, MakeDecision(Spot(2, 1), Fold()), CODE.ALREADY_DECIDED, name="fold after 4x",
         proves="W.4b.i"),
    case(ready, ACE, CODE.NO_CARD_EXPECTED, name="card when all is dealt"),
    case(ready, TurnCards(), CODE.NOTHING_TO_TURN, name="turn when all is turned"),
    case(ready, PLAY_4X, CODE.ALREADY_DECIDED, name="decision when all is decided"),
    case(ready, SetWagers(Spot(1, 1), ()), CODE.WAGERS_CLOSED, name="wagers taken back at the end"),
]  # fmt: skip


@pytest.mark.parametrize(("situation", "action", "code"), WRONG_MOMENTS)
def test_nothing_happens_at_the_wrong_moment(
    situation: Any, action: Action, code: RefusalCode
) -> None:
    situation().refuses(action, code)


def test_no_play_wager_before_the_cards_are_dealt() -> None:
    felt = wagering().bet("1.1", "ante 10")
    felt.refuses(PLAY_4X, CODE.NO_DECISION_DUE)
    felt.close()
    felt.refuses(PLAY_4X, CODE.NO_DECISION_DUE)
    felt.deal("As Ah Kc")
    felt.refuses(PLAY_4X, CODE.NO_DECISION_DUE)


def test_a_hand_decides_once_on_each_street() -> None:
    felt = two_hands().choose("1.1", "check")
    words = felt.refuses(MakeDecision(Spot(1, 1), Bet(4)), CODE.ALREADY_DECIDED)
    assert words == "Hand 1.1 has decided: check."
    felt.choose("2.1", "4x")
    felt.refuses(MakeDecision(Spot(2, 1), Bet(4)), CODE.ALREADY_DECIDED)
    felt.deal("9c Td Jh")
    felt.refuses(MakeDecision(Spot(2, 1), Bet(2)), CODE.ALREADY_DECIDED)
    felt.choose("1.1", "2x")


def test_hands_decide_in_order_where_the_house_says_so() -> None:
    felt = two_hands(own_house("washington", {"table.turns": "in_order"}))
    words = felt.refuses(MakeDecision(Spot(2, 1), Check()), CODE.OUT_OF_TURN)
    assert words == "It is the turn of hand 1.1."
    felt.choose("1.1", "check").choose("2.1", "check")
    felt.deal("9c Td Jh")
    felt.refuses(MakeDecision(Spot(2, 1), Bet(2)), CODE.OUT_OF_TURN)
    felt.choose("1.1", "2x").choose("2.1", "2x")


def test_hands_decide_in_any_order_where_they_decide_together() -> None:
    two_hands().choose("2.1", "check").choose("1.1", "4x")


# Decisions -------------------------------------------------------------------

NOT_CHOICES: list[Any] = [
    case(two_hands, Bet(5), name="5x"),
    case(two_hands, Bet(2), name="2x before the flop", proves="W.overview.preflop"),
    case(two_hands, Bet(1), name="1x before the flop"),
    case(two_hands, Bet(0), name="0x"),
    case(two_hands, Bet(-4), name="-4x"),
    case(two_hands, Bet(10**30), name="huge"),
    case(two_hands, Fold(), name="fold before the flop", proves="R.2"),
    case(two_hands, Hold(()), name="hold in hold'em"),
    case(on_river, Bet(2), name="2x on the river", proves="W.overview.river"),
    case(on_river, Check(), name="check on the river"),
]


@pytest.mark.clause("R.9")
@pytest.mark.parametrize(("situation", "decision"), NOT_CHOICES)
def test_a_decision_that_is_not_offered_is_refused(situation: Any, decision: Any) -> None:
    action = MakeDecision(Spot(1, 1), decision)
    assert "Possible: " in situation().refuses(action, CODE.NO_SUCH_CHOICE)


@pytest.mark.parametrize("decision", ["fold", "3x", "4x", "1x"])
def test_on_the_flop_a_hand_checks_or_bets_twice_the_ante(decision: str) -> None:
    felt = two_hands().choose("1.1", "check").choose("2.1", "4x").deal("9c Td Jh")
    multiple = int(decision[0]) if decision[0].isdigit() else 0
    felt.refuses(
        MakeDecision(Spot(1, 1), Bet(multiple) if multiple else Fold()), CODE.NO_SUCH_CHOICE
    )


@pytest.mark.clause("R.9")
def test_a_play_wager_beyond_the_credit_is_refused() -> None:
    felt = two_hands()
    action = MakeDecision(Spot(1, 1), Bet(4))
    words = felt.refuses(action, CODE.CREDIT_SHORT, credit_cents=3999)
    assert words == "Your credit does not cover a bet 4x."
    felt.do(action, credit_cents=4000)
    assert felt.state.hands[Spot(1, 1)].wagers == wagers_of("ante 10, play 40, blind 10")


@pytest.mark.clause("R.10")
def test_the_record_says_that_the_clock_decided() -> None:
    felt = two_hands().do(MakeDecision(Spot(1, 1), Check(), DecidedBy.CLOCK))
    assert felt.state.hands[Spot(1, 1)].decisions[0].by is DecidedBy.CLOCK


CLOCKED: list[Any] = [
    case(two_hands, Bet(4), "check", name="bet before the flop"),
    case(two_hands, Fold(), "check", name="fold before the flop"),
    case(on_river, Bet(1), "fold", name="bet on the river"),
    case(on_river, Check(), "fold", name="check on the river"),
]


@pytest.mark.clause("R.10")
@pytest.mark.parametrize(("situation", "decision", "only"), CLOCKED)
def test_the_clock_decides_nothing_else(situation: Any, decision: Decision, only: str) -> None:
    felt = situation()
    action = MakeDecision(Spot(1, 1), decision, DecidedBy.CLOCK)
    words = felt.refuses(action, CODE.NO_SUCH_CHOICE)
    assert words == f"When the time runs out, the hand can only {only}."
    felt.do(MakeDecision(Spot(1, 1), decision_of(only), DecidedBy.CLOCK))


def test_the_floor_decides_what_a_player_could() -> None:
    felt = two_hands().do(MakeDecision(Spot(1, 1), Bet(4), DecidedBy.FLOOR))
    assert felt.state.hands[Spot(1, 1)].decisions[0].by is DecidedBy.FLOOR


# The end ---------------------------------------------------------------------

EVERY_ACTION: list[Action] = [
    SetWagers(spot_of("1.1"), wagers_of("ante 10")),
    SetWagers(spot_of("1.1"), ()),
    CloseBets(),
    ACE,
    CorrectCard(DEALER_1, Card.parse("Ad")),
    TurnCards(),
    MakeDecision(spot_of("1.1"), Check()),
    MakeDecision(spot_of("9.9"), Check()),
    Confirm(),
    VoidRound("again"),
]


@pytest.mark.clause("R.13", "S.15")
@pytest.mark.parametrize("action", EVERY_ACTION, ids=repr)
def test_after_the_end_nothing_happens(action: Action) -> None:
    confirmed = ready().confirm()
    assert confirmed.refuses(action, CODE.ROUND_OVER) == "Round 1 is over."
    voided = two_hands().void()
    assert voided.refuses(action, CODE.ROUND_OVER) == "Round 1 is over."


METERS: list[Any] = [
    case(None, CODE.METER_NEEDED),
    case(-1, CODE.MALFORMED),
    case(1.5, CODE.MALFORMED),
    case(True, CODE.MALFORMED),
    case("100", CODE.MALFORMED),
    case(AMOUNT_MAX_CENTS + 1, CODE.MALFORMED),
]


@pytest.mark.parametrize(("meter_cents", "code"), METERS)
def test_a_progressive_is_not_settled_without_its_meter(
    meter_cents: Any, code: RefusalCode
) -> None:
    felt = wagering().bet("1.1", "ante 10, progressive 1").close()
    felt.run(HOLE | BOARD, {"1.1": "4x"})
    felt.refuses(Confirm(meter_cents), code)
    felt.confirm(100_000)
    assert felt.state.phase is Phase.SETTLED
    assert felt.settlement.meter_cents == 100_000


@pytest.mark.parametrize("meter_cents", [-1, 1.5, True, "100"], ids=repr)
def test_what_is_no_meter_is_refused_even_where_nobody_needs_one(meter_cents: Any) -> None:
    felt = ready()
    felt.refuses(Confirm(meter_cents), CODE.MALFORMED)
    felt.confirm(100_000)
    assert felt.settlement.meter_cents is None
