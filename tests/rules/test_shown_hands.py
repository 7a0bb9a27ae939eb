"""Folded hands that stay face down (C.6), unless a wager in action wins by their cards (C.17)."""

import re
from dataclasses import replace
from random import Random

import pytest

from openfelt.cards import Card
from openfelt.cards.hand import Category
from openfelt.rules import (
    Banker,
    CorrectCard,
    House,
    Line,
    Phase,
    Round,
    Settlement,
    Spot,
    TurnCards,
    apply,
    replay,
    settle,
    view,
)
from openfelt.rules.dealing import Lies, Place, Turn
from openfelt.rules.irregularity_rules import About, Effect, Irregularity
from openfelt.rules.lines import NO_VALUES, Result
from openfelt.rules.reasons import Reasons
from openfelt.rules.round_actions import SwapCards
from openfelt.rules.round_events import CardCorrected, CardsTurned, IrregularityDeclared
from tests.kit.cases import case
from tests.kit.felt import Felt, spot_of
from tests.kit.own_houses import REMOVED, own_house
from tests.kit.random_rounds import random_round

SETTING = "table.folds_face_down"
BANKER = Banker(7, 100_000)
CARDS = {
    "1.1": "Jc 4c",
    "2.1": "8s 3h",
    "dealer": "Ks Qh",
    "common": "Jh 7s 6d 2c 9d",
}
"""Seat 1 has a pair of jacks, seat 2 nine high."""
FOLDED = {"1.1": "check, check, fold", "2.1": "check, check, 1x"}
TRIPS_CARDS = CARDS | {"common": "Jh Js 6d 2c 9d"}


def folded(
    house: House | str = "california", wagers: str = "ante 10, trips 5", **cards: str
) -> Felt:
    """Seat 1 has folded, and everything that is turned has been turned."""
    felt = Felt(house, banker=BANKER if "california" in str(house) else None)
    felt.bet("1.1", wagers).bet("2.1", "ante 10").close()
    return felt.run(CARDS | cards, FOLDED)


def open_hands(felt: Felt, seat: int | None) -> list[str]:
    """The hands that a viewer sees."""
    return [str(hand.spot) for hand in view(felt.state, seat=seat).hands if None not in hand.cards]


@pytest.mark.clause("C.6", "C.6.1")
def test_a_folded_hand_whose_trips_lose_is_never_turned() -> None:
    felt = folded()
    assert felt.state.phase is Phase.READY
    for _ in ("before the settlement", "after it"):
        for seat in (None, 2, 3, BANKER.seat):
            assert open_hands(felt, seat) == ["2.1"]
            assert view(felt.state, seat=seat).hands[0].made is None
        assert open_hands(felt, 1) == ["1.1", "2.1"]
        assert view(felt.state, seat=1).hands[0].made == "Pair of jacks"
        felt = felt if felt.state.settlement else felt.confirm()
    turned = [event.spots for event in felt.events if isinstance(event, CardsTurned)]
    assert (Spot(1, 1),) not in turned
    line = felt.line("1.1", "trips")
    assert (line.outcome, line.result, line.clause) == ("trips.fold", Result.LOSE, "C.6.1")
    assert (line.returned_cents, line.payout_cents, line.net_cents) == (0, 0, -500)
    assert (line.because, line.why) == ("The folded hand does not win this wager.", NO_VALUES)
    assert replay(felt.state.house, felt.events) == felt.state


@pytest.mark.clause("C.17", "C.18", "C.note.trips")
def test_a_folded_hand_whose_trips_win_is_shown_in_its_turn() -> None:
    felt = folded(common=TRIPS_CARDS["common"])
    assert open_hands(felt, None) == ["1.1", "2.1"]
    line = felt.confirm().line("1.1", "trips")
    assert (line.outcome, line.payout_cents) == ("trips.win", 1500)
    assert line.because == "Three of a kind, jacks pays 3 to 1."


def test_without_the_setting_every_folded_hand_with_trips_is_shown_and_named() -> None:
    felt = folded(own_house("california", {SETTING: False})).confirm()
    assert open_hands(felt, None) == ["1.1", "2.1"]
    line = felt.line("1.1", "trips")
    assert (line.outcome, line.clause) == ("trips.lose", "C.standards.trips_wins")
    assert line.because == "Pair of jacks is less than the table pays."


OTHER_WAGERS = {
    SETTING: True,
    "table.showdown": "together",
    "table.refund_antes_first": False,
    "wagers.bad_beat.requires": ["ante"],
}
WASHINGTON = own_house("washington", OTHER_WAGERS)


