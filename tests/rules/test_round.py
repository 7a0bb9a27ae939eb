"""The state of a round: what each event changes, and what waits for what."""

from dataclasses import replace

import pytest

from openfelt.cards import Card, parse_cards
from openfelt.rules import Banker, Bet, Check, Fold, Phase, Spot, apply, begin, replay
from openfelt.rules.dealing import Decide, Lies, Place, Street, Turn
from openfelt.rules.house import Procedure
from openfelt.rules.round import card_at, dealer_matters
from openfelt.rules.round_events import (
    BetsClosed,
    CardCorrected,
    CardsTurned,
    RoundSettled,
    RoundVoided,
    WagersSet,
)
from tests.kit.cases import case
from tests.kit.felt import Felt, played, wagers_of
from tests.kit.own_houses import own_house

CARDS = {"1.1": "As Ah", "2.1": "Ks Kh", "dealer": "2c 7d", "common": "9c Td Jh 3s 4s"}
ONE, TWO = Spot(1, 1), Spot(2, 1)


def test_a_round_begins_under_the_very_rules_it_was_opened_under() -> None:
    felt = Felt("washington")
    other = own_house("washington", {"rounding_unit_cents": 5})
    with pytest.raises(ValueError, match=r"opened under rules .* of washington, not under"):
        begin(other, felt.state.opened)
    with pytest.raises(ValueError, match="begins with its opening"):
        replay(felt.state.house, [BetsClosed()])
    with pytest.raises(ValueError, match="begins with its opening"):
        replay(felt.state.house, [])
    with pytest.raises(ValueError, match="opens once"):
        apply(felt.state, felt.state.opened)


def test_the_phases_of_a_round() -> None:
    felt = Felt("washington")
    assert (felt.state.phase, felt.state.current_step) == (Phase.WAGERING, None)
    felt.bet("1.1", "ante 10").close()
    assert felt.state.phase is Phase.PLAYING
    felt.run(CARDS, {"1.1": "4x"})
    assert (felt.state.phase, felt.state.over) == (Phase.READY, False)
    felt.confirm()
    assert (felt.state.phase, felt.state.over) == (Phase.SETTLED, True)
    assert felt.state.current_step is None
    assert isinstance(felt.events[-1], RoundSettled)


def test_hands_stand_in_dealing_order_however_they_were_bet() -> None:
    felt = Felt("stadium")
    for spot in ("9.2", "1.1", "9.1", "3.3"):
        felt.bet(spot, "ante 10")
    felt.close()
    assert [str(spot) for spot in felt.state.hands] == ["1.1", "3.3", "9.1", "9.2"]


PATHS = {
    "4x": (["bet 4x"], 4000),
    "3x": (["bet 3x"], 3000),
    "check, 2x": (["check", "bet 2x"], 2000),
    "check, check, 1x": (["check", "check", "bet 1x"], 1000),
    "check, check, fold": (["check", "check", "fold"], 0),
}
HANDHELD, COMMUNITY_FIRST, SHOE, TERMINALS = (
    Procedure.HANDHELD,
    Procedure.COMMUNITY_FIRST,
    Procedure.SHOE,
    Procedure.TERMINALS,
)
WAYS_THROUGH = [
    case("washington", HANDHELD, "4x", proves="W.4b W.overview.preflop W.overview.early_bets"),
    case("washington", HANDHELD, "3x", proves="W.4b W.overview.preflop"),
    case("washington", HANDHELD, "check, 2x", proves="W.4a W.6b W.overview.flop"),
    case("washington", HANDHELD, "check, check, 1x", proves="W.6a W.8b W.overview.river"),
    case("washington", HANDHELD, "check, check, fold", proves="W.8a"),
    case("washington", COMMUNITY_FIRST, "4x", proves="W.ace.6b"),
    case("washington", COMMUNITY_FIRST, "3x", proves="W.ace.6b"),
    case("washington", COMMUNITY_FIRST, "check, 2x", proves="W.ace.6a W.ace.8b"),
    case("washington", COMMUNITY_FIRST, "check, check, 1x", proves="W.ace.8a W.ace.10b"),
    case("washington", COMMUNITY_FIRST, "check, check, fold", proves="W.ace.10a"),
    case("online", HANDHELD, "4x", proves="O.4b O.overview.early_bets"),
    case("online", HANDHELD, "3x", proves="O.4b"),
    case("online", HANDHELD, "check, 2x", proves="O.4a O.5 O.5b"),
    case("online", HANDHELD, "check, check, 1x", proves="O.5a O.6 O.6b"),
    case("online", HANDHELD, "check, check, fold", proves="O.6a"),
    case("california", SHOE, "4x", proves="C.1 C.standards.preflop C.standards.early_bets"),
    case("california", SHOE, "3x", proves="C.1 C.standards.preflop"),
    case("california", SHOE, "check, 2x", proves="C.3 C.standards.flop"),
    case("california", SHOE, "check, check, 1x", proves="C.5 C.standards.river"),
    case("california", SHOE, "check, check, fold", proves="C.5"),
    case("stadium", TERMINALS, "4x", proves="S.6b S.overview.preflop S.overview.early_bets"),
    case("stadium", TERMINALS, "3x", proves="S.6b S.overview.preflop"),
    case("stadium", TERMINALS, "check, 2x", proves="S.6a S.8b S.overview.flop"),
    case("stadium", TERMINALS, "check, check, 1x", proves="S.8a S.10b S.overview.river"),
    case("stadium", TERMINALS, "check, check, fold", proves="S.10a"),
]


