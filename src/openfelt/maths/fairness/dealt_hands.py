"""The frequency of each dealt hand, beside its exact probability."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from math import sqrt
from statistics import NormalDist

from openfelt.cards import Category
from openfelt.maths.hands.deal_counts import five_card_counts, seven_card_counts
from openfelt.maths.shuffle_statistics import chi_square_tail

CELL_MIN = 5.0
"""A cell of the chi-square test expects at least this many hands; smaller cells are merged."""


@cache
def five_card_chances() -> Mapping[Category, float]:
    """The probability of each category among five cards."""
    counts: Counter[Category] = Counter()
    for (category, _), deals in five_card_counts().items():
        counts[category] += deals
    return {category: counts[category] / counts.total() for category in Category}


@cache
def seven_card_chances() -> Mapping[Category, float]:
    """The probability of each category among seven cards."""
    counts = seven_card_counts()
    total = sum(counts.values())
    return {category: counts[category] / total for category in Category}


def fit(dealt: Mapping[Category, int], chances: Mapping[Category, float]) -> float | None:
    """The p-value of the chi-square test; None while too few hands have been dealt for two cells.

    Categories are merged, starting with the rarest, until each cell expects enough.
    """
    total = sum(dealt.values())
    cells: list[tuple[int, float]] = []
    hands, expected = 0, 0.0
    for category in sorted(Category, reverse=True):
        hands += dealt.get(category, 0)
        expected += chances[category] * total
        if expected >= CELL_MIN:
            cells.append((hands, expected))
            hands, expected = 0, 0.0
    if expected and cells:
        last = cells.pop()
        cells.append((last[0] + hands, last[1] + expected))
    if len(cells) < 2:
        return None
    statistic = sum((hands - expected) ** 2 / expected for hands, expected in cells)
    return chi_square_tail(statistic, len(cells) - 1)


def even(wins: int, losses: int) -> float | None:
    """The p-value of wins and losses that should be equally likely; None for fewer than twenty."""
    total = wins + losses
    if total < 20:
        return None
    off = max(0.0, abs(wins - losses) - 1) / sqrt(total)
    return min(1.0, 2 * (1 - NormalDist().cdf(off)))