@pytest.mark.parametrize(
    ("wagers", "own", "common", "shown"),
    [
        case("ante 10", "Jc 4c", "Jh 7s 6d 2c 9d", False),
        case("ante 10, trips 5", "Jc 4c", "Jh 7s 6d 2c 9d", False),
        case("ante 10, trips 5", "Jc Jd", "Jh 7s 6d 2c 9d", True),
        # A straight of the dealer that is beaten by a full house pays Bad Beat.
        case("ante 10, bad_beat 5", "Jc Jd", "Jh Ts 9h 9d 2c", True),
        case("ante 10, bad_beat 5", "Jc 4c", "Jh 7s 6d 2c 9d", False),
        case("ante 10, ultimate_pairs 5", "Jc 4c", "Jh 7s 6d 2c 9d", False),
        case("ante 10, ultimate_pairs 5", "4d 4c", "Jh 7s 6d 2c 9d", True),
        case("ante 10, progressive 1", "Jc 4c", "Jh 7s 6d 2c 9d", False),
        # The progressive of Washington reads the hole cards and the flop.
        case("ante 10, progressive 1", "Jc Jd", "Jh Js 7d 2c 9d", True),
    ],
)
def test_a_folded_hand_is_shown_if_its_cards_win_a_wager(
    wagers: str, own: str, common: str, shown: bool
) -> None:
    felt = folded(WASHINGTON, wagers, common=common, **{"1.1": own}).confirm(1_000_000)
    assert ("1.1" in open_hands(felt, None)) is shown
    lines = settled(felt.state).of_seat(1)
    side_bets = [line for line in lines if line.wager not in ("ante", "blind")]
    assert any(line.result is Result.WIN for line in side_bets) is shown
    assert all(line.outcome.endswith(".fold") for line in lines) is not shown


def test_play_the_board_is_paid_to_a_hand_that_stays_face_down() -> None:
    house = own_house("stadium", {SETTING: True, "table.player_cards_face_up": False})
    felt = folded(house, "ante 10, play_the_board 5, trips 5", common="Jh Js Jd 2c 2h")
    assert "1.1" in open_hands(felt, None)
    felt = folded(house, "ante 10, play_the_board 5", common="Jh Js Jd 2c 2h").confirm()
    assert "1.1" not in open_hands(felt, None)
    assert felt.line("1.1", "play_the_board").result is Result.WIN


# Money, and what is told, in many rounds ----------------------------------------------------


HOUSES = {
    "california": own_house("california"),
    "washington": own_house("washington", {SETTING: True}),
    "all hands at once": WASHINGTON,
    "stadium": own_house("stadium", {SETTING: True, "table.player_cards_face_up": False}),
}


def as_before(house: House) -> House:
    """The same house without the setting."""
    return replace(house, folds_face_down=False)


def amounts(line: Line) -> tuple[object, ...]:
    """A line without its sentence, and without the name and the clause of its outcome."""
    said = replace(line, outcome="", clause="", because="", why=None)
    return (said, line.result)


_RANKS = "ace|king|queen|jack|ten|nine|eight|seven|six|five|four|three|two"
_KINDS = "|".join(kind.words for kind in Category)
_NAMES = re.compile(rf"\b({_RANKS})(s|es)?\b|{_KINDS}", re.IGNORECASE)


@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES.keys())
def test_no_amount_changes_and_no_line_names_a_hidden_hand(house: House) -> None:
    random, hidden, shown = Random(5), 0, 0
    for _ in range(250):
        state, meter_cents = random_round(house, random)
        other = replace(state, house=as_before(house), settlement=None, phase=Phase.READY)
        before = settle(other, meter_cents=meter_cents)
        settlement = settled(state)
        assert settle(state, meter_cents=meter_cents) == settlement
        assert [amounts(line) for line in before.lines] == [
            amounts(line) for line in settlement.lines
        ]
        for spot, hand in state.hands.items():
            lines, lines_before = settlement.of_hand(spot), before.of_hand(spot)
            if not hand.folded:
                assert hand.face_up
                assert lines == lines_before
                continue
            by_cards = ("trips", "bad_beat", "ultimate_pairs", "progressive")
            wins = [line for line in lines if line.result is Result.WIN and line.wager in by_cards]
            # What the bank could not cover is returned, but has been shown.
            returned = [line for line in lines if line.result is Result.RETURNED]
            assert hand.face_up is bool(wins) or returned
            if hand.face_up:
                shown += 1
                continue
            hidden += hand.has_side_bets()
            stored = [replace(line, why=None) for line in lines]
            for line, why in zip(lines, Reasons(state).of_hand(stored), strict=True):
                if line.wager not in ("play_the_board", "envy"):
                    assert not _NAMES.search(line.because), line.because
                    assert (why.hand, why.dealer_hand, why.award) == (None, None, None)
    assert hidden > 10
    assert shown > 3


def settled(state: Round) -> Settlement:
    assert state.settlement is not None
    return state.settlement


def test_a_hand_that_wins_is_paid_by_its_cards_and_not_because_it_was_shown() -> None:
    """A record in which a winning hand was never turned is not what the rules give."""
    state = folded(common=TRIPS_CARDS["common"]).state
    spot = spot_of("1.1")
    hidden = replace(state, hands={**state.hands, spot: replace(state.hands[spot], face_up=False)})
    assert settle(hidden) == settle(state)


# Corrections --------------------------------------------------------------------------------


