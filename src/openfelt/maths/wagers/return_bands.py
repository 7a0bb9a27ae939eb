"""Quantiles of the result of many rounds, from the exact results of one round.

Rounds are independent, so the characteristic function of their sum is that of one round to the
power of their number. A fast Fourier transform over a window turns it into probabilities. The
window is so wide that the sum lies outside with a probability below `OUTSIDE` on either side, by
Chernoff's bound; values outside are folded into it, and so change probabilities by no more than
that. The power multiplies the rounding error of doubles by the number of rounds, so with a hundred
million rounds, probabilities are still accurate to one in a million.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from openfelt.maths.wagers.session_results import grid_step

OUTSIDE: Final = 1e-10
CELLS_MAX: Final = 1 << 22
"""The widest window; beyond it, memory and time grow too large."""
_EXPONENTS: Final = np.geomspace(1e-9, 10, 400)

Deals = tuple[tuple[Fraction, int], ...]
"""The number of deals with each net result of a round."""


def result_quantiles(
    deals: Mapping[Fraction, int], rounds: int, shares: Sequence[float]
) -> tuple[Fraction, ...] | None:
    """The quantiles of the net result of this many rounds, for each of these probabilities.

    None if the window would be too wide. Probabilities are accurate to one in a million.

    >>> result_quantiles({Fraction(-1): 1, Fraction(1): 1}, 100, (0.05, 0.5, 0.95))
    (Fraction(-16, 1), Fraction(0, 1), Fraction(16, 1))
    """
    given = tuple((net, count) for net, count in sorted(deals.items()) if count)
    return _quantiles(given, rounds, tuple(shares))


@lru_cache(maxsize=256)
def _quantiles(deals: Deals, rounds: int, shares: tuple[float, ...]) -> tuple[Fraction, ...] | None:
    lowest, total = deals[0][0], sum(count for _, count in deals)
    step = grid_step([net - lowest for net, _ in deals])
    places = np.array([int((net - lowest) / step) for net, _ in deals])
    chances = np.array([count / total for _, count in deals])
    # The exact mean: over a hundred million rounds, a rounded one would be off by whole cells.
    mean = sum(((net - lowest) / step * count for net, count in deals), Fraction(0)) / total
    apart = places - float(mean)
    first = max(0, math.floor(rounds * mean - _reach(-apart, chances, rounds)))
    last = math.ceil(rounds * mean + _reach(apart, chances, rounds))
    last = min(last, rounds * int(places[-1]))
    cells = 1 << (last - first).bit_length()
    if cells > CELLS_MAX:
        return None
    one_round = np.fft.rfft(np.bincount(places % cells, chances, minlength=cells))
    all_rounds = np.abs(one_round) ** rounds * np.exp(1j * rounds * np.angle(one_round))
    folded = np.fft.irfft(all_rounds, cells)
    running = np.cumsum(np.roll(folded, -(first % cells)))
    # Probabilities of zero may come out slightly negative, so the sum is kept from decreasing.
    running = np.maximum.accumulate(running)
    quantile_cells = np.minimum(np.searchsorted(running, shares), cells - 1)
    return tuple(rounds * lowest + step * (first + int(cell)) for cell in quantile_cells)


def _reach(apart: np.ndarray, chances: np.ndarray, rounds: int) -> float:
    """How far the sum may lie above its mean, except with a probability below `OUTSIDE`.

    By Chernoff's bound, for every exponent, the probability of a sum above x is at most the mean of
    e^(exponent * sum), divided by e^(exponent * x).
    """
    exponents = _EXPONENTS[_EXPONENTS * apart.max() < 700] if apart.max() > 0 else _EXPONENTS
    moments = np.log(np.exp(np.outer(exponents, apart)) @ chances)
    return float(((rounds * moments - math.log(OUTSIDE)) / exponents).min())
