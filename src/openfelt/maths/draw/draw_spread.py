"""The distribution of a round of Ultimate Draw for a strategy: the Ante with its Ante Bonus.

It consists of the deals that win, lose, tie or meet an unqualified dealer, by category of the
player's final hand. Pairs and high cards, which no usual wager pays, are counted together.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.draw.ante_results import HOLDS
from openfelt.maths.draw.category_counts import category_kind
from openfelt.maths.draw.draw_figures import DrawTerms, refuse_another_hand
from openfelt.maths.draw.draw_solution import DrawSolution
from openfelt.maths.draw.flush_counts import FlushCounts, spread_kind
from openfelt.maths.draw.hold_columns import HoldColumns
from openfelt.maths.draw.holds import Holds
from openfelt.maths.draw.loss_counts import loss_kind
from openfelt.maths.kernels import result_columns
from openfelt.maths.kernels.category_ranks import CATEGORIES
from openfelt.maths.kernels.hold_results import LOSE, RESULTS, UNQUALIFIED, WIN
from openfelt.maths.kernels.house_way import HOLD_ALL
from openfelt.maths.parallel import Progress

Numbers = npt.NDArray[np.int64]
Pays = Mapping[Category, Fraction]
TOLD_APART = tuple(category for category in Category if category >= Category.TWO_PAIR)
"""The categories that are counted separately."""
_BELOW = 0
"""The place of pairs and high cards among the counts; the other categories follow."""
_PLACES = {category: 1 + place for place, category in enumerate(TOLD_APART)}


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The results of some hands, as fractions of all deals."""

    win: Fraction
    lose: Fraction
    tie: Fraction
    unqualified: Fraction

    @property
    def often(self) -> Fraction:
        """How often such a hand occurs."""
        return self.win + self.lose + self.tie + self.unqualified


@dataclass(frozen=True, slots=True)
class DrawSpread:
    """The results of the Ante with some strategy, by category of the final hand."""

    below: Outcomes
    """Pairs and high cards."""
    told_apart: Mapping[Category, Outcomes]
    """Every other category."""

    @property
    def win_less_lose(self) -> Fraction:
        """Wins minus losses against qualified dealers, on average."""
        every = (self.below, *self.told_apart.values())
        return sum((outcomes.win - outcomes.lose for outcomes in every), Fraction(0))

    def prices(self, terms: DrawTerms) -> bool:
        """Whether the dealer needs a pair, and the Ante Bonus pays nothing below two pairs.

        Below two pairs, hands are counted together.
        """
        return terms.needs_a_pair and _is_priced(terms.ante_bonus)

    def rounds(self, terms: DrawTerms) -> Iterator[tuple[Category | None, Fraction, Fraction]]:
        """The category, the net of the Ante with its Ante Bonus, and its frequency.

        The category is None below two pairs. Raises ValueError for terms that it does not price.
        """
        refuse_another_hand(terms)
        if not self.prices(terms):
            raise ValueError(
                "pairs and hands without one are not told apart, so that with an Ante Bonus on one "
                "of them only the expected result is known"
            )
        listed: list[tuple[Category | None, Fraction, Outcomes]] = [(None, Fraction(0), self.below)]
        listed += [
            (category, terms.ante_bonus.get(category, Fraction(0)), outcomes)
            for category, outcomes in self.told_apart.items()
        ]
        for category, bonus, outcomes in listed:
            yield category, bonus + 1, outcomes.win
            yield category, bonus - 1, outcomes.lose
            yield category, bonus, outcomes.tie
            yield category, bonus + terms.unqualified_pays, outcomes.unqualified

    def nets(self, terms: DrawTerms) -> dict[Fraction, Fraction]:
        """The frequency of each net result of a round in Antes, the lowest first.

        Raises ValueError for terms that it does not price.
        """
        chances: dict[Fraction, Fraction] = {}
        for _, net, often in self.rounds(terms):
            chances[net] = chances.get(net, Fraction(0)) + often
        return {net: chances[net] for net in sorted(chances) if chances[net]}

    def expected(self, terms: DrawTerms) -> Fraction:
        """The expected result of one Ante with its Ante Bonus."""
        return sum((net * often for net, often in self.nets(terms).items()), Fraction(0))

    def variance(self, terms: DrawTerms) -> Fraction:
        """The variance of the result of one Ante with its Ante Bonus."""
        return _variance(self.nets(terms))

    def std_dev(self, terms: DrawTerms) -> float:
        """The standard deviation, in Antes."""
        return sqrt(self.variance(terms))

    def hit_frequency(self, terms: DrawTerms) -> Fraction:
        """How often a round nets more than zero."""
        return sum((often for net, often in self.nets(terms).items() if net > 0), Fraction(0))

    def bonus_nets(self, bonus: Pays) -> dict[Fraction, Fraction]:
        """The frequency of each net amount of a Bonus, given the net of each category.

        Raises ValueError for a Bonus that pays pairs and high cards differently.
        """
        below = _net_below(bonus)
        chances = {below: self.below.often}
        for category, outcomes in self.told_apart.items():
            net = bonus[category]
            chances[net] = chances.get(net, Fraction(0)) + outcomes.often
        return chances

    def covariance(self, terms: DrawTerms, bonus: Pays) -> Fraction:
        """The covariance of the Ante, with its Ante Bonus, and a Bonus with these nets.

        Raises ValueError for a Bonus that pays pairs and high cards differently.
        """
        below = _net_below(bonus)
        product = mean = Fraction(0)
        for category, net, often in self.rounds(terms):
            bonus_net = below if category is None else bonus[category]
            product += net * bonus_net * often
            mean += bonus_net * often
        return product - mean * self.expected(terms)

    def bonus_variance(self, bonus: Pays) -> Fraction:
        """The variance of a Bonus with these nets."""
        return _variance(self.bonus_nets(bonus))

    def variance_with(self, terms: DrawTerms, bonus: Pays) -> Fraction:
        """The variance of the Ante, with its Ante Bonus, and a Bonus together."""
        both = 2 * self.covariance(terms, bonus)
        return self.variance(terms) + both + self.bonus_variance(bonus)


