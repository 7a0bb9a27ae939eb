"""Two hands that hold the house way and share draw cards: how often neither makes a pair.

`docs/internals/exact-draw.md` derives the sums. Ranks are bits of a mask, the deuce's lowest. A
hand that stays unqualified has five different ranks from the start. What it holds depends on its
ranks and on one property of its suits: whether four of them are the same (D.6b). So each rank set
has six *variants*: 0 is plain, and 1 to 5 stand for four of a suit with the first to fifth rank as
the odd one.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel

RANKS = 13
VARIANTS = 6
DRAWS = 6
"""Counts are by the number of cards drawn: the larger of the two hands' numbers, at most 5."""
FACTORIAL = np.array([1, 1, 2, 6, 24, 120])


class RankSets(NamedTuple):
    """All sets of five different ranks that are not a straight."""

    masks: npt.NDArray[np.int64]
    holds: npt.NDArray[np.int64]
    """By set and variant, the ranks that the house way holds."""
    straights: npt.NDArray[np.int64]
    """The masks of all straights."""
    live: int
    """The ranks of the deck."""
    suits: int
    special: npt.NDArray[np.int64]
    """By `special_pattern`, the ways to choose the suits of two hands with at least four alike."""


BIT_COUNTS = np.array([mask.bit_count() for mask in range(1 << RANKS)])


@kernel
def bits(mask: int) -> int:
    """Count the ranks of a mask."""
    return int(BIT_COUNTS[mask])


@kernel
def nth_rank(mask: int, number: int) -> int:
    """Return the rank with this number, from 1, as a bit."""
    for _ in range(number - 1):
        mask &= mask - 1
    return mask & -mask


@kernel
def split_sum(
    first: npt.NDArray[np.int64], rest: npt.NDArray[np.int64], within: int,
    firsts: int, rests: int, sums: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Sum the weights of all disjoint pairs of rank sets of these sizes within a mask."""
    sums[: firsts + 1, : rests + 1] = 0
    sums[0, 0] = 1
    for rank in range(RANKS):
        if within >> rank & 1:
            for taken in range(firsts, -1, -1):
                for others in range(rests, -1, -1):
                    total = sums[taken, others]
                    if taken:
                        total += sums[taken - 1, others] * first[rank]
                    if others:
                        total += sums[taken, others - 1] * rest[rank]
                    sums[taken, others] = total
    return int(sums[firsts, rests])


@kernel
def product(weights: npt.NDArray[np.int64], mask: int) -> int:
    """Multiply the weights of the ranks of a mask."""
    total = 1
    for rank in range(RANKS):
        if mask >> rank & 1:
            total *= weights[rank]
    return int(total)


@kernel
def ordered_draws(
    first: npt.NDArray[np.int64], rest: npt.NDArray[np.int64], short: int, long: int,
    straights: npt.NDArray[np.int64], sums: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Count draws that make neither of two holds a straight or a pair.

    `short` is the hold that draws fewer cards and is complete after the first ones; `long` takes
    these and the rest. Weights say how many cards of each rank may come first, and later.
    """
    firsts = 5 - bits(short)
    rests = 5 - bits(long) - firsts
    everything = (1 << RANKS) - 1
    total = split_sum(first, rest, everything, firsts, rests, sums)
    if total == 0:
        return 0
    for straight in straights:
        if short & ~straight == 0:
            drawn = straight & ~short
            made = product(first, drawn)
            if made:
                total -= made * split_sum(first, rest, everything & ~drawn, 0, rests, sums)
                for other in straights:
                    if long & ~other == 0 and drawn & ~(other & ~long) == 0:
                        total += made * product(rest, other & ~long & ~drawn)
        if long & ~straight == 0:
            total -= split_sum(first, rest, straight & ~long, firsts, rests, sums)
    return int(total * FACTORIAL[firsts] * FACTORIAL[rests])


@kernel
def special_pattern(ranks: int, other_ranks: int, odd: int, other_odd: int) -> int:
    """Describe two hands with four or five of a suit by the constraints of their common ranks.

    `odd` is the rank of the one card that is not of the suit, 0 if there is none.
    """
    shared = ranks & other_ranks
    pattern = 0
    if odd:
        pattern |= 1
    if other_odd:
        pattern |= 2
    if shared & ~odd & ~other_odd:
        pattern |= 4
    if shared & odd & ~other_odd:
        pattern |= 8
    if shared & other_odd & ~odd:
        pattern |= 16
    if shared & odd & other_odd:
        pattern |= 32
    return pattern


@kernel
def count_suits(sets: RankSets, ranks: int, other_ranks: int, ways: npt.NDArray[np.int64]) -> None:
    """Count the ways to choose the suits of two hands by variant, without hands of one suit."""
    suits = sets.suits
    alone = 1
    for rank in range(RANKS):
        if other_ranks >> rank & 1:
            alone *= suits - 1 if ranks >> rank & 1 else suits
    ways[:] = 0
    for variant in range(1, VARIANTS + 1):
        # The sixth is a hand of one suit, which is only subtracted from the plain ones.
        odd = nth_rank(ranks, variant) if variant < VARIANTS else 0
        mine = suits * (suits - 1) if variant < VARIANTS else suits
        for other_variant in range(1, VARIANTS + 1):
            other_odd = nth_rank(other_ranks, other_variant) if other_variant < VARIANTS else 0
            both = sets.special[special_pattern(ranks, other_ranks, odd, other_odd)]
            if variant < VARIANTS and other_variant < VARIANTS:
                ways[variant, other_variant] = both
            if variant < VARIANTS:
                ways[variant, 0] -= both
            if other_variant < VARIANTS:
                ways[0, other_variant] -= both
            ways[0, 0] += both
        if variant < VARIANTS:
            ways[variant, 0] += mine * alone
            ways[0, variant] += mine * alone
        ways[0, 0] -= 2 * mine * alone
    ways[0, 0] += suits**5 * alone


@kernel
def count_by_ranks(sets: RankSets, start: int, stop: int, out: npt.NDArray[np.int64]) -> None:
    """Count, for some rank sets of one hand, the pairs of hands that stay unpaired by ranks."""
    ways = np.zeros((VARIANTS, VARIANTS), dtype=np.int64)
    sums = np.zeros((6, 6), dtype=np.int64)
    first = np.zeros(RANKS, dtype=np.int64)
    rest = np.zeros(RANKS, dtype=np.int64)
    for row in range(start, stop):
        for other_row in range(sets.masks.size):
            ranks, other_ranks = sets.masks[row], sets.masks[other_row]
            count_suits(sets, ranks, other_ranks, ways)
            for variant in range(VARIANTS):
                for other_variant in range(VARIANTS):
                    long, short = sets.holds[row, variant], sets.holds[other_row, other_variant]
                    drawn, fewer = 5 - bits(long), 5 - bits(short)
                    if fewer > drawn or ways[variant, other_variant] == 0:
                        continue
                    for rank in range(RANKS):
                        left = 0
                        if sets.live >> rank & 1 and not long >> rank & 1:
                            left = sets.suits - (ranks >> rank & 1) - (other_ranks >> rank & 1)
                        rest[rank] = left
                        first[rank] = 0 if short >> rank & 1 else left
                    count = ordered_draws(first, rest, short, long, sets.straights, sums)
                    # A pair of hands that draw different numbers of cards occurs once in each
                    # order.
                    times = 2 if fewer < drawn else 1
                    out[row, drawn] += times * ways[variant, other_variant] * count
