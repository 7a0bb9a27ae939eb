"""A strategy played out on every board: what its river lines say, and what comes of it.

All hands of a type on a board see the same: the features that lines are made of depend on
ranks, and on the flush suit where there is one. So each type is looked at once, with one
of its hands.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.board_values import RESULTS, showdown_results
from openfelt.maths.kernels.card_sets import SUITED_TYPES, long_suit
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hand_reader import (
    cards_key,
    cards_mask,
    read_five,
    strength_of_key,
)
from openfelt.maths.kernels.outcomes import FLOPS_OF_A_BOARD
from openfelt.maths.kernels.showdowns import TYPE_CELLS, TYPE_SYMBOLS, bits, count_symbols
from openfelt.maths.kernels.strategy_features import RIVER_SIZE, fits_any, river_features

SYMBOLS = 26
_OUTS = RIVER_SIZE - 1
_COUNT_NO_OUTS = False


@kernel
def lowest_suit(suits: int) -> int:
    """Give the lowest suit of a mask that has any."""
    suit = 0
    while not suits >> suit & 1:
        suit += 1
    return suit


@kernel
def hand_of_type(number: int, alive: npt.NDArray[np.int64], hole: npt.NDArray[np.int64]) -> None:
    """Write down a hand of a type that can be held."""
    low = TYPE_SYMBOLS[number, 0]
    high = TYPE_SYMBOLS[number, 1]
    first = lowest_suit(alive[low])
    left = alive[high] & ~(1 << first) if low == high else alive[high]
    hole[0] = 4 * (low % 13) + first
    hole[1] = 4 * (high % 13) + lowest_suit(left)


@kernel
def one_card_strengths(
    board: npt.NDArray[np.int64], alive: npt.NDArray[np.int64], reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Give the strength of the board with one card more, for every symbol; 0 for none left."""
    key = cards_key(board, 5, reading.keys)
    mask = cards_mask(board, 5, reading.masks)
    for symbol in range(SYMBOLS):
        out[symbol] = 0
        if alive[symbol]:
            card = 4 * (symbol % 13) + lowest_suit(alive[symbol])
            out[symbol] = strength_of_key(
                key + reading.keys[card], mask | reading.masks[card],
                reading.offsets6, reading.strengths6, reading.flushes,
            )  # fmt: skip


