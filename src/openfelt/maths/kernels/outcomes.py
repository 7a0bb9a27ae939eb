"""How often every outcome happens when each hand takes its best decisions.

This is the pricing of flops run backwards. There, every board gave its values to the
hands of its flops; here, every flop gives its decisions to the types of its boards, with
the same inclusion and exclusion for hands that hold a turn or river card.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.board_values import KeptTypes, recall_type, river_bet
from openfelt.maths.kernels.card_sets import SUITED_TYPES, BoardClasses
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.flops import (
    CARDS_LEFT_MAX,
    MODES,
    TYPE_NUMBERS,
    board_with,
    hand_number,
    prepare_flop,
    symbol_in,
)
from openfelt.maths.kernels.showdowns import RESULTS, SYMBOLS, TYPE_CELLS, list_class_types

FLOPS_OF_A_BOARD = 10


class Decisions(NamedTuple):
    """The decisions before the flop and on it, as sums over boards need them."""

    first_bets: npt.NDArray[np.int64]
    """By cell of the grid of starting hands: the number of the bet before the flop, or -1."""
    flop_stages: npt.NDArray[np.int64]
    """The stages of the bets on the flop that are made."""
    flop_weights: npt.NDArray[np.int32]
    """By these bets and by type of each board class: how many of its hands bet so on the flop."""


@kernel
def count_bets(
    flop: np.record, bets: npt.NDArray[np.bool_], flop_count: int,
    counts: npt.NDArray[np.int32], counts_with: npt.NDArray[np.int32],
) -> None:  # fmt: skip
    """Count the hands that bet on this flop: by type, and by one card and the other's symbol."""
    counts[:] = 0
    counts_with[:] = 0
    for high in range(flop.left):
        second = flop.cards[high]
        for low in range(high):
            if not bets[hand_number(flop, low, high)]:
                continue
            first = flop.cards[low]
            for seen in range(flop.mode_count):
                mode = flop.modes_seen[seen]
                first_symbol = symbol_in(first, mode)
                second_symbol = symbol_in(second, mode)
                counts[mode, TYPE_NUMBERS[first_symbol, second_symbol]] += flop_count
                counts_with[low, mode, second_symbol] += flop_count
                counts_with[high, mode, first_symbol] += flop_count


@kernel
def weigh_boards(
    flop: np.record, place_of: npt.NDArray[np.int32], bets: npt.NDArray[np.bool_],
    flop_count: int, counts: npt.NDArray[np.int32], counts_with: npt.NDArray[np.int32],
    weights: npt.NDArray[np.int32],
) -> None:  # fmt: skip
    """Add to each type of each board of a flop the number of its hands that bet on the flop."""
    for high in range(flop.left):
        river = flop.cards[high]
        for low in range(high):
            mode, place, types, symbols = board_with(flop, low, high, place_of)
            mode_counts = counts[mode]
            board_weights = weights[place : place + types]
            for number in range(types):
                board_weights[number] += mode_counts[number]
            turn_symbol = symbol_in(flop.cards[low], mode)
            river_symbol = symbol_in(river, mode)
            for other in range(symbols):
                board_weights[TYPE_NUMBERS[turn_symbol, other]] -= counts_with[low, mode, other]
                board_weights[TYPE_NUMBERS[river_symbol, other]] -= counts_with[high, mode, other]
            if bets[hand_number(flop, low, high)]:
                board_weights[TYPE_NUMBERS[turn_symbol, river_symbol]] += flop_count


@kernel
def weigh_flops(
    flops: npt.NDArray[np.uint8], flop_counts: npt.NDArray[np.int32],
    deck: npt.NDArray[np.int64], place_of: npt.NDArray[np.int32],
    bets: npt.NDArray[np.bool_], flop: np.record, weights: npt.NDArray[np.int32],
) -> None:  # fmt: skip
    """Add up, by board class and type, the hands that bet, over all flops of the class."""
    counts = np.empty((MODES, SUITED_TYPES), dtype=np.int32)
    counts_with = np.empty((CARDS_LEFT_MAX, MODES, SYMBOLS), dtype=np.int32)
    for row in range(flops.shape[0]):
        prepare_flop(flops[row].astype(np.int64), deck, flop)
        count_bets(flop, bets[row], flop_counts[row], counts, counts_with)
        weigh_boards(flop, place_of, bets[row], flop_counts[row], counts, counts_with, weights)


@kernel
def split_hands(
    number: int, entry: int, decisions: Decisions, showdowns: np.record,
    hands: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Split the hands of a type by their bets before the flop and on it; return the rest.

    `hands` has an entry for each stage: the bets before the flop, on it and on the river, and the
    fold.
    """
    hands[:] = 0
    left = FLOPS_OF_A_BOARD * showdowns.hands[number]
    suited = FLOPS_OF_A_BOARD * showdowns.suited[number]
    unsuited = left - suited
    for bet in range(decisions.flop_stages.size):
        flop_bets = decisions.flop_weights[bet, entry]
        hands[decisions.flop_stages[bet]] = flop_bets
        left -= flop_bets
    suited_bet = decisions.first_bets[TYPE_CELLS[number, 0]]
    unsuited_bet = decisions.first_bets[TYPE_CELLS[number, 1]]
    if suited_bet >= 0:
        hands[suited_bet] += suited
        left -= suited
    if unsuited_bet >= 0:
        hands[unsuited_bet] += unsuited
        left -= unsuited
    return int(left)


@kernel
def add_results(
    number: int, category: int, hands: npt.NDArray[np.int64], showdowns: np.record,
    outcomes: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the results of a type's hands by their final decisions."""
    for stage in range(hands.size):
        if hands[stage]:
            for result in range(RESULTS):
                outcomes[stage, category, result] += (
                    hands[stage] * showdowns.results[number, result]
                )


@kernel
def count_outcomes(
    boards: BoardClasses, terms: np.record, kept: KeptTypes, decisions: Decisions,
    showdowns: np.record, outcomes: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count deals by stage, the hand's category and the result of the showdown.

    The stages are the bets before the flop, on the flop and on the river, and the fold. What was
    counted when the boards were priced is not counted again.
    """
    stages = outcomes.shape[0]
    hands = np.empty(stages, dtype=np.int64)
    showdowns.dealer_hands = (boards.deck.size - 7) * (boards.deck.size - 8) // 2
    for row in range(boards.cards.shape[0]):
        list_class_types(boards, row, showdowns)
        for place in range(showdowns.count):
            number = showdowns.numbers[place]
            entry = boards.places[row] + number
            recall_type(number, entry, kept, showdowns)
            category = kept.categories[entry]
            left = split_hands(number, entry, decisions, showdowns, hands)
            hands[stages - 1 - river_bet(number, category, terms, showdowns)] = left
            add_results(number, category, hands, showdowns, outcomes)
