"""Every exact cell of a sheet of hold'em is the library's fraction, and none is left unchecked."""

from fractions import Fraction

from openfelt.catalog import load_house
from openfelt.cli.figures.edge_report import BASES, decision_rows
from openfelt.cli.par_sheets.holdem_sheet import holdem_sheet
from openfelt.maths import HouseFigures
from openfelt.maths.holdem.wager_results import wager_results
from openfelt.maths.strategy.figures import known_figures
from openfelt.maths.wagers.meter_return import long_run
from openfelt.maths.wagers.progressive_hands import house_progressive_hand
from openfelt.rules import WagerKind
from tests.kit.cli.exact_cells import VARIANCE, Cells, cells_of, ends, signed_nets, titled
from tests.kit.maths.solution import price_once

METERS = {"progressive": ", with 10,000 units on the meter"}


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
                **{
                    f"Expected result of the {part.wager.capitalize()}": part.expected
                    for part in parts
                },
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
                f"House advantage{METERS.get(name, '')}": bet.house_advantage,
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
    return {**cells, **long_run_cells(figures)}


def long_run_cells(figures: HouseFigures) -> Cells:
    """From the deals of five cards: 4 royal flushes and 36 straight flushes among 2,598,960."""
    priced = figures.progressive
    assert priced is not None
    cells: Cells = {}
    for hands in (1, 6):
        returned = long_run(figures.house, hands=hands)
        one = house_progressive_hand(figures.house, hands=hands)
        assert returned is not None
        assert one is not None
        # A straight flush beside a royal flush is paid from the seed, which is then paid again.
        seeds = Fraction(4, 2_598_960) * 10_000 + one.seed_return
        envy = (hands - 1) * Fraction(4 * 400 + 36 * 200, 2_598_960)
        least, most = returned.part_seeds
        exact = priced.fixed_return + Fraction(1, 4) + seeds + envy
        named = {
            "Fixed awards": priced.fixed_return,
            "Contribution, paid out as shares": Fraction(1, 4),
            "Seeds after awards of the whole meter": seeds,
            "Seeds after smaller shares, at least": least,
            "Seeds after smaller shares, at most": most,
            "Envy": envy,
            "Return, at least": exact + least,
            "Return, at most": exact + most,
        }
        named = {f"{words}, {hands} in it": value for words, value in named.items()}
        cells |= titled("The progressive in the long run", named)
    return cells
