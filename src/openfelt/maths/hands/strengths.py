"""The fast evaluator's tables, built once per process, and the meaning of strengths."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.kernels.seven_card_evaluator import NOT_A_CARD
from openfelt.maths.kernels.strength_tables import (
    MULTISETS_OF_7,
    RANK_KEYS,
    ROW_BITS,
    ROW_WIDTH,
    ROWS,
    flush_strength,
    list_multisets,
    place_rows,
)

MULTISETS = {5: 6175, 6: 18_395, 7: MULTISETS_OF_7}
"""By number of cards, how many multisets of ranks there are with at most four of each."""

STRENGTHS_MAX = 7462
"""The number of distinct strengths of five-card hands; the strength of a royal flush."""


@dataclass(frozen=True, slots=True)
class HandTables:
    """The look-up tables of the kernels. The arrays are read-only and shared by all threads."""

    keys: npt.NDArray[np.uint64]
    """The key of each card number; numbers above 51 are marked as not a card."""
    masks: npt.NDArray[np.uint64]
    """Each card as one bit, sixteen bits a suit."""
    offsets: npt.NDArray[np.uint32]
    """Where each row of keys begins in `strengths`."""
    strengths: npt.NDArray[np.uint16]
    """The strength of every sum of seven rank keys."""
    flushes: npt.NDArray[np.uint16]
    """The strength of five or more cards of one suit, by the mask of their ranks."""
    plain_strengths: npt.NDArray[np.int64]
    """The plain evaluator's strength for each strength from 0 (none) to 7,462."""
    categories: npt.NDArray[np.uint8]
    """The category of each strength."""


def list_multisets_of(cards: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The sum of rank keys and the plain strength of every multiset of ranks, by rising sum."""
    room = MULTISETS[cards] + 1
    keys = np.zeros(room, dtype=np.int64)
    plain = np.zeros(room, dtype=np.int64)
    count = list_multisets(cards, keys, plain)
    if count != MULTISETS[cards]:
        raise RuntimeError(f"{count} multisets of {cards} ranks instead of {MULTISETS[cards]}")
    order = np.argsort(keys[:count])
    return keys[order], plain[order]


def displace_rows(
    keys: npt.NDArray[np.int64], values: npt.NDArray[np.uint16]
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint16]]:
    """Pack a sparse table by row displacement: the offset of each row, and the packed values."""
    row_starts = np.searchsorted(keys >> ROW_BITS, np.arange(ROWS + 1)).astype(np.int64)
    row_order = np.argsort(-np.diff(row_starts), kind="stable")
    offsets = np.zeros(ROWS, dtype=np.uint32)
    table = np.zeros(4 * len(keys) + 8 * ROW_WIDTH, dtype=np.uint16)
    used = place_rows(keys, values, row_order, row_starts, offsets, table)
    return offsets, table[:used].copy()


@cache
def hand_tables() -> HandTables:
    """Build the tables, about a tenth of a second, on the first call.

    >>> tables = hand_tables()
    >>> tables.strengths.nbytes + tables.offsets.nbytes < 300_000
    True
    """
    keys_of_7, plain_of_7 = list_multisets_of(7)
    _, plain_of_5 = list_multisets_of(5)
    masks = np.array([mask for mask in range(1 << 13) if mask.bit_count() >= 5])
    plain_flushes = np.array([flush_strength(int(mask)) for mask in masks])
    plain = np.unique(np.concatenate(([-1], plain_of_5, plain_flushes)))
    flushes = np.zeros(1 << 13, dtype=np.uint16)
    flushes[masks] = np.searchsorted(plain, plain_flushes)
    offsets, strengths = displace_rows(
        keys_of_7, np.searchsorted(plain, plain_of_7).astype(np.uint16)
    )
    cards = np.arange(52)
    keys = np.full(256, NOT_A_CARD, dtype=np.uint64)
    keys[:52] = np.array(RANK_KEYS)[cards // 4] + (1 << (32 + 4 * (cards % 4)))
    tables = HandTables(
        keys=keys,
        masks=(1 << (16 * (cards % 4) + cards // 4)).astype(np.uint64),
        offsets=offsets,
        strengths=strengths,
        flushes=flushes,
        plain_strengths=plain,
        categories=np.maximum(plain >> 20, 0).astype(np.uint8),
    )
    for name in HandTables.__slots__:
        getattr(tables, name).flags.writeable = False
    return tables


def category_of(strength: int) -> Category:
    """Return the category of a strength.

    >>> category_of(7462).words, category_of(1).words
    ('royal flush', 'high card')
    """
    if not 1 <= strength <= STRENGTHS_MAX:
        raise ValueError(f"a strength must be a whole number from 1 to 7462, not {strength!r}")
    return Category(int(hand_tables().categories[strength]))


def weakest_of(category: Category, at_least: int = 0) -> int:
    """Return the lowest strength of a category, or of its hands whose first rank is at least this.

    >>> weakest_of(Category.HIGH_CARD), weakest_of(Category.PAIR), weakest_of(Category.PAIR, 4)
    (1, 1278, 1718)
    """
    return int(np.searchsorted(hand_tables().plain_strengths, category << 20 | at_least << 16))
