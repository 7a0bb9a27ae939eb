"""Two hands that hold the house way: draws that leave both unpaired but make a flush.

One hand, *the hand*, holds cards of one suit, or nothing, and draws only cards of that suit. The
other hand may hold anything. Suits other than that one are counted by pattern.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import CHOOSE
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.unqualified_pairs import (
    FACTORIAL,
    RANKS,
    VARIANTS,
    RankSets,
    bits,
    nth_rank,
    ordered_draws,
    product,
    split_sum,
)

PATTERNS = 8
"""The most patterns that describe the other suits of one hand."""


@kernel
def power(base: int, exponent: int) -> int:
    """Raise a small number to a small power."""
    total = 1
    for _ in range(exponent):
        total *= base
    return total


@kernel
def joint_ways(alike: int, rest: int, other_alike: int, other_rest: int, suits: int) -> int:
    """Count the ways to choose suits outside the flush suit, for two hands.

    `alike` has the ranks that share one other suit; `rest` has those that are in any other suit,
    or, if there are ranks alike, in any other suit than theirs. Cards of one rank have different
    suits.
    """
    single = suits - 2 if alike else suits - 1
    other_single = suits - 2 if other_alike else suits - 1
    alone = power(single, bits(rest & ~other_alike & ~other_rest))
    alone *= power(other_single, bits(other_rest & ~alike & ~rest))
    rests, crossed = bits(rest & other_rest), bits(alike & other_rest)
    other_crossed = bits(rest & other_alike)
    if not alike or not other_alike:
        # At least one hand has no shared suit, so it does not matter which suit it is.
        met = (single if alike else other_single) * (suits - 2)
        ways = alone * power(met, rests) * power(suits - 2, crossed + other_crossed)
        return ways * (suits - 1) if alike or other_alike else ways
    total = 0
    if alike & other_alike == 0:
        met = power((suits - 2) * (suits - 3), rests)
        total += (suits - 1) * met * power(suits - 2, crossed + other_crossed)
    met = power((suits - 2) * (suits - 2) - (suits - 3), rests)
    total += (suits - 1) * (suits - 2) * met * power(suits - 3, crossed + other_crossed)
    return total * alone


@kernel
def list_patterns(
    mask: int, in_suit: int, variant: int, signs: npt.NDArray[np.int64],
    alike: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """List the patterns whose signed sum counts a variant with these cards in the suit.

    A pattern is the ranks that share another suit. Returns the number of patterns; 0 if there is no
    such hand.
    """
    inside = bits(in_suit)
    signs[0] = 1
    if variant:
        odd = nth_rank(mask, variant)
        # Four of this suit; or four of another, with the odd card in this one or in a third.
        alike[0] = 0 if mask & ~in_suit == odd else mask & ~odd
        return 1 if mask & ~in_suit == odd or in_suit & ~odd == 0 else 0
    if inside > 3:
        return 0
    alike[0] = 0
    if inside > 1:
        return 1
    # Subtract the hands that have four or five of another suit.
    signs[1:] = -1
    alike[1] = mask & ~in_suit
    if inside == 1:
        return 2
    for number in range(1, 6):
        alike[1 + number] = mask & ~nth_rank(mask, number)
    return 7


@kernel
def suited_draws(
    first: int, rest: int, short: int, long: int, straights: npt.NDArray[np.int64]
) -> int:
    """Count draws like `ordered_draws`, with all cards of one suit: weights are 0 or 1.

    The ranks that may come first are among those that may come later.
    """
    firsts = 5 - bits(short)
    rests = 5 - bits(long) - firsts
    if bits(first) < firsts or bits(rest) < firsts + rests:
        return 0
    later = CHOOSE[bits(rest) - firsts, rests]
    total = CHOOSE[bits(first), firsts] * later
    for straight in straights:
        drawn = straight & ~short
        if short & ~straight == 0 and drawn & ~first == 0:
            total -= later
            for other in straights:
                whole = other & ~long
                if long & ~other == 0 and whole & ~rest == 0 and drawn & ~whole == 0:
                    total += 1
        whole = straight & ~long
        if long & ~straight == 0 and whole & ~rest == 0:
            total -= CHOOSE[bits(whole & first), firsts]
    return int(total * FACTORIAL[firsts] * FACTORIAL[rests])


@kernel
def flush_draws(
    sets: RankSets, hold: int, other_hold: int, free: int, left: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64], rest: npt.NDArray[np.int64], sums: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Count draws that give one hand a flush and leave the other without a pair.

    `free` has the ranks of the suit that can be drawn, `left` the cards left of each rank. The
    other hand may draw more cards, which are of any suit.
    """
    if bits(other_hold) >= bits(hold):
        return suited_draws(free & ~other_hold, free, other_hold, hold, sets.straights)
    for rank in range(RANKS):
        unpaired = 1 - (other_hold >> rank & 1)
        first[rank] = unpaired * (free >> rank & 1)
        rest[rank] = unpaired * left[rank]
    return ordered_draws(first, rest, hold, other_hold, sets.straights, sums)


