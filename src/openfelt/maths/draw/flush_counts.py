"""What drawn flushes change for some holds of some classes of hands, kept on disk.

These counts cost more than all others, and few of them are needed: of holds that may be the best,
or that a strategy takes.
"""

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from openfelt.maths.draw import ante_results, dealer_groups, flush_changes
from openfelt.maths.draw.flush_changes import SameRanks
from openfelt.maths.draw.stored_counts import StoredCounts
from openfelt.maths.kernels import dealer_flushes, flush_gains, flush_results, suited_ways
from openfelt.maths.kernels.kernel_cache import kernel_sources
from openfelt.maths.parallel import Progress, ProgressCount, share_out, workers_available

_RANKS_IN_PIECE = 64
"""How many multisets of five ranks, with all their suits, are counted in one piece."""
_COLUMNS = 4
Wanted = Mapping[int, Sequence[int]]
"""Holds by number of class."""
Changes = dict[tuple[int, int], tuple[int, int]]
"""By class and hold, the deals that win and lose beside those that ranks decide.

A loss that is the same for all holds of a class is left out.
"""


class FlushCounts:
    """The changes that have been counted for a deck."""

    def __init__(self, hands: npt.NDArray[np.uint8], deck: tuple[int, ...]) -> None:
        """`hands` has one hand of each class."""
        self._hands, self._deck = hands, deck
        _, self._ranks = np.unique(hands >> 2, axis=0, return_inverse=True)
        self._stored = StoredCounts("draw-flushes", _sources(), f"{deck}", packed=True)
        self._known: dict[int, Changes] = {}

    def known(self, wanted: Wanted) -> Changes:
        """What has been counted already, of classes for which all that is wanted is known."""
        found: Changes = {}
        for number, holds in wanted.items():
            known = self._read(self._piece(number))
            if all((number, hold) in known for hold in holds):
                found.update({(number, hold): known[number, hold] for hold in holds})
        return found

    def count(
        self, wanted: Wanted, *, workers: int | None = None, progress: Progress | None = None
    ) -> Changes:
        """Count what is wanted, as far as it is not known."""
        pieces: dict[int, list[int]] = {}
        for number in sorted(wanted):
            pieces.setdefault(self._piece(number), []).append(number)
        found: Changes = {}

        def count(_: int, piece: int) -> None:
            known = self._read(piece)
            missing = {
                number: [hold for hold in wanted[number] if (number, hold) not in known]
                for number in pieces[piece]
            }
            if any(missing.values()):
                known.update(self._count(missing))
                rows = [[*key, *change] for key, change in sorted(known.items())]
                self._stored.write(piece, np.array(rows, dtype=np.int64))
            found.update(
                {
                    (number, hold): known[number, hold]
                    for number in missing
                    for hold in wanted[number]
                }
            )

        share_out(
            count,
            list(pieces),
            workers=workers or workers_available(),
            progress=ProgressCount(progress, len(pieces)),
        )
        return found

    def _read(self, piece: int) -> Changes:
        if piece not in self._known:
            rows = self._stored.read(piece, (-1, _COLUMNS))
            listed = [] if rows is None else rows.tolist()
            self._known[piece] = {(row[0], row[1]): (row[2], row[3]) for row in listed}
        return self._known[piece]

    def _piece(self, number: int) -> int:
        return int(self._ranks[number]) // _RANKS_IN_PIECE

    def _count(self, missing: Wanted) -> Changes:
        """Count classes with the same ranks together."""
        found: Changes = {}
        same: dict[int, dict[int, Sequence[int]]] = {}
        for number, holds in missing.items():
            if holds:
                same.setdefault(int(self._ranks[number]), {})[number] = holds
        for classes in same.values():
            hands = {number: tuple(self._hands[number].tolist()) for number in classes}
            ranks = SameRanks(self._deck, {hands[n]: holds for n, holds in classes.items()})
            for number, holds in classes.items():
                changes = ranks.changes(hands[number]).tolist()
                for hold, (win, lose) in zip(holds, changes, strict=True):
                    found[number, hold] = (win, lose)
        return found


def _sources() -> list[Path]:
    """The files that these counts depend on."""
    modules = (ante_results, dealer_groups, flush_changes)
    kernels = (dealer_flushes, flush_gains, flush_results, suited_ways)
    listed = {path for module in kernels for path in kernel_sources(inspect.getfile(module))}
    return [*(Path(inspect.getfile(module)) for module in modules), *listed]
