"""Ultimate Draw: the results of one hold by category of the final hand, from ranks alone.

The sums are those of `rank_classes`, for the draws that make two pairs or better.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hold_results import (
    DRAWS,
    HIGH_CARDS,
    LOSE,
    RANKS,
    RESULTS,
    UNQUALIFIED,
    WIN,
    RankDraws,
    Splits,
    strength_of,
    weigh_draws,
)
from openfelt.maths.kernels.rank_classes import (
    PLAIN,
    Kept,
    RankDeck,
    RankHolds,
    add_plain_row,
    add_suited_row,
    leave_ranks,
    same_hand,
)

CATEGORIES = (2, 3, 4, 6, 7)
"""Two pairs, three of a kind, straight, full house and four of a kind; ranks alone make no
flush."""
COLUMNS = len(CATEGORIES) * RESULTS
"""The columns: wins, losses and unqualified dealers of each of these."""
_TWO_PAIR, _FLUSH = 2, 5


@kernel
def column_of(own: int, dealer: int, category: int) -> int:
    """Return the column that counts the result of a hand of two pairs or better; -1 for a tie."""
    column = RESULTS * (category - _TWO_PAIR - (category > _FLUSH))
    if dealer <= HIGH_CARDS:
        return column + UNQUALIFIED
    if own == dealer:
        return -1
    return column + (WIN if own > dealer else LOSE)


@kernel
def category_outcomes(
    holds: RankHolds, hold: int, kept: Kept, deck: RankDeck, reading: np.record,
    out: npt.NDArray[np.int64], used: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Write, for every multiset of draws, in how many orders each category has each result.

    Lists the multisets that have any in `used`, and returns their number.
    """
    draws, splits = deck.draws, deck.splits
    fewer, own_drawn = holds.drawn[hold], DRAWS - 1 - kept.size
    first, whole = min(fewer, own_drawn), max(fewer, own_drawn)
    place = DRAWS * whole + first
    out[:, draws.starts[whole] : draws.starts[whole + 1]] = 0
    listed = 0
    for row in range(splits.starts[place], splits.starts[place + 1]):
        longer, shorter = draws.keys[splits.wholes[row]], draws.keys[splits.firsts[row]]
        own = strength_of(kept.key + (longer if own_drawn >= fewer else shorter), reading)
        category = int(reading.categories[own])
        if category < _TWO_PAIR:
            continue
        dealer = holds.strengths[hold]
        if dealer == 0:
            dealer = strength_of(
                holds.keys[hold] + (shorter if own_drawn >= fewer else longer), reading
            )
        column = column_of(own, dealer, category)
        if column < 0:
            continue
        out[column, splits.wholes[row]] += splits.ways[row]
        # Rows of the same whole multiset are adjacent.
        if listed == 0 or used[listed - 1] != splits.wholes[row]:
            used[listed] = splits.wholes[row]
            listed += 1
    return listed


@kernel
def row_starts(splits: Splits, draws: RankDraws, out: npt.NDArray[np.int64]) -> None:
    """Write where the rows begin, by size of the first part and whole, with the end last."""
    out[:] = 0
    for whole in range(DRAWS):
        for first in range(whole + 1):
            place = DRAWS * whole + first
            row = splits.starts[place]
            for draw in range(draws.starts[whole], draws.starts[whole + 1]):
                out[first, draw, 0] = row
                while row < splits.starts[place + 1] and splits.wholes[row] == draw:
                    row += 1
                out[first, draw, 1] = row


