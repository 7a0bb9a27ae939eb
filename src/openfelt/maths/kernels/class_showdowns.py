"""Showdowns on one class of boards after another, with the order of ranks of the class before.

The order of the pairs of ranks depends on the ranks of the board alone. Classes with the same ranks
follow each other, so it is found once for all of them; on a board with a flush suit, only the
types that make a flush are sorted and merged into it. `showdowns.fill_showdowns` finds the same
for any one board.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import PLAIN_TYPES, SUITED_TYPES, BoardClasses, long_suit
from openfelt.maths.kernels.compiler import kernel, kernel_part
from openfelt.maths.kernels.seven_card_evaluator import RANK_BITS, rank_strength
from openfelt.maths.kernels.showdowns import (
    RANKS,
    TYPE_SYMBOLS,
    count_results,
    count_symbols,
    hands_of,
    list_alive_types,
    sort_types,
)

FLUSH_CARDS = 5


@kernel
def order_ranks(board: npt.NDArray[np.int64], reading: np.record, showdowns: np.record) -> None:
    """Sort the pairs of ranks by strength without a flush, unless the board before has the same.

    Pairs that would give a rank five cards are left out.
    """
    key = np.uint64(0)
    for card in board:
        key += reading.keys[card] & RANK_BITS
    if showdowns.rank_count and showdowns.rank_key == key:
        return
    showdowns.rank_key = key
    left = np.full(RANKS, 4, dtype=np.int64)
    for card in board:
        left[card >> 2] -= 1
    count = 0
    for number in range(PLAIN_TYPES):
        low = TYPE_SYMBOLS[number, 0]
        high = TYPE_SYMBOLS[number, 1]
        if left[low] > (low == high) and left[high]:
            whole = key + (reading.keys[4 * low] & RANK_BITS) + (reading.keys[4 * high] & RANK_BITS)
            showdowns.strengths[number] = rank_strength(whole, reading.offsets7, reading.strengths7)
            showdowns.numbers[count] = number
            count += 1
    showdowns.count = count
    sort_types(showdowns)
    showdowns.rank_count = count
    for place in range(count):
        number = showdowns.numbers[place]
        showdowns.rank_order[place] = number
        showdowns.rank_strengths[place] = showdowns.strengths[number]


@kernel_part
def pair_number(low: int, high: int) -> int:
    """Return the number of a type by its lower and its higher symbol."""
    return high * (high + 1) // 2 + low


@kernel_part
def list_type(number: int, held: int, strength: int, showdowns: np.record) -> None:
    """Append a type to the list, if it has any hands."""
    if held:
        showdowns.held[number] = held
        showdowns.strengths[number] = strength
        showdowns.numbers[showdowns.count] = number
        showdowns.count += 1


@kernel
def list_flushes(mask: int, suited: int, reading: np.record, showdowns: np.record) -> None:
    """List the types that make a flush with the board's cards of the suit, weakest first."""
    left = showdowns.left
    showdowns.count = 0
    for high in range(RANKS, 2 * RANKS):
        if left[high]:
            with_high = mask | 1 << (high - RANKS)
            for low in range(RANKS, high):
                strength = reading.flushes[with_high | 1 << (low - RANKS)]
                list_type(pair_number(low, high), left[low], strength, showdowns)
            if suited >= FLUSH_CARDS - 1:
                for low in range(RANKS):
                    strength = reading.flushes[with_high]
                    list_type(pair_number(low, high), left[low], strength, showdowns)
    if suited == FLUSH_CARDS:
        for number in range(PLAIN_TYPES):
            low = TYPE_SYMBOLS[number, 0]
            high = TYPE_SYMBOLS[number, 1]
            list_type(number, hands_of(low, high, left), reading.flushes[mask], showdowns)
    sort_types(showdowns)


@kernel
def list_by_ranks(suited: int, showdowns: np.record) -> None:
    """List the types without a flush, weakest first; the board has so many suited cards."""
    left = showdowns.left
    showdowns.count = 0
    for place in range(showdowns.rank_count):
        number = showdowns.rank_order[place]
        strength = showdowns.rank_strengths[place]
        low = TYPE_SYMBOLS[number, 0]
        high = TYPE_SYMBOLS[number, 1]
        list_type(number, hands_of(low, high, left), strength, showdowns)
        if suited == FLUSH_CARDS - 2:
            mixed = pair_number(low, high + RANKS)
            list_type(mixed, left[low] * left[high + RANKS], strength, showdowns)
            if low != high:
                mixed = pair_number(high, low + RANKS)
                list_type(mixed, left[high] * left[low + RANKS], strength, showdowns)


@kernel
def merge_flushes(flushes: int, showdowns: np.record) -> None:
    """Merge so many flushes, which are in `sort_space`, into the listed types."""
    numbers, strengths = showdowns.numbers, showdowns.strengths
    # From the strongest down, so that no type is overwritten before it has moved.
    others = showdowns.count
    showdowns.count += flushes
    place = others + flushes
    while flushes:
        place -= 1
        flush = showdowns.sort_space[flushes - 1]
        if others and strengths[numbers[others - 1]] > strengths[flush]:
            numbers[place] = numbers[others - 1]
            others -= 1
        else:
            numbers[place] = flush
            flushes -= 1


@kernel
def list_types(
    board: npt.NDArray[np.int64], suit: int, reading: np.record, showdowns: np.record
) -> None:
    """List the types that can be held on a board, weakest first, with strengths and hands."""
    order_ranks(board, reading, showdowns)
    mask = 0
    suited = 0
    for card in board:
        if card & 3 == suit:
            mask |= 1 << (card >> 2)
            suited += 1
    flushes = 0
    if suit >= 0:
        list_flushes(mask, suited, reading, showdowns)
        flushes = showdowns.count
    if suited == FLUSH_CARDS:
        return
    list_by_ranks(suited, showdowns)
    merge_flushes(flushes, showdowns)


@kernel
def count_class_hands(boards: BoardClasses, row: int, showdowns: np.record) -> None:
    """Count the hands of each listed type over all boards of a class."""
    for place in range(showdowns.count):
        number = showdowns.numbers[place]
        hands = boards.counts[row] * showdowns.held[number]
        showdowns.hands[number] = hands
        if number < PLAIN_TYPES:
            showdowns.suited[number] = boards.suited[row, number]
        else:
            # Two cards of the flush suit, or one of it and one of another.
            showdowns.suited[number] = hands if TYPE_SYMBOLS[number, 0] >= RANKS else 0


@kernel
def list_class_types(boards: BoardClasses, row: int, showdowns: np.record) -> None:
    """List the types that can be held on the boards of a class, in any order, with their hands."""
    board = boards.cards[row].astype(np.int64)
    suit = long_suit(board)
    count_symbols(board, boards.deck, suit, showdowns)
    list_alive_types(PLAIN_TYPES if suit < 0 else SUITED_TYPES, showdowns)
    count_class_hands(boards, row, showdowns)


@kernel
def fill_class(
    boards: BoardClasses, row: int, qualifying: int, reading: np.record, showdowns: np.record
) -> None:
    """Fill in everything about a class of boards."""
    board = boards.cards[row].astype(np.int64)
    suit = long_suit(board)
    count_symbols(board, boards.deck, suit, showdowns)
    list_types(board, suit, reading, showdowns)
    count_results(boards.deck.size, qualifying, showdowns)
    count_class_hands(boards, row, showdowns)
