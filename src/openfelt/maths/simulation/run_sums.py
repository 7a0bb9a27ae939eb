"""The sums of simulated rounds: of one batch, and of all batches so far."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.records import new_record
from openfelt.maths.kernels.simulated_round import FELT, TableRecords
from openfelt.maths.kernels.simulated_runs import (
    ROUNDS_IN_BATCH,
    SPLIT_BITS,
    TOTALS,
    simulate_batch,
)
from openfelt.maths.kernels.simulated_settlement import BOOKS, LINES

Numbers = npt.NDArray[np.int64]
_ARRAYS: Final = ("staked", "net", "results", "signs", "decisions")


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchSums:
    """The totals of one batch, with the histogram as a dictionary."""

    rounds: int
    staked: Numbers
    net: Numbers
    results: Numbers
    signs: Numbers
    square_sum: int
    unlisted: int
    decisions: Numbers
    nets: dict[int, int]


def play_batch(records: TableRecords, seed: int, rounds: int, batch: int) -> BatchSums:
    """Play one batch of a run; the last one may be smaller than the others."""
    felt, books, totals = new_record(FELT), new_record(BOOKS), new_record(TOTALS)
    played = min(ROUNDS_IN_BATCH, rounds - batch * ROUNDS_IN_BATCH)
    simulate_batch(np.uint64(seed), np.uint64(batch), played, records, felt, books, totals)
    used = np.nonzero(totals.net_counts)[0]
    high, mixed, low = totals.square_parts.tolist()
    return BatchSums(
        rounds=played,
        staked=totals.staked,
        net=totals.net,
        results=totals.results,
        signs=totals.signs,
        square_sum=(high << 2 * SPLIT_BITS) + (mixed << SPLIT_BITS + 1) + low,
        unlisted=int(totals.unlisted),
        decisions=felt.decisions,
        nets=dict(zip(totals.nets[used].tolist(), totals.net_counts[used].tolist(), strict=True)),
    )


class RunSums:
    """The totals of all batches so far, in Python integers."""

    def __init__(self) -> None:
        self.staked = np.zeros((2, LINES), dtype=object)
        self.net = np.zeros((2, LINES), dtype=object)
        self.results = np.zeros((2, LINES, 5), dtype=object)
        self.signs = np.zeros(3, dtype=object)
        self.decisions = np.zeros((3, 101), dtype=object)
        self.square_sum = 0
        self.nets: Counter[int] = Counter()
        self.unlisted = 0

    def add(self, batch: BatchSums) -> None:
        """Add a batch; the order of batches does not matter."""
        for name in _ARRAYS:
            setattr(self, name, getattr(self, name) + getattr(batch, name).astype(object))
        self.square_sum += batch.square_sum
        self.nets.update(batch.nets)
        self.unlisted += batch.unlisted

    def as_json(self) -> dict[str, Any]:
        """The sums as plain whole numbers."""
        return {
            **{name: getattr(self, name).tolist() for name in _ARRAYS},
            "square_sum": self.square_sum,
            "nets": sorted(self.nets.items()),
            "unlisted": self.unlisted,
        }

    @classmethod
    def of_json(cls, stored: dict[str, Any]) -> "RunSums":
        """Read sums back; raises ValueError, KeyError or TypeError for invalid data."""
        sums = cls()
        for name in _ARRAYS:
            shape = getattr(sums, name).shape
            setattr(sums, name, np.array(stored[name], dtype=object).reshape(shape))
        sums.square_sum = int(stored["square_sum"])
        sums.nets = Counter({int(net): int(count) for net, count in stored["nets"]})
        sums.unlisted = int(stored["unlisted"])
        return sums