@pytest.mark.parametrize(("house_id", "procedure", "decisions"), WAYS_THROUGH)
def test_each_way_through_the_streets(house_id: str, procedure: Procedure, decisions: str) -> None:
    felt = played(
        house_id,
        procedure=procedure,
        banker=Banker(7, 1_000_000) if house_id == "california" else None,
        bets={"1.1": "ante 10"},
        cards=CARDS,
        decisions={"1.1": decisions},
    )
    made, play_cents = PATHS[decisions]
    hand = felt.state.hands[ONE]
    assert [str(one.decision) for one in hand.decisions] == made
    assert sum(wager.cents for wager in hand.wagers if wager.kind == "play") == play_cents
    streets = [Street.BEFORE_FLOP, Street.ON_FLOP, Street.ON_RIVER]
    assert [one.street for one in hand.decisions] == streets[: len(made)]
    assert felt.state.phase is Phase.SETTLED


def test_what_a_round_has_brought_a_seat_as_player_and_as_bank() -> None:
    felt = Felt("california", banker=Banker(7, 1_000_000)).bet("1.1", "ante 10").close()
    assert [felt.state.net_cents(seat) for seat in (1, 7)] == [0, 0]
    felt.run(CARDS, {"1.1": "4x"}).confirm()
    state = felt.state
    assert state.settlement is not None
    assert state.net_cents(1) == sum(line.net_cents for line in state.settlement.lines) > 0
    assert state.net_cents(7) == -state.net_cents(1)
    assert [state.banked_by(seat) for seat in (1, 7)] == [False, True]


def test_the_final_decision_is_the_first_that_is_no_check() -> None:
    felt = Felt("washington").bet("1.1", "ante 10").close().run(CARDS, {"1.1": "check"})
    assert felt.state.hands[ONE].final_decision is None
    felt.run(CARDS, {"1.1": "2x"})
    assert felt.state.hands[ONE].final_decision == Bet(2)
    assert felt.state.hands[ONE].decisions[0].decision == Check()


@pytest.mark.clause("W.6", "W.8")
def test_only_hands_without_a_play_wager_are_asked_again() -> None:
    felt = Felt("washington").bet("1.1", "ante 10").bet("2.1", "ante 10").close().run(CARDS)
    assert felt.state.pending == {ONE, TWO}
    felt.choose("1.1", "4x")
    assert felt.state.pending == {TWO}
    felt.choose("2.1", "check").deal("9c Td Jh")
    assert felt.state.pending == {TWO}
    felt.choose("2.1", "check").deal("3s 4s")
    assert felt.state.pending == {TWO}


@pytest.mark.clause("O.4b")
def test_when_all_have_bet_the_board_follows_without_a_pause() -> None:
    felt = Felt("online").bet("1.1", "ante 10").close().deal("As Ah 2c 7d").choose("1.1", "4x")
    felt.deal("9c Td Jh 3s 4s")
    assert felt.state.current_step == Turn(Lies.DEALER, 2)


