"""Every exact cell of a par sheet is the library's fraction, and no cell is left unchecked."""

import re
from collections.abc import Iterator
from fractions import Fraction

from openfelt.catalog import load_house
from openfelt.cli.figures.draw_edge_report import BASIC, PLAYED, known_plays
from openfelt.cli.figures.edge_report import BASES, decision_rows
from openfelt.cli.par_sheets.draw_sheet import draw_sheet
from openfelt.cli.par_sheets.holdem_sheet import holdem_sheet
from openfelt.cli.par_sheets.sheet import ParSheet, Section
from openfelt.maths import HouseFigures
from openfelt.maths.draw.best_play import (
    best_play_limits,
    bonus_nets,
    known_best,
    known_best_play,
)
from openfelt.maths.draw.draw_figures import DrawFigures
from openfelt.maths.draw.strategy_counts import StrategyCounts, usual_counts
from openfelt.maths.holdem.wager_results import wager_results
from openfelt.maths.strategy.figures import known_figures
from openfelt.maths.wagers.progressive_hands import house_progressive_hand
from openfelt.rules import WagerKind
from tests.kit.maths.solution import price_once

Cells = dict[tuple[str, str], Fraction]
"""By the title of a section and the name of a row."""
VARIANCE = "variance"
EXACTLY = re.compile(r"exactly (-?\d+(?:/\d+)?)")


def cells_of(sheet: ParSheet) -> Cells:
    """Every exact figure of the tables and sentences of a sheet, each once."""
    cells: Cells = {}
    for part in sheet.sections:
        for name, value in _cells(part):
            assert (part.title, name) not in cells, "a figure is named twice"
            cells[part.title, name] = value
    return cells


def _cells(part: Section) -> Iterator[tuple[str, Fraction]]:
    for sentence in part.sentences:
        for fraction in EXACTLY.findall(sentence):
            yield VARIANCE, Fraction(fraction)
    if "exactly" in part.columns:
        decimal, exact = part.columns.index("decimal"), part.columns.index("exactly")
        for row in part.rows:
            value = Fraction(row[exact])
            assert row[decimal] == f"{float(value):.10f}"
            yield row[0], value
    if part.awards is not None:
        *lines, last = part.rows
        deals = [int(row[1].replace(",", "")) for row in lines]
        assert int(last[1].replace(",", "")) == sum(deals)
        for row, count in zip(lines, deals, strict=True):
            yield f"{row[0]} {row[3]}", Fraction(count, sum(deals))


def ends(nets: dict[Fraction, Fraction]) -> dict[str, Fraction]:
    """How often a round ends ahead, even and behind, from the chances of its net results."""
    return {
        "Rounds won (hit frequency)": sum((p for net, p in nets.items() if net > 0), Fraction(0)),
        "Rounds even": nets.get(Fraction(0), Fraction(0)),
        "Rounds lost": sum((p for net, p in nets.items() if net < 0), Fraction(0)),
    }


def signed_nets(nets: dict[Fraction, Fraction]) -> dict[str, Fraction]:
    return {f"{float(net):+.2f} {net}": share for net, share in nets.items()}


def titled(title: str, figures: dict[str, Fraction]) -> Cells:
    return {(title, name): value for name, value in figures.items()}


def test_every_exact_cell_of_washington_is_the_librarys() -> None:
    figures = price_once(load_house("washington"))
    assert cells_of(holdem_sheet(figures)) == {**game(figures), **side_bets(figures)}


def game(figures: HouseFigures) -> Cells:
    solution = figures.solution
    nets = {net: Fraction(n, solution.deals) for net, n in solution.distribution.items()}
    parts = wager_results(solution)
    basic = known_figures("basic", solution.terms)
    assert basic is not None
    every = dict.fromkeys(["game", *figures.side_bets], 1)
    cells = {
        **titled(
            "The game: Ante, Blind and Play",
            {
                "Expected result per Ante": solution.ev_per_ante,
                "Average stake in Antes": solution.units_staked,
                **{f"House advantage {w}": 1 - solution.returns[b] for b, w in BASES.items()},
                **{f"Expected result of the {part.wager}": part.expected for part in parts},
                **ends(nets),
            },
        ),
        **titled("Decisions", dict(decision_rows(solution))),
        **titled("Results of a round, in Antes", signed_nets(nets)),
        ("Spread of a round", VARIANCE): solution.variance,
        ("Strategy", "Expected result of that strategy"): basic.ev_per_ante,
        ("Strategy", "Its cost"): solution.ev_per_ante - basic.ev_per_ante,
        ("One unit on every wager", "Expected result"): figures.joint.expected(every),
        ("One unit on every wager", "Variance"): figures.joint.variance(every),
    }
    for part in parts:
        shares = {
            f"{label} {net}": Fraction(deals, solution.deals)
            for label, (deals, net) in part.deals.items()
        }
        cells |= titled(f"{part.wager.capitalize()} alone, in Antes", shares)
    return cells


