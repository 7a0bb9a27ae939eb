"""The changes by drawn flushes for selected holds of selected classes of hands, stored on disk.

These counts cost more than all others, and few are needed: those of holds that may be best, or that
a strategy chooses.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from openfelt.maths.draw import ante_results, dealer_groups, flush_changes
from openfelt.maths.draw.flush_changes import SameRanks
from openfelt.maths.kernels import dealer_flushes, flush_gains, player_flushes, suited_ways
from openfelt.maths.kernels.hold_results import RESULTS
from openfelt.maths.kernels.kernel_cache import kernel_sources
from openfelt.maths.kernels.result_columns import SPREAD
from openfelt.maths.parallel import Progress, ProgressCount, piece_results
from openfelt.maths.stored_counts import StoredCounts

_RANKS_IN_PIECE = 64
"""How many multisets of five ranks, with all their suits, are counted in one piece."""
Wanted = Mapping[int, Sequence[int]]
"""Holds by number of class."""
Hand = tuple[int, tuple[int, ...], Sequence[int]]
"""The number of a class, a hand of it, and some holds."""
Changes = dict[tuple[int, int], tuple[int, ...]]
"""By class and hold, the change of the deals that win and lose against the counts by ranks. A loss
that is the same for all holds of a class is left out.
"""
HandCount = Callable[[tuple[int, ...], Sequence[Hand]], Changes]
"""Counts selected holds of selected hands of a deck."""


@dataclass(frozen=True)
class CountKind:
    """A kind of count by class and hold: what is stored, and the function that counts it."""

    name: str
    columns: int
    count: HandCount
    sources: Sequence[Path]
    """The files that these counts depend on."""


class FlushCounts:
    """The changes that have been counted for a deck."""

    def __init__(
        self, hands: npt.NDArray[np.uint8], deck: tuple[int, ...], kind: CountKind | None = None
    ) -> None:
        """`hands` has one hand of each class."""
        self._hands, self._deck = hands, deck
        self._kind = kind or CountKind("draw-flushes", 2, count_hands, flush_sources())
        _, self._ranks = np.unique(hands >> 2, axis=0, return_inverse=True)
        self._stored = StoredCounts(self._kind.name, self._kind.sources, f"{deck}", packed=True)
        self._known: dict[int, Changes] = {}

    def known(self, wanted: Wanted) -> Changes:
        """The stored counts of the classes whose wanted holds have all been counted."""
        changes: Changes = {}
        for number, holds in wanted.items():
            stored = self._read(self._piece(number))
            if all((number, hold) in stored for hold in holds):
                changes.update({(number, hold): stored[number, hold] for hold in holds})
        return changes

    def count(
        self, wanted: Wanted, *, workers: int | None = None, progress: Progress | None = None
    ) -> Changes:
        """Count the wanted holds that are not stored yet."""
        pieces: dict[int, list[int]] = {}
        for number in sorted(wanted):
            pieces.setdefault(self._piece(number), []).append(number)
        missing = {piece: self._missing(piece, wanted, pieces[piece]) for piece in pieces}
        steps = ProgressCount(progress, len(pieces))
        incomplete = [piece for piece, holds in missing.items() if holds]
        for _ in range(len(pieces) - len(incomplete)):
            steps.step()
        task = partial(self._kind.count, self._deck)
        for place, changes in piece_results(
            task, [missing[n] for n in incomplete], workers=workers
        ):
            stored = self._read(incomplete[place])
            stored.update(changes)
            rows = [[*key, *change] for key, change in sorted(stored.items())]
            self._stored.write(incomplete[place], np.array(rows, dtype=np.int64))
            steps.step()
        return {
            (number, hold): self._read(piece)[number, hold]
            for piece, numbers in pieces.items()
            for number in numbers
            for hold in wanted[number]
        }

    def _piece(self, number: int) -> int:
        return int(self._ranks[number]) // _RANKS_IN_PIECE

    def _missing(self, piece: int, wanted: Wanted, numbers: Sequence[int]) -> list[Hand]:
        """The hands of a piece with wanted holds that are not stored."""
        stored = self._read(piece)
        holds = {n: [hold for hold in wanted[n] if (n, hold) not in stored] for n in numbers}
        return [
            (number, tuple(self._hands[number].tolist()), uncounted)
            for number, uncounted in holds.items()
            if uncounted
        ]

    def _read(self, piece: int) -> Changes:
        if piece not in self._known:
            rows = self._stored.read(piece, (-1, 2 + self._kind.columns))
            listed = [] if rows is None else rows.tolist()
            self._known[piece] = {(row[0], row[1]): tuple(row[2:]) for row in listed}
        return self._known[piece]


def with_same_ranks(hands: Sequence[Hand]) -> Iterable[list[Hand]]:
    """The hands, grouped by their ranks."""
    same: dict[tuple[int, ...], list[Hand]] = {}
    for hand in hands:
        same.setdefault(tuple(card >> 2 for card in hand[1]), []).append(hand)
    return same.values()


def count_hands(deck: tuple[int, ...], hands: Sequence[Hand], *, spread: bool = False) -> Changes:
    """Count the changes of some holds of some hands; hands with the same ranks together."""
    changes: Changes = {}
    for alike in with_same_ranks(hands):
        ranks = SameRanks(deck, {cards: holds for _, cards, holds in alike}, spread=spread)
        for number, cards, holds in alike:
            for hold, row in zip(holds, ranks.changes(cards).tolist(), strict=True):
                changes[number, hold] = tuple(row)
    return changes


def spread_kind() -> CountKind:
    """The kind of the changes by category of the final hand."""
    columns = SPREAD * RESULTS
    return CountKind("draw-spread", columns, partial(count_hands, spread=True), flush_sources())


def flush_sources() -> list[Path]:
    """The files that these counts depend on."""
    modules = (ante_results, dealer_groups, flush_changes)
    kernels = (dealer_flushes, flush_gains, player_flushes, suited_ways)
    listed = {path for module in kernels for path in kernel_sources(inspect.getfile(module))}
    return [*(Path(inspect.getfile(module)) for module in modules), *listed]
