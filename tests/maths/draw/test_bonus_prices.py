"""The Bonus, priced while its paytable is changed: the same as counted from the start."""

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from openfelt.cards import Category, Rank
from openfelt.catalog import load_catalog
from openfelt.maths.draw.bonus import DrawPlay, price_draw_bonus
from openfelt.maths.draw.bonus_prices import BonusPrices, bonus_prices
from openfelt.maths.draw.holds import draw_holds
from openfelt.rules.paytable import HandPaytable, Odds
from tests.kit.maths.games import small_deck


def table() -> HandPaytable:
    found = load_catalog().paytables["bonus", "UDP-01"]
    assert isinstance(found, HandPaytable)
    return found


@pytest.mark.parametrize("play", DrawPlay)
def test_a_changed_table_is_priced_as_the_plain_version_does(play: DrawPlay) -> None:
    """Every award, not the advantage alone."""
    usual = table()
    last = replace(usual.rows[-1], odds=Odds(3, 2))
    changed = replace(usual, rows=(*usual.rows[:-1], last))
    for one in (usual, changed):
        assert bonus_prices().price(one, play) == price_draw_bonus(one, play)


def test_the_best_holds_are_those_of_the_plain_version_among_equals_too() -> None:
    """With nets that make many holds equal, and with nets at random, on a small deck."""
    holds = draw_holds(tuple(card.number for card in small_deck("2345KA", 3)))
    prices, chance = BonusPrices(holds), random.Random(7)
    for most in (0, 1, 2, 1000):
        nets = {c: Fraction(chance.randint(-most, most), 1 + most) for c in Category}
        assert np.array_equal(prices.best(nets), holds.best(nets))


def test_what_the_plain_version_refuses_is_refused() -> None:
    usual = table()
    last = usual.rows[-1]
    ranked = replace(last, hand=replace(last.hand, at_least=Rank.JACK))
    with pytest.raises(ValueError, match="rank of a pair"):
        bonus_prices().price(replace(usual, rows=(*usual.rows[:-1], ranked)))
    huge = replace(last, odds=Odds(10**15, 1))
    with pytest.raises(ValueError, match="too large"):
        bonus_prices().price(replace(usual, rows=(*usual.rows[:-1], huge)))
