"""Rounds of Ultimate Draw Poker on a par sheet: their results with a strategy, and sessions."""

from collections.abc import Iterator
from fractions import Fraction
from math import comb, lcm

from openfelt.cli.figures.draw_edge_report import BASIC, known_spread, lower_first
from openfelt.cli.figures.draw_round_counts import DEALS, hand_results
from openfelt.cli.figures.number_format import signed
from openfelt.cli.par_sheets.round_charts import results_chart, session_section
from openfelt.cli.par_sheets.sheet import (
    AwardTable,
    Section,
    award_section,
    bands_chart,
    spread_section,
)
from openfelt.maths.draw.draw_figures import DrawFigures
from openfelt.maths.draw.strategy_counts import HOUSE_WAY, StrategyCounts

ROUND_DEAL = (
    "five cards of the player, five of the dealer, and five draw cards in their order. "
    "C(52,5) · C(47,5) · 42 · 41 · 40 · 39 · 38"
)
DRAWS = lcm(*(comb(47, drawn) for drawn in range(6)))
"""A number of draws that all numbers of drawn cards divide."""
BONUS_DEAL = (
    f"five cards of the player, and a draw from the other 47. A draw of k cards counts {DRAWS:,} / "
    f"C(47,k) times, so that all holds of a hand have the same number of draws. C(52,5) · {DRAWS:,}"
)
_SHORT_TITLES = {HOUSE_WAY: "Round, house way", BASIC: "Round, basic strategy"}
_BEST_SHORT_TITLE = "Round, held best"


def round_deals(figures: DrawFigures, kept: StrategyCounts | None) -> dict[Fraction, int]:
    """The deals behind each net result of a round; empty where they are not kept."""
    spread = known_spread(figures, kept)
    if spread is None:
        return {}
    return {net: int(often * DEALS) for net, often in spread.nets(figures.terms).items()}


def round_sections(figures: DrawFigures, kept: StrategyCounts | None) -> Iterator[Section]:
    """The results of a round with a strategy, where their counts are kept, and how they vary."""
    deals = round_deals(figures, kept)
    if kept is None or not deals:
        return
    held = lower_first(kept.title)
    table = AwardTable(
        f"Results of a round in Antes, {held}",
        "Ante",
        tuple((signed(net, 2), count, net) for net, count in deals.items()),
        (("per Ante", Fraction(1)),),
        short_title=_SHORT_TITLES.get(kept.name, _BEST_SHORT_TITLE),
        deal=ROUND_DEAL,
    )
    yield award_section(table, charts=(results_chart(deals, held),))
    yield _by_final_hand(figures, kept)
    chart = bands_chart(f"Return of the Ante, {held}", table)
    yield spread_section(f"{table.title}: spread", table, charts=(chart,))
    yield session_section(deals, held)


def _by_final_hand(figures: DrawFigures, kept: StrategyCounts) -> Section:
    """The counts behind the results of a round: nine final hands, and how each ends."""
    assert kept.spread is not None
    rows = [
        (row.hand, row.result, str(row.net), f"{int(row.share * DEALS):,}")
        for row in hand_results(kept.spread, figures.terms)
    ]
    sentence = (
        "The counts behind the results of a round: each is the sum of the lines with its net "
        "result. Pairs and hands without one are counted together, because no Ante Bonus pays them."
    )
    return Section(
        f"Results of a round by final hand, {lower_first(kept.title)}",
        (sentence,),
        ("final hand", "result", "net, in Antes", "deals"),
        (*rows, ("Total", "", "", f"{DEALS:,}")),
    )
