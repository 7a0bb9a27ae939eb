"""What every hand is worth on every board, and by starting hand over all boards."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import BoardClasses
from openfelt.maths.kernels.class_showdowns import fill_class
from openfelt.maths.kernels.compiler import kernel, kernel_part
from openfelt.maths.kernels.showdowns import TYPE_CELLS, fill_results

CATEGORIES = 10

TERMS = np.dtype(
    [
        # The lowest strength with which the dealer qualifies.
        ("qualifying", np.int64),
        # How many units an Ante has, so that every payout is a whole number of units.
        ("ante", np.int64),
        # By category: what a win pays on the Blind, in units.
        ("blind", np.int64, (CATEGORIES,)),
        # The largest and the smallest Play wager on the river, in Antes, and how many there are.
        ("river_high", np.int64),
        ("river_low", np.int64),
        ("river_bets", np.int64),
    ],
    align=True,
)
"""The terms of the game that the kernels depend on."""


class KeptTypes(NamedTuple):
    """What was counted of every type of every board class, or arrays of no length."""

    counts: npt.NDArray[np.int16]
    """The dealer hands that are weaker, not better, and below the qualifying hand."""
    categories: npt.NDArray[np.uint8]
    river_bets: npt.NDArray[np.uint8]
    """The best decision on the river; see `river_bet`."""


class TypePrices(NamedTuple):
    """What types are worth on boards, summed over the dealer's hands."""

    bets: npt.NDArray[np.int32]
    """A row for each multiple: Ante, Blind and that Play wager."""
    checks: npt.NDArray[np.int32]
    """The better of the best bet on the river and folding."""
    cells: npt.NDArray[np.int64]
    """By starting hand over all boards: Ante and Blind at a showdown, and a Play wager of one."""
    kept: KeptTypes


@kernel
def game_sum(
    number: int, multiple: int, category: int, terms: np.record, showdowns: np.record
) -> int:
    """Sum the net result of Ante, Blind and a Play wager over the dealer's hands."""
    won = showdowns.results[number, 0] + showdowns.results[number, 1]
    lost = showdowns.results[number, 3] + showdowns.results[number, 4]
    even = showdowns.results[number, 0] - showdowns.results[number, 3] - lost
    total: int = terms.ante * (even + multiple * (won - lost)) + terms.blind[category] * won
    return total


@kernel
def fold_sum(terms: np.record, showdowns: np.record) -> int:
    """Sum the loss of Ante and Blind over the dealer's hands."""
    total: int = -2 * terms.ante * showdowns.dealer_hands
    return total


@kernel_part
def best_river_bet(base: int, play: int, terms: np.record) -> int:
    """The value of the best bet on the river.

    It is linear in the multiple: the largest if Play wins on average, otherwise the smallest.
    """
    return base + (terms.river_high if play > 0 else terms.river_low) * play  # type: ignore[no-any-return]


@kernel_part
def best_river_decision(base: int, play: int, fold: int, terms: np.record) -> int:
    """The best decision on the river: 0 to fold, else the bet's number, the smallest first."""
    if best_river_bet(base, play, terms) <= fold:
        return 0
    return terms.river_bets if play > 0 else 1


@kernel
def river_bet(number: int, category: int, terms: np.record, showdowns: np.record) -> int:
    """The best decision of a type on the river, by number."""
    base = game_sum(number, 0, category, terms, showdowns)
    play = game_sum(number, 1, category, terms, showdowns) - base
    return int(best_river_decision(base, play, fold_sum(terms, showdowns), terms))


@kernel_part
def keep_type(
    number: int, entry: int, category: int, decision: int, showdowns: np.record, kept: KeptTypes
) -> None:  # fmt: skip
    """Keep what was counted of a type."""
    kept.counts[entry, 0] = showdowns.wins[number]
    kept.counts[entry, 1] = showdowns.not_lost[number]
    kept.counts[entry, 2] = showdowns.unqualified[number]
    kept.categories[entry] = category
    kept.river_bets[entry] = decision


@kernel_part
def recall_type(number: int, entry: int, kept: KeptTypes, showdowns: np.record) -> None:
    """Fill in the results of a type from what was kept."""
    counts = kept.counts[entry]
    fill_results(number, int(counts[0]), int(counts[1]), int(counts[2]), showdowns)


@kernel_part
def add_to_cells(
    number: int, base: int, play: int, showdowns: np.record, cells: npt.NDArray[np.int64]
) -> None:
    """Add the values of a type to its two cells of the grid of starting hands."""
    suited = showdowns.suited[number]
    unsuited = showdowns.hands[number] - suited
    if suited:
        cells[TYPE_CELLS[number, 0], 0] += suited * base
        cells[TYPE_CELLS[number, 0], 1] += suited * play
    cells[TYPE_CELLS[number, 1], 0] += unsuited * base
    cells[TYPE_CELLS[number, 1], 1] += unsuited * play


@kernel
def price_boards(
    boards: BoardClasses, terms: np.record, reading: np.record, showdowns: np.record,
    multiples: npt.NDArray[np.int64], prices: TypePrices,
) -> None:  # fmt: skip
    """Price every hand type on these boards, and keep what was counted if there is room."""
    bet_values, check_values, cell_sums, kept = prices
    for row in range(boards.cards.shape[0]):
        fill_class(boards, row, terms.qualifying, reading, showdowns)
        fold = fold_sum(terms, showdowns)
        for place in range(showdowns.count):
            number = showdowns.numbers[place]
            category = reading.categories[showdowns.strengths[number]]
            base = game_sum(number, 0, category, terms, showdowns)
            play = game_sum(number, 1, category, terms, showdowns) - base
            entry = boards.places[row] + number
            for bet in range(multiples.size):
                bet_values[bet, entry] = base + multiples[bet] * play
            decision = best_river_decision(base, play, fold, terms)
            check_values[entry] = best_river_bet(base, play, terms) if decision else fold
            add_to_cells(number, base, play, showdowns, cell_sums)
            if kept.categories.size:
                keep_type(number, entry, category, decision, showdowns, kept)
