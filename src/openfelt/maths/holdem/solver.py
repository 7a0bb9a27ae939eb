"""Ultimate Texas Hold'em solved exactly, by counting. `docs/internals/exact-holdem.md` derives it.

Every number here is a whole number of units: an Ante has as many units as it takes to
make every payout whole. Sums run over all deals, so nothing is divided before the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from openfelt.maths.hands.strengths import HandTables, hand_tables, weakest_of
from openfelt.maths.holdem.boards import FULL_DECK_NUMBERS, Boards, boards_of, check_deck
from openfelt.maths.holdem.solution import HoldemSolution
from openfelt.maths.holdem.terms import FLOP_MULTIPLE, HoldemTerms
from openfelt.maths.kernels.board_values import RESULTS, price_boards
from openfelt.maths.kernels.flops import price_flops
from openfelt.maths.kernels.outcomes import FLOPS_OF_A_BOARD, count_outcomes, weigh_flops
from openfelt.maths.parallel import (
    Progress,
    ProgressCount,
    share_out,
    slices,
    workers_available,
)

_BOARD_PIECES: Final = 64
_FLOP_PIECES: Final = 32
_INT32_MAX: Final = 2**31 - 1
_SUMS_MAX: Final = 2**62
"""Sums stay below 2**63 with a bit to spare."""


@dataclass(frozen=True, slots=True)
class _Work:
    """What the stages of one solution share."""

    terms: HoldemTerms
    known: Boards
    tables: HandTables
    workers: int
    progress: ProgressCount
    qualifying: int
    blind: npt.NDArray[np.int64]

    def pricing(self, piece: slice) -> tuple[Any, ...]:
        """The arguments that the kernels over boards begin with."""
        known, tables = self.known, self.tables
        return (
            known.boards.cards[piece], known.boards.counts[piece], known.places[piece],
            known.deck, self.qualifying, self.terms.scale, self.blind, tables.categories,
            tables.keys, tables.offsets, tables.strengths, tables.flushes,
        )  # fmt: skip


def solve_holdem(
    terms: HoldemTerms | None = None,
    *,
    deck: Sequence[int] = FULL_DECK_NUMBERS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> HoldemSolution:
    """Solve the game: every decision, its value, and how often everything happens.

    `deck` may be made of fewer ranks or suits, for tests and teaching. `progress` is called
    with the steps done and the steps in all. Takes a few seconds with two processors and
    less than one GB of memory.

    >>> solution = solve_holdem()
    >>> solution.ev_per_ante
    Fraction(-50643648973, 2317817502000)
    """
    terms = terms or HoldemTerms.of()
    workers = workers or workers_available()
    cards = check_deck(deck)
    known = boards_of(cards)
    steps = 2 * len(_board_pieces(known)) + 3 * len(_flop_pieces(known))
    work = _Work(
        terms=terms,
        known=known,
        tables=hand_tables(),
        workers=workers,
        progress=ProgressCount(progress, steps),
        qualifying=weakest_of(terms.qualifying.category, terms.qualifying.at_least or 0),
        blind=np.array(terms.blind_units, dtype=np.int64),
    )
    value_type = _value_type(terms, known)
    bet_values, check_values, cell_sums = _price_boards(work, value_type)
    bets = _price_flops(work, bet_values)
    checks = _price_flops(work, check_values)
    del bet_values, check_values
    first_values = _first_values(work, cell_sums, bets, checks)
    first_bets = np.argmax(first_values, axis=1) - 1
    outcomes = _count_outcomes(work, bets, checks, first_bets)
    return HoldemSolution(
        terms=terms,
        known=known,
        first_values=first_values,
        flop_bets=bets,
        flop_checks=checks,
        outcomes=outcomes,
    )


def _board_pieces(known: Boards) -> list[slice]:
    return slices(len(known.boards.cards), _BOARD_PIECES)


def _flop_pieces(known: Boards) -> list[slice]:
    return slices(len(known.flops.cards), _FLOP_PIECES)


def _value_type(terms: HoldemTerms, known: Boards) -> type[np.signedinteger[Any]]:
    """Choose the integers for values on a board, and refuse odds that could overflow any."""
    cards = known.deck.size
    dealer_hands = (cards - 7) * (cards - 8) // 2
    stakes = 2 + max(terms.first_multiples)
    most = max(2 * terms.scale, *terms.blind_units) + stakes * terms.scale
    on_board = dealer_hands * most
    hands_of_a_cell = int(np.bincount(known.hand_cells).max())
    deals = FLOPS_OF_A_BOARD * int(known.boards.counts.sum()) * hands_of_a_cell
    if on_board * deals >= _SUMS_MAX:
        raise ValueError("these odds are too large, or too finely divided, to sum exactly")
    return np.int32 if on_board <= _INT32_MAX else np.int64


def _price_boards(
    work: _Work, value_type: type[np.signedinteger[Any]]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.int64]]:
    """Price every type on every board class, and starting hands over all boards."""
    bet_values = np.zeros(work.known.types, dtype=value_type)
    check_values = np.zeros(work.known.types, dtype=value_type)
    cell_sums = np.zeros((work.workers, 169, 2), dtype=np.int64)

    def price(worker: int, piece: slice) -> None:
        arguments = (*work.pricing(piece), bet_values, check_values, cell_sums[worker])
        price_boards(*arguments)

    share_out(price, _board_pieces(work.known), workers=work.workers, progress=work.progress)
    return bet_values, check_values, cell_sums.sum(axis=0)


def _price_flops(work: _Work, values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Sum values over turn and river for every flop class and starting hand."""
    known = work.known
    sums = np.zeros((len(known.flops.cards), known.hand_cells.size), dtype=np.int64)

    def price(_: int, piece: slice) -> None:
        price_flops(known.flops.cards[piece], known.deck, known.place_of, values, sums[piece])

    share_out(price, _flop_pieces(known), workers=work.workers, progress=work.progress)
    return sums


