"""The terms of Ultimate Texas Hold'em that its mathematics depend on."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from openfelt.cards import Category
from openfelt.rules.paytable import HandMinimum

if TYPE_CHECKING:
    import numpy as np

USUAL_FLOP_MULTIPLES: Final = (2,)
USUAL_RIVER_MULTIPLES: Final = (1,)

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
    """The terms that differ from house to house. The default is the game as it is usually dealt.

    >>> HoldemTerms.of(first_multiples=[3]).first_actions
    ('bet_3x',)
    >>> HoldemTerms.of({Category.FLUSH: Fraction(5, 4)}).scale
    4
    """

    blind: tuple[Fraction, ...]
    """The Blind's payout of a win by category, high card first; 0 is a push."""
    qualifying: HandMinimum
    """The least hand with which the dealer qualifies."""
    first_multiples: tuple[int, ...]
    """The Play wagers offered before the flop, in Antes, largest first; there may be none."""
    flop_multiples: tuple[int, ...] = USUAL_FLOP_MULTIPLES
    """The same on the flop."""
    river_multiples: tuple[int, ...] = USUAL_RIVER_MULTIPLES
    """The same on the river, where there is at least one."""

    @classmethod
    def of(
        cls,
        blind: Mapping[Category, Fraction | int] | None = None,
        *,
        qualifying: HandMinimum | None = None,
        first_multiples: Sequence[int] = (4, 3),
        flop_multiples: Sequence[int] = USUAL_FLOP_MULTIPLES,
        river_multiples: Sequence[int] = USUAL_RIVER_MULTIPLES,
    ) -> "HoldemTerms":
        """Check and normalise terms; categories without odds push.

        Raises ValueError for negative odds, for multiples that are not positive or repeated, and
        for a river without a bet.
        """
        odds = USUAL_BLIND if blind is None else blind
        paid = tuple(Fraction(odds.get(category, 0)) for category in Category)
        if min(paid) < 0:
            raise ValueError("odds on the Blind cannot be below zero")
        if not river_multiples:
            raise ValueError("without a bet on the river, every hand that has checked must fold")
        streets = (first_multiples, flop_multiples, river_multiples)
        if any(len(set(street)) < len(street) or min(street, default=1) < 1 for street in streets):
            raise ValueError("multiples of Play must be positive, and different on each street")
        first, flop, river = (tuple(sorted(street, reverse=True)) for street in streets)
        return cls(paid, qualifying or HandMinimum(Category.PAIR), first, flop, river)

    @property
    def scale(self) -> int:
        """The least number of units in an Ante for which every payout is whole."""
        return math.lcm(*(odds.denominator for odds in self.blind))

    @property
    def blind_units(self) -> tuple[int, ...]:
        """The Blind's payout of a win by category, in those units."""
        return tuple(int(odds * self.scale) for odds in self.blind)

    @property
    def most_units(self) -> int:
        """More than one deal can win or lose, in those units."""
        return max(2 * self.scale, *self.blind_units) + (2 + self.largest_multiple) * self.scale

    @property
    def qualifying_strength(self) -> int:
        """The lowest strength with which the dealer qualifies."""
        from openfelt.maths.hands.strengths import weakest_of

        return weakest_of(self.qualifying.category, self.qualifying.at_least or 0)

    def as_record(self) -> "np.record":
        """The terms as the kernels take them, which only read them."""
        return _record_of(self)

    @property
    def first_actions(self) -> tuple[str, ...]:
        """The names of the bets before the flop, largest first."""
        return bet_names(self.first_multiples)

    @property
    def flop_actions(self) -> tuple[str, ...]:
        """The names of the bets on the flop, largest first."""
        return bet_names(self.flop_multiples)

    @property
    def river_actions(self) -> tuple[str, ...]:
        """The names of the bets on the river, largest first."""
        return bet_names(self.river_multiples)

    @property
    def flop_candidates(self) -> tuple[int, ...]:
        """The bets on the flop that can be the best: the largest, and sometimes the smallest.

        The value of a bet is linear in its multiple, so the best is the largest or the smallest.
        The smallest is best only where Play loses on average, and then a check that bets the
        smallest on the river loses less, unless the river's smallest is larger still.

        >>> HoldemTerms.of(flop_multiples=[3, 2, 1]).flop_candidates
        (3,)
        >>> HoldemTerms.of(flop_multiples=[3, 2, 1], river_multiples=[2]).flop_candidates
        (3, 1)
        """
        flop = self.flop_multiples
        if len(flop) > 1 and flop[-1] < self.river_multiples[-1]:
            return flop[0], flop[-1]
        return flop[:1]

    @property
    def largest_multiple(self) -> int:
        """The largest Play wager of any street."""
        return max(*self.first_multiples, *self.flop_multiples, *self.river_multiples, 1)

    def net(self, *, multiple: int, category: Category, result: int) -> Fraction:
        """The net of Ante, Blind and Play together, in Antes (rulings R.4 and R.5).

        `result` is 0 won, 1 won unqualified, 2 tied, 3 lost, 4 lost unqualified.

        >>> HoldemTerms.of().net(multiple=4, category=Category.FLUSH, result=0)
        Fraction(13, 2)
        """
        won = multiple + self.blind[category]
        return (1 + won, won, Fraction(0), Fraction(-2 - multiple), Fraction(-1 - multiple))[result]


def bet_names(multiples: Sequence[int]) -> tuple[str, ...]:
    """The names of bets.

    >>> bet_names((4, 3))
    ('bet_4x', 'bet_3x')
    """
    return tuple(f"bet_{multiple}x" for multiple in multiples)


@lru_cache(maxsize=16)
def _record_of(terms: HoldemTerms) -> "np.record":
    # One hand is advised on without the compiler, which takes long to import.
    from openfelt.maths.kernels.board_values import TERMS
    from openfelt.maths.kernels.records import new_record

    record = new_record(TERMS)
    record.qualifying = terms.qualifying_strength
    record.ante = terms.scale
    record.blind[:] = terms.blind_units
    record.river_high = terms.river_multiples[0]
    record.river_low = terms.river_multiples[-1]
    record.river_bets = len(terms.river_multiples)
    return record
