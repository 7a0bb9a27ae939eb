"""A million rounds of all houses, settled a second time by the laboratory's own referee.

Each seed has rounds of every house: most stand ready and are only settled, some are played by the
rules step by step, and a few at a table with a worker and a store, where every account of the
ledger is compared as well. ``OPENFELT_ROUNDS`` sets the number of rounds, ``OPENFELT_FIRST_SEED``
the first seed and ``OPENFELT_WORKERS`` the number of processes. A run that was interrupted says
with which seed it goes on. A disagreement is printed with its seed and the whole round.
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.laboratory.felt_rounds import check_felt_rounds
from tests.laboratory.floor_rounds import check_floor_rounds
from tests.laboratory.product_houses import HOUSES
from tests.laboratory.ready_rounds import check_ready_rounds
from tests.laboratory.tally import Tally

ROUNDS = 1_000_000
READY_ROUNDS = 1920
FELT_ROUNDS = 70
FLOOR_ROUNDS = 10
PER_SEED = (READY_ROUNDS + FELT_ROUNDS + FLOOR_ROUNDS) * len(HOUSES)
IN_MEMORY = Path("/dev/shm")
"""Where a store is kept in memory, if the system has such a folder: no round waits for a disk."""


def main() -> None:
    """Check the rounds, and print how many of what were checked."""
    rounds = int(os.environ.get("OPENFELT_ROUNDS", ROUNDS))
    first = int(os.environ.get("OPENFELT_FIRST_SEED", "1"))
    workers = int(os.environ.get("OPENFELT_WORKERS", os.cpu_count() or 1))
    seeds = range(first, first - (-rounds // PER_SEED))
    print(f"seeds {seeds[0]} to {seeds[-1]}, {PER_SEED:,} rounds of {len(HOUSES)} houses each")
    tally, problems, began = Tally(), list[str](), time.perf_counter()
    next_seed = first
    try:
        for checked, found in _checked(seeds, workers):
            tally.add(checked)
            problems += found
            next_seed += 1
    except KeyboardInterrupt:
        print(f"Interrupted. OPENFELT_FIRST_SEED={next_seed} goes on.")
    print(f"{tally.rounds:,} rounds, {tally.lines:,} lines, {tally.accounts:,} changes of accounts")
    for what, count in sorted(tally.seen.items()):
        print(f"  {what:24} {count:>12,}")
    print(f"{tally.rounds / (time.perf_counter() - began):,.0f} rounds a second")
    if problems:
        print("\n\n".join(problems))
        sys.exit(f"{len(problems)} disagreements.")
    print("The laboratory and the program agree on all of them.")


def _checked(seeds: range, workers: int) -> Iterator[tuple[Tally, list[str]]]:
    """What comes of each seed, in order."""
    bar = Progress(
        TextColumn("seeds"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    pool = ProcessPoolExecutor(workers)
    waiting: list[Future[tuple[Tally, list[str]]]] = [
        pool.submit(check_seed, seed) for seed in seeds
    ]
    try:
        with bar:
            task = bar.add_task("seeds", total=len(seeds))
            for future in waiting:
                yield future.result()
                bar.advance(task)
    finally:
        pool.shutdown(cancel_futures=True)


def check_seed(seed: int) -> tuple[Tally, list[str]]:
    """Check the rounds of one seed; gives what was checked, and every disagreement."""
    tally, problems = Tally(), []
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        for name in HOUSES:
            try:
                tally.add(check_ready_rounds(name, seed, READY_ROUNDS))
                tally.add(check_felt_rounds(name, seed, FELT_ROUNDS))
                tally.add(check_floor_rounds(Path(folder), name, seed, FLOOR_ROUNDS))
            except (AssertionError, ValueError) as problem:
                problems.append(f"seed {seed}, {name}: {problem}")
    return tally, problems


if __name__ == "__main__":
    main()
