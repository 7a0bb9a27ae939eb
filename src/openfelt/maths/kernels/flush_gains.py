"""Ultimate Draw: the effect of player flushes made with four or five drawn cards.

These holds have the most draws of all, so the dealer's hands are not listed for them. Instead, the
hands that do not qualify, or are at least as strong as the player's flush, are subtracted from all
hands that a draw leaves. `docs/internals/exact-draw.md` derives the sums.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.flush_dealers import (
    HAND,
    HandsLeft,
    OtherSuits,
    count_hands_left,
    hands_left,
    low_hands,
    low_hands_with,
    other_suits,
    outside_of,
)
from openfelt.maths.kernels.flush_tables import OneSuit, flush_of
from openfelt.maths.kernels.hold_results import ALL_RANKS, LOSE, RANKS, WIN
from openfelt.maths.kernels.result_columns import TIE, first_column
from openfelt.maths.kernels.suit_patterns import (
    HIGH_SETS,
    LOW_RANKS,
    SEQUENCES,
    SuitPatterns,
)
from openfelt.maths.kernels.unqualified_pairs import bits


class PlayersFlush(NamedTuple):
    """A flush for which the player draws four or five cards."""

    draw: int
    """The ranks drawn."""
    taken: int
    """The ranks of the suit that the player was dealt or drew, or that the deck lacks."""
    strength: int
    straight: int
    """Its ranks if they are a straight, else 0."""


class DealersLeft(NamedTuple):
    """Deals after one draw of the player, by the dealer's final hand."""

    unqualified: int
    straights: int
    """Straights, not flushes, that are at least as strong as the player's ranks."""
    equal_straights: int
    flushes: int
    """All flushes of the dealer."""
    strong_flushes: int
    """Flushes at least as strong as the player's."""
    equal_flushes: int
    full: int
    """Full houses and four of a kind."""


