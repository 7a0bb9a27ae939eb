"""Ultimate Draw: the results of one hold with every discard, as far as ranks decide them.

The player's five ranks are a *kept* and a *thrown* multiset. Results are linear in what the
discards block, so they are computed for all discards at once, by inclusion and exclusion.
`docs/internals/exact-draw.md` derives the sums.
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

PLAIN, FOUR_SUITED, FIVE_SUITED = range(3)
"""Which of the dealer's hands with given ranks a row has: all, or those with four or five of a
suit."""
NO_RANK = RANKS
PATTERNS = 32
"""The number of sets of a hand's different ranks; a set is a mask of five bits."""


class RankHolds(NamedTuple):
    """The dealer's holds, by ranks, and the hands that make them."""

    keys: npt.NDArray[np.uint64]
    strengths: npt.NDArray[np.int64]
    """The strength of a hand that draws nothing, else 0."""
    drawn: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    """Where the rows of each hold begin; the last entry is the end."""
    hands: npt.NDArray[np.int8]
    """For each row, how many cards of each rank the dealer has."""
    kinds: npt.NDArray[np.int8]
    signs: npt.NDArray[np.int8]
    """Whether the hands of the row are added or subtracted."""
    suited: npt.NDArray[np.int64]
    """The ranks that are of one suit, for kinds of four and five."""
    odd: npt.NDArray[np.int8]
    """The rank of the card of another suit, for kinds of four."""


class RankDeck(NamedTuple):
    """A deck that has each of its ranks in the same number of suits, and the possible draws."""

    draws: RankDraws
    splits: Splits
    suits: int
    factors: npt.NDArray[np.int64]
    """The number of orders of five draw cards, by how many cards are drawn first and later."""


class Kept(NamedTuple):
    """The ranks that the player keeps, and everything that can be discarded with them."""

    ranks: npt.NDArray[np.int8]
    """How many cards of each rank are kept."""
    key: np.uint64
    size: int
    standing: int
    """The strength of five kept cards."""
    thrown: npt.NDArray[np.int64]
    """The numbers of the multisets of discards."""
    hands: npt.NDArray[np.int8]
    """For each of these, how many cards of each rank the player was dealt."""
    different: npt.NDArray[np.int8]
    """The different ranks of each of these hands, lowest first, then NO_RANK."""


