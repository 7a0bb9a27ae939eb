"""Ultimate Draw: two pairs, three of a kind and straights against a flush of the dealer.

Such a hand loses to a drawn flush whose five ranks alone would not have qualified. Straight flushes
are left out. `docs/internals/exact-draw.md` derives the sums.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.flush_tables import OneSuit, SuitedGroups, hands_without
from openfelt.maths.kernels.hold_results import DRAWS, HIGH_CARDS, RANKS, strength_of
from openfelt.maths.kernels.house_way import four_in_sequence
from openfelt.maths.kernels.unqualified_pairs import bits

TWO_PAIR, STRAIGHT = 2, 4
"""The numbers of the first and the last category that are counted."""
MIDDLE = STRAIGHT - TWO_PAIR + 1
"""How many categories are counted."""
JACK = 9
"""The lowest rank that the house way holds as a single card."""
SETS = 1 << RANKS
_HAND = DRAWS - 1
_MOST_RANKS = 4
"""The most further draws of a player who draws more cards than the dealer."""


class HeldCards(NamedTuple):
    """The player's held cards, by ranks."""

    key: np.uint64
    drawn: int
    """How many cards the player draws."""
    standing: int
    """The strength of five held cards, including their suits."""


class SuitCards(NamedTuple):
    """The cards left besides the player's hand and some draws: of one suit, and of the others."""

    free: int
    """The ranks left of the suit."""
    off: npt.NDArray[np.int64]
    """How many cards of each rank are left in the other suits."""
    others: npt.NDArray[np.int64]
    """The ranks left of each other suit."""


class FlushHands(NamedTuple):
    """The dealer's hands that hold cards of one suit alone; the same for every hand."""

    live: int
    """The ranks of the deck."""
    straights: npt.NDArray[np.bool_]
    """Whether a set of five ranks is a straight."""
    fours: npt.NDArray[np.int16]
    """By ranks left of the suit, rank drawn, and rank of the fifth card: how many sets of four
    ranks of the suit neither draw a straight flush nor stand as a straight.
    """
    odd_starts: npt.NDArray[np.int64]
    """By number of cards drawn, where the next two arrays begin; the last entry is the end."""
    odd_high: npt.NDArray[np.int64]
    """The ranks from the jack up of a hand that holds four in sequence, or stands, instead of
    these."""
    odd_low: npt.NDArray[np.int64]
    """Its other ranks."""


class HeldDraws(NamedTuple):
    """Draws that give a hold one of the categories; the dealer shares the first of them."""

    firsts: npt.NDArray[np.int64]
    """The dealer's draws, as a mask of ranks of the suit."""
    furthers: npt.NDArray[np.int64]
    """The player's further draws, of any suit."""
    places: npt.NDArray[np.int64]
    """The category, counted from two pairs."""


# The dealer's hands ---------------------------------------------------------------


@kernel
def list_flush_hands(live: int, keys: npt.NDArray[np.uint64], reading: np.record) -> FlushHands:
    """List what the house way holds of one suit, with the rank key of every mask."""
    straights = np.zeros(SETS, dtype=np.bool_)
    odd_starts = np.zeros(DRAWS + 1, dtype=np.int64)
    listed = np.zeros((2, SETS), dtype=np.int64)
    cards = np.zeros(_HAND, dtype=np.int64)
    odd_hands = 0
    for drawn in range(DRAWS):
        odd_starts[drawn] = odd_hands
        for mask in range(SETS):
            if mask & ~live or bits(mask) != _HAND:
                continue
            straights[mask] = strength_of(keys[mask], reading) > HIGH_CARDS
            high = mask >> JACK << JACK
            if bits(high) != _HAND - drawn:
                continue
            size = 0
            for rank in range(RANKS):
                if mask >> rank & 1:
                    cards[size] = rank << 2
                    size += 1
            if straights[mask] or four_in_sequence(cards):
                listed[0, odd_hands] = high
                listed[1, odd_hands] = mask ^ high
                odd_hands += 1
    odd_starts[DRAWS] = odd_hands
    fours = np.zeros((SETS, RANKS, RANKS), dtype=np.int16)
    for four in range(SETS):
        if bits(four) == _HAND - 1 and four & ~live == 0:
            add_fours(four, live, straights, fours)
    return FlushHands(
        live,
        straights,
        fours,
        odd_starts,
        listed[0, :odd_hands].copy(),
        listed[1, :odd_hands].copy(),
    )