@kernel
def sum_categories(
    deck: RankDeck, starts: npt.NDArray[np.int64], used: npt.NDArray[np.int64],
    weights: npt.NDArray[np.int64], outcomes: npt.NDArray[np.int64], kept: Kept,
    sums: npt.NDArray[np.int64], out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Write, for each multiset of discards, the results of the draws that avoid it.

    `used` has the multisets of draws with a result. Like `sum_blocked` of `rank_classes`.
    """
    draws, splits = deck.draws, deck.splits
    drawn = DRAWS - 1 - kept.size
    size = draws.starts[drawn + 1]
    for column in range(out.shape[0]):
        blocked, by_thrown = sums[column], out[column]
        blocked[:size] = 0
        any_result = False
        for draw in used:
            worth = outcomes[column, draw] * weights[draw]
            if worth == 0:
                continue
            any_result = True
            for first in range(drawn + 1):
                for row in range(starts[first, draw, 0], starts[first, draw, 1]):
                    blocked[splits.firsts[row]] += splits.ways[row] * worth
        if any_result:
            for draw in range(size):
                if blocked[draw]:
                    blocked[draw] = blocked[draw] // weights[draw] if weights[draw] else 0
        for thrown in kept.thrown:
            total = 0
            for first in range(drawn + 1 if any_result else 0):
                sign = -1 if first & 1 else 1
                for row in range(starts[first, thrown, 0], starts[first, thrown, 1]):
                    total += sign * splits.ways[row] * blocked[splits.firsts[row]]
            by_thrown[thrown] = total


class ColumnWork(NamedTuple):
    """Arrays that are filled anew for each of the dealer's holds."""

    outcomes: npt.NDArray[np.int64]
    """By column and multiset of draws, the orders that count."""
    used: npt.NDArray[np.int64]
    """The multisets that have any."""
    weights: npt.NDArray[np.int64]
    sums: npt.NDArray[np.int64]
    results: npt.NDArray[np.int64]
    left: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]


@kernel
def column_work(deck: RankDeck, columns: int) -> ColumnWork:
    """Allocate the arrays for this many columns."""
    every = deck.draws.keys.size
    starts = np.zeros((DRAWS, every, 2), dtype=np.int64)
    row_starts(deck.splits, deck.draws, starts)
    return ColumnWork(
        np.zeros((columns, every), dtype=np.int64),
        np.zeros(every, dtype=np.int64),
        np.zeros(every, dtype=np.int64),
        np.zeros((columns, every), dtype=np.int64),
        np.zeros((columns, every), dtype=np.int64),
        np.zeros(RANKS, dtype=np.int64),
        starts,
    )


@kernel
def add_columns(
    kept: Kept, holds: RankHolds, hold: int, deck: RankDeck, work: ColumnWork, listed: int,
    plain: npt.NDArray[np.int64], by_pattern: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the columns of one of the dealer's holds, by discards.

    `listed` is how many multisets of draws have outcomes.
    """
    draws, results = deck.draws, work.results
    drawn = DRAWS - 1 - kept.size
    whole, fewer = max(holds.drawn[hold], drawn), min(holds.drawn[hold], drawn)
    used = work.used[:listed]
    possible = False
    for row in range(holds.starts[hold], holds.starts[hold + 1]):
        # Rows of the same hand are adjacent, and differ only in suits.
        if row == holds.starts[hold] or not same_hand(holds, row):
            possible = leave_ranks(holds, row, kept, deck.suits, work.left)
            if not possible:
                continue
            weigh_draws(draws, whole, work.left, work.weights)
            sum_categories(
                deck, work.starts, used, work.weights, work.outcomes, kept, work.sums, results
            )
            results[:, draws.starts[drawn] : draws.starts[drawn + 1]] *= deck.factors[
                fewer, whole - fewer
            ]
        if not possible:
            continue
        if holds.kinds[row] == PLAIN:
            add_plain_row(holds, row, kept, work.weights, deck.suits, results, plain)
        else:
            add_suited_row(holds, row, kept, work.weights, deck.suits, results, by_pattern)


@kernel
def count_categories(
    kept: Kept, holds: RankHolds, deck: RankDeck, reading: np.record,
    plain: npt.NDArray[np.int64], by_pattern: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the categories of the kept ranks, for each multiset of discards.

    The player draws at least one card.
    """
    work = column_work(deck, COLUMNS)
    for hold in range(holds.keys.size):
        listed = category_outcomes(holds, hold, kept, deck, reading, work.outcomes, work.used)
        if listed:
            add_columns(kept, holds, hold, deck, work, listed, plain, by_pattern)
