"""How the figures of a par sheet were obtained, each with the command that prints it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from openfelt.cli.par_sheets.sheet import ParSheet, Section
from openfelt.rules.house import House

OBTAINED_TITLE: Final = "How the figures were obtained"
Obtained = tuple[str, str, str]
"""Figures of a sheet, how they were obtained, and the command that prints them, of ``{house}``."""
RULES_OBTAINED: Final[tuple[Obtained, ...]] = (
    ("Rules and wagers", "read from the rule data with the fingerprint above", "houses --json"),
    ("Paytables", "read from the same rule data", "paytables {house}"),
)
AWARDS_OBTAINED: Final[Obtained] = (
    "Largest awards, cost of a round",
    "the best results of the counts, at the limits of the rule data",
    "parsheet {house}",
)
SPREAD_OBTAINED: Final[tuple[Obtained, ...]] = (
    ("Volatility indices", "the standard deviation times a normal quantile", "parsheet {house}"),
    (
        "Bands of return",
        "quantiles of many rounds, convolved from the exact results",
        "parsheet {house}",
    ),
    (
        "A session",
        "the exact results of a round, convolved in double precision",
        "parsheet {house}",
    ),
)
"""What the sheets of both games say alike."""


def with_obtained(sheet: ParSheet, row: Obtained) -> ParSheet:
    """The sheet with one more figure among those that say how they were obtained."""
    sections = (
        replace(part, rows=(*part.rows, row)) if part.title == OBTAINED_TITLE else part
        for part in sheet.sections
    )
    return replace(sheet, sections=tuple(sections))


def obtained_section(house: House, deals: int, obtained: Sequence[Obtained]) -> Section:
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
