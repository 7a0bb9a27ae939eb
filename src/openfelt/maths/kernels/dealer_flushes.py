"""Ultimate Draw: the effect of dealer flushes, ignoring the suits of the player's hand.

A flush replaces five ranks without a pair, or a straight. Against it, a hold that draws more cards
than the dealer simply loses, unless it makes a full house or four of a kind, or a straight where
the dealer's flush is a straight flush. `docs/internals/exact-draw.md` has the derivation. Results
have the columns of `result_columns`.
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
    DRAWS,
    FULL_HOUSES,
    HIGH_CARDS,
    LOSE,
    RANKS,
    UNQUALIFIED,
    WIN,
    Holds,
    RankDraws,
    change_left,
    own_strength,
    strength_of,
    weigh_draw,
)
from openfelt.maths.kernels.result_columns import first_column, spread_result
from openfelt.maths.kernels.unqualified_pairs import bits

FOUR_STATES = 6
"""The states of a hand with four cards of the suit, with regard to the rank that it draws and one
other rank. From 3 on, the other rank is among the four. The fifth card has neither rank, the drawn
one, or the other.
"""


class DealersFlush(NamedTuple):
    """A flush that the dealer draws."""

    draw: int
    """The ranks drawn."""
    strength: int
    plain: int
    """The strength of its ranks alone."""


class StrongDraws(NamedTuple):
    """Holds that make a full house or four of a kind, by the first card that they draw."""

    starts: npt.NDArray[np.int64]
    """Where the draws begin, by the number of cards drawn and the rank of the first."""
    holds: npt.NDArray[np.int64]
    furthers: npt.NDArray[np.int64]
    """The draws after the first card."""


@kernel
def strong_draws(suit: OneSuit, holds: Holds, reading: np.record) -> StrongDraws:
    """List the draws that give a hold a full house or four of a kind."""
    starts = np.zeros(DRAWS * RANKS + 1, dtype=np.int64)
    listed = np.zeros((2, holds.keys.size * suit.draws.keys.size), dtype=np.int64)
    draws = 0
    for drawn in range(DRAWS):
        for rank in range(RANKS):
            starts[drawn * RANKS + rank] = draws
            more = max(drawn - 1, 0)
            for hold in range(holds.starts[drawn], holds.starts[drawn + 1] if more else 0):
                if three_ranks(holds.masks[hold] | 1 << rank):
                    continue
                held = holds.keys[hold] + suit.keys[1 << rank]
                for further in range(suit.draws.starts[more], suit.draws.starts[more + 1]):
                    if strength_of(held + suit.draws.keys[further], reading) >= FULL_HOUSES:
                        listed[0, draws] = hold
                        listed[1, draws] = further
                        draws += 1
    starts[DRAWS * RANKS] = draws
    return StrongDraws(starts, listed[0, :draws].copy(), listed[1, :draws].copy())


@kernel
def count_dealers_flushes(
    suit: OneSuit, groups: SuitedGroups, holds: Holds, cards: int, reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the effect of the dealer's flushes, ignoring the suits of the player's hand.

    `cards` is how many cards two hands leave.
    """
    flushes = count_gains_on_flushes(suit, groups, holds, reading, out)
    for dealers in range(1, DRAWS):
        deals = flushes[dealers]
        for place in range(DRAWS - 1):
            # The orders of the dealer's draws, and then of the others.
            deals *= dealers - place if place < dealers else cards - place
        for hold in range(holds.keys.size):
            out[hold, LOSE] += deals
            out[hold, UNQUALIFIED] -= deals


