"""The plain evaluator: the best five of five, six or seven cards.

It is written for readability. Each suit is a mask of thirteen rank bits; the ranks
held at least once, twice, three and four times are four more masks; and small
tables over all 8,192 masks give the straight they hold and their highest ranks.
The strength comes first, from look-ups alone; the five cards follow from it. The
fast kernels of ``openfelt.maths`` must agree with it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, total_ordering
from typing import Final

from openfelt.cards.card import Card, Rank


class Category(IntEnum):
    """The ten kinds of poker hand, lowest first."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9

    @property
    def words(self) -> str:
        """The name as rule documents print it: ``"three of a kind"``."""
        return self.name.lower().replace("_", " ")

    @property
    def phrase(self) -> str:
        """The name inside a sentence: ``"a full house"``, but ``"four of a kind"``."""
        counted = (Category.TWO_PAIR, Category.THREE_OF_A_KIND, Category.FOUR_OF_A_KIND)
        return self.words if self in counted else f"a {self.words}"


_CATEGORIES: Final = tuple(Category)
"""Every category by its number; looking it up takes a tenth of the time of calling the class."""
_RANKS: Final = (None, None, *Rank)
"""Every rank by its number."""
CATEGORIES_BY_WORDS: Final = {category.words: category for category in Category}
"""Every category by its name in rule data."""


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """A five-card poker hand. Hands compare by strength, never by suit.

    >>> from openfelt.cards import parse_cards
    >>> evaluate(parse_cards("AsAdAhKcKd")) > evaluate(parse_cards("KsKhKdAcAd"))
    True
    """

    strength: int
    """Larger is better, equal is a tie: the category, then five ranks of four bits each."""
    among: tuple[Card, ...]
    """The cards in which the hand was found."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The five cards of the hand, in order of significance.

        They are computed on demand, because a settlement needs only the strength.
        """
        return _cards_used(self.among, self.strength)

    @property
    def category(self) -> Category:
        """The kind of hand."""
        return _CATEGORIES[self.strength >> 20]

    @property
    def ranks(self) -> tuple[Rank, ...]:
        """The ranks that decide between hands of one category, most significant first."""
        return tuple(_RANKS[self.strength >> shift & 15] for shift in (16, 12, 8, 4, 0))

    @property
    def first_rank(self) -> int:
        """The most significant of the ranks, as a number."""
        return self.strength >> 16 & 15

    @property
    def name(self) -> str:
        """The hand as a dealer announces it: ``"Full house, kings over fours"``."""
        return hand_name(self.strength)

    def __eq__(self, other: object) -> bool:
        return self.strength == other.strength if isinstance(other, Hand) else NotImplemented

    def __lt__(self, other: "Hand") -> bool:
        return self.strength < other.strength if isinstance(other, Hand) else NotImplemented

    def __gt__(self, other: "Hand") -> bool:
        return self.strength > other.strength if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return self.strength

    def __str__(self) -> str:
        return self.name


def hand_name(strength: int) -> str:
    """The name by strength.

    The 7,462 strengths share some hundred names, which are made once.
    """
    return _name(strength & _NAMED_BY[strength >> 20])


_NAMED_BY: Final = tuple(
    {Category.FULL_HOUSE: 0xFF00F0, Category.TWO_PAIR: 0xFF0F00}.get(category, 0xFF0000)
    for category in Category
)
"""For each category, the bits of a strength that its name says: the category, the first rank, and
the second rank of the hands that are named by two."""


@cache
def _name(named: int) -> str:
    """The name by the bits of a strength that it says."""
    category, first = _CATEGORIES[named >> 20], Rank(named >> 16 & 15)
    match category:
        case Category.ROYAL_FLUSH:
            return "Royal flush"
        case Category.STRAIGHT_FLUSH | Category.STRAIGHT:
            return f"{category.words.capitalize()}, {first.word} high"
        case Category.FOUR_OF_A_KIND:
            return f"Four of a kind, {first.plural}"
        case Category.FULL_HOUSE:
            return f"Full house, {first.plural} over {Rank(named >> 4 & 15).plural}"
        case Category.FLUSH:
            return f"Flush, {first.word} high"
        case Category.THREE_OF_A_KIND:
            return f"Three of a kind, {first.plural}"
        case Category.TWO_PAIR:
            return f"Two pair, {first.plural} and {Rank(named >> 8 & 15).plural}"
        case Category.PAIR:
            return f"Pair of {first.plural}"
        case Category.HIGH_CARD:
            return f"{first.word.capitalize()} high"


_WHEEL: Final = 0b1_0000_0000_1111


def _pack(ranks: Iterable[int]) -> int:
    """Ranks as four bits each, the most significant first."""
    packed = 0
    for rank in ranks:
        packed = packed << 4 | rank
    return packed


def _straight_in(mask: int) -> int:
    """The ranks of the best straight in the mask, packed; 0 if there is none."""
    for top in range(12, 3, -1):
        if mask >> (top - 4) & 0b11111 == 0b11111:
            return _pack(range(top + 2, top - 3, -1))
    return _pack((5, 4, 3, 2, Rank.ACE)) if mask & _WHEEL == _WHEEL else 0


def _and_the_highest(fewer: Sequence[int]) -> tuple[int, ...]:
    """For every mask its highest ranks, packed, from the table of one rank fewer: the highest
    of all, and then those of the mask without it."""
    tops = [0]
    for mask in range(1, 8192):
        high = mask.bit_length() - 1
        others = fewer[mask ^ 1 << high]
        tops.append(high + 2 << (others.bit_length() + 3 & ~3) | others)
    return tuple(tops)


