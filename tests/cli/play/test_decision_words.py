"""Decisions as they are typed."""

import pytest

from openfelt.cards import format_cards, parse_cards
from openfelt.cli.play.decision_words import NotADecision, question, read_decision
from openfelt.rules import Bet, Check, Choice, Choices, Fold, Hold

BEFORE = Choices((Choice(Check()), Choice(Bet(3), 3000), Choice(Bet(4), 4000)))
RIVER = Choices((Choice(Fold()), Choice(Bet(1), 1000)))
BROKE = Choices((Choice(Check()),))
HOLD = Choices(may_hold=True)
CARDS = parse_cards("Ks Kd 9s 5h 2c")


def test_the_question_shows_choices_and_amounts() -> None:
    assert question(BEFORE) == "check / 3x $30 / 4x $40"
    assert question(RIVER) == "fold / 1x $10"
    assert question(HOLD) == "hold which cards? 1 to 5, all, none, way"


@pytest.mark.parametrize(
    ("typed", "offered", "decision"),
    [
        ("check", BEFORE, Check()),
        ("c", BEFORE, Check()),
        ("", BEFORE, Check()),
        ("3", BEFORE, Bet(3)),
        ("3x", BEFORE, Bet(3)),
        ("4 x", BEFORE, Bet(4)),
        ("bet 4", BEFORE, Bet(4)),
        ("play 3x", BEFORE, Bet(3)),
        ("$40", BEFORE, Bet(4)),
        ("5", BEFORE, Bet(5)),
        ("bet", RIVER, Bet(1)),
        ("fold", RIVER, Fold()),
        ("f", RIVER, Fold()),
    ],
)
def test_words_for_every_decision(typed: str, offered: Choices, decision: object) -> None:
    assert read_decision(typed, offered, ()) == decision


@pytest.mark.parametrize(
    ("typed", "offered", "says"),
    [
        ("", RIVER, "does not fold"),
        ("bet", BEFORE, "3x or 4x"),
        ("bet", BROKE, "covers no Play"),
        ("banana", BEFORE, "not a decision"),
        ("-3", BEFORE, "not a decision"),
        ("3.5x", BEFORE, "not a decision"),
        ("$35", BEFORE, "not a decision"),
        ("6", HOLD, "numbered 1 to 5"),
        ("1 2 3 4 5 6", HOLD, "numbered 1 to 5"),
        ("0", HOLD, "numbered 1 to 5"),
        ("", HOLD, "such as 1 3 5"),
        ("kings", HOLD, "such as 1 3 5"),
        ("٣", HOLD, "such as 1 3 5"),
    ],
)
def test_other_words_say_what_would_do(typed: str, offered: Choices, says: str) -> None:
    with pytest.raises(NotADecision, match=says):
        read_decision(typed, offered, CARDS)


@pytest.mark.parametrize(
    ("typed", "held"),
    [
        ("1 2", "Ks Kd"),
        ("12", "Ks Kd"),
        ("hold 1, 3", "Ks 9s"),
        ("all", "Ks Kd 9s 5h 2c"),
        ("none", ""),
        ("way", "Ks Kd"),
        ("1 1", "Ks Ks"),
    ],
)
def test_cards_to_hold_are_typed_by_number(typed: str, held: str) -> None:
    decision = read_decision(typed, HOLD, CARDS)
    assert isinstance(decision, Hold)
    assert format_cards(decision.cards) == held
