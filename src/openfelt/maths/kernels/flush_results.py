"""Ultimate Draw: what flushes that are drawn change in the results of the holds of one hand.

Whoever draws a flush draws cards of one suit only, so one suit is looked at by itself: its cards
are bits of a mask of ranks. A *suited group* has all hands of the dealer that hold the same ranks
and either hold cards of this suit only, or do not. `docs/internals/exact-draw.md` derives the sums.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hold_results import (
    DRAWS,
    HIGH_CARDS,
    RANKS,
    Holds,
    RankDraws,
    add_result,
    change_left,
    own_strength,
    strength_of,
    weigh_draw,
    weigh_draws,
)
from openfelt.maths.kernels.unqualified_pairs import bits

ALL_RANKS = (1 << RANKS) - 1
MANY_ROWS = 40
BELOW_STRAIGHTS = 5853
"""The strongest three of a kind."""


class Suit(NamedTuple):
    """One suit of a deck, and what the player leaves of it."""

    free: int
    """The ranks that the player does not have in this suit."""
    masks: npt.NDArray[np.int64]
    """All sets of the deck's ranks with at most five members, by size."""
    starts: npt.NDArray[np.int64]
    """Where the masks of each size begin, and where the last ones end."""
    keys: npt.NDArray[np.uint64]
    """The rank key of every mask."""
    left: npt.NDArray[np.int64]
    """How many cards the player leaves of each rank, in all suits."""
    factors: npt.NDArray[np.int64]
    """By numbers of cards drawn first and later, the orders of five draw cards."""
    draws: RankDraws


class SuitedGroups(NamedTuple):
    """The dealer's hands, in groups that hold the same ranks, of the suit alone or not."""

    keys: npt.NDArray[np.uint64]
    masks: npt.NDArray[np.int64]
    """The ranks held."""
    suited: npt.NDArray[np.bool_]
    """Whether everything held is of the suit, so that drawn cards can make a flush."""
    strengths: npt.NDArray[np.int64]
    """The strength of hands that draw nothing, else 0."""
    drawn: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    """Where the rows of each group begin, and where the last ones end."""
    ranks: npt.NDArray[np.int8]
    """The ranks of the hands of each row; rows with the same ranks are together."""
    kinds: npt.NDArray[np.int64]
    """A number for these ranks."""
    inside: npt.NDArray[np.int64]
    """The ranks that the hands of each row have in the suit."""
    ways: npt.NDArray[np.int64]
    short_starts: npt.NDArray[np.int64]
    """Where the next two arrays begin for each group, and where they end."""
    short_inside: npt.NDArray[np.int64]
    """The different values of `inside` in each group."""
    short_ways: npt.NDArray[np.int64]
    """How many hands have each of these."""


@kernel
def flush_of(mask: int, reading: np.record) -> int:
    """Read five cards of one suit."""
    return int(np.int64(reading.flushes[mask]))


@kernel
def hands_without(groups: SuitedGroups, group: int, drawn: int) -> int:
    """Count the hands of a group that have none of these cards of the suit."""
    hands = 0
    for row in range(groups.short_starts[group], groups.short_starts[group + 1]):
        if groups.short_inside[row] & drawn == 0:
            hands += groups.short_ways[row]
    return hands


@kernel
def change_mask(left: npt.NDArray[np.int64], mask: int, by: int) -> None:
    """Take the cards of a mask away, or put them back."""
    for rank in range(left.size):
        left[rank] += by * (mask >> rank & 1)


