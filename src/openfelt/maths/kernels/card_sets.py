"""Sets of cards up to a permutation of the suits: boards, flops, and their records.

A deck is an ascending array of card numbers made of some ranks in the first suits, so that
permuting the suits gives the same deck again. Sets of cards are numbered by the positions
of their cards in the deck: position p as the k-th lowest card adds C(p, k).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel

PLAIN_TYPES = 91
"""Two-card hands by their ranks alone, which is all that matters if no flush is possible."""
SUITED_TYPES = 351
"""Two-card hands of 26 symbols: thirteen ranks outside the flush suit, thirteen in it."""


class BoardClasses(NamedTuple):
    """Some or all classes of boards on which every type is worth the same.

    The boards of a class have the same ranks and, if a flush is possible, the same ranks in its
    suit.
    """

    cards: npt.NDArray[np.uint8]
    """One representative board per class: one row of five card numbers, ascending."""
    counts: npt.NDArray[np.int32]
    """How many boards are in each class."""
    suited: npt.NDArray[np.int16]
    """By class and two ranks, over all its boards: the suited hands outside the flush suit."""
    places: npt.NDArray[np.int64]
    """Where the types of each class begin in arrays over all types of all classes."""
    deck: npt.NDArray[np.int64]


def _choose_table() -> npt.NDArray[np.int64]:
    table = np.zeros((53, 6), dtype=np.int64)
    table[:, 0] = 1
    for cards in range(1, 53):
        for taken in range(1, 6):
            table[cards, taken] = table[cards - 1, taken - 1] + table[cards - 1, taken]
    return table


CHOOSE = _choose_table()
"""Binomial coefficients up to C(52, 5)."""


@kernel
def set_number(positions: npt.NDArray[np.int64]) -> int:
    """Number a set of cards, given by ascending positions in the deck."""
    number = 0
    for place in range(positions.size):
        number += CHOOSE[positions[place], place + 1]
    return number


@kernel
def long_suit(cards: npt.NDArray[np.int64]) -> int:
    """Return the suit of three or more of these cards, or -1."""
    counts = np.zeros(4, dtype=np.int64)
    for card in cards:
        counts[card & 3] += 1
        if counts[card & 3] == 3:
            return int(card & 3)
    return -1


@kernel
def canonical_positions(
    cards: npt.NDArray[np.int64], position_of: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Permute the suits so that their rank masks descend; return the new positions, ascending."""
    masks = np.zeros(4, dtype=np.int64)
    for card in cards:
        masks[card & 3] |= 1 << (card >> 2)
    new_suit = np.zeros(4, dtype=np.int64)
    for suit in range(4):
        for other in range(4):
            if masks[other] > masks[suit] or (masks[other] == masks[suit] and other < suit):
                new_suit[suit] += 1
    for place in range(cards.size):
        position = position_of[(cards[place] & ~3) | new_suit[cards[place] & 3]]
        slot = place
        while slot > 0 and out[slot - 1] > position:
            out[slot] = out[slot - 1]
            slot -= 1
        out[slot] = position


@kernel
def next_set(positions: npt.NDArray[np.int64], deck_size: int) -> bool:
    """Advance to the next set in number order; return False after the last."""
    size = positions.size
    for place in range(size):
        limit = positions[place + 1] if place + 1 < size else deck_size
        if positions[place] + 1 < limit:
            positions[place] += 1
            for lower in range(place):
                positions[lower] = lower
            return True
    return False


@kernel
def classify_sets(
    deck: npt.NDArray[np.int64], position_of: npt.NDArray[np.int64], size: int,
    class_of: npt.NDArray[np.int32], first_numbers: npt.NDArray[np.int32],
    sizes: npt.NDArray[np.int32],
) -> int:  # fmt: skip
    """Sort all sets of `size` cards into classes under permutations of the suits.

    Fills in the class of every set, the number of each class's representative and the size
    of each class. Returns the number of classes.
    """
    positions = np.arange(size)
    standard = np.zeros(size, dtype=np.int64)
    classes = 0
    number = 0
    class_of[:] = -1
    more = True
    while more:
        canonical_positions(deck[positions], position_of, standard)
        standard_number = set_number(standard)
        if class_of[standard_number] < 0:
            class_of[standard_number] = classes
            first_numbers[classes] = standard_number
            classes += 1
        set_class = class_of[standard_number]
        class_of[number] = set_class
        sizes[set_class] += 1
        number += 1
        more = next_set(positions, deck.size)
    return classes


@kernel
def unrank_sets(
    numbers: npt.NDArray[np.int32], deck: npt.NDArray[np.int64], out: npt.NDArray[np.uint8]
) -> None:
    """Write the cards of each numbered set, lowest first."""
    size = out.shape[1]
    for row in range(numbers.size):
        left = np.int64(numbers[row])
        position = deck.size
        for taken in range(size, 0, -1):
            position -= 1
            while CHOOSE[position, taken] > left:
                position -= 1
            left -= CHOOSE[position, taken]
            out[row, taken - 1] = deck[position]
