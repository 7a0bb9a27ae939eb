"""The Bonus of Ultimate Draw Poker, played as well as it can be, counted over all draws.

The Bonus depends on the player's own cards alone: five dealt, and as many drawn as are discarded
(D.7, D.13). So each of the 2,598,960 hands has 32 ways to hold, and each way its equally likely
draws. For a set of cards S, let A(S) be the sum of the net results of all hands of five that
contain S. Holding K and discarding D then gives, by inclusion and exclusion, the sum over the
draws that avoid the discards: the sum of (-1)^|T| A(K with T) over all subsets T of D.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, lcm
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.rules.paytable import HandPaytable

_DECK: Final = 52
_HAND: Final = 5
_UNSEEN: Final = _DECK - _HAND
HANDS: Final = comb(_DECK, _HAND)
_COMMON: Final = lcm(*(comb(_UNSEEN, drawn) for drawn in range(_HAND + 1)))
"""A common denominator of the values of all holds."""
_CHUNK: Final = 1 << 17

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class DrawBonusFigures:
    """The exact expectation of a Bonus, with the best hold of every hand for the Bonus alone."""

    paytable: str
    expected: Fraction
    """The expected net result of one unit."""

    @property
    def house_advantage(self) -> Fraction:
        """The expected loss of one unit."""
        return -self.expected


def price_draw_bonus(table: HandPaytable) -> DrawBonusFigures:
    """Count the Bonus of Ultimate Draw Poker; takes a few seconds.

    Raises ValueError for a table with odds that are not whole, or that pays by the rank of a pair.
    """
    nets = _nets_by_category(table)[_categories()]
    sums = _sums_over_hands(nets)
    total = sum(_best_values(hands, sums) for hands in _chunks())
    return DrawBonusFigures(table.name, Fraction(total, HANDS * _COMMON))


def _nets_by_category(table: HandPaytable) -> Numbers:
    nets = np.full(len(Category), -1, dtype=np.int64)
    for row in table.rows:
        if row.hand.at_least is not None or row.odds.ratio.denominator != 1:
            raise ValueError(f"{table.name} pays by the rank of a pair or in parts of a unit")
        nets[row.hand.category] = int(row.odds.ratio)
    return nets


@cache
def _hands() -> npt.NDArray[np.int8]:
    """All hands of five cards, each with its cards in ascending order, by rank of the set."""
    every = np.fromiter(
        (card for hand in combinations(range(_DECK), _HAND) for card in hand),
        dtype=np.int8,
        count=HANDS * _HAND,
    ).reshape(HANDS, _HAND)
    order = np.argsort(_place(every))
    return every[order]


def _place(sets: npt.NDArray[np.int8]) -> Numbers:
    """The number of each set among all sets of its size: the sum of C(card, position)."""
    place = np.zeros(len(sets), dtype=np.int64)
    for position in range(sets.shape[1]):
        place += _BINOMIALS[position + 1][sets[:, position]]
    return place


_BINOMIALS: Final = [
    np.array([comb(card, size) for card in range(_DECK)], dtype=np.int64)
    for size in range(_HAND + 1)
]


def _chunks() -> Iterator[npt.NDArray[np.int8]]:
    hands = _hands()
    for start in range(0, HANDS, _CHUNK):
        yield hands[start : start + _CHUNK]


def _categories() -> npt.NDArray[np.int8]:
    """The category of each hand of five."""
    hands = _hands()
    ranks, suits = np.sort(hands // 4, axis=1), hands % 4
    same = ranks[:, 1:] == ranks[:, :-1]
    # How many pairs of cards have one rank: 1 pair, 2 pairs, 3 of a kind, 4 full house, 6 four.
    alike = sum((ranks[:, a] == ranks[:, b]).astype(np.int8) for a, b in combinations(range(5), 2))
    flush = (suits == suits[:, :1]).all(axis=1)
    distinct = ~same.any(axis=1)
    wheel = distinct & (ranks[:, 3] == 3) & (ranks[:, 4] == 12)
    straight = (distinct & (ranks[:, 4] - ranks[:, 0] == 4)) | wheel
    by_alike = np.zeros(7, dtype=np.int8)
    for pairs, category in (
        (1, Category.PAIR),
        (2, Category.TWO_PAIR),
        (3, Category.THREE_OF_A_KIND),
        (4, Category.FULL_HOUSE),
        (6, Category.FOUR_OF_A_KIND),
    ):
        by_alike[pairs] = category
    found: npt.NDArray[np.int8] = by_alike[alike]
    found[straight] = Category.STRAIGHT
    found[flush] = Category.FLUSH
    found[straight & flush] = Category.STRAIGHT_FLUSH
    found[straight & flush & (ranks[:, 0] == 8)] = Category.ROYAL_FLUSH
    return found


def _sums_over_hands(nets: Numbers) -> list[Numbers]:
    """By size of a set of cards, for each set the sum of the nets of all hands that contain it."""
    hands = _hands()
    sums = [np.zeros(comb(_DECK, size), dtype=np.int64) for size in range(_HAND + 1)]
    for size in range(_HAND + 1):
        for positions in combinations(range(_HAND), size):
            # Sums of whole numbers of this size are exact in a float.
            places = _place(hands[:, positions])
            sums[size] += np.bincount(places, weights=nets, minlength=len(sums[size])).astype(
                np.int64
            )
    return sums


def _best_values(hands: npt.NDArray[np.int8], sums: list[Numbers]) -> int:
    """The sum over hands of the value of the best hold, times the common denominator."""
    held: dict[int, Numbers] = {}
    for mask in range(1 << _HAND):
        positions = [position for position in range(_HAND) if mask >> position & 1]
        held[mask] = sums[len(positions)][_place(hands[:, positions])]
    # Take the hands with each discard away in turn: inclusion and exclusion, card by card.
    for position in range(_HAND):
        for mask in range(1 << _HAND):
            if not mask >> position & 1:
                held[mask] = held[mask] - held[mask | 1 << position]
    values = [held[mask] * (_COMMON // comb(_UNSEEN, _HAND - mask.bit_count())) for mask in held]
    return int(np.maximum.reduce(values).sum())
