"""Sums over all turns and rivers of a flop, for every starting hand at once.

The value of a hand type on a board does not ask whether this very hand could be held
there, so sums over boards are corrected by inclusion and exclusion. For hand {x, y} and
flop f, over the boards b = f + two cards:

    sum over b without x and y  =  all b  -  b with x  -  b with y  +  b with both.

The sum over all b is kept by flush suit and type. The sum over b with x is only needed
for hands that hold x, so it is kept by x, flush suit and the symbol of the other card.
The last is one board.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import CHOOSE, PLAIN_TYPES, SUITED_TYPES
from openfelt.maths.kernels.compiler import kernel, kernel_part

MODES = 5
"""What a board lets hands do: 0, no flush; 1 to 4, a flush in suit 0 to 3."""


def _type_numbers() -> npt.NDArray[np.int64]:
    symbols = np.arange(26)
    high = np.maximum.outer(symbols, symbols)
    low = np.minimum.outer(symbols, symbols)
    numbers: npt.NDArray[np.int64] = high * (high + 1) // 2 + low
    return numbers


TYPE_NUMBERS = _type_numbers()
"""The type of each two symbols."""


@kernel_part
def symbol_in(card: int, mode: int) -> int:
    """Give a card's symbol on a board of this mode."""
    return (card >> 2) + (13 if (card & 3) + 1 == mode else 0)


@kernel
def prepare_flop(
    flop: npt.NDArray[np.int64], deck: npt.NDArray[np.int64],
    rest: npt.NDArray[np.int64], below: npt.NDArray[np.int64],
    flop_part: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """List the positions left in the deck and how to number the boards of a flop.

    With `below` the number of flop cards under a position, a board with turn t under
    river r has the number C(t, below t + 1) + C(r, below r + 2) + flop_part[below t, below r].
    """
    count = 0
    passed = 0
    flop_positions = np.zeros(3, dtype=np.int64)
    for position in range(deck.size):
        if passed < 3 and deck[position] == flop[passed]:
            flop_positions[passed] = position
            passed += 1
        else:
            rest[count] = position
            below[count] = passed
            count += 1
    for first in range(4):
        for second in range(4):
            flop_part[first, second] = 0
            for place in range(3):
                rank = place + 1 + (first <= place) + (second <= place)
                flop_part[first, second] += CHOOSE[flop_positions[place], rank]
    return count


@kernel
def board_mode(flop: npt.NDArray[np.int64], turn: int, river: int) -> int:
    """Say which flush the board allows: 0 for none, else 1 + the suit."""
    for suit in range(4):
        count = (turn & 3 == suit) + (river & 3 == suit)
        for card in flop:
            count += card & 3 == suit
        if count >= 3:
            return suit + 1
    return 0


@kernel
def list_modes(flop: npt.NDArray[np.int64], modes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Fill `modes[suit of turn, suit of river]`, and list the modes that occur."""
    seen = np.zeros(MODES, dtype=np.bool_)
    for turn in range(4):
        for river in range(4):
            modes[turn, river] = board_mode(flop, turn, river)
            seen[modes[turn, river]] = True
    return np.nonzero(seen)[0]


@kernel
def sum_boards(
    rest: npt.NDArray[np.int64], below: npt.NDArray[np.int64],
    flop_part: npt.NDArray[np.int64], modes: npt.NDArray[np.int64],
    deck: npt.NDArray[np.int64], place_of: npt.NDArray[np.int32],
    values: npt.NDArray[np.int32], sums: npt.NDArray[np.int64],
    sums_with: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add up the values of all boards of a flop: all of them, and those with each card."""
    sums[:] = 0
    sums_with[:] = 0
    for high in range(rest.size):
        river = deck[rest[high]]
        for low in range(high):
            turn = deck[rest[low]]
            mode = modes[turn & 3, river & 3]
            place = place_of[
                CHOOSE[rest[low], below[low] + 1]
                + CHOOSE[rest[high], below[high] + 2]
                + flop_part[below[low], below[high]]
            ]
            types = PLAIN_TYPES if mode == 0 else SUITED_TYPES
            # Slices index from zero: only so does LLVM make vector additions of the loop.
            mode_sums = sums[mode]
            board_values = values[place : place + types]
            for number in range(types):
                mode_sums[number] += board_values[number]
            symbols = 13 if mode == 0 else 26
            turn_symbol = symbol_in(turn, mode)
            river_symbol = symbol_in(river, mode)
            for other in range(symbols):
                sums_with[low, mode, other] += board_values[TYPE_NUMBERS[turn_symbol, other]]
                sums_with[high, mode, other] += board_values[TYPE_NUMBERS[river_symbol, other]]


@kernel
def hand_sums(
    rest: npt.NDArray[np.int64], below: npt.NDArray[np.int64],
    flop_part: npt.NDArray[np.int64], modes: npt.NDArray[np.int64],
    modes_seen: npt.NDArray[np.int64], deck: npt.NDArray[np.int64],
    place_of: npt.NDArray[np.int32], values: npt.NDArray[np.int32],
    sums: npt.NDArray[np.int64], sums_with: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Give each starting hand's sum over the boards that leave it its cards."""
    for high in range(rest.size):
        second = deck[rest[high]]
        for low in range(high):
            first = deck[rest[low]]
            total = np.int64(0)
            for mode in modes_seen:
                first_symbol = symbol_in(first, mode)
                second_symbol = symbol_in(second, mode)
                total += (
                    sums[mode, TYPE_NUMBERS[first_symbol, second_symbol]]
                    - sums_with[low, mode, second_symbol]
                    - sums_with[high, mode, first_symbol]
                )
            place = place_of[
                CHOOSE[rest[low], below[low] + 1]
                + CHOOSE[rest[high], below[high] + 2]
                + flop_part[below[low], below[high]]
            ]
            mode = modes[first & 3, second & 3]
            total += values[place + TYPE_NUMBERS[symbol_in(first, mode), symbol_in(second, mode)]]
            out[CHOOSE[rest[high], 2] + rest[low]] = total


@kernel
def price_flops(
    flops: npt.NDArray[np.uint8], deck: npt.NDArray[np.int64],
    place_of: npt.NDArray[np.int32], values: npt.NDArray[np.int32],
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill `out[flop, hand]`: the hand's value, summed over all turns, rivers and dealer hands.

    Hands are numbered by their positions in the deck; hands with a card of the flop get 0.
    """
    rest = np.empty(deck.size - 3, dtype=np.int64)
    below = np.empty(deck.size - 3, dtype=np.int64)
    flop_part = np.empty((4, 4), dtype=np.int64)
    modes = np.empty((4, 4), dtype=np.int64)
    sums = np.empty((MODES, SUITED_TYPES), dtype=np.int64)
    sums_with = np.empty((deck.size - 3, MODES, 26), dtype=np.int64)
    for row in range(flops.shape[0]):
        flop = flops[row].astype(np.int64)
        prepare_flop(flop, deck, rest, below, flop_part)
        modes_seen = list_modes(flop, modes)
        sum_boards(rest, below, flop_part, modes, deck, place_of, values, sums, sums_with)
        hand_sums(
            rest, below, flop_part, modes, modes_seen, deck, place_of, values,
            sums, sums_with, out[row],
        )  # fmt: skip
