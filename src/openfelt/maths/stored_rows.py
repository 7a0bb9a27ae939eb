"""One row of whole numbers for each of many items, stored on disk while they are counted.

Pieces are small, to keep many workers busy. Blocks are larger, so that a long count does not leave
thousands of files: a block is written as soon as its last piece is finished.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from openfelt.maths.parallel import Progress, piece_results
from openfelt.maths.stored_counts import StoredCounts

_Item = TypeVar("_Item")
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowBlocks:
    """The files of a count: each has the rows of a fixed number of items."""

    stored: StoredCounts
    """Packed counts, in which a block is a piece."""
    items: int
    resumed: Progress | None = None
    """Called with the number of rows of an earlier count, if any, and of all rows."""


def counted_rows(
    task: Callable[[Sequence[_Item]], Numbers],
    items: Sequence[_Item],
    *,
    columns: int,
    at_once: int,
    blocks: RowBlocks | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Numbers:
    """The rows of all items, by a task that counts those of some items, `at_once` at most.

    With `blocks`, an interrupted count continues where it stopped, and a finished one is not
    repeated. Progress is in items. Other processes may count, as with `piece_results`.

    >>> def squares(numbers: Sequence[int]) -> Numbers:
    ...     return np.array([[number, number**2] for number in numbers])
    >>> counted_rows(squares, range(4), columns=2, at_once=3).tolist()
    [[0, 0], [1, 1], [2, 4], [3, 9]]
    """
    rows = np.zeros((len(items), columns), dtype=np.int64)
    parts = _cut(slice(0, len(items)), blocks.items if blocks else max(1, len(items)))
    missing = _missing(rows, parts, blocks)
    done = len(items) - sum(parts[number].stop - parts[number].start for number in missing)
    if done and blocks and blocks.resumed:
        blocks.resumed(done, len(items))
    pieces = [(number, piece) for number in missing for piece in _cut(parts[number], at_once)]
    left = Counter(number for number, _ in pieces)
    for place, counted in piece_results(
        task, [items[piece] for _, piece in pieces], workers=workers
    ):
        number, piece = pieces[place]
        rows[piece] = counted
        left[number] -= 1
        if blocks and not left[number]:
            blocks.stored.write(number, rows[parts[number]])
        done += piece.stop - piece.start
        if progress:
            progress(done, len(items))
    return rows


def _missing(rows: Numbers, parts: Sequence[slice], blocks: RowBlocks | None) -> list[int]:
    """Fill in the stored blocks, and return the numbers of the others."""
    missing = []
    for number, part in enumerate(parts):
        before = blocks.stored.read(number, rows[part].shape) if blocks else None
        if before is None:
            missing.append(number)
        else:
            rows[part] = before
    return missing


def _cut(span: slice, size: int) -> list[slice]:
    """Divide a slice into slices of one size; the last one may be smaller."""
    return [
        slice(start, min(start + size, span.stop)) for start in range(span.start, span.stop, size)
    ]