@kernel
def outcomes_of(
    holds: RankHolds, hold: int, kept: Kept, deck: RankDeck, reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Write, for every multiset of draws, in how many of its orders the player has each result."""
    draws, splits = deck.draws, deck.splits
    fewer, own_drawn = holds.drawn[hold], DRAWS - 1 - kept.size
    first, whole = min(fewer, own_drawn), max(fewer, own_drawn)
    place = DRAWS * whole + first
    out[:, draws.starts[whole] : draws.starts[whole + 1]] = 0
    for row in range(splits.starts[place], splits.starts[place + 1]):
        longer, shorter = draws.keys[splits.wholes[row]], draws.keys[splits.firsts[row]]
        dealer = holds.strengths[hold]
        if dealer == 0:
            dealer = strength_of(
                holds.keys[hold] + (shorter if own_drawn >= fewer else longer), reading
            )
        own = kept.standing
        if own_drawn:
            own = strength_of(kept.key + (longer if own_drawn >= fewer else shorter), reading)
        result = UNQUALIFIED
        if dealer > HIGH_CARDS:
            if own == dealer:
                continue
            result = WIN if own > dealer else LOSE
        out[result, splits.wholes[row]] += splits.ways[row]


@kernel
def add_plain_row(
    holds: RankHolds, row: int, kept: Kept, weights: npt.NDArray[np.int64], suits: int,
    results: npt.NDArray[np.int64], plain: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the results of all suits of the dealer's ranks, by discards.

    The dealer's hands are counted for a deck that has each rank in `suits` suits.
    """
    ranks = np.zeros(DRAWS - 1, dtype=np.int64)
    numbers = np.zeros(DRAWS - 1, dtype=np.int64)
    distinct = 0
    for rank in range(RANKS):
        if holds.hands[row, rank]:
            ranks[distinct] = rank
            numbers[distinct] = holds.hands[row, rank]
            distinct += 1
    for number in range(kept.thrown.size):
        thrown = kept.thrown[number]
        if weights[thrown] == 0:
            continue
        ways = int(holds.signs[row])
        for place in range(distinct):
            left = suits - int(kept.hands[number, ranks[place]])
            ways *= left
            for taken in range(1, numbers[place]):
                ways = ways * (left - taken) // (taken + 1)
        for result in range(plain.shape[1]):
            plain[number, result] += ways * results[result, thrown]


@kernel
def add_suited_row(
    holds: RankHolds, row: int, kept: Kept, weights: npt.NDArray[np.int64], suits: int,
    results: npt.NDArray[np.int64], by_pattern: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the results of four or five cards of one suit, by discards.

    For each suit, they must be added up over the patterns that avoid the player's cards of it.
    A pattern says which of the player's different ranks a mask has, the lowest rank's bit first.
    """
    mask, odd, sign = holds.suited[row], int(holds.odd[row]), int(holds.signs[row])
    four = holds.kinds[row] == FOUR_SUITED
    both = mask | 1 << odd
    for number in range(kept.thrown.size):
        thrown = kept.thrown[number]
        if weights[thrown] == 0:
            continue
        pattern, other = 0, 0
        for place in range(DRAWS - 1):
            rank = kept.different[number, place]
            pattern |= (mask >> rank & 1) << place
            other |= (both >> rank & 1) << place
        ways = sign
        if four:
            ways *= suits - int(kept.hands[number, odd])
            for result in range(by_pattern.shape[2]):
                by_pattern[number, other, result] -= sign * results[result, thrown]
        for result in range(by_pattern.shape[2]):
            by_pattern[number, pattern, result] += ways * results[result, thrown]


@kernel
def sum_standing(
    weights: npt.NDArray[np.int64], outcomes: npt.NDArray[np.int64], first: int, stop: int,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Write the results of a player who draws nothing."""
    win, lose, unqualified = 0, 0, 0
    for draw in range(first, stop):
        win += weights[draw] * outcomes[WIN, draw]
        lose += weights[draw] * outcomes[LOSE, draw]
        unqualified += weights[draw] * outcomes[UNQUALIFIED, draw]
    out[WIN, 0], out[LOSE, 0], out[UNQUALIFIED, 0] = win, lose, unqualified


@kernel
def sum_blocked(
    deck: RankDeck, weights: npt.NDArray[np.int64], outcomes: npt.NDArray[np.int64], whole: int,
    drawn: int, sums: npt.NDArray[np.int64], out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Write, for each multiset of discards, the results of the draws that avoid it.

    `outcomes` are multiplied by `weights`.
    """
    draws, splits = deck.draws, deck.splits
    for result in range(out.shape[0]):
        worth, blocked = outcomes[result], sums[result]
        blocked[: draws.starts[drawn + 1]] = 0
        for draw in range(draws.starts[whole], draws.starts[whole + 1]):
            worth[draw] *= weights[draw]
        for first in range(drawn + 1):
            place = DRAWS * whole + first
            for row in range(splits.starts[place], splits.starts[place + 1]):
                blocked[splits.firsts[row]] += splits.ways[row] * worth[splits.wholes[row]]
        avoid_thrown(deck, weights, drawn, blocked, out[result])


@kernel
def avoid_thrown(
    deck: RankDeck, weights: npt.NDArray[np.int64], drawn: int, blocked: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Subtract the draws that contain discards, by inclusion and exclusion.

    `blocked` has, by multiset, the results of all draws that contain it, times its own weight.
    """
    draws, splits = deck.draws, deck.splits
    size = draws.starts[drawn + 1]
    for draw in range(size):
        blocked[draw] = blocked[draw] // weights[draw] if weights[draw] else 0
    out[draws.starts[drawn] : size] = 0
    for first in range(drawn + 1):
        place = DRAWS * drawn + first
        sign = -1 if first & 1 else 1
        for row in range(splits.starts[place], splits.starts[place + 1]):
            out[splits.wholes[row]] += sign * splits.ways[row] * blocked[splits.firsts[row]]


@kernel
def count_kept(
    kept: Kept, holds: RankHolds, deck: RankDeck, reading: np.record,
    plain: npt.NDArray[np.int64], by_pattern: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the results of the kept ranks, for each multiset of discards.

    The results are as many of win, lose and unqualified dealer as `plain` has columns.
    """
    draws = deck.draws
    drawn = DRAWS - 1 - kept.size
    every = draws.keys.size
    counted = plain.shape[1]
    outcomes = np.zeros((RESULTS, every), dtype=np.int64)
    worth = np.zeros((counted, every), dtype=np.int64)
    weights = np.zeros(every, dtype=np.int64)
    sums = np.zeros((counted, every), dtype=np.int64)
    results = np.zeros((counted, every), dtype=np.int64)
    left = np.zeros(RANKS, dtype=np.int64)
    for hold in range(holds.keys.size):
        whole = max(holds.drawn[hold], drawn)
        fewer = min(holds.drawn[hold], drawn)
        first, stop = draws.starts[whole], draws.starts[whole + 1]
        outcomes_of(holds, hold, kept, deck, reading, outcomes)
        possible = False
        for row in range(holds.starts[hold], holds.starts[hold + 1]):
            # Rows of the same hand are adjacent, and differ only in suits.
            if row == holds.starts[hold] or not same_hand(holds, row):
                possible = leave_ranks(holds, row, kept, deck.suits, left)
                if not possible:
                    continue
                weigh_draws(draws, whole, left, weights)
                if drawn == 0:
                    sum_standing(weights, outcomes, first, stop, results)
                else:
                    worth[:, first:stop] = outcomes[:counted, first:stop]
                    sum_blocked(deck, weights, worth, whole, drawn, sums, results)
                results[:, draws.starts[drawn] : draws.starts[drawn + 1]] *= deck.factors[
                    fewer, whole - fewer
                ]
            if not possible:
                continue
            if holds.kinds[row] == PLAIN:
                add_plain_row(holds, row, kept, weights, deck.suits, results, plain)
            else:
                add_suited_row(holds, row, kept, weights, deck.suits, results, by_pattern)


@kernel
def same_hand(holds: RankHolds, row: int) -> bool:
    """Return whether a row has the same ranks as the one before it."""
    different = 0
    for rank in range(RANKS):
        different |= holds.hands[row, rank] ^ holds.hands[row - 1, rank]
    return bool(different == 0)


@kernel
def leave_ranks(
    holds: RankHolds, row: int, kept: Kept, suits: int, left: npt.NDArray[np.int64]
) -> bool:
    """Write how many cards of each rank are left; False if the deck has too few."""
    enough = True
    for rank in range(RANKS):
        left[rank] = suits - holds.hands[row, rank] - kept.ranks[rank]
        enough = enough and left[rank] >= 0
    return enough
