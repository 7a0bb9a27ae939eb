"""Ultimate Draw: the effect of player flushes on the results of one hand's holds.

Wins, losses and ties with a qualified dealer are counted; the results that the ranks alone would
have had are subtracted from the hands below a flush. `docs/internals/exact-draw.md` derives the
sums.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.flush_tables import (
    OneSuit,
    SuitedGroups,
    change_mask,
    flush_of,
    hands_without,
)
from openfelt.maths.kernels.hold_results import (
    ALL_RANKS,
    HIGH_CARDS,
    RANKS,
    Holds,
    change_left,
    strength_of,
    weigh_draws,
)
from openfelt.maths.kernels.quick_gains import (
    add_gains,
    add_quick_gains,
    makes_straight,
    quick_dealers,
    sum_submasks,
)
from openfelt.maths.kernels.unqualified_pairs import bits

MANY_CHECKS = 40_000
BELOW_STRAIGHTS = 5853
"""The strongest three of a kind."""


class HandsWithin(NamedTuple):
    """A group's hands that have no cards of the suit outside each mask."""

    known: bool
    """False for a small group, for which calling `hands_without` is faster than a table."""
    table: npt.NDArray[np.int64]


@kernel
def weigh_further_draws(
    suit: OneSuit, groups: SuitedGroups, group: int, drawn: int, size: int,
    ways: npt.NDArray[np.int64], out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count pairs of a hand without some cards of the suit, and further draws of any suit."""
    first, stop = suit.draws.starts[size], suit.draws.starts[size + 1]
    out[first:stop] = 0
    change_mask(suit.left, drawn, -1)
    row = groups.starts[group]
    while row < groups.starts[group + 1]:
        kind, hands = row, 0
        while row < groups.starts[group + 1] and groups.kinds[row] == groups.kinds[kind]:
            if groups.inside[row] & drawn == 0:
                hands += groups.ways[row]
            row += 1
        if hands:
            change_left(suit.left, groups.ranks[kind], -1)
            weigh_draws(suit.draws, size, suit.left, ways)
            change_left(suit.left, groups.ranks[kind], 1)
            for draw in range(first, stop):
                out[draw] += hands * ways[draw]
    change_mask(suit.left, drawn, 1)


@kernel
def sum_by_rank(groups: SuitedGroups, group: int, out: npt.NDArray[np.int64]) -> None:
    """Count a group's hands with each rank, and all its hands, within each mask of the suit."""
    out[:] = 0
    for row in range(groups.starts[group], groups.starts[group + 1]):
        if groups.ways[row]:
            out[RANKS, groups.inside[row]] += groups.ways[row]
            for rank in groups.ranks[row]:
                out[rank, groups.inside[row]] += groups.ways[row]
    for rank in range(RANKS + 1):
        sum_submasks(out[rank])


@kernel
def weigh_one_draw(
    suit: OneSuit, drawn: int, by_rank: npt.NDArray[np.int64], out: npt.NDArray[np.int64]
) -> None:
    """Count pairs of a hand without some cards of the suit, and one further card of any suit."""
    rest = ALL_RANKS & ~drawn
    for draw in range(suit.draws.starts[1], suit.draws.starts[2]):
        rank = suit.draws.lasts[draw]
        left = suit.left[rank] - (drawn >> rank & 1)
        out[draw] = left * by_rank[RANKS, rest] - by_rank[rank, rest]


@kernel
def count_players_flushes(
    suit: OneSuit, groups: SuitedGroups, holds: Holds, reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the effect of the player's flushes, against the dealer's true hand.

    `holds` has holds of the suit alone. `out` has the columns of `result_columns`, with ties in
    place of unqualified dealers.
    """
    ways = np.zeros(suit.draws.keys.size, dtype=np.int64)
    weights = np.zeros(suit.draws.keys.size, dtype=np.int64)
    room = np.zeros(1 << RANKS, dtype=np.int64)
    by_rank = np.zeros((RANKS + 1, 1 << RANKS), dtype=np.int64)
    # Hands from a pair to three of a kind are all equivalent: without the flush, the player's hand
    # is a straight or has no pair.
    middle = np.zeros(suit.masks.size, dtype=np.int64)
    slow = np.zeros(suit.masks.size, dtype=np.bool_)
    flushes = flush_draws(suit, holds)
    add_all_quick_gains(suit, groups, holds, flushes, reading, slow, out)
    straights = flushes[slow[flushes]]
    for group in range(groups.keys.size):
        wanted = flushes if groups.drawn[group] > 1 else straights
        if wanted.size == 0 or hands_without(groups, group, 0) == 0:
            continue
        within = HandsWithin(sum_within(groups, group, wanted.size, room), room)
        one_more = groups.drawn[group] - 1
        if holds.starts[one_more] < holds.starts[one_more + 1]:
            sum_by_rank(groups, group, by_rank)
        for number in wanted:
            draw = suit.masks[number]
            drawn = bits(draw)
            rest = ALL_RANKS & ~draw
            hands = within.table[rest] if within.known else hands_without(groups, group, draw)
            if hands and groups.drawn[group] <= drawn:
                middle[number] += add_shorter(suit, groups, group, hands, holds, draw, reading, out)
            elif hands:
                if drawn == one_more:
                    weigh_one_draw(suit, draw, by_rank, weights)
                else:
                    more = groups.drawn[group] - drawn
                    weigh_further_draws(suit, groups, group, draw, more, ways, weights)
                middle[number] += add_longer(
                    suit, groups, group, holds, draw, weights, reading, out
                )
                if groups.suited[group]:
                    add_two_flushes(suit, groups, group, within, holds, draw, reading, out)
    for number in range(suit.masks.size):
        draw = suit.masks[number]
        if middle[number]:
            add_gains(suit, holds, draw, BELOW_STRAIGHTS, middle[number], reading, out)


@kernel
def flush_draws(suit: OneSuit, holds: Holds) -> npt.NDArray[np.int64]:
    """List the numbers of the draws of the suit that any hold uses."""
    listed = np.zeros(suit.masks.size, dtype=np.int64)
    draws = 0
    for number in range(1, suit.masks.size):
        drawn = bits(suit.masks[number])
        if suit.masks[number] & ~suit.free == 0 and holds.starts[drawn] < holds.starts[drawn + 1]:
            listed[draws] = number
            draws += 1
    return listed[:draws]


@kernel
def add_all_quick_gains(
    suit: OneSuit, groups: SuitedGroups, holds: Holds, flushes: npt.NDArray[np.int64],
    reading: np.record, slow: npt.NDArray[np.bool_], out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the effect of flushes against dealers who draw one card or none, except for `slow` draws.

    Slow draws give one of the holds a straight flush.
    """
    quick = quick_dealers(suit, groups, reading)
    for number in flushes:
        draw = suit.masks[number]
        slow[number] = makes_straight(suit, holds, draw, reading)
        if not slow[number]:
            add_quick_gains(suit, groups, quick, holds, draw, reading, out)


@kernel
def sum_within(groups: SuitedGroups, group: int, masks: int, out: npt.NDArray[np.int64]) -> bool:
    """Count a large group's hands that have no cards of the suit outside each mask.

    Returns False for a small group, for which calling `hands_without` each time is faster.
    """
    first, stop = groups.short_starts[group], groups.short_starts[group + 1]
    if (stop - first) * masks < MANY_CHECKS:
        return False
    out[:] = 0
    for row in range(first, stop):
        out[groups.short_inside[row]] = groups.short_ways[row]
    sum_submasks(out)
    return True


@kernel
def add_shorter(
    suit: OneSuit, groups: SuitedGroups, group: int, hands: int, holds: Holds, draw: int,
    reading: np.record, out: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Add the effect of one flush against dealers who draw no more cards than the player.

    Returns the number of deals in which the dealer has a pair to three of a kind; they are not
    added.
    """
    fewer = groups.drawn[group]
    deals = hands * suit.factors[fewer, bits(draw) - fewer]
    if fewer == 0:
        add_gains(suit, holds, draw, groups.strengths[group], deals, reading, out)
        return 0
    middle = 0
    # Sets of one card are the quickest to list, and most hands of the dealer draw one card.
    rest = draw
    first = draw & -draw if fewer == 1 else draw
    while first:
        if bits(first) == fewer:
            if groups.suited[group]:
                dealer = flush_of(groups.masks[group] | first, reading)
            else:
                dealer = strength_of(groups.keys[group] + suit.keys[first], reading)
            if dealer > BELOW_STRAIGHTS:
                add_gains(suit, holds, draw, dealer, deals, reading, out)
            elif dealer > HIGH_CARDS:
                middle += deals
        if fewer == 1:
            rest ^= first
            first = rest & -rest
        else:
            first = (first - 1) & draw
    return int(middle)


@kernel
def add_longer(
    suit: OneSuit, groups: SuitedGroups, group: int, holds: Holds, draw: int,
    weights: npt.NDArray[np.int64], reading: np.record, out: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Add the effect of one flush against dealers who draw more cards, like `add_shorter`."""
    drawn = bits(draw)
    more = groups.drawn[group] - drawn
    factor = suit.factors[drawn, more]
    held = groups.keys[group] + suit.keys[draw]
    middle = 0
    for further in range(suit.draws.starts[more], suit.draws.starts[more + 1]):
        if weights[further] == 0:
            continue
        deals = factor * weights[further]
        dealer = strength_of(held + suit.draws.keys[further], reading)
        if dealer > BELOW_STRAIGHTS:
            add_gains(suit, holds, draw, dealer, deals, reading, out)
        elif dealer > HIGH_CARDS:
            middle += deals
    return int(middle)


@kernel
def add_two_flushes(
    suit: OneSuit, groups: SuitedGroups, group: int, within: HandsWithin, holds: Holds, draw: int,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Correct for dealers who draw more cards and also a flush, which was counted as five ranks."""
    drawn = bits(draw)
    more = groups.drawn[group] - drawn
    for number in range(suit.starts[more], suit.starts[more + 1]):
        both = suit.masks[number] | draw
        if both & ~suit.free or suit.masks[number] & draw:
            continue
        rest = ALL_RANKS & ~both
        hands = within.table[rest] if within.known else hands_without(groups, group, both)
        deals = suit.factors[drawn, more] * hands
        flush = flush_of(groups.masks[group] | both, reading)
        plain = strength_of(groups.keys[group] + suit.keys[both], reading)
        add_gains(suit, holds, draw, flush, deals, reading, out)
        add_gains(suit, holds, draw, plain, -deals, reading, out)
