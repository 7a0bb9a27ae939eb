"""Rounds of which only the cards that were shown are known."""

from dataclasses import replace
from random import Random

import pytest

from openfelt.cards import UNKNOWN_CARD, Card
from openfelt.catalog import load_house
from openfelt.rules import House, Round, settle
from openfelt.rules.reasons import Reasons
from openfelt.rules.unknown_cards import has_unknown_cards, settles_without, with_any_cards
from tests.kit.own_houses import own_house
from tests.kit.random_rounds import random_round

HOUSES = ("washington", "online", "california", "stadium", "draw")
FACE_DOWN = own_house("washington", {"table.folds_face_down": True})
ROUNDS = 150


def as_shown(state: Round) -> Round:
    """A settled round of which only the cards that were shown are known."""
    common = state.common[: state.common_face_up]
    return replace(
        state,
        dealer=state.dealer if state.dealer_face_up else unknown(state.dealer),
        common=(*common, *unknown(state.common[state.common_face_up :])),
        hands={
            spot: hand if hand.face_up else replace(hand, cards=unknown(hand.cards))
            for spot, hand in state.hands.items()
        },
    )


def unknown(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return (UNKNOWN_CARD,) * len(cards)


@pytest.mark.parametrize("house", [*map(load_house, HOUSES), FACE_DOWN], ids=lambda house: house.id)
def test_a_card_that_was_never_shown_does_not_matter(house: House) -> None:
    random, mucked = Random(7), 0
    for _ in range(ROUNDS):
        state, meter_cents = random_round(house, random)
        left = as_shown(state)
        mucked += has_unknown_cards(left)
        assert settles_without(left)
        filled = with_any_cards(left)
        # A folded hand that was never shown has lost; with other cards it might win.
        assert has_unknown_cards(filled) is (house.folds_face_down and mucked_in(left))
        assert settle(filled, meter_cents=meter_cents) == state.settlement
    # Where hands are dealt face up or always shown, the dealer has to show nearly always.
    assert mucked or house.id in ("draw", "stadium")


def mucked_in(state: Round) -> bool:
    """Whether a folded hand of a round is unknown."""
    return any(hand.folded and UNKNOWN_CARD in hand.cards for hand in state.hands.values())


def test_a_shown_card_that_is_unknown_does_matter() -> None:
    state, _ = random_round(load_house("draw"), Random(3))
    gone = replace(state, dealer=unknown(state.dealer))
    assert has_unknown_cards(gone)
    assert not settles_without(gone)
    spot, hand = next(iter(state.hands.items()))
    gone = replace(state, hands={**state.hands, spot: replace(hand, cards=unknown(hand.cards))})
    assert not settles_without(gone)


@pytest.mark.parametrize("house", [load_house("washington"), FACE_DOWN], ids=["shown", "hidden"])
def test_reasons_are_told_as_far_as_they_are_known(house: House) -> None:
    random = Random(11)
    for _ in range(60):
        state, _ = random_round(house, random)
        assert state.settlement is not None
        left = as_shown(state)
        nothing = replace(left, dealer=unknown(state.dealer), common=unknown(state.common))
        for spot in state.hands:
            lines = [
                replace(line, why=None) for line in state.settlement.lines if line.spot == spot
            ]
            assert Reasons(left).of_hand(lines) == Reasons(state).of_hand(lines)
            assert len(Reasons(nothing).of_hand(lines)) == len(lines)
