"""Ultimate Draw: the final hands of each hold, by category.

For a set of cards S, let A(S) be the number of five-card hands, by category, that contain S. The
draws that hold K and avoid the discards D are then, by inclusion and exclusion, the sum of (-1)^|T|
A(K with T) over all subsets T of D.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import CHOOSE, next_set
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hand_reader import read_five
from openfelt.maths.kernels.house_way import HOLD_ALL, house_way_hold

CATEGORIES = 10
HOLDS = 32
"""The ways to hold some of five cards: bit 0 stands for the lowest card."""


class Supersets(NamedTuple):
    """How many five-card hands contain each set of at most five cards, by category."""

    counts: npt.NDArray[np.int32]
    """One row for each set of up to four cards, one column for each category."""
    starts: npt.NDArray[np.int64]
    """The row of the first set of each size."""
    categories: npt.NDArray[np.uint8]
    """The category of each set of five."""
    position_of: npt.NDArray[np.int64]
    """The position of each card number in the deck."""


@kernel
def held_row(positions: npt.NDArray[np.int64], held: int, starts: npt.NDArray[np.int64]) -> int:
    """Number the set of the held cards: its row among sets of its size and below."""
    size = 0
    number = 0
    for place in range(5):
        if held >> place & 1:
            size += 1
            number += CHOOSE[positions[place], size]
    return int(starts[size]) + number


@kernel
def count_supersets(deck: npt.NDArray[np.int64], reading: np.record, sets: Supersets) -> None:
    """Evaluate every five-card hand, and add it to each of its smaller subsets."""
    positions = np.arange(5)
    number = 0
    more = True
    while more:
        category = reading.categories[read_five(deck[positions], reading)]
        sets.categories[number] = category
        for held in range(HOLD_ALL):
            sets.counts[held_row(positions, held, sets.starts), category] += 1
        number += 1
        more = next_set(positions, deck.size)


@kernel
def count_holds(
    positions: npt.NDArray[np.int64], sets: Supersets, out: npt.NDArray[np.signedinteger[Any]]
) -> None:
    """Count the final hands of each of the 32 holds of a hand, by category."""
    out[:] = 0
    for held in range(HOLD_ALL):
        row = held_row(positions, held, sets.starts)
        for category in range(CATEGORIES):
            out[held, category] = sets.counts[row, category]
    number = held_row(positions, HOLD_ALL, sets.starts) - sets.starts[5]
    out[HOLD_ALL, sets.categories[number]] = 1
    # Subtract the hands that contain a discard, one card after the other.
    for place in range(5):
        for held in range(HOLDS):
            if not held >> place & 1:
                for category in range(CATEGORIES):
                    out[held, category] -= out[held | 1 << place, category]


@kernel
def cards_held(held: int) -> int:
    """Return how many cards a hold keeps."""
    count = 0
    for place in range(5):
        count += held >> place & 1
    return count


@kernel
def count_final_hands(
    cards: npt.NDArray[np.int64], held: int, unseen: npt.NDArray[np.int64], reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Evaluate the hand after every draw from the unseen cards, and count it by category."""
    final = np.zeros(5, dtype=np.int64)
    kept = 0
    for place in range(5):
        if held >> place & 1:
            final[kept] = cards[place]
            kept += 1
    drawn = np.arange(5 - kept)
    more = True
    while more:
        final[kept:] = unseen[drawn]
        out[reading.categories[read_five(final, reading)]] += 1
        more = next_set(drawn, unseen.size)


@kernel
def count_classes(
    hands: npt.NDArray[np.uint8], holds: npt.NDArray[np.uint8], sets: Supersets,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Write, for one hold of each hand, its final hands by category."""
    counts = np.zeros((HOLDS, CATEGORIES), dtype=np.int64)
    positions = np.zeros(5, dtype=np.int64)
    for row in range(hands.shape[0]):
        for place in range(5):
            positions[place] = sets.position_of[hands[row, place]]
        count_holds(positions, sets, counts)
        out[row] = counts[holds[row]]


@kernel
def count_all_holds(
    hands: npt.NDArray[np.uint8], sets: Supersets, out: npt.NDArray[np.int32]
) -> None:
    """Write, for all holds of each hand, their final hands by category."""
    positions = np.zeros(5, dtype=np.int64)
    for row in range(hands.shape[0]):
        for place in range(5):
            positions[place] = sets.position_of[hands[row, place]]
        count_holds(positions, sets, out[row])


@kernel
def find_best_holds(
    hands: npt.NDArray[np.uint8], nets: npt.NDArray[np.int64], weights: npt.NDArray[np.int64],
    sets: Supersets, out: npt.NDArray[np.uint8],
) -> None:  # fmt: skip
    """Write the hold with the highest sum of nets; of equal ones, one that keeps the most cards.

    `weights` has, by number of held cards, the factor that brings all sums to one denominator.
    """
    counts = np.zeros((HOLDS, CATEGORIES), dtype=np.int64)
    positions = np.zeros(5, dtype=np.int64)
    for row in range(hands.shape[0]):
        for place in range(5):
            positions[place] = sets.position_of[hands[row, place]]
        count_holds(positions, sets, counts)
        best = HOLD_ALL
        best_value = (counts[HOLD_ALL] * nets).sum() * weights[5]
        for held in range(HOLD_ALL):
            kept = cards_held(held)
            value = (counts[held] * nets).sum() * weights[kept]
            if value > best_value or (value == best_value and kept > cards_held(best)):
                best = held
                best_value = value
        out[row] = best


@kernel
def find_house_way_holds(
    hands: npt.NDArray[np.uint8], reading: np.record, out: npt.NDArray[np.uint8]
) -> None:
    """Write what the house way holds of each hand."""
    cards = np.zeros(5, dtype=np.int64)
    for row in range(hands.shape[0]):
        for place in range(5):
            cards[place] = hands[row, place]
        out[row] = house_way_hold(cards, reading)
