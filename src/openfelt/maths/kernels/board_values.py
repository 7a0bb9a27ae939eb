"""What every hand is worth on every board, and by starting hand over all boards."""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import SUITED_TYPES, long_suit
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.showdowns import (
    TYPE_CELLS,
    count_showdowns,
    count_symbols,
    list_alive_types,
    sort_types,
    type_strengths,
)

RESULTS = 5
"""Won or lost against a dealer who qualifies or does not, and tied, in this order:
won qualified, won unqualified, tied, lost qualified, lost unqualified."""


@kernel
def showdown_results(
    board: npt.NDArray[np.int64], deck: npt.NDArray[np.int64], qualifying: int,
    keys: npt.NDArray[np.uint64], offsets: npt.NDArray[np.uint32],
    strengths: npt.NDArray[np.uint16], flushes: npt.NDArray[np.uint16],
    held: npt.NDArray[np.int64], held_suited: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64], type_strength: npt.NDArray[np.int64],
    results: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Fill `results[type]` with the five counts of dealer hands for every type on the board.

    Also fills the number of hands and of suited hands by type, and the types that can be
    held; gives how many those are.
    """
    alive = np.empty(26, dtype=np.int64)
    suit = long_suit(board)
    count_symbols(board, deck, suit, alive)
    types = type_strengths(board, suit, alive, keys, offsets, strengths, flushes, type_strength)
    count = list_alive_types(types, alive, held, held_suited, numbers)
    spare = np.empty(SUITED_TYPES, dtype=np.int64)
    sort_types(count, numbers, type_strength, spare)
    wins = np.empty(SUITED_TYPES, dtype=np.int64)
    not_lost = np.empty(SUITED_TYPES, dtype=np.int64)
    unqualified = np.empty(SUITED_TYPES, dtype=np.int64)
    count_showdowns(
        count, numbers, type_strength, alive, held, qualifying, wins, not_lost, unqualified
    )
    dealer_hands = (deck.size - 7) * (deck.size - 8) // 2
    for place in range(count):
        number = numbers[place]
        results[number, 0] = max(0, wins[number] - unqualified[number])
        results[number, 1] = min(wins[number], unqualified[number])
        results[number, 2] = not_lost[number] - wins[number]
        lost_unqualified = max(0, unqualified[number] - not_lost[number])
        results[number, 3] = dealer_hands - not_lost[number] - lost_unqualified
        results[number, 4] = lost_unqualified
    return count


@kernel
def game_sum(
    number: int, multiple: int, ante: int, blind: int, results: npt.NDArray[np.int64]
) -> int:
    """Sum the net result of Ante, Blind and a Play wager over the dealer's hands."""
    won = results[number, 0] + results[number, 1]
    lost = results[number, 3] + results[number, 4]
    even = results[number, 0] - results[number, 3] - lost + multiple * (won - lost)
    total: int = ante * even + blind * won
    return total


@kernel
def price_boards(
    boards: npt.NDArray[np.uint8], board_counts: npt.NDArray[np.int32],
    places: npt.NDArray[np.int64], deck: npt.NDArray[np.int64], qualifying: int,
    ante: int, blind: npt.NDArray[np.int64], categories: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint64], offsets: npt.NDArray[np.uint32],
    strengths: npt.NDArray[np.uint16], flushes: npt.NDArray[np.uint16],
    bet_values: npt.NDArray[np.int32], check_values: npt.NDArray[np.int32],
    cell_sums: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Price every hand type on these boards, summed over the dealer's hands.

    `ante` is what one Ante is in whole units, `blind` what a win pays on the Blind by
    category. `bet_values` gets Ante, Blind and a Play wager of two; `check_values` the
    better of a Play wager of one and folding. `cell_sums` adds up, by starting hand, Ante
    and Blind at a showdown, and a Play wager of one.
    """
    held = np.empty(SUITED_TYPES, dtype=np.int64)
    held_suited = np.empty(SUITED_TYPES, dtype=np.int64)
    numbers = np.empty(SUITED_TYPES, dtype=np.int64)
    type_strength = np.empty(SUITED_TYPES, dtype=np.int64)
    results = np.empty((SUITED_TYPES, RESULTS), dtype=np.int64)
    fold = -ante * (deck.size - 7) * (deck.size - 8)
    for row in range(boards.shape[0]):
        count = showdown_results(
            boards[row].astype(np.int64), deck, qualifying, keys, offsets, strengths, flushes,
            held, held_suited, numbers, type_strength, results,
        )  # fmt: skip
        for place in range(count):
            number = numbers[place]
            won = results[number, 0] + results[number, 1]
            lost = results[number, 3] + results[number, 4]
            play = ante * (won - lost)
            base = (
                ante * (results[number, 0] - results[number, 3] - lost)
                + blind[categories[type_strength[number]]] * won
            )
            bet_values[places[row] + number] = base + 2 * play
            check_values[places[row] + number] = max(base + play, fold)
            suited = held_suited[number] * board_counts[row]
            unsuited = held[number] * board_counts[row] - suited
            cell_sums[TYPE_CELLS[number, 0], 0] += suited * base
            cell_sums[TYPE_CELLS[number, 0], 1] += suited * play
            cell_sums[TYPE_CELLS[number, 1], 0] += unsuited * base
            cell_sums[TYPE_CELLS[number, 1], 1] += unsuited * play
