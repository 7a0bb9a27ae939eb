"""Ultimate Draw: the effect of the player's flush against dealers who draw one card or none.

Most of the dealer's hands draw one card or none, and a flush that is not a straight flush has the
same effect against all of them with a pair to a straight: without it the player, who has no pair,
would lose. So these are counted together, by the cards of the suit that they do not have. So are
full houses and four of a kind, to which the flush still loses. Results have the columns of
`result_columns`, with ties in place of unqualified dealers.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.flush_tables import OneSuit, SuitedGroups, flush_of, hands_without
from openfelt.maths.kernels.hand_reader import STRENGTHS
from openfelt.maths.kernels.hold_results import (
    ALL_RANKS,
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
from openfelt.maths.kernels.result_columns import TIE, compare_hands, first_column
from openfelt.maths.kernels.unqualified_pairs import bits


class QuickDealers(NamedTuple):
    """The dealer's hands that draw one card or none, for one suit."""

    below: npt.NDArray[np.int64]
    """By drawn rank and by mask: hands that then have a pair to a straight, and have no cards of
    the suit outside the mask. The row after the ranks has hands that draw none."""
    full: npt.NDArray[np.int64]
    """The same for hands that then have a full house or four of a kind."""
    flushes: npt.NDArray[np.int64]
    """By strength: standing flushes of other suits up to this strength."""
    own: npt.NDArray[np.int64]
    """Groups with standing flushes of the suit, and groups with four cards of it."""
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
    full = np.zeros((RANKS + 1, 1 << RANKS), dtype=np.int64)
    flushes = np.zeros(STRENGTHS, dtype=np.int64)
    own = np.zeros(groups.keys.size, dtype=np.int64)
    own_hands = np.zeros(groups.keys.size, dtype=np.int64)
    own_groups = 0
    for group in range(groups.keys.size):
        strength = groups.strengths[group]
        if groups.drawn[group] > 1:
            continue
        is_full = FULL_HOUSES <= strength < STRAIGHT_FLUSHES
        if groups.suited[group] or (strength > STRAIGHTS and not is_full):
            others = hands_without(groups, group, ALL_RANKS)
            flushes[strength] += others
            own[own_groups] = group
            own_hands[own_groups] = hands_without(groups, group, 0) - others
            own_groups += own_hands[own_groups] > 0
            continue
        for rank in range(RANKS) if strength == 0 else range(RANKS, RANKS + 1):
            made = strength
            if made == 0:
                made = strength_of(groups.keys[group] + suit.keys[1 << rank], reading)
            if made >= FULL_HOUSES:
                add_rows(groups, group, full[rank])
            elif made > HIGH_CARDS:
                add_rows(groups, group, below[rank])
    for rank in range(RANKS + 1):
        sum_submasks(below[rank])
        sum_submasks(full[rank])
    for strength in range(1, STRENGTHS):
        flushes[strength] += flushes[strength - 1]
    return QuickDealers(below, full, flushes, own[:own_groups], own_hands[:own_groups])


@kernel
def makes_straight(suit: OneSuit, holds: Holds, draw: int, reading: np.record) -> bool:
    """Return whether a draw gives one of the holds a straight."""
    drawn = bits(draw)
    for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
        if strength_of(holds.keys[hold] + suit.keys[draw], reading) > HIGH_CARDS:
            return True
    return False


@kernel
def add_gains(
    suit: OneSuit, holds: Holds, draw: int, dealer: int, deals: int, reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the effect of the flushes of all holds against one hand of the dealer."""
    drawn = bits(draw)
    for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
        flush = flush_of(holds.masks[hold] | draw, reading)
        plain = strength_of(holds.keys[hold] + suit.keys[draw], reading)
        compare_hands(out[hold], flush, dealer, deals)
        compare_hands(out[hold], plain, dealer, -deals)


@kernel
def add_quick_gains(
    suit: OneSuit, groups: SuitedGroups, quick: QuickDealers, holds: Holds, draw: int,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the effect of a flush, not a straight, against dealers who draw one card or none."""
    drawn = bits(draw)
    rest = ALL_RANKS & ~draw
    once = suit.factors[0, drawn]
    after_one = suit.factors[1, drawn - 1]
    below = once * quick.below[RANKS, rest]
    full = once * quick.full[RANKS, rest]
    for rank in range(RANKS):
        if draw >> rank & 1:
            below += after_one * quick.below[rank, rest]
            full += after_one * quick.full[rank, rest]
    every = quick.flushes[STRENGTHS - 1]
    for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
        flush = flush_of(holds.masks[hold] | draw, reading)
        first = first_column(out[hold], flush)
        weaker, as_strong = quick.flushes[flush - 1], quick.flushes[flush]
        out[hold, first + WIN] += below + once * weaker
        out[hold, first + TIE] += once * (as_strong - weaker)
        out[hold, first + LOSE] += full + once * (every - as_strong)
        out[hold, LOSE] -= below + full + once * every
    for number in range(quick.own.size):
        group, hands = quick.own[number], quick.own_hands[number]
        if groups.masks[group] & draw:
            continue
        if groups.drawn[group] == 0:
            dealer = groups.strengths[group]
            add_gains(suit, holds, draw, dealer, once * hands, reading, out)
            continue
        for rank in range(RANKS):
            if draw >> rank & 1:
                dealer = flush_of(groups.masks[group] | 1 << rank, reading)
                add_gains(suit, holds, draw, dealer, after_one * hands, reading, out)
