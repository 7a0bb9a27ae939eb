"""The look-up tables of the fast evaluator, built in a few milliseconds.

The strength of seven cards without a flush depends on their ranks alone. Thirteen rank keys are
chosen so that the sums of all 49,205 multisets of seven ranks (at most four of each) differ. The
sums are sparse, up to 7,825,759; cut into rows of 512 and shifted over each other until no two
values collide (row displacement), they fit into little more than 49,205 entries.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel

RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""Deuce to ace. Kenneth Shackleton's SpecialK keys; a test proves the sums differ."""
ROW_BITS = 9
ROW_WIDTH = 1 << ROW_BITS
ROWS = (4 * RANK_KEYS[12] + 3 * RANK_KEYS[11] >> ROW_BITS) + 1
MULTISETS_OF_7 = 49_205

_KEYS = np.array(RANK_KEYS, dtype=np.int64)


@kernel
def straight_top(mask: int) -> int:
    """Return the highest rank index of the best straight in a rank mask, or -1."""
    for top in range(12, 3, -1):
        if (mask >> (top - 4)) & 31 == 31:
            return top
    if mask & 0b1_0000_0000_1111 == 0b1_0000_0000_1111:
        return 3
    return -1


@kernel
def straight_strength(category: int, top: int) -> int:
    """Pack a straight as the plain evaluator does: its category, then five ranks."""
    packed = category
    for step in range(5):
        index = top - step
        packed = (packed << 4) | (index + 2 if index >= 0 else 14)
    return packed


@kernel
def flush_strength(mask: int) -> int:
    """Return the plain evaluator's strength of five or more cards of one suit."""
    top = straight_top(mask)
    if top == 12:
        return straight_strength(9, top)
    if top >= 0:
        return straight_strength(8, top)
    packed = 5
    taken = 0
    for index in range(12, -1, -1):
        if taken < 5 and (mask >> index) & 1:
            packed = (packed << 4) | (index + 2)
            taken += 1
    return packed


@kernel
def best_rank(counts: npt.NDArray[np.int64], at_least: int, but_not: int) -> int:
    """Return the highest rank index held `at_least` times, other than `but_not`, or -1."""
    for index in range(12, -1, -1):
        if counts[index] >= at_least and index != but_not:
            return index
    return -1


@kernel
def pack_groups(
    counts: npt.NDArray[np.int64], category: int, first: int, first_size: int,
    second: int, second_size: int,
) -> int:  # fmt: skip
    """Pack up to two groups of equal ranks, then the highest other cards up to five."""
    packed = category
    taken = 0
    for _ in range(first_size):
        packed = (packed << 4) | (first + 2)
        taken += 1
    for _ in range(second_size):
        packed = (packed << 4) | (second + 2)
        taken += 1
    for index in range(12, -1, -1):
        if taken < 5 and counts[index] and index not in (first, second):
            packed = (packed << 4) | (index + 2)
            taken += 1
    return packed


@kernel
def unsuited_strength(counts: npt.NDArray[np.int64]) -> int:
    """Return the plain evaluator's strength of five to seven cards without a flush."""
    mask = 0
    for index in range(13):
        if counts[index]:
            mask |= 1 << index
    quads = best_rank(counts, 4, -1)
    trips = best_rank(counts, 3, -1)
    pair = best_rank(counts, 2, trips)
    straight = straight_top(mask)
    if quads >= 0:
        return pack_groups(counts, 7, quads, 4, -1, 0)
    if trips >= 0 and pair >= 0:
        return pack_groups(counts, 6, trips, 3, pair, 2)
    if straight >= 0:
        return straight_strength(4, straight)
    if trips >= 0:
        return pack_groups(counts, 3, trips, 3, -1, 0)
    if pair >= 0:
        second = best_rank(counts, 2, pair)
        if second >= 0:
            return pack_groups(counts, 2, pair, 2, second, 2)
        return pack_groups(counts, 1, pair, 2, -1, 0)
    return pack_groups(counts, 0, -1, 0, -1, 0)


@kernel
def list_multisets(
    cards: int, keys: npt.NDArray[np.int64], strengths: npt.NDArray[np.int64]
) -> int:
    """List every multiset of `cards` ranks: the sum of its keys, its plain strength.

    Returns how many there are.
    """
    rank_keys = _KEYS
    ranks = np.zeros(cards, dtype=np.int64)
    count = 0
    place = 0
    while place >= 0:
        counts = np.zeros(13, dtype=np.int64)
        key = 0
        for rank in ranks:
            counts[rank] += 1
            key += rank_keys[rank]
        if counts.max() <= 4:
            keys[count] = key
            strengths[count] = unsuited_strength(counts)
            count += 1
        # The next ascending sequence: increase the last rank that can be increased, and set the
        # rest to it.
        place = cards - 1
        while place >= 0 and ranks[place] == 12:
            place -= 1
        if place >= 0:
            ranks[place:] = ranks[place] + 1
    return count


@kernel
def place_rows(
    keys: npt.NDArray[np.int64], values: npt.NDArray[np.uint16],
    row_order: npt.NDArray[np.int64], row_starts: npt.NDArray[np.int64],
    offsets: npt.NDArray[np.uint32], table: npt.NDArray[np.uint16],
) -> int:  # fmt: skip
    """Shift each row of sorted keys, fullest first, to the first position where it fits.

    Returns the number of table entries in use. A zero in the table is a free entry.
    """
    used = 0
    start = 0
    keys_before = 0
    for row in row_order:
        begin, end = row_starts[row], row_starts[row + 1]
        if begin == end:
            break
        # Rows with the same number of keys are placed to the right of each other: starting again at
        # the left for each of them packs 4% tighter, but takes seventeen times as long.
        if end - begin != keys_before:
            keys_before = end - begin
            start = 0
        at = begin
        while at < end:
            if table[start + (keys[at] & (ROW_WIDTH - 1))]:
                start += 1
                at = begin
            else:
                at += 1
        offsets[row] = start
        for at in range(begin, end):
            table[start + (keys[at] & (ROW_WIDTH - 1))] = values[at]
        used = max(used, start + ROW_WIDTH)
    return used
