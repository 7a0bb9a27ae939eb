"""Ultimate Draw solved: the best hold of every class of hands, and the value of the game.

The value of the house way is known by a symmetry. The gain of other holds over it is counted here:
by ranks for all holds, and with drawn flushes where these can decide, or where a strategy differs
from the house way. Counts do not depend on the payouts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.draw.draw_figures import DrawTerms, refuse_another_hand
from openfelt.maths.draw.final_hands import KEPT, FinalHands, common_scale, final_hands
from openfelt.maths.draw.flush_counts import Changes, FlushCounts, Wanted
from openfelt.maths.draw.holds import DrawHolds, Holds
from openfelt.maths.draw.house_way_ante import HouseWayAnte, count_house_way_ante
from openfelt.maths.draw.rank_solution import RankSolution, solve_ranks
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS
from openfelt.maths.kernels.hold_results import LOSE, WIN
from openfelt.maths.parallel import Progress

Numbers = npt.NDArray[np.int64]
Values = Numbers
"""By class of hands and hold, the value in units of a common denominator."""


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
    final: FinalHands
    flushes: FlushCounts

    @property
    def holds(self) -> DrawHolds:
        """The classes of hands."""
        return self.ranks.holds

    @property
    def deals(self) -> int:
        """How many deals each hand has."""
        return self.final.deals

    @property
    def categories(self) -> npt.NDArray[np.int32]:
        """By class, hold and category of the final hand, the number of draws."""
        return self.final.categories

    def deals_that_end(self, categories: Sequence[Category]) -> Numbers:
        """By class and hold, the deals in which the player's hand ends in some categories."""
        return self.final.deals_that_end(categories)

    def rank_values(
        self, terms: DrawTerms, bonus: Mapping[Category, Fraction] | None = None
    ) -> tuple[Values, int]:
        """The value of every hold by ranks, and the factor that makes it a whole number.

        The payout for an unqualified dealer is left out, because it is the same for all holds of a
        hand. The Ante Bonus is exact, and so is the Bonus, whose nets in Antes are in `bonus`.
        Raises ValueError for odds that are too large, or too finely divided, to sum exactly, and
        for a qualifying hand other than a pair.
        """
        refuse_another_hand(terms)
        pays = {c: terms.ante_bonus.get(c, Fraction(0)) for c in Category}
        if bonus is not None:
            pays = {c: pay + bonus[c] for c, pay in pays.items()}
        scale = common_scale(pays)
        values = self.final.paid(pays, scale)
        values += scale * (self.ranks.results[:, :, WIN] - self.ranks.results[:, :, LOSE])
        return values, scale

    def limits(
        self, terms: DrawTerms, bonus: Mapping[Category, Fraction] | None = None
    ) -> HoldLimits:
        """The values of all holds, as far as ranks alone say; see `FinalHands.flush_limits`."""
        values, scale = self.rank_values(terms, bonus)
        least, most = self.final.flush_limits(self.house_way_ante.categories)
        least, most = values + scale * least, values + scale * most
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
                (hold for hold in held if exact[hold] == most), key=lambda hold: int(KEPT[hold])
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
        refuse_another_hand(terms)
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
    cards = tuple(ranks.holds.classes.deck.tolist())
    ante = count_house_way_ante(cards, workers=workers, progress=progress)
    final = final_hands(ranks.holds)
    return DrawSolution(ranks, ante, final, FlushCounts(ranks.holds.hands, cards))
