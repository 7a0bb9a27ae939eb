"""Players of Ultimate Texas Hold'em for statistics: an honest one, and one who sees a card.

The honest player follows the published chart before and on the flop, and the exact count of all
dealers' hands on the river. The cheat sees one card of the dealer and plays by it.
"""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import NamedTuple

import numpy as np

from openfelt.cards import FULL_DECK, Card, Rank
from openfelt.maths.fairness.unseen_cards import Showdowns, Signs, showdowns


class PlayedHand(NamedTuple):
    """A hand with all its showdowns, and whether it made a Play wager."""

    showdowns: Showdowns
    played: bool


def play_hand(random: Random, *, sees_a_card: bool) -> PlayedHand:
    """Deal and play one hand."""
    cards = random.sample(FULL_DECK, 9)
    hole, board, dealer = cards[:2], cards[2:7], cards[7:]
    met = showdowns([hole], board, dealer)
    first = _raises_first(hole)
    if sees_a_card:
        high, low = max(hole).rank, min(hole).rank
        first = (first and (high >= dealer[0].rank or high == low)) or low > dealer[0].rank
    if first or _raises_on_flop(hole, board[:3]):
        return PlayedHand(met, played=True)
    signs = met.signs[0]
    if sees_a_card:
        left = sorted(set(FULL_DECK) - {*hole, *board})
        pairs = combinations([card.number for card in left], 2)
        signs = signs[np.array([dealer[0].number in pair for pair in pairs])]
    return PlayedHand(met, played=_bets_on_river(signs))


def _raises_first(hole: Sequence[Card]) -> bool:
    """The published chart of hands that raise before the flop."""
    low, high = sorted(card.rank for card in hole)
    suited = hole[0].suit is hole[1].suit
    if low == high:
        return low > Rank.TWO
    lowest = {
        Rank.ACE: (2, 2),
        Rank.KING: (5, 2),
        Rank.QUEEN: (8, 6),
        Rank.JACK: (10, 8),
    }.get(high)
    return lowest is not None and low >= lowest[suited]


def _raises_on_flop(hole: Sequence[Card], flop: Sequence[Card]) -> bool:
    """A pair with an own card, or four of a suit with an own ten or better."""
    on_flop = {card.rank for card in flop}
    if hole[0].rank == hole[1].rank or any(card.rank in on_flop for card in hole):
        return True
    return any(
        sum(card.suit is own.suit for card in (*hole, *flop)) == 4 and own.rank >= Rank.TEN
        for own in hole
    )


def _bets_on_river(signs: Signs) -> bool:
    """Whether Ante and Play together lose less than a fold does."""
    return bool(2 * np.mean(signs == 1) - 3 * np.mean(signs == -1) > -2)
