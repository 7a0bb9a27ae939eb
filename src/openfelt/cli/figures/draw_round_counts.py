"""What becomes of a round of Ultimate Draw with a strategy, by the player's final hand, as counts.

A round of the sheet and of ``openfelt strategy draw --spread`` is the sum of these results: a final
hand wins, loses, ties, or meets an unqualified dealer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb, perm
from typing import Any, Final

from rich.console import RenderableType
from rich.table import Table

from openfelt.cli.figures.figure_sheet import figure_sheet
from openfelt.cli.figures.number_format import both, percent, signed
from openfelt.maths.draw.draw_figures import DrawTerms
from openfelt.maths.draw.draw_spread import DrawSpread

DEALS: Final = comb(52, 5) * comb(47, 5) * perm(42, 5)
"""The player's hand, the dealer's, and the draw cards in their order."""
BELOW: Final = "pair or less"
RESULTS: Final = ("won", "lost", "tied", "dealer does not qualify")
"""What becomes of a final hand, in the order in which a spread lists it."""


@dataclass(frozen=True, slots=True)
class HandResult:
    """One result of a final hand."""

    hand: str
    result: str
    net: Fraction
    """What the Ante with its Ante Bonus nets, in Antes."""
    share: Fraction
    """The share of all deals."""

    @property
    def deals(self) -> int | None:
        """The number of deals of 52 cards; None if it was counted with another deck."""
        return whole_deals(self.share)


def whole_deals(share: Fraction) -> int | None:
    """A share of all deals of 52 cards as their number; None if that is not a whole number."""
    deals = share * DEALS
    return int(deals) if deals.denominator == 1 else None


def hand_results(spread: DrawSpread, terms: DrawTerms) -> Iterator[HandResult]:
    """The 36 results of a round: nine final hands, and what becomes of each."""
    for number, (category, net, often) in enumerate(spread.rounds(terms)):
        hand = BELOW if category is None else category.words
        yield HandResult(hand, RESULTS[number % len(RESULTS)], net, often)


def result_facts(spread: DrawSpread, terms: DrawTerms) -> list[dict[str, Any]]:
    """The results as JSON."""
    return [
        {
            "hand": row.hand,
            "result": row.result,
            **({} if row.deals is None else {"deals": row.deals}),
            **both("net", row.net),
            **both("share", row.share),
        }
        for row in hand_results(spread, terms)
    ]


def round_tables(spread: DrawSpread, terms: DrawTerms) -> Iterator[tuple[str, RenderableType]]:
    """The results of a round by net, and by final hand, each with a title."""
    nets = figure_sheet("deals", "chance")
    for net, share in spread.nets(terms).items():
        nets.add_row(signed(net, 2), _told(whole_deals(share)), percent(share, 8))
    yield "Results of a round, in Antes", nets
    hands = Table(box=None, pad_edge=False)
    for name in ("hand", "result"):
        hands.add_column(name)
    for name in ("net", "deals"):
        hands.add_column(name, justify="right", no_wrap=True)
    for row in hand_results(spread, terms):
        hands.add_row(row.hand, row.result, signed(row.net, 2), _told(row.deals))
    yield f"The same by final hand, of {DEALS:,} deals", hands


def _told(deals: int | None) -> str:
    return "" if deals is None else f"{deals:,}"
