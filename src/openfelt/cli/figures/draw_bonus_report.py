"""The exact figures of the Bonus of Ultimate Draw Poker, beside what the document claims."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from openfelt.cli.figures.number_format import both, claim_verdict, percent
from openfelt.cli.progress import watched
from openfelt.maths.draw.bonus import DrawPlay, price_draw_bonus
from openfelt.maths.wagers.side_bet_figures import SideBet
from openfelt.rules import WagerKind
from openfelt.rules.paytable import HandPaytable, Paytable


@dataclass(frozen=True, slots=True)
class PricedBonus:
    """A table of the Bonus with its figures."""

    table: HandPaytable
    best: SideBet
    """For the holds that are best for the Bonus alone."""
    house_way: SideBet
    """For the holds of the house way."""


def draw_bonuses(tables: Iterable[Paytable]) -> list[PricedBonus]:
    """Price the tables of the Bonus; leave out the others."""
    chosen = [
        table
        for table in tables
        if isinstance(table, HandPaytable) and table.wager == WagerKind.BONUS.value
    ]
    priced: list[PricedBonus] = []
    with watched("Counting the Bonus") as progress:
        for number, table in enumerate(chosen):
            if progress:
                progress(number, len(chosen))
            bets = [price_draw_bonus(table, play) for play in DrawPlay]
            priced.append(PricedBonus(table, *bets))
    return priced


def bonus_table(priced: Iterable[PricedBonus]) -> Table:
    """The figures as a table."""
    drawn = Table(box=None, pad_edge=False)
    drawn.add_column("Side bet")
    columns = ("paytable", "advantage", "claimed", "agrees", "hits", "std dev", "house way")
    for name in columns:
        drawn.add_column(name, justify="right")
    for bonus in priced:
        drawn.add_row(
            WagerKind.BONUS.words,
            bonus.table.name,
            percent(bonus.best.house_advantage),
            bonus.table.claimed_advantage or "",
            _agrees(bonus),
            percent(bonus.best.hit_frequency),
            f"{bonus.best.std_dev:.4f}",
            percent(bonus.house_way.house_advantage),
        )
    drawn.caption = (
        "Held as is best for the Bonus alone; the last column is the advantage over a player "
        "who holds the house way."
    )
    drawn.caption_justify = "left"
    return drawn


def _agrees(bonus: PricedBonus) -> str:
    """Whether the claim is the counted figure, rounded to the digits of the claim."""
    claim = bonus.table.claimed_advantage
    if claim is None:
        return ""
    return claim_verdict(claim, bonus.best.house_advantage).partition(":")[0]


def bonus_facts(priced: Iterable[PricedBonus]) -> list[dict[str, Any]]:
    """The figures as JSON."""
    return [
        {
            "wager": bonus.table.wager,
            "paytable": bonus.table.name,
            **side_bet_facts(bonus.best),
            "claimed_advantage": bonus.table.claimed_advantage,
            "house_way": side_bet_facts(bonus.house_way),
        }
        for bonus in priced
    ]


def side_bet_facts(bet: SideBet) -> dict[str, Any]:
    """Every figure of one wager, and the draws behind each award."""
    return {
        "deals": bet.deals,
        **both("house_advantage", bet.house_advantage),
        **both("hit_frequency", bet.hit_frequency),
        **both("variance", bet.variance),
        "std_dev": bet.std_dev,
        "awards": [
            {"hand": award.label, "deals": award.deals, **both("net", award.net)}
            for award in bet.awards
        ],
    }
