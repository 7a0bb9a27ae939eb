"""Sums over all turns and rivers of a flop, for every starting hand at once.

The value of a hand type on a board does not say whether a given hand can be held there, so
sums over boards are corrected by inclusion and exclusion. For hand {x, y} and flop f, over
the boards b = f + two cards:

    sum over b without x and y  =  all b  -  b with x  -  b with y  +  b with both.

The sum over all b is kept by flush suit and type. The sum over b with x is only needed
for hands that hold x, so it is kept by x, flush suit and the symbol of the other card.
The last term is a single board.

Boards of a flop with the same flush suit and the same symbols of turn and river are worth the
same. They are a runout, which is added once, times the number of its boards.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import CHOOSE, PLAIN_TYPES, SUITED_TYPES
from openfelt.maths.kernels.compiler import kernel, kernel_part
from openfelt.maths.kernels.showdowns import RANKS, SYMBOLS

MODES = 5
"""Which flush a board allows: 0, none; 1 to 4, one in suit 0 to 3."""
CARDS_LEFT_MAX = 49
RUNOUTS_MAX = 1176
"""As many as there are turns and rivers; there are some 300."""

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
        # By rank: the first card left of this rank or a higher one.
        ("rank_starts", np.int64, (RANKS + 1,)),
        # The runouts: how many, and for each its mode, a turn and a river among the cards left,
        # how many boards it has, and where the types of these begin.
        ("runout_count", np.int64),
        ("runout_modes", np.int64, (RUNOUTS_MAX,)),
        ("turns", np.int64, (RUNOUTS_MAX,)),
        ("rivers", np.int64, (RUNOUTS_MAX,)),
        ("boards", np.int64, (RUNOUTS_MAX,)),
        ("places", np.int64, (RUNOUTS_MAX,)),
        # By mode and by the type of turn and river together: the runout, or -1.
        ("runouts", np.int16, (MODES, SUITED_TYPES)),
        # By mode, card left and symbol: how many cards of this symbol make such a board with it.
        ("partners", np.int16, (MODES, CARDS_LEFT_MAX, SYMBOLS)),
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
    """By mode, holder and the other card's symbol: the boards with one card; see `holder_of`."""


def runout_sums(number_type: type[np.signedinteger[Any]]) -> RunoutSums:
    """Make room for the sums of one flop after another."""
    return RunoutSums(
        np.zeros((MODES, SUITED_TYPES), dtype=number_type),
        np.zeros((MODES, CARDS_LEFT_MAX, SYMBOLS), dtype=number_type),
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
def holder_of(place: int, symbol: int, mode: int) -> int:
    """Return where the sums over the boards with a card are kept, in its mode.

    With a flush suit, all cards of a symbol have the same sums. Without one, a board may not have
    three cards of a suit, so the sums depend on the card itself.
    """
    return symbol if mode else place


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
    for rank in range(RANKS + 1):
        flop.rank_starts[rank] = 0
    for place in range(count):
        flop.rank_starts[(flop.cards[place] >> 2) + 1] = place + 1
    for rank in range(RANKS):
        flop.rank_starts[rank + 1] = max(flop.rank_starts[rank], flop.rank_starts[rank + 1])
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
def list_runouts(flop: np.record, place_of: npt.NDArray[np.int32]) -> None:
    """List the runouts of a flop, and count the boards of each."""
    count = 0
    flop.runouts[:] = -1
    flop.partners[:] = 0
    for high in range(flop.left):
        river = flop.cards[high]
        for low in range(high):
            turn = flop.cards[low]
            mode = flop.modes[turn & 3, river & 3]
            turn_symbol = symbol_in(turn, mode)
            river_symbol = symbol_in(river, mode)
            flop.partners[mode, low, river_symbol] += 1
            flop.partners[mode, high, turn_symbol] += 1
            number = TYPE_NUMBERS[turn_symbol, river_symbol]
            runout = flop.runouts[mode, number]
            if runout < 0:
                runout = count
                flop.runouts[mode, number] = runout
                flop.runout_modes[runout] = mode
                flop.turns[runout] = low
                flop.rivers[runout] = high
                flop.boards[runout] = 0
                flop.places[runout] = place_with(flop, low, high, place_of)
                count += 1
            flop.boards[runout] += 1
    flop.runout_count = count


@kernel
def add_with_card(
    flop: np.record, mode: int, place: int, partner: int, values: npt.NDArray[np.int32],
    sums_with: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add a runout to the sums over the boards with a card, its turn or its river.

    `partner` is the symbol of the other of the two, and `values` are those of the runout's types.
    """
    symbol = symbol_in(flop.cards[place], mode)
    if mode:
        many = flop.partners[mode, place, partner]
        for other in range(SYMBOLS):
            sums_with[symbol, other] += many * values[TYPE_NUMBERS[symbol, other]]
        return
    first = flop.rank_starts[symbol]
    stop = flop.rank_starts[symbol + 1]
    for other in range(RANKS):
        value = values[TYPE_NUMBERS[symbol, other]]
        for card in range(first, stop):
            sums_with[card, other] += flop.partners[0, card, partner] * value


@kernel
def sum_boards(flop: np.record, values: npt.NDArray[np.int32], room: RunoutSums) -> None:
    """Add up the values of all boards of a flop: all of them, and those with each card."""
    sums, sums_with = room
    sums[:] = 0
    sums_with[:] = 0
    for runout in range(flop.runout_count):
        mode = flop.runout_modes[runout]
        place = flop.places[runout]
        boards = flop.boards[runout]
        # Slices index from zero: only then does LLVM vectorise the additions.
        mode_sums = sums[mode]
        types = SUITED_TYPES if mode else PLAIN_TYPES
        board_values = values[place : place + types]
        for number in range(types):
            mode_sums[number] += boards * board_values[number]
        turn, river = flop.turns[runout], flop.rivers[runout]
        turn_symbol = symbol_in(flop.cards[turn], mode)
        river_symbol = symbol_in(flop.cards[river], mode)
        add_with_card(flop, mode, turn, river_symbol, board_values, sums_with[mode])
        if turn_symbol != river_symbol:
            add_with_card(flop, mode, river, turn_symbol, board_values, sums_with[mode])


@kernel
def hand_sums(
    flop: np.record, values: npt.NDArray[np.int32], room: RunoutSums,
    out: npt.NDArray[np.int64],
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
                total -= np.int64(
                    sums_with[mode, holder_of(low, first_symbol, mode), second_symbol]
                )
                total -= np.int64(
                    sums_with[mode, holder_of(high, second_symbol, mode), first_symbol]
                )
            mode = flop.modes[first & 3, second & 3]
            number = TYPE_NUMBERS[symbol_in(first, mode), symbol_in(second, mode)]
            total += values[flop.places[flop.runouts[mode, number]] + number]
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
        list_runouts(flop, place_of)
        sum_boards(flop, values, room)
        hand_sums(flop, values, room, out[row])