@kernel
def count_long_flushes(
    suit: OneSuit, kept: int, taken: npt.NDArray[np.int64], unseen: int, patterns: SuitPatterns,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the effect of the flushes of a player who keeps at most one card of the suit.

    `kept` is the mask of the kept cards, `taken` has the ranks that are taken in each other suit,
    and `unseen` is how many cards the player's hand leaves. `out` has the columns of one hold, with
    ties in place of unqualified dealers.
    """
    drawn = HAND - bits(kept)
    others = other_suits(suit, taken, patterns, reading)
    room = hands_left()
    every = 1
    for place in range(HAND):
        every = every * (unseen - drawn - place) // (place + 1)
    every *= suit.factors[0, drawn]
    for number in range(suit.starts[drawn], suit.starts[drawn + 1]):
        draw = suit.masks[number]
        if draw & ~suit.free:
            continue
        dealers = count_dealers(suit, others, kept, draw, patterns, reading, room)
        qualified = every - dealers.unqualified
        first = first_column(out, flush_of(kept | draw, reading))
        lost = dealers.strong_flushes - dealers.equal_flushes
        plain_lost, plain_tied = qualified, 0
        if patterns.straights[kept | draw]:
            plain_tied = dealers.equal_straights
            plain_lost = dealers.straights - plain_tied + dealers.flushes + dealers.full
        else:
            lost += dealers.full
        out[first + WIN] += qualified - lost - dealers.equal_flushes
        out[first + LOSE] += lost
        out[first + TIE] += dealers.equal_flushes
        out[WIN] -= qualified - plain_lost - plain_tied
        out[LOSE] -= plain_lost
        out[TIE] -= plain_tied


@kernel
def count_dealers(
    suit: OneSuit, others: OtherSuits, kept: int, draw: int, patterns: SuitPatterns,
    reading: np.record, room: HandsLeft,
) -> DealersLeft:  # fmt: skip
    """Count the dealer's final hands after one draw, as far as they matter."""
    taken = ALL_RANKS & ~suit.free | draw
    count_hands_left(suit, others, draw, taken, patterns, room)
    straight = kept | draw if patterns.straights[kept | draw] else 0
    flush = PlayersFlush(draw, taken, flush_of(kept | draw, reading), straight)
    tally = np.zeros(7, dtype=np.int64)
    tally[6] = full_hands(suit, draw, room)
    add_standing(suit, others, flush, patterns, reading, room, tally)
    add_fours(suit, others, flush, patterns, reading, room, tally)
    add_high_cards(suit, flush, patterns, reading, room, tally)
    if bits(draw) == HAND:
        deals = room.by_hold[0] * suit.factors[HAND, 0]
        tally[3] += deals
        tally[4] += deals
        tally[5] += deals
    else:
        add_no_cards(suit, others, flush, patterns, reading, room, tally)
    return DealersLeft(tally[0], tally[1], tally[2], tally[3], tally[4], tally[5], tally[6])


@kernel
def add_flush_deals(
    mask: int, own: int, deals: int, reading: np.record, tally: npt.NDArray[np.int64]
) -> None:
    """Count deals with one flush of the dealer."""
    flush = int(reading.flushes[mask])
    tally[3] += deals
    if flush >= own:
        tally[4] += deals
    if flush == own:
        tally[5] += deals


@kernel
def add_ranks(
    mask: int, straight: int, deals: int, patterns: SuitPatterns, reading: np.record,
    tally: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count deals in which the dealer has five different ranks, not a flush."""
    if not patterns.straights[mask]:
        tally[0] += deals
    elif straight and reading.flushes[mask] >= reading.flushes[straight]:
        tally[1] += deals
        if mask == straight:
            tally[2] += deals


@kernel
def full_hands(suit: OneSuit, draw: int, room: HandsLeft) -> int:
    """Count deals in which the dealer has or draws a full house or four of a kind."""
    left, drawn = room.left, bits(draw)
    once, after_one = suit.factors[0, drawn], suit.factors[1, drawn - 1]
    after_two = suit.factors[2, drawn - 2]
    cards, pairs = 0, 0
    for rank in range(RANKS):
        cards += left[rank]
        pairs += left[rank] * (left[rank] - 1) // 2
    deals = 0
    for rank in range(RANKS):
        n = left[rank]
        two = n * (n - 1) // 2
        three = two * (n - 2) // 3
        if n == 4:
            deals += once * (cards - n)
        deals += once * three * (pairs - two)
        if draw >> rank & 1:
            # A hand with two pairs meets one of its ranks; three of a kind meet the fourth.
            singles, squares = 0, 0
            for other in range(RANKS):
                if other != rank:
                    m = left[other]
                    deals += after_one * two * (m * (m - 1) // 2) * (cards - n - m)
                    singles += m
                    squares += m * m
            deals += after_two * (drawn - 1) * three * ((singles * singles - squares) // 2)
    return int(deals)


@kernel
def add_standing(
    suit: OneSuit, others: OtherSuits, flush: PlayersFlush, patterns: SuitPatterns,
    reading: np.record, room: HandsLeft, tally: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the dealer's standing flushes, and standing straights if they matter."""
    own, once = flush.strength, suit.factors[0, bits(flush.draw)]
    tally[3] += once * others.flushes[0]
    tally[4] += once * others.flushes[own]
    tally[5] += once * (others.flushes[own] - others.flushes[own + 1])
    rest = ALL_RANKS & ~flush.taken
    mask = rest
    while mask:
        if bits(mask) == HAND:
            add_flush_deals(mask, own, once, reading, tally)
        mask = (mask - 1) & rest
    for number in range(patterns.odd_hands.size if flush.straight else 0):
        mask = patterns.odd_hands[number]
        if patterns.straights[mask]:
            hands = 1
            for place in range(HAND):
                hands *= room.left[patterns.odd_ranks[number, place]]
            hands -= mask & flush.taken == 0
            for other in others.taken:
                hands -= mask & other == 0
            add_ranks(mask, flush.straight, once * hands, patterns, reading, tally)


@kernel
def add_fours(
    suit: OneSuit, others: OtherSuits, flush: PlayersFlush, patterns: SuitPatterns,
    reading: np.record, room: HandsLeft, tally: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count hands of the dealer that hold four cards of a suit, or in sequence."""
    draw, straight = flush.draw, flush.straight
    after_one = suit.factors[1, bits(draw) - 1]
    add_own_fours(flush, after_one, patterns, reading, room, tally)
    for rank in range(RANKS):
        if not draw >> rank & 1:
            continue
        hands = others.misses[rank]
        for odd in range(RANKS):
            hands -= (draw >> odd & 1) * others.misses_with[rank, odd]
        tally[0] += after_one * hands
        if straight:
            add_other_straights(others, rank, straight, after_one, patterns, reading, room, tally)
        for number in range(SEQUENCES):
            mask = patterns.sequences[number]
            if not mask >> rank & 1:
                deals = after_one * room.by_hold[HIGH_SETS + number]
                add_ranks(mask | 1 << rank, straight, deals, patterns, reading, tally)


@kernel
def add_own_fours(
    flush: PlayersFlush, after_one: int, patterns: SuitPatterns, reading: np.record,
    room: HandsLeft, tally: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count hands with four cards of the suit, which every draw completes to a flush."""
    rest = ALL_RANKS & ~flush.taken
    four = rest
    while four:
        if bits(four) == HAND - 1:
            hands = 0
            for odd in range(RANKS):
                if not (four >> odd & 1 or patterns.straights[four | 1 << odd]):
                    hands += outside_of(room.left, odd, flush.taken)
            for rank in range(RANKS):
                if flush.draw >> rank & 1:
                    made = four | 1 << rank
                    add_flush_deals(made, flush.strength, after_one * hands, reading, tally)
        four = (four - 1) & rest


@kernel
def add_other_straights(
    others: OtherSuits, rank: int, straight: int, after_one: int,
    patterns: SuitPatterns, reading: np.record, room: HandsLeft, tally: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count hands with four cards of another suit that a drawn rank completes to a straight."""
    for whole in patterns.odd_hands:
        if not (patterns.straights[whole] and whole >> rank & 1):
            continue
        four = whole ^ 1 << rank
        hands = 0
        for taken in others.taken:
            for odd in range(RANKS) if four & taken == 0 else range(0):
                if not (four >> odd & 1 or patterns.straights[four | 1 << odd]):
                    hands += outside_of(room.left, odd, taken)
        add_ranks(whole, straight, after_one * hands, patterns, reading, tally)


@kernel
def add_high_cards(
    suit: OneSuit, flush: PlayersFlush, patterns: SuitPatterns, reading: np.record,
    room: HandsLeft, tally: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count hands of the dealer that hold one to three high cards."""
    draw, straight = flush.draw, flush.straight
    drawn = bits(draw)
    for high in range(1, HIGH_SETS - 1):
        more = HAND - bits(high)
        if more > drawn:
            continue
        factor = suit.factors[more, drawn - more]
        suited, every = room.suited[high], room.by_hold[high]
        held = high << LOW_RANKS
        tally[0] += factor * patterns.draws[draw, high] * (every - suited)
        if suited == 0 and not straight:
            continue
        part = draw
        while part:
            if bits(part) == more and part & held == 0:
                if suited:
                    deals = factor * suited
                    add_flush_deals(held | part, flush.strength, deals, reading, tally)
                if straight and patterns.straights[held | part]:
                    deals = factor * (every - suited)
                    add_ranks(held | part, straight, deals, patterns, reading, tally)
            part = (part - 1) & draw


@kernel
def add_no_cards(
    suit: OneSuit, others: OtherSuits, flush: PlayersFlush, patterns: SuitPatterns,
    reading: np.record, room: HandsLeft, tally: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count hands of the dealer that hold nothing, and so draw one card more than four."""
    draw, taken = flush.draw, flush.taken
    factor = suit.factors[HAND - 1, 1]
    every = room.by_hold[0]
    for rank in range(RANKS):
        if draw >> rank & 1 or room.left[rank] == 0:
            continue
        having, having_own = 0, 0
        free = not taken >> rank & 1
        if rank < LOW_RANKS:
            having = every - low_hands(others, draw, taken, rank, patterns, room)
            if free:
                having_own = low_hands_with(others, taken, rank, patterns, room)
        pairs = room.left[rank] * every - having
        if free:
            # The card of the suit is left for hands that do not contain it.
            pairs -= every - having_own
            deals = factor * (every - having_own)
            add_flush_deals(draw | 1 << rank, flush.strength, deals, reading, tally)
        add_ranks(draw | 1 << rank, flush.straight, factor * pairs, patterns, reading, tally)
