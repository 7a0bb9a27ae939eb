"""Ultimate Pairs beside other wagers."""

from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from openfelt.cards import FULL_DECK, Card, Category, evaluate, parse_cards
from openfelt.catalog import load_catalog
from openfelt.maths.hands.starting_hands import cell_of
from openfelt.maths.wagers.joint_figures import SideTables
from openfelt.maths.wagers.joint_pairs import (
    _checked_total,
    _strengths,
    special_deals,
    strengths_of,
)
from openfelt.maths.wagers.joint_sums import best_decisions
from openfelt.rules.paytable import EVEN_MONEY, HandMinimum, HandPaytable, HandRow, PairsPaytable
from tests.kit.maths.slow_holdem import settle
from tests.kit.maths.solution import usual_solution

PAYTABLES = load_catalog().paytables


def pairs(name: str) -> PairsPaytable:
    table = PAYTABLES["ultimate_pairs", name]
    assert isinstance(table, PairsPaytable)
    return table


def always_even_money() -> HandPaytable:
    rows = [HandRow(HandMinimum(category), EVEN_MONEY, "") for category in reversed(Category)]
    return HandPaytable("ALL", 1, "", "trips", "R.1", tuple(rows))


def test_aces_against_aces_are_six_deals_of_four_cards() -> None:
    solution = usual_solution()
    tables = SideTables(trips=always_even_money())
    found = special_deals(pairs("UPB-2"), solution, best_decisions(solution), tables)
    assert found.extra == 1000 - 30
    assert found.totals["trips"] == 6 * comb(48, 5) * 10
    assert found.extra_product("trips") == 970 * 6 * comb(48, 5) * 10


def test_exact_cards_are_the_mean_of_their_starting_hand() -> None:
    solution = usual_solution()
    found = special_deals(pairs("UPB-4"), solution, best_decisions(solution), SideTables())
    assert found.cell_nets[cell_of(parse_cards("AhAd"))] == Fraction(100 + 5 * 30, 6)
    assert found.extra_product("trips") == 0


def test_a_hand_that_checks_first_is_played_by_its_exact_values() -> None:
    solution, random = usual_solution(), Random(3)
    hole, dealer = (Card.parse("9h"), Card.parse("8d")), (Card.parse("Ac"), Card.parse("Kh"))
    rest = [card for card in FULL_DECK if card not in hole + dealer]
    boards = [sorted(random.sample(rest, 5)) for _ in range(60)]
    total = Fraction(0)
    for board in boards:
        player, against = evaluate([*hole, *board]), evaluate([*dealer, *board])
        for flop in combinations(board, 3):
            values = solution.flop_values(hole, flop)
            multiple = 2 if values["bet_2x"] > values["check"] else 0
            if not multiple:
                river = solution.river_values(hole, board)
                multiple = 1 if river["bet_1x"] > river["fold"] else -1
            total += settle(solution.terms, player, against, multiple) if multiple > 0 else -2
    numbers = np.array([[card.number for card in board] for board in boards], dtype=np.uint8)
    own, theirs = _strengths(numbers, hole), _strengths(numbers, dealer)
    assert _checked_total(hole, numbers, own, theirs, solution) == total


@pytest.mark.parametrize("category", list(Category))
def test_the_strengths_of_a_category_are_its_own(category: Category) -> None:
    strengths = strengths_of(HandMinimum(category))
    assert strengths.stop > strengths.start
    if category < Category.ROYAL_FLUSH:
        assert strengths_of(HandMinimum(Category(category + 1))).start == strengths.stop
