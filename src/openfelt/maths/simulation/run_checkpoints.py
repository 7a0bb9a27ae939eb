"""Long simulations, kept on disk block by block: an interrupted run goes on where it stopped.

The name of the file carries a hash of everything that the result depends on: the code, the table,
the strategy, the seed and the number of rounds. A finished run stays there, so that the same run is
not made twice. A file that is missing, cut short or altered is not used.
"""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from openfelt.maths.kernels import simulated_runs
from openfelt.maths.kernels.kernel_cache import cache_root, kernel_sources
from openfelt.maths.kernels.simulated_round import TableRecords
from openfelt.maths.simulation import run_sums
from openfelt.maths.simulation.run_sums import RunSums

BATCHES_IN_BLOCK: Final = 128
"""Batches between two checkpoints: some eight million rounds."""


def run_hash(records: TableRecords, *, seed: int, rounds: int) -> str:
    """A hash of everything that the result of a run depends on."""
    digest = hashlib.sha256(f"{seed} {rounds}".encode())
    for path in (*kernel_sources(str(simulated_runs.__file__)), Path(run_sums.__file__)):
        digest.update(path.read_bytes())
    for record in records:
        digest.update(record.tobytes())
    return digest.hexdigest()


class RunCheckpoint:
    """The file of one run."""

    def __init__(self, records: TableRecords, *, seed: int, rounds: int) -> None:
        digest = run_hash(records, seed=seed, rounds=rounds)
        self.path = cache_root() / "runs" / f"{digest[:32]}.json"

    def read(self) -> tuple[int, RunSums]:
        """How many batches are done, and their sums."""
        try:
            stored = json.loads(self.path.read_text(encoding="utf-8"))
            content = stored["content"]
            if stored["sha256"] == content_hash(content):
                return int(content["batches"]), RunSums.of_json(content["sums"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return 0, RunSums()

    def write(self, batches: int, sums: RunSums) -> None:
        """Keep the sums. A disk that cannot be written costs time later, and nothing now."""
        content = {"batches": batches, "sums": sums.as_json()}
        beside = self.path.with_suffix(f".{os.getpid()}.part")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({"sha256": content_hash(content), "content": content})
            beside.write_text(text, encoding="utf-8")
            beside.replace(self.path)
        except OSError:
            with suppress(OSError):
                beside.unlink()


def content_hash(content: dict[str, Any]) -> str:
    """The SHA-256 of JSON with sorted keys and without spaces."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
