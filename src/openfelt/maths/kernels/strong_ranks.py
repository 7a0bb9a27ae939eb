"""Ultimate Draw: full houses and fours of a kind of one hold with every discard, by ranks.

The same sums as in `rank_classes`, of the few draws that make such a hand.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hold_results import (
    DRAWS,
    FULL_HOUSES,
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
    avoid_thrown,
    leave_ranks,
    same_hand,
)
from openfelt.maths.kernels.result_columns import FOURS

STRONG = 2 * RESULTS
"""What is counted: wins, losses and unqualified dealers of full houses, then of fours of a kind."""


@kernel
def strong_outcomes(
    holds: RankHolds, hold: int, kept: Kept, deck: RankDeck, reading: np.record,
    out: npt.NDArray[np.int64], used: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Write in how many orders of every multiset of draws a strong hand wins and so on.

    Lists the multisets that have any in `used`, and returns their number.
    """
    draws, splits = deck.draws, deck.splits
    fewer, own_drawn = holds.drawn[hold], DRAWS - 1 - kept.size
    first, whole = min(fewer, own_drawn), max(fewer, own_drawn)
    place = DRAWS * whole + first
    out[:, draws.starts[whole] : draws.starts[whole + 1]] = 0
    found = 0
    for row in range(splits.starts[place], splits.starts[place + 1]):
        longer, shorter = draws.keys[splits.wholes[row]], draws.keys[splits.firsts[row]]
        own = strength_of(kept.key + (longer if own_drawn >= fewer else shorter), reading)
        if own < FULL_HOUSES:
            continue
        dealer = holds.strengths[hold]
        if dealer == 0:
            dealer = strength_of(
                holds.keys[hold] + (shorter if own_drawn >= fewer else longer), reading
            )
        column = RESULTS * (own >= FOURS)
        if dealer <= HIGH_CARDS:
            column += UNQUALIFIED
        elif own == dealer:
            continue
        else:
            column += WIN if own > dealer else LOSE
        out[column, splits.wholes[row]] += splits.ways[row]
        # Rows of the same whole follow each other.
        if found == 0 or used[found - 1] != splits.wholes[row]:
            used[found] = splits.wholes[row]
            found += 1
    return found


@kernel
def row_starts(splits: Splits, draws: RankDraws, out: npt.NDArray[np.int64]) -> None:
    """Write, by size of the first part and whole, where its rows begin; one more for the end."""
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
def sum_strong(
    deck: RankDeck, starts: npt.NDArray[np.int64], used: npt.NDArray[np.int64],
    weights: npt.NDArray[np.int64], outcomes: npt.NDArray[np.int64], drawn: int,
    sums: npt.NDArray[np.int64], out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Write, for each multiset that is thrown away, the results of the draws that avoid it.

    `used` has the multisets of draws with a result. Like `sum_blocked` of `rank_classes`.
    """
    draws, splits = deck.draws, deck.splits
    size = draws.starts[drawn + 1]
    for column in range(out.shape[0]):
        blocked = sums[column]
        blocked[:size] = 0
        some = False
        for draw in used:
            worth = outcomes[column, draw] * weights[draw]
            if worth == 0:
                continue
            some = True
            for first in range(drawn + 1):
                for row in range(starts[first, draw, 0], starts[first, draw, 1]):
                    blocked[splits.firsts[row]] += splits.ways[row] * worth
        if some:
            avoid_thrown(deck, weights, drawn, blocked, out[column])
        else:
            out[column, draws.starts[drawn] : size] = 0


@kernel
def count_strong(
    kept: Kept, holds: RankHolds, deck: RankDeck, reading: np.record,
    plain: npt.NDArray[np.int64], by_pattern: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the strong hands of what is kept, for each multiset that is thrown away with it.

    The player draws a card at least.
    """
    draws = deck.draws
    drawn = DRAWS - 1 - kept.size
    every = draws.keys.size
    outcomes = np.zeros((STRONG, every), dtype=np.int64)
    used = np.zeros(every, dtype=np.int64)
    weights = np.zeros(every, dtype=np.int64)
    sums = np.zeros((STRONG, every), dtype=np.int64)
    found = np.zeros((STRONG, every), dtype=np.int64)
    left = np.zeros(RANKS, dtype=np.int64)
    starts = np.zeros((DRAWS, every, 2), dtype=np.int64)
    row_starts(deck.splits, draws, starts)
    for hold in range(holds.keys.size):
        whole = max(holds.drawn[hold], drawn)
        fewer = min(holds.drawn[hold], drawn)
        listed = strong_outcomes(holds, hold, kept, deck, reading, outcomes, used)
        if listed == 0:
            continue
        possible = False
        for row in range(holds.starts[hold], holds.starts[hold + 1]):
            # Rows of the same hand follow each other, and differ in suits alone.
            if row == holds.starts[hold] or not same_hand(holds, row):
                possible = leave_ranks(holds, row, kept, deck.suits, left)
                if not possible:
                    continue
                weigh_draws(draws, whole, left, weights)
                sum_strong(deck, starts, used[:listed], weights, outcomes, drawn, sums, found)
                found[:, draws.starts[drawn] : draws.starts[drawn + 1]] *= deck.factors[
                    fewer, whole - fewer
                ]
            if not possible:
                continue
            if holds.kinds[row] == PLAIN:
                add_plain_row(holds, row, kept, weights, deck.suits, found, plain)
            else:
                add_suited_row(holds, row, kept, weights, deck.suits, found, by_pattern)
