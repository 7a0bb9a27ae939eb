"""Ultimate Draw: the dealer's possible hands, given the player's cards and a drawn flush.

The player has five cards and draws four or five of one suit. Hands of the dealer are counted by
what their ranks hold: a product of the cards left of each rank, minus the hands with four or five
cards of a suit, which are looked up. `docs/internals/exact-draw.md` derives the sums.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.flush_tables import OneSuit
from openfelt.maths.kernels.hand_reader import STRENGTHS
from openfelt.maths.kernels.hold_results import RANKS
from openfelt.maths.kernels.suit_patterns import (
    HIGH_SETS,
    LOW_RANKS,
    PLAIN_HOLDS,
    STRAIGHT_RANKS,
    SuitPatterns,
)
from openfelt.maths.kernels.unqualified_pairs import bits

HAND = 5


class OtherSuits(NamedTuple):
    """Hands with four or five cards of a suit in which nothing is drawn, given the player's hand.

    The fifth card may be of the suit that is drawn, so each drawn card rules out some of these
    hands.
    """

    taken: npt.NDArray[np.int64]
    """The ranks that the player has or the deck lacks in each of these suits."""
    suited: npt.NDArray[np.int64]
    """By what their ranks hold: hands with four and five cards of a suit."""
    suited_with: npt.NDArray[np.int64]
    """The same by rank of the fifth card, for each card left of the rank."""
    misses: npt.NDArray[np.int64]
    """By drawn rank: hands with four of a suit that do not become a straight or a pair."""
    misses_with: npt.NDArray[np.int64]
    """The same by drawn rank and rank of the fifth card, for each card left of the rank."""
    flushes: npt.NDArray[np.int64]
    """By strength: flushes of these suits that are at least as strong."""
    low: npt.NDArray[np.int64]
    """By low rank: hands that hold nothing and do not contain it, with four or five of a suit."""
    low_with: npt.NDArray[np.int64]
    """The same by that rank and the rank of the fifth card, for each card left of the rank."""


class HandsLeft(NamedTuple):
    """The dealer's possible hands after one draw."""

    left: npt.NDArray[np.int64]
    """The cards left of each rank."""
    by_hold: npt.NDArray[np.int64]
    """Hands without a pair that have no four cards of a suit, by what they hold."""
    suited: npt.NDArray[np.int64]
    """Those whose high cards are all of the suit, by high ranks."""
    lows: npt.NDArray[np.int64]
    """By number of low cards: the sums of products of the low cards left."""


@kernel
def hands_left() -> HandsLeft:
    """Allocate the counts."""
    return HandsLeft(
        np.zeros(RANKS, dtype=np.int64),
        np.zeros(PLAIN_HOLDS, dtype=np.int64),
        np.zeros(HIGH_SETS, dtype=np.int64),
        np.zeros(HAND + 1, dtype=np.int64),
    )


@kernel
def other_suits(
    suit: OneSuit, taken: npt.NDArray[np.int64], patterns: SuitPatterns, reading: np.record
) -> OtherSuits:
    """Look up the hands with four or five cards of the suits in which nothing is drawn."""
    suited = np.zeros(PLAIN_HOLDS, dtype=np.int64)
    suited_with = np.zeros((RANKS, PLAIN_HOLDS), dtype=np.int64)
    misses = np.zeros(RANKS, dtype=np.int64)
    misses_with = np.zeros((RANKS, RANKS), dtype=np.int64)
    flushes = np.zeros(STRENGTHS + 1, dtype=np.int64)
    low = np.zeros(LOW_RANKS, dtype=np.int64)
    low_with = np.zeros((LOW_RANKS, RANKS), dtype=np.int64)
    for mask in taken:
        suited += patterns.fives[mask]
        for odd in range(RANKS):
            outside = suit.left[odd] - (1 - (mask >> odd & 1))
            suited += outside * patterns.fours[mask, odd]
            suited_with[odd] += patterns.fours[mask, odd]
            for rank in range(RANKS):
                misses[rank] += outside * patterns.misses[mask, rank, odd]
                misses_with[rank, odd] += patterns.misses[mask, rank, odd]
        for rank in range(LOW_RANKS):
            without = mask | 1 << rank
            low[rank] += patterns.fives[without, 0]
            for odd in range(RANKS):
                if odd != rank:
                    outside = suit.left[odd] - (1 - (mask >> odd & 1))
                    low[rank] += outside * patterns.fours[without, odd, 0]
                    low_with[rank, odd] += patterns.fours[without, odd, 0]
        for number in range(suit.starts[HAND], suit.starts[HAND + 1]):
            if suit.masks[number] & mask == 0:
                flushes[reading.flushes[suit.masks[number]]] += 1
    for strength in range(STRENGTHS - 1, -1, -1):
        flushes[strength] += flushes[strength + 1]
    return OtherSuits(taken, suited, suited_with, misses, misses_with, flushes, low, low_with)


@kernel
def sum_lows(left: npt.NDArray[np.int64], out: npt.NDArray[np.int64]) -> None:
    """Write, for each number, the ways to have this many cards of different low ranks."""
    out[:] = 0
    out[0] = 1
    for rank in range(LOW_RANKS):
        for size in range(HAND, 0, -1):
            out[size] += left[rank] * out[size - 1]