def _variance(nets: Mapping[Fraction, Fraction]) -> Fraction:
    """The variance of a net result, given the frequency of each amount."""
    mean = sum((net * often for net, often in nets.items()), Fraction(0))
    return sum((net * net * often for net, often in nets.items()), Fraction(0)) - mean * mean


def _is_priced(pays: Pays) -> bool:
    return not any(pay for category, pay in pays.items() if category not in TOLD_APART)


def _net_below(bonus: Pays) -> Fraction:
    """The net of a Bonus below two pairs."""
    if bonus[Category.PAIR] != bonus[Category.HIGH_CARD]:
        raise ValueError("pairs and hands without one are not told apart")
    return bonus[Category.PAIR]


def count_spread(
    solution: DrawSolution,
    holds: Holds,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> DrawSpread:
    """Count the results of the Ante for a player with these holds.

    For 52 cards this takes half an hour of processor time, the first time on a machine. Counts are
    stored, so an interrupted count continues where it stopped.
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

    The categories are all hands below two pairs together, then those of TOLD_APART; the results are
    win, lose and unqualified dealer. A loss to the dealer's flushes that is the same for all holds
    of a class is left out; it belongs to the hands below two pairs.
    """
    deck = tuple(solution.holds.classes.deck.tolist())
    columns = HoldColumns(deck, category_kind())
    counted = columns.count(rows * HOLDS + holds, workers=workers, progress=progress)
    pairs = list(zip(rows.tolist(), holds.tolist(), strict=True))
    flushes, losses = (
        _by_pair(FlushCounts(solution.holds.hands, deck, kind), pairs, workers, progress)
        for kind in (spread_kind(), loss_kind())
    )
    flushes = flushes.reshape(-1, result_columns.SPREAD, RESULTS)
    plain = np.column_stack([solution.ranks.results[rows, holds], solution.ranks.unqualified[rows]])
    spread = np.zeros((len(rows), 1 + len(TOLD_APART), RESULTS), dtype=np.int64)
    by_ranks = counted.reshape(-1, len(CATEGORIES), RESULTS)
    spread[:, [_PLACES[Category(number)] for number in CATEGORIES]] = by_ranks
    # A hand that is held whole is evaluated with its suits.
    whole = np.flatnonzero(holds == HOLD_ALL)
    standing = solution.categories[rows[whole], HOLD_ALL].argmax(axis=1)
    spread[whole, np.maximum(standing - Category.PAIR, _BELOW)] = plain[whole]
    spread[:, _BELOW] = plain - spread[:, 1:].sum(axis=1)
    _add_flushes(spread, flushes, _straight_changes(solution, rows, holds, flushes))
    middle = slice(_PLACES[Category.TWO_PAIR], _PLACES[Category.FLUSH])
    spread[:, middle, LOSE] += losses
    spread[:, middle, UNQUALIFIED] -= losses
    spread[:, _BELOW, LOSE] -= losses.sum(axis=1)
    spread[:, _BELOW, UNQUALIFIED] += losses.sum(axis=1)
    return spread


def _by_pair(
    counts: FlushCounts,
    pairs: list[tuple[int, int]],
    workers: int | None,
    progress: Progress | None,
) -> Numbers:
    """Count something for one hold of each of some classes."""
    counted = counts.count({row: [hold] for row, hold in pairs}, workers=workers, progress=progress)
    return np.array([counted[pair] for pair in pairs], dtype=np.int64)


def _straight_changes(
    solution: DrawSolution, rows: Numbers, holds: Holds, flushes: Numbers
) -> Numbers:
    """The effect of straight flushes, of the player or the dealer, on straights.

    Of the hands below a flush, they affect only straights. All other changes by flushes are known:
    five ranks that the player turns into a flush beat no qualified dealer, and a strong hand that
    beats the dealer's flush is not in the loss that all holds have in common.
    """
    below = flushes[:, result_columns.BELOW_FLUSH]
    unqualified = flushes[:, :, UNQUALIFIED]
    flush = solution.deals_that_end([Category.FLUSH])[rows, holds]
    changes = below.copy()
    changes[:, LOSE] += flush - unqualified[:, result_columns.FLUSH]
    for place in (result_columns.FULL_HOUSE, result_columns.FOUR_OF_A_KIND):
        changes[:, LOSE] -= unqualified[:, place]
    changes[:, UNQUALIFIED] = -(
        unqualified[:, result_columns.STRAIGHT_FLUSH] + unqualified[:, result_columns.ROYAL_FLUSH]
    )
    whole = holds == HOLD_ALL
    straight = solution.categories[rows, HOLD_ALL, Category.STRAIGHT] > 0
    changes[whole] = np.where(straight[whole, None], below[whole], 0)
    return changes


def _add_flushes(spread: Numbers, flushes: Numbers, straights: Numbers) -> None:
    """Add the effect of flushes to the counts by ranks."""
    for category, place in (
        (Category.FLUSH, result_columns.FLUSH),
        (Category.FULL_HOUSE, result_columns.FULL_HOUSE),
        (Category.FOUR_OF_A_KIND, result_columns.FOUR_OF_A_KIND),
        (Category.STRAIGHT_FLUSH, result_columns.STRAIGHT_FLUSH),
        (Category.ROYAL_FLUSH, result_columns.ROYAL_FLUSH),
    ):
        spread[:, _PLACES[category]] += flushes[:, place]
    spread[:, _PLACES[Category.STRAIGHT]] += straights
    spread[:, _BELOW] += flushes[:, result_columns.BELOW_FLUSH] - straights


def _summed(solution: DrawSolution, holds: Holds, spread: Numbers) -> DrawSpread:
    """Add up all classes, and the loss that all holds of a class have in common."""
    counts = solution.holds.classes.hands.counts.astype(np.int64)
    every = solution.deals * int(counts.sum())
    totals = _exact_sums(spread * counts[:, None, None])
    final = solution.holds.categories(holds)
    often = {c: Fraction(final[c], solution.holds.draws) for c in Category}
    unqualified = solution.house_way_ante.unqualified * every
    common = int(sum(row[UNQUALIFIED] for row in totals) - unqualified)
    totals[_BELOW][LOSE] += common
    totals[_BELOW][UNQUALIFIED] -= common
    shares = [[Fraction(number, every) for number in row] for row in totals]
    told_apart = {c: _outcomes(shares[_PLACES[c]], often[c]) for c in TOLD_APART}
    below = _outcomes(shares[_BELOW], often[Category.PAIR] + often[Category.HIGH_CARD])
    return DrawSpread(below, told_apart)


def _outcomes(shares: list[Fraction], often: Fraction) -> Outcomes:
    win, lose, none = shares[WIN], shares[LOSE], shares[UNQUALIFIED]
    return Outcomes(win, lose, often - win - lose - none, none)


def _exact_sums(numbers: Numbers) -> list[list[int]]:
    """The sums over the first axis as unbounded integers."""
    high, low = (numbers >> 32).sum(axis=0), (numbers & 0xFFFFFFFF).sum(axis=0)
    return [
        [(upper << 32) + lower for upper, lower in zip(*halves, strict=True)]
        for halves in zip(high.tolist(), low.tolist(), strict=True)
    ]
