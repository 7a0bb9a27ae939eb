"""Confidence intervals for simulated figures, with their formulas."""

from math import sqrt
from statistics import NormalDist

Interval = tuple[float, float]


def _deviations(confidence: float) -> float:
    """The normal quantile: how many standard deviations around the mean hold this share."""
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, as 0.95 does, not {confidence!r}")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def normal_interval(mean: float, std_dev: float, count: int, confidence: float) -> Interval:
    """The interval for a mean: mean ± z s / √n.

    ``s`` is the standard deviation of one observation, ``n`` their number, ``z`` the normal
    quantile: 1.960 for 95%, 2.576 for 99%.

    >>> low, high = normal_interval(-0.02, 5.0, 1_000_000, 0.95)
    >>> f"{low:.4f} {high:.4f}"
    '-0.0298 -0.0102'
    """
    reach = _deviations(confidence) * std_dev / sqrt(count)
    return mean - reach, mean + reach


def wilson_interval(hits: int, count: int, confidence: float) -> Interval:
    """Wilson's interval for a probability, which is also valid for few hits or none.

    With p = hits / n: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n).

    >>> low, high = wilson_interval(0, 100, 0.95)
    >>> f"{low:.4f} {high:.4f}"
    '0.0000 0.0370'
    """
    if not 0 <= hits <= count or count == 0:
        raise ValueError(f"{hits} hits of {count} are impossible")
    z = _deviations(confidence)
    part = hits / count
    middle = part + z * z / (2 * count)
    reach = z * sqrt(part * (1 - part) / count + z * z / (4 * count * count))
    divisor = 1 + z * z / count
    return max(0.0, (middle - reach) / divisor), min(1.0, (middle + reach) / divisor)
