"""Make the seeded run of a house's par sheet and keep it with the program.

Run it as `python -m tools.kept_runs washington draw`. It plays 500 million rounds of each house,
with checkpoints: an interrupted run goes on where it stopped. The result replaces the kept run of
the same house.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from openfelt.catalog import load_house
from openfelt.cli.par_sheets.run_plans import house_plan
from openfelt.cli.par_sheets.seeded_run import LABORATORY_ROUNDS, play_run
from openfelt.maths.kernels.simulated_runs import ROUNDS_IN_BATCH
from openfelt.maths.simulation import kept_runs

FILE = Path(kept_runs.__file__).with_name("kept_runs.json")


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the run of each house that is named, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("houses", nargs="+")
    parser.add_argument("--rounds", type=int, default=LABORATORY_ROUNDS)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    for name in given.houses:
        house = load_house(name)
        plan = house_plan(house)
        run, batch = (
            play_run(house, plan.strategy, plan.exact, rounds=rounds, seed=given.seed)
            for rounds in (given.rounds, ROUNDS_IN_BATCH)
        )
        kept = kept_runs.keep_run(run, batch, software=f"openfelt {version('openfelt')}")
        stored = json.loads(FILE.read_text(encoding="utf-8"))
        others = [other for other in stored["runs"] if other["content"]["house"] != name]
        stored["runs"] = sorted([*others, kept], key=lambda entry: str(entry["content"]["house"]))
        FILE.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
        sys.stdout.write(f"Kept {run.rounds:,} rounds of {name}: {kept['sha256']}\n")


if __name__ == "__main__":
    main()
