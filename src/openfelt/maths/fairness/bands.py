"""The band within which a wager's result stays in 99.7% of all runs, from its exact variance.

Rounds are independent, so their variances add up. Within a round, hands share cards: the standard
deviations of the hands are added up there, which is exact for one hand and never too little for
several. Awards that are rare in a run are modelled by the Poisson distribution, everything else by
the normal distribution, as in `openfelt.maths.simulation.exact_spreads`.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import exp, sqrt
from statistics import NormalDist
from typing import Final

from openfelt.maths.wagers.side_bet_figures import SideBet

CONFIDENCE: Final = 0.997
RARE_BELOW: Final = 100
"""An award that is expected less often than this in a run is rare."""
SHARE_MIN: Final = 0.02
"""A rare award that carries less than this part of the variance does not matter."""
_NORMAL: Final = NormalDist()
_STEPS: Final = 40


@dataclass(frozen=True, slots=True)
class WagerOdds:
    """The exact odds of one unit of a wager."""

    expected: float
    """The house's average win on it."""
    std_dev: float
    rare_chance: float
    """The frequency of the award that carries most of the variance."""
    rare_units: float
    """How much that award differs from an average result, in units."""

    @classmethod
    def of(cls, bet: SideBet) -> "WagerOdds":
        """The odds of a side bet, from the number of deals behind each award."""
        top = max(bet.awards, key=lambda award: (award.net - bet.expected) ** 2 * award.deals)
        return cls(
            expected=float(bet.house_advantage),
            std_dev=bet.std_dev,
            rare_chance=float(Fraction(top.deals, bet.deals)),
            rare_units=float(top.net - bet.expected),
        )


@dataclass(slots=True)
class Spread:
    """The house's expected result of a run of rounds, and how far the result may be from it."""

    expected_cents: float = 0.0
    variance: float = 0.0
    rare_expected: float = 0.0
    """How many rare awards are expected."""
    rare_variance: float = 0.0
    """The part of the variance that they carry."""

    def add_round(self, odds: WagerOdds, stakes_cents: list[int]) -> None:
        """Add a round with these stakes on one wager."""
        self.expected_cents += odds.expected * sum(stakes_cents)
        self.variance += (odds.std_dev * sum(stakes_cents)) ** 2
        for cents in stakes_cents:
            self.rare_expected += odds.rare_chance
            self.rare_variance += odds.rare_chance * (odds.rare_units * cents) ** 2

    def copy(self) -> "Spread":
        """A copy of the current spread."""
        return Spread(self.expected_cents, self.variance, self.rare_expected, self.rare_variance)

    def p_value(self, result_cents: int, *, low_only: bool = False) -> float:
        """The probability of a result at least this far from the expected one, on either side.

        ``low_only`` counts only results that are at least this low, for cases where players can
        only play worse than was assumed.
        """
        off = result_cents - self.expected_cents
        if self.variance <= 0:
            return 1.0
        if low_only:
            return min(1.0, self._below(off))
        return max(0.0, min(1.0, 1 - self._within(abs(off))))

    def reach_cents(self, confidence: float = CONFIDENCE) -> float:
        """How far, at most, a result is from the expected one with this probability."""
        low, high = 0.0, 12 * sqrt(self.variance) + 12 * abs(self._jump) + 1
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if self._within(middle) >= confidence else (middle, high)
        return high

    @property
    def _jump(self) -> float:
        """The house's loss by one rare award, at the average of the stakes."""
        is_rare = 0 < self.rare_expected < RARE_BELOW
        if not is_rare or self.rare_variance < SHARE_MIN * self.variance:
            return 0.0
        return sqrt(self.rare_variance / self.rare_expected)

    def _parts(self) -> tuple[list[tuple[float, float]], float]:
        """The chance and shift of each likely number of rare awards, and the spread of the rest."""
        jump, expected = self._jump, self.rare_expected
        if not jump:
            return [(1.0, 0.0)], sqrt(self.variance)
        rest = sqrt(max(self.variance - self.rare_variance, 1e-9))
        parts, chance = [], exp(-expected)
        for count in range(int(expected + 12 * sqrt(expected) + 20)):
            parts.append((chance, -jump * (count - expected)))
            chance *= expected / (count + 1)
        return parts, rest

    def _within(self, reach: float) -> float:
        parts, rest = self._parts()
        return sum(
            chance * (_NORMAL.cdf((reach - off) / rest) - _NORMAL.cdf((-reach - off) / rest))
            for chance, off in parts
        )

    def _below(self, off: float) -> float:
        parts, rest = self._parts()
        return sum(chance * _NORMAL.cdf((off - shift) / rest) for chance, shift in parts)
