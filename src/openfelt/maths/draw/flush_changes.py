"""The effect of drawn flushes on some holds of hands with the same ranks in Ultimate Draw.

The effect of the dealer's flushes of a suit depends on the ranks of the player's hand and on which
of these it has in the suit. So hands with the same ranks share most of the work.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb, factorial, perm

import numpy as np
import numpy.typing as npt

from openfelt.maths.draw.ante_results import HOLDS, DrawQuestion, _holds, _is_inside, draw_tables
from openfelt.maths.draw.dealer_groups import GroupChoice, dealer_hands
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels.dealer_flushes import count_gains_on_flushes
from openfelt.maths.kernels.flush_gains import count_long_flushes
from openfelt.maths.kernels.hold_results import ALL_RANKS, RESULTS, UNQUALIFIED
from openfelt.maths.kernels.player_flushes import count_players_flushes
from openfelt.maths.kernels.result_columns import (
    BELOW_FLUSH,
    FLUSH,
    ROYAL_FLUSH,
    SPREAD,
    STRAIGHT_FLUSH,
)
from openfelt.maths.kernels.suit_patterns import SuitPatterns, suit_patterns

_HAND = 5
_LONG = 4
"""From this many draws on, the player's flushes are counted without listing the dealer's hands."""
Numbers = npt.NDArray[np.int64]
Hand = tuple[int, ...]


@lru_cache(maxsize=2)
def _patterns(deck: tuple[int, ...]) -> SuitPatterns:
    return suit_patterns(draw_tables(deck).mask_keys, reading_tables())


class SameRanks:
    """Hands that have the same ranks, and the effect of flushes on some of their holds."""

    def __init__(
        self, deck: tuple[int, ...], wanted: Mapping[Hand, Sequence[int]], *, spread: bool = False
    ) -> None:
        """`wanted` has the holds of each hand; `spread` counts categories separately."""
        self._deck, self._wanted = deck, wanted
        self._categories = SPREAD if spread else 1
        self._suits = sorted({card & 3 for card in deck})
        self._holds = sorted({hold for holds in wanted.values() for hold in holds})
        self._by_suit: dict[tuple[int, bool], Numbers] = {}

    def changes(self, hand: Hand) -> Numbers:
        """By wanted hold, the change of the deals that win and lose against the counts by ranks.

        If categories are counted separately, the change of the deals of each that win, lose, or
        meet an unqualified dealer. A loss of everything that the dealer's flushes beat, which is
        the same for all holds of the hand, is left out.
        """
        question = DrawQuestion(hand, (), self._deck)
        wanted = self._wanted[hand]
        total = np.zeros((len(wanted), self._categories * RESULTS), dtype=np.int64)
        for suit in self._suits:
            total += self._few_drawn(question, suit)[[self._holds.index(hold) for hold in wanted]]
            total += self._dealers_flushes(question, wanted, suit, GroupChoice.MANY_DRAWN)
            for place, hold in enumerate(wanted):
                if hold < HOLDS - 1 and _is_inside(hand, hold, suit):
                    total[place] += self._players_flushes(question, hold, suit)
        return total if self._categories > 1 else total[:, :UNQUALIFIED]

    def _few_drawn(self, question: DrawQuestion, suit: int) -> Numbers:
        """The effect of the dealer's flushes of one suit that draw few cards."""
        own = sum(1 << (card >> 2) for card in question.cards if card & 3 == suit)
        flush = len({card & 3 for card in question.cards}) == 1
        if (own, flush) not in self._by_suit:
            self._by_suit[own, flush] = self._dealers_flushes(
                question, self._holds, suit, GroupChoice.FEW_DRAWN
            )
        return self._by_suit[own, flush]

    def _dealers_flushes(
        self, question: DrawQuestion, wanted: Sequence[int], suit: int, choice: GroupChoice
    ) -> Numbers:
        groups = dealer_hands(question.deck).suited_groups(question.cards, suit, choice)
        holds, places = _holds(question.cards, wanted)
        out = np.zeros((len(holds.keys), self._categories * RESULTS), dtype=np.int64)
        count_gains_on_flushes(question.suit(suit), groups, holds, reading_tables(), out)
        return out[places]

    def _players_flushes(self, question: DrawQuestion, hold: int, suit: int) -> Numbers:
        """The effect of the player's flushes of one suit on a hold of this suit alone."""
        reading, one_suit = reading_tables(), question.suit(suit)
        holds, _ = _holds(question.cards, [hold])
        out = np.zeros((1, self._categories * RESULTS), dtype=np.int64)
        if hold.bit_count() + _LONG > _HAND:
            groups = dealer_hands(question.deck).suited_groups(question.cards, suit)
            count_players_flushes(one_suit, groups, holds, reading, out)
        else:
            live = sum(1 << rank for rank in {card >> 2 for card in question.deck})
            taken = [
                ALL_RANKS & ~live | sum(1 << (c >> 2) for c in question.cards if c & 3 == other)
                for other in sorted({card & 3 for card in question.deck} - {suit})
            ]
            count_long_flushes(
                one_suit, int(holds.masks[0]), np.array(taken, dtype=np.int64),
                len(question.deck) - _HAND, _patterns(question.deck), reading, out[0],
            )  # fmt: skip
        counted = out.reshape(self._categories, RESULTS)
        return _with_unqualified(
            counted, _flush_deals(question, int(holds.masks[0]), one_suit.free)
        )


def _flush_deals(question: DrawQuestion, held: int, free: int) -> dict[int, int]:
    """The deals that complete a hold of one suit, by category of the flush."""
    drawn = _HAND - held.bit_count()
    straights = [
        ranks
        for ranks in (1 << 12 | 0b1111, *(0b11111 << low for low in range(9)))
        if ranks & held == held and ranks & ~held & ~free == 0
    ]
    royal = int(0b11111 << 8 in straights)
    unseen = len(question.deck) - _HAND
    orders = factorial(drawn) * perm(unseen - _HAND - drawn, _HAND - drawn)
    deals = comb(unseen - drawn, _HAND) * orders
    return {
        FLUSH: (comb(free.bit_count(), drawn) - len(straights)) * deals,
        STRAIGHT_FLUSH: (len(straights) - royal) * deals,
        ROYAL_FLUSH: royal * deals,
    }


def _with_unqualified(counted: Numbers, deals: Mapping[int, int]) -> Numbers:
    """Replace ties by unqualified dealers: the remaining deals with each kind of flush.

    These dealers are subtracted from those of the hands below a flush.
    """
    spread = counted.copy()
    spread[BELOW_FLUSH, UNQUALIFIED] = 0
    for category, every in deals.items() if len(counted) > 1 else ():
        spread[category, UNQUALIFIED] = every - counted[category].sum()
        spread[BELOW_FLUSH, UNQUALIFIED] -= spread[category, UNQUALIFIED]
    return spread.ravel()
