"""The holds of five cards, for every class of hands, and the final hands that follow.

A hand of 52 cards belongs to one of 134,459 classes under permutations of the suits. Each of its
32 holds has C(47, k) equally likely draws of k cards. Totals over all hands are given in draws of
one common denominator, so that they are whole numbers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, lcm

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS, DeckClasses, classify_deck
from openfelt.maths.kernels.hold_counts import (
    CATEGORIES,
    Supersets,
    cards_held,
    count_classes,
    count_supersets,
    find_best_holds,
    find_house_way_holds,
)

Holds = npt.NDArray[np.uint8]
"""For each class of hands the cards to hold, as bits; bit 0 stands for the lowest card."""
_HAND = 5
_SUMS_MAX = 2**62
_REMEMBERED = 32
"""How many paytables, and how many sets of holds, keep their results; 0.1 MB each."""


@dataclass(frozen=True)
class DrawHolds:
    """The hands of a deck in classes, with the draws of every hold."""

    classes: DeckClasses
    supersets: Supersets

    @property
    def hands(self) -> npt.NDArray[np.uint8]:
        """The representative of each class, lowest card first."""
        return self.classes.hands.cards

    @property
    def unit(self) -> int:
        """The common denominator: each hand counts as this many draws."""
        unseen = self.classes.deck.size - _HAND
        return lcm(*(comb(unseen, drawn) for drawn in range(_HAND + 1)))

    @property
    def draws(self) -> int:
        """The number of all draws: all hands, each in `unit` draws."""
        return comb(self.classes.deck.size, _HAND) * self.unit

    @property
    def weights(self) -> npt.NDArray[np.int64]:
        """By number of held cards, how many of the `unit` draws each final hand counts for."""
        unseen = self.classes.deck.size - _HAND
        return np.array([self.unit // comb(unseen, _HAND - held) for held in range(_HAND + 1)])

    def best(self, nets: Mapping[Category, Fraction]) -> Holds:
        """The best hold of each class, given the net of each final hand.

        Of holds with the same value, the one that keeps the most cards is chosen. Raises
        ValueError for nets that are too large, or too finely divided, to sum exactly.
        """
        return self._best_holds(tuple(self.whole_nets(nets).tolist()))

    @cached_property
    def _best_holds(self) -> Callable[[tuple[int, ...]], Holds]:
        """The best holds for whole nets: the paytables of one report are asked for repeatedly."""

        @lru_cache(maxsize=_REMEMBERED)
        def best_holds(nets: tuple[int, ...]) -> Holds:
            holds = np.zeros(len(self.hands), dtype=np.uint8)
            whole = np.array(nets, dtype=np.int64)
            find_best_holds(self.hands, whole, self.weights, self.supersets, holds)
            holds.setflags(write=False)
            return holds

        return best_holds

    def whole_nets(self, nets: Mapping[Category, Fraction]) -> npt.NDArray[np.int64]:
        """The nets by category as whole numbers; raises ValueError if sums would overflow."""
        scale = lcm(*(net.denominator for net in nets.values()))
        whole = [int(nets[category] * scale) for category in Category]
        if max(map(abs, whole)) * self.unit >= _SUMS_MAX:
            raise ValueError("these odds are too large, or too finely divided, to sum exactly")
        return np.array(whole, dtype=np.int64)

    @cached_property
    def house_way(self) -> Holds:
        """The hold of the dealer's house way for each class (D.6)."""
        holds = np.zeros(len(self.hands), dtype=np.uint8)
        find_house_way_holds(self.hands, reading_tables(), holds)
        return holds

    def categories(self, holds: Holds) -> dict[Category, int]:
        """How many of all `draws` end in each category with these holds."""
        totals = self._totals(holds.tobytes())
        return {category: totals[category] for category in Category}

    @cached_property
    def _totals(self) -> Callable[[bytes], list[int]]:
        """The draws that end in each category, by the bytes of the holds."""
        return lru_cache(maxsize=_REMEMBERED)(self._count_categories)

    def _count_categories(self, chosen: bytes) -> list[int]:
        holds = np.frombuffer(chosen, dtype=np.uint8)
        final = np.zeros((len(self.hands), CATEGORIES), dtype=np.int64)
        count_classes(self.hands, holds, self.supersets, final)
        kept = np.array([cards_held.py_func(held) for held in range(1 << _HAND)])[holds]
        factors = self.classes.hands.counts * self.weights[kept]
        return [int(total) for total in (final * factors[:, None]).sum(axis=0)]


@lru_cache(maxsize=2)
def draw_holds(deck: tuple[int, ...] = FULL_DECK_NUMBERS) -> DrawHolds:
    """Count the hands that contain each set of at most five cards; about a second for 52 cards.

    >>> holds = draw_holds()
    >>> len(holds.hands), holds.draws // holds.unit
    (134459, 2598960)
    """
    classes = classify_deck(deck)
    cards = classes.deck.size
    starts = np.cumsum([0, *(comb(cards, size) for size in range(_HAND))])
    supersets = Supersets(
        counts=np.zeros((int(starts[-1]), CATEGORIES), dtype=np.int32),
        starts=starts,
        categories=np.zeros(comb(cards, _HAND), dtype=np.uint8),
        position_of=classes.position_of,
    )
    count_supersets(classes.deck, reading_tables(), supersets)
    return DrawHolds(classes, supersets)
