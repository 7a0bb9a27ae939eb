"""The exact figures of every side bet's paytable: for ``openfelt paytables --figures``.

``make docs`` writes the page of them, ``docs/reference/figures.md``.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rich.table import Table

from openfelt.catalog import load_catalog
from openfelt.cli.figures.number_format import both, percent
from openfelt.maths.wagers.joint_sums import losing_hands
from openfelt.maths.wagers.side_bet_figures import (
    SideBet,
    price_bad_beat,
    price_play_the_board,
    price_progressive,
    price_trips,
    price_ultimate_pairs,
    progressive_at,
)
from openfelt.rules import WagerKind
from openfelt.rules.paytable import HandPaytable, PairsPaytable, Paytable, ProgressivePaytable

METER_UNITS = Fraction(10_000)
"""The meter that a progressive is priced at, in units of its wager."""


def side_bets(tables: Iterable[Paytable]) -> list[SideBet]:
    """Price every table that is a side bet of Ultimate Texas Hold'em; leave out the others."""
    priced = [_priced(table) for table in tables]
    return [bet for bet in priced if bet is not None]


def _priced(table: Paytable) -> SideBet | None:
    match table:
        case PairsPaytable():
            return price_ultimate_pairs(table)
        case ProgressivePaytable():
            return progressive_at(table, meter_units=METER_UNITS)
        case HandPaytable(wager="trips"):
            return price_trips(table)
        case HandPaytable(wager="bad_beat"):
            return price_bad_beat(table, losing_hands())
        case HandPaytable(wager="play_the_board"):
            return price_play_the_board(table)
    return None


def figures_table(bets: Iterable[SideBet]) -> Table:
    """The figures for people."""
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
    """The figures for programs."""
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
        f"{percent(figures.envy_per_other_hand)} for each other hand in it. It is fair at "
        f"{int(fair):,} units.\n"
    )
