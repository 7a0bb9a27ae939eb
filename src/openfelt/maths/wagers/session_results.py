"""The distribution of a session: the net result of many rounds, from that of one round.

Rounds are independent, because the deck is shuffled for each. So the distribution of a session is
that of one round, convolved with itself, by a fast Fourier transform in double precision.
Probabilities are accurate to twelve decimal places, and no round is sampled.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

CELLS_MAX = 1 << 22
"""The most different results of a session; beyond this, memory and time grow too large."""


@dataclass(frozen=True)
class SessionResults:
    """The probability of every net result of a session."""

    rounds: int
    unit: Fraction
    """The grid of results: every net result is a whole number of these."""
    first: int
    """The lowest result, in those units."""
    chances: npt.NDArray[np.float64]
    """By result, from the lowest up."""

    def chance_between(self, least: Fraction | None, most: Fraction | None) -> float:
        """The probability of a net result from `least` to `most`, inclusive; None is no bound."""
        start = 0 if least is None else math.ceil(least / self.unit) - self.first
        end = len(self.chances) if most is None else math.floor(most / self.unit) - self.first + 1
        return float(self.chances[max(0, start) : max(0, end)].sum())

    def quantile(self, share: float) -> Fraction:
        """The smallest net result that at least this share of sessions does not exceed."""
        place = int(np.searchsorted(np.cumsum(self.chances), share))
        return self.unit * (self.first + min(place, len(self.chances) - 1))


def session_results(deals: Mapping[Fraction, int], rounds: int) -> SessionResults:
    """Convolve the distribution of one round, given as deals by net result.

    Raises ValueError for no rounds, and for sessions with too many different results.

    >>> coin = session_results({Fraction(-1): 1, Fraction(1): 1}, 2)
    >>> [round(float(chance), 12) for chance in coin.chances], coin.first, coin.unit
    ([0.25, 0.5, 0.25], -1, Fraction(2, 1))
    """
    if rounds < 1:
        raise ValueError("a session has one round or more")
    lowest, highest, total = min(deals), max(deals), sum(deals.values())
    step = grid_step([net - lowest for net in deals])
    width = int((highest - lowest) / step)
    if width * rounds + 1 > CELLS_MAX:
        raise ValueError(f"a session of {rounds:,} rounds has too many different results")
    round_chances = np.zeros(width + 1)
    for net, count in deals.items():
        round_chances[int((net - lowest) / step)] += count / total
    size = 1 << (width * rounds + 1).bit_length()
    powered = np.fft.irfft(np.fft.rfft(round_chances, size) ** rounds, size)[: width * rounds + 1]
    chances = np.clip(powered, 0, None)
    return _on_grid(rounds, step, lowest * rounds, chances / chances.sum())


def grid_step(distances: list[Fraction]) -> Fraction:
    """The greatest unit of which all distances are whole multiples."""
    scale = math.lcm(*(distance.denominator for distance in distances))
    return Fraction(math.gcd(*(int(distance * scale) for distance in distances)) or 1, scale)


def _on_grid(
    rounds: int, step: Fraction, lowest: Fraction, chances: npt.NDArray[np.float64]
) -> SessionResults:
    """Place the lowest result on a grid through zero, with a finer unit if necessary."""
    unit = step if (lowest / step).denominator == 1 else Fraction(step, (lowest / step).denominator)
    spread = int(step / unit)
    if spread > 1:
        wide = np.zeros((len(chances) - 1) * spread + 1)
        wide[::spread] = chances
        chances = wide
    return SessionResults(rounds, unit, int(lowest / unit), chances)
