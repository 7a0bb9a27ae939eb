"""How the seeded run of a par sheet plays, and the exact figures that it is compared with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from openfelt.cards import Category
from openfelt.cli.figures.draw_edge_report import known_spread
from openfelt.cli.par_sheets.run_frequencies import ExactChances
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
from openfelt.maths.draw.draw_figures import DrawFigures, draw_terms_of, price_draw_house
from openfelt.maths.draw.draw_spread import DrawSpread
from openfelt.maths.draw.strategy_counts import usual_counts
from openfelt.maths.holdem.wager_results import wager_results
from openfelt.maths.strategy.strategies import Strategy
from openfelt.maths.wagers.house_figures import HouseFigures, price_house
from openfelt.rules import House, WagerKind
from openfelt.rules.house import GameName


@dataclass(frozen=True, slots=True)
class RunPlan:
    """A strategy for the run, with the exact mean and variance of each wager under it."""

    strategy: Strategy | str
    exact: Exact
    chances: ExactChances = field(default_factory=ExactChances)
    """How often each wager wins, and how all of them vary."""


def house_plan(house: House) -> RunPlan:
    """Price a house, and plan its run; raises ValueError for what is not counted."""
    if house.game is GameName.ULTIMATE_DRAW:
        ante = known_house_way(draw_terms_of(house).qualifying)
        return draw_plan(price_draw_house(house, ante=ante))
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
    solution, joint = figures.solution, figures.joint
    wins = {part.wager: _won(part.deals) for part in wager_results(solution)}
    wins |= {name: bet.hit_frequency for name, bet in figures.side_bets.items()}
    strategy = perfect_strategy(solution)
    if len(units) == 1:
        nets = {net: Fraction(n, solution.deals) for net, n in solution.distribution.items()}
        return RunPlan(strategy, exact, ExactChances(wins=wins, nets=nets))
    variance = joint.variance(units)
    exact = {**exact, ALL_STAKES: (joint.expected(units), variance)}
    return RunPlan(strategy, exact, ExactChances(wins=wins, variance=variance))


def _won(results: Mapping[str, tuple[int, Fraction]]) -> Fraction:
    """How often a wager wins, from the deals and the net of each of its results."""
    deals = sum(count for count, _ in results.values())
    return Fraction(sum(count for count, net in results.values() if net > 0), deals)


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
    return RunPlan(house_way.name, exact, _draw_chances(figures, spread, exact))


def _draw_chances(figures: DrawFigures, spread: DrawSpread, exact: Exact) -> ExactChances:
    """How often each wager wins, and the distribution of a round where all stakes are equal."""
    terms, bonus = figures.terms, figures.bonuses.get(DrawPlay.HOUSE_WAY)
    outcomes = (spread.below, *spread.told_apart.values())
    paid = (terms.ante_bonus.get(hand, 0) > 0 for hand in spread.told_apart)
    wins = {
        WagerKind.ANTE.value: sum((o.win + o.unqualified for o in outcomes), Fraction(0)),
        "ante_bonus": sum(
            (o.often for o, is_paid in zip(outcomes[1:], paid, strict=True) if is_paid),
            Fraction(0),
        ),
    }
    if bonus is not None:
        wins[WagerKind.BONUS.value] = bonus.hit_frequency
    if WagerKind.BONUS.value not in exact:
        return ExactChances(wins=wins, nets=spread.nets(terms))
    nets = bonus_nets(figures, Fraction(1))
    if TOGETHER not in exact or nets is None:
        return ExactChances(wins=wins)
    together: dict[Fraction, Fraction] = {}
    for hand, net, often in spread.rounds(terms):
        total = net + nets[Category.PAIR if hand is None else hand]
        together[total] = together.get(total, Fraction(0)) + often
    return ExactChances(wins=wins, nets=together)
