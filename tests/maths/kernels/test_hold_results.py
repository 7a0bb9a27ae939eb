"""The parts of the count of all holds: draws, groups of dealers, and flushes."""

from math import comb, prod

import numpy as np
import pytest

from openfelt.maths.draw.ante_results import draw_tables
from openfelt.maths.draw.dealer_groups import dealer_hands
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS
from openfelt.maths.kernels.flush_tables import hands_without
from openfelt.maths.kernels.hold_results import weigh_draw, weigh_draws
from openfelt.maths.kernels.quick_gains import sum_submasks
from tests.kit.maths.games import small_deck

DECK = tuple(card.number for card in small_deck("23JKA", 3))


@pytest.mark.parametrize("compiled", [True, False])
def test_the_cards_of_a_draw_are_a_product_of_binomials(compiled: bool) -> None:
    draws = draw_tables(DECK).draws
    left = np.zeros(13, dtype=np.int64)
    left[[0, 1, 9, 11, 12]] = 3, 0, 2, 4, 1
    ways = np.zeros(len(draws.keys), dtype=np.int64)
    (weigh_draws if compiled else weigh_draws.py_func)(draws, 5, left, ways)
    weigh = weigh_draw if compiled else weigh_draw.py_func
    for draw in range(len(ways)):
        ranks = []
        step = draw
        while step:
            ranks.append(int(draws.lasts[step]))
            step = int(draws.parents[step])
        expected = prod(comb(int(left[rank]), ranks.count(rank)) for rank in set(ranks))
        assert weigh(draws, draw, left) == ways[draw] == expected


def test_every_multiset_of_ranks_is_listed_once() -> None:
    draws = draw_tables(FULL_DECK_NUMBERS).draws
    assert np.diff(draws.starts).tolist() == [1, 13, 91, 455, 1820, 6175]
    for size in range(6):
        keys = draws.keys[draws.starts[size] : draws.starts[size + 1]]
        assert len(set(keys.tolist())) == len(keys)


@pytest.mark.parametrize("compiled", [True, False])
def test_sums_over_submasks(compiled: bool) -> None:
    table = np.zeros(1 << 13, dtype=np.int64)
    table[[0, 0b101, 0b110, 1 << 12]] = 1, 10, 100, 1000
    (sum_submasks if compiled else sum_submasks.py_func)(table)
    assert table[[0, 0b100, 0b101, 0b111, 0x1FFF]].tolist() == [1, 1, 11, 111, 1111]


@pytest.mark.parametrize("suit", range(3))
def test_groups_have_every_hand_that_is_left(suit: int) -> None:
    hands = dealer_hands(DECK)
    taken = DECK[:5]
    counts = hands.left_by(taken)
    assert hands.hold_groups(counts).ways.sum() == comb(10, 5)
    groups = hands.suited_groups(taken, suit)
    assert groups.ways.sum() == groups.short_ways.sum() == comb(10, 5)
    free = [card for card in DECK if card & 3 == suit and card not in taken]
    for card in free:
        for count in (hands_without, hands_without.py_func):
            avoiding = sum(count(groups, g, 1 << (card >> 2)) for g in range(len(groups.keys)))
            assert avoiding == comb(9, 5)
