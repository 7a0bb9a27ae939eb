"""The commands of "How the figures were obtained" print the figures that they are named for."""

import json
import shlex
from collections.abc import Iterator
from typing import Any

import pytest

from openfelt.catalog import load_house
from openfelt.cli.par_sheets.draw_sheet import draw_sheet
from openfelt.cli.par_sheets.figure_commands import OBTAINED_TITLE
from openfelt.cli.par_sheets.holdem_sheet import PRACTICAL_STRATEGY, holdem_sheet
from openfelt.cli.par_sheets.run_plans import draw_plan, holdem_plan
from openfelt.cli.par_sheets.seeded_run import SheetRun, kept_run, seeded_run
from openfelt.cli.par_sheets.sheet import ParSheet, Section
from openfelt.maths import HouseFigures
from openfelt.maths.draw.draw_figures import DrawFigures
from openfelt.maths.wagers import house_figures
from openfelt.rules import House
from tests.kit.cli.commands import output
from tests.kit.maths.solution import price_once


@pytest.fixture
def washington(monkeypatch: pytest.MonkeyPatch) -> HouseFigures:
    """The figures of the house with every kind of figure; commands take them from here."""
    figures = price_once(load_house("washington"))

    def price(house: House, **_: Any) -> HouseFigures:
        assert house == figures.house
        return figures

    monkeypatch.setattr(house_figures, "price_house", price)
    return figures


def named(sheet: ParSheet, *beginnings: str) -> Iterator[Section]:
    """The sections whose titles begin so; every beginning has one."""
    for beginning in beginnings:
        parts = [part for part in sheet.sections if part.title.startswith(beginning)]
        assert parts, beginning
        yield from parts


def fractions(sheet: ParSheet, *titles: str) -> set[str]:
    """The exact figures of some sections."""
    return {
        row[part.columns.index("exactly")]
        for part in named(sheet, *titles)
        if "exactly" in part.columns
        for row in part.rows
    }


def deals(sheet: ParSheet, *titles: str) -> set[str]:
    """The numbers of deals in some sections, as JSON has them."""
    return {
        row[part.columns.index("deals")].replace(",", "")
        for part in named(sheet, *titles)
        if "deals" in part.columns
        for row in part.rows
    }


def rows_named(sheet: ParSheet, title: str, *names: str) -> set[str]:
    rows = {row[0]: row[2] for part in named(sheet, title) for row in part.rows}
    return {rows[name] for name in names}


def holdem_figures(sheet: ParSheet) -> dict[str, set[str]]:
    """By the name of a row, texts that its command prints."""
    bets = ("Trips with", "Bad Beat with", "Ultimate Pairs with", "Progressive with")
    game = "The game: Ante, Blind and Play"
    first = next(part for part in sheet.sections if part.title == "Strategy").sentences[1]
    hit = {row[2] for p in named(sheet, *bets) for row in p.rows if row[0] == "Hit frequency"}
    fingerprint = {row[0]: row[1] for part in named(sheet, "Identification") for row in part.rows}
    shared = {
        row[2]
        for p in named(sheet, *bets)
        for row in p.rows
        if row[0] == "Covariance with the game"
    }
    return {
        "Rules and wagers": {fingerprint["Fingerprint of the rule data (SHA-256)"]},
        "Paytables": {"Blind", "Trips", "Bad Beat", "Ultimate Pairs", "Progressive"},
        "Game, decisions, results of a round": {
            *rows_named(sheet, game, "Expected result per Ante", "Average stake in Antes"),
            *fractions(sheet, "Decisions"),
            *deals(sheet, "Results of a round"),
        },
        "Side bets": deals(sheet, *bets) - totals(sheet) | hit,
        "Covariances": fractions(sheet, "Covariances of side bets") | shared,
        "Claims of the documents": {"0.90%", "0.84%"},
        "Strategy before the flop": {first.partition(": ")[2].rstrip(".")},
        PRACTICAL_STRATEGY: fractions(sheet, "Strategy"),
        "Progressive by the hands in it": fractions(sheet, "One unit on the progressive"),
        "Progressive in the long run": fractions(sheet, "The progressive in the long run"),
    }


def totals(sheet: ParSheet) -> set[str]:
    return {str(table.deals) for table in sheet.award_tables}


