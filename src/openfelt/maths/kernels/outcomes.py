"""How often every outcome happens when each hand takes its best decisions.

This is the pricing of flops run backwards. There, every board gave its values to the
hands of its flops; here, every flop gives its decisions to the types of its boards, with
the same inclusion and exclusion for hands that hold a turn or river card.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.board_values import RESULTS, game_sum, showdown_results
from openfelt.maths.kernels.card_sets import CHOOSE, PLAIN_TYPES, SUITED_TYPES
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.flops import (
    MODES,
    TYPE_NUMBERS,
    list_modes,
    prepare_flop,
    symbol_in,
)
from openfelt.maths.kernels.showdowns import TYPE_CELLS

FLOPS_OF_A_BOARD = 10


@kernel
def count_bets(
    rest: npt.NDArray[np.int64], modes_seen: npt.NDArray[np.int64],
    deck: npt.NDArray[np.int64], bets: npt.NDArray[np.bool_], flop_count: int,
    counts: npt.NDArray[np.int16], counts_with: npt.NDArray[np.int16],
) -> None:  # fmt: skip
    """Count the hands that bet on this flop: by type, and by one card and the other's symbol."""
    counts[:] = 0
    counts_with[:] = 0
    for high in range(rest.size):
        second = deck[rest[high]]
        for low in range(high):
            if not bets[CHOOSE[rest[high], 2] + rest[low]]:
                continue
            first = deck[rest[low]]
            for mode in modes_seen:
                first_symbol = symbol_in(first, mode)
                second_symbol = symbol_in(second, mode)
                counts[mode, TYPE_NUMBERS[first_symbol, second_symbol]] += flop_count
                counts_with[low, mode, second_symbol] += flop_count
                counts_with[high, mode, first_symbol] += flop_count


@kernel
def weigh_boards(
    rest: npt.NDArray[np.int64], below: npt.NDArray[np.int64],
    flop_part: npt.NDArray[np.int64], modes: npt.NDArray[np.int64],
    deck: npt.NDArray[np.int64], place_of: npt.NDArray[np.int32],
    bets: npt.NDArray[np.bool_], flop_count: int, counts: npt.NDArray[np.int16],
    counts_with: npt.NDArray[np.int16], weights: npt.NDArray[np.int16],
) -> None:  # fmt: skip
    """Add to each type of each board of a flop the number of its hands that bet on the flop."""
    for high in range(rest.size):
        river = deck[rest[high]]
        for low in range(high):
            turn = deck[rest[low]]
            mode = modes[turn & 3, river & 3]
            place = place_of[
                CHOOSE[rest[low], below[low] + 1]
                + CHOOSE[rest[high], below[high] + 2]
                + flop_part[below[low], below[high]]
            ]
            types = PLAIN_TYPES if mode == 0 else SUITED_TYPES
            mode_counts = counts[mode]
            board_weights = weights[place : place + types]
            for number in range(types):
                board_weights[number] += mode_counts[number]
            turn_symbol = symbol_in(turn, mode)
            river_symbol = symbol_in(river, mode)
            for other in range(13 if mode == 0 else 26):
                board_weights[TYPE_NUMBERS[turn_symbol, other]] -= counts_with[low, mode, other]
                board_weights[TYPE_NUMBERS[river_symbol, other]] -= counts_with[high, mode, other]
            if bets[CHOOSE[rest[high], 2] + rest[low]]:
                board_weights[TYPE_NUMBERS[turn_symbol, river_symbol]] += flop_count


