"""Ante, Blind and Play by themselves."""

from fractions import Fraction

import pytest

from openfelt.maths import HoldemTerms, solve_holdem
from openfelt.maths.holdem.wager_results import wager_results
from tests.kit.maths.games import GENEROUS, ODD, small_deck
from tests.kit.maths.solution import usual_solution


@pytest.mark.parametrize("terms", [ODD, GENEROUS])
def test_the_wagers_of_a_small_deck_add_up_to_its_game(terms: HoldemTerms) -> None:
    deck = [card.number for card in small_deck("9TJQK", 4)]
    solution = solve_holdem(terms, deck=deck, workers=1)
    parts = wager_results(solution)
    assert [part.wager for part in parts] == ["ante", "blind", "play"]
    assert all(part.total == solution.deals for part in parts)
    assert sum((part.expected for part in parts), Fraction(0)) == solution.ev_per_ante


def test_the_wagers_of_the_whole_game() -> None:
    solution = usual_solution()
    ante, blind, play = wager_results(solution)
    assert ante.expected + blind.expected + play.expected == solution.ev_per_ante
    assert Fraction(ante.deals["folded"][0], ante.total) == solution.decisions["fold"]
    assert blind.deals["won with royal flush"][1] == 500
    # A royal flush always wins: 4,324 of 133,784,560 hands of seven cards, but for the boards
    # that are one themselves, which tie.
    royals = solution.deals * Fraction(4324, 133_784_560)
    ties = 4 * solution.deals / Fraction(2_598_960)
    assert blind.deals["won with royal flush"][0] == royals - ties
    assert play.deals["4x won"][1] == 4