@pytest.mark.clause("R.12", "S.5.bonus")
def test_a_hand_with_only_a_bonus_for_the_dealer_decides_nothing() -> None:
    felt = Felt("stadium").bet("1.1", "tip trips 5").close().run(CARDS)
    assert felt.state.phase is Phase.READY
    assert not felt.state.dealer_face_up


@pytest.mark.clause("R.12")
def test_the_dealers_play_wager_follows_in_proportion() -> None:
    felt = Felt("stadium").bet("1.1", "ante 10, tip ante 4").close().run(CARDS, {"1.1": "3x"})
    expected = "ante 10, play 30, blind 10, tip ante 4, tip play 12, tip blind 4"
    assert felt.state.hands[ONE].wagers == wagers_of(expected)


# What is turned over at the end: only what a wager still looks at.
TURNS = [
    case("ante 10", "check, check, 1x", True, True, proves="W.9"),
    case("ante 10", "check, check, fold", False, False, proves="W.8a"),
    case("ante 10, trips 5", "check, check, fold", False, True, proves="W.note"),
    case("ante 10, trips 5, bad_beat 5", "check, check, fold", True, True, proves="R.3"),
    case("ante 10, ultimate_pairs 5", "check, check, fold", True, True, proves="W.pairs.4"),
    case("ante 10, progressive 1", "check, check, fold", False, True, proves="R.3"),
]


@pytest.mark.parametrize(("wagers", "decisions", "dealer_shown", "hand_shown"), TURNS)
def test_cards_are_shown_only_where_a_wager_looks_at_them(
    wagers: str, decisions: str, dealer_shown: bool, hand_shown: bool
) -> None:
    felt = Felt("washington").bet("1.1", wagers).close().run(CARDS, {"1.1": decisions})
    assert felt.state.dealer_face_up is dealer_shown
    assert felt.state.hands[ONE].face_up is hand_shown
    assert dealer_matters(felt.state) is dealer_shown


def test_ultimate_pairs_without_a_dealers_award_keeps_the_dealer_hidden() -> None:
    house = own_house("washington", {"wagers.ultimate_pairs.paytable": "UPB-1"})
    felt = Felt(house).bet("1.1", "ante 10, ultimate_pairs 5").close()
    felt.run(CARDS, {"1.1": "check, check, fold"})
    assert not felt.state.dealer_face_up


def test_one_hand_that_stays_shows_the_dealer_and_not_the_folded_hand() -> None:
    felt = Felt("washington").bet("1.1", "ante 10").bet("2.1", "ante 10").close()
    felt.run(CARDS, {"1.1": "check, check, fold", "2.1": "4x"})
    assert felt.state.dealer_face_up
    assert [hand.face_up for hand in felt.state.hands.values()] == [False, True]
    assert CardsTurned(Lies.HAND, 2, (TWO,)) in felt.events


def test_a_folded_hand_has_given_up() -> None:
    felt = Felt("washington").bet("1.1", "ante 10").close()
    felt.run(CARDS, {"1.1": "check, check, fold"})
    assert felt.state.hands[ONE].folded
    assert felt.state.hands[ONE].final_decision == Fold()


@pytest.mark.clause("W.ace.7", "W.ace.9")
@pytest.mark.parametrize(
    ("decisions", "face_up"), [("", 0), ("check", 3), ("check, check", 5), ("4x", 5)]
)
def test_a_board_that_lies_face_down_is_turned_street_by_street(
    decisions: str, face_up: int
) -> None:
    house = own_house("washington", {"table.procedure": "community_first"})
    felt = Felt(house).bet("1.1", "ante 10").close()
    felt.run(CARDS, {"1.1": decisions} if decisions else {})
    assert felt.state.common == parse_cards(CARDS["common"])
    assert felt.state.common_face_up == face_up


@pytest.mark.clause("R.13", "W.irregularities")
@pytest.mark.parametrize("decisions", ["", "check", "check, check", "check, check, fold", "4x"])
def test_a_void_ends_the_round_at_any_point(decisions: str) -> None:
    felt = Felt("washington").bet("1.1", "ante 10, trips 5").close()
    felt.run(CARDS, {"1.1": decisions} if decisions else {}).void("the shuffler jammed")
    assert (felt.state.phase, felt.state.void_reason) == (Phase.VOIDED, "the shuffler jammed")
    assert not felt.state.pending
    assert isinstance(felt.events[-1], RoundVoided)


