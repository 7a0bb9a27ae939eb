"""The exact figures of the Bonus of Ultimate Draw Poker, beside what the document claims."""

from collections.abc import Iterable
from typing import Any

from rich.table import Table

from openfelt.cli.figures.number_format import both, percent
from openfelt.cli.progress import watched
from openfelt.maths.wagers.draw_bonus import DrawBonusFigures, price_draw_bonus
from openfelt.rules import WagerKind
from openfelt.rules.paytable import HandPaytable, Paytable

Priced = tuple[HandPaytable, DrawBonusFigures]


def draw_bonuses(tables: Iterable[Paytable]) -> list[Priced]:
    """Price the tables of the Bonus; leave out the others."""
    chosen = [
        table
        for table in tables
        if isinstance(table, HandPaytable) and table.wager == WagerKind.BONUS.value
    ]
    priced: list[Priced] = []
    with watched("Counting the Bonus") as progress:
        for number, table in enumerate(chosen):
            if progress:
                progress(number, len(chosen))
            priced.append((table, price_draw_bonus(table)))
    return priced


def bonus_table(priced: Iterable[Priced]) -> Table:
    """The figures as a table."""
    drawn = Table(box=None, pad_edge=False)
    drawn.add_column("Side bet")
    for name in ("paytable", "advantage", "claimed", "agrees"):
        drawn.add_column(name, justify="right")
    for table, figures in priced:
        claim = table.claimed_advantage or ""
        drawn.add_row(
            WagerKind.BONUS.words,
            table.name,
            percent(figures.house_advantage),
            claim,
            _agrees(table, figures),
        )
    drawn.caption, drawn.caption_justify = "Held as is best for the Bonus alone.", "left"
    return drawn


def _agrees(table: HandPaytable, figures: DrawBonusFigures) -> str:
    """Whether the claim is the counted figure, rounded to the digits of the claim."""
    claim = table.claimed_advantage
    if claim is None:
        return ""
    digits = len(claim.removesuffix("%").partition(".")[2])
    return "yes" if percent(figures.house_advantage, digits) == claim else "no"


def bonus_facts(priced: Iterable[Priced]) -> list[dict[str, Any]]:
    """The figures as JSON."""
    return [
        {
            "wager": table.wager,
            "paytable": table.name,
            **both("house_advantage", figures.house_advantage),
            "claimed_advantage": table.claimed_advantage,
        }
        for table, figures in priced
    ]
