"""The results of selected holds by category of the final hand, as far as ranks decide them.

The counts are stored on disk in pieces.
"""

import inspect
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from openfelt.maths.draw import ante_results, rank_counts
from openfelt.maths.draw.ante_results import HOLDS
from openfelt.maths.draw.rank_counts import FullRanks, Keep, KeptCounts, Ranks, count_by_thrown
from openfelt.maths.draw.rank_solution import HoldEntries, hold_entries
from openfelt.maths.kernels import category_ranks
from openfelt.maths.kernels.category_ranks import COLUMNS, count_categories
from openfelt.maths.kernels.kernel_cache import kernel_sources
from openfelt.maths.parallel import Progress, ProgressCount, piece_results
from openfelt.maths.stored_counts import StoredCounts

_HAND = 5
Numbers = npt.NDArray[np.int64]


def count_category_ranks(full: FullRanks, keep: Keep, thrown: Sequence[Ranks]) -> KeptCounts:
    """Count the categories for some kept ranks, with each of the given discards."""
    return count_by_thrown(full, keep, thrown, count_categories, COLUMNS)


class CategoryCounts:
    """The results of selected holds by category, as far as ranks decide them."""

    def __init__(self, deck: tuple[int, ...]) -> None:
        self._deck = deck
        self._stored = StoredCounts("draw-categories", _sources(), f"{deck}", packed=True)

    def count(
        self,
        wanted: Numbers,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Numbers:
        """Count the wanted holds that are not stored yet; each is given as 32 * class + hold."""
        entries = hold_entries(self._deck)
        chosen = np.zeros(len(entries.holds.hands) * HOLDS, dtype=np.bool_)
        chosen[wanted] = True
        results = np.zeros((len(chosen), COLUMNS), dtype=np.int64)
        counted_before = np.zeros(len(chosen), dtype=np.bool_)
        missing: list[int] = []
        steps = ProgressCount(progress, len(entries.pieces))
        for number, piece in enumerate(entries.pieces):
            stored = self._stored.read(number, (-1, 1 + COLUMNS))
            if stored is not None:
                results[stored[:, 0]] = stored[:, 1:]
                counted_before[stored[:, 0]] = True
            rows = entries.rows(piece)
            if (chosen & ~counted_before)[rows].any():
                missing.append(number)
            else:
                steps.step()
        piece_rows = [_asked(entries, entries.pieces[n], chosen | counted_before) for n in missing]
        task = partial(_count_piece, self._deck)
        for place, counted in piece_results(task, piece_rows, workers=workers):
            results[counted[:, 0]] = counted[:, 1:]
            self._stored.write(missing[place], counted)
            steps.step()
        wanted_results: Numbers = results[wanted]
        return wanted_results


def _asked(
    entries: HoldEntries, piece: tuple[int, int], chosen: npt.NDArray[np.bool_]
) -> list[tuple[int, Numbers]]:
    """The ways to keep cards in a piece that are wanted, each with its holds."""
    kept_rows = []
    for place in range(*piece):
        rows = entries.rows((place, place + 1))
        if chosen[rows].any():
            kept_rows.append((place, rows[chosen[rows]]))
    return kept_rows


def _count_piece(deck: tuple[int, ...], kept_rows: Sequence[tuple[int, Numbers]]) -> Numbers:
    """Count the holds of one piece; the rows have their numbers and their counts."""
    entries = hold_entries(deck)
    parts = []
    for place, rows in kept_rows:
        keep = entries.keeps[place]
        counts = np.zeros((len(rows), COLUMNS), dtype=np.int64)
        if len(keep.ranks) < _HAND:
            thrown = entries.thrown(rows)
            counts = entries.found(rows, count_category_ranks(entries.full, keep, thrown))
        parts.append(np.column_stack([rows, counts]))
    return np.concatenate(parts)


def _sources() -> list[Path]:
    """The files that counts by ranks depend on."""
    modules = (ante_results, rank_counts)
    kernels = kernel_sources(inspect.getfile(category_ranks))
    return [Path(__file__), *(Path(inspect.getfile(module)) for module in modules), *kernels]
