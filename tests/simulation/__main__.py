"""Runs seeds of the simulator: ``.venv/bin/python -m tests.simulation --seed 4711``."""

import argparse
import sys
import time

from tests.simulation.failure import SimulationFailure
from tests.simulation.simulation import STEPS, run_seed
from tests.simulation.tally import Tally


def main() -> int:
    """Run the seeds that the command line asks for, and print what they did."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds, one after another")
    parser.add_argument("--steps", type=int, default=STEPS, help="how many steps each seed takes")
    parser.add_argument("--verbose", action="store_true", help="print every step to stderr")
    asked = parser.parse_args()
    tally, started, failed = Tally(), time.perf_counter(), 0
    for seed in range(asked.seed, asked.seed + asked.seeds):
        try:
            tally.take_in(run_seed(seed, steps=asked.steps))
        except SimulationFailure as failure:
            failed += 1
            print(failure, file=sys.stderr)
            if failure.__cause__ is not None and asked.seeds == 1:
                raise
    print("\n".join(tally.lines()))
    rounds = tally["rounds settled"] + tally["rounds voided"]
    minutes = (time.perf_counter() - started) / 60
    print(f"{rounds / minutes:,.0f} rounds a minute")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
