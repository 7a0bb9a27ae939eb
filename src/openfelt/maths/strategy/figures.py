"""The exact figures of a strategy, small enough to store.

Those of the shipped strategies under the usual terms are stored in a file, so that they are
available immediately; `tests/maths/strategy/test_figures.py` counts them again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from math import sqrt
from typing import Any, Final

from openfelt.maths.holdem.solution import HoldemSolution
from openfelt.maths.holdem.terms import HoldemTerms

PERFECT: Final = "perfect"
TERMS_MAX: Final = 100
"""For how many terms the figures of perfect play are kept in memory."""
_USUAL_FILE: Final = "usual_strategy_figures.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyFigures:
    """The exact figures of a strategy, per Ante."""

    strategy: str
    ev_per_ante: Fraction
    perfect_ev: Fraction
    """The expected net result of perfect play under the same terms."""
    variance: Fraction
    units_staked: Fraction
    """Ante, Blind and Play together, on average."""
    decisions: Mapping[str, Fraction]
    """How often each final decision is taken."""

    @classmethod
    def of(cls, strategy: str, price: HoldemSolution, perfect_ev: Fraction) -> "StrategyFigures":
        """Take the figures from a priced strategy, or from the solution for perfect play."""
        return cls(
            strategy=strategy,
            ev_per_ante=price.ev_per_ante,
            perfect_ev=perfect_ev,
            variance=price.variance,
            units_staked=price.units_staked,
            decisions=price.decisions,
        )

    @property
    def cost(self) -> Fraction:
        """The strategy's cost against perfect play, in Antes."""
        return self.perfect_ev - self.ev_per_ante

    @property
    def std_dev(self) -> float:
        """The standard deviation of the net result, in Antes."""
        return sqrt(self.variance)

    @property
    def element_of_risk(self) -> Fraction:
        """The loss for each unit staked."""
        return -self.ev_per_ante / self.units_staked

    def as_json(self) -> dict[str, Any]:
        """Every figure as the text of its fraction, as the file stores it."""
        return {
            "ev_per_ante": str(self.ev_per_ante),
            "variance": str(self.variance),
            "units_staked": str(self.units_staked),
            "decisions": {action: str(share) for action, share in self.decisions.items()},
        }


def known_figures(strategy: str, terms: HoldemTerms) -> StrategyFigures | None:
    """The stored figures of a shipped strategy or of perfect play; None if none are stored.

    >>> figures = known_figures("published_simple", HoldemTerms.of())
    >>> figures.ev_per_ante, f"{float(figures.cost):.6%}"
    (Fraction(-452323427, 18592119000), '0.247906%')
    """
    if terms != HoldemTerms.of():
        return None
    return _kept().get(strategy)


@lru_cache(maxsize=TERMS_MAX)
def perfect_figures(terms: HoldemTerms) -> StrategyFigures:
    """The figures of perfect play: stored for the usual terms, and solved for others.

    Solving the game takes a few seconds and less than one GB of memory. Raises ValueError for
    terms that the solver refuses.

    >>> perfect_figures(HoldemTerms.of()).ev_per_ante
    Fraction(-50643648973, 2317817502000)
    """
    kept = known_figures(PERFECT, terms)
    if kept is not None:
        return kept
    from openfelt.maths.holdem.solver import solve_holdem

    solution = solve_holdem(terms)
    return StrategyFigures.of(PERFECT, solution, solution.ev_per_ante)


@cache
def _kept() -> dict[str, StrategyFigures]:
    text = files("openfelt.maths.strategy").joinpath(_USUAL_FILE).read_text(encoding="utf-8")
    kept = json.loads(text)["strategies"]
    perfect = Fraction(kept[PERFECT]["ev_per_ante"])
    return {
        name: StrategyFigures(
            strategy=name,
            ev_per_ante=Fraction(figures["ev_per_ante"]),
            perfect_ev=perfect,
            variance=Fraction(figures["variance"]),
            units_staked=Fraction(figures["units_staked"]),
            decisions={action: Fraction(share) for action, share in figures["decisions"].items()},
        )
        for name, figures in kept.items()
    }
