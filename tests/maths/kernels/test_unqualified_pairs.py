"""Pairs of hands without a pair: the sums behind them, against their definitions."""

from collections.abc import Callable
from itertools import combinations, permutations, product
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest

from openfelt.maths.draw.house_way_ante import rank_sets
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS
from openfelt.maths.kernels import unqualified_flushes, unqualified_pairs
from openfelt.maths.kernels.unqualified_flushes import joint_ways, list_patterns, suited_draws
from openfelt.maths.kernels.unqualified_pairs import (
    VARIANTS,
    bits,
    count_suits,
    nth_rank,
    ordered_draws,
    split_sum,
)

STRAIGHTS = rank_sets(FULL_DECK_NUMBERS).straights
Take = Callable[[Any], Any]
"""Takes a kernel, as it is compiled or uncompiled."""


def compiled(kernel: Any) -> Any:
    return kernel


def uncompiled(kernel: Any) -> Any:
    return kernel.py_func


KERNELS = [compiled, uncompiled]


def ranks_of(mask: int) -> list[int]:
    return [rank for rank in range(13) if mask >> rank & 1]


def random_hold(random: Random, size: int) -> int:
    """Ranks from one end of the deck, so that straights come up."""
    return sum(1 << rank for rank in random.sample([0, 1, 2, 3, 4, 12], size))


@pytest.mark.parametrize("take", KERNELS)
def test_disjoint_sets_are_summed_by_their_weights(take: Take) -> None:
    random = Random(2)
    sums = np.zeros((6, 6), dtype=np.int64)
    for firsts, rests in ((1, 2), (2, 1), (0, 3), (3, 0)):
        first, rest = (np.array([random.randrange(4) for _ in range(13)]) for _ in range(2))
        within = 0b1011011100110
        expected = sum(
            prod(int(first[rank]) for rank in early) * prod(int(rest[rank]) for rank in late)
            for early in combinations(ranks_of(within), firsts)
            for late in combinations(set(ranks_of(within)) - set(early), rests)
        )
        assert take(split_sum)(first, rest, within, firsts, rests, sums) == expected


@pytest.mark.parametrize("take", KERNELS)
@pytest.mark.parametrize(("short", "long"), [(4, 4), (4, 3), (3, 3), (3, 2), (4, 2), (2, 2)])
def test_ordered_draws_make_no_pair_and_no_straight(take: Take, short: int, long: int) -> None:
    random = Random(3)
    sums = np.zeros((6, 6), dtype=np.int64)
    for _ in range(4):
        one, other = random_hold(random, short), random_hold(random, long)
        free = sum(1 << rank for rank in (0, 1, 2, 3, 4, 5, 12)) & ~other
        first = np.array([(free & ~one) >> rank & 1 for rank in range(13)])
        rest = np.array([free >> rank & 1 for rank in range(13)])
        expected = 0
        for drawn in permutations(ranks_of(free), 5 - long):
            early = sum(1 << rank for rank in drawn[: 5 - short])
            late = sum(1 << rank for rank in drawn)
            made = one | early in STRAIGHTS or other | late in STRAIGHTS
            expected += early & one == 0 and not made
        assert take(ordered_draws)(first, rest, one, other, STRAIGHTS, sums) == expected
        assert take(suited_draws)(free & ~one, free, one, other, STRAIGHTS) == expected


def variant_of(suits: tuple[int, ...]) -> int:
    """0 for a plain hand, the place of the odd card of four alike, -1 for one suit."""
    for suit in set(suits):
        if suits.count(suit) == 5:
            return -1
        if suits.count(suit) == 4:
            return 1 + next(place for place in range(5) if suits[place] != suit)
    return 0


@pytest.mark.parametrize("take", KERNELS)
@pytest.mark.parametrize(
    ("one", "other"), [(0b101111, 0b10111100), (0b101111, 0b101111), (0b11111000, 0b10111)]
)
def test_suits_of_two_hands_are_counted_by_variant(take: Take, one: int, other: int) -> None:
    one = sum(1 << rank for rank in ranks_of(one)[:5])
    other = sum(1 << rank for rank in ranks_of(other)[:5])
    other |= 0 if bits(other) == 5 else 1 << 11
    suits = 3
    expected = np.zeros((VARIANTS, VARIANTS), dtype=np.int64)
    mine, yours = ranks_of(one), ranks_of(other)
    for taken in product(range(suits), repeat=5):
        cards = set(zip(mine, taken, strict=True))
        for other_taken in product(range(suits), repeat=5):
            pair = variant_of(taken), variant_of(other_taken)
            if min(pair) >= 0 and cards.isdisjoint(zip(yours, other_taken, strict=True)):
                expected[pair] += 1
    deck = [card for card in FULL_DECK_NUMBERS if card & 3 < suits]
    ways = np.zeros((VARIANTS, VARIANTS), dtype=np.int64)
    take(count_suits)(rank_sets(deck), one, other, ways)
    assert ways.tolist() == expected.tolist()


@pytest.mark.parametrize("take", KERNELS)
@pytest.mark.parametrize(("in_suit", "other_in_suit"), [(0, 0), (0b1, 0b10), (0b11, 0), (0, 0b110)])
def test_suits_outside_a_suit_are_counted_by_pattern(
    take: Take, in_suit: int, other_in_suit: int
) -> None:
    suits, mask, other = 4, 0b11111, 0b111110
    signs, alike, other_signs, other_alike = np.zeros((4, 8), dtype=np.int64)
    patterns = take(list_patterns)(mask, in_suit, 0, signs, alike)
    listed = take(list_patterns)(other, other_in_suit, 0, other_signs, other_alike)
    outside, other_outside = mask & ~in_suit, other & ~other_in_suit
    counted = sum(
        int(signs[a] * other_signs[b])
        * take(joint_ways)(
            int(alike[a]),
            outside & ~int(alike[a]),
            int(other_alike[b]),
            other_outside & ~int(other_alike[b]),
            suits,
        )
        for a in range(patterns)
        for b in range(listed)
    )

    def plain(ranks: list[int]) -> list[tuple[int, ...]]:
        taken = product(range(1, suits), repeat=len(ranks))
        return [t for t in taken if all(t.count(suit) < 4 for suit in t)]

    expected = sum(
        set(zip(ranks_of(outside), a, strict=True)).isdisjoint(
            zip(ranks_of(other_outside), b, strict=True)
        )
        for a in plain(ranks_of(outside))
        for b in plain(ranks_of(other_outside))
    )
    assert counted == expected


@pytest.mark.parametrize("take", KERNELS)
def test_small_parts(take: Take) -> None:
    assert [take(nth_rank)(0b10110, number) for number in (1, 2, 3)] == [2, 4, 16]
    assert take(bits)(0b10110) == 3
    assert take(unqualified_flushes.power)(3, 4) == 81
    weights = np.arange(13)
    assert take(unqualified_pairs.product)(weights, 0b1100) == 6
    assert take(unqualified_flushes.total_over)(weights, 0b1100) == 5
