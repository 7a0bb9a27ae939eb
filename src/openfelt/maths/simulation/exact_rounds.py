"""The exact figures of the wagers of a simulated round, where there are any.

A simulation is compared with them: the game under its strategy, each side bet, and all of them
together. Nothing is counted for it here except the joint figures of a solved game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from typing import Final

from openfelt.cards import Category
from openfelt.maths.draw.best_play import table_nets
from openfelt.maths.draw.draw_figures import DrawTerms, draw_terms_of
from openfelt.maths.draw.strategy_counts import HOUSE_WAY, StrategyCounts, usual_counts
from openfelt.maths.holdem.house_terms import terms_of
from openfelt.maths.holdem.solution import HoldemSolution
from openfelt.maths.simulation.exact_spreads import (
    ExactSpread,
    WagerChances,
    exact_spread,
    may_be_cut,
    side_chances,
    spread_of,
)
from openfelt.maths.strategy.figures import PERFECT, StrategyFigures, known_figures
from openfelt.maths.strategy.strategies import STRATEGIES, DrawStrategy, Strategy
from openfelt.maths.wagers.house_figures import side_tables
from openfelt.maths.wagers.joint_figures import GAME_NAME, join_wagers
from openfelt.rules import Beneficiary, Wager, WagerKind
from openfelt.rules.house import GameName, House
from openfelt.rules.paytable import HandPaytable

_KEPT_DRAW: Final = {"house_way": HOUSE_WAY, "basic_draw": "basic"}
"""By strategy of Ultimate Draw, the name of its kept counts; the best holds name their own."""
Nets = Mapping[Fraction, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactRound:
    """What is known exactly about a round of some wagers; None where it is not."""

    ev_per_ante: Fraction | None = None
    """The expected result of the game alone, without side bets."""
    units_staked: Fraction | None = None
    """The average stake of the game in Antes."""
    decisions: Mapping[str, Fraction] = field(default_factory=dict)
    wagers: Mapping[str, Fraction] = field(default_factory=dict)
    """The expected net of one unit staked, by wager."""
    mean_cents: Fraction | None = None
    """The expected result of all wagers together."""
    variance_cents: Fraction | None = None
    """The variance of that result, in cents squared."""
    ends: tuple[Fraction, Fraction, Fraction] | None = None
    """How often the round is won, even and lost."""
    spread: ExactSpread | None = None

    @property
    def std_dev_cents(self) -> float | None:
        """The standard deviation of all wagers together."""
        return None if self.variance_cents is None else sqrt(self.variance_cents)


def exact_round(
    house: House,
    strategy: Strategy,
    wagers: Sequence[Wager],
    *,
    hands: int = 1,
    solution: HoldemSolution | None = None,
) -> ExactRound:
    """The exact figures of these wagers on each hand, with the progressive's meter at its seed.

    ``solution`` is the solved game, if the strategy is perfect play: with it, the variance of all
    wagers together is exact, for which their covariances are summed in a second or two.

    >>> from openfelt.catalog import load_house
    >>> from openfelt.maths import STRATEGIES
    >>> wagers = [Wager(WagerKind.ANTE, 500), Wager(WagerKind.BONUS, 100)]
    >>> exact = exact_round(load_house("draw"), STRATEGIES["house_way"], wagers)
    >>> f"{float(exact.mean_cents):.4f} {exact.std_dev_cents:.4f}"
    '-8.5542 725.7710'
    """
    if any(wager.beneficiary is not Beneficiary.PLAYER for wager in wagers):
        return ExactRound()
    if house.game is GameName.ULTIMATE_DRAW:
        return _draw_round(house, strategy, wagers, hands)
    return _holdem_round(house, strategy.name, wagers, hands, solution)


def _sides(house: House, wagers: Sequence[Wager], hands: int) -> dict[WagerKind, WagerChances]:
    """The side bets of hold'em, and the progressive of any game, that are counted exactly.

    A progressive with several hands of one seat is left out, because they divide its shares.
    """
    sides = {}
    for wager in wagers:
        if wager.kind is WagerKind.PROGRESSIVE and hands > 1:
            continue
        chances = side_chances(house, wager)
        if chances is not None and chances.is_even(house.rounding_unit_cents):
            sides[wager.kind] = chances
    return sides


# Hold'em -------------------------------------------------------------------------


def _holdem_round(
    house: House,
    strategy: str,
    wagers: Sequence[Wager],
    hands: int,
    solution: HoldemSolution | None,
) -> ExactRound:
    game = _holdem_game(house, strategy, wagers, solution)
    sides = _sides(house, wagers, hands)
    mean = variance = None
    made = [wager for wager in wagers if wager.kind not in (WagerKind.ANTE, WagerKind.BLIND)]
    ante = sum(wager.cents for wager in wagers if wager.kind is WagerKind.ANTE)
    whole = all(wager.kind in sides for wager in made) and not may_be_cut(house, wagers)
    if game is not None and whole:
        alone = sum((side.expected * side.cents for side in sides.values()), Fraction(0))
        mean = hands * (game.ev_per_ante * ante + alone)
    if mean is not None and game is not None and hands == 1:
        variance = _joint_variance(house, made, ante, game, solution)
    return ExactRound(
        ev_per_ante=game.ev_per_ante if game else None,
        units_staked=game.units_staked if game else None,
        decisions=game.decisions if game else {},
        wagers={kind.value: side.expected for kind, side in sides.items()},
        mean_cents=mean,
        variance_cents=variance,
        ends=_ends(_shares(solution)) if solution and whole and hands == 1 and not made else None,
        spread=exact_spread(house, game, wagers, hands=hands) if whole else None,
    )


def _holdem_game(
    house: House, strategy: str, wagers: Sequence[Wager], solution: HoldemSolution | None
) -> StrategyFigures | None:
    """The exact figures of the game, unless payouts of this Ante are rounded."""
    try:
        terms = terms_of(house)
    except ValueError:
        return None
    unit = house.rounding_unit_cents
    antes = [wager.cents for wager in wagers if wager.kind is WagerKind.ANTE]
    if any((ante * odds) % unit for ante in antes for odds in terms.blind):
        return None
    if solution is not None and strategy == PERFECT:
        return StrategyFigures.of(PERFECT, solution, solution.ev_per_ante)
    return known_figures(strategy, terms)


def _joint_variance(
    house: House,
    made: Sequence[Wager],
    ante_cents: int,
    game: StrategyFigures,
    solution: HoldemSolution | None,
) -> Fraction | None:
    """The variance of the game with its side bets; None if their covariances are not summed."""
    if not made:
        return game.variance * ante_cents**2
    if solution is None:
        return None
    link = next((wager.cents for wager in made if wager.kind is WagerKind.PROGRESSIVE), 0)
    seed = house.progressive.seed_cents if house.progressive else 0
    meter = Fraction(seed, link) if link else Fraction(0)
    try:
        tables = side_tables(house, meter, wagers={wager.kind for wager in made})
        joint = join_wagers(solution, tables)
    except ValueError:
        return None
    stakes: dict[str, Fraction | int] = {wager.kind.value: wager.cents for wager in made}
    return joint.variance({GAME_NAME: ante_cents} | stakes)


def _shares(solution: HoldemSolution) -> Nets:
    deals = solution.deals
    return {net: Fraction(count, deals) for net, count in solution.distribution.items()}


def _ends(nets: Nets) -> tuple[Fraction, Fraction, Fraction]:
    """How often a round is won, even and lost."""
    won = sum((often for net, often in nets.items() if net > 0), Fraction(0))
    lost = sum((often for net, often in nets.items() if net < 0), Fraction(0))
    return won, 1 - won - lost, lost


# Ultimate Draw -------------------------------------------------------------------


def kept_draw_counts(strategy: Strategy) -> StrategyCounts | None:
    """The kept counts of a strategy of Ultimate Draw that comes with Openfelt."""
    if not isinstance(strategy, DrawStrategy) or STRATEGIES.get(strategy.name) != strategy:
        return None
    name = _KEPT_DRAW.get(strategy.name) or strategy.counts
    return usual_counts().strategies.get(name) if name else None


def _draw_round(
    house: House, strategy: Strategy, wagers: Sequence[Wager], hands: int
) -> ExactRound:
    counts = kept_draw_counts(strategy)
    try:
        terms = draw_terms_of(house)
    except ValueError:
        counts = None
    if counts is None or not counts.prices(terms):
        return ExactRound(wagers=_expected(_sides(house, wagers, hands)))
    stakes = {wager.kind: wager.cents for wager in wagers}
    ante, unit = stakes.get(WagerKind.ANTE, 0), house.rounding_unit_cents
    even = not any(
        (ante * pays) % unit for pays in (terms.unqualified_pays, *terms.ante_bonus.values())
    )
    sides = _sides(house, wagers, hands)
    bonus = _bonus_nets(house)
    if bonus is not None and WagerKind.BONUS in stakes:
        chances = _bonus_chances(counts, bonus, stakes[WagerKind.BONUS])
        if chances.is_even(unit):
            sides[WagerKind.BONUS] = chances
    expected = _expected(sides)
    if even and ante:
        expected[WagerKind.ANTE.value] = counts.value(replace(terms, ante_bonus={}))
    if not even or may_be_cut(house, wagers) or len(sides) + bool(ante) < len(stakes):
        value = counts.value(terms) if even and ante else None
        return ExactRound(ev_per_ante=value, wagers=expected)
    value = counts.value(terms)
    mean = value * ante + sum((side.expected * side.cents for side in sides.values()), Fraction(0))
    nets = _draw_nets(counts, terms, bonus, stakes) if hands == 1 else None
    return ExactRound(
        ev_per_ante=value if ante else None,
        units_staked=Fraction(1) if ante else None,
        wagers=expected,
        mean_cents=hands * mean,
        variance_cents=_variance(nets) if nets else None,
        ends=_ends(nets) if nets else None,
        spread=_draw_spread(counts, terms, sides, ante) if hands == 1 else None,
    )


def _expected(sides: Mapping[WagerKind, WagerChances]) -> dict[str, Fraction]:
    return {kind.value: side.expected for kind, side in sides.items()}


def _bonus_nets(house: House) -> dict[Category, Fraction] | None:
    """What one unit of the Bonus nets by final hand; None without a Bonus by category."""
    rule = house.wager(WagerKind.BONUS)
    table = rule.paytable if rule else None
    if not isinstance(table, HandPaytable) or any(row.hand.at_least for row in table.rows):
        return None
    return table_nets(table, Fraction(1))


def _bonus_chances(
    counts: StrategyCounts, nets: Mapping[Category, Fraction], cents: int
) -> WagerChances:
    results = [(hand.words.capitalize(), nets[hand], counts.final[hand]) for hand in Category]
    return WagerChances(WagerKind.BONUS.words, cents, tuple(results))


def _draw_nets(
    counts: StrategyCounts,
    terms: DrawTerms,
    bonus: Mapping[Category, Fraction] | None,
    stakes: Mapping[WagerKind, int],
) -> Nets | None:
    """How often a round of Ante and Bonus nets each amount of cents, where that is kept."""
    spread = counts.spread
    if spread is None or not spread.prices(terms) or WagerKind.PROGRESSIVE in stakes:
        return None
    ante, cents = stakes.get(WagerKind.ANTE, 0), stakes.get(WagerKind.BONUS, 0)
    paid = bonus if bonus is not None and cents else dict.fromkeys(Category, Fraction(0))
    if paid[Category.PAIR] != paid[Category.HIGH_CARD]:
        return None
    nets: dict[Fraction, Fraction] = {}
    for hand, net, often in spread.rounds(terms):
        total = ante * net + cents * paid[Category.PAIR if hand is None else hand]
        nets[total] = nets.get(total, Fraction(0)) + often
    return nets


def _variance(nets: Nets) -> Fraction:
    mean = sum((net * often for net, often in nets.items()), Fraction(0))
    return sum((net**2 * often for net, often in nets.items()), Fraction(0)) - mean**2


def _draw_spread(
    counts: StrategyCounts,
    terms: DrawTerms,
    sides: Mapping[WagerKind, WagerChances],
    ante_cents: int,
) -> ExactSpread | None:
    """The spread of each wager of a round, where the results of the Ante are kept."""
    parts = [side.spread() for side in sides.values()]
    if ante_cents:
        if counts.spread is None or not counts.spread.prices(terms):
            return None
        nets = counts.spread.nets(terms)
        results = tuple((f"A net of {float(net):+g}", net, often) for net, often in nets.items())
        words = f"{WagerKind.ANTE.words} with its Ante Bonus"
        parts.append(WagerChances(words, ante_cents, results).spread())
    return spread_of(parts)
