"""The figures of a draft of Ultimate Draw Poker, from counts that do not depend on what is paid.

The counts of some strategies are kept, so every change is priced while it is typed. Which holds are
best depends on what final hands pay, and on the dealer's qualifying hand: where they have not been
counted for a draft, the best of the kept strategies shows the most that the house can have against
best play.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from openfelt.rules.house import House
from openfelt.rules.paytable import HandPaytable
from openfelt.rules.wagers import WagerKind
from openfelt.server.draft_desk.draft_figures import GAME, Figure, money_figures, side_bet_lines

if TYPE_CHECKING:
    from openfelt.maths.draw.draw_figures import DrawTerms
    from openfelt.maths.draw.strategy_counts import DrawCounts
    from openfelt.maths.wagers.side_bet_figures import SideBet

HOUSE_WAY: Final = "house_way"
BASIC: Final = "basic"
_TABLES_MAX: Final = 64
"""How many paytables' figures are kept: that of the published house is asked for every time."""


def best_is_counted(house: House) -> bool:
    """Whether the best holds for the Ante of a house have been counted; raises ValueError."""
    from openfelt.maths.draw.draw_figures import draw_terms_of
    from openfelt.maths.draw.strategy_counts import usual_counts

    return _best_value(usual_counts(), draw_terms_of(house)) is not None


def draw_figures(house: House) -> Iterator[Figure]:
    """Every figure of a house of Ultimate Draw Poker.

    Raises ValueError for a qualifying hand and for paytables that are not counted.
    """
    from openfelt.maths.draw.draw_figures import draw_terms_of
    from openfelt.maths.draw.strategy_counts import usual_counts

    terms, counts = draw_terms_of(house), usual_counts()
    yield from _ante_figures(house, terms, counts)
    yield from _bonus_figures(house)


def _ante_figures(house: House, terms: "DrawTerms", counts: "DrawCounts") -> Iterator[Figure]:
    """The figures of the Ante with its Ante Bonus."""
    values = {
        name: counts.strategies[name].value(terms)
        for name in (HOUSE_WAY, BASIC)
        if name in counts.strategies and counts.strategies[name].prices(terms)
    }
    best = _best_value(counts, terms)
    if best is not None:
        yield Figure(GAME, "advantage_best_holds", "percent", -best)
    else:
        priced = [kept.value(terms) for kept in counts.strategies.values() if kept.prices(terms)]
        best = max(priced)
        yield Figure(GAME, "advantage_best_holds_most", "percent", -best)
    for name, value in values.items():
        yield Figure(GAME, f"advantage_{name}", "percent", -value)
    unqualified = counts.house_way.against(terms.qualifying).unqualified
    yield Figure(GAME, "unqualified", "percent", unqualified)
    paid = (category for category, pays in terms.ante_bonus.items() if pays > 0)
    often = sum((counts.house_way.final[category] for category in paid), Fraction(0))
    yield Figure(GAME, "ante_bonus_paid", "percent", often)
    spread = counts.house_way.spread
    if spread is not None and spread.prices(terms):
        variance = spread.variance(terms)
        yield Figure(GAME, "std_dev", "number", variance, root=True)
        yield Figure(GAME, "variance", "number", variance)
    ante = house.wager(WagerKind.ANTE)
    if ante is not None:
        most = 1 + max(terms.ante_bonus.values(), default=Fraction(0))
        yield from money_figures(GAME, ante, -values[HOUSE_WAY], most)


def _best_value(counts: "DrawCounts", terms: "DrawTerms") -> Fraction | None:
    """What the Ante is worth under best play; None if that has not been counted."""
    best = counts.best_with(terms)
    return None if best is None else counts.house_way.value(terms) + best.gain


def _bonus_figures(house: House) -> Iterator[Figure]:
    """The figures of the Bonus, held best for it alone and the house way."""
    rule = house.wager(WagerKind.BONUS)
    if rule is None or not isinstance(rule.paytable, HandPaytable):
        return
    best, as_dealer = _bonus(rule.paytable)
    yield from side_bet_lines(rule, best)
    yield Figure(rule.kind.value, "advantage_house_way", "percent", as_dealer.house_advantage)


@lru_cache(maxsize=_TABLES_MAX)
def _bonus(table: HandPaytable) -> "tuple[SideBet, SideBet]":
    """A Bonus held best, and the house way."""
    from openfelt.maths.draw.bonus import DrawPlay
    from openfelt.maths.draw.bonus_prices import bonus_prices

    prices = bonus_prices()
    return prices.price(table), prices.price(table, DrawPlay.HOUSE_WAY)
