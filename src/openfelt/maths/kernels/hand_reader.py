"""The look-up tables for hands of five, six and seven cards, by one key.

The sum of card keys that the fast evaluator uses for seven cards also tells five and six
cards apart: a table for each size turns it into the same strengths, 1 to 7,462.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.seven_card_evaluator import (
    FLUSH_BITS,
    KEY_START,
    RANK_BITS,
    SUIT_RANKS,
    flush_suit,
    rank_strength,
)
from openfelt.maths.kernels.strength_tables import ROWS

STRENGTHS = 7463
"""Strengths from 0, which stands for no hand, to 7,462."""
_16 = np.uint64(16)


READING = np.dtype(
    [
        ("keys", np.uint64, (256,)),
        ("masks", np.uint64, (52,)),
        ("flushes", np.uint16, (1 << 13,)),
        ("offsets5", np.uint32, (ROWS,)),
        ("strengths5", np.uint16, (1 << 14,)),
        ("offsets6", np.uint32, (ROWS,)),
        ("strengths6", np.uint16, (1 << 16,)),
        ("offsets7", np.uint32, (ROWS,)),
        ("strengths7", np.uint16, (1 << 17,)),
        # The category of each strength.
        ("categories", np.uint8, (STRENGTHS,)),
        # The category and the ranks that make it, without kickers; 0 for a high card.
        ("cores", np.int32, (STRENGTHS,)),
        # For each rank mask without a straight, how many ranks would make one; else 0.
        ("straight_draws", np.uint8, (1 << 13,)),
    ],
    align=True,
)
"""The look-up tables of all hands; filled once and shared by all threads."""


@kernel
def strength_of_key(
    key: np.uint64, mask: np.uint64, offsets: npt.NDArray[np.uint32],
    strengths: npt.NDArray[np.uint16], flushes: npt.NDArray[np.uint16],
) -> int:  # fmt: skip
    """Return a hand's strength by its key, which begins at KEY_START, and its card mask."""
    if key & FLUSH_BITS:
        return int(np.int64(flushes[(mask >> (_16 * flush_suit(key))) & SUIT_RANKS]))
    return int(np.int64(rank_strength(key & RANK_BITS, offsets, strengths)))


@kernel
def cards_key(cards: npt.NDArray[np.int64], count: int, keys: npt.NDArray[np.uint64]) -> np.uint64:
    """Add the keys of the first `count` cards."""
    key = KEY_START
    for place in range(count):
        key += keys[cards[place]]
    return key


@kernel
def cards_mask(
    cards: npt.NDArray[np.int64], count: int, masks: npt.NDArray[np.uint64]
) -> np.uint64:
    """Join the masks of the first `count` cards."""
    mask = np.uint64(0)
    for place in range(count):
        mask |= masks[cards[place]]
    return mask


@kernel
def read_five(cards: npt.NDArray[np.int64], reading: np.record) -> int:
    """Return the strength of the first five cards."""
    return strength_of_key(
        cards_key(cards, 5, reading.keys),
        cards_mask(cards, 5, reading.masks),
        reading.offsets5,
        reading.strengths5,
        reading.flushes,
    )


@kernel
def read_with_two(
    board_key: np.uint64, board_mask: np.uint64, first: int, second: int, reading: np.record
) -> int:
    """Return the strength of seven cards: a board, by its key and mask, and two more."""
    return strength_of_key(
        board_key + reading.keys[first] + reading.keys[second],
        board_mask | reading.masks[first] | reading.masks[second],
        reading.offsets7,
        reading.strengths7,
        reading.flushes,
    )
