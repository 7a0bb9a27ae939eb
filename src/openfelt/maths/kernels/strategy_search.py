"""What betting gains over checking or folding, added up by what a player sees.

A code packs the features of a decision into one number. Decisions with the same code look
the same to a player, so a line either fits all of them or none.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.board_values import RESULTS, showdown_results
from openfelt.maths.kernels.card_sets import CHOOSE, SUITED_TYPES
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.outcomes import FLOPS_OF_A_BOARD
from openfelt.maths.kernels.strategy_features import FLOP_SIZE, RIVER_SIZE, flop_features
from openfelt.maths.kernels.strategy_prices import look_at_board, river_bet_value, split_hands

CODE_BITS = 4
"""Bits for each feature, which go up to 14; outs, the last on the river, may go further."""
CODE_SLOTS = 1 << 18
"""Places for codes; some thirty thousand occur."""
NO_CODE = -1


@kernel
def pack_features(features: npt.NDArray[np.int64]) -> int:
    """Pack features into one number, the first lowest."""
    code = np.int64(0)
    for place in range(features.size):
        code |= features[place] << (CODE_BITS * place)
    return int(code)


@kernel
def read_flop_codes(
    flops: npt.NDArray[np.uint8], deck: npt.NDArray[np.int64], reading: np.record,
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill `out[flop, hand]` with what the player sees; `NO_CODE` for impossible hands."""
    features = np.zeros(FLOP_SIZE, dtype=np.int64)
    hole = np.zeros(2, dtype=np.int64)
    for row in range(flops.shape[0]):
        flop = flops[row].astype(np.int64)
        for high in range(deck.size):
            for low in range(high):
                hole[0], hole[1] = deck[low], deck[high]
                number = CHOOSE[high, 2] + low
                out[row, number] = NO_CODE
                if not (hole[0] in flop or hole[1] in flop):
                    flop_features(hole, flop, reading, features)
                    out[row, number] = pack_features(features)


@kernel
def find_slot(code: int, codes: npt.NDArray[np.int64]) -> int:
    """Find a code in a table of codes, or the free place where it goes."""
    slot = (code * 0x9E3779B1 >> 16) & (codes.size - 1)
    while codes[slot] not in (code, NO_CODE):
        slot = (slot + 1) & (codes.size - 1)
    return int(slot)


@kernel
def add_river_gains(
    boards: npt.NDArray[np.uint8], board_counts: npt.NDArray[np.int32],
    places: npt.NDArray[np.int64], deck: npt.NDArray[np.int64], qualifying: int, ante: int,
    blind: npt.NDArray[np.int64], reading: np.record, weights: npt.NDArray[np.int16],
    first_bets: npt.NDArray[np.int64], codes: npt.NDArray[np.int64],
    gains: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Add up by code what 1x is worth more than a fold, for hands that have not bet yet.

    `codes` begins with `NO_CODE` everywhere. Gives how many codes it found.
    """
    held = np.empty(SUITED_TYPES, dtype=np.int64)
    held_suited = np.empty(SUITED_TYPES, dtype=np.int64)
    numbers = np.empty(SUITED_TYPES, dtype=np.int64)
    type_strength = np.empty(SUITED_TYPES, dtype=np.int64)
    results = np.empty((SUITED_TYPES, RESULTS), dtype=np.int64)
    features = np.empty((SUITED_TYPES, RIVER_SIZE), dtype=np.int64)
    hands = np.empty(4, dtype=np.int64)
    fold = -ante * (deck.size - 7) * (deck.size - 8)
    found = 0
    for row in range(boards.shape[0]):
        board = boards[row].astype(np.int64)
        count = showdown_results(
            board, deck, qualifying, reading.keys, reading.offsets7, reading.strengths7,
            reading.flushes, held, held_suited, numbers, type_strength, results,
        )  # fmt: skip
        look_at_board(board, deck, count, numbers, type_strength, reading, features)
        deals = FLOPS_OF_A_BOARD * board_counts[row]
        for place in range(count):
            number = numbers[place]
            weight = weights[places[row] + number]
            left = split_hands(number, deals, held, held_suited, first_bets, weight, hands)
            if left == 0:
                continue
            slot = find_slot(pack_features(features[number]), codes)
            if codes[slot] == NO_CODE:
                codes[slot] = pack_features(features[number])
                found += 1
            odds = blind[reading.categories[type_strength[number]]]
            gains[slot] += left * (river_bet_value(results[number], ante, odds) - fold)
    return found


@kernel
def cross_gains(
    gains: npt.NDArray[np.int64], covered: npt.NDArray[np.bool_],
    subjects: npt.NDArray[np.int64], qualifiers: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add what is not covered yet by the places of the subject and the qualifier that fit."""
    out[:] = 0
    for place in range(gains.size):
        if not covered[place]:
            out[subjects[place], qualifiers[place]] += gains[place]
