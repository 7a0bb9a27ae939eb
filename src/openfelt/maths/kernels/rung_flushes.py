"""Ultimate Draw: the deals in which the player draws a flush and the dealer ends on a rung.

The flush, not a straight flush, turns a loss into a win. For each set of ranks that the player
draws, all hands that have the same ranks, and all their suits, are counted together: the dealer's
hands are counted by their ranks, except for those with four or five cards of a suit.
`docs/internals/exact-draw.md` derives the sums.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.final_rungs import add_hands
from openfelt.maths.kernels.hold_results import DRAWS, RANKS
from openfelt.maths.kernels.rank_classes import PATTERNS
from openfelt.maths.kernels.rung_ranks import TWO_PAIR_RUNG
from openfelt.maths.kernels.unqualified_pairs import bits

HAND = 5


class FlushHolds(NamedTuple):
    """Holds of cards of one suit, of hands that have the same ranks."""

    ranks: npt.NDArray[np.int64]
    """How many cards of each rank the hands have."""
    different: npt.NDArray[np.int64]
    """The different ranks."""
    kept: npt.NDArray[np.int64]
    """The ranks that each hold keeps; those that keep the most come first."""
    own: npt.NDArray[np.int64]
    """The ranks that the hand has in the suit."""
    others: npt.NDArray[np.int64]
    """The ranks that it has in each other suit."""
    times: npt.NDArray[np.int64]
    """How many hands each hold stands for."""


class RungDeck(NamedTuple):
    """What all hands of a deck have in common."""

    suits: int
    live: int
    """The mask of the deck's ranks."""
    masks: npt.NDArray[np.int64]
    """All sets of the deck's ranks with at most five members, by size."""
    starts: npt.NDArray[np.int64]
    """Where the masks of each size begin; the last entry is the end."""
    fives: npt.NDArray[np.int64]
    """The sets of five ranks that are not a straight."""
    five_ranks: npt.NDArray[np.int64]
    """The ranks of each of these."""
    holds: npt.NDArray[np.int64]
    """The number of what the house way holds of each, if no four cards are of one suit."""
    hold_masks: npt.NDArray[np.int64]
    """The ranks of each of these holds."""
    straights: npt.NDArray[np.int64]
    """The sets of ranks that are a straight."""
    factors: npt.NDArray[np.int64]
    """The number of orders of five draw cards, by how many cards are drawn first and later."""


class Drawn(NamedTuple):
    """The ranks that the player draws, and the hands that can draw them in one suit."""

    mask: int
    size: int
    total: int
    """The number of hands."""
    own: npt.NDArray[np.int64]
    """By pattern: the hands that have none of its ranks in the suit."""
    others: npt.NDArray[np.int64]
    """By pattern: the same for each other suit, all together."""
    inside: npt.NDArray[np.int64]
    """By rank, 1 if it is drawn."""
    left: npt.NDArray[np.int64]
    """How many cards are left of each rank."""


@kernel
def count_rung_flushes(
    holds: FlushHolds, deck: RungDeck, patterns: npt.NDArray[np.int64], out: npt.NDArray[np.int64]
) -> None:
    """Add the deals with a drawn flush by the dealer's rung, for all holds together.

    `patterns` is room for one number for each of the deck's sets of five ranks.
    """
    place_of = np.zeros(RANKS, dtype=np.int64)
    for place in range(holds.different.size):
        place_of[holds.different[place]] = 1 << place
    for number in range(deck.fives.size):
        patterns[number] = 0
        for rank in deck.five_ranks[number]:
            patterns[number] |= place_of[rank]
    drawn = Drawn(
        0, 0, 0,
        np.zeros(PATTERNS, dtype=np.int64),
        np.zeros(PATTERNS, dtype=np.int64),
        np.zeros(RANKS, dtype=np.int64),
        np.zeros(RANKS, dtype=np.int64),
    )  # fmt: skip
    first = 0
    while first < holds.kept.size:
        stop = first
        while stop < holds.kept.size and bits(holds.kept[stop]) == bits(holds.kept[first]):
            stop += 1
        size = HAND - bits(holds.kept[first])
        for number in range(deck.starts[size], deck.starts[size + 1]):
            mask = deck.masks[number]
            total = write_drawn(holds, first, stop, mask, deck, place_of, drawn)
            if total:
                these = Drawn(mask, size, total, drawn.own, drawn.others, drawn.inside, drawn.left)
                add_unpaired(deck, these, patterns, place_of, out)
                add_paired(deck, these, out)
        first = stop


