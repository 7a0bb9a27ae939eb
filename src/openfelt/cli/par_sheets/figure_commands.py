"""How the figures of a par sheet were obtained, each with the command that prints it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from openfelt.cli.par_sheets.sheet import ParSheet, Section
from openfelt.rules.house import House

OBTAINED_TITLE: Final = "How the figures were obtained"


def with_obtained(sheet: ParSheet, row: tuple[str, str, str]) -> ParSheet:
    """The sheet with one more figure among those that say how they were obtained."""
    sections = (
        replace(part, rows=(*part.rows, row)) if part.title == OBTAINED_TITLE else part
        for part in sheet.sections
    )
    return replace(sheet, sections=tuple(sections))


def obtained_section(house: House, deals: int, obtained: Sequence[tuple[str, str, str]]) -> Section:
    """How each figure was obtained; commands have ``{house}`` where the house is named."""
    sentence = (
        f"All {deals:,} deals of the game are counted; except for a seeded run, no figure is "
        "sampled. Counts are whole numbers and figures are fractions, which are rounded only on "
        "this sheet."
    )
    rows = tuple(
        (figure, how, f"openfelt {command.format(house=house.id)}")
        for figure, how, command in obtained
    )
    columns = ("figures", "how", "command")
    return Section(OBTAINED_TITLE, (sentence,), columns, rows)
