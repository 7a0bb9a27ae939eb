"""The final hands of every hold of every class, and what the flushes among them can change.

Both follow from the draws alone: no hand of the dealer is compared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, comb, factorial, lcm, perm

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.draw.holds import DrawHolds
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS
from openfelt.maths.kernels.hold_counts import CATEGORIES, HOLDS, count_all_holds
from openfelt.maths.kernels.house_way import HOLD_ALL

KEPT = np.array([hold.bit_count() for hold in range(HOLDS)])
"""By hold, how many cards it keeps."""
_HAND = 5
_SUMS_MAX = 2**62
_FLUSHES = [Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH]
_BEAT_FLUSHES = [Category.FULL_HOUSE, Category.FOUR_OF_A_KIND]
_SURE_GAIN = Fraction(3, 8)
"""With 52 cards, in how many of the deals in which a flush is drawn it turns a loss into a win, at
least; see the derivation in `docs/internals/exact-draw.md`."""
Numbers = npt.NDArray[np.int64]
Pays = Mapping[Category, Fraction]


@dataclass(frozen=True)
class FinalHands:
    """The draws of every hold by category, and the number of deals behind each draw."""

    holds: DrawHolds
    categories: npt.NDArray[np.int32]
    """By class, hold and category of the final hand, the number of draws."""

    @property
    def deals(self) -> int:
        """How many deals each hand has."""
        return comb(self._unseen, _HAND) * perm(self._unseen - _HAND, _HAND)

    @property
    def _unseen(self) -> int:
        return int(self.holds.classes.deck.size) - _HAND

    @cached_property
    def deals_per_draw(self) -> Numbers:
        """By hold, the deals in which the player draws one set of cards."""
        ways = [
            comb(self._unseen - drawn, _HAND)
            * factorial(drawn)
            * perm(self._unseen - _HAND - drawn, _HAND - drawn)
            for drawn in range(_HAND, -1, -1)
        ]
        by_hold: Numbers = np.array(ways, dtype=np.int64)[KEPT]
        return by_hold

    def deals_that_end(self, categories: Sequence[Category]) -> Numbers:
        """By class and hold, the deals in which the player's hand ends in some categories."""
        draws = self.categories[:, :, categories].sum(axis=2, dtype=np.int64)
        deals: Numbers = draws * self.deals_per_draw
        return deals

    def paid(self, pays: Pays, scale: int) -> Numbers:
        """By class and hold, the payouts of all deals together, times `scale`.

        Raises ValueError for payouts that are too large, or too finely divided, to sum exactly
        together with four times the Ante.
        """
        whole = [int(pays.get(category, 0) * scale) for category in Category]
        if (max(map(abs, whole)) + 4 * scale) * self.deals >= _SUMS_MAX:
            raise ValueError("these odds are too large, or too finely divided, to sum exactly")
        total: Numbers = np.zeros(self.categories.shape[:2], dtype=np.int64)
        for category, pay in enumerate(whole):
            if pay:
                total += self.categories[:, :, category] * (pay * self.deals_per_draw)
        return total

    def flush_limits(self, final: Pays) -> tuple[Numbers, Numbers]:
        """The least and the most that drawn flushes add to wins less losses, in deals.

        A flush that the player draws never loses what was won. One that the dealer draws is lost
        by all holds alike, but for those that beat it and for straight flushes; `final` is how
        often a hand that holds the house way ends in each category. See the derivation in
        `docs/internals/exact-draw.md`.
        """
        deck = self._unseen + _HAND
        every = comb(deck, _HAND) * perm(deck - _HAND, _HAND)
        flushes = ceil(final[Category.FLUSH] * every)
        straight_flushes = ceil(
            (final[Category.STRAIGHT_FLUSH] + final[Category.ROYAL_FLUSH]) * every
        )
        own = self.deals_that_end(_FLUSHES)
        sure = self.deals_that_end([Category.FLUSH])
        sure[:, HOLD_ALL] = 0
        if deck == len(FULL_DECK_NUMBERS):
            sure = sure * _SURE_GAIN.numerator // _SURE_GAIN.denominator
        else:
            sure[:] = 0
        strong = self.deals_that_end(_BEAT_FLUSHES)
        strong[:, HOLD_ALL] += own[:, HOLD_ALL]
        own[:, HOLD_ALL] = 0
        most = 2 * (own + np.minimum(strong, flushes + straight_flushes))
        return 2 * (sure - straight_flushes), most


def final_hands(holds: DrawHolds) -> FinalHands:
    """Count the final hands of every hold of every class; about a second for 52 cards."""
    categories = np.zeros((len(holds.hands), HOLDS, CATEGORIES), dtype=np.int32)
    count_all_holds(holds.hands, holds.supersets, categories)
    return FinalHands(holds, categories)


def common_scale(*pays: Pays) -> int:
    """The factor that makes all of these payouts whole."""
    return lcm(*(pay.denominator for table in pays for pay in table.values()))
