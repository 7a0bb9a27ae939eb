"""Hit frequencies and the variance of a seeded run, beside what is exact."""

from fractions import Fraction

import pytest

from openfelt.catalog import load_house
from openfelt.cli.par_sheets.run_frequencies import TITLE, ExactChances, frequency_section
from openfelt.cli.par_sheets.run_plans import draw_plan, holdem_plan
from openfelt.cli.par_sheets.seeded_run import GAME, kept_run, seeded_run
from openfelt.maths import HouseFigures
from openfelt.maths.draw.bonus import DrawPlay
from openfelt.maths.draw.draw_figures import DrawFigures
from openfelt.maths.simulation.rounds import simulate
from tests.kit.maths.solution import price_once


def test_ultimate_draw_has_every_chance_exactly(draw: DrawFigures) -> None:
    plan = draw_plan(draw)
    kept = kept_run(draw.house, plan.exact, chances=plan.chances)
    assert kept is not None
    rows = {row["figure"]: row for row in kept.facts["frequencies"]}
    assert len(rows) == 6
    assert all(abs(row["z_score"]) < 3 for row in rows.values())
    bonus = draw.bonuses[DrawPlay.HOUSE_WAY]
    assert Fraction(rows["Bonus won"]["exact_fraction"]) == bonus.hit_frequency
    together = next(variance for name, (_, variance) in plan.exact.items() if name == "together")
    variance = rows["Variance of a round, all wagers together"]
    assert Fraction(variance["exact_fraction"]) == together
    # A variance of 500 million rounds is known to a third of a percent.
    assert variance["standard_error"] == pytest.approx(0.045, abs=0.001)
    assert kept.frequencies.title == TITLE


def test_the_error_of_a_variance_is_that_of_its_fourth_moment(draw: DrawFigures) -> None:
    nets = {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 4), Fraction(3): Fraction(1, 4)}
    run = simulate(draw.house, "house_way", rounds=1000, seed=2)
    _, facts = frequency_section(run, ExactChances(nets=nets))
    row = facts[-1]
    mean = Fraction(1, 2)
    second = sum((net - mean) ** 2 * share for net, share in nets.items())
    fourth = sum((net - mean) ** 4 * share for net, share in nets.items())
    assert Fraction(row["exact_fraction"]) == second
    assert row["standard_error"] == pytest.approx(float((fourth - second**2) / 1000) ** 0.5)


@pytest.mark.parametrize("house", ["washington", "stadium"])
def test_kept_runs_of_holdem_win_as_often_as_they_should(house: str) -> None:
    figures = price_once(load_house(house))
    plan = holdem_plan(figures)
    kept = kept_run(figures.house, plan.exact, chances=plan.chances)
    assert kept is not None
    rows = {row["figure"]: row for row in kept.facts["frequencies"]}
    scores = {name: row["z_score"] for name, row in rows.items() if "z_score" in row}
    assert {"Ante won", "Play won", "Blind won", "Trips won", "Bad Beat won"} <= set(scores)
    assert all(abs(score) < 4 for score in scores.values())
    # The distribution of all wagers together is not counted: an exact variance, and no error.
    assert "exact" not in rows["Rounds won, all wagers together"]
    variance = rows["Variance of a round, all wagers together"]
    assert "z_score" not in variance
    assert variance["simulated"] == pytest.approx(variance["exact"], rel=0.02)


def test_runs_with_the_same_deals_say_so(online: HouseFigures) -> None:
    plan = holdem_plan(online)
    kept = kept_run(online.house, plan.exact, chances=plan.chances)
    assert kept is not None
    told = " ".join(kept.section.sentences)
    assert "of california, online, stadium and washington have the same seed" in told
    own = seeded_run(online.house, "published_simple", plan.exact, rounds=1000, seed=1)
    assert "the same deals" not in " ".join(own.section.sentences)


def test_the_game_alone_has_its_whole_distribution(draw: DrawFigures) -> None:
    """A house without side bets compares the variance of the game with its exact distribution."""
    plan = draw_plan(draw)
    exact = {GAME: plan.exact[GAME]}
    alone = ExactChances(wins=plan.chances.wins)
    run = seeded_run(draw.house, "house_way", exact, rounds=2000, seed=3, chances=alone)
    names = [row[0] for row in run.frequencies.rows]
    assert names[:2] == ["Ante won", "Ante Bonus won"]
    assert run.frequencies.rows[-1][3:] == ("", "", "")
