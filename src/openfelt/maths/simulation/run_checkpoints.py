"""Long simulations, saved periodically so that an interrupted run can continue.

The name of the file carries a hash of everything that the result depends on: the code, the table,
the strategy, the seed and the number of rounds. A finished run is kept, so that the same run is not
made twice. A file that is missing, truncated or altered is not used.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from openfelt.maths.content_hash import content_hash
from openfelt.maths.kernels import simulated_runs
from openfelt.maths.kernels.kernel_cache import cache_root, kernel_sources
from openfelt.maths.kernels.simulated_round import TableRecords
from openfelt.maths.simulation import run_sums
from openfelt.maths.simulation.run_sums import BatchSums, RunSums
from openfelt.maths.stored_counts import StoredCounts

BATCHES_IN_BLOCK: Final = 128
"""Batches between two checkpoints: some eight million rounds."""
KEPT_ROUNDS: Final = 20_000_000
"""Commands save runs of at least this many rounds, over all sessions, in the cache folder."""


@dataclass(slots=True)
class FinishedBatches:
    """The finished batches of a run, in any order, and their sums."""

    first: int = 0
    """The first batch that is not finished."""
    beyond: set[int] = field(default_factory=set)
    """Finished batches after that one, which other workers computed sooner."""
    sums: RunSums = field(default_factory=RunSums)

    @property
    def rounds(self) -> int:
        """The rounds of all finished batches: each was won, lost or even."""
        return int(self.sums.signs.sum())

    @property
    def batches(self) -> int:
        """How many batches are finished."""
        return self.first + len(self.beyond)

    def add(self, number: int, batch: BatchSums) -> None:
        """Add a batch."""
        self.sums.add(batch)
        self.beyond.add(number)
        while self.first in self.beyond:
            self.beyond.remove(self.first)
            self.first += 1

    def missing(self, batches: int) -> tuple[Sequence[int], Sequence[int]]:
        """The batches to be played: gaps between finished ones, and all after those."""
        end = max(self.beyond, default=self.first - 1) + 1
        gaps = [number for number in range(self.first, end) if number not in self.beyond]
        return gaps, range(end, batches)


def run_hash(records: TableRecords, *, seed: int, rounds: int) -> str:
    """A hash of everything that the result of a run depends on."""
    digest = hashlib.sha256(f"{seed} {rounds}".encode())
    for path in (*kernel_sources(str(simulated_runs.__file__)), Path(run_sums.__file__)):
        digest.update(path.read_bytes())
    for record in records:
        digest.update(record.tobytes())
    return digest.hexdigest()


def stored_sessions(
    records: TableRecords, plan: np.record, *, seed: int, sessions: int, block: int
) -> StoredCounts:
    """The files of a run of sessions, each with the ends of a number of sessions."""
    digest = run_hash(records, seed=seed, rounds=int(plan.rounds_max))
    question = f"{digest} {plan.tobytes().hex()} {sessions} {block}"
    return StoredCounts("sessions", [], question, packed=True)


class RunCheckpoint:
    """The file of one run."""

    def __init__(self, records: TableRecords, *, seed: int, rounds: int) -> None:
        digest = run_hash(records, seed=seed, rounds=rounds)
        self.path = cache_root() / "runs" / f"{digest[:32]}.json"

    def read(self) -> FinishedBatches:
        """The batches that are finished; none if there is no valid file."""
        try:
            stored = json.loads(self.path.read_text(encoding="utf-8"))
            content = stored["content"]
            if stored["sha256"] == content_hash(content):
                return FinishedBatches(
                    int(content["first"]),
                    {int(number) for number in content["beyond"]},
                    RunSums.of_json(content["sums"]),
                )
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return FinishedBatches()

    def write(self, finished: FinishedBatches) -> None:
        """Save the sums. If the disk cannot be written, the run continues without a checkpoint."""
        content = {
            "first": finished.first,
            "beyond": sorted(finished.beyond),
            "sums": finished.sums.as_json(),
        }
        beside = self.path.with_suffix(f".{os.getpid()}.part")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({"sha256": content_hash(content), "content": content})
            beside.write_text(text, encoding="utf-8")
            beside.replace(self.path)
        except OSError:
            with suppress(OSError):
                beside.unlink()
