"""Ultimate Draw: the results of all holds of one hand, as far as ranks decide them.

`docs/internals/exact-draw.md` derives the sums. A *hold group* has all hands of the dealer that
hold the same ranks; it lists their ranks, which the draw cards can no longer have, and in how many
suit combinations they come. Draws are multisets of ranks. Results are counted in deals: hands of
the dealer times ordered draws of five cards.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.seven_card_evaluator import rank_strength

RANKS = 13
ALL_RANKS = (1 << RANKS) - 1
"""The mask of every rank."""
WIN, LOSE, UNQUALIFIED = range(3)
RESULTS = 3
"""The columns of results; the rest are ties."""
HIGH_CARDS = 1277
"""The strongest hand without a pair."""
STRAIGHTS = 5863
"""The strongest straight; flushes begin above it."""
FULL_HOUSES = 7141
"""The weakest full house; flushes end below it."""
STRAIGHT_FLUSHES = 7453
"""The weakest straight flush."""
DRAWS = 6
"""How many different numbers of cards can be drawn: none to five."""


class RankDraws(NamedTuple):
    """All multisets of the deck's ranks with at most five members, by size."""

    starts: npt.NDArray[np.int64]
    """Where each size begins; the last entry is the end."""
    keys: npt.NDArray[np.uint64]
    """The sums of rank keys, which the look-up tables of hands take."""
    parents: npt.NDArray[np.int32]
    """The multiset without its last rank."""
    lasts: npt.NDArray[np.int8]
    """The last rank."""
    runs: npt.NDArray[np.int8]
    """How often the last rank occurs."""


class Splits(NamedTuple):
    """The ways to draw a multiset of ranks in two parts, by the sizes of the whole and the first.

    The pair of sizes `(whole, first)` has the number `DRAWS * whole + first`.
    """

    starts: npt.NDArray[np.int64]
    wholes: npt.NDArray[np.int32]
    firsts: npt.NDArray[np.int32]
    ways: npt.NDArray[np.int64]
    """How many choices of cards have these ranks in the first part."""


class HoldGroups(NamedTuple):
    """The dealer's hands, in groups that hold the same ranks."""

    keys: npt.NDArray[np.uint64]
    """The rank key of what each group holds."""
    strengths: npt.NDArray[np.int64]
    """The strength of hands that draw nothing, else 0."""
    drawn: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    """Where the kinds of hands of each group begin; the last entry is the end."""
    ranks: npt.NDArray[np.int8]
    """The ranks of each kind of hands."""
    ways: npt.NDArray[np.int64]
    """How many hands there are of each kind."""


class Holds(NamedTuple):
    """The player's distinct holds, by the number of cards that they draw."""

    starts: npt.NDArray[np.int64]
    keys: npt.NDArray[np.uint64]
    masks: npt.NDArray[np.int64]
    """The ranks held."""
    standing: int
    """The strength of the hand if it is held whole."""


@kernel
def strength_of(key: np.uint64, reading: np.record) -> int:
    """Return the strength of five ranks, without a flush, by the sum of their keys."""
    return int(np.int64(rank_strength(key, reading.offsets5, reading.strengths5)))


@kernel
def own_strength(holds: Holds, hold: int, drawn: np.uint64, reading: np.record) -> int:
    """Return the strength of the player's hand after a draw; suits count only if none was drawn."""
    if hold < holds.starts[1]:
        return holds.standing
    return strength_of(holds.keys[hold] + drawn, reading)


@kernel
def add_result(out: npt.NDArray[np.int64], strength: int, dealer: int, deals: int) -> None:
    """Count deals that end with these two hands."""
    if dealer <= HIGH_CARDS:
        out[UNQUALIFIED] += deals
    elif strength > dealer:
        out[WIN] += deals
    elif strength < dealer:
        out[LOSE] += deals


@kernel
def change_left(left: npt.NDArray[np.int64], ranks: npt.NDArray[np.int8], by: int) -> None:
    """Take away a hand's cards, or put them back."""
    for rank in ranks:
        left[rank] += by


@kernel
def weigh_draws(
    draws: RankDraws, size: int, left: npt.NDArray[np.int64], out: npt.NDArray[np.int64]
) -> None:
    """Count the sets of cards of every multiset of ranks up to a size."""
    out[0] = 1
    for draw in range(1, draws.starts[size + 1]):
        run = draws.runs[draw]
        ways = out[draws.parents[draw]] * max(left[draws.lasts[draw]] - run + 1, 0)
        out[draw] = ways // run if run > 1 else ways


@kernel
def weigh_draw(draws: RankDraws, draw: int, left: npt.NDArray[np.int64]) -> int:
    """Count the sets of cards of one multiset of ranks."""
    ways = 1
    among = 1
    while draw:
        run = draws.runs[draw]
        ways *= max(left[draws.lasts[draw]] - run + 1, 0)
        among *= run
        draw = draws.parents[draw]
    return int(ways // among)


@kernel
def weigh_group(
    groups: HoldGroups, group: int, draws: RankDraws, left: npt.NDArray[np.int64],
    ways: npt.NDArray[np.int64], out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count, for each multiset of draws, the pairs of a hand of the group and a set of cards."""
    first = draws.starts[groups.drawn[group]]
    out[first:] = 0
    for kind in range(groups.starts[group], groups.starts[group + 1]):
        if groups.ways[kind]:
            change_left(left, groups.ranks[kind], -1)
            weigh_draws(draws, DRAWS - 1, left, ways)
            change_left(left, groups.ranks[kind], 1)
            for draw in range(first, out.size):
                out[draw] += groups.ways[kind] * ways[draw]


@kernel
def count_rank_results(
    groups: HoldGroups, draws: RankDraws, splits: Splits, holds: Holds,
    left: npt.NDArray[np.int64], factors: npt.NDArray[np.int64], reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the results of all holds, ignoring suits.

    `left` has how many cards of each rank the player's hand leaves; `factors` has the number of
    orders of five draw cards, by how many cards are drawn first and later.
    """
    ways = np.zeros(draws.keys.size, dtype=np.int64)
    weights = np.zeros(draws.keys.size, dtype=np.int64)
    for group in range(groups.keys.size):
        fewer = groups.drawn[group]
        weigh_group(groups, group, draws, left, ways, weights)
        for drawn in range(DRAWS):
            first, whole = min(drawn, fewer), max(drawn, fewer)
            place = DRAWS * whole + first
            for row in range(splits.starts[place], splits.starts[place + 1]):
                deals = (
                    weights[splits.wholes[row]] * splits.ways[row] * factors[first, whole - first]
                )
                if deals == 0:
                    continue
                longer = draws.keys[splits.wholes[row]]
                shorter = draws.keys[splits.firsts[row]]
                dealer = groups.strengths[group]
                if dealer == 0:
                    dealers = shorter if drawn >= fewer else longer
                    dealer = strength_of(groups.keys[group] + dealers, reading)
                own = longer if drawn >= fewer else shorter
                for hold in range(holds.starts[drawn], holds.starts[drawn + 1]):
                    add_result(out[hold], own_strength(holds, hold, own, reading), dealer, deals)