def correct(felt: Felt, place: Place, card: str) -> Felt:
    return felt.do(CorrectCard(place, Card.parse(card)))


OWN = Place(Lies.HAND, Spot(1, 1), 2)
BOARD = Place(Lies.COMMON, None, 2)


@pytest.mark.clause("C.17", "R.31")
@pytest.mark.parametrize("place", [OWN, BOARD], ids=["a card of the hand", "a card of the board"])
def test_a_correction_after_which_a_folded_hand_wins_has_it_shown(place: Place) -> None:
    felt = folded(**{"1.1": "Jc 6c"})
    before = felt.state.phase
    correct(felt, place, "Jd")
    assert (before, felt.state.phase) == (Phase.READY, Phase.PLAYING)
    step = felt.state.current_step
    assert isinstance(step, Turn)
    assert step.spot == Spot(1, 1)
    assert open_hands(felt, None) == ["2.1"]
    felt.do(TurnCards())
    assert felt.events[-1] == CardsTurned(Lies.HAND, 2, (Spot(1, 1),))
    assert felt.state.phase is Phase.READY
    assert open_hands(felt, None) == ["1.1", "2.1"]
    assert felt.confirm().line("1.1", "trips").outcome == "trips.win"
    assert replay(felt.state.house, felt.events) == felt.state


@pytest.mark.clause("C.6", "R.31")
def test_a_correction_after_which_a_folded_hand_loses_leaves_it_face_down() -> None:
    felt = Felt("california", banker=BANKER)
    felt.bet("1.1", "ante 10, trips 5").bet("2.1", "ante 10").close()
    felt.run(TRIPS_CARDS, FOLDED, until=Lies.DEALER)
    felt.do(TurnCards())
    step = felt.state.current_step
    assert isinstance(step, Turn)
    assert step.spot == Spot(1, 1)
    correct(felt, BOARD, "7s")
    step = felt.state.current_step
    assert isinstance(step, Turn)
    assert step.spot == Spot(2, 1)
    felt.do(TurnCards())
    assert felt.state.phase is Phase.READY
    assert open_hands(felt, None) == ["2.1"]
    assert felt.confirm().line("1.1", "trips").outcome == "trips.fold"
    assert replay(felt.state.house, felt.events) == felt.state


def test_a_correction_before_the_dealers_hand_is_turned_turns_nothing_early() -> None:
    felt = Felt("california", banker=BANKER)
    felt.bet("1.1", "ante 10, trips 5").bet("2.1", "ante 10").close()
    felt.run(CARDS, FOLDED, until=Lies.DEALER)
    correct(felt, BOARD, "Js")
    step = felt.state.current_step
    assert isinstance(step, Turn)
    assert step.lies is Lies.DEALER


def test_a_hand_that_was_shown_stays_shown_when_a_correction_takes_its_win() -> None:
    felt = folded(common=TRIPS_CARDS["common"])
    correct(felt, BOARD, "7s")
    assert felt.state.phase is Phase.READY
    assert open_hands(felt, None) == ["1.1", "2.1"]
    assert felt.confirm().line("1.1", "trips").net_cents == -500


@pytest.mark.clause("R.31")
def test_two_swapped_cards_show_what_wins_in_the_end() -> None:
    felt = folded(**{"1.1": "Jc 6c", "2.1": "8s Jd"})
    felt.do(SwapCards(OWN, Place(Lies.HAND, Spot(2, 1), 2)))
    assert [type(event) for event in felt.events[-2:]] == [CardCorrected, CardCorrected]
    assert felt.state.phase is Phase.PLAYING
    felt.do(TurnCards())
    assert felt.confirm().line("1.1", "trips").outcome == "trips.win"
    felt = folded(**{"1.1": "Jc 6c"})
    felt.do(SwapCards(OWN, Place(Lies.HAND, Spot(2, 1), 2)))
    assert felt.state.phase is Phase.READY
    felt.do(SwapCards(OWN, Place(Lies.COMMON, None, 3)))
    assert felt.state.phase is Phase.READY
    assert open_hands(felt, None) == ["2.1"]


def test_a_folded_hand_that_is_fouled_or_void_is_not_turned() -> None:
    for effect in (Effect.LOSE_HAND, Effect.VOID_HAND):
        felt = folded(**{"1.1": "Jc 6c"})
        declared = IrregularityDeclared(
            irregularity=Irregularity.HAND_FOULED,
            about=About.HAND,
            effect=effect,
            clause="R.41",
            spot=spot_of("1.1"),
        )
        felt.state = apply(felt.state, declared)
        correct(felt, OWN, "Jd")
        assert felt.state.phase is Phase.READY
        assert open_hands(felt, None) == ["2.1"]


def test_corrections_of_other_houses_turn_nothing_back() -> None:
    felt = folded(own_house("california", {SETTING: REMOVED}), **{"1.1": "Jc 6c"})
    correct(felt, OWN, "Jd")
    assert felt.state.phase is Phase.READY
