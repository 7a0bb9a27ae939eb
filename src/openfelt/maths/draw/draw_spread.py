"""The distribution of a round of Ultimate Draw for a strategy: the Ante with its Ante Bonus.

It is made of deals that win, lose, tie and meet an unqualified dealer, by category of the player's
final hand; categories below a flush, which no usual Ante Bonus pays, are counted together.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.draw.ante_results import HOLDS
from openfelt.maths.draw.draw_figures import DrawTerms
from openfelt.maths.draw.draw_solution import DrawSolution
from openfelt.maths.draw.flush_counts import FlushCounts
from openfelt.maths.draw.holds import Holds
from openfelt.maths.draw.spread_counts import StrongCounts, spread_kind
from openfelt.maths.kernels.hold_results import LOSE, RESULTS, UNQUALIFIED, WIN
from openfelt.maths.kernels.house_way import HOLD_ALL
from openfelt.maths.kernels.result_columns import (
    BELOW_FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    SPREAD,
)
from openfelt.maths.parallel import Progress

Numbers = npt.NDArray[np.int64]
STRONG = (
    Category.FLUSH,
    Category.FULL_HOUSE,
    Category.FOUR_OF_A_KIND,
    Category.STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH,
)
"""The categories that are distinguished."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The results of some hands: parts of all deals."""

    win: Fraction
    lose: Fraction
    tie: Fraction
    unqualified: Fraction

    @property
    def often(self) -> Fraction:
        """How often such a hand comes."""
        return self.win + self.lose + self.tie + self.unqualified


@dataclass(frozen=True, slots=True)
class DrawSpread:
    """The results of the Ante with some strategy, by category of the final hand."""

    below: Outcomes
    """Hands below a flush."""
    strong: Mapping[Category, Outcomes]

    @property
    def win_less_lose(self) -> Fraction:
        """Wins less losses against qualified dealers, on average."""
        every = (self.below, *self.strong.values())
        return sum((some.win - some.lose for some in every), Fraction(0))

    def prices(self, terms: DrawTerms) -> bool:
        """Whether the Ante Bonus pays nothing below a flush, where hands are not distinguished."""
        return not any(pays for c, pays in terms.ante_bonus.items() if c not in STRONG)

    def nets(self, terms: DrawTerms) -> dict[Fraction, Fraction]:
        """How often a round nets each number of Antes, the least first.

        Raises ValueError for terms that it does not price.
        """
        if not self.prices(terms):
            raise ValueError(
                "the results of hands below a flush are not told apart, so that with an Ante Bonus "
                "on one of them only the expected result is known"
            )
        chances: dict[Fraction, Fraction] = {}
        listed = [(Fraction(0), self.below)]
        listed += [(terms.ante_bonus.get(c, Fraction(0)), some) for c, some in self.strong.items()]
        for bonus, some in listed:
            for net, often in (
                (bonus + 1, some.win),
                (bonus - 1, some.lose),
                (bonus, some.tie),
                (bonus + terms.unqualified_pays, some.unqualified),
            ):
                chances[net] = chances.get(net, Fraction(0)) + often
        return {net: chances[net] for net in sorted(chances) if chances[net]}

    def expected(self, terms: DrawTerms) -> Fraction:
        """The expected result of one Ante with its Ante Bonus."""
        return sum((net * often for net, often in self.nets(terms).items()), Fraction(0))

    def variance(self, terms: DrawTerms) -> Fraction:
        """The variance of the result of one Ante with its Ante Bonus."""
        nets = self.nets(terms)
        square = sum((net * net * often for net, often in nets.items()), Fraction(0))
        return square - self.expected(terms) ** 2

    def std_dev(self, terms: DrawTerms) -> float:
        """The standard deviation, in Antes."""
        return sqrt(self.variance(terms))

    def hit_frequency(self, terms: DrawTerms) -> Fraction:
        """How often a round nets more than nothing."""
        return sum((often for net, often in self.nets(terms).items() if net > 0), Fraction(0))