def draw_figures(sheet: ParSheet) -> dict[str, set[str]]:
    held = "held the house way"
    best = ("Expected result per Ante", "More than by the house way")
    fingerprint = {row[0]: row[1] for part in named(sheet, "Identification") for row in part.rows}
    round_deals = deals(sheet, f"Results of a round by final hand, {held}")
    variance = next(named(sheet, f"Results of a round in Antes, {held}: spread")).sentences[0]
    basic = {row[0]: row[2] for part in named(sheet, "The basic strategy") for row in part.rows}
    final = {value for name, value in basic.items() if name.startswith("Final hand")}
    together = next(named(sheet, "The Ante with the Bonus")).rows
    return {
        "Rules and wagers": {fingerprint["Fingerprint of the rule data (SHA-256)"]},
        "Paytables": {"Bonus", "Ante Bonus"},
        "The Ante, held the house way": fractions(sheet, "The Ante, held the house way")
        - rows_named(sheet, "The Ante, held the house way", "House advantage per Ante")
        - rows_named(sheet, "The Ante, held the house way", "Rounds even", "Rounds lost")
        - rows_named(
            sheet,
            "The Ante, held the house way",
            "Lost to a qualified dealer",
            "Paid by an unqualified dealer",
        ),
        "The Ante, held best": rows_named(sheet, "The Ante, held best", *best),
        "Results of a round, hit frequency, variance": {
            *(round_deals - {"406957472102531750400"}),
            variance.rpartition("exactly ")[2].rstrip("."),
        },
        "The basic strategy": {basic["Expected result per Ante"], *final},
        "Bonus": deals(sheet, "Bonus with"),
        "The Ante with the Bonus": {row[2] for row in together if row[0].startswith("Held")},
        "Covariances of Ante and Bonus": fractions(sheet, "One unit on every wager"),
        "Claims of the documents": {"0.76%"},
    }


def check_commands(
    capsys: pytest.CaptureFixture[str], sheet: ParSheet, expected: dict[str, set[str]]
) -> None:
    """Run every command of a sheet that does not write the sheet itself, once."""
    rows = next(part for part in sheet.sections if part.title == OBTAINED_TITLE).rows
    printed: dict[str, str] = {}
    missing = set(expected)
    for figure, _, command in rows:
        program, *arguments = shlex.split(command)
        assert program == "openfelt"
        if arguments[0] == "parsheet":
            continue
        if command not in printed:
            printed[command] = output(capsys, *arguments)
        assert expected[figure], figure
        absent = [text for text in expected[figure] if text not in printed[command]]
        assert not absent, f"{command} does not print {figure}: {absent[:3]}"
        missing.discard(figure)
    assert not missing


def test_commands_of_a_sheet_of_holdem(
    washington: HouseFigures, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = holdem_sheet(washington)
    check_commands(capsys, sheet, holdem_figures(sheet))


def test_commands_of_a_sheet_of_ultimate_draw(
    draw: DrawFigures, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = draw_sheet(draw)
    check_commands(capsys, sheet, draw_figures(sheet))


def played_again(capsys: pytest.CaptureFixture[str], run: SheetRun) -> dict[str, Any]:
    """What the command of a short run prints."""
    program, *arguments = shlex.split(run.obtained[2])
    assert program == "openfelt"
    found: dict[str, Any] = json.loads(output(capsys, *arguments, "--json"))
    return found


def test_the_command_of_a_run_plays_it_again(
    draw: DrawFigures, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = draw_plan(draw)
    run = seeded_run(draw.house, plan.strategy, plan.exact, rounds=3000, seed=8)
    again = played_again(capsys, run)
    assert (again["seed"], again["rounds"], again["strategy"]) == (8, 3000, "house_way")
    rows = {row["wager"]: row for row in run.facts["wagers"]}
    by_name = {row["wager"]: row["net_cents"] for row in again["wagers"]}
    bonus = f"{by_name['bonus'] / (500 * 3000):+.8f}"
    assert rows["Bonus"]["simulated"] == bonus
    together = f"{again['net_cents'] / (500 * 3000):+.8f}"
    assert rows["One unit on every wager, in Antes"]["simulated"] == together


def test_wagers_that_a_table_refuses_together_are_played_by_the_sheet(
    washington: HouseFigures,
) -> None:
    plan = holdem_plan(washington)
    kept = kept_run(washington.house, plan.exact, chances=plan.chances)
    assert kept is not None
    name, how, command = kept.obtained
    assert name == "A seeded run"
    assert command == "openfelt parsheet washington --rounds 500000000 --seed 1"
    assert "the strategy perfect and these wagers: Ante $5.00, Trips $1.00" in how


@pytest.mark.parametrize(
    ("house", "command"),
    [
        ("online", "simulate online --strategy perfect --ante 1 --bet trips=1 "),
        ("california", "simulate california --strategy perfect --ante 5 --bet trips=5 "),
    ],
)
def test_a_kept_run_names_strategy_bets_rounds_and_seed(house: str, command: str) -> None:
    figures = price_once(load_house(house))
    plan = holdem_plan(figures)
    kept = kept_run(figures.house, plan.exact, chances=plan.chances)
    assert kept is not None
    assert kept.obtained[2] == f"openfelt {command}--rounds 500000000 --seed 1"
