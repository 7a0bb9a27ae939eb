"""The pass over all boards behind the joint figures: sums of products of net results."""

import math
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from openfelt.cards import Category
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS, DeckClasses, classify_deck
from openfelt.maths.holdem.game_outcomes import stage_multiples
from openfelt.maths.holdem.passes import Passes
from openfelt.maths.holdem.solution import HoldemSolution
from openfelt.maths.holdem.solver import price_types, value_type_of
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.kernels.board_values import CATEGORIES
from openfelt.maths.kernels.card_sets import BoardClasses
from openfelt.maths.kernels.joint_products import (
    NETS,
    SUMS,
    JointSums,
    count_losers,
    join_boards,
)
from openfelt.maths.kernels.outcomes import Decisions
from openfelt.maths.kernels.records import new_record

_FOLD = -1
"""Represents a fold in the list of Play wagers that the kernels take."""


def _nothing() -> npt.NDArray[np.int64]:
    return np.zeros(CATEGORIES, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Nets:
    """The net result of one unit of each side bet, in whole numbers; zeros if it is not bet."""

    trips: npt.NDArray[np.int64] = field(default_factory=_nothing)
    """By the player's category."""
    bad_beat: npt.NDArray[np.int64] = field(default_factory=_nothing)
    """By the losing hand's category."""
    bad_beat_loss: int = 0
    boards: npt.NDArray[np.int64] | None = None
    """By board class."""

    def as_record(self) -> np.record:
        """The nets by category as the kernels take them."""
        record = new_record(NETS)
        record.trips[:] = self.trips
        record.bad_beat[:] = self.bad_beat
        record.bad_beat_loss = self.bad_beat_loss
        return record


def best_decisions(solution: HoldemSolution) -> Decisions:
    """The best decisions of a solution, as the kernels take them."""
    first_bets = np.argmax(solution.first_values, axis=1) - 1
    return Passes(solution.classes).decisions(solution.terms, first_bets, solution.best_flop_bets)


def first_bet_over_flops(solution: HoldemSolution, number: int) -> npt.NDArray[np.int64]:
    """A bet before the flop, summed over turn, river and dealer, by flop class and hand."""
    terms, passes = solution.terms, Passes(solution.classes)
    value_type = value_type_of(terms, solution.classes)
    bets, _, _ = price_types(terms, passes, terms.first_multiples[number : number + 1], value_type)
    return passes.sum_over_runouts(bets[0])


@dataclass(frozen=True, slots=True)
class BoardSums:
    """The sums of the pass; `JointSums` of the kernels documents each array."""

    classes: DeckClasses
    rows: npt.NDArray[np.int64]
    cells: npt.NDArray[np.int64]
    fields: npt.NDArray[Any]

    def over_flops(self, number: int) -> npt.NDArray[np.int64]:
        """One of the fields, summed over turn and river by flop class and hand."""
        return Passes(self.classes).sum_over_runouts(self.fields[number])


def sum_boards(
    classes: DeckClasses, terms: HoldemTerms, decisions: Decisions, nets: Nets
) -> BoardSums:
    """Make the pass over all board classes."""
    passes = Passes(classes)
    board_count = len(classes.boards.cards)
    rows = np.zeros((board_count, SUMS), dtype=np.int64)
    cells = np.zeros((passes.workers, 169, 3), dtype=np.int64)
    fields = np.zeros((4, classes.types), dtype=_field_type(terms, nets, classes))
    board_nets = np.zeros(board_count, dtype=np.int64) if nets.boards is None else nets.boards
    multiples = np.array([*stage_multiples(terms)[:-1], _FOLD])
    record, reading, net_record = terms.as_record(), reading_tables(), nets.as_record()

    def add(worker: int, piece: slice, boards: BoardClasses, showdowns: np.record) -> None:
        join_boards(
            boards, board_nets[piece], record, reading, decisions, multiples, net_record,
            showdowns, JointSums(rows[piece], cells[worker], fields),
        )  # fmt: skip

    passes.over_boards(add)
    return BoardSums(classes, rows, cells.sum(axis=0), fields)


def _field_type(
    terms: HoldemTerms, nets: Nets, classes: DeckClasses
) -> type[np.signedinteger[Any]]:
    """The integer type of sums over the dealer's hands on a board."""
    most = max(
        terms.most_units,
        *(int(np.abs(side).max()) for side in (nets.trips, nets.bad_beat)),
        abs(nets.bad_beat_loss),
        0 if nets.boards is None else int(np.abs(nets.boards).max()),
    )
    return np.int32 if math.comb(classes.deck.size - 7, 2) * most < 2**31 else np.int64


@cache
def losing_hands(deck: tuple[int, ...] = FULL_DECK_NUMBERS) -> dict[Category, int]:
    """Count, over all deals to player, dealer and board, the losing hand's category.

    Ties have no losing hand and are left out.

    >>> losing_hands()[Category.STRAIGHT_FLUSH]
    10300592
    """
    passes = Passes(classify_deck(deck))
    losers = np.zeros((passes.workers, CATEGORIES), dtype=np.int64)
    reading = reading_tables()

    def count(worker: int, _: slice, boards: BoardClasses, showdowns: np.record) -> None:
        count_losers(boards, reading, showdowns, losers[worker])

    passes.over_boards(count)
    total = losers.sum(axis=0)
    return {category: int(total[category]) for category in Category}
