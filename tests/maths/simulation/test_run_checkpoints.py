"""Long runs that are kept, interrupted and continued."""

import json
from pathlib import Path

import pytest

from openfelt.catalog import load_house
from openfelt.maths import Simulation, simulate
from openfelt.maths.simulation import rounds as simulation_rounds
from openfelt.maths.simulation.run_checkpoints import RunCheckpoint
from openfelt.maths.simulation.simulated_table import set_table

ROUNDS = 200_000
SEED = 9


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept runs, with a checkpoint after every batch."""
    monkeypatch.setattr("openfelt.maths.simulation.run_checkpoints.cache_root", lambda: tmp_path)
    monkeypatch.setattr(simulation_rounds, "BATCHES_IN_BLOCK", 1)
    return tmp_path / "runs"


def play(*, kept: bool = True, stop_after: int | None = None) -> tuple[Simulation, list[int]]:
    steps: list[int] = []

    def progress(done: int, _: int, /) -> None:
        if stop_after is not None and done > stop_after:
            raise InterruptedError
        steps.append(done)

    house = load_house("online")
    result = simulate(
        house, "published_simple", rounds=ROUNDS, seed=SEED, progress=progress, kept=kept
    )
    return result, steps


def test_an_interrupted_run_goes_on_and_ends_as_if_it_had_not_been(runs: Path) -> None:
    with pytest.raises(InterruptedError):
        play(stop_after=ROUNDS // 2)
    again, steps = play()
    assert steps[0] > ROUNDS // 3
    assert again == play(kept=False)[0]
    # Once it is finished, it is not played again.
    assert play() == (again, [])
    assert len(list(runs.iterdir())) == 1


def test_an_altered_file_is_not_used(runs: Path) -> None:
    first, _ = play()
    (file,) = runs.iterdir()
    stored = json.loads(file.read_text())
    stored["content"]["sums"]["square_sum"] += 1
    file.write_text(json.dumps(stored))
    again, steps = play()
    assert again == first
    assert steps[-1] == ROUNDS


def test_another_table_or_seed_is_another_run(runs: Path) -> None:
    online = set_table(load_house("online"), "published_simple").records
    other = set_table(load_house("online"), "basic").records
    names = {
        RunCheckpoint(records, seed=seed, rounds=rounds).path
        for records in (online, other)
        for seed in (1, 2)
        for rounds in (10, 20)
    }
    assert len(names) == 8
    assert all(path.parent == runs for path in names)


def test_a_disk_that_cannot_be_written_costs_only_the_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs").write_text("a file in place of the folder")
    monkeypatch.setattr("openfelt.maths.simulation.run_checkpoints.cache_root", lambda: tmp_path)
    assert play()[0] == play(kept=False)[0]