@kernel
def write_drawn(
    holds: FlushHolds, first: int, stop: int, mask: int, deck: RungDeck,
    place_of: npt.NDArray[np.int64], out: Drawn,
) -> int:  # fmt: skip
    """Write the hands for which some draws make a flush, and return their number."""
    total = 0
    out.own[:] = 0
    out.others[:] = 0
    for row in range(first, stop):
        if holds.own[row] & mask or is_straight(deck, holds.kept[row] | mask):
            continue
        total += holds.times[row]
        out.own[pattern_of(holds.own[row], place_of)] += holds.times[row]
        for other in holds.others[row]:
            out.others[pattern_of(other, place_of)] += holds.times[row]
    if total:
        avoid(out.own)
        avoid(out.others)
        for rank in range(RANKS):
            out.inside[rank] = mask >> rank & 1
            cards = deck.suits * (deck.live >> rank & 1)
            out.left[rank] = cards - holds.ranks[rank] - out.inside[rank]
    return int(total)


@kernel
def is_straight(deck: RungDeck, mask: int) -> bool:
    """Return whether five ranks are a straight."""
    straight = False
    for ranks in deck.straights:
        straight = straight or ranks == mask
    return straight


@kernel
def pattern_of(mask: int, place_of: npt.NDArray[np.int64]) -> int:
    """Return which of the hand's different ranks a mask has, the lowest rank's bit first."""
    pattern = 0
    for rank in range(RANKS):
        if mask >> rank & 1:
            pattern |= place_of[rank]
    return pattern


@kernel
def avoid(sums: npt.NDArray[np.int64]) -> None:
    """Replace the numbers of some patterns by sums over all patterns that have none of each."""
    place = 1
    while place < PATTERNS:
        for pattern in range(PATTERNS):
            if pattern & place:
                # The patterns with this rank drop out, and those without it stay.
                both = sums[pattern] + sums[pattern ^ place]
                sums[pattern] = sums[pattern ^ place]
                sums[pattern ^ place] = both
        place <<= 1


