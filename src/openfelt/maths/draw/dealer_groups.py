"""The dealer's possible hands in Ultimate Draw given the player's, grouped by what they hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from math import comb
from typing import NamedTuple

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
from openfelt.maths.kernels.hold_results import STRAIGHTS, HoldGroups
from openfelt.maths.kernels.house_way import house_way_hold
from openfelt.maths.kernels.strength_tables import RANK_KEYS
from openfelt.maths.kernels.suited_ways import (
    BY_RANKS,
    FLUSH,
    FOUR_ONLY,
    MATCHED,
    STRAIGHT,
    SuitedRows,
    TakenCards,
    add_up,
    count_suited_ways,
)

_HAND = 5
_RANKS = len(RANK_KEYS)
_KEYS = np.array(RANK_KEYS, dtype=np.uint64)
_PLACES = np.arange(_HAND)
Counts = npt.NDArray[np.int32]
"""How many hands are left, by suit, kind, and the places of the cards in that suit."""
Numbers = npt.NDArray[np.int64]
FEW_DRAWS = 3


class GroupChoice(Enum):
    """Which groups of the dealer's hands are wanted."""

    ALL = "all"
    FEW_DRAWN = "few drawn"
    """Those that hold cards of one suit only and draw at most three. Their hands have at least two
    cards of the suit, so no four are of another suit."""
    MANY_DRAWN = "many drawn"
    """Those that hold cards of one suit only, or nothing, and draw four or five."""


@dataclass(frozen=True)
class DealerHands:
    """All hands of a deck. Hands of one *kind* have the same ranks and hold the same ones.

    Kinds that hold the same ranks, and have the same strength if they hold all five, form a group
    and are stored together.
    """

    cards: npt.NDArray[np.uint8]
    kind_of: npt.NDArray[np.int32]
    """The kind of each hand."""
    ranks: npt.NDArray[np.int8]
    """The ranks of each kind, lowest first."""
    holds: Numbers
    """The places of the cards that each kind holds, as bits."""
    groups: Numbers
    """The group of each kind."""
    starts: Numbers
    """Where the kinds of each group begin; the last entry is the end."""
    keys: npt.NDArray[np.uint64]
    """The rank key of what each group holds."""
    masks: Numbers
    """The ranks that each group holds."""
    strengths: Numbers
    """The strength of groups that hold all five cards, else 0."""
    drawn: Numbers
    """How many cards each group draws."""

    @cached_property
    def suits(self) -> set[int]:
        """The suits of the deck."""
        return set(np.unique(self.cards & 3).tolist())

    def left_by(self, hand: Sequence[int]) -> Counts:
        """Count the hands that have no card of a given hand."""
        taken = np.zeros(52, dtype=np.bool_)
        taken[list(hand)] = True
        counts = np.zeros((SUITS, len(self.holds), PLACES), dtype=np.int32)
        count_dealer_hands(self.cards, self.kind_of, taken, counts)
        return counts

    def hold_groups(self, counts: Counts) -> HoldGroups:
        """All groups, ignoring suits."""
        ways = counts[0].sum(axis=1, dtype=np.int64)
        return HoldGroups(self.keys, self.strengths, self.drawn, self.starts, self.ranks, ways)

    @cached_property
    def _frames(self) -> "dict[GroupChoice, _SuitedFrame]":
        return {}

    def suited_groups(
        self, taken: Sequence[int], suit: int, choice: GroupChoice = GroupChoice.ALL
    ) -> SuitedGroups:
        """The groups, each divided by whether it holds only the suit, without the given cards."""
        if choice not in self._frames:
            self._frames[choice] = _suited_frame(self, choice)
        frame = self._frames[choice]
        ways = np.zeros(len(frame.rows.kinds), dtype=np.int64)
        count_suited_ways(frame.rows, self._taken(taken, suit), ways)
        short_ways = np.zeros(len(frame.groups.short_inside), dtype=np.int64)
        add_up(frame.short_of, ways, short_ways)
        return frame.groups._replace(ways=ways, short_ways=short_ways)

    def _taken(self, taken: Sequence[int], suit: int) -> TakenCards:
        others = sorted(self.suits - {suit})
        outside = [card >> 2 for card in taken if card & 3 != suit]
        return TakenCards(
            own=sum(1 << (card >> 2) for card in taken if card & 3 == suit),
            left=len(others) - np.bincount(outside, minlength=_RANKS).astype(np.int64),
            others=np.array(
                [sum(1 << (card >> 2) for card in taken if card & 3 == s) for s in others],
                dtype=np.int64,
            ),
        )


