"""Sums over all turns and rivers of a flop, for every starting hand at once.

The value of a hand type on a board does not say whether a given hand can be held there, so
sums over boards are corrected by inclusion and exclusion. For hand {x, y} and flop f, over
the boards b = f + two cards:

    sum over b without x and y  =  all b  -  b with x  -  b with y  +  b with both.

The sum over all b is kept by flush suit and type. The sum over b with x is only needed
for hands that hold x, so it is kept by x, flush suit and the symbol of the other card.
The last term is a single board.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import CHOOSE, PLAIN_TYPES, SUITED_TYPES
from openfelt.maths.kernels.compiler import kernel, kernel_part
from openfelt.maths.kernels.showdowns import SYMBOLS

MODES = 5
"""Which flush a board allows: 0, none; 1 to 4, one in suit 0 to 3."""
CARDS_LEFT_MAX = 49

FLOP = np.dtype(
    [
        # The cards that are not on the flop: how many, which, and their positions in the deck.
        ("left", np.int64),
        ("cards", np.int64, (CARDS_LEFT_MAX,)),
        ("positions", np.int64, (CARDS_LEFT_MAX,)),
        # By card left: how many cards of the flop are below it.
        ("below", np.int64, (CARDS_LEFT_MAX,)),
        # What the flop adds to the number of a board, by `below` of turn and of river.
        ("number_parts", np.int64, (4, 4)),
        # By suit of turn and suit of river: the mode of the board.
        ("modes", np.int64, (4, 4)),
        # The modes that occur: how many, and which.
        ("mode_count", np.int64),
        ("modes_seen", np.int64, (MODES,)),
    ],
    align=True,
)
"""One flop and what is left in the deck; overwritten by the next flop."""


class RunoutSums(NamedTuple):
    """Sums over the boards of one flop; overwritten by the next flop.

    Sums that fit take 32 bits, which halves the time of the additions.
    """

    every: npt.NDArray[np.int64]
    """By mode and type: all boards."""
    with_card: npt.NDArray[np.int64]
    """By card left, mode and the other card's symbol: the boards with this card."""


def runout_sums(number_type: type[np.signedinteger[Any]]) -> RunoutSums:
    """Make room for the sums of one flop after another."""
    return RunoutSums(
        np.zeros((MODES, SUITED_TYPES), dtype=number_type),
        np.zeros((CARDS_LEFT_MAX, MODES, SYMBOLS), dtype=number_type),
    )


def _type_numbers() -> npt.NDArray[np.int64]:
    symbols = np.arange(SYMBOLS)
    high = np.maximum.outer(symbols, symbols)
    low = np.minimum.outer(symbols, symbols)
    numbers: npt.NDArray[np.int64] = high * (high + 1) // 2 + low
    return numbers


TYPE_NUMBERS = _type_numbers()
"""The type of each two symbols."""


@kernel_part
def symbol_in(card: int, mode: int) -> int:
    """Return a card's symbol on a board of this mode."""
    return (card >> 2) + (13 if (card & 3) + 1 == mode else 0)


@kernel_part
def place_with(
    flop: np.record, low: int, high: int, place_of: npt.NDArray[np.int32]
) -> np.int32:  # fmt: skip
    """Look up where the types of a board begin; turn and river are the cards left so numbered."""
    place: np.int32 = place_of[
        CHOOSE[flop.positions[low], flop.below[low] + 1]
        + CHOOSE[flop.positions[high], flop.below[high] + 2]
        + flop.number_parts[flop.below[low], flop.below[high]]
    ]
    return place


@kernel_part
def board_with(
    flop: np.record, low: int, high: int, place_of: npt.NDArray[np.int32]
) -> tuple[int, np.int32, int, int]:  # fmt: skip
    """Return the mode of a board, where its types begin, and how many types and symbols it has."""
    mode = flop.modes[flop.cards[low] & 3, flop.cards[high] & 3]
    place = place_with(flop, low, high, place_of)
    if mode == 0:
        return mode, place, PLAIN_TYPES, 13
    return mode, place, SUITED_TYPES, SYMBOLS


@kernel_part
def hand_number(flop: np.record, low: int, high: int) -> int:
    """Number the hand of two of the cards left by its positions in the deck."""
    return CHOOSE[flop.positions[high], 2] + flop.positions[low]  # type: ignore[no-any-return]


