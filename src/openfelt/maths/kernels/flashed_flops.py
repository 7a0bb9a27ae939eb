"""One hand with known or seen cards: every flop, summed over the cards that may still come.

All boards are priced by their ranks. Boards on which a flush is possible are enumerated again with
the real cards of that suit, and the difference is added to each of their flops.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.advice import (
    BELOW,
    NOT_LOST,
    TOTAL,
    UNQUALIFIED,
    price_counts,
    tally,
)
from openfelt.maths.kernels.card_sets import CHOOSE
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.flashed_boards import (
    BASE,
    PLAY,
    RIVER,
    board_place,
    decide_river,
    price_rank_boards,
    price_real_board,
    sort_five,
)
from openfelt.maths.kernels.seven_card_evaluator import RANK_BITS, rank_strength

WEAKEST_FLUSH = 0b101111
"""The ranks of the weakest flush: two, three, four, five and seven."""


class FlopSums(NamedTuple):
    """The cards that may still be anywhere, and the sums over boards and flops from them."""

    cards: npt.NDArray[np.int64]
    values: npt.NDArray[np.int64]
    """By `board_place`: the value of a board by its ranks."""
    flops: npt.NDArray[np.int64]
    """A row for each flop, numbered by the positions of its cards."""
    turns: npt.NDArray[np.int64]
    """A row for each flop and other card, or none."""


@kernel
def flush_possible(suited: int, suit: int, flashed: np.record) -> bool:
    """Whether a board with this many cards of a suit lets the player or the dealer make a flush."""
    most = flashed.dealer_suits[suit] + (2 - flashed.dealer_count)
    return bool(suited + max(flashed.hole_suits[suit], most) >= 5)


@kernel
def correct_board(
    suit: int, sums: FlopSums, flashed: np.record, terms: np.record, reading: np.record,
    work: np.record,
) -> None:  # fmt: skip
    """Compute the difference between the value of the board at `work.at` and its value by ranks."""
    sort_five(work.at)
    suited = 0
    for place in range(5):
        work.board[place] = sums.cards[work.at[place]]
        work.ranks[place] = work.board[place] >> 2
        suited += work.board[place] & 3 == suit
    by_ranks = sums.values[board_place(work.ranks)]
    if flashed.dealer_count == 0 and suited == 3 and flashed.hole_suits[suit] < 2:
        price_dealer_flushes(suit, sums, flashed, terms, reading, work)
    else:
        price_real_board(suit, sums.cards, flashed, terms, reading, work)
    for part in range(3):
        work.value[part] -= by_ranks[part]


@kernel
def price_dealer_flushes(
    suit: int, sums: FlopSums, flashed: np.record, terms: np.record, reading: np.record,
    work: np.record,
) -> None:  # fmt: skip
    """Price a board with three cards of a suit, of which the player has at most one more.

    Only dealers with two more of the suit have a flush; everything else is as by ranks.
    """
    keys, value = reading.keys, work.value
    key = np.uint64(0)
    mask = 0
    for card in work.board:
        key += keys[card] & RANK_BITS
        if card & 3 == suit:
            mask |= 1 << (card >> 2)
    mine = key + (keys[flashed.hole[0]] & RANK_BITS) + (keys[flashed.hole[1]] & RANK_BITS)
    player = int(rank_strength(mine, reading.offsets7, reading.strengths7))
    count_suited_by_ranks(player, key, flashed.unseen[13 + suit] & ~mask, terms, reading, work)
    price_counts(player, terms, reading, work)
    by_ranks = sums.values[board_place(work.ranks)]
    for part in (BASE, PLAY):
        value[part] = by_ranks[part] - work.prices[part]
    count_suited_flushes(player, mask, flashed.unseen[13 + suit] & ~mask, terms, reading, work)
    price_counts(player, terms, reading, work)
    for part in (BASE, PLAY):
        value[part] += work.prices[part]
    left = sums.cards.size - 5
    value[RIVER] = left * (left - 1) // 2
    decide_river(terms, value)


@kernel
def count_suited_by_ranks(
    player: int, key: np.uint64, left: int, terms: np.record, reading: np.record, work: np.record
) -> None:  # fmt: skip
    """Count the dealer hands of two of the ranks `left`, as if they made no flush."""
    length = 0
    for rank in range(13):
        if left >> rank & 1:
            work.suited[length] = rank
            length += 1
    # Local numbers, which stay in registers.
    below, not_lost, unqualified, qualifying = 0, 0, 0, terms.qualifying
    for high in range(length):
        with_high = key + (reading.keys[4 * work.suited[high]] & RANK_BITS)
        for low in range(high):
            both = with_high + (reading.keys[4 * work.suited[low]] & RANK_BITS)
            strength = rank_strength(both, reading.offsets7, reading.strengths7)
            below += strength < player  # type: ignore[assignment]
            not_lost += strength <= player  # type: ignore[assignment]
            unqualified += strength < qualifying
    work.counts[BELOW] = below
    work.counts[NOT_LOST] = not_lost
    work.counts[UNQUALIFIED] = unqualified
    work.counts[TOTAL] = length * (length - 1) // 2


@kernel
def count_suited_flushes(
    player: int, mask: int, left: int, terms: np.record, reading: np.record, work: np.record
) -> None:  # fmt: skip
    """Count the same hands with their flushes."""
    hands = work.counts[TOTAL]
    work.counts[:] = 0
    flushes = reading.flushes
    if player < flushes[WEAKEST_FLUSH] and terms.qualifying <= flushes[WEAKEST_FLUSH]:
        # All of them qualify, and win.
        work.counts[TOTAL] = hands
        return
    for high in range(13):
        for low in range(high):
            if left >> high & left >> low & 1:
                strength = flushes[mask | 1 << high | 1 << low]
                tally(strength, 1, player, terms.qualifying, work)


SUIT = np.dtype(
    [
        # How many cards of the suit there are, and their positions.
        ("length", np.int64),
        ("inside", np.int64, (13,)),
        # By rank, the cards outside the suit: how many, and their positions.
        ("counts", np.int64, (13,)),
        ("outside", np.int64, (13, 3)),
        # Corrections of flops: with three cards of the suit, by their number; with two, by their
        # number and the rank of the other card; with one, by its position and the ranks of the
        # others.
        ("three", np.int64, (286, 3)),
        ("two", np.int64, (78, 13, 3)),
        ("one", np.int64, (13, 13, 13, 3)),
    ],
    align=True,
)
"""The cards in and outside of one suit. Those outside matter by their ranks alone."""


@kernel
def sort_suit(suit: int, cards: npt.NDArray[np.int64], sorted_suit: np.record) -> None:
    """Start a suit: set its cards, and clear the corrections."""
    sorted_suit.length = 0
    sorted_suit.counts[:] = 0
    sorted_suit.three[:] = 0
    sorted_suit.two[:] = 0
    sorted_suit.one[:] = 0
    for place in range(cards.size):
        rank = cards[place] >> 2
        if cards[place] & 3 == suit:
            sorted_suit.inside[sorted_suit.length] = place
            sorted_suit.length += 1
        else:
            sorted_suit.outside[rank, sorted_suit.counts[rank]] = place
            sorted_suit.counts[rank] += 1


@kernel
def correct_flops(
    sums: FlopSums, flashed: np.record, terms: np.record, reading: np.record, work: np.record,
    sorted_suit: np.record,
) -> None:  # fmt: skip
    """Add the corrections of all boards with a possible flush."""
    chosen = np.empty(5, dtype=np.int64)
    for suit in range(4):
        sort_suit(suit, sums.cards, sorted_suit)
        for suited in range(3, 6):
            if flush_possible(suited, suit, flashed):
                for number in range(CHOOSE[sorted_suit.length, suited]):
                    unrank(number, suited, chosen)
                    correct_suited(
                        chosen[:suited], suit, sums, flashed, terms, reading, work, sorted_suit
                    )
        if sums.turns.shape[0] == 0:
            give_tables(sums.flops, sorted_suit)


@kernel
def correct_suited(
    chosen: npt.NDArray[np.int64], suit: int, sums: FlopSums, flashed: np.record,
    terms: np.record, reading: np.record, work: np.record, sorted_suit: np.record,
) -> None:  # fmt: skip
    """Correct the boards with these cards of a suit, by the ranks of the others."""
    others = 5 - chosen.size
    counts = sorted_suit.counts
    for low_rank in range(13 if others else 1):
        for high_rank in range(low_rank, 13 if others == 2 else low_rank + 1):
            same = 1 if others == 2 and low_rank == high_rank else 0
            if others and (counts[low_rank] <= same or counts[high_rank] <= same):
                continue
            for place in range(chosen.size):
                work.at[place] = sorted_suit.inside[chosen[place]]
            if others:
                work.at[chosen.size] = sorted_suit.outside[low_rank, 0]
            if others == 2:
                work.at[4] = sorted_suit.outside[high_rank, same]
            correct_board(suit, sums, flashed, terms, reading, work)
            if work.value[BASE] == 0 and work.value[PLAY] == 0 and work.value[RIVER] == 0:
                continue
            if sums.turns.shape[0]:
                give_boards(chosen, low_rank, high_rank, sums, work, sorted_suit)
            else:
                add_to_tables(chosen, low_rank, high_rank, work.value, sorted_suit)


@kernel
def give_boards(
    chosen: npt.NDArray[np.int64], low_rank: int, high_rank: int, sums: FlopSums, work: np.record,
    sorted_suit: np.record,
) -> None:  # fmt: skip
    """Apply a correction to each board with these cards of a suit and others of these ranks."""
    others = 5 - chosen.size
    for first in range(sorted_suit.counts[low_rank] if others else 1):
        start = first + 1 if low_rank == high_rank else 0
        for second in range(start, sorted_suit.counts[high_rank]) if others == 2 else range(1):
            for place in range(chosen.size):
                work.at[place] = sorted_suit.inside[chosen[place]]
            if others:
                work.at[chosen.size] = sorted_suit.outside[low_rank, first]
            if others == 2:
                work.at[4] = sorted_suit.outside[high_rank, second]
            sort_five(work.at)
            give_correction(work.at, work.value, sums.flops, sums.turns, sums.cards.size)


@kernel
def add_to_tables(
    chosen: npt.NDArray[np.int64], low_rank: int, high_rank: int, value: npt.NDArray[np.int64],
    sorted_suit: np.record,
) -> None:  # fmt: skip
    """Add a correction to the flops with one, two or three of these cards of a suit."""
    others = 5 - chosen.size
    same = 1 if low_rank == high_rank else 0
    with_one = sorted_suit.counts[low_rank] if others else 1
    with_two = sorted_suit.counts[high_rank] - same if others == 2 else 1
    boards = with_one * with_two // (1 + same if others == 2 else 1)
    for high in range(chosen.size):
        for middle in range(high):
            pair = chosen[middle] + CHOOSE[chosen[high], 2]
            for low in range(middle):
                three = chosen[low] + CHOOSE[chosen[middle], 2] + CHOOSE[chosen[high], 3]
                for part in range(3):
                    sorted_suit.three[three, part] += boards * value[part]
            for part in range(3 if others else 0):
                sorted_suit.two[pair, low_rank, part] += with_two * value[part]
                if others == 2 and not same:
                    sorted_suit.two[pair, high_rank, part] += with_one * value[part]
        if others == 2:
            for part in range(3):
                sorted_suit.one[chosen[high], low_rank, high_rank, part] += value[part]


@kernel
def give_tables(flops: npt.NDArray[np.int64], sorted_suit: np.record) -> None:
    """Add the corrections of a suit to every flop with a card of it."""
    inside, outside, counts = sorted_suit.inside, sorted_suit.outside, sorted_suit.counts
    for high in range(sorted_suit.length):
        for middle in range(high):
            pair = middle + CHOOSE[high, 2]
            for low in range(middle):
                three = low + CHOOSE[middle, 2] + CHOOSE[high, 3]
                flop = flop_number(inside[low], inside[middle], inside[high])
                for part in range(3):
                    flops[flop, part] += sorted_suit.three[three, part]
            for rank in range(13):
                for other in range(counts[rank]):
                    flop = flop_number(inside[middle], inside[high], outside[rank, other])
                    for part in range(3):
                        flops[flop, part] += sorted_suit.two[pair, rank, part]
        give_singles(high, flops, sorted_suit)


@kernel
def give_singles(place: int, flops: npt.NDArray[np.int64], sorted_suit: np.record) -> None:
    """Add the corrections of the flops with this card of a suit and two others."""
    own, outside, counts = sorted_suit.inside[place], sorted_suit.outside, sorted_suit.counts
    for low_rank in range(13):
        for high_rank in range(low_rank, 13):
            value = sorted_suit.one[place, low_rank, high_rank]
            if value[BASE] == 0 and value[PLAY] == 0 and value[RIVER] == 0:
                continue
            for first in range(counts[low_rank]):
                for second in range(first + 1 if low_rank == high_rank else 0, counts[high_rank]):
                    flop = flop_number(own, outside[low_rank, first], outside[high_rank, second])
                    for part in range(3):
                        flops[flop, part] += value[part]


@kernel
def flop_number(first: int, second: int, third: int) -> int:
    """The number of a flop by the positions of its cards, in any order."""
    low = min(first, second, third)
    high = max(first, second, third)
    middle = first + second + third - low - high
    return int(low + CHOOSE[middle, 2] + CHOOSE[high, 3])


@kernel
def unrank(number: int, size: int, out: npt.NDArray[np.int64]) -> None:
    """Write the set of whole numbers with this number, in the order of `CHOOSE`."""
    for taken in range(size, 0, -1):
        place = taken - 1
        while CHOOSE[place + 1, taken] <= number:
            place += 1
        out[taken - 1] = place
        number -= CHOOSE[place, taken]


@kernel
def give_correction(
    at: npt.NDArray[np.int64], value: npt.NDArray[np.int64], flops: npt.NDArray[np.int64],
    turns: npt.NDArray[np.int64], size: int,
) -> None:  # fmt: skip
    """Add a value to the ten flops of a board, and to each flop with either of its other cards."""
    for low in range(3):
        for middle in range(low + 1, 4):
            for high in range(middle + 1, 5):
                flop = at[low] + CHOOSE[at[middle], 2] + CHOOSE[at[high], 3]
                for part in range(3):
                    flops[flop, part] += value[part]
                if turns.shape[0] == 0:
                    continue
                for other in range(5):
                    if other not in (low, middle, high):
                        for part in range(3):
                            turns[flop * size + at[other], part] += value[part]


@kernel
def fill_flops(sums: FlopSums, flashed: np.record) -> None:
    """Write the values of boards by their ranks to every flop, and to every flop with a turn."""
    cards, flops, turns = sums.cards, sums.flops, sums.turns
    ranks = np.empty(3, dtype=np.int64)
    left = np.empty(13, dtype=np.int64)
    by_ranks = np.empty((13 * 13 * 13, 14, 3), dtype=np.int64)
    met = np.zeros(13 * 13 * 13, dtype=np.bool_)
    size = cards.size
    for high in range(2, size):
        ranks[2] = cards[high] >> 2
        for middle in range(1, high):
            ranks[1] = cards[middle] >> 2
            for low in range(middle):
                ranks[0] = cards[low] >> 2
                flop = low + CHOOSE[middle, 2] + CHOOSE[high, 3]
                place = (13 * ranks[0] + ranks[1]) * 13 + ranks[2]
                by_turn = by_ranks[place]
                if not met[place]:
                    met[place] = True
                    left[:] = flashed.unseen[:13]
                    for rank in ranks:
                        left[rank] -= 1
                    sum_runouts(ranks, left, sums.values, by_turn)
                for part in range(3):
                    flops[flop, part] = by_turn[13, part]
                if turns.shape[0] == 0:
                    continue
                for other in range(size):
                    if other not in (low, middle, high):
                        for part in range(3):
                            turns[flop * size + other, part] = by_turn[cards[other] >> 2, part]


@kernel
def sum_runouts(
    flop: npt.NDArray[np.int64], left: npt.NDArray[np.int64], values: npt.NDArray[np.int64],
    by_turn: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Sum the boards of a flop by the rank of one more card, and all of them in the last row."""
    by_turn[:] = 0
    ordered = np.empty(5, dtype=np.int64)
    for turn in range(13):
        if left[turn] == 0:
            continue
        for river in range(13):
            hands = left[river] - (1 if river == turn else 0)
            if hands == 0:
                continue
            ordered[:3] = flop
            ordered[3] = turn
            ordered[4] = river
            sort_five(ordered)
            place = board_place(ordered)
            for part in range(3):
                by_turn[turn, part] += hands * values[place, part]
        for part in range(3):
            by_turn[13, part] += left[turn] * by_turn[turn, part]
    # Each runout was counted with either of its cards as the turn.
    for part in range(3):
        by_turn[13, part] //= 2


@kernel
def price_flashed(
    sums: FlopSums, flashed: np.record, terms: np.record, reading: np.record, work: np.record,
    sorted_suit: np.record,
) -> None:  # fmt: skip
    """Sum every flop, and every flop with a turn, over runouts and the dealer's unknown cards."""
    price_rank_boards(flashed, terms, reading, work, sums.values)
    fill_flops(sums, flashed)
    correct_flops(sums, flashed, terms, reading, work, sorted_suit)
