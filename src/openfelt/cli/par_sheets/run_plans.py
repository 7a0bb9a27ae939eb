"""How the seeded run of a par sheet plays, and the exact figures that it is compared with."""

from dataclasses import dataclass
from fractions import Fraction

from openfelt.cli.figures.draw_edge_report import known_spread
from openfelt.cli.par_sheets.seeded_run import (
    ALL_STAKES,
    GAME,
    TOGETHER,
    Exact,
    common_stake_cents,
    least_stakes,
)
from openfelt.maths import perfect_strategy
from openfelt.maths.draw.best_play import bonus_nets, known_house_way
from openfelt.maths.draw.bonus import DrawPlay
from openfelt.maths.draw.draw_figures import DrawFigures, price_draw_house
from openfelt.maths.draw.strategy_counts import usual_counts
from openfelt.maths.strategy.strategies import Strategy
from openfelt.maths.wagers.house_figures import HouseFigures, price_house
from openfelt.rules import House, WagerKind
from openfelt.rules.house import GameName


@dataclass(frozen=True, slots=True)
class RunPlan:
    """A strategy for the run, with the exact mean and variance of each wager under it."""

    strategy: Strategy | str
    exact: Exact


def house_plan(house: House) -> RunPlan:
    """Price a house, and plan its run; raises ValueError for what is not counted."""
    if house.game is GameName.ULTIMATE_DRAW:
        return draw_plan(price_draw_house(house, ante=known_house_way()))
    return holdem_plan(price_house(house))


def holdem_plan(figures: HouseFigures) -> RunPlan:
    """Perfect play of the game with every side bet, each by itself and with the others.

    The side bets have their own stakes, so all of them together are counted in Antes, from the
    covariances.
    """
    exact: Exact = {GAME: (figures.solution.ev_per_ante, figures.solution.variance)}
    exact = {
        **exact,
        **{name: (bet.expected, bet.variance) for name, bet in figures.side_bets.items()},
    }
    stakes = least_stakes(figures.house, exact)
    ante = next(wager.cents for wager in stakes if wager.kind is WagerKind.ANTE)
    units = {
        GAME if wager.kind is WagerKind.ANTE else wager.kind.value: Fraction(wager.cents, ante)
        for wager in stakes
    }
    if len(units) > 1:
        joint = figures.joint
        exact = {**exact, ALL_STAKES: (joint.expected(units), joint.variance(units))}
    return RunPlan(perfect_strategy(figures.solution), exact)


def draw_plan(figures: DrawFigures) -> RunPlan:
    """The house way, with the Bonus, and both wagers together.

    Where the variance of the Ante is not kept, the run has the Ante alone, whose variance is then
    its own.
    """
    house_way = usual_counts().house_way
    spread = known_spread(figures, house_way)
    if spread is None:
        return RunPlan(house_way.name, {GAME: (figures.expected, None)})
    exact: dict[str, tuple[Fraction, Fraction | None]] = {
        GAME: (figures.expected, spread.variance(figures.terms))
    }
    bonus = figures.bonuses.get(DrawPlay.HOUSE_WAY)
    if bonus is not None:
        exact[WagerKind.BONUS.value] = (bonus.expected, bonus.variance)
        nets = bonus_nets(figures, Fraction(1))
        stake = common_stake_cents(figures.house, [WagerKind.ANTE, WagerKind.BONUS])
        if stake is not None and nets is not None:
            variance = spread.variance_with(figures.terms, nets)
            exact[TOGETHER] = (figures.together(Fraction(1)), variance)
    return RunPlan(house_way.name, exact)