@kernel
def outside_of(left: npt.NDArray[np.int64], odd: int, taken: int) -> int:
    """Return how many cards of a rank are left outside a suit with these ranks taken."""
    return int(left[odd] - (1 - (taken >> odd & 1)))


@kernel
def count_hands_left(
    suit: OneSuit, others: OtherSuits, draw: int, taken: int, patterns: SuitPatterns,
    out: HandsLeft,
) -> None:  # fmt: skip
    """Count the dealer's hands without a pair that are possible after a draw, by what they hold.

    `taken` has the ranks of the suit that the player was dealt or that were drawn.
    """
    for rank in range(RANKS):
        out.left[rank] = suit.left[rank] - (draw >> rank & 1)
    count_by_ranks(patterns, out)
    by_hold = out.by_hold
    for odd in range(RANKS):
        outside = outside_of(out.left, odd, taken)
        if outside:
            for hold in range(PLAIN_HOLDS):
                by_hold[hold] -= outside * patterns.fours[taken, odd, hold]
        if draw >> odd & 1:
            for hold in range(PLAIN_HOLDS):
                by_hold[hold] += others.suited_with[odd, hold]
    for hold in range(PLAIN_HOLDS):
        by_hold[hold] -= others.suited[hold] + patterns.fives[taken, hold]
    leave_suited(others, taken, patterns, out)


@kernel
def count_by_ranks(patterns: SuitPatterns, out: HandsLeft) -> None:
    """Count the hands of all suits by what their ranks hold.

    Leaves the ways to have low cards with the same high ranks in `suited`.
    """
    left, by_hold, suited = out.left, out.by_hold, out.suited
    sum_lows(left, out.lows)
    by_hold[HIGH_SETS:] = 0
    for high in range(HIGH_SETS):
        suited[high] = out.lows[HAND - bits(high)]
    for number in range(patterns.odd_hands.size):
        mask = patterns.odd_hands[number]
        low, highs = 1, 1
        for place in range(HAND):
            rank = patterns.odd_ranks[number, place]
            if rank < LOW_RANKS:
                low *= left[rank]
            else:
                highs *= left[rank]
        suited[mask >> LOW_RANKS] -= low
        if patterns.holds[mask] != STRAIGHT_RANKS:
            by_hold[patterns.holds[mask]] += low * highs
    for high in range(HIGH_SETS):
        by_hold[high] = suited[high]
        for place in range(RANKS - LOW_RANKS):
            if high >> place & 1:
                by_hold[high] *= left[LOW_RANKS + place]


@kernel
def leave_suited(others: OtherSuits, taken: int, patterns: SuitPatterns, out: HandsLeft) -> None:
    """Count the hands whose high cards are all of the suit, from the ways to have low cards."""
    for high in range(HIGH_SETS):
        if (high << LOW_RANKS) & taken or high == HIGH_SETS - 1:
            out.suited[high] = 0
            continue
        hands = out.suited[high] - patterns.fives[taken, high]
        for odd in range(LOW_RANKS):
            hands -= outside_of(out.left, odd, taken) * patterns.fours[taken, odd, high]
        if bits(high) == 1:
            hands -= others.suited_with[LOW_RANKS + bits(high - 1), high]
        out.suited[high] = hands


@kernel
def low_odd_hands(left: npt.NDArray[np.int64], patterns: SuitPatterns) -> int:
    """Count the hands of low ranks that hold a sequence, or are a straight."""
    hands = 0
    for number in range(patterns.odd_hands.size):
        if patterns.odd_hands[number] >> LOW_RANKS:
            # Low ones come first.
            break
        ways = 1
        for place in range(HAND):
            ways *= left[patterns.odd_ranks[number, place]]
        hands += ways
    return int(hands)


@kernel
def low_hands(
    others: OtherSuits, draw: int, taken: int, without: int, patterns: SuitPatterns, out: HandsLeft
) -> int:
    """Count the hands that hold nothing and do not contain a given low rank."""
    before = out.left[without]
    out.left[without] = 0
    sum_lows(out.left, out.lows)
    hands = out.lows[HAND]
    taken |= 1 << without
    hands -= low_odd_hands(out.left, patterns)
    hands -= others.low[without] + patterns.fives[taken, 0]
    for odd in range(LOW_RANKS):
        if odd != without:
            hands -= outside_of(out.left, odd, taken) * patterns.fours[taken, odd, 0]
            hands += (draw >> odd & 1) * others.low_with[without, odd]
    out.left[without] = before
    return int(hands)


@kernel
def low_hands_with(
    others: OtherSuits, taken: int, card: int, patterns: SuitPatterns, out: HandsLeft
) -> int:
    """Count the hands that hold nothing and contain the suit's card of a given low rank."""
    before = out.left[card]
    out.left[card] = 0
    sum_lows(out.left, out.lows)
    hands = out.lows[HAND - 1] + low_odd_hands(out.left, patterns)
    out.left[card] = 1
    hands -= low_odd_hands(out.left, patterns)
    out.left[card] = before
    without = taken | 1 << card
    hands -= patterns.fives[taken, 0] - patterns.fives[without, 0]
    for odd in range(LOW_RANKS):
        if odd != card:
            hands -= outside_of(out.left, odd, taken) * (
                patterns.fours[taken, odd, 0] - patterns.fours[without, odd, 0]
            )
    hands -= others.suited_with[card, 0]
    return int(hands)
