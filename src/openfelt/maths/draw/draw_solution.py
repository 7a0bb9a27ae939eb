"""Ultimate Draw solved: the best hold of every class of hands, and the value of the game.

The value of the house way is known by a symmetry. The gain of other holds over it is counted here:
by ranks for all holds, and with drawn flushes where these can decide, or where a strategy differs
from the house way. Counts do not depend on the payouts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, factorial, lcm, perm

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.draw.ante_results import HOLDS, deals_of
from openfelt.maths.draw.draw_figures import DrawTerms
from openfelt.maths.draw.flush_counts import Changes, FlushCounts, Wanted
from openfelt.maths.draw.holds import DrawHolds, Holds
from openfelt.maths.draw.house_way_ante import HouseWayAnte, count_house_way_ante
from openfelt.maths.draw.rank_solution import RankSolution, solve_ranks
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS
from openfelt.maths.kernels.hold_counts import CATEGORIES, count_all_holds
from openfelt.maths.kernels.hold_results import LOSE, WIN
from openfelt.maths.kernels.house_way import HOLD_ALL
from openfelt.maths.parallel import Progress

_HAND = 5
_SUMS_MAX = 2**62
Numbers = npt.NDArray[np.int64]
Values = Numbers
"""By class and hold, the value in units of a common denominator."""
_KEPT = np.array([hold.bit_count() for hold in range(HOLDS)])
_FLUSHES = [Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH]
_SURE_GAIN = Fraction(3, 8)
"""With 52 cards, the least share of deals with a drawn flush in which it turns a loss into a win;
see the derivation in `docs/internals/exact-draw.md`."""
_BEAT_FLUSHES = [Category.FULL_HOUSE, Category.FOUR_OF_A_KIND]


@dataclass(frozen=True)
class HoldLimits:
    """By class and hold: the value by ranks alone, and bounds on the true value.

    All are in units of a deal divided by `scale`, without a part that all holds of a class have in
    common.
    """

    scale: int
    values: Values
    least: Values
    most: Values

    def gain(self, row: int, holds: Sequence[int], own: int) -> tuple[int, int]:
        """Bounds on the gain of the best of several holds over a given one."""
        others = [hold for hold in holds if hold != own]
        least = int(self.least[row, others].max()) - int(self.most[row, own])
        most = int(self.most[row, others].max()) - int(self.least[row, own])
        return max(0, least), max(0, most)

    def exact(self, row: int, hold: int, changes: Changes) -> int:
        """The value of a hold whose flushes have been counted."""
        win, lose = changes[row, hold]
        return int(self.values[row, hold]) + self.scale * (win - lose)


@dataclass(frozen=True)
class BestHolds:
    """The best hold of every class, and its gain over the house way."""

    holds: Holds
    gain: Fraction
    """The mean over all hands, in Antes."""
    counted: int
    """In how many classes flushes had to be counted."""


@dataclass(frozen=True)
class DrawSolution:
    """The results of every hold of every class of hands."""

    ranks: RankSolution
    house_way_ante: HouseWayAnte
    categories: npt.NDArray[np.int32]
    """By class, hold and category of the final hand, the number of draws."""
    flushes: FlushCounts

    @property
    def holds(self) -> DrawHolds:
        """The classes of hands."""
        return self.ranks.holds

    @property
    def deals(self) -> int:
        """How many deals each hand has."""
        return deals_of(self._unseen)

    @property
    def _unseen(self) -> int:
        return int(self.holds.classes.deck.size) - _HAND

    @property
    def _deals_per_draw(self) -> Numbers:
        """By hold, in how many deals the player draws any one set of cards."""
        ways = [
            comb(self._unseen - drawn, _HAND)
            * factorial(drawn)
            * perm(self._unseen - _HAND - drawn, _HAND - drawn)
            for drawn in range(_HAND, -1, -1)
        ]
        by_hold: Numbers = np.array(ways, dtype=np.int64)[_KEPT]
        return by_hold

    def deals_that_end(self, categories: Sequence[Category]) -> Numbers:
        """By class and hold, the deals in which the player's hand ends in some categories."""
        draws = self.categories[:, :, categories].sum(axis=2, dtype=np.int64)
        deals: Numbers = draws * self._deals_per_draw
        return deals

    def rank_values(
        self, terms: DrawTerms, bonus: Mapping[Category, Fraction] | None = None
    ) -> tuple[Values, int]:
        """The value of every hold by ranks, and the factor that makes it a whole number.

        The payout for an unqualified dealer is left out, because it is the same for all holds of a
        hand. The Ante Bonus is exact, and so is the Bonus, whose nets in Antes are in `bonus`.
        Raises ValueError for odds that are too large, or too finely divided, to sum exactly.
        """
        pays = [terms.ante_bonus.get(category, Fraction(0)) for category in Category]
        if bonus is not None:
            pays = [pay + bonus[c] for pay, c in zip(pays, Category, strict=True)]
        scale = lcm(*(pay.denominator for pay in pays))
        whole = [int(pay * scale) for pay in pays]
        if (max(map(abs, whole)) + 4 * scale) * self.deals >= _SUMS_MAX:
            raise ValueError("these odds are too large, or too finely divided, to sum exactly")
        values = scale * (self.ranks.results[:, :, WIN] - self.ranks.results[:, :, LOSE])
        per_draw = self._deals_per_draw
        for category, pay in enumerate(whole):
            if pay:
                values += self.categories[:, :, category] * (pay * per_draw)
        return values, scale

    def limits(
        self, terms: DrawTerms, bonus: Mapping[Category, Fraction] | None = None
    ) -> HoldLimits:
        """Bounds on the values of all holds, from ranks alone.

        A flush that the player draws never turns a win into a loss. One that the dealer draws costs
        all holds the same, except for hands that beat it and for straight flushes. See the
        derivation in `docs/internals/exact-draw.md`.
        """
        values, scale = self.rank_values(terms, bonus)
        final = self.house_way_ante.categories
        deck = self._unseen + _HAND
        every = comb(deck, _HAND) * perm(deck - _HAND, _HAND)
        flushes = ceil(final[Category.FLUSH] * every)
        straight_flushes = ceil(
            (final[Category.STRAIGHT_FLUSH] + final[Category.ROYAL_FLUSH]) * every
        )
        own = self.deals_that_end(_FLUSHES)
        sure = self.deals_that_end([Category.FLUSH])
        sure[:, HOLD_ALL] = 0
        if deck == len(FULL_DECK_NUMBERS):
            sure = sure * _SURE_GAIN.numerator // _SURE_GAIN.denominator
        else:
            sure[:] = 0
        strong = self.deals_that_end(_BEAT_FLUSHES)
        strong[:, HOLD_ALL] += own[:, HOLD_ALL]
        own[:, HOLD_ALL] = 0
        most = values + 2 * scale * (own + np.minimum(strong, flushes + straight_flushes))
        least = values + 2 * scale * (sure - straight_flushes)
        return HoldLimits(scale, values, least, most)

    def wanted(self, limits: HoldLimits) -> dict[int, list[int]]:
        """The holds whose flushes decide, in classes where the house way may not be best.

        Classes come in descending order of uncertainty, so the first ones narrow the bounds the
        most.
        """
        possible = limits.most >= limits.least.max(axis=1, keepdims=True)
        house_way = self.holds.house_way
        rows = np.arange(len(house_way))
        sure = (possible.sum(axis=1) == 1) & possible[rows, house_way]
        possible[rows, house_way] = True
        held = {int(row): np.flatnonzero(possible[row]).tolist() for row in np.flatnonzero(~sure)}
        counts = self.holds.classes.hands.counts

        def left_open(row: int) -> int:
            low, high = limits.gain(row, held[row], int(house_way[row]))
            return (low - high) * int(counts[row])

        return {row: held[row] for row in sorted(held, key=left_open)}

    def best(
        self,
        terms: DrawTerms,
        bonus: Mapping[Category, Fraction] | None = None,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> BestHolds:
        """Find the best hold of each class; of equal ones, one that keeps the most cards.

        For 52 cards this takes half an hour of processor time or more, the first time on a machine.
        """
        limits = self.limits(terms, bonus)
        wanted = self.wanted(limits)
        best = self.holds.house_way.copy()
        changes = self.flushes.count(wanted, workers=workers, progress=progress)
        for row, held in wanted.items():
            exact = {hold: limits.exact(row, hold, changes) for hold in held}
            most = max(exact.values())
            best[row] = max(
                (hold for hold in held if exact[hold] == most), key=lambda hold: int(_KEPT[hold])
            )
        return BestHolds(best, self.gain(best, terms, bonus), len(wanted))

    def best_gain_limits(
        self,
        terms: DrawTerms,
        bonus: Mapping[Category, Fraction] | None = None,
        *,
        counted: Wanted | None = None,
    ) -> tuple[Fraction, Fraction]:
        """Bounds on the gain of the best holds over the house way, in Antes.

        This takes seconds after the count by ranks. It uses the flushes that have been counted, or
        only those in `counted` if given.
        """
        limits = self.limits(terms, bonus)
        wanted = self.wanted(limits)
        changes = self.flushes.known(wanted if counted is None else counted)
        counts = self.holds.classes.hands.counts
        low = high = 0
        for row, held in wanted.items():
            own = int(self.holds.house_way[row])
            if (row, own) in changes:
                exact = [limits.exact(row, hold, changes) for hold in held]
                gain = max(exact) - limits.exact(row, own, changes)
                low, high = low + gain * int(counts[row]), high + gain * int(counts[row])
                continue
            least, most = limits.gain(row, held, own)
            low, high = low + least * int(counts[row]), high + most * int(counts[row])
        whole = limits.scale * self.deals * int(counts.sum())
        return Fraction(low, whole), Fraction(high, whole)

    def gain(
        self,
        holds: Holds,
        terms: DrawTerms,
        bonus: Mapping[Category, Fraction] | None = None,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Fraction:
        """The gain of these holds over the house way, in Antes."""
        values, scale = self.rank_values(terms, bonus)
        house_way = self.holds.house_way
        differ = np.flatnonzero(holds != house_way).tolist()
        wanted = {row: [int(holds[row]), int(house_way[row])] for row in differ}
        changes = self.flushes.count(wanted, workers=workers, progress=progress)
        counts = self.holds.classes.hands.counts
        total = 0
        for row, (hold, house_hold) in wanted.items():
            (win, lose), (house_win, house_lose) = changes[row, hold], changes[row, house_hold]
            net = int(values[row, hold] - values[row, house_hold])
            net += scale * (win - lose - house_win + house_lose)
            total += net * int(counts[row])
        return Fraction(total, scale * self.deals * int(counts.sum()))

    def house_way_value(
        self, terms: DrawTerms, bonus: Mapping[Category, Fraction] | None = None
    ) -> Fraction:
        """The value of the game to a player who holds the house way, in Antes."""
        ante = self.house_way_ante
        value = ante.expected(terms.ante_bonus, unqualified_pays=terms.unqualified_pays)
        return value + (ante.bonus(bonus) if bonus else 0)

    def value(
        self,
        holds: Holds,
        terms: DrawTerms,
        bonus: Mapping[Category, Fraction] | None = None,
    ) -> Fraction:
        """The value of the game, in Antes, to a player with these holds."""
        return self.house_way_value(terms, bonus) + self.gain(holds, terms, bonus)


def solve_draw(
    deck: Sequence[int] = FULL_DECK_NUMBERS,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> DrawSolution:
    """Count every hold of every class of hands of a deck by ranks.

    Finished pieces are kept in the folder of compiled kernels, so an interrupted count continues
    where it stopped. Raises ValueError for a deck with fewer than 15 cards, or whose ranks are in
    different suits.
    """
    ranks = solve_ranks(deck, workers=workers, progress=progress)
    hands = ranks.holds.hands
    categories = np.zeros((len(hands), HOLDS, CATEGORIES), dtype=np.int32)
    count_all_holds(hands, ranks.holds.supersets, categories)
    cards = tuple(ranks.holds.classes.deck.tolist())
    ante = count_house_way_ante(cards, workers=workers, progress=progress)
    return DrawSolution(ranks, ante, categories, FlushCounts(hands, cards))
