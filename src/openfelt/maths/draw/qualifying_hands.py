"""Ultimate Draw with a dealer who qualifies with a hand other than a pair.

A *rung* is a hand that qualifies only if no better one is required: a pair of some rank, two pairs
or three of a kind. The results of a strategy by the dealer's rung price every qualifying hand.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from openfelt.cards import Category, Rank
from openfelt.rules.paytable import HandMinimum

USUAL: Final = HandMinimum(Category.PAIR)
"""The hand with which the dealer of the published game qualifies (D.9)."""
ALWAYS: Final = HandMinimum(Category.HIGH_CARD)
RUNG_HANDS: Final = (
    *(HandMinimum(Category.PAIR, rank) for rank in Rank),
    HandMinimum(Category.TWO_PAIR),
    HandMinimum(Category.THREE_OF_A_KIND),
)
"""The least hand of each rung, the weakest first."""
QUALIFYING: Final = (ALWAYS, USUAL, *RUNG_HANDS[1:], HandMinimum(Category.STRAIGHT))
"""Every hand that can be priced, the weakest first."""


@dataclass(frozen=True, slots=True)
class RungResult:
    """How often the dealer ends on a rung, and what a strategy wins then."""

    often: Fraction
    win_less_lose: Fraction
    """Wins minus losses in these deals, as a part of all deals."""


Rungs = tuple[RungResult, ...]
"""The result of a strategy for each rung."""


class AnteResult(NamedTuple):
    """What becomes of the Ante with some qualifying hand, as parts of all deals."""

    unqualified: Fraction
    win_less_lose: Fraction
    """Wins minus losses against qualified dealers."""


def counted_minimum(least: HandMinimum) -> HandMinimum:
    """One of `QUALIFYING`; raises ValueError for a hand that is not counted.

    >>> counted_minimum(HandMinimum(Category.PAIR, Rank.TWO)) == USUAL
    True
    """
    if least == RUNG_HANDS[0]:
        return USUAL
    if least not in QUALIFYING:
        raise ValueError(
            f"a dealer who qualifies with {least.or_better} is not counted: the counts tell the "
            "dealer's hands apart up to three of a kind, so that the best that can be required is "
            "a straight; openfelt simulate plays a house file with any dealer_qualifies"
        )
    return least


def parse_minimum(text: str) -> HandMinimum:
    """Read a hand such as ``pair of tens`` or ``two pair``; raises ValueError.

    >>> parse_minimum("Pair of tens or better") == HandMinimum(Category.PAIR, Rank.TEN)
    True
    """
    wanted = text.strip().lower().replace("_", " ").removesuffix(" or better")
    every = [HandMinimum(category) for category in Category]
    for least in (*RUNG_HANDS, *every):
        if wanted == str(least).removesuffix(" or better"):
            return least
    raise ValueError(
        f"{text!r} is not a hand with which a dealer qualifies; write 'pair', 'pair of tens', "
        "'two pair', 'three of a kind', 'straight', or 'high card' for a dealer who always does"
    )


def with_minimum(usual: AnteResult, rungs: Rungs, least: HandMinimum) -> AnteResult:
    """The results with a qualifying hand other than a pair, given those with a pair."""
    below = [
        result
        for result, rung in zip(rungs, RUNG_HANDS, strict=True)
        if QUALIFYING.index(counted_minimum(rung)) < QUALIFYING.index(least)
    ]
    return AnteResult(
        usual.unqualified + sum((rung.often for rung in below), Fraction(0)),
        usual.win_less_lose - sum((rung.win_less_lose for rung in below), Fraction(0)),
    )
