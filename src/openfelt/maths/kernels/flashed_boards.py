"""One hand with known cards, the dealer's or others: every board, by ranks and by cards.

Without a flush, a board is worth the same for all suits, so boards are priced by their ranks
first. `flashed_flops.py` corrects those on which a flush may be made.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.advice import (
    RANKS_AND_SUITS,
    TOTAL,
    count_unsuited_dealers,
    price_counts,
    price_showdown,
)
from openfelt.maths.kernels.board_values import best_river_bet
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hand_reader import strength_of_key
from openfelt.maths.kernels.seven_card_evaluator import KEY_START, RANK_BITS, rank_strength

BASE, PLAY, RIVER = range(3)
"""The sums: Ante and Blind at a showdown, a Play wager of one unit, and the best river decision."""

FLASHED = np.dtype(
    [
        # By suit: how many of its cards the hole cards have, and the dealer's known cards. These
        # fields come first, because Numba confuses a record that begins with all fields of another
        # one with that one.
        ("hole_suits", np.int64, (4,)),
        ("dealer_suits", np.int64, (4,)),
        # These fields are as in `QUESTION`, so that kernels for any question also accept this
        # record.
        ("hole", np.int64, (2,)),
        ("dealer_count", np.int64),
        ("dealer", np.int64, (2,)),
        ("unseen", np.int64, (RANKS_AND_SUITS,)),
    ],
    align=True,
)
"""A hand, the dealer's cards that are known, and the cards that may still be anywhere."""

WORK = np.dtype(
    [
        # The current board: the positions of its cards, the cards, and their ranks.
        ("at", np.int64, (5,)),
        ("board", np.int64, (5,)),
        ("ranks", np.int64, (5,)),
        # Its value, or the difference from its value by ranks.
        ("value", np.int64, (3,)),
        # The ranks that are left of a suit.
        ("suited", np.int64, (13,)),
        # These fields are as in `DEALERS`.
        ("left", np.int64, (RANKS_AND_SUITS,)),
        ("counts", np.int64, (4,)),
        ("prices", np.int64, (3,)),
    ],
    align=True,
)
"""Working space for one board after another."""