@kernel
def weigh_further_draws(
    suit: Suit, groups: SuitedGroups, group: int, drawn: int, size: int,
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
def add_gains(
    suit: Suit, holds: Holds, drawn: int, draw: int, dealer: int, deals: int,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count what the flushes of all holds change against one hand of the dealer."""
    for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
        flush = flush_of(holds.masks[hold] | draw, reading)
        plain = strength_of(holds.keys[hold] + suit.keys[draw], reading)
        add_result(out[hold], flush, dealer, deals)
        add_result(out[hold], plain, dealer, -deals)


@kernel
def count_players_flushes(
    suit: Suit, groups: SuitedGroups, holds: Holds, reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add what the player's flushes change. The dealer's hand is the true one.

    `holds` has holds of the suit alone.
    """
    ways = np.zeros(suit.draws.keys.size, dtype=np.int64)
    weights = np.zeros(suit.draws.keys.size, dtype=np.int64)
    within = np.zeros(1 << RANKS, dtype=np.int64)
    # Hands from a pair to three of a kind are all alike: without its flush, the player's hand is
    # a straight or has no pair.
    middle = np.zeros(suit.masks.size, dtype=np.int64)
    for group in range(groups.keys.size):
        many = sum_within(groups, group, within)
        for drawn in range(1, DRAWS):
            if holds.starts[drawn] == holds.starts[drawn + 1]:
                continue
            for number in range(suit.starts[drawn], suit.starts[drawn + 1]):
                draw = suit.masks[number]
                if draw & ~suit.free:
                    continue
                hands = within[ALL_RANKS & ~draw] if many else hands_without(groups, group, draw)
                if hands and groups.drawn[group] <= drawn:
                    middle[number] += add_shorter(
                        suit, groups, group, hands, holds, drawn, draw, reading, out
                    )
                elif hands:
                    middle[number] += add_longer(
                        suit, groups, group, holds, drawn, draw, ways, weights, reading, out
                    )
    for drawn in range(1, DRAWS):
        for number in range(suit.starts[drawn], suit.starts[drawn + 1]):
            if middle[number]:
                draw = suit.masks[number]
                add_gains(suit, holds, drawn, draw, BELOW_STRAIGHTS, middle[number], reading, out)


@kernel
def sum_within(groups: SuitedGroups, group: int, out: npt.NDArray[np.int64]) -> bool:
    """Count a large group's hands that have no cards of the suit but those of each mask.

    Returns False for a small group, where `hands_without` is faster.
    """
    first, stop = groups.short_starts[group], groups.short_starts[group + 1]
    if stop - first < MANY_ROWS:
        return False
    out[:] = 0
    for row in range(first, stop):
        out[groups.short_inside[row]] = groups.short_ways[row]
    for rank in range(RANKS):
        bit = 1 << rank
        for mask in range(out.size):
            if mask & bit:
                out[mask] += out[mask ^ bit]
    return True


@kernel
def add_shorter(
    suit: Suit, groups: SuitedGroups, group: int, hands: int, holds: Holds, drawn: int,
    draw: int, reading: np.record, out: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Add what one flush changes against dealers who draw no more cards.

    Returns the deals in which the dealer has a pair to three of a kind, which are not added.
    """
    fewer = groups.drawn[group]
    deals = hands * suit.factors[fewer, drawn - fewer]
    if fewer == 0:
        add_gains(suit, holds, drawn, draw, groups.strengths[group], deals, reading, out)
        return 0
    middle = 0
    # The sets of one card are the quickest to list, and most hands of the dealer draw one card.
    rest = draw
    first = draw & -draw if fewer == 1 else draw
    while first:
        if bits(first) == fewer:
            if groups.suited[group]:
                dealer = flush_of(groups.masks[group] | first, reading)
            else:
                dealer = strength_of(groups.keys[group] + suit.keys[first], reading)
            if dealer > BELOW_STRAIGHTS:
                add_gains(suit, holds, drawn, draw, dealer, deals, reading, out)
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
    suit: Suit, groups: SuitedGroups, group: int, holds: Holds, drawn: int, draw: int,
    ways: npt.NDArray[np.int64], weights: npt.NDArray[np.int64], reading: np.record,
    out: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Add what one flush changes against dealers who draw more cards, like `add_shorter`."""
    more = groups.drawn[group] - drawn
    factor = suit.factors[drawn, more]
    weigh_further_draws(suit, groups, group, draw, more, ways, weights)
    held = groups.keys[group] + suit.keys[draw]
    middle = 0
    for further in range(suit.draws.starts[more], suit.draws.starts[more + 1]):
        if weights[further] == 0:
            continue
        deals = factor * weights[further]
        dealer = strength_of(held + suit.draws.keys[further], reading)
        if dealer > BELOW_STRAIGHTS:
            add_gains(suit, holds, drawn, draw, dealer, deals, reading, out)
        elif dealer > HIGH_CARDS:
            middle += deals
    if groups.suited[group]:
        add_two_flushes(suit, groups, group, holds, drawn, draw, reading, out)
    return int(middle)


@kernel
def add_two_flushes(
    suit: Suit, groups: SuitedGroups, group: int, holds: Holds, drawn: int, draw: int,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Correct for dealers who draw more cards and a flush, too, which was read as five ranks."""
    more = groups.drawn[group] - drawn
    for number in range(suit.starts[more], suit.starts[more + 1]):
        both = suit.masks[number] | draw
        if both & ~suit.free or suit.masks[number] & draw:
            continue
        deals = suit.factors[drawn, more] * hands_without(groups, group, both)
        flush = flush_of(groups.masks[group] | both, reading)
        plain = strength_of(groups.keys[group] + suit.keys[both], reading)
        add_gains(suit, holds, drawn, draw, flush, deals, reading, out)
        add_gains(suit, holds, drawn, draw, plain, -deals, reading, out)


@kernel
def count_dealers_flushes(
    suit: Suit, groups: SuitedGroups, holds: Holds, cards: int, reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add what the dealer's flushes change, suits of the player's hand left aside.

    `cards` is how many cards two hands leave.
    """
    for group in range(groups.keys.size):
        if not groups.suited[group]:
            continue
        dealers = groups.drawn[group]
        for number in range(suit.starts[dealers], suit.starts[dealers + 1]):
            draw = suit.masks[number]
            hands = 0 if draw & ~suit.free else hands_without(groups, group, draw)
            if hands == 0:
                continue
            flush = flush_of(groups.masks[group] | draw, reading)
            plain = strength_of(groups.keys[group] + suit.keys[draw], reading)
            for drawn in range(dealers + 1):
                add_dealers(suit, holds, drawn, draw, dealers, hands, flush, plain, reading, out)
            every = 1
            for drawn in range(dealers + 1, DRAWS):
                every = every * (cards - drawn + 1) // (drawn - dealers)
                for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
                    deals = hands * every * suit.factors[dealers, drawn - dealers]
                    add_result(out[hold], 0, flush, deals)
                    add_result(out[hold], 0, plain, -deals)
                add_strong_hands(
                    suit, groups, group, holds, drawn, draw, flush, plain, reading, out
                )


@kernel
def add_dealers(
    suit: Suit, holds: Holds, drawn: int, draw: int, dealers: int, hands: int, flush: int,
    plain: int, reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add what one flush of the dealer changes for holds that draw no more cards."""
    deals = hands * suit.factors[drawn, dealers - drawn]
    first = draw
    while True:
        if bits(first) == drawn:
            for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
                own = own_strength(holds, hold, suit.keys[first], reading)
                add_result(out[hold], own, flush, deals)
                add_result(out[hold], own, plain, -deals)
        if first == 0:
            break
        first = (first - 1) & draw


@kernel
def add_strong_hands(
    suit: Suit, groups: SuitedGroups, group: int, holds: Holds, drawn: int, draw: int,
    flush: int, plain: int, reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Correct holds that draw more cards than the dealer and do not simply lose.

    All were counted as if they were weaker than a straight.
    """
    more = drawn - groups.drawn[group]
    factor = suit.factors[groups.drawn[group], more]
    least = flush if plain <= HIGH_CARDS else plain
    for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
        if plain <= HIGH_CARDS and three_ranks(holds.masks[hold] | draw):
            # Neither a full house nor four of a kind is possible.
            continue
        held = holds.keys[hold] + suit.keys[draw]
        for further in range(suit.draws.starts[more], suit.draws.starts[more + 1]):
            if strength_of(held + suit.draws.keys[further], reading) < least:
                continue
            deals = factor * weigh_further_draw(suit, groups, group, draw, further)
            if deals:
                own = strength_of(held + suit.draws.keys[further], reading)
                add_result(out[hold], own, flush, deals)
                add_result(out[hold], own, plain, -deals)
                add_result(out[hold], 0, flush, -deals)
                add_result(out[hold], 0, plain, deals)


@kernel
def weigh_further_draw(
    suit: Suit, groups: SuitedGroups, group: int, drawn: int, further: int
) -> int:
    """Count pairs of a hand without some cards of the suit, and one further draw of any suit."""
    pairs = 0
    change_mask(suit.left, drawn, -1)
    for row in range(groups.starts[group], groups.starts[group + 1]):
        if groups.inside[row] & drawn == 0:
            change_left(suit.left, groups.ranks[row], -1)
            pairs += groups.ways[row] * weigh_draw(suit.draws, further, suit.left)
            change_left(suit.left, groups.ranks[row], 1)
    change_mask(suit.left, drawn, 1)
    return pairs


@kernel
def three_ranks(mask: int) -> bool:
    """Return whether a mask has three ranks or more."""
    mask &= mask - 1
    return mask & (mask - 1) != 0