@kernel
def add_fours(
    four: int, live: int, straights: npt.NDArray[np.bool_], fours: npt.NDArray[np.int16]
) -> None:
    """Add a set of four ranks to all sets of ranks that contain it."""
    rest = live & ~four
    more = rest
    while True:
        for drawn in range(RANKS):
            if not rest >> drawn & 1 or straights[four | 1 << drawn]:
                continue
            for fifth in range(RANKS):
                if rest >> fifth & 1 and not straights[four | 1 << fifth]:
                    fours[four | more, drawn, fifth] += 1
        if more == 0:
            break
        more = (more - 1) & rest


@kernel
def hands_with_four(cards: SuitCards, drawn: int, flush_hands: FlushHands) -> int:
    """Count the hands that hold four cards of the suit and draw this rank of it."""
    hands = 0
    for fifth in range(RANKS):
        hands += cards.off[fifth] * flush_hands.fours[cards.free, drawn, fifth]
    return hands


@kernel
def hands_with_high(cards: SuitCards, draw: int, flush_hands: FlushHands) -> int:
    """Count the hands that hold one to three high cards, all of the suit, and draw a flush."""
    drawn = bits(draw)
    every = low_cards(cards, (1 << JACK) - 1 & flush_hands.live, drawn)
    first, stop = flush_hands.odd_starts[drawn], flush_hands.odd_starts[drawn + 1]
    high = cards.free >> JACK << JACK
    held = high
    hands = 0
    while held:
        if bits(held) == _HAND - drawn and not flush_hands.straights[held | draw]:
            hands += every
            for row in range(first, stop):
                if flush_hands.odd_high[row] == held:
                    hands -= low_cards(cards, flush_hands.odd_low[row], drawn)
        held = (held - 1) & high
    return hands


@kernel
def low_cards(cards: SuitCards, ranks: int, size: int) -> int:
    """Count sets of cards with distinct ranks from a given set.

    With the rest of the hand, which is all of the suit, they have at most three cards of the suit,
    and no four of another suit.
    """
    most = size - 2
    # By number of cards, and by how many of them are of the suit.
    ways = np.zeros((DRAWS, DRAWS), dtype=np.int64)
    ways[0, 0] = 1
    for rank in range(JACK):
        if not ranks >> rank & 1:
            continue
        off, inside = cards.off[rank], cards.free >> rank & 1
        for before in range(size - 1, -1, -1):
            for suited in range(min(before, most) + 1):
                fewer_ways = ways[before, suited]
                if fewer_ways:
                    ways[before + 1, suited] += fewer_ways * off
                    ways[before + 1, suited + 1] += fewer_ways * inside
    total = 0
    for suited in range(most + 1):
        total += ways[size, suited]
    if size == _HAND - 1:
        for other in cards.others:
            left = bits(other & ranks)
            total -= left * (left - 1) * (left - 2) * (left - 3) // 24
    return total


# The player draws no more cards than the dealer -------------------------------------


