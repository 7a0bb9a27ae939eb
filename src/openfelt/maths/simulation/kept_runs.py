"""Shipped results of long simulations: their exact sums, with a hash.

A run belongs to the rule data with its fingerprint. `tests/maths/simulation/test_kept_runs.py`
plays the first batch of each again, so a run that the code no longer reproduces is noticed.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from openfelt.maths.content_hash import content_hash
from openfelt.maths.kernels.simulated_runs import ROUNDS_IN_BATCH
from openfelt.maths.simulation.rounds import Simulation, WagerTotals

_FILE: Final = "kept_runs.json"


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A shipped run."""

    run: Simulation
    """The run; its histogram is not kept."""
    software: str
    """The program and version that made it."""
    sha256: str
    """The SHA-256 of all its stored data."""
    first_batch: Mapping[str, int]
    """The net result and the sum of squares of its first rounds alone."""


def keep_run(run: Simulation, first_batch: Simulation, *, software: str) -> dict[str, Any]:
    """A run as the file stores it; `first_batch` is the same run with one batch of rounds."""
    if first_batch.rounds != ROUNDS_IN_BATCH:
        raise ValueError(f"a batch has {ROUNDS_IN_BATCH} rounds, not {first_batch.rounds}")
    content = {
        **asdict(run),
        "decisions": dict(run.decisions),
        "histogram": [],
        "histogram_unlisted": run.rounds,
        "software": software,
        "first_batch": {
            "rounds": first_batch.rounds,
            "net_cents": first_batch.net_cents,
            "square_sum": first_batch.square_sum,
        },
    }
    plain: dict[str, Any] = json.loads(json.dumps(content))
    return {"sha256": content_hash(plain), "content": plain}


def read_kept(stored: Mapping[str, Any]) -> KeptRun:
    """Read a run from the file; raises ValueError if its hash does not match."""
    content = dict(stored["content"])
    if content_hash(content) != stored["sha256"]:
        raise ValueError(f"the kept run of {content.get('house')} has been altered")
    software, first_batch = content.pop("software"), content.pop("first_batch")
    wagers = tuple(WagerTotals(**totals) for totals in content.pop("wagers"))
    run = Simulation(**content | {"wagers": wagers, "histogram": ()})
    return KeptRun(run, software, stored["sha256"], first_batch)


@cache
def kept_runs() -> Sequence[KeptRun]:
    """All shipped runs."""
    text = files("openfelt.maths.simulation").joinpath(_FILE).read_text(encoding="utf-8")
    return tuple(read_kept(stored) for stored in json.loads(text)["runs"])


def find_kept_run(fingerprint: str) -> KeptRun | None:
    """The shipped run of the rule data with this fingerprint, if there is one."""
    return next((kept for kept in kept_runs() if kept.run.fingerprint == fingerprint), None)
