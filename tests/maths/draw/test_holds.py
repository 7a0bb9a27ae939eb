"""The draws of every hold, against plain enumeration on small decks."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from openfelt.cards import Card, Category, evaluate
from openfelt.maths.draw.holds import DrawHolds, draw_holds
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels.hold_counts import (
    CATEGORIES,
    HOLDS,
    Supersets,
    count_classes,
    count_holds,
    count_supersets,
    find_best_holds,
    find_house_way_holds,
)
from openfelt.rules.ultimate_draw import house_way
from tests.kit.maths.games import small_deck

# A straight flush, a royal flush and full houses are all possible among these.
DECK = small_deck("9TJQKA", 3)
NETS = {
    category: Fraction(net)
    for category, net in zip(Category, (-1, -1, 1, 3, 5, 7, 8, 25, 150, 500), strict=True)
}


@pytest.fixture(scope="module")
def holds() -> DrawHolds:
    return draw_holds(tuple(sorted(card.number for card in DECK)))


def drawn_categories(cards: tuple[Card, ...], held: int) -> Counter[Category]:
    """Every final hand of one hold, read by the rules' own evaluator."""
    kept = [card for place, card in enumerate(cards) if held >> place & 1]
    others = [card for card in DECK if card not in cards]
    draws = combinations(others, 5 - len(kept))
    return Counter(evaluate((*kept, *draw)).category for draw in draws)


def class_cards(holds: DrawHolds, row: int) -> tuple[Card, ...]:
    numbers = {card.number: card for card in DECK}
    return tuple(numbers[int(number)] for number in holds.hands[row])


@pytest.mark.parametrize("row", range(0, 300, 60))
def test_every_hold_has_the_draws_of_plain_enumeration(holds: DrawHolds, row: int) -> None:
    cards = class_cards(holds, row)
    counted = np.zeros((HOLDS, CATEGORIES), dtype=np.int64)
    places = holds.classes.position_of[holds.hands[row]]
    for run in (count_holds, count_holds.py_func):
        run(places, holds.supersets, counted)
        for held in range(HOLDS):
            expected = drawn_categories(cards, held)
            assert counted[held].tolist() == [expected[category] for category in Category]


def test_best_holds_and_their_totals_are_those_of_plain_enumeration(holds: DrawHolds) -> None:
    best = holds.best(NETS)
    unseen = len(DECK) - 5

    def value(cards: tuple[Card, ...], held: int) -> Fraction:
        counts = drawn_categories(cards, held)
        return sum((NETS[c] * n for c, n in counts.items()), Fraction(0)) / counts.total()

    for row in range(0, len(holds.hands), 97):
        cards = class_cards(holds, row)
        values = [value(cards, held) for held in range(HOLDS)]
        assert values[best[row]] == max(values)
        equal = [held for held in range(HOLDS) if values[held] == max(values)]
        assert int(best[row]).bit_count() == max(held.bit_count() for held in equal)
    totals = holds.categories(best)
    assert sum(totals.values()) == holds.draws == comb(len(DECK), 5) * holds.unit
    by_class = Fraction(0)
    counted = np.zeros((len(holds.hands), CATEGORIES), dtype=np.int64)
    count_classes(holds.hands, best, holds.supersets, counted)
    for row, final in enumerate(counted.tolist()):
        drawn = comb(unseen, 5 - int(best[row]).bit_count())
        assert sum(final) == drawn
        net = sum((NETS[c] * final[c] for c in Category), Fraction(0))
        by_class += int(holds.classes.hands.counts[row]) * net / drawn
    assert sum(NETS[c] * n for c, n in totals.items()) == by_class * holds.unit


def test_the_house_way_is_that_of_the_rules(holds: DrawHolds) -> None:
    for row in range(len(holds.hands)):
        cards = class_cards(holds, row)
        bits = int(holds.house_way[row])
        assert house_way(cards) == tuple(c for i, c in enumerate(cards) if bits >> i & 1)


def test_kernels_give_the_same_uncompiled(holds: DrawHolds) -> None:
    deck = holds.classes.deck[:9]
    sizes = [comb(9, size) for size in range(6)]
    both = [
        Supersets(
            np.zeros((sum(sizes[:5]), CATEGORIES), dtype=np.int32),
            np.cumsum([0, *sizes[:5]]),
            np.zeros(sizes[5], dtype=np.uint8),
            holds.classes.position_of,
        )
        for _ in range(2)
    ]
    count_supersets(deck, reading_tables(), both[0])
    count_supersets.py_func(deck, reading_tables(), both[1])
    assert all(np.array_equal(a, b) for a, b in zip(*both, strict=True))
    rows = holds.hands[:3]
    nets = np.array([int(net) for net in NETS.values()])
    results = []
    for best, count, follow in (
        (find_best_holds, count_classes, find_house_way_holds),
        (find_best_holds.py_func, count_classes.py_func, find_house_way_holds.py_func),
    ):
        bits, dealers = np.zeros((2, 3), dtype=np.uint8)
        final = np.zeros((3, CATEGORIES), dtype=np.int64)
        best(rows, nets, holds.weights, holds.supersets, bits)
        count(rows, bits, holds.supersets, final)
        follow(rows, reading_tables(), dealers)
        results.append((bits.tolist(), final.tolist(), dealers.tolist()))
    assert results[0] == results[1]


def test_odds_that_cannot_be_summed_exactly_are_refused(holds: DrawHolds) -> None:
    with pytest.raises(ValueError, match="too large"):
        holds.best(dict.fromkeys(Category, Fraction(2**60)))
