"""The statistics of `openfelt.maths.shuffle_statistics`, counted deck by deck.

The counts of each deck are added once and the deck is then discarded, so memory does not grow with
their number. `run_suite` on the same decks gives the same results; a test compares the two.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from math import sqrt
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.maths import shuffle_statistics as suite
from openfelt.maths.shuffle_statistics import TestResult

REMEMBERED_MAX: Final = 200_000
"""How many earlier decks each new one is compared with for a repetition, by a hash of 16 bytes."""
FEW: Final = 500
"""The tests of means are valid from this many decks on; those of cells need `DECKS_MIN`."""
CELL_TESTS: Final = (
    "card by position",
    "adjacent pairs",
    "top cards of two decks",
    "overlaps",
    "coupon collector",
)
"""The tests that need `DECKS_MIN` decks."""
MEAN_TESTS: Final = (
    "runs up and down",
    "runs of colour",
    "correlation in a deck",
    "correlation of draws",
)
"""The tests that need `FEW` decks."""
_MIDDLE: Final = 25.5
_SQUARES: Final = 52 * (52**2 - 1) / 12
_RED: Final = (1, 2)


def _table(cells: int) -> npt.NDArray[np.int64]:
    return np.zeros(cells, dtype=np.int64)


@dataclass(slots=True)
class ShuffleCounts:
    """The counts of all decks so far."""

    decks: int = 0
    _positions: npt.NDArray[np.int64] = field(default_factory=lambda: _table(52 * 52))
    _pairs: npt.NDArray[np.int64] = field(default_factory=lambda: _table(52 * 51))
    _tops: npt.NDArray[np.int64] = field(default_factory=lambda: _table(52 * 52))
    _same: npt.NDArray[np.int64] = field(default_factory=lambda: _table(7))
    _runs: int = 0
    _colours: int = 0
    _correlation: float = 0.0
    _correlation_squares: float = 0.0
    _draws: float = 0.0
    _last: npt.NDArray[np.int64] | None = None
    _collected: set[int] = field(default_factory=set)
    _collecting: int = 0
    _collections: list[int] = field(default_factory=list)
    _remembered: dict[bytes, None] = field(default_factory=dict)
    _repeated: int = 0

    def add(self, deck: Sequence[int], *, order: bytes | None = None) -> None:
        """Add a deck of 52 card numbers, from the top down.

        ``order`` is what repeats if the shuffler does, if that is not the whole deck.
        """
        cards = np.array(deck, dtype=np.int64)
        if sorted(deck) != list(range(52)):
            raise ValueError("a deck has each of the 52 cards once")
        number = self.decks
        self._positions[np.arange(52) * 52 + cards] += 1
        first, second = int(cards[number % 51]), int(cards[number % 51 + 1])
        self._pairs[first * 51 + second - (second > first)] += 1
        rising = cards[1:] > cards[:-1]
        self._runs += 1 + int((rising[1:] != rising[:-1]).sum())
        red = np.isin(cards % 4, _RED)
        self._colours += 1 + int((red[1:] != red[:-1]).sum())
        centred = cards - _MIDDLE
        correlation = float(centred @ np.roll(centred, 1)) / _SQUARES
        self._correlation += correlation
        self._correlation_squares += correlation**2
        self._add_beside_last(cards, second_of_pair=number % 2 == 1)
        self._collect(int(cards[0]))
        self._remember(bytes(deck) if order is None else order)
        self.decks += 1
        self._last = cards

    def _add_beside_last(self, cards: npt.NDArray[np.int64], *, second_of_pair: bool) -> None:
        if self._last is None:
            return
        self._draws += float((self._last[0] - _MIDDLE) * (cards[0] - _MIDDLE))
        if second_of_pair:
            self._tops[self._last[0] * 52 + cards[0]] += 1
            self._same[min(int((self._last == cards).sum()), 6)] += 1

    def _collect(self, top: int) -> None:
        self._collecting += 1
        self._collected.add(top)
        if len(self._collected) == 52:
            self._collections.append(self._collecting)
            self._collected, self._collecting = set(), 0

    def _remember(self, deck: bytes) -> None:
        name = blake2b(deck, digest_size=16).digest()
        self._repeated += name in self._remembered
        self._remembered[name] = None
        while len(self._remembered) > REMEMBERED_MAX:
            del self._remembered[next(iter(self._remembered))]

    def add_part(self, part: Sequence[int], *, salt: bytes) -> None:
        """Add a deck without some cards, such as a terminal's own, from the top down.

        The missing cards are inserted at places that depend on ``salt`` alone. So all orders of the
        52 cards are equally likely exactly if all orders of the part are, and two parts that lack
        the same cards do not become similar by this.
        """
        drawn, deck = Random(salt), list(part)
        rest = sorted(set(range(52)) - set(part))
        drawn.shuffle(rest)
        for card in rest:
            deck.insert(drawn.randint(0, len(deck)), card)
        self.add(deck, order=bytes(part))

    # Results ----------------------------------------------------------------------------

    def results(self) -> list[TestResult]:
        """The tests for which there are enough decks."""
        number = self.decks
        results = [suite.duplicates_of(self._repeated, number)] if number else []
        if number >= FEW:
            results += [
                suite.runs_of(self._runs / number, number),
                suite.colours_of(self._colours / number, number),
                suite.correlation_of(self._correlation / number, self._deviation / sqrt(number)),
                suite.draws_of(self._draws / (number - 1), number - 1),
            ]
        if number >= suite.DECKS_MIN:
            results += [
                suite.positions_of(self._positions, number),
                suite.pairs_of(self._pairs),
                suite.tops_of(self._tops),
                suite.overlaps_of(self._same),
                suite.collections_of(self._collections, number),
            ]
        return results

    @property
    def _deviation(self) -> float:
        number = self.decks
        mean = self._correlation / number
        return sqrt(max(0.0, (self._correlation_squares - number * mean**2) / (number - 1)))
