"""Ultimate Draw: the results of one hold by the dealer's final hand, from ranks alone.

A *rung* is a hand that qualifies only if no better one is required: a pair of some rank, two pairs
or three of a kind. The sums are those of `rank_classes`, for the draws that give the dealer one.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.category_ranks import add_columns, column_work
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hold_results import (
    DRAWS,
    HIGH_CARDS,
    RANKS,
    strength_of,
)
from openfelt.maths.kernels.rank_classes import Kept, RankDeck, RankHolds

TWO_PAIR_RUNG, THREE_RUNG = RANKS, RANKS + 1
"""The rungs after the pairs, whose numbers are their ranks."""
RUNGS = RANKS + 2
HANDS_OF_A_PAIR = 220
"""How many strengths the pairs of one rank have."""
TWO_PAIRS = 4138
"""The weakest two pairs."""
THREES = 4996
"""The weakest three of a kind."""
BELOW_STRAIGHTS = 5853
"""The strongest three of a kind."""


@kernel
def rung_of(strength: int) -> int:
    """Return the rung of a hand; -1 for a hand without a pair, or better than three of a kind."""
    if strength <= HIGH_CARDS or strength > BELOW_STRAIGHTS:
        return -1
    if strength >= THREES:
        return THREE_RUNG
    if strength >= TWO_PAIRS:
        return TWO_PAIR_RUNG
    return int((strength - HIGH_CARDS - 1) // HANDS_OF_A_PAIR)


@kernel
def rung_outcomes(
    holds: RankHolds, hold: int, kept: Kept, deck: RankDeck, reading: np.record,
    out: npt.NDArray[np.int64], used: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Write, for every multiset of draws, wins less losses over its orders, by the dealer's rung.

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
        dealer = holds.strengths[hold]
        if dealer == 0:
            dealer = strength_of(
                holds.keys[hold] + (shorter if own_drawn >= fewer else longer), reading
            )
        rung = rung_of(dealer)
        if rung < 0:
            continue
        own = kept.standing
        if own_drawn:
            own = strength_of(kept.key + (longer if own_drawn >= fewer else shorter), reading)
        if own == dealer:
            continue
        out[rung, splits.wholes[row]] += splits.ways[row] if own > dealer else -splits.ways[row]
        # Rows of the same whole multiset are adjacent.
        if listed == 0 or used[listed - 1] != splits.wholes[row]:
            used[listed] = splits.wholes[row]
            listed += 1
    return listed


@kernel
def count_rungs(
    kept: Kept, holds: RankHolds, deck: RankDeck, reading: np.record,
    plain: npt.NDArray[np.int64], by_pattern: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add wins less losses of the kept ranks by the dealer's rung, for each multiset of discards.

    Like `count_categories` of `category_ranks`.
    """
    work = column_work(deck, RUNGS)
    for hold in range(holds.keys.size):
        if holds.strengths[hold]:
            # A hand that stands is at least a straight.
            continue
        listed = rung_outcomes(holds, hold, kept, deck, reading, work.outcomes, work.used)
        if listed:
            add_columns(kept, holds, hold, deck, work, listed, plain, by_pattern)
