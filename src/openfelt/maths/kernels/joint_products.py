"""Wagers taken together: sums over all deals of the product of two net results.

A second pass over the boards, with every decision known.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.board_values import CATEGORIES, fold_sum, game_sum, river_bet
from openfelt.maths.kernels.card_sets import SUITED_TYPES, BoardClasses
from openfelt.maths.kernels.class_showdowns import fill_class
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hand_reader import read_five
from openfelt.maths.kernels.outcomes import FLOPS_OF_A_BOARD, Decisions, split_hands
from openfelt.maths.kernels.showdowns import (
    SYMBOLS,
    TYPE_CELLS,
    TYPE_SYMBOLS,
    add_held,
)

GAME, GAME_TRIPS, GAME_BAD_BEAT, TRIPS, BAD_BEAT, TRIPS_BAD_BEAT = range(6)
"""The columns of a board's sums; names joined are products."""
SUMS = 6

NETS = np.dtype(
    [
        # By the player's category.
        ("trips", np.int64, (CATEGORIES,)),
        # By the losing hand's category.
        ("bad_beat", np.int64, (CATEGORIES,)),
        ("bad_beat_loss", np.int64),
    ],
    align=True,
)
"""The net result of one unit of Trips and of Bad Beat, in whole numbers."""


class JointSums(NamedTuple):
    """What the pass over the boards fills in."""

    rows: npt.NDArray[np.int64]
    """By board class: its sums over all deals."""
    cells: npt.NDArray[np.int64]
    """By starting hand: Trips, Bad Beat and the board's net, over all boards and dealers."""
    fields: npt.NDArray[np.int32]
    """By type: the first of the multiples, Trips, Bad Beat and the board's net, summed over dealer
    hands, for sums over flops."""


@kernel
def count_beaten(reading: np.record, showdowns: np.record, beaten: npt.NDArray[np.int64]) -> None:
    """Count, for a hand of each type, the weaker dealer hands by the dealer's category.

    Running counts with card removal are kept at the foot of each category; a hand's own
    category ends at the hand itself.
    """
    total = 0
    with_card = np.zeros(SYMBOLS, dtype=np.int64)
    total_below = np.zeros(CATEGORIES + 1, dtype=np.int64)
    with_card_below = np.zeros((CATEGORIES + 1, SYMBOLS), dtype=np.int64)
    reached = 0
    for place in range(showdowns.count):
        number = showdowns.numbers[place]
        category = int(reading.categories[showdowns.strengths[number]])
        while reached < category:
            reached += 1
            total_below[reached] = total
            with_card_below[reached] = with_card
        total += add_held(number, showdowns, with_card)
        low = TYPE_SYMBOLS[number, 0]
        high = TYPE_SYMBOLS[number, 1]
        before = 0
        for lower in range(category):
            upto = (
                total_below[lower + 1]
                - with_card_below[lower + 1, low]
                - with_card_below[lower + 1, high]
            )
            beaten[number, lower] = upto - before
            before = upto
        won = showdowns.results[number, 0] + showdowns.results[number, 1]
        beaten[number, category] = won - before


@kernel
def bad_beat_product(
    number: int, multiple: int, category: int, terms: np.record, showdowns: np.record,
    nets: np.record, won_extra: int, game: int,
) -> int:  # fmt: skip
    """Sum, over the dealer's hands, the game's net result times the Bad Beat's.

    Bad Beat loses against every dealer hand except those it pays; what it brings on top is
    added for those: `won_extra` over all the hands that are beaten, and the same amount for
    each that wins. A multiple below zero is a fold, whose net result is fixed.
    """
    lost_extra = nets.bad_beat[category] - nets.bad_beat_loss
    lost_qualified = showdowns.results[number, 3]
    lost_unqualified = showdowns.results[number, 4]
    if multiple < 0:
        lost = lost_qualified + lost_unqualified
        folded: int = nets.bad_beat_loss * game - 2 * terms.ante * (won_extra + lost_extra * lost)
        return folded
    won = terms.ante * (1 + multiple) + terms.blind[category]
    lost_net = terms.ante * ((2 + multiple) * lost_qualified + (1 + multiple) * lost_unqualified)
    total: int = nets.bad_beat_loss * game + won * won_extra - lost_extra * lost_net
    return total


@kernel
def extra_of_beaten(
    number: int, category: int, beaten: npt.NDArray[np.int64], nets: np.record
) -> int:
    """Sum what Bad Beat brings on top of losing it, over the dealer's hands that are beaten."""
    total = 0
    for lower in range(category + 1):
        if nets.bad_beat[lower] != nets.bad_beat_loss:
            total += (nets.bad_beat[lower] - nets.bad_beat_loss) * beaten[number, lower]
    return total