def _first_values(
    work: _Work,
    cell_sums: npt.NDArray[np.int64],
    bets: npt.NDArray[np.int64],
    checks: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """Give check and then each first bet, summed over all deals of each starting hand."""
    known = work.known
    best = np.maximum(bets, checks)
    by_hand = (best * known.flops.counts[:, None]).sum(axis=0)
    betting = (bets * known.flops.counts[:, None]).sum(axis=0)
    values = np.zeros((169, 1 + len(work.terms.first_multiples)), dtype=np.int64)
    np.add.at(values[:, 0], known.hand_cells, by_hand)
    for place, multiple in enumerate(work.terms.first_multiples):
        values[:, place + 1] = FLOPS_OF_A_BOARD * (cell_sums[:, 0] + multiple * cell_sums[:, 1])
    # Two ways to the same sum: a wager of two over boards, and over flops and their boards.
    over_flops = np.zeros(169, dtype=np.int64)
    np.add.at(over_flops, known.hand_cells, betting)
    over_boards = FLOPS_OF_A_BOARD * (cell_sums[:, 0] + FLOP_MULTIPLE * cell_sums[:, 1])
    if not np.array_equal(over_flops, over_boards):
        raise AssertionError("the sums over flops and over boards disagree")
    return values


def _count_outcomes(
    work: _Work,
    bets: npt.NDArray[np.int64],
    checks: npt.NDArray[np.int64],
    first_bets: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """Count deals by stage, category and result under the best decisions."""
    known = work.known
    flop_bets = (bets > checks) & (first_bets[known.hand_cells] < 0)[None, :]
    weights = np.zeros((work.workers, known.types), dtype=np.int16)

    def weigh(worker: int, piece: slice) -> None:
        weigh_flops(
            known.flops.cards[piece], known.flops.counts[piece], known.deck, known.place_of,
            flop_bets[piece], weights[worker],
        )  # fmt: skip

    share_out(weigh, _flop_pieces(known), workers=work.workers, progress=work.progress)
    all_weights = weights.sum(axis=0, dtype=np.int16)
    stages = len(work.terms.first_multiples) + 3
    outcomes = np.zeros((work.workers, stages, 10, RESULTS), dtype=np.int64)

    def tally(worker: int, piece: slice) -> None:
        arguments = (*work.pricing(piece), all_weights, first_bets, outcomes[worker])
        count_outcomes(*arguments)

    share_out(tally, _board_pieces(work.known), workers=work.workers, progress=work.progress)
    total: npt.NDArray[np.int64] = outcomes.sum(axis=0)
    return total