@kernel
def list_outs(
    count: int, numbers: npt.NDArray[np.int64], type_strength: npt.NDArray[np.int64],
    alive: npt.NDArray[np.int64], one_card: npt.NDArray[np.int64],
    outs: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the dealer's outs against each of the types, which come weakest first.

    A player's own card never beats the player's hand, so it need not be taken out.
    """
    order = np.argsort(one_card)
    left = 0
    for symbol in range(SYMBOLS):
        left += bits(alive[symbol])
    passed = 0
    for place in range(count):
        number = numbers[place]
        while passed < SYMBOLS and one_card[order[passed]] <= type_strength[number]:
            left -= bits(alive[order[passed]])
            passed += 1
        outs[number] = left


@kernel
def look_at_board(
    board: npt.NDArray[np.int64], deck: npt.NDArray[np.int64], count: int,
    numbers: npt.NDArray[np.int64], type_strength: npt.NDArray[np.int64],
    reading: np.record, features: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill `features[type]` with what a player of each of the types sees on the board."""
    alive = np.empty(SYMBOLS, dtype=np.int64)
    one_card = np.empty(SYMBOLS, dtype=np.int64)
    outs = np.empty(SUITED_TYPES, dtype=np.int64)
    hole = np.empty(2, dtype=np.int64)
    count_symbols(board, deck, long_suit(board), alive)
    one_card_strengths(board, alive, reading, one_card)
    list_outs(count, numbers, type_strength, alive, one_card, outs)
    key = cards_key(board, 5, reading.keys)
    mask = cards_mask(board, 5, reading.masks)
    board_strength = read_five(board, reading)
    for place in range(count):
        number = numbers[place]
        hand_of_type(number, alive, hole)
        river_features(
            hole, board, key, mask, board_strength, type_strength[number], _COUNT_NO_OUTS,
            reading, features[number],
        )  # fmt: skip
        features[number, _OUTS] = outs[number]


@kernel
def river_bet_value(
    results: npt.NDArray[np.int64], ante: int, blind_odds: int,
) -> int:  # fmt: skip
    """Give Ante, Blind and a Play wager of one, summed over the dealer's hands."""
    won = results[0] + results[1]
    lost = results[3] + results[4]
    return int(ante * (results[0] - results[3] + won - 2 * lost) + blind_odds * won)


@kernel
def play_rivers(
    boards: npt.NDArray[np.uint8], places: npt.NDArray[np.int64],
    deck: npt.NDArray[np.int64], qualifying: int, ante: int,
    blind: npt.NDArray[np.int64], reading: np.record, strategy: np.record,
    check_values: npt.NDArray[np.int32], river_bets: npt.NDArray[np.bool_],
) -> None:  # fmt: skip
    """Decide for every type on these boards, and price it, summed over the dealer's hands."""
    held = np.empty(SUITED_TYPES, dtype=np.int64)
    held_suited = np.empty(SUITED_TYPES, dtype=np.int64)
    numbers = np.empty(SUITED_TYPES, dtype=np.int64)
    type_strength = np.empty(SUITED_TYPES, dtype=np.int64)
    results = np.empty((SUITED_TYPES, RESULTS), dtype=np.int64)
    features = np.empty((SUITED_TYPES, RIVER_SIZE), dtype=np.int64)
    fold = -ante * (deck.size - 7) * (deck.size - 8)
    for row in range(boards.shape[0]):
        board = boards[row].astype(np.int64)
        count = showdown_results(
            board, deck, qualifying, reading.keys, reading.offsets7, reading.strengths7,
            reading.flushes, held, held_suited, numbers, type_strength, results,
        )  # fmt: skip
        if not strategy.perfect_river:
            look_at_board(board, deck, count, numbers, type_strength, reading, features)
        for place in range(count):
            number = numbers[place]
            bet = river_bet_value(
                results[number], ante, blind[reading.categories[type_strength[number]]]
            )
            if strategy.perfect_river:
                bets = bet > fold
            else:
                bets = fits_any(
                    features[number], strategy.river_boxes, strategy.river_lows,
                    strategy.river_highs,
                )  # fmt: skip
            river_bets[places[row] + number] = bets
            check_values[places[row] + number] = bet if bets else fold


@kernel
def split_hands(
    number: int, deals: int, held: npt.NDArray[np.int64], held_suited: npt.NDArray[np.int64],
    first_bets: npt.NDArray[np.int64], flop_weight: int, hands: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Split the hands of a type by their bets before the flop and on it; give who is left."""
    hands[:] = 0
    left = deals * held[number] - flop_weight
    for suited in range(2):
        some = deals * (held_suited[number] if suited else held[number] - held_suited[number])
        bet = first_bets[TYPE_CELLS[number, 1 - suited]]
        if bet >= 0:
            hands[bet] += some
            left -= some
    hands[hands.size - 3] = flop_weight
    return int(left)


@kernel
def count_played(
    boards: npt.NDArray[np.uint8], board_counts: npt.NDArray[np.int32],
    places: npt.NDArray[np.int64], deck: npt.NDArray[np.int64], qualifying: int,
    reading: np.record, weights: npt.NDArray[np.int16], first_bets: npt.NDArray[np.int64],
    river_bets: npt.NDArray[np.bool_], outcomes: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count deals by stage, the hand's category and the result, as a strategy plays them.

    The stages are the bets before the flop, then 2x on the flop, 1x on the river, the fold.
    """
    held = np.empty(SUITED_TYPES, dtype=np.int64)
    held_suited = np.empty(SUITED_TYPES, dtype=np.int64)
    numbers = np.empty(SUITED_TYPES, dtype=np.int64)
    type_strength = np.empty(SUITED_TYPES, dtype=np.int64)
    results = np.empty((SUITED_TYPES, RESULTS), dtype=np.int64)
    stages = outcomes.shape[0]
    hands = np.empty(stages, dtype=np.int64)
    for row in range(boards.shape[0]):
        count = showdown_results(
            boards[row].astype(np.int64), deck, qualifying, reading.keys, reading.offsets7,
            reading.strengths7, reading.flushes, held, held_suited, numbers, type_strength,
            results,
        )  # fmt: skip
        deals = FLOPS_OF_A_BOARD * board_counts[row]
        for place in range(count):
            number = numbers[place]
            entry = places[row] + number
            left = split_hands(number, deals, held, held_suited, first_bets, weights[entry], hands)
            hands[stages - 2 if river_bets[entry] else stages - 1] = left
            category = reading.categories[type_strength[number]]
            for stage in range(stages):
                if hands[stage]:
                    for result in range(RESULTS):
                        outcomes[stage, category, result] += hands[stage] * results[number, result]
