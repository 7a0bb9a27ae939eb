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


def small_deck(ranks: str, suits: int) -> list[Card]:
    """The cards of these ranks in the first few suits."""
    return [Card.of(rank, Suit(suit)) for rank in Rank if rank.letter in ranks
            for suit in range(suits)]  # fmt: skip
