"""The exact figures of every side bet's paytable: for ``openfelt paytables --figures``.

``make docs`` writes the page of them, ``docs/reference/figures.md``.
"""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rich.table import Table

from openfelt.catalog import load_catalog
from openfelt.cli.figures.draw_page import draw_section
from openfelt.cli.figures.number_format import both, percent
from openfelt.maths.draw.bonus import DrawPlay, price_draw_bonus
from openfelt.maths.wagers.pricers import price_side_bet
from openfelt.maths.wagers.side_bet_figures import SideBet, price_progressive
from openfelt.rules import WagerKind
from openfelt.rules.paytable import HandPaytable, Paytable, ProgressivePaytable

METER_UNITS = Fraction(10_000)
"""The meter that a progressive is priced at, in units of its wager."""


def side_bets(tables: Iterable[Paytable]) -> list[SideBet]:
    """Price the tables that are side bets of Ultimate Texas Hold'em; leave out the others."""
    priced = [price_side_bet(table, meter_units=METER_UNITS) for table in tables]
    return [bet for bet in priced if bet is not None]


def figures_table(bets: Iterable[SideBet]) -> Table:
    """The figures as a table."""
    drawn = Table(box=None, pad_edge=False)
    drawn.add_column("Side bet")
    for name in ("paytable", "advantage", "hits", "std dev"):
        drawn.add_column(name, justify="right")
    for bet in bets:
        drawn.add_row(*_cells(bet))
    return drawn


def _cells(bet: SideBet) -> tuple[str, str, str, str, str]:
    return (
        WagerKind(bet.wager).words,
        bet.paytable,
        percent(bet.house_advantage),
        percent(bet.hit_frequency),
        f"{bet.std_dev:.4f}",
    )


def figures_facts(bets: Iterable[SideBet]) -> list[dict[str, Any]]:
    """The figures as JSON."""
    return [
        {
            "wager": bet.wager,
            "paytable": bet.paytable,
            "deals": bet.deals,
            **both("house_advantage", bet.house_advantage),
            **both("hit_frequency", bet.hit_frequency),
            **both("variance", bet.variance),
            "std_dev": bet.std_dev,
        }
        for bet in bets
    ]


# The page ------------------------------------------------------------------------

_HEAD = (
    "# Figures of the side bets\n\n"
    "Every paytable of the catalog that is a side bet of Ultimate Texas Hold'em, counted over "
    "all deals. `openfelt paytables --figures` prints this, with `--json` as exact fractions "
    "too. The standard deviation is that of one unit. `openfelt edge HOUSE` has the figures of "
    "a house's own tables together with its game.\n\n"
    "This page is generated. `make docs` writes it again.\n\n"
    "| side bet | paytable | house advantage | hit frequency | standard deviation |\n"
    "|---|---|---:|---:|---:|\n"
)


def page() -> str:
    """The whole page."""
    tables = load_catalog().paytables
    rows = "".join(f"| {' | '.join(_cells(bet))} |\n" for bet in side_bets(tables.values()))
    progressive = tables["progressive", "PRG-01"]
    assert isinstance(progressive, ProgressivePaytable)
    figures = price_progressive(progressive)
    fair = figures.break_even_meter()
    assert fair is not None
    return (
        f"{_HEAD}{rows}\n"
        f"The progressive is priced with {int(METER_UNITS):,} units on its meter. Its fixed "
        f"awards return {percent(figures.fixed_return)} of a unit, each thousand units on the "
        f"meter add {percent(1000 * figures.return_per_meter_unit)}, and Envy adds "
        f"{percent(figures.envy_per_other_hand)} for each other hand in it. It is fair from "
        f"{math.ceil(fair):,} units on, rounded up.\n"
        f"{_BONUS_HEAD}{_bonus_rows(tables.values())}{draw_section()}"
    )


_BONUS_HEAD = (
    "\n## The Bonus of Ultimate Draw Poker\n\n"
    "Counted over all 2,598,960 hands, all 32 ways to hold some of the five cards, and all draws; "
    "`openfelt paytables bonus --figures` prints this beside what the document claims. Played "
    "*best*, every hand is held in the way that is best for the Bonus alone. By the *house way*, "
    "it is held as the dealer has to (D.6).\n\n"
    "| paytable | played | house advantage | hit frequency | standard deviation |\n"
    "|---|---|---:|---:|---:|\n"
)


def _bonus_rows(tables: Iterable[Paytable]) -> str:
    return "".join(
        f"| {table.name} | {play.replace('_', ' ')} "
        f"| {' | '.join(_cells(price_draw_bonus(table, play))[2:])} |\n"
        for table in tables
        if isinstance(table, HandPaytable) and table.wager == WagerKind.BONUS.value
        for play in DrawPlay
    )
