"""Passes over all boards and flops of a deck, shared among threads."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from openfelt.maths.holdem.deck_classes import DeckClasses
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.kernels.card_sets import BoardClasses
from openfelt.maths.kernels.flops import FLOP, price_flops, runout_sums
from openfelt.maths.kernels.outcomes import Decisions, weigh_flops
from openfelt.maths.kernels.records import new_record
from openfelt.maths.kernels.showdowns import SHOWDOWNS
from openfelt.maths.parallel import Progress, ProgressCount, share_out, slices, workers_available

_BOARD_PIECES: Final = 64
_FLOP_PIECES: Final = 32
_INT32_MAX: Final = 2**31 - 1

BoardJob = Callable[[int, slice, BoardClasses, np.record], object]
"""Takes the worker's number, a piece of the board classes as a slice and as arrays, and a
record of `SHOWDOWNS` to work in."""


class Passes:
    """The passes that solving, pricing and searching are made of.

    `board_passes` and `flop_passes` are how many there will be, for `progress`.
    """

    def __init__(
        self,
        classes: DeckClasses,
        *,
        workers: int | None = None,
        progress: Progress | None = None,
        board_passes: int = 0,
        flop_passes: int = 0,
    ) -> None:
        self.classes = classes
        self.workers = workers or workers_available()
        self._board_pieces = slices(len(classes.boards.cards), _BOARD_PIECES)
        self._flop_pieces = slices(len(classes.flops.cards), _FLOP_PIECES)
        steps = board_passes * len(self._board_pieces) + flop_passes * len(self._flop_pieces)
        self._progress = ProgressCount(progress, steps)

    def over_boards(self, job: BoardJob) -> None:
        """Do a job for every piece of the board classes."""

        def work(worker: int, piece: slice) -> None:
            job(worker, piece, self.classes.board_piece(piece), new_record(SHOWDOWNS))

        self._share_out(work, self._board_pieces)

    def sum_over_runouts(self, values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Sum values by type over turn and river, for every flop class and hand."""
        classes = self.classes
        sums = np.zeros((len(classes.flops.cards), classes.hand_cells.size), dtype=np.int64)
        largest = max(int(values.max(initial=0)), -int(values.min(initial=0)))
        boards = math.comb(classes.deck.size - 3, 2)
        number_type = np.int32 if largest * boards <= _INT32_MAX else np.int64

        def price(_: int, piece: slice) -> None:
            price_flops(
                classes.flops.cards[piece], classes.deck, classes.place_of, values,
                new_record(FLOP), runout_sums(number_type), sums[piece],
            )  # fmt: skip

        self._share_out(price, self._flop_pieces)
        return sums

    def decisions(
        self,
        terms: HoldemTerms,
        first_bets: npt.NDArray[np.int64],
        flop_bets: npt.NDArray[np.int8],
    ) -> Decisions:
        """Bets before the flop and on it as the kernels take them.

        `first_bets` has the number of the bet by cell of the grid, -1 to check; `flop_bets` the
        number among the candidates of the terms of what a hand bets that has checked, by flop class
        and hand.
        """
        candidates = terms.flop_candidates
        stages = [len(terms.first_multiples) + terms.flop_multiples.index(m) for m in candidates]
        return self.weighed(first_bets, flop_bets, stages)

    def weighed(
        self,
        first_bets: npt.NDArray[np.int64],
        flop_bets: npt.NDArray[np.int8],
        flop_stages: Sequence[int],
    ) -> Decisions:
        """The same for bets on the flop with these stages."""
        checked = (first_bets[self.classes.hand_cells] < 0)[None, :]
        weights = np.zeros((len(flop_stages), self.classes.types), dtype=np.int32)
        for number in range(len(flop_stages)):
            weights[number] = self._weights((flop_bets == number) & checked)
        return Decisions(first_bets, np.array(flop_stages, dtype=np.int64), weights)

    def _weights(self, bets: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
        """By type of each board class: how many of its hands bet on the flop."""
        classes = self.classes
        weights = np.zeros((self.workers, classes.types), dtype=np.int32)

        def weigh(worker: int, piece: slice) -> None:
            weigh_flops(
                classes.flops.cards[piece], classes.flops.counts[piece], classes.deck,
                classes.place_of, bets[piece], new_record(FLOP), weights[worker],
            )  # fmt: skip

        self._share_out(weigh, self._flop_pieces)
        total: npt.NDArray[np.int32] = weights.sum(axis=0, dtype=np.int32)
        return total

    def _share_out(self, job: Callable[[int, slice], object], pieces: list[slice]) -> None:
        share_out(job, pieces, workers=self.workers, progress=self._progress)
