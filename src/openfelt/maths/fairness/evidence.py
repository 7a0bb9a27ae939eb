"""Evidence against chance that may be checked after every round.

A statistic X of a round, whose distribution is known before the round, multiplies a bet against
chance by exp(rate * X) / E[exp(rate * X)]. The bet begins at 1, and its expectation does not grow
if the distribution is right. So by Ville's inequality, the probability that it ever reaches N is at
most 1/N, however often it is checked. Averages of such bets have the same property, so several
rates are tried together. `docs/internals/fairness.md` has the derivation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cosh, exp, log
from typing import Final

RATES: Final = (0.05, 0.1, 0.2, 0.4)
"""The strength of each bet against chance; weak bets detect small advantages."""


@dataclass(slots=True)
class Evidence:
    """Bets against chance at every rate."""

    observed: int = 0
    """How many statistics have been added."""
    _logs: list[float] = field(default_factory=lambda: [0.0] * len(RATES))

    def add(self, statistic: float, log_means: Sequence[float]) -> None:
        """Add an observation; ``log_means`` has the logarithm of E[exp(rate * X)] by rate."""
        self.observed += 1
        for index, (rate, log_mean) in enumerate(zip(RATES, log_means, strict=True)):
            self._logs[index] += rate * statistic - log_mean

    def add_symmetric(self, sign: float, weight: float = 1.0) -> None:
        """Add ``weight * sign``, for a sign between -1 and 1 that is equally likely to be negative.

        >>> evidence = Evidence()
        >>> for _ in range(100):
        ...     evidence.add_symmetric(1)
        >>> evidence.one_in > 1e12
        True
        """
        self.add(weight * sign, [log(cosh(rate * weight)) for rate in RATES])

    @property
    def log_value(self) -> float:
        """The logarithm of the average of all bets."""
        highest = max(self._logs)
        return highest + log(sum(exp(value - highest) for value in self._logs) / len(self._logs))

    @property
    def one_in(self) -> float:
        """N, where chance alone ever gives this much evidence with a probability of at most 1/N."""
        return exp(min(self.log_value, 700.0))


def together(*parts: Evidence) -> float:
    """N for several kinds of evidence, any of which may be strong: the average of their bets."""
    return sum(part.one_in for part in parts) / len(parts)
