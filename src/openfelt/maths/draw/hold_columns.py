"""Selected holds of Ultimate Draw, counted by ranks in several columns and stored on disk.

A column is a category of the final hand with its result, or a hand of the dealer.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from openfelt.maths.draw import ante_results, rank_counts
from openfelt.maths.draw.ante_results import HOLDS
from openfelt.maths.draw.rank_counts import FullRanks, Keep, KeptCounts, Ranks
from openfelt.maths.draw.rank_solution import HoldEntries, hold_entries
from openfelt.maths.parallel import Progress, ProgressCount, piece_results
from openfelt.maths.stored_counts import StoredCounts

_HAND = 5
Numbers = npt.NDArray[np.int64]
RanksCount = Callable[[FullRanks, Keep, Sequence[Ranks]], KeptCounts]
"""Counts some kept ranks with each of the given discards."""


@dataclass(frozen=True)
class ColumnKind:
    """A kind of count by hold: what is stored, and the function that counts it."""

    name: str
    columns: int
    count: RanksCount
    whole: bool
    """Whether hands that are held whole are counted; their columns are zero otherwise."""
    sources: Sequence[Path]
    """The files that these counts depend on, besides those of all kinds."""


class HoldColumns:
    """The columns of selected holds, as far as ranks decide them."""

    def __init__(self, deck: tuple[int, ...], kind: ColumnKind) -> None:
        self._deck, self._kind = deck, kind
        modules = (ante_results, rank_counts)
        sources = [Path(__file__), *(Path(inspect.getfile(module)) for module in modules)]
        self._stored = StoredCounts(kind.name, [*sources, *kind.sources], f"{deck}", packed=True)

    def count(
        self,
        wanted: Numbers,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Numbers:
        """Count the wanted holds that are not stored yet; each is given as 32 * class + hold."""
        entries, columns = hold_entries(self._deck), self._kind.columns
        chosen = np.zeros(len(entries.holds.hands) * HOLDS, dtype=np.bool_)
        chosen[wanted] = True
        results = np.zeros((len(chosen), columns), dtype=np.int64)
        counted_before = np.zeros(len(chosen), dtype=np.bool_)
        missing: list[int] = []
        steps = ProgressCount(progress, len(entries.pieces))
        for number, piece in enumerate(entries.pieces):
            stored = self._stored.read(number, (-1, 1 + columns))
            if stored is not None:
                results[stored[:, 0]] = stored[:, 1:]
                counted_before[stored[:, 0]] = True
            rows = entries.rows(piece)
            if (chosen & ~counted_before)[rows].any():
                missing.append(number)
            else:
                steps.step()
        piece_rows = [_asked(entries, entries.pieces[n], chosen | counted_before) for n in missing]
        task = partial(_count_piece, self._deck, self._kind)
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


def _count_piece(
    deck: tuple[int, ...], kind: ColumnKind, kept_rows: Sequence[tuple[int, Numbers]]
) -> Numbers:
    """Count the holds of one piece; the rows have their numbers and their counts."""
    entries = hold_entries(deck)
    parts = []
    for place, rows in kept_rows:
        keep = entries.keeps[place]
        counts = np.zeros((len(rows), kind.columns), dtype=np.int64)
        if kind.whole or len(keep.ranks) < _HAND:
            thrown = entries.thrown(rows)
            counts = entries.found(rows, kind.count(entries.full, keep, thrown))
        parts.append(np.column_stack([rows, counts]))
    return np.concatenate(parts)
