"""A round on its way to disk and back; that it resumes is shown in test_game."""

import pytest

from openfelt.cards import parse_cards
from openfelt.cli.play.saved_round import parse_decision
from openfelt.rules import Bet, Check, Fold, Hold
from openfelt.rules.decisions import Decision


@pytest.mark.parametrize(
    "decision", [Check(), Fold(), Bet(3), Bet(1), Hold(()), Hold(parse_cards("As Kd"))]
)
def test_a_decision_reads_back_from_its_own_words(decision: Decision) -> None:
    assert parse_decision(str(decision)) == decision


@pytest.mark.parametrize("text", ["", "raise", "bet", "bet x", "hold 1 2"])
def test_other_words_are_no_decision(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a decision|invalid literal|not a card"):
        parse_decision(text)
