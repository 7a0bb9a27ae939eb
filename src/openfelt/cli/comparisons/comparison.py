"""Two houses, or two paytables, side by side: every figure, and the difference."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from openfelt.cli.figures.draw_edge_report import (
    BASIC,
    PLAYED,
    held_together,
    known_plays,
    known_spread,
    lower_first,
    together_values,
)
from openfelt.cli.figures.edge_report import BASES, decision_rows
from openfelt.cli.figures.number_format import maybe, signed
from openfelt.cli.paytables import table_rows
from openfelt.maths.draw.best_play import known_best, known_best_play
from openfelt.maths.draw.draw_figures import DrawFigures
from openfelt.maths.draw.strategy_counts import StrategyCounts, usual_counts
from openfelt.maths.wagers.house_figures import HouseFigures
from openfelt.maths.wagers.side_bet_figures import SideBet
from openfelt.rules import House, WagerKind

Figures = HouseFigures | DrawFigures
NONE = "none"
"""Printed for a figure or an award that a side does not have."""


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """One figure of both sides; None where a side does not have it."""

    name: str
    first: Fraction | None
    second: Fraction | None

    @property
    def difference(self) -> Fraction | None:
        """The second less the first; None if a side does not have the figure."""
        if self.first is None or self.second is None:
            return None
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides with the figures of both, and what their paytables pay."""

    names: tuple[str, str]
    houses: tuple[House, House]
    figures: tuple[ComparedFigure, ...]
    pays: tuple[tuple[str, str, str], ...]
    """The award, and what each side pays for it; only where they differ."""
    within: str | None = None
    """The house in which paytables are compared; None if both sides are houses."""


def compare_figures(
    names: tuple[str, str], sides: tuple[Figures, Figures], *, within: str | None = None
) -> Comparison:
    """Put every figure of two sides together, in the order of the first."""
    first, second = (dict(_named(side)) for side in sides)
    both = {**dict.fromkeys(first), **dict.fromkeys(second)}
    figures = tuple(ComparedFigure(name, first.get(name), second.get(name)) for name in both)
    houses = (sides[0].house, sides[1].house)
    first_pays, second_pays = (dict(_pays(house)) for house in houses)
    pays = tuple(
        (award, first_pays.get(award, NONE), second_pays.get(award, NONE))
        for award in {**dict.fromkeys(first_pays), **dict.fromkeys(second_pays)}
        if first_pays.get(award) != second_pays.get(award)
    )
    return Comparison(names, houses, figures, pays, within)


def _named(side: Figures) -> Iterator[tuple[str, Fraction]]:
    if isinstance(side, DrawFigures):
        yield from _draw(side)
        return
    solution = side.solution
    yield "Expected result per Ante", solution.ev_per_ante
    for name, words in BASES.items():
        yield f"House advantage {words}", 1 - solution.returns[name]
    yield "Average stake in Antes", solution.units_staked
    won = sum(deals for net, deals in solution.distribution.items() if net > 0)
    yield "Rounds won", Fraction(won, solution.deals)
    yield "Variance per Ante", solution.variance
    yield from decision_rows(solution)
    for name, bet in side.side_bets.items():
        words = WagerKind(name).words
        yield from _side_bet(words, bet)
        yield f"{words}: covariance with the game", side.joint.covariances["game", name]
    if side.progressive is not None:
        yield "Progressive: return of the fixed awards", side.progressive.fixed_return
        yield "Progressive: return of a unit on the meter", side.progressive.return_per_meter_unit
    stakes = dict.fromkeys(["game", *side.side_bets], 1)
    yield "One unit on every wager: expected result", side.joint.expected(stakes)
    yield "One unit on every wager: variance", side.joint.variance(stakes)


