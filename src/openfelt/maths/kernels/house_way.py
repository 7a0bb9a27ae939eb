"""Ultimate Draw: the cards that the house way holds, and the hand after the draw."""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hand_reader import read_five

HOLD_ALL = 0b11111
_STRAIGHT = 4
_JACK = 9


@kernel
def house_way_hold(cards: npt.NDArray[np.int64], reading: np.record) -> int:
    """Return the cards to hold as bits, the first card's lowest (D.6, R.26)."""
    category = reading.categories[read_five(cards, reading)]
    if category >= _STRAIGHT:
        return HOLD_ALL
    if category:
        return matched(cards)
    flush = four_of_a_suit(cards)
    if flush:
        return flush
    sequence = four_in_sequence(cards)
    if sequence:
        return sequence
    held = 0
    for place in range(5):
        if cards[place] >> 2 >= _JACK:
            held |= 1 << place
    return held


@kernel
def matched(cards: npt.NDArray[np.int64]) -> int:
    """Return the cards whose rank occurs more than once."""
    held = 0
    for place in range(5):
        for other in range(5):
            if other != place and cards[other] >> 2 == cards[place] >> 2:
                held |= 1 << place
    return held


@kernel
def four_of_a_suit(cards: npt.NDArray[np.int64]) -> int:
    """Return four cards of one suit; 0 if there are none."""
    for suit in range(4):
        held = 0
        count = 0
        for place in range(5):
            if cards[place] & 3 == suit:
                held |= 1 << place
                count += 1
        if count == 4:
            return held
    return 0


@kernel
def four_in_sequence(cards: npt.NDArray[np.int64]) -> int:
    """Return the highest four cards in sequence of five different ranks; 0 if there are none."""
    ranks = 0
    for place in range(5):
        ranks |= 2 << (cards[place] >> 2)
    # The ace stands at both ends: bit 0 for the low one, bit 13 for the high one.
    ranks |= ranks >> 13
    for low in range(10, -1, -1):
        if (ranks >> low) & 0b1111 == 0b1111:
            held = 0
            for place in range(5):
                bit = (cards[place] >> 2) + 1
                if low <= bit < low + 4 or (low == 0 and bit == 13):
                    held |= 1 << place
            return held
    return 0


@kernel
def read_after_draw(
    cards: npt.NDArray[np.int64], held: int, common: npt.NDArray[np.int64],
    final: npt.NDArray[np.int64], reading: np.record,
) -> int:  # fmt: skip
    """Replace the cards not held with common cards 1 to k, and return the strength (D.7, R.27)."""
    kept = 0
    for place in range(5):
        if held >> place & 1:
            final[kept] = cards[place]
            kept += 1
    for place in range(kept, 5):
        final[place] = common[place - kept]
    return read_five(final, reading)
