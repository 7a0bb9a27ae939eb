"""The terms of Ultimate Texas Hold'em that its mathematics depend on."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import numpy as np

from openfelt.cards import Category
from openfelt.maths.hands.strengths import weakest_of
from openfelt.maths.kernels.board_values import TERMS
from openfelt.maths.kernels.records import new_record
from openfelt.rules.paytable import HandMinimum

FLOP_MULTIPLE: Final = 2
RIVER_MULTIPLE: Final = 1

USUAL_BLIND: Final[Mapping[Category, Fraction]] = MappingProxyType(
    {
        Category.ROYAL_FLUSH: Fraction(500),
        Category.STRAIGHT_FLUSH: Fraction(50),
        Category.FOUR_OF_A_KIND: Fraction(10),
        Category.FULL_HOUSE: Fraction(3),
        Category.FLUSH: Fraction(3, 2),
        Category.STRAIGHT: Fraction(1),
    }
)
"""The Blind of every table in documents W and S, odds to one."""


@dataclass(frozen=True, slots=True)
class HoldemTerms:
    """What differs from house to house. The default is the game as it is usually dealt.

    >>> HoldemTerms.of(first_multiples=[3]).first_actions
    ('bet_3x',)
    >>> HoldemTerms.of({Category.FLUSH: Fraction(5, 4)}).scale
    4
    """

    blind: tuple[Fraction, ...]
    """What a win pays on the Blind by category, high card first; 0 is a push."""
    qualifying: HandMinimum
    """The least hand with which the dealer qualifies."""
    first_multiples: tuple[int, ...]
    """The Play wagers offered before the flop, in Antes, largest first."""

    @classmethod
    def of(
        cls,
        blind: Mapping[Category, Fraction | int] | None = None,
        *,
        qualifying: HandMinimum | None = None,
        first_multiples: Sequence[int] = (4, 3),
    ) -> "HoldemTerms":
        """Check and normalise terms; categories without odds push.

        Raises ValueError for negative odds, and for multiples that are missing, not positive or
        repeated.
        """
        odds = USUAL_BLIND if blind is None else blind
        paid = tuple(Fraction(odds.get(category, 0)) for category in Category)
        if min(paid) < 0:
            raise ValueError("odds on the Blind cannot be below zero")
        multiples = tuple(sorted(first_multiples, reverse=True))
        if not multiples or len(set(multiples)) < len(multiples) or multiples[-1] < 1:
            raise ValueError("offer one or more different positive multiples before the flop")
        return cls(paid, qualifying or HandMinimum(Category.PAIR), multiples)

    @property
    def scale(self) -> int:
        """The least number of units in an Ante for which every payout is whole."""
        return math.lcm(*(odds.denominator for odds in self.blind))

    @property
    def blind_units(self) -> tuple[int, ...]:
        """What a win pays on the Blind by category, in those units."""
        return tuple(int(odds * self.scale) for odds in self.blind)

    @property
    def qualifying_strength(self) -> int:
        """The lowest strength with which the dealer qualifies."""
        return weakest_of(self.qualifying.category, self.qualifying.at_least or 0)

    def as_record(self) -> np.record:
        """The terms as the kernels take them, which only read them."""
        return _record_of(self)

    @property
    def first_actions(self) -> tuple[str, ...]:
        """The names of the bets before the flop, largest first."""
        return tuple(f"bet_{multiple}x" for multiple in self.first_multiples)

    def net(self, *, multiple: int, category: Category, result: int) -> Fraction:
        """What Ante, Blind and Play win or lose together, in Antes (rulings R.4 and R.5).

        `result` is 0 won, 1 won unqualified, 2 tied, 3 lost, 4 lost unqualified.

        >>> HoldemTerms.of().net(multiple=4, category=Category.FLUSH, result=0)
        Fraction(13, 2)
        """
        won = multiple + self.blind[category]
        return (1 + won, won, Fraction(0), Fraction(-2 - multiple), Fraction(-1 - multiple))[result]


@lru_cache(maxsize=16)
def _record_of(terms: HoldemTerms) -> np.record:
    record = new_record(TERMS)
    record.qualifying = terms.qualifying_strength
    record.ante = terms.scale
    record.blind[:] = terms.blind_units
    return record
