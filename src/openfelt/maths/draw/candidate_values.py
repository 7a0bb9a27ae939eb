"""Best play of Ultimate Draw for any payouts, from the counts of the candidates.

A hold that is no candidate has bounds. Where they leave it a chance to be the best, it is counted
now, or the value of best play has a lower and an upper bound.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.draw.candidate_counts import (
    CandidateCounts,
    bound_columns,
    kept_candidates,
    ranks_of,
    step_of,
)
from openfelt.maths.draw.final_hands import (
    KEPT,
    FinalHands,
    Numbers,
    Pays,
    common_scale,
    final_hands,
)
from openfelt.maths.draw.flush_counts import FlushCounts, Wanted
from openfelt.maths.draw.holds import Holds, draw_holds
from openfelt.maths.draw.spot_counts import spot_kind
from openfelt.maths.draw.strategy_counts import StrategyCounts, usual_counts
from openfelt.maths.parallel import Progress

SPOT_CLASSES: Final = 200
"""How many classes are counted without being asked for; a second or less each."""
_NEVER: Final = -(2**62)


@dataclass(frozen=True, slots=True)
class BestGainLimits:
    """The gain of the best holds over the house way, or its bounds."""

    least: Fraction
    most: Fraction
    holds: Holds
    """The best candidate of every class."""
    counted: int
    """How many classes had to be counted beside what is kept."""
    undecided: int
    """In how many classes another hold than a candidate may be the best."""

    @property
    def exact(self) -> bool:
        """Whether nothing is left open."""
        return self.undecided == 0


@dataclass(frozen=True)
class _Values:
    """By class and hold, what it is worth more than the house way; in parts of a deal."""

    scale: int
    values: Numbers
    """Exact for candidates, and below all else for other holds."""
    most: Numbers
    """Upper bounds for other holds, and below all else for candidates."""

    def undecided(self) -> dict[int, list[int]]:
        """The holds, by class, that may be better than the best candidate."""
        above = self.most > self.values.max(axis=1, keepdims=True)
        rows = np.flatnonzero(above.any(axis=1))
        return {int(row): np.flatnonzero(above[row]).tolist() for row in rows}


class CandidateValues:
    """The value of any hold of any class of a deck, for any payouts."""

    def __init__(
        self,
        counts: CandidateCounts,
        final: FinalHands,
        often: Pays,
        *,
        by_ranks: Numbers | None = None,
    ) -> None:
        """`often` is how often a hand that holds the house way ends in each category.

        `by_ranks` has wins less losses of every hold by ranks, where they are at hand; they give
        closer bounds than the kept ones.
        """
        self._counts, self._final, self._often = counts, final, often
        self._by_ranks = by_ranks
        self._house_way = final.holds.house_way
        self._every = np.arange(len(self._house_way))
        self._priced: dict[tuple[Fraction | int | None, ...], BestGainLimits] = {}
        """What was priced before: a report asks for the same gain more than once."""
        self._spot = FlushCounts(
            final.holds.hands, tuple(final.holds.classes.deck.tolist()), spot_kind()
        )

    @cached_property
    def _kept(self) -> tuple[Numbers, npt.NDArray[np.bool_]]:
        """The gains of all candidates by class and hold, the house way among them."""
        gains, kept = self._counts.gain_table(len(self._house_way))
        kept[self._every, self._house_way] = True
        return gains, kept

    @cached_property
    def _most(self) -> Numbers:
        """By class and hold, an upper bound of wins less losses above those of the house way."""
        most = self._most_by_ranks()
        gains = self._kept[0]
        for solved in self._counts.solved:
            scale = common_scale(solved.pays)
            paid = self._above(self._final.paid(solved.pays, scale))
            best = scale * gains[self._every, solved.holds] + paid[self._every, solved.holds]
            np.minimum(most, (best[:, None] - paid) // scale, out=most)
        # Lower ones are never needed: no hold gains less than this.
        result: Numbers = np.maximum(most, -2 * self._final.deals)
        return result

    def _most_by_ranks(self) -> Numbers:
        step, by_ranks = step_of(self._final.deals), self._by_ranks
        if by_ranks is None:
            number, _ = ranks_of(self._final.holds)
            columns = bound_columns(self._final.holds)
            by_ranks = self._counts.ranks_most[number[:, None], columns].astype(np.int64) * step
        own = self._counts.house_way_least.astype(np.int64)[:, None] * step
        most: Numbers = by_ranks - own + self._final.flush_limits(self._often)[1]
        return most

    def gain_limits(
        self,
        pays: Pays,
        *,
        spot_classes: int | None = SPOT_CLASSES,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> BestGainLimits:
        """What the best holds gain on the house way, where final hands pay so much, in Antes.

        Other holds than candidates are counted if they may be the best in `spot_classes` classes at
        most, or in any number of classes with None. Raises ValueError for payouts that are too
        large, or too finely divided, to sum exactly.
        """
        asked = (*(pays[category] for category in Category), spot_classes)
        if asked not in self._priced:
            self._priced[asked] = self._limits(pays, spot_classes, workers, progress)
        return self._priced[asked]

    def _limits(
        self, pays: Pays, spot_classes: int | None, workers: int | None, progress: Progress | None
    ) -> BestGainLimits:
        values = self._values(pays)
        open_holds = values.undecided()
        counted = 0
        if open_holds and (spot_classes is None or len(open_holds) <= spot_classes):
            self._count(values, pays, open_holds, workers, progress)
            counted, open_holds = len(open_holds), {}
        best = values.values.max(axis=1)
        most = np.maximum(best, values.most.max(axis=1)) if open_holds else best
        return BestGainLimits(
            least=self._mean(best, values.scale),
            most=self._mean(most, values.scale),
            holds=self._chosen(values.values, best),
            counted=counted,
            undecided=len(open_holds),
        )

    def undecided(self, pays: Pays) -> Wanted:
        """The holds, by class, that are no candidates and may be the best for these payouts."""
        return self._values(pays).undecided()

    def uncounted(self, holds: Holds) -> Wanted:
        """The holds of a strategy, by class, that are no candidates."""
        rows = np.flatnonzero(~self._kept[1][self._every, holds])
        return {int(row): [int(holds[row])] for row in rows}

    def gain(
        self,
        holds: Holds,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Fraction:
        """Wins less losses of a strategy above those of the house way, on average.

        Those of its holds that are no candidates are counted, a second or less for each class.
        """
        gains = self._kept[0][self._every, holds].copy()
        wanted = self.uncounted(holds)
        for (row, _), gain in self._spot_gains(wanted, workers, progress).items():
            gains[row] = gain
        return self._mean(gains, 1)

    def _values(self, pays: Pays) -> _Values:
        scale = common_scale(pays)
        gains, kept = self._kept
        paid = self._above(self._final.paid(pays, scale))
        values = np.where(kept, scale * gains + paid, _NEVER)
        return _Values(scale, values, np.where(kept, _NEVER, scale * self._most + paid))

    def _above(self, paid: Numbers) -> Numbers:
        """What is paid beyond what the house way is paid."""
        above: Numbers = paid - paid[self._every, self._house_way][:, None]
        return above

    def _count(
        self,
        values: _Values,
        pays: Pays,
        wanted: Wanted,
        workers: int | None,
        progress: Progress | None,
    ) -> None:
        """Replace bounds by exact values."""
        paid = self._above(self._final.paid(pays, values.scale))
        for (row, hold), gain in self._spot_gains(wanted, workers, progress).items():
            values.values[row, hold] = values.scale * gain + paid[row, hold]
            values.most[row, hold] = _NEVER

    def _spot_gains(
        self, wanted: Wanted, workers: int | None, progress: Progress | None
    ) -> dict[tuple[int, int], int]:
        """Wins less losses of some holds above those of the house way, counted now."""
        own = {row: int(self._house_way[row]) for row in wanted}
        asked = {row: sorted({*holds, own[row]}) for row, holds in wanted.items()}
        counted = self._spot.count(asked, workers=workers, progress=progress) if asked else {}
        net = {key: win - lose for key, (win, lose) in counted.items()}
        return {
            (row, hold): net[row, hold] - net[row, own[row]]
            for row, holds in wanted.items()
            for hold in holds
        }

    def _chosen(self, values: Numbers, best: Numbers) -> Holds:
        """The best hold of every class; of equal ones, the one that keeps the most cards."""
        order = np.argsort(-KEPT, kind="stable")
        first = (values == best[:, None])[:, order].argmax(axis=1)
        chosen: Holds = order[first].astype(np.uint8)
        return chosen

    def _mean(self, by_class: Numbers, scale: int) -> Fraction:
        """The mean over all hands, in Antes."""
        counts = self._final.holds.classes.hands.counts
        total = sum(
            value * count for value, count in zip(by_class.tolist(), counts.tolist(), strict=True)
        )
        return Fraction(total, scale * self._final.deals * int(counts.sum()))


@cache
def candidate_values() -> CandidateValues:
    """The values of the full deck; some seconds, the first time in a process."""
    final = final_hands(draw_holds())
    return CandidateValues(kept_candidates(), final, usual_counts().house_way.final)


def count_from_candidates(
    holds: Holds, *, name: str, title: str, progress: Progress | None = None
) -> StrategyCounts | None:
    """Count the results of these holds with 52 cards; None if too many are no candidates."""
    values, every, house_way = candidate_values(), draw_holds(), usual_counts().house_way
    if len(values.uncounted(holds)) > SPOT_CLASSES:
        return None
    final, counts = every.categories(holds), every.classes.hands.counts
    differing = int(counts[holds != every.house_way].sum())
    return StrategyCounts(
        name=name,
        title=title,
        unqualified=house_way.unqualified,
        win_less_lose=house_way.win_less_lose + values.gain(holds, progress=progress),
        final={category: Fraction(final[category], every.draws) for category in Category},
        differs=Fraction(differing, int(counts.sum())),
    )
