"""Ultimate Draw: what the player's flush changes against dealers who draw one card or none.

Most of the dealer's hands draw one card or none, and a flush that is no straight flush changes the
same against all of them that have a pair to a straight: without it the player, who has no pair,
would lose. So these are counted together, by the cards of the suit that they do not have.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.flush_tables import OneSuit, SuitedGroups, flush_of, hands_without
from openfelt.maths.kernels.hand_reader import STRENGTHS
from openfelt.maths.kernels.hold_results import (
    FULL_HOUSES,
    HIGH_CARDS,
    LOSE,
    RANKS,
    STRAIGHT_FLUSHES,
    STRAIGHTS,
    WIN,
    Holds,
    strength_of,
)

ALL_RANKS = (1 << RANKS) - 1


class QuickDealers(NamedTuple):
    """The dealer's hands that draw one card or none, for one suit."""

    below: npt.NDArray[np.int64]
    """By a rank that is drawn, and by mask: hands that then have a pair to a straight, and have
    no cards of the suit but those of the mask. The row after the ranks has hands that draw none."""
    flushes: npt.NDArray[np.int64]
    """By strength: standing flushes of other suits up to it."""
    own: npt.NDArray[np.int64]
    """Groups with standing flushes of the suit, and those with four cards of it."""
    own_hands: npt.NDArray[np.int64]
    """How many hands of these groups are of the suit."""


@kernel
def sum_submasks(table: npt.NDArray[np.int64]) -> None:
    """Replace each entry by the sum over all submasks of its mask."""
    for rank in range(RANKS):
        bit = 1 << rank
        for start in range(bit, table.size, 2 * bit):
            for mask in range(start, start + bit):
                table[mask] += table[mask - bit]


@kernel
def add_rows(groups: SuitedGroups, group: int, out: npt.NDArray[np.int64]) -> None:
    """Add the hands of a group by the cards of the suit that they have."""
    for row in range(groups.short_starts[group], groups.short_starts[group + 1]):
        out[groups.short_inside[row]] += groups.short_ways[row]


@kernel
def quick_dealers(suit: OneSuit, groups: SuitedGroups, reading: np.record) -> QuickDealers:
    """Add up the dealer's hands that draw one card or none."""
    below = np.zeros((RANKS + 1, 1 << RANKS), dtype=np.int64)
    flushes = np.zeros(STRENGTHS, dtype=np.int64)
    own = np.zeros(groups.keys.size, dtype=np.int64)
    own_hands = np.zeros(groups.keys.size, dtype=np.int64)
    found = 0
    for group in range(groups.keys.size):
        strength = groups.strengths[group]
        if groups.drawn[group] > 1 or FULL_HOUSES <= strength < STRAIGHT_FLUSHES:
            continue
        if groups.suited[group] or strength > STRAIGHTS:
            others = hands_without(groups, group, ALL_RANKS)
            flushes[strength] += others
            own[found] = group
            own_hands[found] = hands_without(groups, group, 0) - others
            found += own_hands[found] > 0
            continue
        for rank in range(RANKS) if strength == 0 else range(RANKS, RANKS + 1):
            made = strength
            if made == 0:
                made = strength_of(groups.keys[group] + suit.keys[1 << rank], reading)
            if HIGH_CARDS < made <= STRAIGHTS:
                add_rows(groups, group, below[rank])
    for rank in range(RANKS + 1):
        sum_submasks(below[rank])
    for strength in range(1, STRENGTHS):
        flushes[strength] += flushes[strength - 1]
    return QuickDealers(below, flushes, own[:found], own_hands[:found])


@kernel
def makes_straight(suit: OneSuit, holds: Holds, drawn: int, draw: int, reading: np.record) -> bool:
    """Return whether a draw gives one of the holds a straight."""
    for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
        if strength_of(holds.keys[hold] + suit.keys[draw], reading) > HIGH_CARDS:
            return True
    return False


@kernel
def add_quick_gains(
    suit: OneSuit, groups: SuitedGroups, quick: QuickDealers, holds: Holds, drawn: int, draw: int,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add what a flush that is no straight changes against dealers who draw one card or none."""
    rest = ALL_RANKS & ~draw
    once = suit.factors[0, drawn]
    after_one = suit.factors[1, drawn - 1]
    below = once * quick.below[RANKS, rest]
    for rank in range(RANKS):
        if draw >> rank & 1:
            below += after_one * quick.below[rank, rest]
    for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
        flush = flush_of(holds.masks[hold] | draw, reading)
        out[hold, WIN] += below + once * quick.flushes[flush - 1]
        out[hold, LOSE] -= below + once * quick.flushes[flush]
    for number in range(quick.own.size):
        group, hands = quick.own[number], quick.own_hands[number]
        if groups.masks[group] & draw:
            continue
        if groups.drawn[group] == 0:
            add_flush(groups.strengths[group], once * hands, holds, drawn, draw, reading, out)
            continue
        for rank in range(RANKS):
            if draw >> rank & 1:
                dealer = flush_of(groups.masks[group] | 1 << rank, reading)
                add_flush(dealer, after_one * hands, holds, drawn, draw, reading, out)


@kernel
def add_flush(
    dealer: int, deals: int, holds: Holds, drawn: int, draw: int, reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add what flushes change against a flush of the dealer, to which their ranks would lose."""
    for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
        flush = flush_of(holds.masks[hold] | draw, reading)
        if flush >= dealer:
            out[hold, LOSE] -= deals
        if flush > dealer:
            out[hold, WIN] += deals
