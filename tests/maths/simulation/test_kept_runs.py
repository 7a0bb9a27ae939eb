"""Runs that are shipped with the program."""

import json
from fractions import Fraction

import pytest

from openfelt.catalog import load_catalog, load_house
from openfelt.cli.par_sheets.seeded_run import LABORATORY_ROUNDS, play_run
from openfelt.maths import Simulation, perfect_strategy, simulate
from openfelt.maths.kernels.simulated_runs import ROUNDS_IN_BATCH
from openfelt.maths.simulation.kept_runs import KeptRun, keep_run, kept_runs, read_kept
from openfelt.maths.wagers.house_figures import side_tables
from tests.kit.maths.solution import usual_solution


def small_run(rounds: int) -> Simulation:
    return simulate(load_house("online"), "published_simple", rounds=rounds, seed=4)


def test_a_run_is_kept_whole_but_for_its_histogram() -> None:
    run, batch = small_run(100_000), small_run(ROUNDS_IN_BATCH)
    stored = json.loads(json.dumps(keep_run(run, batch, software="openfelt 1")))
    kept = read_kept(stored)
    assert kept.software == "openfelt 1"
    assert kept.run.wagers == run.wagers
    assert kept.run.ev_per_ante == run.ev_per_ante
    assert kept.run.std_dev_cents == run.std_dev_cents
    assert kept.run.histogram_unlisted == run.rounds
    assert kept.first_batch["net_cents"] == batch.net_cents


def test_an_altered_run_is_refused() -> None:
    stored = keep_run(small_run(70_000), small_run(ROUNDS_IN_BATCH), software="openfelt 1")
    stored["content"]["net_cents"] += 1
    with pytest.raises(ValueError, match="altered"):
        read_kept(stored)


def test_a_batch_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="a batch has"):
        keep_run(small_run(70_000), small_run(10), software="openfelt 1")


@pytest.mark.parametrize("kept", kept_runs(), ids=lambda kept: kept.run.house)
def test_shipped_runs_begin_as_they_did_when_they_were_made(kept: KeptRun) -> None:
    house = load_house(kept.run.house)
    assert kept.run.fingerprint == house.fingerprint
    assert kept.run.rounds == LABORATORY_ROUNDS
    again = play_run(
        house,
        perfect_strategy(usual_solution()),
        side_tables(house, Fraction(1)).price(),
        rounds=kept.first_batch["rounds"],
        seed=kept.run.seed,
    )
    assert again.net_cents == kept.first_batch["net_cents"]
    assert again.square_sum == kept.first_batch["square_sum"]


def test_shipped_runs_are_of_houses_of_the_catalog() -> None:
    houses = load_catalog().houses
    assert {kept.run.house for kept in kept_runs()} <= set(houses)
