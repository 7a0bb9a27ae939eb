"""Runs that are shipped with the program."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from openfelt.catalog import load_catalog, load_house
from openfelt.catalog.amounts_fingerprint import amounts_fingerprint
from openfelt.cli.par_sheets import seeded_run
from openfelt.cli.par_sheets.run_plans import RunPlan, holdem_plan, house_plan
from openfelt.cli.par_sheets.seeded_run import LABORATORY_ROUNDS, kept_run, play_run
from openfelt.maths import Simulation, simulate
from openfelt.maths.kernels.simulated_runs import ROUNDS_IN_BATCH
from openfelt.maths.simulation.house_records import house_tables
from openfelt.maths.simulation.kept_runs import (
    KeptRun,
    find_kept_run,
    keep_run,
    kept_runs,
    read_kept,
)
from openfelt.rules import House
from openfelt.rules.fingerprints import house_with
from openfelt.rules.house import GameName
from tests.kit.maths.solution import price_once
from tools import kept_runs as tool


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


def plan_of(house: House) -> RunPlan:
    """How the run of a house was played; hold'em is not solved again."""
    if house.game is GameName.ULTIMATE_DRAW:
        return house_plan(house)
    return holdem_plan(price_once(house))


@pytest.mark.parametrize("kept", kept_runs(), ids=lambda kept: kept.run.house)
def test_shipped_runs_begin_as_they_did_when_they_were_made(kept: KeptRun) -> None:
    house = load_house(kept.run.house)
    # A rule that decides no amount may have come since.
    assert kept.run.fingerprint in (house.fingerprint, amounts_fingerprint(house))
    assert kept.run.rounds == LABORATORY_ROUNDS
    plan = plan_of(house)
    rounds, seed = kept.first_batch["rounds"], kept.run.seed
    again = play_run(house, plan.strategy, plan.exact, rounds=rounds, seed=seed)
    assert again.strategy == kept.run.strategy
    assert again.net_cents == kept.first_batch["net_cents"]
    assert again.square_sum == kept.first_batch["square_sum"]


@pytest.mark.parametrize("kept", kept_runs(), ids=lambda kept: kept.run.house)
def test_shipped_runs_agree_with_the_exact_figures(kept: KeptRun) -> None:
    house = load_house(kept.run.house)
    plan = plan_of(house)
    shown = kept_run(house, plan.exact)
    assert shown is not None
    assert len(shown.facts["wagers"]) == len(plan.exact)
    assert all(abs(float(row["z-score"])) < 4 for row in shown.facts["wagers"])


def test_a_run_is_shown_for_a_house_that_has_since_changed_what_it_shows() -> None:
    house = load_house("california")
    before = house_with(house, folds_face_down=False)
    # The simulation settles both alike, because it is given the same numbers.
    assert house_tables(house).tobytes() == house_tables(before).tobytes()
    plan = plan_of(house)
    shown = kept_run(house, plan.exact)
    assert shown is not None
    run = find_kept_run(amounts_fingerprint(house))
    assert run is not None
    assert any(run.run.fingerprint in sentence for sentence in shown.section.sentences)
    online = kept_run(load_house("online"), plan_of(load_house("online")).exact)
    assert online is not None
    assert not any("rule data" in sentence for sentence in online.section.sentences)
    assert kept_run(house_with(house, rounding_unit_cents=100), plan.exact) is None


def test_a_run_of_ultimate_draw_is_made_and_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kept_runs.json"
    file.write_text('{"runs": []}')
    monkeypatch.setattr(tool, "FILE", file)
    tool.main(["draw", "--rounds", "70000"])
    (stored,) = json.loads(file.read_text())["runs"]
    kept = read_kept(stored)
    assert (kept.run.house, kept.run.strategy, kept.run.rounds) == ("draw", "house_way", 70_000)
    assert kept.first_batch["rounds"] == ROUNDS_IN_BATCH
    monkeypatch.setattr(seeded_run, "find_kept_run", lambda _: kept)
    house = load_house("draw")
    plan = house_plan(house)
    shown = kept_run(house, plan.exact)
    assert shown is not None
    rows = {row["wager"]: float(row["z-score"]) for row in shown.facts["wagers"]}
    assert list(rows) == ["Game, per Ante", "Bonus", "One unit on every wager, in Antes"]
    assert all(abs(score) < 5 for score in rows.values())
    # A run with unequal stakes would not be one unit on every wager.
    ante, *others = kept.run.wagers
    uneven = replace(kept.run, wagers=(replace(ante, staked_cents=1), *others))
    monkeypatch.setattr(seeded_run, "find_kept_run", lambda _: replace(kept, run=uneven))
    assert kept_run(house, plan.exact) is None


def test_shipped_runs_are_of_houses_of_the_catalog() -> None:
    houses = load_catalog().houses
    assert {kept.run.house for kept in kept_runs()} <= set(houses)
