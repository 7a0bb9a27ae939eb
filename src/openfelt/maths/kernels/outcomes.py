"""How often every outcome happens when each hand takes its best decisions.

This is the pricing of flops run backwards. There, every board gave its values to the
hands of its flops; here, every flop gives its decisions to the types of its boards, with
the same inclusion and exclusion for hands that hold a turn or river card.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.board_values import KeptTypes, recall_type
from openfelt.maths.kernels.card_sets import PLAIN_TYPES, SUITED_TYPES, BoardClasses
from openfelt.maths.kernels.class_showdowns import list_class_types
from openfelt.maths.kernels.compiler import kernel, kernel_part
from openfelt.maths.kernels.flops import (
    CARDS_LEFT_MAX,
    MODES,
    TYPE_NUMBERS,
    hand_number,
    holder_of,
    list_runouts,
    prepare_flop,
    symbol_in,
)
from openfelt.maths.kernels.showdowns import RANKS, RESULTS, SYMBOLS, TYPE_CELLS

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
                first_holder = holder_of(low, first_symbol, mode)
                second_holder = holder_of(high, second_symbol, mode)
                counts_with[mode, first_holder, second_symbol] += flop_count
                counts_with[mode, second_holder, first_symbol] += flop_count


@kernel
def take_with_card(
    flop: np.record, mode: int, place: int, partner: int, counts_with: npt.NDArray[np.int32],
    weights: npt.NDArray[np.int32],
) -> None:  # fmt: skip
    """Take the hands that hold a runout's turn or river off the weights of its types."""
    symbol = symbol_in(flop.cards[place], mode)
    if mode:
        many = flop.partners[mode, place, partner]
        for other in range(SYMBOLS):
            weights[TYPE_NUMBERS[symbol, other]] -= many * counts_with[symbol, other]
        return
    first = flop.rank_starts[symbol]
    stop = flop.rank_starts[symbol + 1]
    for other in range(RANKS):
        taken = 0
        for card in range(first, stop):
            taken += flop.partners[0, card, partner] * counts_with[card, other]
        weights[TYPE_NUMBERS[symbol, other]] -= taken


@kernel
def weigh_boards(
    flop: np.record, counts: npt.NDArray[np.int32], counts_with: npt.NDArray[np.int32],
    weights: npt.NDArray[np.int32],
) -> None:  # fmt: skip
    """Add to the types of the boards of a flop the number of their hands that bet on the flop.

    Hands that hold a turn and a river have been taken off twice; `give_back` corrects this.
    """
    for runout in range(flop.runout_count):
        mode = flop.runout_modes[runout]
        place = flop.places[runout]
        boards = flop.boards[runout]
        mode_counts = counts[mode]
        types = SUITED_TYPES if mode else PLAIN_TYPES
        board_weights = weights[place : place + types]
        for number in range(types):
            board_weights[number] += boards * mode_counts[number]
        turn, river = flop.turns[runout], flop.rivers[runout]
        turn_symbol = symbol_in(flop.cards[turn], mode)
        river_symbol = symbol_in(flop.cards[river], mode)
        take_with_card(flop, mode, turn, river_symbol, counts_with[mode], board_weights)
        if turn_symbol != river_symbol:
            take_with_card(flop, mode, river, turn_symbol, counts_with[mode], board_weights)


@kernel
def give_back(
    flop: np.record, bets: npt.NDArray[np.bool_], flop_count: int,
    weights: npt.NDArray[np.int32],
) -> None:  # fmt: skip
    """Add the hands that hold both the turn and the river, once for each flop of the class."""
    for high in range(flop.left):
        second = flop.cards[high]
        for low in range(high):
            if bets[hand_number(flop, low, high)]:
                first = flop.cards[low]
                mode = flop.modes[first & 3, second & 3]
                number = TYPE_NUMBERS[symbol_in(first, mode), symbol_in(second, mode)]
                weights[flop.places[flop.runouts[mode, number]] + number] += flop_count


@kernel
def weigh_flops(
    flops: npt.NDArray[np.uint8], flop_counts: npt.NDArray[np.int32],
    deck: npt.NDArray[np.int64], place_of: npt.NDArray[np.int32],
    bets: npt.NDArray[np.bool_], flop: np.record, weights: npt.NDArray[np.int32],
) -> None:  # fmt: skip
    """Add up, by board class and type, the hands that bet, over all flops of the class."""
    counts = np.empty((MODES, SUITED_TYPES), dtype=np.int32)
    counts_with = np.empty((MODES, CARDS_LEFT_MAX, SYMBOLS), dtype=np.int32)
    for row in range(flops.shape[0]):
        prepare_flop(flops[row].astype(np.int64), deck, flop)
        list_runouts(flop, place_of)
        count_bets(flop, bets[row], flop_counts[row], counts, counts_with)
        weigh_boards(flop, counts, counts_with, weights)
        give_back(flop, bets[row], flop_counts[row], weights)


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


@kernel_part
def add_results(
    stage: int, category: int, hands: int, results: npt.NDArray[np.int64],
    outcomes: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the results of so many hands with one final decision."""
    for result in range(RESULTS):
        outcomes[stage, category, result] += hands * results[result]


@kernel
def add_type(
    number: int, entry: int, category: int, river_stage: int, decisions: Decisions,
    showdowns: np.record, outcomes: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add the results of a type's hands by their final decisions; see `split_hands`.

    `river_stage` is the stage of the hands that have not bet before the river.
    """
    results = showdowns.results[number]
    left = FLOPS_OF_A_BOARD * showdowns.hands[number]
    suited = FLOPS_OF_A_BOARD * showdowns.suited[number]
    unsuited = left - suited
    for bet in range(decisions.flop_stages.size):
        flop_bets = decisions.flop_weights[bet, entry]
        add_results(decisions.flop_stages[bet], category, flop_bets, results, outcomes)
        left -= flop_bets
    suited_bet = decisions.first_bets[TYPE_CELLS[number, 0]]
    unsuited_bet = decisions.first_bets[TYPE_CELLS[number, 1]]
    if suited_bet >= 0:
        add_results(suited_bet, category, suited, results, outcomes)
        left -= suited
    if unsuited_bet >= 0:
        add_results(unsuited_bet, category, unsuited, results, outcomes)
        left -= unsuited
    add_results(river_stage, category, left, results, outcomes)


@kernel
def count_outcomes(
    boards: BoardClasses, kept: KeptTypes, decisions: Decisions, showdowns: np.record,
    outcomes: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count deals by stage, the hand's category and the result of the showdown.

    The stages are the bets before the flop, on the flop and on the river, and the fold. What was
    counted when the boards were priced is not counted again.
    """
    fold = outcomes.shape[0] - 1
    showdowns.dealer_hands = (boards.deck.size - 7) * (boards.deck.size - 8) // 2
    for row in range(boards.cards.shape[0]):
        list_class_types(boards, row, showdowns)
        for place in range(showdowns.count):
            number = showdowns.numbers[place]
            entry = boards.places[row] + number
            recall_type(number, entry, kept, showdowns)
            category = int(kept.categories[entry])
            river_stage = int(fold - kept.river_bets[entry])
            add_type(number, entry, category, river_stage, decisions, showdowns, outcomes)
