"""The Bonus of Ultimate Draw, priced repeatedly while its paytable is varied.

`price_draw_bonus` counts the final hands of every hold by category before it compares them. Here,
the nets of all hands that contain each set of cards are summed first, so inclusion and exclusion
works on one sum for each set instead of ten counts. The final hands of the house way do not depend
on a paytable and are counted once. Both ways give the same whole numbers.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.draw.bonus import DrawPlay, bonus_bet, bonus_nets
from openfelt.maths.draw.holds import DrawHolds, Holds, draw_holds
from openfelt.maths.wagers.side_bet_figures import SideBet
from openfelt.rules.paytable import HandPaytable

_HAND: Final = 5
_HOLDS: Final = 1 << _HAND
_CHUNK: Final = 8192
"""How many classes are priced together: their sums fit into a processor's cache."""
_MOST_KEPT_FIRST: Final = sorted(range(_HOLDS), key=lambda held: (-held.bit_count(), held))
"""Of holds with the same value, the first in this order is chosen."""


class BonusPrices:
    """The holds of a deck, prepared to price many tables."""

    def __init__(self, holds: DrawHolds) -> None:
        self.holds = holds
        self._rows = _held_rows(holds)
        kept = [held.bit_count() for held in range(_HOLDS)]
        self._weights = holds.weights[kept][:, None]

    def price(self, table: HandPaytable, play: DrawPlay = DrawPlay.BEST) -> SideBet:
        """Price a table like `price_draw_bonus`; raises ValueError for the same tables."""
        nets = bonus_nets(table)
        best = play is DrawPlay.BEST
        counts = self.holds.categories(self.best(nets)) if best else self._house_way
        return bonus_bet(table, counts, self.holds.draws)

    def best(self, nets: Mapping[Category, Fraction]) -> Holds:
        """The best hold of each class, like `DrawHolds.best`; raises ValueError."""
        sets, net = self.holds.supersets, self.holds.whole_nets(nets)
        above = np.concatenate([sets.counts @ net, net[sets.categories]])
        classes = self._rows.shape[1]
        parts = [slice(start, start + _CHUNK) for start in range(0, classes, _CHUNK)]
        return np.concatenate([self._best(above[self._rows[:, part]]) for part in parts])

    def _best(self, sums: npt.NDArray[np.int64]) -> Holds:
        """The best holds of some classes, from the net sums of the hands that contain each hold."""
        for place in range(_HAND):
            # Subtract the hands that contain a discard, one card after the other.
            halves = sums.reshape(_HOLDS >> place + 1, 2, 1 << place, -1)
            halves[:, 0] -= halves[:, 1]
        values = (sums * self._weights)[_MOST_KEPT_FIRST]
        best: Holds = np.array(_MOST_KEPT_FIRST, dtype=np.uint8)[values.argmax(axis=0)]
        return best

    @cached_property
    def _house_way(self) -> dict[Category, int]:
        return self.holds.categories(self.holds.house_way)


@lru_cache(maxsize=1)
def bonus_prices() -> BonusPrices:
    """The prices of the full deck; about a second, and less if its holds are counted already.

    >>> from openfelt.catalog import load_catalog
    >>> bonus = bonus_prices().price(load_catalog().paytables["bonus", "UDP-02"])
    >>> bonus.house_advantage
    Fraction(360282613, 19315145850)
    """
    return BonusPrices(draw_holds())


def _held_rows(holds: DrawHolds) -> npt.NDArray[np.int32]:
    """By hold and class, the row of the held cards among all sets of at most five cards."""
    sets = holds.supersets
    positions = sets.position_of[holds.hands]
    cards = holds.classes.deck.size
    choose = np.array([[comb(n, size) for size in range(_HAND + 1)] for n in range(cards)])
    rows = np.zeros((_HOLDS, len(positions)), dtype=np.int32)
    for held in range(_HOLDS):
        places = [place for place in range(_HAND) if held >> place & 1]
        rows[held] = sets.starts[len(places)]
        for size, place in enumerate(places, 1):
            rows[held] += choose[positions[:, place], size]
    return rows
