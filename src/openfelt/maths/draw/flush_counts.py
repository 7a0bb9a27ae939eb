"""What drawn flushes change for some holds of some classes of hands, kept on disk.

These counts cost more than all others, and few of them are needed: of holds that may be the best,
or that a strategy takes.
"""

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from openfelt.maths.draw import ante_results, dealer_groups
from openfelt.maths.draw.ante_results import DrawQuestion, flush_results
from openfelt.maths.draw.stored_counts import StoredCounts
from openfelt.maths.kernels import dealer_flushes, suited_ways
from openfelt.maths.kernels import flush_results as players_flushes
from openfelt.maths.kernels.hold_results import LOSE, WIN
from openfelt.maths.kernels.kernel_cache import kernel_sources
from openfelt.maths.parallel import Progress, ProgressCount, share_out, workers_available

_CLASSES_IN_PIECE = 256
_COLUMNS = 4
Wanted = Mapping[int, Sequence[int]]
"""Holds by number of class."""
Changes = dict[tuple[int, int], tuple[int, int]]
"""By class and hold, the deals that win and lose beside those that ranks decide."""


class FlushCounts:
    """The changes that have been counted for a deck."""

    def __init__(self, hands: npt.NDArray[np.uint8], deck: tuple[int, ...]) -> None:
        """`hands` has one hand of each class."""
        self._hands, self._deck = hands, deck
        self._stored = StoredCounts("draw-flushes", _sources(), f"{deck}", packed=True)
        self._known: dict[int, Changes] = {}

    def known(self, wanted: Wanted) -> Changes:
        """What has been counted already, of classes for which all that is wanted is known."""
        found: Changes = {}
        for number, holds in wanted.items():
            known = self._read(number // _CLASSES_IN_PIECE)
            if all((number, hold) in known for hold in holds):
                found.update({(number, hold): known[number, hold] for hold in holds})
        return found

    def count(
        self, wanted: Wanted, *, workers: int | None = None, progress: Progress | None = None
    ) -> Changes:
        """Count what is wanted, as far as it is not known."""
        pieces: dict[int, list[int]] = {}
        for number in sorted(wanted):
            pieces.setdefault(number // _CLASSES_IN_PIECE, []).append(number)
        found: Changes = {}

        def count(_: int, piece: int) -> None:
            known = self._read(piece)
            missing = {
                number: [hold for hold in wanted[number] if (number, hold) not in known]
                for number in pieces[piece]
            }
            for number, holds in missing.items():
                if holds:
                    known.update(self._count_hand(number, holds))
            if any(missing.values()):
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

    def _count_hand(self, number: int, holds: Sequence[int]) -> Changes:
        """Add the changes of all suits; those of which the hand has no card are alike."""
        cards = tuple(self._hands[number].tolist())
        question = DrawQuestion(cards, (), self._deck)
        own = sorted({card & 3 for card in cards})
        others = sorted({card & 3 for card in self._deck}.difference(own))
        total = sum(flush_results(question, holds, suit) for suit in own)
        if others:
            total = total + len(others) * flush_results(question, holds, others[0])
        return {
            (number, hold): (int(row[WIN]), int(row[LOSE]))
            for hold, row in zip(holds, np.asarray(total), strict=True)
        }


def _sources() -> list[Path]:
    """The files that these counts depend on."""
    modules = (ante_results, dealer_groups)
    kernels = (dealer_flushes, players_flushes, suited_ways)
    listed = {path for module in kernels for path in kernel_sources(inspect.getfile(module))}
    return [*(Path(inspect.getfile(module)) for module in modules), *listed]
