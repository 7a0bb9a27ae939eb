"""Terms and small decks that plain enumeration can solve."""

from fractions import Fraction

from openfelt.cards import Card, Category, Rank, Suit
from openfelt.maths import HoldemTerms
from openfelt.rules.paytable import HandMinimum

USUAL = HoldemTerms.of()
ODD = HoldemTerms.of(
    {
        Category.PAIR: Fraction(1, 3),
        Category.TWO_PAIR: Fraction(3, 4),
        Category.FULL_HOUSE: 7,
        Category.FOUR_OF_A_KIND: Fraction(9, 2),
    },
    qualifying=HandMinimum(Category.PAIR, Rank.KING),
    first_multiples=[3],
)
GENEROUS = HoldemTerms.of(
    {Category.STRAIGHT: 2, Category.FLUSH: 3, Category.STRAIGHT_FLUSH: 40},
    qualifying=HandMinimum(Category.HIGH_CARD),
    first_multiples=[5, 1],
)
NO_FIRST = HoldemTerms.of(first_multiples=[])
RIVER_ONLY = HoldemTerms.of(first_multiples=[], flop_multiples=[], river_multiples=[3, 2, 1])
MANY = HoldemTerms.of(first_multiples=[9, 4, 1], flop_multiples=[6, 3], river_multiples=[3, 2])
EARLY = HoldemTerms.of(
    {Category.STRAIGHT: 1, Category.FULL_HOUSE: 2},
    first_multiples=[2, 1],
    flop_multiples=[3, 2, 1],
    river_multiples=[5, 4],
)
"""Terms under which a small bet early is cheaper than any bet later."""
OTHER_MULTIPLES = (NO_FIRST, RIVER_ONLY, MANY, EARLY)


def small_deck(ranks: str, suits: int) -> list[Card]:
    """The cards of these ranks in the first few suits."""
    return [Card.of(rank, Suit(suit)) for rank in Rank if rank.letter in ranks
            for suit in range(suits)]  # fmt: skip