def count_spread(
    solution: DrawSolution,
    holds: Holds,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> DrawSpread:
    """Count what becomes of the Ante for a player with these holds.

    For 52 cards it takes a quarter of an hour of processor time, the first time on a machine.
    Counts are stored, so that an interrupted count continues where it stopped.
    """
    rows = np.arange(len(holds))
    spread = hold_spreads(solution, rows, holds, workers=workers, progress=progress)
    return _summed(solution, holds, spread)


def hold_spreads(
    solution: DrawSolution,
    rows: Numbers,
    holds: Holds,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Numbers:
    """By class, category and result, the deals of one hold of each of some classes.

    The results are win, lose and unqualified dealer. A loss to flushes of the dealer that is the
    same for all holds of a class is left out, and is attributed to the hands below a flush.
    """
    deck = tuple(solution.holds.classes.deck.tolist())
    counted = StrongCounts(deck).count(rows * HOLDS + holds, workers=workers, progress=progress)
    strong = counted.reshape(-1, 2, RESULTS)
    flushes = FlushCounts(solution.holds.hands, deck, spread_kind())
    pairs = list(zip(rows.tolist(), holds.tolist(), strict=True))
    changes = flushes.count(
        {row: [hold] for row, hold in pairs}, workers=workers, progress=progress
    )
    spread: Numbers = np.array([changes[pair] for pair in pairs]).reshape(-1, SPREAD, RESULTS)
    # By ranks there are no flushes but those that are held whole.
    plain = np.column_stack([solution.ranks.results[rows, holds], solution.ranks.unqualified[rows]])
    spread[:, FULL_HOUSE : FOUR_OF_A_KIND + 1] += strong
    spread[:, BELOW_FLUSH] += plain - strong.sum(axis=1)
    for place in np.flatnonzero(holds == HOLD_ALL).tolist():
        category = Category(int(solution.categories[rows[place], HOLD_ALL].argmax()))
        if category in STRONG:
            spread[place, 1 + STRONG.index(category)] += plain[place]
            spread[place, BELOW_FLUSH] -= plain[place]
    return spread


def _summed(solution: DrawSolution, holds: Holds, spread: Numbers) -> DrawSpread:
    """Add up all classes, and the loss that all holds of a class have in common."""
    counts = solution.holds.classes.boards.counts.astype(np.int64)
    every = solution.deals * int(counts.sum())
    totals = _exact_sums(spread * counts[:, None, None])
    final = solution.holds.categories(holds)
    often = {c: Fraction(final[c], solution.holds.draws) for c in Category}
    unqualified = solution.house_way_ante.unqualified * every
    common = int(sum(row[UNQUALIFIED] for row in totals) - unqualified)
    totals[BELOW_FLUSH][LOSE] += common
    totals[BELOW_FLUSH][UNQUALIFIED] -= common
    shares = [[Fraction(number, every) for number in row] for row in totals]
    strong = {c: _outcomes(shares[1 + place], often[c]) for place, c in enumerate(STRONG)}
    below = 1 - sum((often[c] for c in STRONG), Fraction(0))
    return DrawSpread(_outcomes(shares[BELOW_FLUSH], below), strong)


def _outcomes(shares: list[Fraction], often: Fraction) -> Outcomes:
    win, lose, none = shares[WIN], shares[LOSE], shares[UNQUALIFIED]
    return Outcomes(win, lose, often - win - lose - none, none)


def _exact_sums(numbers: Numbers) -> list[list[int]]:
    """The sums over the first axis as unbounded integers."""
    high, low = (numbers >> 32).sum(axis=0), (numbers & 0xFFFFFFFF).sum(axis=0)
    return [
        [(one << 32) + other for one, other in zip(*pair, strict=True)]
        for pair in zip(high.tolist(), low.tolist(), strict=True)
    ]
