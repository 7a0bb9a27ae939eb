"""The look-up tables of the kernels, for hands of five, six and seven cards."""

from functools import cache

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.hands.strengths import displace_rows, hand_tables, list_multisets_of
from openfelt.maths.kernels.hand_reader import READING
from openfelt.maths.kernels.records import new_record

_MADE_RANKS = {
    Category.HIGH_CARD: 0x0,
    Category.PAIR: 0xFF000,
    Category.TWO_PAIR: 0xFFFF0,
    Category.THREE_OF_A_KIND: 0xFFF00,
    Category.FOUR_OF_A_KIND: 0xFFFF0,
}
"""Which of the five ranks make up the hand; in categories not listed, all five do."""


@cache
def reading_tables() -> np.record:
    """Build the tables on the first call; the evaluator's own are part of them.

    >>> reading_tables().strengths5.max(), reading_tables().cores[1]
    (np.uint16(7452), np.int32(0))
    """
    tables = hand_tables()
    reading = new_record(READING)
    for name in ("keys", "masks", "flushes", "categories"):
        getattr(reading, name)[:] = getattr(tables, name)
    for cards, (offsets, strengths) in {
        5: _tables_of(5),
        6: _tables_of(6),
        7: (tables.offsets, tables.strengths),
    }.items():
        getattr(reading, f"offsets{cards}")[:] = offsets
        getattr(reading, f"strengths{cards}")[: len(strengths)] = strengths
    reading.cores[:] = [_core(int(plain)) for plain in tables.plain_strengths]
    reading.straight_draws[:] = _straight_draws()
    return reading


def _tables_of(cards: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint16]]:
    """The offsets and strengths of hands of this size, by row displacement."""
    keys, plain = list_multisets_of(cards)
    strengths = np.searchsorted(hand_tables().plain_strengths, plain).astype(np.uint16)
    return displace_rows(keys, strengths)


def _core(plain: int) -> int:
    """A plain strength without its kickers; 0 for a high card and for no hand."""
    if plain < 0:
        return 0
    category = Category(plain >> 20)
    return plain & (0xF00000 | _MADE_RANKS.get(category, 0xFFFFF))


def _straight_draws() -> npt.NDArray[np.int64]:
    """By mask of ranks: how many ranks would complete a straight; 0 if there is one."""
    masks = np.arange(1 << 13)
    straights = [0b1_0000_0000_1111, *(0b11111 << low for low in range(9))]
    complete = np.any([masks & straight == straight for straight in straights], axis=0)
    draws = np.sum([complete[masks | 1 << rank] for rank in range(13)], axis=0)
    return np.where(complete, 0, draws)