@kernel
def add_showdown(
    player: int, dealer: int, hands: int, terms: np.record, categories: npt.NDArray[np.uint8],
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add Ante and Blind, Play of one unit, and the number of dealer hands of one strength."""
    qualified = terms.ante if dealer >= terms.qualifying else 0
    if player > dealer:
        out[BASE] += hands * (qualified + terms.blind[categories[player]])
        out[PLAY] += hands * terms.ante
    elif player < dealer:
        out[BASE] -= hands * (qualified + terms.ante)
        out[PLAY] -= hands * terms.ante
    out[RIVER] += hands


@kernel
def decide_river(terms: np.record, out: npt.NDArray[np.int64]) -> None:
    """Replace the number of dealer hands by the better of the best bet and a fold."""
    bet = best_river_bet(out[BASE], out[PLAY], terms)
    out[RIVER] = max(bet, -2 * terms.ante * out[RIVER])


@kernel
def board_place(ranks: npt.NDArray[np.int64]) -> int:
    """The index of five ascending ranks among the boards by rank."""
    place = 0
    for rank in ranks:
        place = 13 * place + rank
    return int(place)


@kernel
def sort_five(numbers: npt.NDArray[np.int64]) -> None:
    """Sort five numbers in place."""
    for end in range(1, 5):
        moved = numbers[end]
        place = end
        while place > 0 and numbers[place - 1] > moved:
            numbers[place] = numbers[place - 1]
            place -= 1
        numbers[place] = moved


@kernel
def take_prices(terms: np.record, work: np.record, out: npt.NDArray[np.int64]) -> None:
    """Copy the prices of the counted dealer hands, with the decision on the river."""
    out[BASE] = work.prices[BASE]
    out[PLAY] = work.prices[PLAY]
    out[RIVER] = work.counts[TOTAL]
    decide_river(terms, out)


@kernel
def price_rank_board(
    ranks: npt.NDArray[np.int64], left: npt.NDArray[np.int64], flashed: np.record,
    terms: np.record, reading: np.record, work: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Price a board by its ranks alone; `left` is what the board leaves of each rank."""
    keys = reading.keys
    board = np.uint64(0)
    for rank in ranks:
        board += keys[4 * rank] & RANK_BITS
    mine = board + (keys[flashed.hole[0]] & RANK_BITS) + (keys[flashed.hole[1]] & RANK_BITS)
    player = int(rank_strength(mine, reading.offsets7, reading.strengths7))
    if flashed.dealer_count == 0:
        work.left[:13] = left
        work.counts[:] = 0
        count_unsuited_dealers(player, terms.qualifying, board, 0, reading, work)
        price_counts(player, terms, reading, work)
        take_prices(terms, work, out)
        return
    theirs = board + (keys[flashed.dealer[0]] & RANK_BITS)
    out[:] = 0
    if flashed.dealer_count == 2:
        theirs += keys[flashed.dealer[1]] & RANK_BITS
        dealer = int(rank_strength(theirs, reading.offsets7, reading.strengths7))
        add_showdown(player, dealer, 1, terms, reading.categories, out)
    else:
        for rank in range(13):
            if left[rank]:
                key = theirs + (keys[4 * rank] & RANK_BITS)
                dealer = int(rank_strength(key, reading.offsets7, reading.strengths7))
                add_showdown(player, dealer, left[rank], terms, reading.categories, out)
    decide_river(terms, out)


@kernel
def price_rank_boards(
    flashed: np.record, terms: np.record, reading: np.record, work: np.record,
    values: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Price every board by its ranks, at its index in `values`."""
    ranks = np.empty(5, dtype=np.int64)
    left = flashed.unseen[:13].copy()
    for first in range(13):
        if left[first] == 0:
            continue
        ranks[0] = first
        left[first] -= 1
        for second in range(first, 13):
            if left[second] == 0:
                continue
            ranks[1] = second
            left[second] -= 1
            for third in range(second, 13):
                if left[third] == 0:
                    continue
                ranks[2] = third
                left[third] -= 1
                for fourth in range(third, 13):
                    if left[fourth] == 0:
                        continue
                    ranks[3] = fourth
                    left[fourth] -= 1
                    for fifth in range(fourth, 13):
                        if left[fifth] == 0:
                            continue
                        ranks[4] = fifth
                        left[fifth] -= 1
                        place = board_place(ranks)
                        price_rank_board(ranks, left, flashed, terms, reading, work, values[place])
                        left[fifth] += 1
                    left[fourth] += 1
                left[third] += 1
            left[second] += 1
        left[first] += 1


@kernel
def price_real_board(
    suit: int, cards: npt.NDArray[np.int64], flashed: np.record, terms: np.record,
    reading: np.record, work: np.record,
) -> None:  # fmt: skip
    """Price the current board with its real cards; the dealer's unknown cards are among `cards`.

    Only the suit can make a flush.
    """
    board, out = work.board, work.value
    if flashed.dealer_count == 0:
        price_showdown(board, flashed, terms, reading, work)
        take_prices(terms, work, out)
        return
    keys, masks = reading.keys, reading.masks
    key = KEY_START
    mask = np.uint64(0)
    for card in board:
        key += keys[card]
        mask |= masks[card]
    hole = flashed.hole
    player = strength_of_key(
        key + keys[hole[0]] + keys[hole[1]], mask | masks[hole[0]] | masks[hole[1]],
        reading.offsets7, reading.strengths7, reading.flushes,
    )  # fmt: skip
    on_board = mask
    out[:] = 0
    for place in range(flashed.dealer_count):
        key += keys[flashed.dealer[place]]
        mask |= masks[flashed.dealer[place]]
    if flashed.dealer_count == 2:
        dealer = strength_of_key(key, mask, reading.offsets7, reading.strengths7, reading.flushes)
        add_showdown(player, dealer, 1, terms, reading.categories, out)
        decide_river(terms, out)
        return
    place = 0
    while place < cards.size:
        # Cards of one rank outside the suit are alike, unless the dealer has a flush anyway.
        rank = cards[place] >> 2
        alike = 0
        other = -1
        while place < cards.size and cards[place] >> 2 == rank:
            card = cards[place]
            place += 1
            if on_board & masks[card]:
                continue
            if card & 3 != suit:
                alike += 1
                other = card
                continue
            dealer = strength_of_key(
                key + keys[card], mask | masks[card],
                reading.offsets7, reading.strengths7, reading.flushes,
            )  # fmt: skip
            add_showdown(player, dealer, 1, terms, reading.categories, out)
        if alike:
            dealer = strength_of_key(
                key + keys[other], mask | masks[other],
                reading.offsets7, reading.strengths7, reading.flushes,
            )  # fmt: skip
            add_showdown(player, dealer, alike, terms, reading.categories, out)
    decide_river(terms, out)