@kernel
def weigh_flops(
    flops: npt.NDArray[np.uint8], flop_counts: npt.NDArray[np.int32],
    deck: npt.NDArray[np.int64], place_of: npt.NDArray[np.int32],
    bets: npt.NDArray[np.bool_], weights: npt.NDArray[np.int16],
) -> None:  # fmt: skip
    """Add up, by board class and type, the hands that bet, over all flops of the class.

    Sixteen bits are enough: 24 boards of a class, ten flops each, sixteen hands a type.
    """
    rest = np.empty(deck.size - 3, dtype=np.int64)
    below = np.empty(deck.size - 3, dtype=np.int64)
    flop_part = np.empty((4, 4), dtype=np.int64)
    modes = np.empty((4, 4), dtype=np.int64)
    counts = np.empty((MODES, SUITED_TYPES), dtype=np.int16)
    counts_with = np.empty((deck.size - 3, MODES, 26), dtype=np.int16)
    for row in range(flops.shape[0]):
        flop = flops[row].astype(np.int64)
        prepare_flop(flop, deck, rest, below, flop_part)
        modes_seen = list_modes(flop, modes)
        count_bets(rest, modes_seen, deck, bets[row], flop_counts[row], counts, counts_with)
        weigh_boards(
            rest, below, flop_part, modes, deck, place_of, bets[row], flop_counts[row],
            counts, counts_with, weights,
        )  # fmt: skip


@kernel
def stage_hands(
    number: int, deals: int, flop_weight: int, bets_river: bool,
    held: npt.NDArray[np.int64], held_suited: npt.NDArray[np.int64],
    first_bets: npt.NDArray[np.int64], hands: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Share the hands of a type among the final decisions."""
    stages = hands.size
    hands[:] = 0
    checked = deals * held[number] - flop_weight
    suited_bet = first_bets[TYPE_CELLS[number, 0]]
    unsuited_bet = first_bets[TYPE_CELLS[number, 1]]
    if suited_bet >= 0:
        hands[suited_bet] += deals * held_suited[number]
        checked -= deals * held_suited[number]
    if unsuited_bet >= 0:
        hands[unsuited_bet] += deals * (held[number] - held_suited[number])
        checked -= deals * (held[number] - held_suited[number])
    hands[stages - 3] = flop_weight
    hands[stages - 2 if bets_river else stages - 1] += checked


@kernel
def count_outcomes(
    boards: npt.NDArray[np.uint8], board_counts: npt.NDArray[np.int32],
    places: npt.NDArray[np.int64], deck: npt.NDArray[np.int64], qualifying: int,
    ante: int, blind: npt.NDArray[np.int64], categories: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint64], offsets: npt.NDArray[np.uint32],
    strengths: npt.NDArray[np.uint16], flushes: npt.NDArray[np.uint16],
    weights: npt.NDArray[np.int16], first_bets: npt.NDArray[np.int64],
    outcomes: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Count deals by stage, the hand's category and the result of the showdown.

    `first_bets` has, for each starting hand, the number of its bet before the flop or -1.
    The stages are those bets, then 2x on the flop, 1x on the river, and the fold.
    """
    held = np.empty(SUITED_TYPES, dtype=np.int64)
    held_suited = np.empty(SUITED_TYPES, dtype=np.int64)
    numbers = np.empty(SUITED_TYPES, dtype=np.int64)
    type_strength = np.empty(SUITED_TYPES, dtype=np.int64)
    results = np.empty((SUITED_TYPES, RESULTS), dtype=np.int64)
    stages = outcomes.shape[0]
    hands = np.empty(stages, dtype=np.int64)
    fold = -ante * (deck.size - 7) * (deck.size - 8)
    for row in range(boards.shape[0]):
        count = showdown_results(
            boards[row].astype(np.int64), deck, qualifying, keys, offsets, strengths, flushes,
            held, held_suited, numbers, type_strength, results,
        )  # fmt: skip
        deals = FLOPS_OF_A_BOARD * board_counts[row]
        for place in range(count):
            number = numbers[place]
            category = categories[type_strength[number]]
            one_bet = game_sum(number, 1, ante, blind[category], results)
            stage_hands(
                number, deals, weights[places[row] + number], one_bet > fold,
                held, held_suited, first_bets, hands,
            )  # fmt: skip
            for stage in range(stages):
                if hands[stage]:
                    for result in range(RESULTS):
                        outcomes[stage, category, result] += hands[stage] * results[number, result]
