"""Ultimate Draw: all hands of the dealer, what they hold, and which of them a hand leaves."""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import next_set
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hand_reader import read_five
from openfelt.maths.kernels.house_way import HOLD_ALL, house_way_hold

SUITS = 4
PLACES = 32
"""The sets of places of a hand of five, as bits."""


@kernel
def list_dealer_hands(
    deck: npt.NDArray[np.int64], reading: np.record, cards: npt.NDArray[np.uint8],
    holds: npt.NDArray[np.uint8], strengths: npt.NDArray[np.uint16],
) -> None:  # fmt: skip
    """Write every hand, lowest card first, what it holds, and its strength if it holds all."""
    positions = np.arange(5)
    number = 0
    more = True
    while more:
        hand = deck[positions]
        for place in range(5):
            cards[number, place] = hand[place]
        holds[number] = house_way_hold(hand, reading)
        if holds[number] == HOLD_ALL:
            strengths[number] = read_five(hand, reading)
        number += 1
        more = next_set(positions, deck.size)


@kernel
def count_dealer_hands(
    cards: npt.NDArray[np.uint8], kinds: npt.NDArray[np.int32], taken: npt.NDArray[np.bool_],
    out: npt.NDArray[np.int32],
) -> None:  # fmt: skip
    """Count the hands without the cards taken, by kind, suit and their places in that suit."""
    for number in range(kinds.size):
        possible = True
        for place in range(5):
            possible = possible and not taken[cards[number, place]]
        if not possible:
            continue
        for suit in range(SUITS):
            inside = 0
            for place in range(5):
                inside |= (cards[number, place] & 3 == suit) << place
            out[suit, kinds[number], inside] += 1
