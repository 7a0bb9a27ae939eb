"""The Bonus of Ultimate Draw Poker, counted over all draws."""

from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from openfelt.cards import FULL_DECK, Category, evaluate
from openfelt.catalog import load_catalog
from openfelt.maths.wagers import draw_bonus
from openfelt.maths.wagers.draw_bonus import price_draw_bonus
from openfelt.rules.paytable import HandPaytable


def bonus(name: str) -> HandPaytable:
    table = load_catalog().paytables["bonus", name]
    assert isinstance(table, HandPaytable)
    return table


def test_categories_and_holds_are_those_of_the_rules() -> None:
    table, random = bonus("UDP-04"), Random(5)
    nets = draw_bonus._nets_by_category(table)[draw_bonus._categories()]
    sums = draw_bonus._sums_over_hands(nets)
    hands = draw_bonus._hands()

    def net(cards: tuple[int, ...]) -> int:
        hand = evaluate(FULL_DECK[card] for card in cards)
        row = next((row for row in table.rows if row.matches(hand)), None)
        return -1 if row is None else int(row.odds.ratio)

    for number in random.sample(range(len(hands)), 400):
        assert nets[number] == net(tuple(map(int, hands[number])))
    # With two pair or three of a kind, the best hold keeps three cards or more, so the draws of
    # the other holds, which are too many for a slow count, do not matter.
    made = draw_bonus._categories()
    good = np.flatnonzero((made == Category.TWO_PAIR) | (made == Category.THREE_OF_A_KIND))
    for number in random.sample(good.tolist(), 4):
        cards = tuple(map(int, hands[number]))
        others = [card for card in range(52) if card not in cards]
        best = max(
            Fraction(sum(net((*held, *drawn)) for drawn in draws), len(draws))
            for size in (3, 4, 5)
            for held in combinations(cards, size)
            for draws in [list(combinations(others, 5 - size))]
        )
        value = draw_bonus._best_values(hands[number : number + 1], sums)
        assert Fraction(value, draw_bonus._COMMON) == best
    pat = np.array([[32, 36, 40, 44, 48]], dtype=np.int8)
    assert draw_bonus._best_values(pat, sums) == 500 * draw_bonus._COMMON


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "counted"),
    [("UDP-01", "0.76%"), ("UDP-02", "1.87%"), ("UDP-03", "3.67%"), ("UDP-04", "5.47%")],
)
def test_claims_of_the_document_but_for_the_last_are_exact(name: str, counted: str) -> None:
    table = bonus(name)
    assert f"{float(price_draw_bonus(table).house_advantage):.2%}" == counted
    assert table.claimed_advantage == ("5.48%" if name == "UDP-04" else counted)
