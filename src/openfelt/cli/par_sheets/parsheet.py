"""``openfelt parsheet`` prints the par sheet of a house."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from openfelt.cli.complaint import Complaint, wrong_input
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import HousesFolder

if TYPE_CHECKING:
    from openfelt.cli.par_sheets.sheet import ParSheet, Section
    from openfelt.rules import House


class SheetFormat(StrEnum):
    """How the sheet is written."""

    MD = "md"
    HTML = "html"
    JSON = "json"


def parsheet(
    house: Annotated[str, typer.Argument(help="The house, such as washington.")],
    paytable: Annotated[
        list[str] | None,
        typer.Option(
            help="Use another paytable: its name, or WAGER=NAME. May be given several times."
        ),
    ] = None,
    sheet_format: Annotated[
        SheetFormat, typer.Option("--format", help="Markdown, one HTML page, or JSON.")
    ] = SheetFormat.MD,
    out: Annotated[
        Path | None, typer.Option(help="The file to write; without it the sheet is printed.")
    ] = None,
    rounds: Annotated[
        int, typer.Option(min=0, help="Add a seeded run of so many simulated rounds.")
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="The seed of that run.")] = 1,
    folder: HousesFolder = None,
) -> None:
    """Print the par sheet of a house: rules, paytables, counts and every exact figure."""
    from openfelt.cli.figures.compile_notice import announce_compiling
    from openfelt.cli.figures.edge import with_paytables
    from openfelt.cli.rule_data import find_house, open_catalog

    catalog = open_catalog(folder)
    chosen = with_paytables(catalog, find_house(catalog, house), paytable or [])
    announce_compiling()
    try:
        sheet, facts = _priced(chosen, rounds, seed)
    except ValueError as error:
        raise wrong_input(error) from error
    text = _written(sheet, facts, sheet_format)
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Complaint(f"{out} cannot be written: {error}.", ExitCode.WRONG_INPUT) from error


def _priced(house: "House", rounds: int, seed: int) -> "tuple[ParSheet, dict[str, Any]]":
    """The sheet, and the same figures for programs."""
    from openfelt.rules.house import GameName

    draw = house.game is GameName.ULTIMATE_DRAW
    sheet, facts, run = (_draw if draw else _holdem)(house)
    if not rounds:
        return sheet, facts
    section = run(rounds, seed)
    facts["seeded_run"] = {
        "rounds": rounds,
        "seed": seed,
        "wagers": [dict(zip(section.columns, row, strict=True)) for row in section.rows],
    }
    return replace(sheet, sections=(*sheet.sections, section)), facts


Run = Callable[[int, int], "Section"]
"""Makes the section of a seeded run, from the number of rounds and the seed."""


def _draw(house: "House") -> "tuple[ParSheet, dict[str, Any], Run]":
    from openfelt.cli.figures.draw_edge_report import draw_facts
    from openfelt.cli.par_sheets.draw_sheet import draw_sheet
    from openfelt.cli.par_sheets.seeded_run import GAME, seeded_run
    from openfelt.cli.progress import watched
    from openfelt.maths import price_draw_house

    with watched("Counting pairs of hands") as progress:
        figures = price_draw_house(house, progress=progress)
    exact = {GAME: (figures.expected, None)}
    return (
        draw_sheet(figures),
        draw_facts(figures, bonus_units=Fraction(1)),
        lambda rounds, seed: seeded_run(house, "house_way", exact, rounds=rounds, seed=seed),
    )


def _holdem(house: "House") -> "tuple[ParSheet, dict[str, Any], Run]":
    from openfelt.cli.figures.edge_report import figures_facts
    from openfelt.cli.par_sheets.holdem_sheet import holdem_sheet
    from openfelt.cli.par_sheets.seeded_run import GAME, seeded_run
    from openfelt.cli.progress import watched
    from openfelt.maths import perfect_strategy, price_house

    with watched("Solving the game") as progress:
        figures = price_house(house, progress=progress)
    stakes = dict.fromkeys([GAME, *figures.side_bets], 1)
    strategy = perfect_strategy(figures.solution)
    exact = {GAME: (figures.solution.ev_per_ante, figures.solution.variance)}
    exact |= {name: (bet.expected, bet.variance) for name, bet in figures.side_bets.items()}
    return (
        holdem_sheet(figures),
        figures_facts(figures, stakes),
        lambda rounds, seed: seeded_run(house, strategy, exact, rounds=rounds, seed=seed),
    )


def _written(sheet: "ParSheet", facts: "dict[str, Any]", sheet_format: SheetFormat) -> str:
    from importlib.metadata import version

    from openfelt.cli.par_sheets.formats import html, markdown

    if sheet_format is SheetFormat.JSON:
        return json.dumps({"software": f"openfelt {version('openfelt')}", **facts}, indent=2) + "\n"
    return html(sheet) if sheet_format is SheetFormat.HTML else markdown(sheet)
