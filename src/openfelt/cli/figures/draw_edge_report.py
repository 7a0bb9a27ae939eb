"""The exact figures of a house of Ultimate Draw Poker as a report and as JSON."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from openfelt.cli.figures.draw_bonus_report import side_bet_facts
from openfelt.cli.figures.number_format import all_both, both, percent, signed
from openfelt.maths.draw.best_play import BestPlay
from openfelt.maths.draw.bonus import DrawPlay
from openfelt.maths.draw.draw_figures import DrawFigures, draw_terms_of

PLAYED = {
    DrawPlay.BEST: "Held best for the Bonus alone",
    DrawPlay.HOUSE_WAY: "Held the house way",
}


Best = Mapping[Fraction, BestPlay]
"""Best play by the units of the Bonus that are bet; empty where it was not counted."""


def draw_report(
    figures: DrawFigures, bonus_units: Fraction, best: Best | None = None
) -> RenderableType:
    """The report: the Ante by the house way and held best, the Bonus, and both together."""
    return Group(*_parts(figures, bonus_units, best or {}))


def _parts(figures: DrawFigures, bonus_units: Fraction, best: Best) -> Iterator[RenderableType]:
    yield Text(figures.house.name, "bold")
    yield Text("All deals and all draws, counted.", "dim")
    if figures.terms != draw_terms_of(figures.house):
        yield Text("The Ante's terms are changed: these are not the figures of the house.", "dim")
    yield from _part("The Ante, held the house way", _ante(figures))
    for units, play in best.items():
        together = f" with {float(units):g} units of the Bonus" if units else ""
        yield from _part(f"The Ante{together}, held best", _best(figures, play))
    if not best:
        yield Text(
            "The house way is the dealer's. A player who holds better can only gain: openfelt "
            "advise --game draw counts every hold of a hand, and --best-play what the best holds "
            "are worth.",
            "dim",
        )
    if figures.bonuses:
        yield from _part("The Bonus, per unit", _bonus(figures))
        yield from _part("Bet together, per Ante", _together(figures, bonus_units))


def _part(title: str, sheet: Table) -> Iterator[RenderableType]:
    yield Text()
    yield Text(title, "bold")
    yield sheet


def _sheet(*columns: str) -> Table:
    sheet = Table(box=None, pad_edge=False, show_header=bool(columns))
    sheet.add_column()
    for name in columns or ("",):
        sheet.add_column(name, justify="right")
    return sheet


def _ante(figures: DrawFigures) -> Table:
    ante, terms = figures.ante, figures.terms
    sheet = _sheet()
    sheet.add_row("Expected result per Ante", signed(figures.expected, 8))
    sheet.add_row("  exactly", str(figures.expected))
    sheet.add_row("  lost to a qualified dealer", signed(-ante.lost_to_dealer, 8))
    paid = terms.unqualified_pays * ante.unqualified
    sheet.add_row(f"  paid {terms.unqualified_pays} by an unqualified dealer", signed(paid, 8))
    sheet.add_row("  Ante Bonus", signed(ante.bonus(terms.ante_bonus), 8))
    sheet.add_row("Dealer does not qualify", percent(ante.unqualified))
    sheet.add_row("Neither hand has a pair", percent(ante.both_unqualified))
    fair = figures.fair_share
    sheet.add_row("Fair if an unqualified dealer paid", f"{float(fair):.6f}")
    return sheet


def _best(figures: DrawFigures, play: BestPlay) -> Table:
    sheet = _sheet()
    sheet.add_row("Expected result per Ante", signed(play.value, 8))
    sheet.add_row("  exactly", str(play.value))
    sheet.add_row("  more than by the house way", signed(play.gain, 8))
    sheet.add_row("The house way is not the best", percent(play.differs))
    fair = figures.fair_share_with(play.value)
    sheet.add_row("Fair if an unqualified dealer paid", f"{float(fair):.6f}")
    return sheet


def _bonus(figures: DrawFigures) -> Table:
    sheet = _sheet("paytable", "advantage", "hits", "std dev")
    for play, bet in figures.bonuses.items():
        sheet.add_row(
            PLAYED[play],
            bet.paytable,
            percent(bet.house_advantage),
            percent(bet.hit_frequency),
            f"{bet.std_dev:.4f}",
        )
    return sheet


def _together(figures: DrawFigures, bonus_units: Fraction) -> Table:
    sheet = _sheet()
    sheet.add_row("Units of the Bonus", f"{float(bonus_units):g}")
    sheet.add_row("Expected result, held the house way", signed(figures.together(bonus_units), 8))
    return sheet


def draw_facts(
    figures: DrawFigures, bonus_units: Fraction, best: Best | None = None
) -> dict[str, Any]:
    """The figures as JSON."""
    ante, terms = figures.ante, figures.terms
    facts: dict[str, Any] = {
        "house": figures.house.id,
        "fingerprint": figures.house.fingerprint,
        "terms": {
            "unqualified_pays": str(terms.unqualified_pays),
            "ante_bonus": {c.words: str(pays) for c, pays in terms.ante_bonus.items()},
            "changed": terms != draw_terms_of(figures.house),
        },
        "ante": {
            "held": DrawPlay.HOUSE_WAY.value,
            **both("ev_per_ante", figures.expected),
            **both("lost_to_dealer", ante.lost_to_dealer),
            **both("unqualified", ante.unqualified),
            **both("both_unqualified", ante.both_unqualified),
            **both("ante_bonus", ante.bonus(terms.ante_bonus)),
            **both("fair_unqualified_pays", figures.fair_share),
            "final_hands": all_both({c.words: share for c, share in ante.categories.items()}),
        },
        "bonus": {play.value: side_bet_facts(bet) for play, bet in figures.bonuses.items()},
        "together": {
            "bonus_units": float(bonus_units),
            **both("ev_per_ante", figures.together(bonus_units)),
        },
    }
    if best:
        facts["best_play"] = [
            {
                "bonus_units": float(units),
                **both("ev_per_ante", play.value),
                **both("gain_on_house_way", play.gain),
                **both("house_way_is_not_best", play.differs),
                **both("fair_unqualified_pays", figures.fair_share_with(play.value)),
            }
            for units, play in best.items()
        ]
    return facts