def side_bets(figures: HouseFigures) -> Cells:
    cells: Cells = {}
    names = list(figures.side_bets)
    for place, (name, bet) in enumerate(figures.side_bets.items()):
        words = WagerKind(name).words
        title = f"{words} with {bet.paytable}"
        cells |= titled(
            title, {f"{a.label} {a.net}": Fraction(a.deals, bet.deals) for a in bet.awards}
        )
        cells |= titled(
            f"{title}: figures",
            {
                "House advantage": bet.house_advantage,
                "Hit frequency": bet.hit_frequency,
                "Covariance with the game": figures.joint.covariances["game", name],
            },
        )
        cells[f"{title}: spread", VARIANCE] = bet.variance
        for other in names[place + 1 :]:
            pair = f"{words} and {WagerKind(other).words}"
            cells["Covariances of side bets", pair] = figures.joint.covariances[name, other]
    return {**cells, **progressive(figures)}


def progressive(figures: HouseFigures) -> Cells:
    priced = figures.progressive
    assert priced is not None
    cells = titled(
        "The progressive",
        {
            "Return of the fixed awards": priced.fixed_return,
            "Return of each unit on the meter": priced.return_per_meter_unit,
            "Envy for each other hand": priced.envy_per_other_hand,
        },
    )
    for hands in range(1, figures.house.seats + 1):
        one = house_progressive_hand(figures.house, hands=hands)
        assert one is not None
        assert one.break_even_meter is not None
        cells |= titled(
            "One unit on the progressive, by the hands in it",
            {
                f"Expected, {hands} in it": one.expected(figures.meter_units),
                f"Variance, {hands} in it": one.variance(figures.meter_units),
                f"Fair meter, {hands} in it": one.break_even_meter,
            },
        )
    return cells


def test_every_exact_cell_of_ultimate_draw_is_the_librarys(draw: DrawFigures) -> None:
    assert cells_of(draw_sheet(draw)) == {**antes(draw), **bonuses(draw)}


def antes(figures: DrawFigures) -> Cells:
    ante, terms, counts = figures.ante, figures.terms, usual_counts()
    basic, best = counts.strategies[BASIC], known_best_play(figures)
    held_best = known_best(figures)
    assert best is not None
    assert held_best is not None
    rows = {
        "The Ante, held the house way": {
            **worth(figures.expected),
            "Lost to a qualified dealer": ante.lost_to_dealer,
            "Paid by an unqualified dealer": terms.unqualified_pays * ante.unqualified,
            "Ante Bonus": ante.bonus(terms.ante_bonus),
            "Dealer does not qualify": ante.unqualified,
            "Neither hand has a pair": ante.both_unqualified,
            "Fair if an unqualified dealer paid": figures.fair_share,
            **{f"Final hand: {c.words}": share for c, share in counts.house_way.final.items()},
            **ends(nets_of(figures, counts.house_way)),
        },
        "The Ante, held best": {
            **worth(held_best.value(terms)),
            "More than by the house way": best.value - figures.expected,
            "The house way is not the best": held_best.differs,
            "Fair if an unqualified dealer paid": figures.fair_share_with(best.value),
            **ends(nets_of(figures, held_best)),
        },
        "The basic strategy": {
            **worth(basic.value(terms)),
            "More than by the house way": basic.value(terms) - figures.expected,
            "Less than held best": best.value - basic.value(terms),
            "The house way would hold otherwise": basic.differs,
            **ends(nets_of(figures, basic)),
        },
    }
    cells: Cells = {}
    for title, named in rows.items():
        cells |= titled(title, named)
    for kept in (counts.house_way, held_best, basic):
        title = f"Results of a round in Antes, h{kept.title[1:]}"
        cells |= titled(title, signed_nets(nets_of(figures, kept)))
        assert kept.spread is not None
        cells[f"{title}: spread", VARIANCE] = kept.spread.variance(terms)
    return cells


def worth(value: Fraction) -> dict[str, Fraction]:
    return {"Expected result per Ante": value, "House advantage per Ante": -value}


def nets_of(figures: DrawFigures, kept: StrategyCounts) -> dict[Fraction, Fraction]:
    assert kept.spread is not None
    return kept.spread.nets(figures.terms)


def bonuses(figures: DrawFigures) -> Cells:
    cells: Cells = {}
    for play, bet in figures.bonuses.items():
        title = f"Bonus with {bet.paytable}, h{PLAYED[play][1:]}"
        cells |= titled(
            title, {f"{a.label} {a.net}": Fraction(a.deals, bet.deals) for a in bet.awards}
        )
        named = {"House advantage": bet.house_advantage, "Hit frequency": bet.hit_frequency}
        cells |= titled(f"{title}: figures", named)
        cells[f"{title}: spread", VARIANCE] = bet.variance
    return {**cells, **titled("The Ante with the Bonus", together(figures))}


def together(figures: DrawFigures) -> dict[str, Fraction]:
    """With the best holds for both if their counts are kept, or else with their limits."""
    unit = Fraction(1)
    alone, best = known_best(figures), known_plays(figures, unit).get(unit)
    assert alone is not None
    values = {
        "Held the house way": figures.together(unit),
        alone.title: alone.value(figures.terms, bonus_nets(figures, unit)),
    }
    if best is None:
        least, most = best_play_limits(figures, unit)
        return values | {"Held best for both, at least": least, "Held best for both, at most": most}
    differs = {"The house way is not the best for both": best.differs}
    return {**values, "Held best for both": best.value, **differs}