class _SuitedFrame(NamedTuple):
    """The part that is the same for every hand of the player."""

    rows: SuitedRows
    groups: SuitedGroups
    """Everything except the numbers of hands."""
    short_of: Numbers
    """For each row, the place of its group and its cards of the suit in the short list."""


def _suited_frame(hands: DealerHands, choice: GroupChoice) -> _SuitedFrame:
    suit = min(hands.suits)
    kinds, places = np.nonzero(hands.left_by(())[suit])
    bits = np.where(places[:, None] >> _PLACES & 1, 1 << hands.ranks[kinds].astype(np.int64), 0)
    inside = np.bitwise_or.reduce(bits, axis=1)
    kinds, inside = np.unique(np.stack([kinds, inside]), axis=1)
    held = hands.masks[hands.groups[kinds]]
    # Cards of equal rank are never of one suit.
    count = np.bitwise_count(hands.holds[kinds])
    suited = (inside & held == held) & (np.bitwise_count(held) == count) & (count < _HAND)
    if choice is not GroupChoice.ALL:
        few = hands.drawn[hands.groups[kinds]] <= FEW_DRAWS
        chosen = suited & (few if choice is GroupChoice.FEW_DRAWN else ~few)
        kinds, inside, suited = kinds[chosen], inside[chosen], suited[chosen]
    number = 2 * hands.groups[kinds] + suited
    order = np.lexsort((inside, kinds, number))
    kinds, inside, number = kinds[order], inside[order], number[order]
    used, starts = np.unique(number, return_index=True)
    short, short_of = np.unique(number << 13 | inside, return_inverse=True)
    group = used >> 1
    nothing = np.zeros(0, dtype=np.int64)
    groups = SuitedGroups(
        keys=hands.keys[group],
        masks=hands.masks[group],
        suited=used & 1 == 1,
        strengths=hands.strengths[group],
        drawn=hands.drawn[group],
        starts=np.append(starts, len(kinds)),
        ranks=hands.ranks[kinds],
        kinds=kinds,
        inside=inside,
        ways=nothing,
        short_starts=np.searchsorted(short, np.append(used, used.max(initial=0) + 1) << 13),
        short_inside=short & 0x1FFF,
        short_ways=nothing,
    )
    return _SuitedFrame(_suited_rows(hands, kinds, inside), groups, short_of)


def _suited_rows(hands: DealerHands, kinds: Numbers, inside: Numbers) -> SuitedRows:
    ranks = hands.ranks[kinds].astype(np.int64)
    masks = np.bitwise_or.reduce(1 << ranks, axis=1)
    held = hands.masks[hands.groups[kinds]]
    strengths = hands.strengths[hands.groups[kinds]]
    by_ranks = np.array([hold_by_ranks(tuple(row)) for row in hands.ranks.tolist()])
    four = (np.bitwise_count(held) == _HAND - 1) & (np.bitwise_count(masks) == _HAND)
    kind = np.where(hands.holds[kinds] == by_ranks[kinds], BY_RANKS, FOUR_ONLY)
    kind[strengths > 0] = STRAIGHT
    kind[strengths > STRAIGHTS] = FLUSH
    kind[np.bitwise_count(masks) < _HAND] = MATCHED
    return SuitedRows(kind, hands.ranks[kinds], masks, inside, np.where(four, held, 0))


def hold_by_ranks(ranks: Sequence[int]) -> int:
    """The places that the house way holds of five ranks, without four cards of one suit."""
    different = len(set(ranks)) == _HAND
    # Suits alternate; cards of equal rank get different suits.
    suits = [place % 2 if different else ranks[:place].count(r) for place, r in enumerate(ranks)]
    cards = np.array([rank << 2 | suit for rank, suit in zip(ranks, suits, strict=True)])
    return int(house_way_hold(cards, reading_tables()))


@lru_cache(maxsize=2)
def dealer_hands(deck: tuple[int, ...]) -> DealerHands:
    """List the hands of a deck; about a second for 52 cards."""
    numbers = np.array(check_deck(deck), dtype=np.int64)
    hands = comb(numbers.size, _HAND)
    cards = np.zeros((hands, _HAND), dtype=np.uint8)
    holds = np.zeros(hands, dtype=np.uint8)
    strengths = np.zeros(hands, dtype=np.uint16)
    list_dealer_hands(numbers, reading_tables(), cards, holds, strengths)
    # For equal ranks and holds, suits decide only the strength of a hand that stands.
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