_STRAIGHTS: Final = tuple(map(_straight_in, range(8192)))
_TOP_1: Final = _and_the_highest((0,) * 8192)
_TOP_2: Final = _and_the_highest(_TOP_1)
_TOP_3: Final = _and_the_highest(_TOP_2)
_TOP_5: Final = _and_the_highest(_and_the_highest(_TOP_3))
_BITS: Final = tuple(1 << 16 * (number % 4) + number // 4 for number in range(52))
"""For every card the bit of its rank among those of its suit."""
_ROYAL: Final = _pack((14, 13, 12, 11, 10))
# The categories as they stand in a strength.
_PAIR: Final = Category.PAIR << 20
_TWO_PAIR: Final = Category.TWO_PAIR << 20
_THREE_OF_A_KIND: Final = Category.THREE_OF_A_KIND << 20
_STRAIGHT: Final = Category.STRAIGHT << 20
_FLUSH: Final = Category.FLUSH << 20
_FULL_HOUSE: Final = Category.FULL_HOUSE << 20
_FOUR_OF_A_KIND: Final = Category.FOUR_OF_A_KIND << 20
_STRAIGHT_FLUSH: Final = Category.STRAIGHT_FLUSH << 20
_ROYAL_FLUSH: Final = Category.ROYAL_FLUSH << 20


def evaluate(cards: Iterable[Card]) -> Hand:
    """Find the best five-card hand in five, six or seven different cards.

    >>> from openfelt.cards import parse_cards
    >>> hand = evaluate(parse_cards("Kd Ks 4c 4h Kh 9s 2d"))
    >>> hand.name, hand.category
    ('Full house, kings over fours', <Category.FULL_HOUSE: 6>)
    >>> [str(card) for card in hand.cards]
    ['Kd', 'Ks', 'Kh', '4c', '4h']
    """
    cards = tuple(cards)
    strength = hand_strength(cards)
    # By position: names would take as long as the search itself.
    return Hand(strength, cards)


def hand_strength(cards: Sequence[Card]) -> int:
    """The strength of the best hand, for callers that only need the order.

    >>> from openfelt.cards import parse_cards
    >>> hex(hand_strength(parse_cards("Kd Ks 4c 4h Kh 9s 2d")))
    '0x6ddd44'
    """
    if not 5 <= len(cards) <= 7:
        raise ValueError(f"a poker hand needs five to seven cards, not {len(cards)}")
    # One number holds the ranks of every suit, 16 bits for each.
    held = 0
    for card in cards:
        held |= _BITS[card.number]
    if held.bit_count() != len(cards):
        raise ValueError("the hand contains the same card twice")
    clubs, diamonds = held & 8191, held >> 16 & 8191
    hearts, spades = held >> 32 & 8191, held >> 48
    # Seven cards with five of one suit leave no room for four of a kind
    # or a full house, so only a straight flush beats the flush.
    return (
        _FLUSHES[clubs]
        or _FLUSHES[diamonds]
        or _FLUSHES[hearts]
        or _FLUSHES[spades]
        or _unsuited_strength(clubs, diamonds, hearts, spades)
    )


def _flush_in(suit: int) -> int:
    """The strength of the best flush in the ranks of one suit; 0 if there are fewer than five."""
    if suit.bit_count() < 5:
        return 0
    straight = _STRAIGHTS[suit]
    if straight == _ROYAL:
        return _ROYAL_FLUSH | straight
    if straight:
        return _STRAIGHT_FLUSH | straight
    return _FLUSH | _TOP_5[suit]


_FLUSHES: Final = tuple(map(_flush_in, range(8192)))


def _unsuited_strength(clubs: int, diamonds: int, hearts: int, spades: int) -> int:
    """Read a hand without a flush from the ranks held once, twice, three and four times."""
    minor, major = clubs | diamonds, hearts | spades
    two_minor, two_major = clubs & diamonds, hearts & spades
    once = minor | major
    twice = two_minor | two_major | minor & major
    if not twice:
        straight = _STRAIGHTS[once]
        return _STRAIGHT | straight if straight else _TOP_5[once]
    if four := two_minor & two_major:
        quad = _TOP_1[four]
        return _FOUR_OF_A_KIND | quad * 0x11110 | _TOP_1[once & ~four]
    trips = _TOP_1[two_minor & major | two_major & minor]
    pairs = twice & ~(1 << trips - 2) if trips else twice
    if trips and pairs:
        return _FULL_HOUSE | trips * 0x11100 | _TOP_1[pairs] * 0x11
    if straight := _STRAIGHTS[once]:
        return _STRAIGHT | straight
    if trips:
        return _THREE_OF_A_KIND | trips * 0x11100 | _TOP_2[once & ~twice]
    if pairs & (pairs - 1):
        high, low = divmod(_TOP_2[pairs], 16)
        kicker = _TOP_1[once & ~(1 << high - 2 | 1 << low - 2)]
        return _TWO_PAIR | high * 0x11000 | low * 0x110 | kicker
    return _PAIR | _TOP_1[pairs] * 0x11000 | _TOP_3[once & ~pairs]


def _cards_used(cards: tuple[Card, ...], strength: int) -> tuple[Card, ...]:
    """For each rank of the strength, an unused card; all of one suit for flushes."""
    left = list(cards)
    if _CATEGORIES[strength >> 20] in _SUITED:
        suits = [card.suit for card in cards]
        flush_suit = max(suits, key=suits.count)
        left = [card for card in cards if card.suit is flush_suit]
    used = []
    for shift in (16, 12, 8, 4, 0):
        rank = strength >> shift & 15
        for card in left:
            if card.rank == rank:
                used.append(card)
                left.remove(card)
                break
    return tuple(used)


_SUITED: Final = {Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}
