"""A long sweep of the seeded simulation of several processes: workers, gateways, a lossy bus.

``OPENFELT_SEEDS`` sets the number of seeds, ``OPENFELT_FIRST_SEED`` the first of them. A failure
prints its seed. Run it with ``PYTHONHASHSEED=0`` to repeat a seed exactly.
"""

import os
import sys
import time

from tests.simulation.cluster.cluster_simulation import run_seed
from tests.simulation.failure import SimulationFailure
from tests.simulation.tally import Tally

SEEDS = 1000


def main() -> None:
    """Run the seeds, and print what has happened in them."""
    seeds = int(os.environ.get("OPENFELT_SEEDS", SEEDS))
    first = int(os.environ.get("OPENFELT_FIRST_SEED", "100000"))
    tally, failed, began = Tally(), 0, time.process_time()
    for seed in range(first, first + seeds):
        try:
            tally.take_in(run_seed(seed))
        except SimulationFailure as failure:
            failed += 1
            print(failure, flush=True)
    print("\n".join(tally.lines()))
    spent = time.process_time() - began
    print(f"{seeds:,} seeds from {first} on, {spent / seeds:.2f} s of processor time each")
    if failed:
        print(f"{failed} seeds failed.")
        sys.exit(1)
    print("Nothing was violated.")


if __name__ == "__main__":
    main()
