"""Wins, ties and losses of every two-card hand on one board, against every other hand.

On a board where suit s can still make a flush, two cards of one rank, neither of suit
s, are worth the same; on a board where none can, all cards of a rank are. So hands are
counted by type: pairs of symbols, 13 (ranks) or 26 (ranks out of and in suit s). All
cards of a symbol meet the same number of weaker hands, so running counts with card
removal work on symbols: a hand beats every weaker hand but those that hold one of its
two cards, and no weaker hand holds both.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import PLAIN_TYPES, SUITED_TYPES
from openfelt.maths.kernels.compiler import kernel, kernel_part
from openfelt.maths.kernels.seven_card_evaluator import RANK_BITS, rank_strength


def _type_symbols() -> npt.NDArray[np.int64]:
    return np.array([(low, high) for high in range(26) for low in range(high + 1)])


TYPE_SYMBOLS = _type_symbols()
"""The two symbols of each type; type (low, high) has the number high (high + 1) / 2 + low."""


@kernel
def count_symbols(
    board: npt.NDArray[np.int64], deck: npt.NDArray[np.int64], suit: int,
    alive: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Give the suits, as bits, of the cards of each symbol that are not on the board."""
    alive[:] = 0
    for card in deck:
        symbol = (card >> 2) + (13 if card & 3 == suit else 0)
        alive[symbol] |= 1 << (card & 3)
    for card in board:
        symbol = (card >> 2) + (13 if card & 3 == suit else 0)
        alive[symbol] &= ~(1 << (card & 3))


@kernel_part
def bits(mask: int) -> int:
    """Count the bits of a mask of four suits."""
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1)


