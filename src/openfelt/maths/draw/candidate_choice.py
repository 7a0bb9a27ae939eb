"""Which holds of Ultimate Draw become candidates, and their counts.

The best holds for some payouts are candidates, and so is every other hold that the counts so far
do not rule out for some further payouts.
"""

from collections.abc import Sequence

import numpy as np

from openfelt.maths.draw.candidate_counts import (
    STANDING_FLUSH,
    CandidateCounts,
    SolvedPays,
    Steps,
    bound_columns,
    ranks_of,
    step_of,
)
from openfelt.maths.draw.candidate_values import CandidateValues
from openfelt.maths.draw.draw_solution import DrawSolution
from openfelt.maths.draw.final_hands import Numbers, Pays
from openfelt.maths.draw.flush_counts import Wanted
from openfelt.maths.draw.holds import Holds
from openfelt.maths.kernels.hold_results import LOSE, WIN
from openfelt.maths.parallel import Progress

_STEPS_LEAST = -(2**15)


def count_candidates(
    solution: DrawSolution,
    solved: Sequence[SolvedPays],
    further: Sequence[Pays] = (),
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> CandidateCounts:
    """Count the best holds for the payouts that are solved, and solve the further ones.

    Counts are stored, and an interrupted count continues where it stopped.
    """
    choice = _Choice(solution, workers, progress)
    for solved_pays in solved:
        choice.add_best(solved_pays.holds)
    counts = choice.counts(solved)
    for pays in further:
        choice.add(choice.values(counts).undecided(pays))
        best = choice.values(choice.counts(counts.solved)).gain_limits(pays, spot_classes=0)
        choice.add_best(best.holds)
        counts = choice.counts([*counts.solved, SolvedPays(pays, best.holds)])
    return counts


class _Choice:
    """The candidates so far."""

    def __init__(
        self, solution: DrawSolution, workers: int | None, progress: Progress | None
    ) -> None:
        self._solution, self._workers, self._progress = solution, workers, progress
        self._house_way = solution.holds.house_way
        results = solution.ranks.results
        self._by_ranks: Numbers = results[:, :, WIN] - results[:, :, LOSE]
        self._wanted: dict[int, set[int]] = {}

    def add_best(self, holds: Holds) -> None:
        """Make the best holds for some payouts candidates."""
        rows = np.flatnonzero(holds != self._house_way).tolist()
        self.add({row: [int(holds[row])] for row in rows})

    def add(self, wanted: Wanted) -> None:
        """Make some holds candidates."""
        for row, holds in wanted.items():
            self._wanted.setdefault(row, {int(self._house_way[row])}).update(holds)

    def values(self, counts: CandidateCounts) -> CandidateValues:
        """The values of all holds, with closer bounds than the file can keep."""
        solution = self._solution
        often = solution.house_way_ante.categories
        return CandidateValues(counts, solution.final, often, by_ranks=self._by_ranks)

    def counts(self, solved: Sequence[SolvedPays]) -> CandidateCounts:
        """Count the candidates, and bound everything else."""
        wanted = {row: sorted(holds) for row, holds in self._wanted.items()}
        changes = self._solution.flushes.count(
            wanted, workers=self._workers, progress=self._progress
        )
        net = {
            (row, hold): int(self._by_ranks[row, hold]) + win - lose
            for (row, hold), (win, lose) in changes.items()
        }
        own = {row: net[row, int(self._house_way[row])] for row in wanted}
        keys = sorted((row, hold) for row, hold in net if hold != self._house_way[row])
        return CandidateCounts(
            rows=np.array([row for row, _ in keys], dtype=np.int64),
            held=np.array([hold for _, hold in keys], dtype=np.uint8),
            gains=np.array([net[row, hold] - own[row] for row, hold in keys], dtype=np.int64),
            solved=tuple(solved),
            house_way_least=self._house_way_least(own),
            ranks_most=self._ranks_most(),
        )

    def _house_way_least(self, own: dict[int, int]) -> Steps:
        """By class, in steps: exact where the flushes of the house way are counted."""
        every = np.arange(len(self._house_way))
        flushes = self._solution.final.flush_limits(self._solution.house_way_ante.categories)[0]
        least = (self._by_ranks + flushes)[every, self._house_way]
        least[list(own)] = list(own.values())
        # No hold loses more than every deal, and what all holds lose alike is left out.
        least = np.maximum(least, -self._solution.deals)
        steps: Steps = np.floor_divide(least, step_of(self._solution.deals)).astype(np.int16)
        return steps

    def _ranks_most(self) -> Steps:
        """By ranks and hold, in steps: the most of all suits."""
        number, different = ranks_of(self._solution.holds)
        columns = bound_columns(self._solution.holds)
        most = np.full((different, STANDING_FLUSH + 1), _STEPS_LEAST, dtype=np.int64)
        steps = -(-self._by_ranks // step_of(self._solution.deals))
        np.maximum.at(most, (np.broadcast_to(number[:, None], columns.shape), columns), steps)
        return most.astype(np.int16)
