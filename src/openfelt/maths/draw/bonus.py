"""The Bonus of Ultimate Draw Poker over all draws: held for the Bonus alone, or the house way.

The Bonus depends on the player's own cards alone: five dealt, and as many drawn as are discarded
(D.7, D.13).
"""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction

from openfelt.cards import Category
from openfelt.maths.draw.holds import draw_holds
from openfelt.maths.wagers.pricers import price_side_bet
from openfelt.maths.wagers.side_bet_figures import LOSS, Award, SideBet
from openfelt.rules.paytable import HandPaytable, Paytable
from openfelt.rules.wagers import WagerKind


class DrawPlay(StrEnum):
    """How the player chooses the cards to hold."""

    BEST = "best"
    """The way that is best for the wager that is priced."""
    HOUSE_WAY = "house_way"
    """The way that the dealer has to (D.6)."""


def price_draw_bonus(table: HandPaytable, play: DrawPlay = DrawPlay.BEST) -> SideBet:
    """Count the Bonus of Ultimate Draw Poker; takes a second or two.

    Raises ValueError for a table that pays by the rank of a pair.

    >>> from openfelt.catalog import load_catalog
    >>> bonus = price_draw_bonus(load_catalog().paytables["bonus", "UDP-01"])
    >>> f"{float(bonus.house_advantage):.4%}", f"{float(bonus.hit_frequency):.4%}"
    ('0.7620%', '23.9661%')
    """
    holds, nets = draw_holds(), bonus_nets(table)
    held = holds.best(nets) if play is DrawPlay.BEST else holds.house_way
    return bonus_bet(table, holds.categories(held), holds.draws)


def price_best_play(table: Paytable) -> SideBet | None:
    """The exact figures of a side bet of either game, with the play that is best for it alone.

    None if the wager is not a side bet. Raises ValueError for a table that pays by the rank of a
    pair where only categories are counted.
    """
    if table.wager == WagerKind.BONUS and isinstance(table, HandPaytable):
        return price_draw_bonus(table)
    return price_side_bet(table)


def bonus_nets(table: HandPaytable) -> dict[Category, Fraction]:
    """The net of every category per unit; raises ValueError if it depends on the rank of a pair."""
    if any(row.hand.at_least for row in table.rows):
        raise ValueError(f"{table.name} pays by the rank of a pair, which is not counted")
    return dict.fromkeys(Category, LOSS) | award_nets(table)


def bonus_bet(table: HandPaytable, counts: Mapping[Category, int], draws: int) -> SideBet:
    """The Bonus, given how many of all draws end in each category."""
    awards = [Award(row.label, counts[row.hand.category], row.odds.ratio) for row in table.rows]
    lost = draws - sum(award.deals for award in awards)
    return SideBet(table.wager, table.name, (*awards, Award("All others", lost, LOSS)))


def award_nets(table: HandPaytable) -> dict[Category, Fraction]:
    """The net of each category that the table names, per unit."""
    return {row.hand.category: row.odds.ratio for row in table.rows}
