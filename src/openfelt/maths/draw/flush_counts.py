"""What drawn flushes change for some holds of some classes of hands, kept on disk.

These counts cost more than all others, and few of them are needed: of holds that may be the best,
or that a strategy takes.
"""

import inspect
from collections.abc import Mapping, Sequence
from functools import partial
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
from openfelt.maths.parallel import Progress, ProgressCount, piece_results

_CLASSES_IN_PIECE = 256
_COLUMNS = 4
Wanted = Mapping[int, Sequence[int]]
"""Holds by number of class."""
Hand = tuple[int, tuple[int, ...], Sequence[int]]
"""The number of a class, a hand of it, and some holds."""
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
        missing = {piece: self._missing(piece, wanted, pieces[piece]) for piece in pieces}
        steps = ProgressCount(progress, len(pieces))
        asked = [piece for piece, holds in missing.items() if holds]
        for _ in range(len(pieces) - len(asked)):
            steps.step()
        task = partial(_count_hands, self._deck)
        for place, changes in piece_results(task, [missing[n] for n in asked], workers=workers):
            known = self._read(asked[place])
            known.update(changes)
            rows = [[*key, *change] for key, change in sorted(known.items())]
            self._stored.write(asked[place], np.array(rows, dtype=np.int64))
            steps.step()
        return {
            (number, hold): self._read(piece)[number, hold]
            for piece, numbers in pieces.items()
            for number in numbers
            for hold in wanted[number]
        }

    def _missing(self, piece: int, wanted: Wanted, numbers: Sequence[int]) -> list[Hand]:
        """The hands of a piece with holds that are wanted and not known."""
        known = self._read(piece)
        holds = {n: [hold for hold in wanted[n] if (n, hold) not in known] for n in numbers}
        return [
            (number, tuple(self._hands[number].tolist()), some)
            for number, some in holds.items()
            if some
        ]

    def _read(self, piece: int) -> Changes:
        if piece not in self._known:
            rows = self._stored.read(piece, (-1, _COLUMNS))
            listed = [] if rows is None else rows.tolist()
            self._known[piece] = {(row[0], row[1]): (row[2], row[3]) for row in listed}
        return self._known[piece]


def _count_hands(deck: tuple[int, ...], hands: Sequence[Hand]) -> Changes:
    """Count the changes of some holds of some hands."""
    changes: Changes = {}
    for hand in hands:
        changes.update(_count_hand(deck, hand))
    return changes


def _count_hand(deck: tuple[int, ...], hand: Hand) -> Changes:
    """Add the changes of all suits; those of which the hand has no card are alike."""
    number, cards, holds = hand
    question = DrawQuestion(cards, (), deck)
    own = sorted({card & 3 for card in cards})
    others = sorted({card & 3 for card in deck}.difference(own))
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
