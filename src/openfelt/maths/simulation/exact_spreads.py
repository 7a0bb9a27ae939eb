"""The exact facts about the spread of a round's result, and the intervals from it.

A simulation estimates its own variance. If one rare award carries most of the variance, most runs
see that award too rarely and underestimate the variance. The exact figures of the wagers then give
an interval that does not depend on luck.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, exp, sqrt
from statistics import NormalDist
from typing import Final

from openfelt.cards import Category
from openfelt.maths.holdem.house_terms import terms_of
from openfelt.maths.simulation.intervals import Interval
from openfelt.maths.strategy.figures import StrategyFigures
from openfelt.maths.wagers.pricers import price_side_bet
from openfelt.rules import Beneficiary, Wager, WagerKind
from openfelt.rules.house import House
from openfelt.rules.paytable import HandPaytable, PairsPaytable

RARE_BELOW: Final = 100
"""An award that is expected less often than this in a run is rare."""
SHARE_MIN: Final = 0.1
"""A rare award that carries less than this part of the variance does not matter."""
_DEAL_CHANCE_OF_ROYAL: Final = Fraction(4 * comb(47, 2), comb(52, 7)) * Fraction(20, 21)
"""The probability of a royal flush in seven cards that is not entirely on the board."""


@dataclass(frozen=True, slots=True)
class RareAward:
    """An award that one wager of a round may win."""

    words: str
    cents: float
    """How much a round with it differs from an average one without it."""
    chance: float
    std_dev_without_cents: float
    """The standard deviation of its wager in rounds without it."""


@dataclass(frozen=True, slots=True)
class ExactSpread:
    """The exact standard deviation of each wager of a round, and its largest awards."""

    std_devs_cents: tuple[float, ...]
    awards: tuple[RareAward | None, ...]
    """The award that carries most of the variance of each wager."""

    @property
    def std_dev_max_cents(self) -> float:
        """The sum of the standard deviations. That of a round is never larger."""
        return sum(self.std_devs_cents)

    def rare_award(self, rounds: int) -> tuple[RareAward, float] | None:
        """The rare award that carries the most variance, with its share; None without one."""
        rare: list[tuple[float, RareAward]] = []
        variance = sum(std_dev**2 for std_dev in self.std_devs_cents)
        for award in self.awards:
            if award is not None and award.chance * rounds < RARE_BELOW:
                share = award.cents**2 * award.chance * (1 - award.chance) / variance
                rare.append((share, award))
        share, award = max(rare, key=lambda entry: entry[0], default=(0.0, None))
        return (award, share) if award is not None and share >= SHARE_MIN else None

    def interval_cents(self, mean_cents: float, rounds: int, confidence: float) -> Interval:
        """An interval for the mean of this many rounds, which covers at least this share of runs.

        The number of rare awards is Poisson-distributed, everything else is normally distributed
        with the sum of the standard deviations.
        """
        rare = self.rare_award(rounds)
        if rare is None:
            reach = NormalDist().inv_cdf((1 + confidence) / 2) * self.std_dev_max_cents
            reach *= sqrt(rounds)
        else:
            award = rare[0]
            rest = sum(
                award.std_dev_without_cents if own is award else std_dev
                for std_dev, own in zip(self.std_devs_cents, self.awards, strict=True)
            )
            reach = _reach(award, rest * sqrt(rounds), rounds, confidence)
        return mean_cents - reach / rounds, mean_cents + reach / rounds


def _reach(award: RareAward, rest_cents: float, rounds: int, confidence: float) -> float:
    """How far, at most, the sum of a run is from its expectation with this probability."""
    expected = award.chance * rounds
    counts: list[tuple[float, float]] = []
    part = exp(-expected)
    for count in range(int(expected + 12 * sqrt(expected) + 20)):
        counts.append((part, award.cents * (count - expected)))
        part *= expected / (count + 1)
    normal = NormalDist()

    def covered(reach: float) -> float:
        return sum(
            part
            * (normal.cdf((reach - off) / rest_cents) - normal.cdf((-reach - off) / rest_cents))
            for part, off in counts
        )

    low, high = 0.0, 20 * (rest_cents + abs(award.cents) * sqrt(expected + 1))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if covered(middle) >= confidence else (middle, high)
    return high


@dataclass(frozen=True, slots=True)
class WagerChances:
    """One wager of a round: its amount, and how often a unit of it nets what."""

    words: str
    cents: int
    results: tuple[tuple[str, Fraction, Fraction], ...]
    """The label, the net of one unit, and the chance of each result."""

    @property
    def expected(self) -> Fraction:
        """The expected net of one unit."""
        return sum((net * chance for _, net, chance in self.results), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """The variance of the net of one unit."""
        square = sum((net**2 * chance for _, net, chance in self.results), Fraction(0))
        return square - self.expected**2

    def is_even(self, unit_cents: int) -> bool:
        """Whether no result of this amount is rounded by a table that pays in this unit."""
        return not any((self.cents * net) % unit_cents for _, net, _ in self.results)

    def spread(self) -> "tuple[float, RareAward | None]":
        """The standard deviation in cents, and the award that carries most of the variance."""
        top = max(self.results, key=lambda result: result[1] ** 2 * result[2])
        label, net, chance = top
        if chance == 1:
            return 0.0, None
        others = [result for result in self.results if result is not top]
        rest = WagerChances(
            self.words, self.cents, tuple((words, n, c / (1 - chance)) for words, n, c in others)
        )
        rare = RareAward(
            f"{label} on {self.words}",
            float(net - rest.expected) * self.cents,
            float(chance),
            sqrt(rest.variance) * self.cents,
        )
        return sqrt(self.variance) * self.cents, rare


def side_chances(
    house: House, wager: Wager, *, meter_cents: int | None = None
) -> WagerChances | None:
    """A side bet of hold'em; None if its table is not counted exactly.

    The progressive is that of a hand alone in it, with its meter at the seed unless it is given.
    """
    rule = house.wager(wager.kind)
    if rule is None or rule.paytable is None:
        return None
    meter = house.progressive.seed_cents if house.progressive else 0
    meter = meter if meter_cents is None else meter_cents
    try:
        bet = price_side_bet(rule.paytable, meter_units=Fraction(meter, wager.cents))
    except ValueError:
        return None
    if bet is None:
        return None
    results = tuple(
        (award.label, award.net, Fraction(award.deals, bet.deals)) for award in bet.awards
    )
    return WagerChances(wager.kind.words, wager.cents, results)


def exact_spread(
    house: House, game: StrategyFigures | None, wagers: Sequence[Wager], *, hands: int = 1
) -> ExactSpread | None:
    """The spread of a round of these wagers of hold'em; None if the figures of one are not known.

    ``game`` has the exact figures of the strategy under the terms of the house. A progressive is
    that of one hand, with its meter at the seed.
    """
    if hands != 1 or game is None or may_be_cut(house, wagers):
        return None
    parts: list[tuple[float, RareAward | None]] = []
    for wager in wagers:
        if wager.beneficiary is not Beneficiary.PLAYER:
            return None
        if wager.kind is WagerKind.ANTE:
            parts.append(_game(house, game, wager.cents))
        elif wager.kind is not WagerKind.BLIND:
            side = side_chances(house, wager)
            if side is None:
                return None
            parts.append(side.spread())
    return spread_of(parts)


def spread_of(parts: Iterable[tuple[float, RareAward | None]]) -> ExactSpread | None:
    """The spread of a round from the parts of its wagers; None without any."""
    columns = tuple(zip(*parts, strict=True))
    return ExactSpread(*columns) if columns else None


def may_be_cut(house: House, wagers: Sequence[Wager]) -> bool:
    """Whether a payout aggregate may cut an award of these wagers; figures count it in full."""
    stakes = {wager.kind: wager.cents for wager in wagers}
    stakes[WagerKind.BLIND] = stakes.get(WagerKind.ANTE, 0)
    for limits in house.limits:
        for aggregate in limits.payout_aggregates:
            rule = house.wager(aggregate.wager)
            table = rule.paytable if rule else None
            if isinstance(table, HandPaytable | PairsPaytable):
                highest = max(Fraction(row.odds.pays, row.odds.per) for row in table.rows)
                if stakes.get(aggregate.wager, 0) * highest > aggregate.max_cents:
                    return True
    return False


def _game(house: House, game: StrategyFigures, ante_cents: int) -> tuple[float, RareAward]:
    """The game: its largest award is that of a royal flush on the Blind."""
    blind = float(terms_of(house).blind[Category.ROYAL_FLUSH])
    chance = float(_DEAL_CHANCE_OF_ROYAL)
    without = max(float(game.variance) - blind**2 * chance * (1 - chance), 0.0)
    award = RareAward(
        "A royal flush on the Blind", blind * ante_cents, chance, sqrt(without) * ante_cents
    )
    return game.std_dev * ante_cents, award
