"""Exact counts of the deals that make each hand: five cards, seven cards and hole cards.

A hand is named by its category and, since some tables pay by it, the rank of a pair.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from types import MappingProxyType

from openfelt.cards import FULL_DECK, Card, Category, Rank, evaluate
from openfelt.cards.card import Suit
from openfelt.maths.hands.evaluator import count_categories

HandKey = tuple[Category, Rank | None]
"""A category and, for a pair alone, its rank."""


@cache
def five_card_counts() -> Counter[HandKey]:
    """How many of the C(52,5) deals of five cards make each hand.

    Hands are counted by their ranks: each multiset of five ranks represents all choices of suits,
    four of which are flushes where all ranks differ.

    >>> five_card_counts()[Category.PAIR, Rank.ACE], five_card_counts().total()
    (84480, 2598960)
    """
    counts: Counter[HandKey] = Counter()
    for ranks in combinations_with_replacement(Rank, 5):
        held = Counter(ranks)
        if max(held.values()) > 4:
            continue
        ways = prod(comb(4, count) for count in held.values())
        if len(held) == 5:
            ways -= 4
            counts[_key([Card.of(rank, Suit.CLUBS) for rank in ranks])] += 4
        counts[_key(_not_suited(held))] += ways
    return counts


def _not_suited(held: Counter[Rank]) -> list[Card]:
    """Cards of these ranks that do not make a flush."""
    suits = list(Suit)
    cards = [Card.of(rank, suit) for rank in held for suit in suits[: held[rank]]]
    if len(held) == 5:
        cards[0] = Card.of(cards[0].rank, Suit.SPADES)
    return cards


def _key(cards: list[Card]) -> HandKey:
    hand = evaluate(cards)
    return hand.category, hand.ranks[0] if hand.category is Category.PAIR else None


@cache
def seven_card_counts() -> Mapping[Category, int]:
    """How many of the C(52,7) deals of seven cards make each category.

    >>> seven_card_counts()[Category.ROYAL_FLUSH]
    4324
    """
    return MappingProxyType(count_categories())


@cache
def hole_pairs() -> tuple[tuple[Card, Card], ...]:
    """All 1,326 ways to be dealt two cards."""
    return tuple(combinations(FULL_DECK, 2))


def dealer_pairs(hole: tuple[Card, ...]) -> list[tuple[Card, Card]]:
    """All 1,225 ways for the dealer to be dealt two of the other cards."""
    return list(combinations([card for card in FULL_DECK if card not in hole], 2))