@kernel
def add_game(
    number: int, category: int, hands: npt.NDArray[np.int64], multiples: npt.NDArray[np.int64],
    terms: np.record, showdowns: np.record, nets: np.record, won_extra: int,
    sums: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the game of one type, alone and times Trips and Bad Beat, by final decision."""
    for stage in range(hands.size):
        if hands[stage]:
            multiple = multiples[stage]
            game = fold_sum(terms, showdowns)
            if multiple >= 0:
                game = game_sum(number, multiple, category, terms, showdowns)
            sums[GAME] += hands[stage] * game
            sums[GAME_TRIPS] += hands[stage] * game * nets.trips[category]
            sums[GAME_BAD_BEAT] += hands[stage] * bad_beat_product(
                number, multiple, category, terms, showdowns, nets, won_extra, game
            )


@kernel
def add_cells(
    number: int, trips: int, beat: int, board_net: int, showdowns: np.record,
    cells: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add a type's Trips, Bad Beat and board wager to its two cells of the grid."""
    for unsuited in range(2):
        # Suited hands of a type stand in one cell of the grid, the others in another.
        many = showdowns.suited[number]
        if unsuited:
            many = showdowns.hands[number] - many
        cell = cells[TYPE_CELLS[number, unsuited]]
        cell[0] += many * trips
        cell[1] += many * beat
        cell[2] += many * board_net


@kernel
def join_boards(
    boards: BoardClasses, board_nets: npt.NDArray[np.int64], terms: np.record,
    reading: np.record, decisions: Decisions, multiples: npt.NDArray[np.int64],
    nets: np.record, showdowns: np.record, sums: JointSums,
) -> None:  # fmt: skip
    """Fill in each board's sums, sums by starting hand, and fields by type.

    `board_nets` are the nets of a wager on the board alone; `multiples` the Play wager of
    each final decision, -1 for the fold.
    """
    beaten = np.zeros((SUITED_TYPES, CATEGORIES), dtype=np.int64)
    hands = np.empty(multiples.size, dtype=np.int64)
    for row in range(boards.cards.shape[0]):
        fill_class(boards, row, terms.qualifying, reading, showdowns)
        count_beaten(reading, showdowns, beaten)
        dealers = showdowns.dealer_hands
        row_sums = sums.rows[row]
        for place in range(showdowns.count):
            number = showdowns.numbers[place]
            category = int(reading.categories[showdowns.strengths[number]])
            lost = showdowns.results[number, 3] + showdowns.results[number, 4]
            won_extra = extra_of_beaten(number, category, beaten, nets)
            lost_extra = nets.bad_beat[category] - nets.bad_beat_loss
            beat = nets.bad_beat_loss * dealers + won_extra + lost_extra * lost
            trips = nets.trips[category]
            entry = boards.places[row] + number
            left = split_hands(number, entry, decisions, showdowns, hands)
            hands[hands.size - 1 - river_bet(number, category, terms, showdowns)] = left
            add_game(
                number, category, hands, multiples, terms, showdowns, nets, won_extra, row_sums
            )
            everyone = FLOPS_OF_A_BOARD * showdowns.hands[number]
            row_sums[TRIPS] += everyone * dealers * trips
            row_sums[BAD_BEAT] += everyone * beat
            row_sums[TRIPS_BAD_BEAT] += everyone * trips * beat
            board_net = dealers * board_nets[row]
            add_cells(number, dealers * trips, beat, board_net, showdowns, sums.cells)
            sums.fields[0, entry] = game_sum(number, multiples[0], category, terms, showdowns)
            sums.fields[1, entry] = dealers * trips
            sums.fields[2, entry] = beat
            sums.fields[3, entry] = board_net


@kernel
def count_losers(
    boards: BoardClasses, reading: np.record, showdowns: np.record,
    losers: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count losing hands by category over all deals: twice what a player loses with."""
    for row in range(boards.cards.shape[0]):
        fill_class(boards, row, 0, reading, showdowns)
        for place in range(showdowns.count):
            number = showdowns.numbers[place]
            category = reading.categories[showdowns.strengths[number]]
            lost = showdowns.results[number, 3] + showdowns.results[number, 4]
            losers[category] += 2 * showdowns.hands[number] * lost


@kernel
def read_boards(
    boards: npt.NDArray[np.uint8], reading: np.record, out: npt.NDArray[np.int64]
) -> None:
    """Fill in the strength of each board's five cards alone."""
    for row in range(boards.shape[0]):
        out[row] = read_five(boards[row].astype(np.int64), reading)


@kernel
def read_flops(
    flops: npt.NDArray[np.uint8], deck: npt.NDArray[np.int64], reading: np.record,
    out: npt.NDArray[np.int8],
) -> None:  # fmt: skip
    """Fill in the category of every starting hand with every flop class; -1 where they meet."""
    cards = np.empty(5, dtype=np.int64)
    out[:] = -1
    for row in range(flops.shape[0]):
        cards[:3] = flops[row]
        hand = 0
        for high in range(deck.size):
            for low in range(high):
                cards[3] = deck[low]
                cards[4] = deck[high]
                apart = True
                for place in range(3):
                    if cards[place] == cards[3] or cards[place] == cards[4]:
                        apart = False
                if apart:
                    out[row, hand] = reading.categories[read_five(cards, reading)]
                hand += 1
