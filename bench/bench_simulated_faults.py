"""A long sweep of the seeded simulator: tables, store, clock, terminals and every fault.

``OPENFELT_SEEDS`` sets the number of seeds, ``OPENFELT_FIRST_SEED`` the first of them, and
``OPENFELT_STEPS`` the steps of each. A failure prints its seed and the command that repeats it.
"""

import os
import sys
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.simulation.failure import SimulationFailure
from tests.simulation.simulation import STEPS, run_seed
from tests.simulation.tally import Tally

SEEDS = 80


def main() -> None:
    """Run the seeds, and print the number of rounds, crashes and faults of each kind."""
    seeds = int(os.environ.get("OPENFELT_SEEDS", SEEDS))
    first = int(os.environ.get("OPENFELT_FIRST_SEED", "100000"))
    steps = int(os.environ.get("OPENFELT_STEPS", STEPS))
    tally, failures = Tally(), []
    wall, cpu = time.perf_counter(), time.process_time()
    with _progress() as bar:
        task = bar.add_task("seeds", total=seeds, rounds=0, crashes=0)
        for seed in range(first, first + seeds):
            try:
                tally.take_in(run_seed(seed, steps=steps))
            except SimulationFailure as failure:
                failures.append(failure)
                bar.console.print(str(failure), markup=False, highlight=False)
            rounds, crashes = _rounds(tally), _crashes(tally)
            bar.update(task, advance=1, rounds=rounds, crashes=crashes)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print("\n".join(tally.lines()))
    print()
    print(f"{tally['seeds']:,} seeds from {first} on, {steps:,} steps each")
    print(f"{_rounds(tally):,} rounds, {_rounds(tally) / wall * 60:,.0f} a minute")
    print(f"{_rounds(tally) / cpu * 60:,.0f} rounds a minute of processor time")
    print(f"{_crashes(tally):,} crashes, {tally.starting('power lost'):,} losses of power")
    if failures:
        print(f"{len(failures)} seeds failed.")
        sys.exit(1)
    print("Nothing was violated.")


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rounds]:,} rounds, {task.fields[crashes]:,} crashes"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


def _rounds(tally: Tally) -> int:
    return tally["rounds settled"] + tally["rounds voided"]


def _crashes(tally: Tally) -> int:
    return tally.starting("crash ") + tally["process killed"]


if __name__ == "__main__":
    main()