@kernel
def two_flushes(sets: RankSets, hold: int, other_hold: int, free: int) -> int:
    """Count draws that give two hands that hold only cards of one suit a flush of it."""
    if bits(other_hold) >= bits(hold):
        return suited_draws(free, free, other_hold, hold, sets.straights)
    return suited_draws(free, free, hold, other_hold, sets.straights)


@kernel
def price_single_draws(
    sets: RankSets, hold: int, other_hold: int, left: npt.NDArray[np.int64],
    sums: npt.NDArray[np.int64], by_rank: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count `flush_draws` of a hand that draws one card, by the rank of that card."""
    later = 4 - bits(other_hold)
    for rank in range(RANKS):
        card = 1 << rank
        by_rank[rank] = 0
        made = False
        for straight in sets.straights:
            made = made or hold | card == straight
        if made or not sets.live & ~other_hold & card:
            continue
        total = split_sum(left, left, sets.live & ~other_hold & ~card, 0, later, sums)
        for straight in sets.straights:
            if (other_hold | card) & ~straight == 0:
                total -= product(left, straight & ~other_hold & ~card)
        by_rank[rank] = total * FACTORIAL[later]


@kernel
def total_over(by_rank: npt.NDArray[np.int64], mask: int) -> int:
    """Add up the ranks of a mask."""
    total = 0
    for rank in range(RANKS):
        total += by_rank[rank] * (mask >> rank & 1)
    return int(total)


@kernel
def signed_ways(
    outside: int, patterns: int, signs: npt.NDArray[np.int64], alike: npt.NDArray[np.int64],
    other_outside: int, other_patterns: int, other_signs: npt.NDArray[np.int64],
    other_alike: npt.NDArray[np.int64], suits: int,
) -> int:  # fmt: skip
    """Count the ways to choose the suits of two hands, by their patterns."""
    ways = 0
    for pattern in range(patterns):
        for other_pattern in range(other_patterns):
            ways += (
                signs[pattern]
                * other_signs[other_pattern]
                * joint_ways(
                    alike[pattern],
                    outside & ~alike[pattern],
                    other_alike[other_pattern],
                    other_outside & ~other_alike[other_pattern],
                    suits,
                )
            )
    return int(ways)


@kernel
def count_flushes(sets: RankSets, start: int, stop: int, out: npt.NDArray[np.int64]) -> None:
    """Count the pairs to subtract: twice those with one flush, minus those with two."""
    signs, alike = np.zeros((2, PATTERNS), dtype=np.int64)
    for row in range(start, stop):
        mask = sets.masks[row]
        for variant in range(VARIANTS):
            hold = sets.holds[row, variant]
            in_suit = mask
            while True:
                if hold & ~in_suit == 0 and (variant == 0 or in_suit == hold):
                    patterns = list_patterns(mask, in_suit, variant, signs, alike)
                    if patterns:
                        count_others(sets, row, hold, in_suit, patterns, signs, alike, out)
                if in_suit == 0:
                    break
                in_suit = (in_suit - 1) & mask


@kernel
def count_others(
    sets: RankSets, row: int, hold: int, in_suit: int, patterns: int,
    signs: npt.NDArray[np.int64], alike: npt.NDArray[np.int64], out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add all other hands against one hand that draws to a flush."""
    sums = np.zeros((6, 6), dtype=np.int64)
    first, rest, left, by_rank = np.zeros((4, RANKS), dtype=np.int64)
    other_signs, other_alike = np.zeros((2, PATTERNS), dtype=np.int64)
    mask = sets.masks[row]
    drawn = 5 - bits(hold)
    for other_row in range(sets.masks.size):
        other = sets.masks[other_row]
        for rank in range(RANKS):
            here = sets.live >> rank & 1
            left[rank] = here * sets.suits - (mask >> rank & 1) - (other >> rank & 1)
        if drawn == 1:
            # The other hand draws more than one card only if it is plain.
            price_single_draws(sets, hold, sets.holds[other_row, 0], left, sums, by_rank)
        other_in_suit = other & ~in_suit
        while True:
            free = sets.live & ~in_suit & ~other_in_suit
            inside = bits(other_in_suit)
            variants = 1 if 2 <= inside <= 3 else VARIANTS
            for variant in range(variants if bits(free) >= drawn else 0):
                listed = list_patterns(other, other_in_suit, variant, other_signs, other_alike)
                if listed == 0:
                    continue
                other_hold = sets.holds[other_row, variant]
                if drawn == 1 and variant == 0:
                    count = total_over(by_rank, free & ~other_hold)
                else:
                    count = flush_draws(sets, hold, other_hold, free, left, first, rest, sums)
                both = 0
                if other_hold & ~other_in_suit == 0:
                    both = two_flushes(sets, hold, other_hold, free)
                more = max(drawn, 5 - bits(other_hold))
                if count or both:
                    ways = signed_ways(
                        mask & ~in_suit, patterns, signs, alike,
                        other & ~other_in_suit, listed, other_signs, other_alike, sets.suits,
                    )  # fmt: skip
                    out[row, more] += sets.suits * ways * (2 * count - both)
            if other_in_suit == 0:
                break
            other_in_suit = (other_in_suit - 1) & other & ~in_suit