@kernel
def prepare_flop(
    cards: npt.NDArray[np.int64], deck: npt.NDArray[np.int64], flop: np.record
) -> None:  # fmt: skip
    """Fill in the record of a flop.

    With `below` the number of flop cards under a position, a board with turn t under
    river r has the number C(t, below t + 1) + C(r, below r + 2) + number_parts[below t,
    below r].
    """
    count = 0
    passed = 0
    flop_positions = np.zeros(3, dtype=np.int64)
    for position in range(deck.size):
        if passed < 3 and deck[position] == cards[passed]:
            flop_positions[passed] = position
            passed += 1
        else:
            flop.cards[count] = deck[position]
            flop.positions[count] = position
            flop.below[count] = passed
            count += 1
    flop.left = count
    for first in range(4):
        for second in range(4):
            flop.number_parts[first, second] = 0
            for place in range(3):
                rank = place + 1 + (first <= place) + (second <= place)
                flop.number_parts[first, second] += CHOOSE[flop_positions[place], rank]
    list_modes(cards, flop)


@kernel
def board_mode(flop: npt.NDArray[np.int64], turn: int, river: int) -> int:
    """Return which flush the board allows: 0 for none, else 1 + the suit."""
    for suit in range(4):
        count = (turn & 3 == suit) + (river & 3 == suit)
        for card in flop:
            count += card & 3 == suit
        if count >= 3:
            return suit + 1
    return 0


@kernel
def list_modes(cards: npt.NDArray[np.int64], flop: np.record) -> None:
    """Fill in the mode of a board by the suits of turn and river, and the modes that occur."""
    seen = np.zeros(MODES, dtype=np.bool_)
    for turn in range(4):
        for river in range(4):
            mode = board_mode(cards, turn, river)
            flop.modes[turn, river] = mode
            seen[mode] = True
    count = 0
    for mode in range(MODES):
        if seen[mode]:
            flop.modes_seen[count] = mode
            count += 1
    flop.mode_count = count


@kernel
def sum_boards(
    flop: np.record, place_of: npt.NDArray[np.int32], values: npt.NDArray[np.int32],
    room: RunoutSums,
) -> None:  # fmt: skip
    """Add up the values of all boards of a flop: all of them, and those with each card."""
    sums, sums_with = room
    sums[:] = 0
    sums_with[:] = 0
    for high in range(flop.left):
        river = flop.cards[high]
        for low in range(high):
            mode, place, types, symbols = board_with(flop, low, high, place_of)
            # Slices index from zero: only then does LLVM vectorise the additions.
            mode_sums = sums[mode]
            board_values = values[place : place + types]
            for number in range(types):
                mode_sums[number] += board_values[number]
            turn_symbol = symbol_in(flop.cards[low], mode)
            river_symbol = symbol_in(river, mode)
            for other in range(symbols):
                sums_with[low, mode, other] += board_values[TYPE_NUMBERS[turn_symbol, other]]
                sums_with[high, mode, other] += board_values[TYPE_NUMBERS[river_symbol, other]]


@kernel
def hand_sums(
    flop: np.record, place_of: npt.NDArray[np.int32], values: npt.NDArray[np.int32],
    room: RunoutSums, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill in each starting hand's sum over the boards that leave it its cards."""
    sums, sums_with = room
    for high in range(flop.left):
        second = flop.cards[high]
        for low in range(high):
            first = flop.cards[low]
            total = np.int64(0)
            for seen in range(flop.mode_count):
                mode = flop.modes_seen[seen]
                first_symbol = symbol_in(first, mode)
                second_symbol = symbol_in(second, mode)
                total += np.int64(sums[mode, TYPE_NUMBERS[first_symbol, second_symbol]])
                total -= np.int64(sums_with[low, mode, second_symbol])
                total -= np.int64(sums_with[high, mode, first_symbol])
            mode = flop.modes[first & 3, second & 3]
            number = TYPE_NUMBERS[symbol_in(first, mode), symbol_in(second, mode)]
            total += values[place_with(flop, low, high, place_of) + number]
            out[hand_number(flop, low, high)] = total


@kernel
def price_flops(
    flops: npt.NDArray[np.uint8], deck: npt.NDArray[np.int64],
    place_of: npt.NDArray[np.int32], values: npt.NDArray[np.int32], flop: np.record,
    room: RunoutSums, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill `out[flop, hand]`: the hand's value, summed over all turns, rivers and dealer hands.

    Hands are numbered by their positions in the deck; hands with a card of the flop get 0.
    """
    for row in range(flops.shape[0]):
        prepare_flop(flops[row].astype(np.int64), deck, flop)
        sum_boards(flop, place_of, values, room)
        hand_sums(flop, place_of, values, room, out[row])
