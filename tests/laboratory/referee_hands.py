"""Poker hands for the laboratory's referee: cards as text, valued by the evaluator from PyPI.

A card is two characters, ``"Th"`` for the ten of hearts. The evaluator numbers the 7,462 different
hands of five cards from 1, the royal flush, to 7,462, a seven high. A lower number is the better
hand, and equal numbers tie.
"""

from functools import lru_cache

from treys import Card, Evaluator

Cards = tuple[str, ...]

RANKS = "23456789TJQKA"
_RANK_NUMBERS = {rank: number for number, rank in enumerate(RANKS, 2)}

# The last number of each kind. There are 10 straight flushes with the royal one, 156 fours of a
# kind, 156 full houses, 1,277 flushes, 10 straights, 858 threes of a kind, 858 two pairs,
# 2,860 pairs, and 1,277 hands that are nothing of this.
LAST_OF_KIND = {
    "royal flush": 1,
    "straight flush": 10,
    "four of a kind": 166,
    "full house": 322,
    "flush": 1599,
    "straight": 1609,
    "three of a kind": 2467,
    "two pair": 3325,
    "pair": 6185,
    "high card": 7462,
}

_EVALUATOR = Evaluator()
_NUMBERS = {f"{rank}{suit}": Card.new(f"{rank}{suit}") for rank in RANKS for suit in "cdhs"}


@lru_cache(maxsize=1024)
def value_of(own: Cards, common: Cards = ()) -> int:
    """The best five of five to seven cards as the evaluator's number, lower is better.

    No card may be there twice. Every wager of a hand asks for it, so the last answers are kept.
    """
    cards = own + common
    if len(set(cards)) != len(cards) or not 5 <= len(cards) <= 7:
        raise ValueError(f"these are not five to seven different cards: {' '.join(cards)}")
    return int(_EVALUATOR.evaluate([_NUMBERS[card] for card in cards], []))


_KINDS = tuple(
    next(kind for kind, last in LAST_OF_KIND.items() if number <= last) for number in range(1, 7463)
)


def kind_of(number: int) -> str:
    """The kind of hand of a strength."""
    return _KINDS[number - 1]


def rank_of(card: str) -> int:
    """The rank of a card, from 2 to 14 for the ace."""
    return _RANK_NUMBERS[card[0]]


def pair_rank(cards: Cards) -> int:
    """The rank of the highest pair among the cards, 0 without one."""
    ranks = [rank_of(card) for card in cards]
    return max((rank for rank in ranks if ranks.count(rank) > 1), default=0)
