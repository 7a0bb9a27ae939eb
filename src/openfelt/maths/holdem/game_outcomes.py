"""The counts of a game under some strategy, and the figures that follow from them."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.holdem.terms import HoldemTerms

CHECK: Final = "check"
FOLD: Final = "fold"
VOLATILITY_Z: Final = 1.6448536269514722
"""Standard deviations that hold 90% of a normal distribution: the usual volatility index."""
INITIAL_UNITS: Final = 2
"""Ante and Blind."""


def stage_multiples(terms: HoldemTerms) -> tuple[int, ...]:
    """The Play wager of each final decision, in Antes, 0 for the fold."""
    return (*terms.first_multiples, *terms.flop_multiples, *terms.river_multiples, 0)


def stage_count(terms: HoldemTerms) -> int:
    """The number of final decisions.

    >>> stage_count(HoldemTerms.of())
    5
    """
    return len(stage_multiples(terms))


@dataclass(frozen=True)
class GameOutcomes:
    """All deals by their results. All figures are exact; only printing rounds them."""

    terms: HoldemTerms
    outcomes: npt.NDArray[np.int64]
    """Deals by stage, category and result: bets before the flop, on it and on the river, each
    largest first, and the fold; see `HoldemTerms.net` for the results. After a fold, what the
    showdown would have been."""

    @cached_property
    def deals(self) -> int:
        """All starting hands, flops, turns and rivers, and dealer hands: the whole game."""
        return int(self.outcomes.sum())

    @property
    def actions(self) -> tuple[str, ...]:
        """The final decisions, in the order of the stages of `outcomes`."""
        terms = self.terms
        return (*terms.first_actions, *terms.flop_actions, *terms.river_actions, FOLD)

    @property
    def multiples(self) -> tuple[int, ...]:
        """The Play wager of each final decision, in Antes."""
        return stage_multiples(self.terms)

    @property
    def final_decisions(self) -> tuple[tuple[str, str, int], ...]:
        """Each final decision: its street, its name among the actions, and its Play wager."""
        terms = self.terms
        streets = (
            *("before_flop" for _ in terms.first_multiples),
            *("on_flop" for _ in terms.flop_multiples),
            *("on_river" for _ in terms.river_multiples),
            FOLD,
        )
        return tuple(zip(streets, self.actions, self.multiples, strict=True))

    @cached_property
    def stage_shares(self) -> tuple[Fraction, ...]:
        """How often each of the final decisions is taken."""
        return tuple(Fraction(int(deals), self.deals) for deals in self.outcomes.sum(axis=(1, 2)))

    @cached_property
    def distribution(self) -> dict[Fraction, int]:
        """How many deals end with each net result, in Antes, lowest first."""
        counts: dict[Fraction, int] = {}
        for stage, multiple in enumerate(self.multiples):
            for category in Category:
                for result in range(self.outcomes.shape[2]):
                    deals = int(self.outcomes[stage, category, result])
                    if not deals:
                        continue
                    folded = self.actions[stage] == FOLD
                    net = (
                        Fraction(-INITIAL_UNITS)
                        if folded
                        else self.terms.net(multiple=multiple, category=category, result=result)
                    )
                    counts[net] = counts.get(net, 0) + deals
        return dict(sorted(counts.items()))

    @cached_property
    def ev_per_ante(self) -> Fraction:
        """The expected net result, in Antes; below zero if the house wins."""
        weighted = (net * deals for net, deals in self.distribution.items())
        return sum(weighted, Fraction(0)) / self.deals

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the net result, in squared Antes."""
        squares = sum(net * net * deals for net, deals in self.distribution.items())
        return Fraction(squares, self.deals) - self.ev_per_ante**2

    @property
    def std_dev(self) -> float:
        """The standard deviation of the net result, in Antes."""
        return math.sqrt(self.variance)

    @property
    def volatility(self) -> float:
        """The volatility index: the standard deviation times 1.645, for 90%."""
        return VOLATILITY_Z * self.std_dev

    @cached_property
    def decisions(self) -> dict[str, Fraction]:
        """How often each final decision is taken; bets of one size on two streets are added."""
        shares = dict.fromkeys(self.actions, Fraction(0))
        for action, share in zip(self.actions, self.stage_shares, strict=True):
            shares[action] += share
        return shares

    @property
    def units_staked(self) -> Fraction:
        """Ante, Blind and Play together, on average, in Antes."""
        shares = zip(self.multiples, self.stage_shares, strict=True)
        play = sum((multiple * share for multiple, share in shares), Fraction(0))
        return INITIAL_UNITS + play

    @property
    def element_of_risk(self) -> Fraction:
        """The loss for each unit staked."""
        return -self.ev_per_ante / self.units_staked

    @property
    def returns(self) -> dict[str, Fraction]:
        """The return on each unit, on every common basis (ruling R.16)."""
        bases = {
            "per_ante": Fraction(1),
            "per_initial_wager": Fraction(INITIAL_UNITS),
            "per_three_units": Fraction(3),
            "per_unit_staked": self.units_staked,
        }
        return {name: 1 + self.ev_per_ante / units for name, units in bases.items()}
