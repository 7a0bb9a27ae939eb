"""The gain of betting over checking or folding, summed by what a player sees.

A code packs the features of a decision into one number. A player cannot distinguish decisions with
the same code, so a line matches either all of them or none.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.board_values import fold_sum, game_sum
from openfelt.maths.kernels.card_sets import CHOOSE, SUITED_TYPES, BoardClasses
from openfelt.maths.kernels.class_showdowns import fill_class
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.outcomes import Decisions, split_hands
from openfelt.maths.kernels.strategy_features import FLOP_SIZE, RIVER_SIZE, flop_features
from openfelt.maths.kernels.strategy_prices import read_features

CODE_BITS = 4
"""Bits for each feature, whose values go up to 14; outs, the last feature on the river, may be
larger."""
CODE_SLOTS = 1 << 18
"""Slots for codes; about thirty thousand codes occur."""
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
    """Fill `out[flop, hand]` with the code of the features; `NO_CODE` for impossible hands."""
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
    """Find the slot of a code in a table of codes, or the free slot for it."""
    slot = (code * 0x9E3779B1 >> 16) & (codes.size - 1)
    while codes[slot] not in (code, NO_CODE):
        slot = (slot + 1) & (codes.size - 1)
    return int(slot)


@kernel
def add_river_gains(
    boards: BoardClasses, multiple: int, stages: int, terms: np.record, reading: np.record,
    decisions: Decisions, showdowns: np.record, codes: npt.NDArray[np.int64],
    gains: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Add up by code the gain of a bet over a fold, for hands that have not bet yet.

    `multiple` is that bet's, and `stages` how many final decisions there are. `codes` begins with
    `NO_CODE` everywhere. Returns the number of new codes.
    """
    features = np.empty((SUITED_TYPES, RIVER_SIZE), dtype=np.int64)
    hands = np.empty(stages, dtype=np.int64)
    new_codes = 0
    for row in range(boards.cards.shape[0]):
        board = boards.cards[row].astype(np.int64)
        fill_class(boards, row, terms.qualifying, reading, showdowns)
        fold = fold_sum(terms, showdowns)
        read_features(board, reading, showdowns, features)
        for place in range(showdowns.count):
            number = showdowns.numbers[place]
            entry = boards.places[row] + number
            left = split_hands(number, entry, decisions, showdowns, hands)
            if left == 0:
                continue
            slot = find_slot(pack_features(features[number]), codes)
            if codes[slot] == NO_CODE:
                codes[slot] = pack_features(features[number])
                new_codes += 1
            category = reading.categories[showdowns.strengths[number]]
            gains[slot] += left * (game_sum(number, multiple, category, terms, showdowns) - fold)
    return new_codes


@kernel
def cross_gains(
    gains: npt.NDArray[np.int64], covered: npt.NDArray[np.bool_],
    subjects: npt.NDArray[np.int64], qualifiers: npt.NDArray[np.int64],
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add up the gains not covered yet, by the first matching subject and qualifier."""
    out[:] = 0
    for place in range(gains.size):
        if not covered[place]:
            out[subjects[place], qualifiers[place]] += gains[place]
