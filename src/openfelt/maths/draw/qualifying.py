"""Ultimate Draw with a dealer who needs more than a pair to qualify.

The results of a strategy are known by the dealer's final hand, for every hand from a pair of twos
to three of a kind. A *rung* is one of these.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from openfelt.cards import Category, Rank
from openfelt.rules.paytable import HandMinimum

USUAL = HandMinimum(Category.PAIR)
"""The hand with which the dealer of the published game qualifies (D.9)."""
RUNG_HANDS = (
    *(HandMinimum(Category.PAIR, rank) for rank in Rank),
    HandMinimum(Category.TWO_PAIR),
    HandMinimum(Category.THREE_OF_A_KIND),
)
"""The least hand of each rung, the weakest first."""
_NEXT = HandMinimum(Category.STRAIGHT)


@dataclass(frozen=True, slots=True)
class RungResult:
    """How often the dealer ends on a rung, and what a strategy wins then."""

    often: Fraction
    win_less_lose: Fraction
    """Wins minus losses in these deals, as a part of all deals."""


Rungs = tuple[RungResult, ...]
"""The result of a strategy for each rung."""