@kernel
def count_short_losses(
    suit: OneSuit, groups: SuitedGroups, held: HeldCards, flush_hands: FlushHands,
    reading: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the losses to flushes for which the dealer draws at least as many cards as the player.

    All draws are of the suit.
    """
    hands = np.full(SETS, -1, dtype=np.int64)
    for dealers in range(max(held.drawn, 1), DRAWS):
        more = dealers - held.drawn
        for number in range(suit.starts[held.drawn], suit.starts[held.drawn + 1]):
            first = suit.masks[number]
            own = held.standing
            if held.drawn:
                own = strength_of(held.key + suit.keys[first], reading)
            category = int(reading.categories[own])
            if first & ~suit.free or not TWO_PAIR <= category <= STRAIGHT:
                continue
            for other in range(suit.starts[more], suit.starts[more + 1]):
                rest = suit.masks[other]
                if rest & (first | ~suit.free):
                    continue
                draw = first | rest
                if hands[draw] < 0:
                    hands[draw] = hands_of_groups(groups, draw, flush_hands)
                out[category - TWO_PAIR] += hands[draw] * suit.factors[held.drawn, more]


@kernel
def hands_of_groups(groups: SuitedGroups, draw: int, flush_hands: FlushHands) -> int:
    """Count the hands that this draw of the suit makes a flush but not a straight flush."""
    drawn = bits(draw)
    hands = 0
    for group in range(groups.keys.size):
        if groups.suited[group] and groups.drawn[group] == drawn:
            held = groups.masks[group]
            if held & draw == 0 and not flush_hands.straights[held | draw]:
                hands += hands_without(groups, group, draw)
    return hands


# The player draws more cards than the dealer ----------------------------------------


@kernel
def held_draws(suit: OneSuit, held: HeldCards, dealers: int, reading: np.record) -> HeldDraws:
    """List the draws after which the player has one of the categories."""
    more = held.drawn - dealers
    start, stop = suit.draws.starts[more], suit.draws.starts[more + 1]
    firsts = suit.starts[dealers + 1] - suit.starts[dealers]
    listed = np.zeros((3, firsts * (stop - start)), dtype=np.int64)
    draws = 0
    for number in range(suit.starts[dealers], suit.starts[dealers + 1]):
        key = held.key + suit.keys[suit.masks[number]]
        for further in range(start, stop):
            category = int(reading.categories[strength_of(key + suit.draws.keys[further], reading)])
            if TWO_PAIR <= category <= STRAIGHT:
                listed[0, draws] = suit.masks[number]
                listed[1, draws] = further
                listed[2, draws] = category - TWO_PAIR
                draws += 1
    return HeldDraws(listed[0, :draws], listed[1, :draws], listed[2, :draws])


@kernel
def count_long_losses(
    suit: OneSuit, others: npt.NDArray[np.int64], draws: HeldDraws, flush_hands: FlushHands,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the losses to flushes for which the dealer draws one to four cards, and the player more.

    `others` has the ranks that the player's hand leaves of the other suits.
    """
    off = suit.left.copy()
    for rank in range(RANKS):
        off[rank] -= suit.free >> rank & 1
    ranks = np.zeros(_MOST_RANKS, dtype=np.int64)
    runs = np.zeros(_MOST_RANKS, dtype=np.int64)
    for row in range(draws.firsts.size):
        draw = draws.firsts[row]
        if draw & ~suit.free:
            continue
        size = write_runs(suit, draws.furthers[row], ranks, runs)
        further = runs[:size].sum()
        cards = SuitCards(suit.free & ~draw, off, others)
        pairs = 0
        # Which ranks of the further draws include the card of the suit.
        for chosen in range(1 << size):
            pairs += pairs_with(cards, draw, ranks[:size], runs, chosen, flush_hands)
        out[draws.places[row]] += pairs * suit.factors[bits(draw), further]


@kernel
def pairs_with(
    cards: SuitCards, draw: int, ranks: npt.NDArray[np.int64], runs: npt.NDArray[np.int64],
    chosen: int, flush_hands: FlushHands,
) -> int:  # fmt: skip
    """Count pairs of further draws and a hand of the dealer that the first draws make a flush.

    `chosen` says which ranks of the further draws include the card of the suit.
    """
    inside, ways = 0, 1
    for place in range(ranks.size):
        rank, run = ranks[place], runs[place] - (chosen >> place & 1)
        inside |= (chosen >> place & 1) << rank
        for taken in range(run):
            ways = ways * (cards.off[rank] - taken) // (taken + 1)
    if ways == 0 or inside & ~cards.free:
        return 0
    left = SuitCards(cards.free & ~inside, cards.off, cards.others)
    for place in range(ranks.size):
        left.off[ranks[place]] -= runs[place] - (chosen >> place & 1)
    dealers = bits(draw)
    if dealers == 1:
        hands = hands_with_four(left, bits(draw - 1), flush_hands)
    elif dealers == _HAND - 1 and not inside:
        ways, hands = 1, hands_beside_card(left, ranks[0], draw, flush_hands)
    else:
        hands = hands_with_high(left, draw, flush_hands)
    for place in range(ranks.size):
        left.off[ranks[place]] += runs[place] - (chosen >> place & 1)
    return ways * hands


@kernel
def hands_beside_card(left: SuitCards, rank: int, draw: int, flush_hands: FlushHands) -> int:
    """Count hands of the dealer with each remaining card of a rank outside the suit.

    The hands hold one card, and must not have four of another suit, so the suit of this card
    matters.
    """
    pairs = 0
    for number in range(left.others.size):
        if left.others[number] >> rank & 1:
            left.others[number] ^= 1 << rank
            pairs += hands_with_high(left, draw, flush_hands)
            left.others[number] ^= 1 << rank
    return pairs


@kernel
def write_runs(
    suit: OneSuit, draw: int, ranks: npt.NDArray[np.int64], runs: npt.NDArray[np.int64]
) -> int:
    """Write the different ranks of a draw, and how many cards of each; return their number."""
    size = 0
    while draw:
        rank = suit.draws.lasts[draw]
        if size and ranks[size - 1] == rank:
            runs[size - 1] += 1
        else:
            ranks[size], runs[size] = rank, 1
            size += 1
        draw = suit.draws.parents[draw]
    return size
