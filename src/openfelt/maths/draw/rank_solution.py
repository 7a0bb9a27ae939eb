"""Every hold of every class of hands of Ultimate Draw, as far as ranks decide it.

The counts of all 134,459 classes are found together, by the kept ranks; the discards and the suits
are separated at the end. The counts are stored on disk in pieces.
"""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from openfelt.maths.draw import ante_results, rank_counts
from openfelt.maths.draw.ante_results import HOLDS
from openfelt.maths.draw.holds import DrawHolds, draw_holds
from openfelt.maths.draw.rank_counts import (
    FullRanks,
    Keep,
    KeptCounts,
    Ranks,
    count_kept_ranks,
    full_ranks,
    keeps_of,
)
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS
from openfelt.maths.kernels import rank_classes
from openfelt.maths.kernels.hold_results import RESULTS, UNQUALIFIED
from openfelt.maths.kernels.kernel_cache import kernel_sources
from openfelt.maths.kernels.strength_tables import RANK_KEYS
from openfelt.maths.parallel import Progress, ProgressCount, piece_results
from openfelt.maths.stored_counts import StoredCounts

_HAND = 5
_KEEPS_IN_PIECE = (1, 1, 7, 20, 100, 250)
"""By number of cards kept, how many ways to keep cards are counted in one piece."""
_KEYS = np.array(RANK_KEYS)
_STANDING_FLUSH = 1 << 40
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class RankSolution:
    """The results of every hold, without drawn flushes."""

    holds: DrawHolds
    results: Numbers
    """By class and hold, the deals that win and lose."""
    unqualified: Numbers
    """By class, the deals without a qualified dealer."""


def solve_ranks(
    deck: Sequence[int] = FULL_DECK_NUMBERS,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RankSolution:
    """Count every hold of every class of hands by ranks; some minutes for 52 cards.

    Raises ValueError for a deck that has its ranks in different suits.
    """
    full = full_ranks(deck)
    entries = hold_entries(full.deck)
    holds, pieces = entries.holds, entries.pieces
    stored = StoredCounts("draw-ranks", _sources(), f"{full.deck}", packed=True)
    results = np.zeros((len(holds.hands) * HOLDS, RESULTS), dtype=np.int64)
    count = ProgressCount(progress, len(pieces))
    missing = []
    for number, piece in enumerate(pieces):
        rows = entries.rows(piece)
        before = stored.read(number, (len(rows), RESULTS))
        if before is None:
            missing.append(number)
        else:
            results[rows] = before
            count.step()
    task = partial(_count_piece, full.deck)
    for place, counted in piece_results(task, [pieces[n] for n in missing], workers=workers):
        results[entries.rows(pieces[missing[place]])] = counted
        stored.write(missing[place], counted)
        count.step()
    shaped = results.reshape(len(holds.hands), HOLDS, RESULTS)
    return RankSolution(
        holds,
        np.ascontiguousarray(shaped[:, :, :UNQUALIFIED]),
        shaped[:, HOLDS - 1, UNQUALIFIED].copy(),
    )


def _count_piece(deck: tuple[int, ...], piece: tuple[int, int]) -> Numbers:
    """Count the holds of one piece."""
    entries = hold_entries(deck)
    return np.concatenate([entries.results(place) for place in range(*piece)])


def _pieces(keeps: Sequence[Keep]) -> list[tuple[int, int]]:
    """Divide the ways to keep cards into ranges."""
    pieces, start = [], 0
    for place in range(1, len(keeps) + 1):
        size = len(keeps[start].ranks)
        ends = place == len(keeps) or len(keeps[place].ranks) != size
        if ends or place - start == _KEEPS_IN_PIECE[size]:
            pieces.append((start, place))
            start = place
    return pieces


class HoldEntries:
    """The holds of all classes, sorted by the ranks that they keep."""

    def __init__(self, holds: DrawHolds, full: FullRanks, keeps: list[Keep]) -> None:
        self.full, self.keeps = full, keeps
        self.holds, self.pieces = holds, _pieces(keeps)
        self._hands = holds.hands
        keys = _KEYS[holds.hands >> 2]
        held = np.arange(HOLDS)[:, None] >> np.arange(_HAND) & 1
        sizes = held.sum(axis=1) << 32
        kept = keys @ held.T + sizes
        flush = (holds.hands & 3 == holds.hands[:, :1] & 3).all(axis=1)
        kept[flush, HOLDS - 1] += _STANDING_FLUSH
        codes = np.array([_code(keep) for keep in keeps])
        order = np.argsort(codes)
        number = order[np.searchsorted(codes[order], kept.ravel())]
        self._order = np.argsort(number, kind="stable")
        self._starts = np.searchsorted(number[self._order], np.arange(len(keeps) + 1))
        self._thrown = (keys.sum(axis=1)[:, None] - keys @ held.T).ravel()
        suits = sorted({card & 3 for card in full.deck})
        different = np.concatenate(
            [
                np.zeros((len(keys), 1), dtype=np.int64),
                (np.diff(holds.hands >> 2, axis=1) != 0).cumsum(axis=1),
            ],
            axis=1,
        )
        self._patterns = np.stack(
            [
                np.bitwise_or.reduce(np.where(holds.hands & 3 == suit, 1 << different, 0), axis=1)
                for suit in suits
            ],
            axis=1,
        )

    def rows(self, piece: tuple[int, int]) -> Numbers:
        """The holds of a piece, as numbers of class and hold."""
        first, stop = piece
        rows: Numbers = self._order[self._starts[first] : self._starts[stop]]
        return rows

    def results(self, place: int) -> Numbers:
        """Count the holds that keep the same ranks."""
        rows = self.rows((place, place + 1))
        counted = self.found(rows, count_kept_ranks(self.full, self.keeps[place]))
        out = np.zeros((len(counted), RESULTS), dtype=np.int64)
        out[:, : counted.shape[1]] = counted
        return out

    def thrown(self, rows: Numbers) -> list[Ranks]:
        """The distinct multisets of ranks that some holds discard."""
        cards = self._hands[rows // HOLDS] >> 2
        return sorted(
            {
                tuple(rank for place, rank in enumerate(ranks) if not hold >> place & 1)
                for ranks, hold in zip(cards.tolist(), (rows % HOLDS).tolist(), strict=True)
            }
        )

    def found(self, rows: Numbers, counts: KeptCounts) -> Numbers:
        """Look up the results of holds that keep the same ranks, by discards and suit patterns."""
        codes = np.array([int(_KEYS[list(thrown)].sum()) for thrown in counts.thrown])
        order = np.argsort(codes)
        number = order[np.searchsorted(codes[order], self._thrown[rows])]
        patterns = self._patterns[rows // HOLDS]
        results: Numbers = counts.plain[number]
        for suit in range(patterns.shape[1]):
            results = results + counts.by_pattern[number, patterns[:, suit]]
        return results


@lru_cache(maxsize=1)
def hold_entries(deck: tuple[int, ...]) -> HoldEntries:
    """Sort the holds of all classes of a deck by the ranks that they keep."""
    full = full_ranks(deck)
    return HoldEntries(draw_holds(deck), full, keeps_of(full))


def _code(keep: Keep) -> int:
    key = sum(RANK_KEYS[rank] for rank in keep.ranks)
    return (len(keep.ranks) << 32) + key + (_STANDING_FLUSH if keep.flush else 0)


def _sources() -> list[Path]:
    """The files that these counts depend on."""
    modules = (ante_results, rank_counts)
    kernels = kernel_sources(inspect.getfile(rank_classes))
    return [*(Path(inspect.getfile(module)) for module in modules), *kernels]