@kernel
def count_gains_on_flushes(
    suit: OneSuit, groups: SuitedGroups, holds: Holds, reading: np.record,
    out: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:  # fmt: skip
    """Add the effect of the dealer's flushes, apart from a loss that all holds have in common.

    That loss replaces unqualified dealers. Returns its parts: the hands and draws with a flush that
    is not a straight, by number of cards that the dealer draws.
    """
    odd_ways = np.zeros(RANKS, dtype=np.int64)
    fours = np.zeros((RANKS, RANKS, FOUR_STATES), dtype=np.int64)
    flushes = np.zeros(DRAWS, dtype=np.int64)
    for group in range(groups.keys.size):
        dealers = groups.drawn[group]
        if not groups.suited[group]:
            continue
        if dealers == 1:
            count_odd_cards(groups, group, odd_ways)
        for number in range(suit.starts[dealers], suit.starts[dealers + 1]):
            draw = suit.masks[number]
            hands = 0 if draw & ~suit.free else hands_without(groups, group, draw)
            if hands == 0:
                continue
            flush = DealersFlush(
                draw,
                flush_of(groups.masks[group] | draw, reading),
                strength_of(groups.keys[group] + suit.keys[draw], reading),
            )
            add_dealers(suit, holds, flush, hands, reading, out)
            if flush.plain > HIGH_CARDS:
                add_straight_flush(suit, groups, group, holds, flush, reading, out)
                continue
            flushes[dealers] += hands
            if dealers == 1:
                add_four(groups.masks[group], odd_ways, bits(draw - 1), fours)
            elif dealers == 2:
                add_two_ranks(suit, groups, group, holds, draw, reading, out)
    add_listed_hands(suit, holds, fours, strong_draws(suit, holds, reading), reading, out)
    return flushes


@kernel
def add_two_ranks(
    suit: OneSuit, groups: SuitedGroups, group: int, holds: Holds, draw: int, reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Let full houses and four of a kind win against a flush for which the dealer drew two cards.

    They have the two drawn ranks, so hands that have the same of these two are equivalent.
    """
    low, high = bits((draw & -draw) - 1), bits((draw & (draw - 1)) - 1)
    hands = np.zeros(0, dtype=np.int64)
    for drawn in range(3, DRAWS):
        more = drawn - 2
        for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
            if three_ranks(holds.masks[hold] | draw):
                continue
            if hands.size == 0:
                hands = hands_by_ranks(groups, group, draw, low, high)
            held = holds.keys[hold] + suit.keys[draw]
            for further in range(suit.draws.starts[more], suit.draws.starts[more + 1]):
                own = strength_of(held + suit.draws.keys[further], reading)
                if own < FULL_HOUSES:
                    continue
                deals = 0
                for state in range(4):
                    suit.left[low] -= 1 + (state & 1)
                    suit.left[high] -= 1 + (state >> 1)
                    deals += hands[state] * weigh_draw(suit.draws, further, suit.left)
                    suit.left[low] += 1 + (state & 1)
                    suit.left[high] += 1 + (state >> 1)
                win_against_flush(out[hold], own, deals * suit.factors[2, more])


@kernel
def hands_by_ranks(
    groups: SuitedGroups, group: int, drawn: int, low: int, high: int
) -> npt.NDArray[np.int64]:
    """Count the hands of a group without the cards drawn, by which of two ranks they have.

    A hand of five different ranks has neither (0), the low one (1), the high one (2), or both (3).
    """
    hands = np.zeros(4, dtype=np.int64)
    for row in range(groups.starts[group], groups.starts[group + 1]):
        if groups.inside[row] & drawn == 0:
            state = 0
            for rank in groups.ranks[row]:
                state |= (rank == low) | (rank == high) << 1
            hands[state] += groups.ways[row]
    return hands


@kernel
def count_odd_cards(groups: SuitedGroups, group: int, out: npt.NDArray[np.int64]) -> None:
    """Count the hands of a group with four cards of the suit by the rank of the fifth."""
    out[:] = 0
    for row in range(groups.starts[group], groups.starts[group + 1]):
        for rank in groups.ranks[row]:
            if not groups.masks[group] >> rank & 1:
                out[rank] += groups.ways[row]


@kernel
def add_four(
    held: int, odd_ways: npt.NDArray[np.int64], drawn: int, fours: npt.NDArray[np.int64]
) -> None:
    """Count hands that hold four cards of the suit and draw a rank, by state and other rank."""
    every = odd_ways.sum()
    for rank in range(RANKS):
        if rank != drawn:
            first = 3 * (held >> rank & 1)
            fours[drawn, rank, first] += every - odd_ways[drawn] - odd_ways[rank]
            fours[drawn, rank, first + 1] += odd_ways[drawn]
            fours[drawn, rank, first + 2] += odd_ways[rank]


@kernel
def other_rank(draws: RankDraws, draw: int, rank: int) -> int:
    """Return another rank of a draw, or of the deck if it has none."""
    while draw:
        if draws.lasts[draw] != rank:
            return int(draws.lasts[draw])
        draw = draws.parents[draw]
    return 1 if rank == 0 else 0


@kernel
def win_against_flush(out: npt.NDArray[np.int64], strength: int, deals: int) -> None:
    """Count deals in which a strong hand wins instead of meeting an unqualified dealer.

    They are part of the loss that is the same for all holds, which counts them as hands below a
    flush.
    """
    first = first_column(out, strength)
    out[first + WIN] += deals
    out[first + UNQUALIFIED] -= deals
    out[LOSE] -= deals
    out[UNQUALIFIED] += deals


@kernel
def add_listed_hands(
    suit: OneSuit, holds: Holds, fours: npt.NDArray[np.int64], strong: StrongDraws,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Let full houses and four of a kind win against a flush from four cards.

    They have two ranks, the one that the dealer draws and another, so `fours` has everything that
    the draws depend on.
    """
    for drawn in range(2, DRAWS):
        for rank in range(RANKS):
            place = drawn * RANKS + rank
            for row in range(strong.starts[place], strong.starts[place + 1]):
                hold, further = strong.holds[row], strong.furthers[row]
                other = other_rank(suit.draws, further, rank)
                deals = 0
                for state in range(FOUR_STATES):
                    if fours[rank, other, state]:
                        of_rank = 1 + (state % 3 == 1)
                        of_other = state // 3 + (state % 3 == 2)
                        suit.left[rank] -= of_rank
                        suit.left[other] -= of_other
                        ways = weigh_draw(suit.draws, further, suit.left)
                        suit.left[rank] += of_rank
                        suit.left[other] += of_other
                        deals += fours[rank, other, state] * ways
                drawn_keys = suit.keys[1 << rank] + suit.draws.keys[further]
                own = strength_of(holds.keys[hold] + drawn_keys, reading)
                win_against_flush(out[hold], own, deals * suit.factors[1, drawn - 1])


@kernel
def add_dealers(
    suit: OneSuit, holds: Holds, flush: DealersFlush, hands: int, reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the effect of one flush of the dealer on holds that draw no more cards."""
    dealers = bits(flush.draw)
    # Three different ranks make neither a full house nor four of a kind.
    most = dealers if flush.plain > HIGH_CARDS else min(dealers, 2)
    for drawn in range(most + 1):
        if holds.starts[drawn] == holds.starts[drawn + 1]:
            continue
        deals = hands * suit.factors[drawn, dealers - drawn]
        first = flush.draw
        while True:
            if bits(first) == drawn:
                for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
                    own = own_strength(holds, hold, suit.keys[first], reading)
                    spread_result(out[hold], own, flush.strength, deals)
                    spread_result(out[hold], own, flush.plain, -deals)
                    spread_result(out[hold], 0, flush.strength, -deals)
                    spread_result(out[hold], 0, flush.plain, deals)
            if first == 0:
                break
            first = (first - 1) & flush.draw


@kernel
def add_straight_flush(
    suit: OneSuit, groups: SuitedGroups, group: int, holds: Holds, flush: DealersFlush,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Correct holds that draw more cards than the dealer and would not lose to a straight."""
    dealers = groups.drawn[group]
    for drawn in range(dealers + 1, DRAWS):
        more = drawn - dealers
        for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
            held = holds.keys[hold] + suit.keys[flush.draw]
            for further in range(suit.draws.starts[more], suit.draws.starts[more + 1]):
                own = strength_of(held + suit.draws.keys[further], reading)
                if own < flush.plain:
                    continue
                deals = weigh_further_draw(suit, groups, group, flush.draw, further)
                if deals:
                    deals *= suit.factors[dealers, more]
                    spread_result(out[hold], own, flush.strength, deals)
                    spread_result(out[hold], own, flush.plain, -deals)


@kernel
def weigh_further_draw(
    suit: OneSuit, groups: SuitedGroups, group: int, drawn: int, further: int
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
    """Return whether a mask has at least three ranks."""
    mask &= mask - 1
    return mask & (mask - 1) != 0