def _draw(side: DrawFigures) -> Iterator[tuple[str, Fraction]]:
    yield "Expected result per Ante, held the house way", side.expected
    yield "Dealer does not qualify", side.ante.unqualified
    yield "Ante Bonus, held the house way", side.ante.bonus(side.terms.ante_bonus)
    yield from _fair_share("held the house way", side.fair_share)
    best, counts = known_best_play(side), usual_counts()
    if best is not None:
        yield "Expected result per Ante, held best", best.value
        yield from _fair_share("held best", side.fair_share_with(best.value))
    basic = counts.strategies.get(BASIC)
    if basic is not None and basic.prices(side.terms):
        yield f"Expected result per Ante, {lower_first(basic.title)}", basic.value(side.terms)
    yield from _draw_spread(side, "held the house way", counts.house_way)
    yield from _draw_spread(side, "held best", known_best(side))
    if basic is not None:
        yield from _draw_spread(side, lower_first(basic.title), basic)
    for play, bet in side.bonuses.items():
        yield from _side_bet(f"Bonus ({lower_first(PLAYED[play])})", bet)
    if side.bonuses:
        unit = Fraction(1)
        for title, value in together_values(side, unit, known_plays(side, unit)).items():
            yield f"One Ante and one unit of the Bonus, {lower_first(title)}", value
        for title, varies in held_together(side, unit).items():
            held = lower_first(title)
            yield f"Covariance of Ante and Bonus, {held}", varies.covariance
            yield f"Variance of one Ante and one unit of the Bonus, {held}", varies.variance


def _fair_share(held: str, share: Fraction | None) -> Iterator[tuple[str, Fraction]]:
    """What would make the game fair; nothing if the dealer always qualifies."""
    if share is not None:
        yield f"Fair if an unqualified dealer paid, {held}", share


def _draw_spread(
    side: DrawFigures, held: str, kept: StrategyCounts | None
) -> Iterator[tuple[str, Fraction]]:
    spread = known_spread(side, kept)
    if spread is not None:
        yield f"Rounds won, {held}", spread.hit_frequency(side.terms)
        yield f"Variance per Ante, {held}", spread.variance(side.terms)


def _side_bet(words: str, bet: SideBet) -> Iterator[tuple[str, Fraction]]:
    yield f"{words}: house advantage", bet.house_advantage
    yield f"{words}: hit frequency", bet.hit_frequency
    yield f"{words}: variance", bet.variance


def _pays(house: House) -> Iterator[tuple[str, str]]:
    for rule in house.wagers:
        if rule.paytable is not None:
            yield f"{rule.kind.words}: paytable", rule.paytable.name
            for hand, pays in table_rows(rule.paytable):
                yield f"{rule.kind.words}: {hand}", pays
    if house.ante_bonus is not None:
        for hand, pays in table_rows(house.ante_bonus):
            yield f"Ante Bonus: {hand}", pays


# Printing ------------------------------------------------------------------------


def comparison_report(comparison: Comparison) -> RenderableType:
    """The comparison for people."""
    return Group(*_parts(comparison))


def _parts(comparison: Comparison) -> Iterator[RenderableType]:
    yield Text(" and ".join(comparison.names), "bold")
    if comparison.within is not None:
        yield Text(f"Paytables are compared within the house {comparison.within}.", "dim")
    if comparison.pays:
        yield Text()
        yield Text("What is paid differently", "bold")
        sheet = _sheet(*comparison.names)
        for row in comparison.pays:
            sheet.add_row(*row)
        yield sheet
    yield Text()
    yield Text("Figures", "bold")
    sheet = _sheet(*comparison.names, "difference")
    for figure in comparison.figures:
        values = (figure.first, figure.second)
        shown = (NONE if value is None else f"{float(value):.8f}" for value in values)
        apart = figure.difference
        sheet.add_row(
            figure.name, *shown, NONE if apart is None else "0" if apart == 0 else signed(apart, 8)
        )
    yield sheet


def _sheet(*columns: str) -> Table:
    sheet = Table(box=None, pad_edge=False)
    sheet.add_column()
    for name in columns:
        sheet.add_column(name, justify="right")
    return sheet


def comparison_facts(comparison: Comparison) -> dict[str, Any]:
    """The comparison for programs."""
    sides: Mapping[str, House] = dict(zip(("first", "second"), comparison.houses, strict=True))
    names = dict(zip(sides, comparison.names, strict=True))
    return {
        **{
            side: {"name": names[side], "house": house.id, "fingerprint": house.fingerprint}
            for side, house in sides.items()
        },
        "within": comparison.within,
        "pays": [
            {"award": award, "first": first, "second": second}
            for award, first, second in comparison.pays
        ],
        "figures": [
            {
                "figure": figure.name,
                **maybe("first", figure.first),
                **maybe("second", figure.second),
                **maybe("difference", figure.difference),
            }
            for figure in comparison.figures
        ],
    }
