"""Wagers taken together: sums over all deals of what two of them win, multiplied.

A second pass over the boards, with every decision known. ``nets`` by category are what a
unit of Trips, and of Bad Beat by the losing hand, brings, in whole numbers.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.board_values import RESULTS, game_sum, showdown_results
from openfelt.maths.kernels.card_sets import SUITED_TYPES, long_suit
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hand_reader import read_five
from openfelt.maths.kernels.outcomes import FLOPS_OF_A_BOARD, stage_hands
from openfelt.maths.kernels.showdowns import TYPE_CELLS, TYPE_SYMBOLS, bits, count_symbols

CATEGORIES = 10
GAME, GAME_TRIPS, GAME_BAD_BEAT, TRIPS, BAD_BEAT, TRIPS_BAD_BEAT = range(6)
"""The columns of a board's sums; names joined are products."""
SUMS = 6


@kernel
def count_beaten(
    count: int, numbers: npt.NDArray[np.int64], type_strength: npt.NDArray[np.int64],
    alive: npt.NDArray[np.int64], held: npt.NDArray[np.int64],
    results: npt.NDArray[np.int64], categories: npt.NDArray[np.uint8],
    beaten: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count, for a hand of each type, the weaker dealer hands by the dealer's category.

    `numbers` lists the types weakest first. Running counts with card removal are kept at
    the foot of each category; a hand's own category ends at the hand itself.
    """
    total = 0
    with_card = np.zeros(26, dtype=np.int64)
    total_below = np.zeros(CATEGORIES + 1, dtype=np.int64)
    with_card_below = np.zeros((CATEGORIES + 1, 26), dtype=np.int64)
    reached = 0
    for place in range(count):
        number = numbers[place]
        category = int(categories[type_strength[number]])
        while reached < category:
            reached += 1
            total_below[reached] = total
            with_card_below[reached] = with_card
        low = TYPE_SYMBOLS[number, 0]
        high = TYPE_SYMBOLS[number, 1]
        total += held[number]
        if low == high:
            with_card[low] += bits(alive[low]) - 1
        else:
            with_card[low] += bits(alive[high])
            with_card[high] += bits(alive[low])
        before = 0
        for lower in range(category):
            upto = (
                total_below[lower + 1]
                - with_card_below[lower + 1, low]
                - with_card_below[lower + 1, high]
            )
            beaten[number, lower] = upto - before
            before = upto
        beaten[number, category] = results[number, 0] + results[number, 1] - before


@kernel
def bad_beat_sums(
    number: int, multiple: int, ante: int, blind: int, results: npt.NDArray[np.int64],
    loss: int, extra_won: int, extra_lost: int, game: int,
) -> int:  # fmt: skip
    """Sum, over the dealer's hands, the game's net result times the Bad Beat's.

    Bad Beat loses against every dealer hand but those it pays; what it brings on top is
    added for those: `extra_won` over all the hands that are beaten, `extra_lost` for each
    that wins. A multiple below zero is a fold, whose net result is fixed.
    """
    if multiple < 0:
        lost = results[number, 3] + results[number, 4]
        folded: int = loss * game - 2 * ante * (extra_won + extra_lost * lost)
        return folded
    won = ante * (1 + multiple) + blind
    lost_net = ante * ((2 + multiple) * results[number, 3] + (1 + multiple) * results[number, 4])
    total: int = loss * game + won * extra_won - extra_lost * lost_net
    return total


@kernel
def won_extra(
    number: int, category: int, beaten: npt.NDArray[np.int64], bad_beat: npt.NDArray[np.int64],
    loss: int,
) -> int:  # fmt: skip
    """Sum what Bad Beat brings on top of losing it, over the dealer's hands that are beaten."""
    total = 0
    for lower in range(category + 1):
        if bad_beat[lower] != loss:
            total += (bad_beat[lower] - loss) * beaten[number, lower]
    return total


@kernel
def add_game(
    number: int, hands: npt.NDArray[np.int64], multiples: npt.NDArray[np.int64], ante: int,
    blind: int, fold: int, results: npt.NDArray[np.int64], trips: int, loss: int,
    extra_won: int, extra_lost: int, sums: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the game of one type, alone and times Trips and Bad Beat, by final decision."""
    for stage in range(hands.size):
        if hands[stage]:
            multiple = multiples[stage]
            game = fold
            if multiple >= 0:
                game = game_sum(number, multiple, ante, blind, results)
            sums[GAME] += hands[stage] * game
            sums[GAME_TRIPS] += hands[stage] * game * trips
            sums[GAME_BAD_BEAT] += hands[stage] * bad_beat_sums(
                number, multiple, ante, blind, results, loss, extra_won, extra_lost, game
            )


@kernel
def join_boards(
    boards: npt.NDArray[np.uint8], board_counts: npt.NDArray[np.int32],
    places: npt.NDArray[np.int64], deck: npt.NDArray[np.int64], qualifying: int,
    ante: int, blind: npt.NDArray[np.int64], categories: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint64], offsets: npt.NDArray[np.uint32],
    strengths: npt.NDArray[np.uint16], flushes: npt.NDArray[np.uint16],
    weights: npt.NDArray[np.int16], first_bets: npt.NDArray[np.int64],
    multiples: npt.NDArray[np.int64], trips: npt.NDArray[np.int64],
    bad_beat: npt.NDArray[np.int64], bad_beat_loss: int, board_nets: npt.NDArray[np.int64],
    sums: npt.NDArray[np.int64], cell_sums: npt.NDArray[np.int64],
    fields: npt.NDArray[np.int32],
) -> None:  # fmt: skip
    """Fill each board's sums, sums by starting hand, and fields by type.

    `sums[row]` covers all deals of the board class. `cell_sums[cell]` are Trips, Bad Beat
    and the board's net, over all boards and dealer hands. `fields` are, by type: a first
    bet of the largest multiple, Trips, Bad Beat and the board's net, summed over dealer
    hands, for sums over flops.
    """
    held = np.empty(SUITED_TYPES, dtype=np.int64)
    held_suited = np.empty(SUITED_TYPES, dtype=np.int64)
    numbers = np.empty(SUITED_TYPES, dtype=np.int64)
    type_strength = np.empty(SUITED_TYPES, dtype=np.int64)
    results = np.empty((SUITED_TYPES, RESULTS), dtype=np.int64)
    beaten = np.zeros((SUITED_TYPES, CATEGORIES), dtype=np.int64)
    alive = np.empty(26, dtype=np.int64)
    hands = np.empty(multiples.size, dtype=np.int64)
    dealers = (deck.size - 7) * (deck.size - 8) // 2
    fold = -2 * ante * dealers
    for row in range(boards.shape[0]):
        board = boards[row].astype(np.int64)
        count = showdown_results(
            board, deck, qualifying, keys, offsets, strengths, flushes,
            held, held_suited, numbers, type_strength, results,
        )  # fmt: skip
        count_symbols(board, deck, long_suit(board), alive)
        count_beaten(count, numbers, type_strength, alive, held, results, categories, beaten)
        deals = FLOPS_OF_A_BOARD * board_counts[row]
        for place in range(count):
            number = numbers[place]
            category = int(categories[type_strength[number]])
            lost = results[number, 3] + results[number, 4]
            extra_won = won_extra(number, category, beaten, bad_beat, bad_beat_loss)
            extra_lost = bad_beat[category] - bad_beat_loss
            beat = bad_beat_loss * dealers + extra_won + extra_lost * lost
            one_bet = game_sum(number, 1, ante, blind[category], results)
            stage_hands(
                number, deals, weights[places[row] + number], one_bet > fold,
                held, held_suited, first_bets, hands,
            )  # fmt: skip
            add_game(
                number, hands, multiples, ante, blind[category], fold, results, trips[category],
                bad_beat_loss, extra_won, extra_lost, sums[row],
            )  # fmt: skip
            everyone = deals * held[number]
            sums[row, TRIPS] += everyone * dealers * trips[category]
            sums[row, BAD_BEAT] += everyone * beat
            sums[row, TRIPS_BAD_BEAT] += everyone * trips[category] * beat
            for suited in range(2):
                # Suited hands of a type stand in one cell of the grid, the others in another.
                many = held_suited[number] if suited else held[number] - held_suited[number]
                cell = cell_sums[TYPE_CELLS[number, 0 if suited else 1]]
                cell[0] += board_counts[row] * many * dealers * trips[category]
                cell[1] += board_counts[row] * many * beat
                cell[2] += board_counts[row] * many * dealers * board_nets[row]
            spot = places[row] + number
            fields[0, spot] = game_sum(number, multiples[0], ante, blind[category], results)
            fields[1, spot] = dealers * trips[category]
            fields[2, spot] = beat
            fields[3, spot] = dealers * board_nets[row]


@kernel
def count_losers(
    boards: npt.NDArray[np.uint8], board_counts: npt.NDArray[np.int32],
    deck: npt.NDArray[np.int64], categories: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint64], offsets: npt.NDArray[np.uint32],
    strengths: npt.NDArray[np.uint16], flushes: npt.NDArray[np.uint16],
    losers: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count losing hands by category over all deals: twice what a player loses with."""
    held = np.empty(SUITED_TYPES, dtype=np.int64)
    held_suited = np.empty(SUITED_TYPES, dtype=np.int64)
    numbers = np.empty(SUITED_TYPES, dtype=np.int64)
    type_strength = np.empty(SUITED_TYPES, dtype=np.int64)
    results = np.empty((SUITED_TYPES, RESULTS), dtype=np.int64)
    for row in range(boards.shape[0]):
        count = showdown_results(
            boards[row].astype(np.int64), deck, 0, keys, offsets, strengths, flushes,
            held, held_suited, numbers, type_strength, results,
        )  # fmt: skip
        for place in range(count):
            number = numbers[place]
            lost = results[number, 3] + results[number, 4]
            losers[categories[type_strength[number]]] += 2 * board_counts[row] * held[number] * lost


@kernel
def read_boards(
    boards: npt.NDArray[np.uint8], reading: np.record, out: npt.NDArray[np.int64]
) -> None:
    """Give the strength of each board's five cards by themselves."""
    for row in range(boards.shape[0]):
        out[row] = read_five(boards[row].astype(np.int64), reading)


@kernel
def read_flops(
    flops: npt.NDArray[np.uint8], deck: npt.NDArray[np.int64], reading: np.record,
    out: npt.NDArray[np.int8],
) -> None:  # fmt: skip
    """Give the category of every starting hand with every flop class; -1 where they meet."""
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