@kernel
def add_unpaired(
    deck: RungDeck, drawn: Drawn, patterns: npt.NDArray[np.int64],
    place_of: npt.NDArray[np.int64], out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the dealers who were dealt five different ranks."""
    by_hold = np.zeros(deck.hold_masks.size, dtype=np.int64)
    base = np.zeros(RANKS, dtype=np.int64)
    fours = np.zeros(HAND, dtype=np.int64)
    left, own, others = drawn.left, drawn.own, drawn.others
    after_one = deck.factors[1, drawn.size - 1]
    for number in range(deck.fives.size):
        ranks, mask, pattern = deck.five_ranks[number], deck.fives[number], patterns[number]
        met = mask & drawn.mask
        plain = drawn.total
        every = 0
        for place in range(HAND):
            rank = ranks[place]
            plain *= left[rank]
            # Four cards of one suit, and this one of another.
            without = pattern & ~place_of[rank]
            fours[place] = left[rank] * others[without] - others[pattern]
            if met & ~(1 << rank) == 0:
                fours[place] += left[rank] * own[without] - (0 if met else own[pattern])
            every += fours[place]
        plain -= every + others[pattern] + (0 if met else own[pattern])
        if met and every:
            for place in range(HAND):
                if met >> ranks[place] & 1:
                    out[ranks[place]] += (every - fours[place]) * after_one
        if plain == 0:
            continue
        held = deck.hold_masks[deck.holds[number]]
        dealers = HAND - bits(held)
        if dealers <= drawn.size:
            by_hold[deck.holds[number]] += plain
        else:
            write_base(held, drawn.mask, base)
            more = dealers - drawn.size
            change(left, ranks, -1)
            add_hands(base, left, more, plain * deck.factors[drawn.size, more], out)
            change(left, ranks, 1)
    for number in range(by_hold.size):
        if by_hold[number]:
            held = deck.hold_masks[number]
            dealers = HAND - bits(held)
            write_base(held, 0, base)
            deals = by_hold[number] * deck.factors[dealers, drawn.size - dealers]
            add_hands(base, drawn.inside, dealers, deals, out)


@kernel
def write_base(held: int, draw: int, out: npt.NDArray[np.int64]) -> None:
    """Write how many cards of each rank are held and drawn."""
    for rank in range(RANKS):
        out[rank] = (held >> rank & 1) + (draw >> rank & 1)


@kernel
def change(left: npt.NDArray[np.int64], ranks: npt.NDArray[np.int64], by: int) -> None:
    """Take away cards of some ranks, or put them back."""
    for rank in ranks:
        left[rank] += by


@kernel
def add_paired(deck: RungDeck, drawn: Drawn, out: npt.NDArray[np.int64]) -> None:
    """Add the dealers who were dealt a pair, two pairs or three of a kind, and nothing better."""
    left = drawn.left
    others = np.zeros(DRAWS, dtype=np.int64)
    cards = left.sum()
    for rank in range(RANKS):
        n = left[rank]
        two = n * (n - 1) // 2
        if two == 0:
            continue
        three = two * (n - 2) // 3
        for lower in range(rank):
            m = left[lower]
            hands = two * (m * (m - 1) // 2) * (cards - n - m) * drawn.total
            met = drawn.inside[rank] + drawn.inside[lower]
            out[TWO_PAIR_RUNG] += hands * (drawn.size - met) * deck.factors[1, drawn.size - 1]
        sum_others(left, rank, others)
        add_matched(deck, drawn, rank, 2, two, others[3], out)
        add_matched(deck, drawn, rank, 3, three, others[2], out)


@kernel
def sum_others(left: npt.NDArray[np.int64], without: int, out: npt.NDArray[np.int64]) -> None:
    """Write, for each number of cards, the sets of cards of different ranks, one rank left out."""
    out[:] = 0
    out[0] = 1
    for rank in range(RANKS):
        if rank != without:
            for size in range(DRAWS - 1, 0, -1):
                out[size] += left[rank] * out[size - 1]


@kernel
def add_matched(
    deck: RungDeck, drawn: Drawn, rank: int, held: int, ways: int, others: int,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the dealers who hold two or three cards of one rank, and draw the rest."""
    base = np.zeros(RANKS, dtype=np.int64)
    dealers = HAND - held
    base[rank] = held
    if dealers <= drawn.size:
        deals = ways * others * drawn.total * deck.factors[dealers, drawn.size - dealers]
        add_hands(base, drawn.inside, dealers, deals, out)
        return
    base += drawn.inside
    more = dealers - drawn.size
    left = drawn.left
    left[rank] -= held
    for number in range(deck.starts[dealers], deck.starts[dealers + 1]):
        thrown = deck.masks[number]
        hands = 0 if thrown >> rank & 1 else ways * drawn.total
        for other in range(RANKS):
            if thrown >> other & 1:
                hands *= left[other]
        if hands:
            throw(left, thrown, -1)
            add_hands(base, left, more, hands * deck.factors[drawn.size, more], out)
            throw(left, thrown, 1)
    left[rank] += held


@kernel
def throw(left: npt.NDArray[np.int64], mask: int, by: int) -> None:
    """Take away the cards of a mask, or put them back."""
    for rank in range(RANKS):
        left[rank] += by * (mask >> rank & 1)
