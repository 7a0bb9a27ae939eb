"""Ultimate Texas Hold'em solved exactly, by counting. `docs/internals/exact-holdem.md` derives it.

Every number here is a whole number of units: an Ante has the least number of units that
makes every payout whole. Sums run over all deals, so nothing is divided before the end.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.holdem.deck_classes import (
    FULL_DECK_NUMBERS,
    DeckClasses,
    check_deck,
    classify_deck,
)
from openfelt.maths.holdem.game_outcomes import stage_count
from openfelt.maths.holdem.passes import Passes
from openfelt.maths.holdem.solution import HoldemSolution, best_flop_bets
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.kernels.board_values import CATEGORIES, KeptTypes, TypePrices, price_boards
from openfelt.maths.kernels.card_sets import BoardClasses
from openfelt.maths.kernels.outcomes import FLOPS_OF_A_BOARD, count_outcomes
from openfelt.maths.kernels.showdowns import RESULTS
from openfelt.maths.parallel import Progress

_INT32_MAX: Final = 2**31 - 1
_SUMS_MAX: Final = 2**62
"""Sums stay below 2**63 with a bit to spare."""
_NO_BET: Final = -_SUMS_MAX
"""Less than any value, where no bet is offered."""


def solve_holdem(
    terms: HoldemTerms | None = None,
    *,
    deck: Sequence[int] = FULL_DECK_NUMBERS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> HoldemSolution:
    """Solve the game: every decision, its value, and how often everything happens.

    `deck` may be made of fewer ranks or suits, for tests and teaching. `progress` is called
    with the steps done and the steps in all. Takes a second or two with two processors and
    half a GB of memory.

    >>> solution = solve_holdem()
    >>> solution.ev_per_ante
    Fraction(-50643648973, 2317817502000)
    """
    terms = terms or HoldemTerms.of()
    classes = classify_deck(check_deck(deck))
    value_type = value_type_of(terms, classes)
    flop_bets = len(terms.flop_candidates)
    passes = Passes(
        classes, workers=workers, progress=progress, board_passes=2, flop_passes=1 + 2 * flop_bets
    )
    kept = _room_for(classes.types)
    bet_values, check_values, cell_sums = price_types(
        terms, passes, terms.flop_candidates, value_type, kept
    )
    checks = passes.sum_over_runouts(check_values)
    bets = np.zeros((flop_bets, *checks.shape), dtype=np.int64)
    for place in range(flop_bets):
        bets[place] = passes.sum_over_runouts(bet_values[place])
    del bet_values, check_values
    first_values = _first_values(terms, classes, cell_sums, bets, checks)
    first_bets = np.argmax(first_values, axis=1) - 1
    outcomes = _count_outcomes(terms, passes, kept, best_flop_bets(bets, checks), first_bets)
    return HoldemSolution(
        terms=terms,
        classes=classes,
        first_values=first_values,
        flop_bets=bets,
        flop_checks=checks,
        outcomes=outcomes,
    )


def value_type_of(terms: HoldemTerms, classes: DeckClasses) -> type[np.signedinteger[Any]]:
    """Choose the integer type of values on a board; refuse odds that could overflow."""
    cards = classes.deck.size
    dealer_hands = (cards - 7) * (cards - 8) // 2
    on_board = dealer_hands * terms.most_units
    hands_of_a_cell = int(np.bincount(classes.hand_cells).max())
    deals = FLOPS_OF_A_BOARD * int(classes.boards.counts.sum()) * hands_of_a_cell
    if on_board * deals >= _SUMS_MAX:
        raise ValueError("these odds are too large, or too finely divided, to sum exactly")
    return np.int32 if on_board <= _INT32_MAX else np.int64


def price_types(
    terms: HoldemTerms,
    passes: Passes,
    multiples: Sequence[int],
    value_type: type[np.signedinteger[Any]],
    kept: KeptTypes | None = None,
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.int64]]:
    """Price every type on every board class, and starting hands over all boards.

    Returns the values of a bet of each of the multiples, of a check that goes on to the river, and
    the sums by starting hand. Fills in what was counted, if there is room for it.
    """
    kept = kept or _room_for(0)
    bet_values = np.zeros((len(multiples), passes.classes.types), dtype=value_type)
    check_values = np.zeros(passes.classes.types, dtype=value_type)
    cell_sums = np.zeros((passes.workers, 169, 2), dtype=np.int64)
    record, reading = terms.as_record(), reading_tables()
    wanted = np.array(multiples, dtype=np.int64)

    def price(worker: int, _: slice, boards: BoardClasses, showdowns: np.record) -> None:
        prices = TypePrices(bet_values, check_values, cell_sums[worker], kept)
        price_boards(boards, record, reading, showdowns, wanted, prices)

    passes.over_boards(price)
    return bet_values, check_values, cell_sums.sum(axis=0)


def _room_for(types: int) -> KeptTypes:
    return KeptTypes(
        np.zeros((types, 3), dtype=np.int16),
        np.zeros(types, dtype=np.uint8),
        np.zeros(types, dtype=np.uint8),
    )


def _first_values(
    terms: HoldemTerms,
    classes: DeckClasses,
    cell_sums: npt.NDArray[np.int64],
    bets: npt.NDArray[np.int64],
    checks: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """Return check and then each first bet, summed over all deals of each starting hand."""
    best = np.maximum(bets.max(axis=0, initial=_NO_BET), checks)
    by_hand = (best * classes.flops.counts[:, None]).sum(axis=0)
    values = np.zeros((169, 1 + len(terms.first_multiples)), dtype=np.int64)
    np.add.at(values[:, 0], classes.hand_cells, by_hand)
    for place, multiple in enumerate(terms.first_multiples):
        values[:, place + 1] = FLOPS_OF_A_BOARD * (cell_sums[:, 0] + multiple * cell_sums[:, 1])
    # Two ways to the same sum: a bet on the flop over boards, and over flops and their boards.
    for bet, multiple in zip(bets, terms.flop_candidates, strict=True):
        over_flops = np.zeros(169, dtype=np.int64)
        betting = (bet * classes.flops.counts[:, None]).sum(axis=0)
        np.add.at(over_flops, classes.hand_cells, betting)
        over_boards = FLOPS_OF_A_BOARD * (cell_sums[:, 0] + multiple * cell_sums[:, 1])
        if not np.array_equal(over_flops, over_boards):
            raise AssertionError("the sums over flops and over boards disagree")
    return values


def _count_outcomes(
    terms: HoldemTerms,
    passes: Passes,
    kept: KeptTypes,
    flop_bets: npt.NDArray[np.int8],
    first_bets: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """Count deals by stage, category and result under the best decisions."""
    decisions = passes.decisions(terms, first_bets, flop_bets)
    stages = stage_count(terms)
    outcomes = np.zeros((passes.workers, stages, CATEGORIES, RESULTS), dtype=np.int64)

    def count(worker: int, _: slice, boards: BoardClasses, showdowns: np.record) -> None:
        count_outcomes(boards, kept, decisions, showdowns, outcomes[worker])

    passes.over_boards(count)
    total: npt.NDArray[np.int64] = outcomes.sum(axis=0)
    return total
