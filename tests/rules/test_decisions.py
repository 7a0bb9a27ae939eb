"""Decisions as values and in words."""

import pytest

from openfelt.cards import parse_cards
from openfelt.rules import Bet, Check, DecidedBy, Fold, Hold
from openfelt.rules.dealing import Street
from openfelt.rules.decisions import Decided, Decision


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (Check(), "check"),
        (Bet(4), "bet 4x"),
        (Fold(), "fold"),
        (Hold(parse_cards("As Kd")), "hold As Kd"),
        (Hold(()), "hold nothing"),
    ],
)
def test_a_decision_in_words(decision: Decision, words: str) -> None:
    assert str(decision) == words


def test_decisions_are_equal_by_what_they_are() -> None:
    assert Check() == Check()
    assert Bet(3) != Bet(4)
    assert Decided(Street.DRAW, Hold(()), DecidedBy.CLOCK) == Decided(
        Street.DRAW, Hold(()), DecidedBy.CLOCK
    )


@pytest.mark.parametrize(
    ("street", "words"),
    [
        (Street.BEFORE_FLOP, "before the flop"),
        (Street.ON_FLOP, "on the flop"),
        (Street.ON_RIVER, "on the river"),
        (Street.DRAW, "at the draw"),
    ],
)
def test_a_street_in_words(street: Street, words: str) -> None:
    assert street.words == words