@kernel
def type_strengths(
    board: npt.NDArray[np.int64], suit: int, alive: npt.NDArray[np.int64],
    keys: npt.NDArray[np.uint64], offsets: npt.NDArray[np.uint32],
    strengths: npt.NDArray[np.uint16], flushes: npt.NDArray[np.uint16],
    out: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Give the strength on the board of every type that can be held; say how many types."""
    board_key = np.uint64(0)
    board_mask = 0
    board_suited = 0
    for card in board:
        board_key += keys[card] & RANK_BITS
        if card & 3 == suit:
            board_mask |= 1 << (card >> 2)
            board_suited += 1
    for number in range(PLAIN_TYPES):
        low = TYPE_SYMBOLS[number, 0]
        high = TYPE_SYMBOLS[number, 1]
        # A type that nobody can hold, such as a fifth king, has no place in the table.
        low_alive = bits(alive[low] | alive[low + 13])
        high_alive = bits(alive[high] | alive[high + 13])
        if low_alive >= (2 if low == high else 1) and high_alive:
            key = board_key + (keys[4 * low] & RANK_BITS) + (keys[4 * high] & RANK_BITS)
            out[number] = rank_strength(key, offsets, strengths)
    if suit < 0:
        return PLAIN_TYPES
    for number in range(SUITED_TYPES):
        low = TYPE_SYMBOLS[number, 0]
        high = TYPE_SYMBOLS[number, 1]
        if number >= PLAIN_TYPES:
            first = min(low % 13, high - 13)
            second = max(low % 13, high - 13)
            out[number] = out[second * (second + 1) // 2 + first]
        if board_suited + (low >= 13) + (high >= 13) >= 5:
            mask = board_mask
            if low >= 13:
                mask |= 1 << (low - 13)
            if high >= 13:
                mask |= 1 << (high - 13)
            out[number] = flushes[mask]
    return SUITED_TYPES


@kernel
def sort_types(
    count: int, numbers: npt.NDArray[np.int64], type_strength: npt.NDArray[np.int64],
    spare: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Sort the first `count` type numbers by strength, weakest first."""
    # Two rounds of counting sort by seven bits: strengths stay below 8,192.
    for shift in (0, 7):
        starts = np.zeros(129, dtype=np.int64)
        for place in range(count):
            starts[(type_strength[numbers[place]] >> shift & 127) + 1] += 1
        for bucket in range(128):
            starts[bucket + 1] += starts[bucket]
        for place in range(count):
            bucket = type_strength[numbers[place]] >> shift & 127
            spare[starts[bucket]] = numbers[place]
            starts[bucket] += 1
        numbers[:count] = spare[:count]


@kernel
def list_alive_types(
    types: int, alive: npt.NDArray[np.int64], held: npt.NDArray[np.int64],
    held_suited: npt.NDArray[np.int64], numbers: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Count the hands of every type, and those of one suit; list the types that have any."""
    count = 0
    for number in range(types):
        low = alive[TYPE_SYMBOLS[number, 0]]
        high = alive[TYPE_SYMBOLS[number, 1]]
        held[number] = bits(low) * bits(high)
        held_suited[number] = bits(low & high)
        if TYPE_SYMBOLS[number, 0] == TYPE_SYMBOLS[number, 1]:
            held[number] = bits(low) * (bits(low) - 1) // 2
            held_suited[number] = 0
        if held[number]:
            numbers[count] = number
            count += 1
    return count


@kernel
def count_showdowns(
    count: int, numbers: npt.NDArray[np.int64], type_strength: npt.NDArray[np.int64],
    alive: npt.NDArray[np.int64], held: npt.NDArray[np.int64], qualifying: int,
    wins: npt.NDArray[np.int64], not_lost: npt.NDArray[np.int64],
    unqualified: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count, for a hand of each type, the dealer hands it meets.

    `numbers` lists the types weakest first. Fills how many dealer hands are weaker, how
    many are weaker or equal, and how many are weaker than `qualifying`.
    """
    total = 0
    with_card = np.zeros(26, dtype=np.int64)
    total_unqualified = -1
    with_card_unqualified = np.zeros(26, dtype=np.int64)
    begin = 0
    while begin < count:
        strength = type_strength[numbers[begin]]
        if total_unqualified < 0 and strength >= qualifying:
            total_unqualified = total
            with_card_unqualified[:] = with_card
        end = begin
        while end < count and type_strength[numbers[end]] == strength:
            number = numbers[end]
            low = TYPE_SYMBOLS[number, 0]
            high = TYPE_SYMBOLS[number, 1]
            wins[number] = total - with_card[low] - with_card[high]
            end += 1
        for place in range(begin, end):
            number = numbers[place]
            low = TYPE_SYMBOLS[number, 0]
            high = TYPE_SYMBOLS[number, 1]
            total += held[number]
            if low == high:
                with_card[low] += bits(alive[low]) - 1
            else:
                with_card[low] += bits(alive[high])
                with_card[high] += bits(alive[low])
        for place in range(begin, end):
            number = numbers[place]
            low = TYPE_SYMBOLS[number, 0]
            high = TYPE_SYMBOLS[number, 1]
            # The hand itself holds both of its cards: it is taken off twice, give one back.
            not_lost[number] = total - with_card[low] - with_card[high] + 1
        begin = end
    if total_unqualified < 0:
        total_unqualified = total
        with_card_unqualified[:] = with_card
    for place in range(count):
        number = numbers[place]
        low = TYPE_SYMBOLS[number, 0]
        high = TYPE_SYMBOLS[number, 1]
        itself = 1 if type_strength[number] < qualifying else 0
        unqualified[number] = (
            total_unqualified - with_card_unqualified[low] - with_card_unqualified[high] + itself
        )


def _type_cells() -> npt.NDArray[np.int64]:
    low = np.minimum(TYPE_SYMBOLS[:, 0] % 13, TYPE_SYMBOLS[:, 1] % 13)
    high = np.maximum(TYPE_SYMBOLS[:, 0] % 13, TYPE_SYMBOLS[:, 1] % 13)
    return np.stack((13 * high + low, 13 * low + high), axis=1)


TYPE_CELLS = _type_cells()
"""Where the suited and the unsuited hands of a type stand in the grid of starting hands.

Thirteen by thirteen cells: suited hands at 13 * higher + lower rank, unsuited hands at
13 * lower + higher rank, pairs on the diagonal (ranks from 0, the deuce)."""
