"""A few seeds of the simulator in every build; whole groups of them are sweeps, with a look that
they were not blind.

The long sweep is a benchmark: ``make bench ARGS=simulated_faults``.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.repository import ROOT
from tests.simulation.failure import SimulationFailure, repeat_command, require
from tests.simulation.simulation import run_seed
from tests.simulation.tally import Tally

GROUPS = 2
SEEDS_LEAST, SEEDS_MOST = 5, 20
STEPS = 4000
SHORT_SEEDS = (1, 2)
SHORT_STEPS = 2000

MUST_HAPPEN = (
    "crash before commit",
    "crash after commit",
    "crash before leasing",
    "crash after leasing",
    "crash before reading",
    "power lost",
    "last commit gone",
    "last commit whole",
    "outcome unknown, written",
    "outcome unknown, not written",
    "outcome unknown, still under way",
    "lost commit carried out later",
    "lost commit came too late, Fenced",
    "disk full",
    "store gone",
    "shuffler failed",
    "process killed",
    "process killed after a jump of the wall clock",
    "process stalled",
    "table handed over",
    "message while two processes run a table",
    "stale holder fenced",
    "stale holder saw",
    "clock jumped back",
    "clock jumped forward",
    "clock went on after an outage",
    "a month passed",
    "round expired",
    "message lost",
    "message doubled",
    "message delayed",
    "message overtaken",
    "command sent again",
    "command answered again",
    "id used for another command",
    "id that is none",
    "batch of several commands",
    "terminal vanished, between rounds",
    "terminal vanished, playing",
    "terminal vanished, wagering",
    "terminal vanished with a command unanswered",
    "dealer decides for an absent player",
    "card corrected",
    "seed revealed",
    "seed withheld",
    "card scanned twice",
    "voided while bets were open",
    "voided while cards were dealt",
    "voided before the flop",
    "voided on the flop",
    "voided on the river",
    "voided before it was confirmed",
    "pit: IrregularityDeclared",
    "pit: AdjustmentProposed",
    "pit: AdjustmentMade",
    "pit: AdjustmentRejected",
    "pit: StubCounted",
    "pit: BetsReopened",
    "dealer handed over",
    "link: PauseLink",
    "link: ResumeLink",
    "link: ChangeRates",
    "link changed by another process",
    "conflict on a link",
    "share of a jackpot won",
    "link folded by another process",
    "wallet emptied meanwhile",
    "bank ran out",
    "bank passed on by the clock",
    "rounds settled, california",
    "rounds settled, draw",
    "rounds settled, online",
    "rounds settled, stadium",
    "rounds settled, washington",
)
"""What every group of seeds has to have seen. A group in which one is missing was blind."""


def test_a_seed_leaves_the_keys_of_the_person_who_runs_it_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENFELT_KEYS")
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    run_seed(1, steps=100)
    assert not [*tmp_path.iterdir()]


def test_a_few_seeds_find_nothing() -> None:
    """What every change is tried with; ``make bench ARGS=sweeps`` runs whole groups of seeds."""
    tally = Tally()
    for seed in SHORT_SEEDS:
        tally.take_in(run_seed(seed, steps=SHORT_STEPS))
    assert tally["rounds settled"] > 20
    assert len(MUST_HAPPEN) - len(tally.missing(MUST_HAPPEN)) > len(MUST_HAPPEN) // 2


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("group", range(GROUPS))
def test_a_sweep_finds_nothing_and_misses_nothing(group: int) -> None:
    """A group goes on until it has seen everything; the seeds of two groups differ."""
    tally = Tally()
    for number in range(SEEDS_MOST):
        if number >= SEEDS_LEAST and not tally.missing(MUST_HAPPEN):
            break
        tally.take_in(run_seed(1 + group + GROUPS * number, steps=STEPS))
    print("\n".join(tally.lines()))  # noqa: T201
    assert tally.missing(MUST_HAPPEN) == []
    assert tally["rounds settled"] > 100


def test_a_seed_is_the_same_for_ever() -> None:
    """Neither the order of sets nor anything else of the process decides what happens."""
    first, second = (_record(hash_seed) for hash_seed in ("1", "2"))
    assert "record" in first
    assert first == second


def _record(hash_seed: str) -> str:
    """What a seed writes, by a process that orders its sets in its own way."""
    command = [sys.executable, "-m", "tests.simulation", "--seed", "3", "--steps", "600"]
    run = subprocess.run(
        [*command, "--quiet"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return run.stdout


def test_a_failure_names_its_seed_and_the_command_that_repeats_it() -> None:
    with pytest.raises(SimulationFailure) as caught:
        require(False, "a check", "Something is wrong.")
    text = str(caught.value.at(seed=4711, steps=2000, step=17))
    assert "a check: Something is wrong." in text
    assert "seed 4711 at step 17 of 2000" in text
    assert text.endswith(repeat_command(4711, 2000))
