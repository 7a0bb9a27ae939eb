"""The dealer's hands in Ultimate Draw that a player's hand leaves, grouped by what they hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np
import numpy.typing as npt

from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.holdem.deck_classes import check_deck
from openfelt.maths.kernels.dealer_hands import (
    PLACES,
    SUITS,
    count_dealer_hands,
    list_dealer_hands,
)
from openfelt.maths.kernels.flush_tables import SuitedGroups
from openfelt.maths.kernels.hold_results import HoldGroups
from openfelt.maths.kernels.strength_tables import RANK_KEYS

_HAND = 5
_KEYS = np.array(RANK_KEYS, dtype=np.uint64)
_PLACES = np.arange(_HAND)
Counts = npt.NDArray[np.int32]
"""How many hands are left by suit, kind, and places in that suit."""
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class DealerHands:
    """All hands of a deck. Those of one *kind* have the same ranks and hold the same of them.

    Kinds that hold the same ranks, and end with the same hand if they hold all, are a group and
    lie together.
    """

    cards: npt.NDArray[np.uint8]
    kind_of: npt.NDArray[np.int32]
    """The kind of each hand."""
    ranks: npt.NDArray[np.int8]
    """The ranks of each kind, lowest first."""
    holds: Numbers
    """The places that each kind holds, as bits."""
    groups: Numbers
    """The group of each kind."""
    starts: Numbers
    """Where the kinds of each group begin, and where the last ones end."""
    keys: npt.NDArray[np.uint64]
    """The rank key of what each group holds."""
    masks: Numbers
    """The ranks that each group holds."""
    strengths: Numbers
    """The strength of groups that hold all five cards, else 0."""
    drawn: Numbers
    """How many cards each group draws."""

    def left_by(self, hand: Sequence[int]) -> Counts:
        """Count the hands that have none of a hand's cards."""
        taken = np.zeros(52, dtype=np.bool_)
        taken[list(hand)] = True
        counts = np.zeros((SUITS, len(self.holds), PLACES), dtype=np.int32)
        count_dealer_hands(self.cards, self.kind_of, taken, counts)
        return counts

    def hold_groups(self, counts: Counts) -> HoldGroups:
        """All groups, suits left aside."""
        ways = counts[0].sum(axis=1, dtype=np.int64)
        return HoldGroups(self.keys, self.strengths, self.drawn, self.starts, self.ranks, ways)

    def suited_groups(self, counts: Counts, suit: int) -> SuitedGroups:
        """The groups with at least one hand, each divided by whether it holds one suit alone."""
        kinds, places = np.nonzero(counts[suit])
        holds = self.holds[kinds]
        suited = (places & holds == holds) & (holds < PLACES - 1)
        number = 2 * self.groups[kinds] + suited
        order = np.lexsort((places, kinds, number))
        kinds, places, number = kinds[order], places[order], number[order]
        used, starts = np.unique(number, return_index=True)
        bits = np.where(places[:, None] >> _PLACES & 1, 1 << self.ranks[kinds].astype(np.int64), 0)
        inside = np.bitwise_or.reduce(bits, axis=1)
        ways = counts[suit, kinds, places].astype(np.int64)
        short, which = np.unique(number << 13 | inside, return_inverse=True)
        group = used >> 1
        return SuitedGroups(
            keys=self.keys[group],
            masks=self.masks[group],
            suited=used & 1 == 1,
            strengths=self.strengths[group],
            drawn=self.drawn[group],
            starts=np.append(starts, len(kinds)),
            ranks=self.ranks[kinds],
            kinds=kinds,
            inside=inside,
            ways=ways,
            short_starts=np.searchsorted(short, np.append(used, used[-1] + 1) << 13),
            short_inside=short & 0x1FFF,
            short_ways=np.bincount(which, weights=ways).astype(np.int64),
        )


@lru_cache(maxsize=2)
def dealer_hands(deck: tuple[int, ...]) -> DealerHands:
    """List the hands of a deck; about a second for 52 cards."""
    numbers = np.array(check_deck(deck), dtype=np.int64)
    hands = comb(numbers.size, _HAND)
    cards = np.zeros((hands, _HAND), dtype=np.uint8)
    holds = np.zeros(hands, dtype=np.uint8)
    strengths = np.zeros(hands, dtype=np.uint16)
    list_dealer_hands(numbers, reading_tables(), cards, holds, strengths)
    # Of equal ranks and holds, the suits decide no more than what a hand that stands is worth.
    code = _KEYS[cards >> 2].sum(axis=1).astype(np.int64) << 18
    code |= strengths.astype(np.int64) << 5 | holds
    _, first, kind_of = np.unique(code, return_index=True, return_inverse=True)
    ranks, held = cards[first] >> 2, holds[first].astype(np.int64)
    standing = strengths[first].astype(np.int64)
    kept = held[:, None] >> _PLACES & 1
    keys = (_KEYS[ranks].astype(np.int64) * kept).sum(axis=1)
    same = standing << 40 | kept.sum(axis=1) << 32 | keys
    order = np.argsort(same, kind="stable")
    _, starts, groups = np.unique(same[order], return_index=True, return_inverse=True)
    new_number = np.empty(len(order), dtype=np.int32)
    new_number[order] = np.arange(len(order), dtype=np.int32)
    head = order[starts]
    return DealerHands(
        cards=cards,
        kind_of=new_number[kind_of],
        ranks=ranks[order].astype(np.int8),
        holds=held[order],
        groups=groups,
        starts=np.append(starts, len(order)),
        keys=keys[head].astype(np.uint64),
        masks=np.bitwise_or.reduce(kept[head] << ranks[head].astype(np.int64), axis=1),
        strengths=standing[head],
        drawn=_HAND - kept[head].sum(axis=1),
    )
