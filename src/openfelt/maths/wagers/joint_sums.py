"""The pass over all boards behind the joint figures: sums of products of net results."""

from dataclasses import dataclass, field
from functools import cache

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.hands.strengths import hand_tables, weakest_of
from openfelt.maths.holdem.boards import FULL_DECK_NUMBERS, Boards, boards_of
from openfelt.maths.holdem.solution import HoldemSolution
from openfelt.maths.holdem.terms import FLOP_MULTIPLE, RIVER_MULTIPLE, HoldemTerms
from openfelt.maths.kernels.flops import price_flops
from openfelt.maths.kernels.joint_products import SUMS, count_losers, join_boards
from openfelt.maths.kernels.outcomes import weigh_flops
from openfelt.maths.parallel import ProgressCount, share_out, slices, workers_available

_PIECES = 64
_FOLD = -1
"""The mark that kernels know a fold by, where a Play wager's multiple would stand."""


@dataclass(frozen=True, slots=True)
class Nets:
    """What a unit of each side bet brings, in whole numbers; all zero where it is not bet."""

    trips: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(10, dtype=np.int64))
    """By the player's category."""
    bad_beat: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(10, dtype=np.int64))
    """By the losing hand's category."""
    bad_beat_loss: int = 0
    boards: npt.NDArray[np.int64] | None = None
    """By board class."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """Every decision of a solved game, as the kernels take them."""

    first_bets: npt.NDArray[np.int64]
    """By cell of the grid: the number of the bet before the flop, or -1."""
    multiples: npt.NDArray[np.int64]
    """The Play wager of each final decision."""
    flop_weights: npt.NDArray[np.int16]
    """By type of each board class: how many of its hands bet on the flop."""

    @classmethod
    def none(cls, known: Boards) -> "Decisions":
        """No decision at all, for sums that do not ask for any."""
        return cls(
            np.full(169, -1, dtype=np.int64),
            np.array([4, FLOP_MULTIPLE, RIVER_MULTIPLE, _FOLD]),
            np.zeros(known.types, dtype=np.int16),
        )

    @classmethod
    def of(cls, solution: HoldemSolution) -> "Decisions":
        """The best decisions of a solution."""
        known = solution.known
        first_bets = np.argmax(solution.first_values, axis=1) - 1
        bets = solution.flop_bets > solution.flop_checks
        bets &= (first_bets[known.hand_cells] < 0)[None, :]
        workers = workers_available()
        weights = np.zeros((workers, known.types), dtype=np.int16)

        def weigh(worker: int, piece: slice) -> None:
            weigh_flops(
                known.flops.cards[piece], known.flops.counts[piece], known.deck,
                known.place_of, bets[piece], weights[worker],
            )  # fmt: skip

        pieces = slices(len(known.flops.cards), _PIECES)
        share_out(weigh, pieces, workers=workers, progress=ProgressCount(None, len(pieces)))
        multiples = (*solution.terms.first_multiples, FLOP_MULTIPLE, RIVER_MULTIPLE, _FOLD)
        return cls(first_bets, np.array(multiples), weights.sum(axis=0, dtype=np.int16))


@dataclass(frozen=True, slots=True)
class BoardSums:
    """The sums of the pass; `kernels.joint_products.join_boards` documents each array."""

    known: Boards
    rows: npt.NDArray[np.int64]
    cells: npt.NDArray[np.int64]
    fields: npt.NDArray[np.int32]

    def over_flops(self, number: int) -> npt.NDArray[np.int64]:
        """One of the fields, summed over turn and river by flop class and hand."""
        known = self.known
        sums = np.zeros((len(known.flops.cards), known.hand_cells.size), dtype=np.int64)

        def add(_: int, piece: slice) -> None:
            price_flops(
                known.flops.cards[piece], known.deck, known.place_of, self.fields[number],
                sums[piece],
            )  # fmt: skip

        pieces = slices(len(known.flops.cards), _PIECES)
        share_out(
            add, pieces, workers=workers_available(), progress=ProgressCount(None, len(pieces))
        )
        return sums


def sum_boards(known: Boards, terms: HoldemTerms, decisions: Decisions, nets: Nets) -> BoardSums:
    """Make the pass over all board classes."""
    workers = workers_available()
    tables = hand_tables()
    boards = len(known.boards.cards)
    rows = np.zeros((boards, SUMS), dtype=np.int64)
    cells = np.zeros((workers, 169, 3), dtype=np.int64)
    fields = np.zeros((4, known.types), dtype=np.int32)
    board_nets = np.zeros(boards, dtype=np.int64) if nets.boards is None else nets.boards

    def add(worker: int, piece: slice) -> None:
        join_boards(
            known.boards.cards[piece], known.boards.counts[piece], known.places[piece],
            known.deck, weakest_of(terms.qualifying.category, terms.qualifying.at_least or 0),
            terms.scale, np.array(terms.blind_units), tables.categories, tables.keys,
            tables.offsets, tables.strengths, tables.flushes, decisions.flop_weights,
            decisions.first_bets, decisions.multiples, nets.trips, nets.bad_beat,
            nets.bad_beat_loss, board_nets[piece], rows[piece], cells[worker], fields,
        )  # fmt: skip

    pieces = slices(boards, _PIECES)
    share_out(add, pieces, workers=workers, progress=ProgressCount(None, len(pieces)))
    return BoardSums(known, rows, cells.sum(axis=0), fields)


@cache
def losing_hands(deck: tuple[int, ...] = FULL_DECK_NUMBERS) -> dict[Category, int]:
    """Count, over all deals to player, dealer and board, the losing hand's category.

    Ties have no losing hand and are left out.

    >>> losing_hands()[Category.STRAIGHT_FLUSH]
    10300592
    """
    known = boards_of(deck)
    tables = hand_tables()
    workers = workers_available()
    losers = np.zeros((workers, 10), dtype=np.int64)

    def count(worker: int, piece: slice) -> None:
        count_losers(
            known.boards.cards[piece], known.boards.counts[piece], known.deck, tables.categories,
            tables.keys, tables.offsets, tables.strengths, tables.flushes, losers[worker],
        )  # fmt: skip

    pieces = slices(len(known.boards.cards), _PIECES)
    share_out(count, pieces, workers=workers, progress=ProgressCount(None, len(pieces)))
    total = losers.sum(axis=0)
    return {category: int(total[category]) for category in Category}
