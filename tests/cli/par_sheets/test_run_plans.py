"""How the seeded run of a par sheet is played, and what it is compared with."""

from dataclasses import replace
from fractions import Fraction

import pytest

from openfelt.cards import Category
from openfelt.cli.par_sheets.formats.workbook import workbook
from openfelt.cli.par_sheets.run_plans import draw_plan, holdem_plan
from openfelt.cli.par_sheets.seeded_run import (
    ALL_STAKES,
    GAME,
    TOGETHER,
    seeded_run,
    sheet_setting,
)
from openfelt.cli.par_sheets.sheet import ParSheet
from openfelt.maths import HouseFigures
from openfelt.maths.draw.best_play import bonus_nets
from openfelt.maths.draw.bonus import DrawPlay
from openfelt.maths.draw.draw_figures import DrawFigures, draw_terms_of, price_draw_house
from openfelt.maths.draw.strategy_counts import usual_counts
from openfelt.rules import House, WagerKind
from tests.kit.maths.spreadsheet import Spreadsheet


def with_bonus_up_to(house: House, cents: int) -> House:
    """The house with another limit of its Bonus."""
    wagers = tuple(
        replace(rule, max_cents=cents) if rule.kind is WagerKind.BONUS else rule
        for rule in house.wagers
    )
    return replace(house, wagers=wagers)


def stakes(house: House, exact: list[str]) -> list[int]:
    wagers = sheet_setting(house, exact).wagers
    return [wager.cents for wager in wagers or ()]  # type: ignore[union-attr]


def test_ultimate_draw_has_the_bonus_and_both_together(draw: DrawFigures) -> None:
    plan, spread = draw_plan(draw), usual_counts().house_way.spread
    bonus = draw.bonuses[DrawPlay.HOUSE_WAY]
    nets = bonus_nets(draw, Fraction(1))
    assert spread is not None
    assert nets is not None
    together = (
        spread.variance(draw.terms) + bonus.variance + 2 * spread.covariance(draw.terms, nets)
    )
    assert plan.strategy == "house_way"
    assert plan.exact == {
        GAME: (draw.expected, spread.variance(draw.terms)),
        "bonus": (bonus.expected, bonus.variance),
        TOGETHER: (draw.expected + bonus.expected, together),
    }
    assert stakes(draw.house, list(plan.exact)) == [500, 500]


def test_wagers_that_cannot_be_equal_are_not_compared_together(draw: DrawFigures) -> None:
    house = with_bonus_up_to(draw.house, 400)
    plan = draw_plan(replace(draw, house=house))
    assert list(plan.exact) == [GAME, "bonus"]
    assert stakes(house, list(plan.exact)) == [500, 100]


def test_without_a_kept_variance_the_ante_is_played_alone(draw: DrawFigures) -> None:
    table = draw.house.ante_bonus
    assert table is not None
    last = table.rows[-1]
    pair = replace(last, hand=replace(last.hand, category=Category.PAIR))
    house = replace(draw.house, ante_bonus=replace(table, rows=(*table.rows, pair)))
    figures = price_draw_house(house, draw_terms_of(house), ante=draw.ante)
    assert draw_plan(figures).exact == {GAME: (figures.expected, None)}


def test_scores_use_the_exact_variance(draw: DrawFigures) -> None:
    plan = draw_plan(draw)
    run = seeded_run(draw.house, plan.strategy, plan.exact, rounds=2000, seed=5)
    rows = {row["wager"]: row for row in run.facts["wagers"]}
    named = {
        GAME: "Game, per Ante",
        "bonus": "Bonus",
        TOGETHER: "One unit on every wager, in Antes",
    }
    for name, words in named.items():
        mean, variance = plan.exact[name]
        assert variance is not None
        error = (float(variance) / 2000) ** 0.5
        score = (float(rows[words]["simulated"]) - float(mean)) / error
        assert float(rows[words]["z-score"]) == pytest.approx(score, abs=1e-3)
        assert abs(score) < 5
    assert "Where no exact variance is counted" not in run.section.sentences[-1]


def test_a_run_without_an_exact_variance_says_so(draw: DrawFigures) -> None:
    run = seeded_run(draw.house, "house_way", {GAME: (draw.expected, None)}, rounds=2000, seed=5)
    assert "Where no exact variance is counted" in run.section.sentences[-1]


def test_holdem_has_perfect_play_and_every_side_bet(online: HouseFigures) -> None:
    plan = holdem_plan(online)
    trips = online.side_bets["trips"]
    assert plan.exact == {
        GAME: (online.solution.ev_per_ante, online.solution.variance),
        "trips": (trips.expected, trips.variance),
        # Both are one dollar at least, so the stakes are equal.
        ALL_STAKES: (
            online.solution.ev_per_ante + trips.expected,
            online.solution.variance
            + trips.variance
            + 2 * online.joint.covariances["game", "trips"],
        ),
    }


def test_stakes_of_a_run_may_differ(online: HouseFigures) -> None:
    """With an Ante of five times the side bet, a unit of the side bet is a fifth of an Ante."""
    wagers = tuple(
        replace(rule, min_cents=500) if rule.kind is WagerKind.ANTE else rule
        for rule in online.house.wagers
    )
    house = replace(online.house, wagers=wagers)
    plan = holdem_plan(replace(online, house=house))
    trips, fifth = online.side_bets["trips"], Fraction(1, 5)
    mean, variance = plan.exact[ALL_STAKES]
    assert mean == online.solution.ev_per_ante + fifth * trips.expected
    assert variance == (
        online.solution.variance
        + fifth**2 * trips.variance
        + 2 * fifth * online.joint.covariances["game", "trips"]
    )
    run = seeded_run(house, "published_simple", plan.exact, rounds=4000, seed=2)
    rows = {row["wager"]: row for row in run.facts["wagers"]}
    assert [row["stake"] for row in rows.values()] == ["$5.00", "$1.00", "$5.00"]
    together = float(rows["All wagers of the run, in Antes"]["simulated"])
    parts = float(rows["Game, per Ante"]["simulated"]) + float(rows["Trips"]["simulated"]) / 5
    assert together == pytest.approx(parts, abs=2e-8)


def test_a_run_says_how_its_seed_is_used(online: HouseFigures) -> None:
    plan = holdem_plan(online)
    run = seeded_run(online.house, "published_simple", plan.exact, rounds=2000, seed=5)
    told = " ".join(run.section.sentences)
    assert "xoshiro256++" in told
    assert "batches of 65,536" in told
    assert "from the seed, 5, and the number of the batch" in told
    error = (float(online.solution.variance) / 2000) ** 0.5
    assert run.section.rows[0][4] == f"{error:.8f}"


def test_scores_are_formulas_in_the_workbook(online: HouseFigures) -> None:
    plan = holdem_plan(online)
    run = seeded_run(online.house, "published_simple", plan.exact, rounds=3000, seed=5)
    page = Spreadsheet(workbook(ParSheet("Sheet", (run.section,))), "A seeded run")
    for place, row in enumerate(run.facts["wagers"], 2):
        assert page.raw(place, 1) == row["wager"]
        for column, name in ((7, "simulated"), (8, "standard error"), (9, "z-score")):
            assert str(page.raw(place, column)).startswith("=")
            assert float(page.value(place, column)) == pytest.approx(float(row[name]), abs=6e-4)
