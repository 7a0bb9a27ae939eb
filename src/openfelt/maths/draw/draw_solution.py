"""Ultimate Draw solved: every hold of every class of hands, and the value of the game.

The counts of a class do not depend on what is paid, so they are counted once and priced often.
"""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial, lcm, perm
from pathlib import Path

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.draw import ante_results, dealer_groups
from openfelt.maths.draw.ante_results import HOLDS, Results, count_hold_results, deals_of
from openfelt.maths.draw.draw_figures import DrawTerms
from openfelt.maths.draw.holds import DrawHolds, Holds, draw_holds
from openfelt.maths.draw.stored_counts import StoredCounts
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS, check_deck
from openfelt.maths.kernels import dealer_flushes, flush_results
from openfelt.maths.kernels.hold_counts import CATEGORIES, count_all_holds
from openfelt.maths.kernels.hold_results import LOSE, RESULTS, UNQUALIFIED, WIN
from openfelt.maths.kernels.kernel_cache import kernel_sources
from openfelt.maths.parallel import Progress, ProgressCount, share_out, slices, workers_available

_HAND = 5
_CLASSES_IN_PIECE = 100
_SUMS_MAX = 2**62
Values = npt.NDArray[np.int64]
"""By class of hands and hold, the value in units of a common denominator."""
_KEPT = np.array([hold.bit_count() for hold in range(HOLDS)])


@dataclass(frozen=True)
class DrawSolution:
    """The results of every hold of every class of hands."""

    holds: DrawHolds
    """The classes of hands."""
    results: npt.NDArray[np.int64]
    """By class, hold and result, the number of deals."""
    categories: npt.NDArray[np.int64]
    """By class, hold and category of the final hand, the number of draws."""

    @property
    def deals(self) -> int:
        """How many deals each hand has."""
        return deals_of(self.holds.classes.deck.size - _HAND)

    def values(
        self, terms: DrawTerms, bonus: Mapping[Category, Fraction] | None = None
    ) -> tuple[Values, int]:
        """The value of every hold, in Antes, and the denominator of all of them.

        `bonus` has what the Bonus nets by category, in Antes, if one is bet. Raises ValueError for
        odds that are too large, or too finely divided, to sum exactly.
        """
        pays = [terms.ante_bonus.get(c, Fraction(0)) for c in Category]
        if bonus is not None:
            pays = [pay + bonus[c] for pay, c in zip(pays, Category, strict=True)]
        scale = lcm(terms.unqualified_pays.denominator, *(pay.denominator for pay in pays))
        whole = np.array([int(pay * scale) for pay in pays], dtype=np.int64)
        share = int(terms.unqualified_pays * scale)
        if (int(np.abs(whole).max()) + share + scale) * self.deals >= _SUMS_MAX:
            raise ValueError("these odds are too large, or too finely divided, to sum exactly")
        ante = scale * (self.results[:, :, WIN] - self.results[:, :, LOSE])
        ante += share * self.results[:, :, UNQUALIFIED]
        return ante + self.categories @ whole * self._deals_per_draw[_KEPT], scale * self.deals

    @property
    def _deals_per_draw(self) -> npt.NDArray[np.int64]:
        """By number of held cards, the deals in which the player draws one set of cards."""
        unseen = self.holds.classes.deck.size - _HAND
        return np.array(
            [
                comb(unseen - drawn, _HAND)
                * factorial(drawn)
                * perm(unseen - _HAND - drawn, _HAND - drawn)
                for drawn in range(_HAND, -1, -1)
            ]
        )

    def best(self, terms: DrawTerms, bonus: Mapping[Category, Fraction] | None = None) -> Holds:
        """The best hold of each class; of equal ones, one that keeps the most cards."""
        values, _ = self.values(terms, bonus)
        order = np.argsort(-_KEPT, kind="stable")
        best: Holds = order[values[:, order].argmax(axis=1)].astype(np.uint8)
        return best

    def value(
        self,
        holds: Holds,
        terms: DrawTerms,
        bonus: Mapping[Category, Fraction] | None = None,
    ) -> Fraction:
        """The value of the game, in Antes, to a player with these holds."""
        values, denominator = self.values(terms, bonus)
        chosen = values[np.arange(len(holds)), holds].tolist()
        counts = self.holds.classes.boards.counts.tolist()
        total = sum(value * count for value, count in zip(chosen, counts, strict=True))
        return Fraction(total, denominator * sum(counts))


def solve_draw(
    deck: Sequence[int] = FULL_DECK_NUMBERS,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> DrawSolution:
    """Count every hold of every class of hands of a deck.

    A class of 52 cards takes about a second of processor time, and there are 134,459 of them.
    Finished pieces are kept in the folder of compiled kernels, so a count that was interrupted
    goes on where it stopped. Raises ValueError for a deck with fewer than 15 cards.
    """
    cards = check_deck(deck)
    holds = draw_holds(cards)
    classes = len(holds.hands)
    categories = np.zeros((classes, HOLDS, CATEGORIES), dtype=np.int64)
    count_all_holds(holds.hands, holds.supersets, categories)
    results = np.zeros((classes, HOLDS, RESULTS), dtype=np.int64)
    pieces = slices(classes, -(-classes // _CLASSES_IN_PIECE))
    stored = StoredCounts("draw-holds", _sources(), f"{cards}")

    def count(_: int, number: int) -> None:
        piece = pieces[number]
        before = stored.read(number, results[piece].shape)
        if before is None:
            before = _piece(holds.hands[piece], cards)
            stored.write(number, before)
        results[piece] = before

    numbers = range(len(pieces))
    share_out(
        count,
        numbers,
        workers=workers or workers_available(),
        progress=ProgressCount(progress, len(pieces)),
    )
    return DrawSolution(holds, results, categories)


def _piece(hands: npt.NDArray[np.uint8], deck: tuple[int, ...]) -> Results:
    return np.array([count_hold_results(hand.tolist(), deck=deck, workers=1) for hand in hands])


def _sources() -> list[Path]:
    """The files that these counts depend on."""
    modules = (ante_results, dealer_groups)
    kernels = (dealer_flushes, flush_results)
    listed = {path for module in kernels for path in kernel_sources(inspect.getfile(module))}
    return [*(Path(inspect.getfile(module)) for module in modules), *listed]