def test_applying_asks_no_question_that_deciding_has_answered() -> None:
    """An old round replays under its rules even where a check of today would refuse it."""
    felt = Felt("washington").bet("1.1", "ante 10").close().run(CARDS, {"1.1": "4x"}).confirm()
    events = [
        replace(event, wagers=wagers_of("ante 9999, blind 1"))
        if isinstance(event, WagersSet)
        else event
        for event in felt.events
    ]
    state = replay(felt.state.house, events)
    assert state.phase is Phase.SETTLED
    assert state.hands[ONE].wagers[0].cents == 999_900


def test_the_plan_pauses_where_it_says() -> None:
    felt = Felt("draw").bet("1.1", "bonus 5").close()
    felt.deal("As Kd 9c 5h 2s").deal("3c 4c 6d 7d 8h").deal("Th Jh Qh Kh Ah")
    assert felt.state.current_step == Decide(Street.DRAW)
    assert felt.state.pending == {ONE}


# Corrections -----------------------------------------------------------------

PLACES = [
    # where, and what the state shows there afterwards
    case(Place(Lies.DEALER, None, 2), "dealer", "2c 5c"),
    case(Place(Lies.COMMON, None, 1), "common", "5c Td Jh 3s 4s"),
    case(Place(Lies.COMMON, None, 5), "common", "9c Td Jh 3s 5c"),
]


@pytest.mark.parametrize(("place", "where", "cards"), PLACES)
def test_a_correction_exchanges_one_card_and_nothing_else(
    place: Place, where: str, cards: str
) -> None:
    felt = Felt("washington").bet("1.1", "ante 10").close().run(CARDS, {"1.1": "4x"})
    before = felt.state
    after = apply(before, CardCorrected(place, Card.parse("5c")))
    assert getattr(after, where) == parse_cards(cards)
    assert card_at(after, place) == Card.parse("5c")
    assert after.corrections == 1
    assert replace(after, corrections=0, **{where: getattr(before, where)}) == before


def test_a_correction_of_a_hand_keeps_its_wagers_and_decisions() -> None:
    felt = Felt("washington").bet("1.1", "ante 10").close().run(CARDS, {"1.1": "4x"})
    place = Place(Lies.HAND, ONE, 2)
    after = apply(felt.state, CardCorrected(place, Card.parse("5c")))
    assert after.hands[ONE] == replace(felt.state.hands[ONE], cards=parse_cards("As 5c"))


@pytest.mark.clause("R.27")
@pytest.mark.parametrize(
    ("position", "held"), [(1, "5c Ah"), (2, "As 5c"), (3, "As Ah")], ids=["1", "2", "not held"]
)
def test_a_hold_that_named_the_wrong_card_names_the_right_one(position: int, held: str) -> None:
    felt = Felt("draw").bet("1.1", "ante 10").bet("2.1", "ante 10").close()
    felt.deal("As Ah 4c 8d Jc").deal("2s 3s 4s 6s 7s").deal("Kc Kd 2h 5s 9c")
    felt.deal("Ac 7d 9h Js 3c").choose("1.1", "hold As Ah")
    place = Place(Lies.HAND, ONE, position)
    after = apply(felt.state, CardCorrected(place, Card.parse("5c")))
    assert after.hands[ONE].held == parse_cards(held)
    assert after.hands[TWO] == felt.state.hands[TWO]


def test_where_no_card_lies_there_is_none() -> None:
    felt = Felt("washington").bet("1.1", "ante 10").close().deal("As")
    assert card_at(felt.state, Place(Lies.HAND, ONE, 1)) == Card.parse("As")
    nowhere = [
        Place(Lies.HAND, ONE, 2),
        Place(Lies.HAND, ONE, 0),
        Place(Lies.HAND, TWO, 1),
        Place(Lies.HAND, None, 1),
        Place(Lies.DEALER, None, 1),
        Place(Lies.COMMON, None, 5),
    ]
    assert [card_at(felt.state, place) for place in nowhere] == [None] * len(nowhere)
