"""Runs seeds of the simulator: ``.venv/bin/python -m tests.simulation --seed 4711``."""

# ruff: noqa: T201

import argparse
import sys
import time
import traceback

from tests.simulation.failure import SimulationFailure
from tests.simulation.simulation import STEPS, run_seed
from tests.simulation.tally import Tally


def main() -> int:
    """Run the seeds that the command line asks for, and print what they did."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds, one after another")
    parser.add_argument("--steps", type=int, default=STEPS, help="how many steps each seed takes")
    parser.add_argument("--verbose", action="store_true", help="print what happens to stderr")
    parser.add_argument("--quiet", action="store_true", help="print no rate, which varies")
    asked = parser.parse_args()
    trace = _to_stderr if asked.verbose else None
    tally, started, failed = Tally(), time.perf_counter(), 0
    for seed in range(asked.seed, asked.seed + asked.seeds):
        try:
            run = run_seed(seed, steps=asked.steps, trace=trace)
        except SimulationFailure as failure:
            failed += 1
            print(failure, file=sys.stderr)
            if failure.__cause__ is not None and asked.seeds == 1:
                traceback.print_exception(failure.__cause__)
        else:
            tally.take_in(run)
            if asked.seeds == 1:
                print(f"record {run.fingerprint}")
    print("\n".join(tally.lines()))
    rounds = tally["rounds settled"] + tally["rounds voided"]
    minutes = (time.perf_counter() - started) / 60
    if not asked.quiet:
        print(f"{rounds / minutes:,.0f} rounds a minute")
    return 1 if failed else 0


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
