"""Long runs that are kept, interrupted and continued."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from openfelt.catalog import load_house
from openfelt.maths import Sessions, Simulation, play_sessions, simulate, stored_counts
from openfelt.maths.parallel import working
from openfelt.maths.simulation import rounds as simulation_rounds
from openfelt.maths.simulation import sessions as simulation_sessions
from openfelt.maths.simulation.run_checkpoints import RunCheckpoint
from openfelt.maths.simulation.simulated_table import set_table

ROUNDS = 200_000
SEED = 9
Piece = TypeVar("Piece")
Result = TypeVar("Result")


class LastFirst:
    """A crew that finishes the last piece first."""

    def results(
        self, task: Callable[[Piece], Result], pieces: Sequence[Piece]
    ) -> Iterator[tuple[int, Result]]:
        for number in reversed(range(len(pieces))):
            yield number, task(pieces[number])


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept runs, with a checkpoint after every batch."""
    monkeypatch.setattr("openfelt.maths.simulation.run_checkpoints.cache_root", lambda: tmp_path)
    monkeypatch.setattr(simulation_rounds, "BATCHES_IN_BLOCK", 1)
    return tmp_path / "runs"


def play(
    *, kept: bool = True, stop_after: int | None = None, workers: int = 2
) -> tuple[Simulation, list[int]]:
    steps: list[int] = []

    def progress(done: int, _: int, /) -> None:
        if stop_after is not None and done > stop_after:
            raise InterruptedError
        steps.append(done)

    house = load_house("online")
    result = simulate(
        house,
        "published_simple",
        rounds=ROUNDS,
        seed=SEED,
        workers=workers,
        progress=progress,
        kept=kept,
        resumed=lambda done, _: steps.append(-done),
    )
    return result, steps


def test_an_interrupted_run_goes_on_and_ends_as_if_it_had_not_been(runs: Path) -> None:
    with pytest.raises(InterruptedError):
        play(stop_after=ROUNDS // 2)
    again, steps = play()
    assert steps[0] < -ROUNDS // 3
    assert steps[1] > -steps[0]
    assert again == play(kept=False)[0]
    # Once it is finished, it is not played again.
    assert play() == (again, [-ROUNDS])
    assert len(list(runs.iterdir())) == 1


@pytest.mark.parametrize(("workers", "then"), [(1, 3), (3, 1)])
def test_a_run_goes_on_with_another_number_of_workers(runs: Path, workers: int, then: int) -> None:
    with pytest.raises(InterruptedError):
        play(stop_after=ROUNDS // 2, workers=workers)
    again, steps = play(workers=then)
    assert steps[0] < 0
    assert again == play(kept=False)[0]


def test_batches_that_finish_in_another_order_leave_gaps_that_are_played(runs: Path) -> None:
    with working(crew=LastFirst()), pytest.raises(InterruptedError):
        play(stop_after=ROUNDS // 3)
    (file,) = runs.iterdir()
    content = json.loads(file.read_text())["content"]
    assert (content["first"], content["beyond"]) == (0, [2, 3])
    again, steps = play()
    # The last batch is the smallest one.
    assert steps == [-68_928, 134_464, ROUNDS]
    assert again == play(kept=False)[0]


@pytest.fixture
def session_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept sessions, with a file for every ten of them."""
    monkeypatch.setattr(stored_counts, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(simulation_sessions, "BLOCK_ROUNDS", 200)
    return tmp_path


def sit_down(
    *, kept: bool = True, stop_after: int | None = None, workers: int = 1, bankroll: int = 3_000
) -> tuple[Sessions, list[tuple[int, int]]]:
    resumed: list[tuple[int, int]] = []

    def progress(done: int, _: int, /) -> None:
        if stop_after is not None and done > stop_after:
            raise InterruptedError

    ended = play_sessions(
        load_house("online"),
        "published_simple",
        sessions=105,
        rounds=20,
        bankroll_cents=bankroll,
        seed=SEED,
        workers=workers,
        progress=progress,
        kept=kept,
        resumed=lambda *amounts: resumed.append(amounts),
    )
    return ended, resumed


@pytest.mark.parametrize(("workers", "then"), [(1, 3), (3, 1)])
def test_interrupted_sessions_go_on_with_another_number_of_workers(
    session_files: Path, workers: int, then: int
) -> None:
    with pytest.raises(InterruptedError):
        sit_down(stop_after=40, workers=workers)
    again, ((done, total),) = sit_down(workers=then)
    # The last file is the smallest, and with several workers it may be among the first.
    assert done in (45, 50)
    assert total == 105
    alone, _ = sit_down(kept=False)
    assert again == alone
    assert np.array_equal(again.ends_cents, alone.ends_cents)
    assert sit_down()[1] == [(105, 105)]
    assert len(list(session_files.glob("sessions-*/piece-*.bin"))) == 11
    # Another bankroll is another run.
    assert sit_down(bankroll=4_000)[1] == []


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
