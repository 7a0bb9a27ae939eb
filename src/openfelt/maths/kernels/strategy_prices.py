"""A strategy played out on every board: the decisions of its river lines, and their results.

All hands of a type on a board have the same features: they depend on ranks, and on the flush suit
if there is one. So the features of each type are read once, from one of its hands.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.board_values import best_river_bet, fold_sum, game_sum, river_bet
from openfelt.maths.kernels.card_sets import SUITED_TYPES, BoardClasses
from openfelt.maths.kernels.class_showdowns import fill_class
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.hand_reader import (
    cards_key,
    cards_mask,
    read_five,
    strength_of_key,
)
from openfelt.maths.kernels.outcomes import Decisions, add_type
from openfelt.maths.kernels.showdowns import SYMBOLS, TYPE_SYMBOLS
from openfelt.maths.kernels.strategy_features import RIVER_SIZE, fits_any, river_features

_OUTS = RIVER_SIZE - 1
_COUNT_NO_OUTS = False


@kernel
def lowest_suit(suits: int) -> int:
    """Return the lowest suit of a mask that is not empty."""
    suit = 0
    while not suits >> suit & 1:
        suit += 1
    return suit


@kernel
def hand_of_type(number: int, alive: npt.NDArray[np.int64], hole: npt.NDArray[np.int64]) -> None:
    """Write one hand of a type that can be dealt."""
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
    """Fill in the strength of the board with one more card of each symbol; 0 for none left."""
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
    showdowns: np.record, one_card: npt.NDArray[np.int64], outs: npt.NDArray[np.int64]
) -> None:
    """Count the dealer's outs against each of the listed types.

    A player's own card never beats the player's hand, so it need not be taken out.
    """
    order = np.argsort(one_card)
    left = 0
    for symbol in range(SYMBOLS):
        left += showdowns.left[symbol]
    passed = 0
    for place in range(showdowns.count):
        number = showdowns.numbers[place]
        while passed < SYMBOLS and one_card[order[passed]] <= showdowns.strengths[number]:
            left -= showdowns.left[order[passed]]
            passed += 1
        outs[number] = left


@kernel
def read_features(
    board: npt.NDArray[np.int64], reading: np.record, showdowns: np.record,
    features: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill `features[type]` with the features that a player with each type sees on the board."""
    one_card = np.empty(SYMBOLS, dtype=np.int64)
    outs = np.empty(SUITED_TYPES, dtype=np.int64)
    hole = np.empty(2, dtype=np.int64)
    one_card_strengths(board, showdowns.alive, reading, one_card)
    list_outs(showdowns, one_card, outs)
    key = cards_key(board, 5, reading.keys)
    mask = cards_mask(board, 5, reading.masks)
    board_strength = read_five(board, reading)
    for place in range(showdowns.count):
        number = showdowns.numbers[place]
        hand_of_type(number, showdowns.alive, hole)
        river_features(
            hole, board, key, mask, board_strength, showdowns.strengths[number],
            _COUNT_NO_OUTS, reading, features[number],
        )  # fmt: skip
        features[number, _OUTS] = outs[number]


@kernel
def play_rivers(
    boards: BoardClasses, terms: np.record, reading: np.record, strategy: np.record,
    line_bet: int, showdowns: np.record, check_values: npt.NDArray[np.int32],
    river_bets: npt.NDArray[np.uint8],
) -> None:  # fmt: skip
    """Decide for every type on these boards, and price it, summed over the dealer's hands.

    `river_bets` gets 0 to fold, or the number of the bet, the smallest first; `line_bet` is the
    number of the bet of a strategy by lines.
    """
    features = np.empty((SUITED_TYPES, RIVER_SIZE), dtype=np.int64)
    for row in range(boards.cards.shape[0]):
        board = boards.cards[row].astype(np.int64)
        fill_class(boards, row, terms.qualifying, reading, showdowns)
        fold = fold_sum(terms, showdowns)
        if not strategy.perfect_river:
            read_features(board, reading, showdowns, features)
        for place in range(showdowns.count):
            number = showdowns.numbers[place]
            category = reading.categories[showdowns.strengths[number]]
            entry = boards.places[row] + number
            base = game_sum(number, 0, category, terms, showdowns)
            play = game_sum(number, 1, category, terms, showdowns) - base
            if strategy.perfect_river:
                river_bets[entry] = river_bet(number, category, terms, showdowns)
                check_values[entry] = max(best_river_bet(base, play, terms), fold)
                continue
            bets = fits_any(
                features[number], strategy.river_boxes, strategy.river_lows, strategy.river_highs
            )
            river_bets[entry] = line_bet if bets else 0
            check_values[entry] = base + strategy.river_multiple * play if bets else fold


@kernel
def count_played(
    boards: BoardClasses, qualifying: int, reading: np.record, decisions: Decisions,
    river_bets: npt.NDArray[np.uint8], showdowns: np.record, outcomes: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count deals by stage, the hand's category and the result, as a strategy plays them.

    The stages are the bets before the flop, on the flop and on the river, and the fold.
    """
    fold = outcomes.shape[0] - 1
    for row in range(boards.cards.shape[0]):
        fill_class(boards, row, qualifying, reading, showdowns)
        for place in range(showdowns.count):
            number = showdowns.numbers[place]
            entry = boards.places[row] + number
            category = int(reading.categories[showdowns.strengths[number]])
            river_stage = int(fold - river_bets[entry])
            add_type(number, entry, category, river_stage, decisions, showdowns, outcomes)
