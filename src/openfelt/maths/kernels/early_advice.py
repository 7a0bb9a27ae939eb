"""Decisions before the river: sums over the boards that may still come."""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.advice import BASE, FOLD, PLAY, TOTAL, price_showdown
from openfelt.maths.kernels.board_values import best_river_bet
from openfelt.maths.kernels.card_sets import CHOOSE
from openfelt.maths.kernels.compiler import kernel

CHECKED = FOLD
"""The place of what a check is worth that goes on to the river, beside `BASE` and `PLAY`."""


@kernel
def price_flop(
    flop: npt.NDArray[np.int64], cards: npt.NDArray[np.int64], question: np.record,
    terms: np.record, reading: np.record, dealers: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Sum a flop over turn, river and dealer, by `BASE`, `PLAY`, `CHECKED` and the deals.

    Turn and river come from `cards`, the unseen cards of the question.
    """
    board = np.empty(5, dtype=np.int64)
    board[:3] = flop
    prices = dealers.prices
    out[:] = 0
    for high in range(cards.size):
        board[3] = cards[high]
        for low in range(high):
            board[4] = cards[low]
            price_showdown(board, question, terms, reading, dealers)
            out[BASE] += prices[BASE]
            out[PLAY] += prices[PLAY]
            bet = best_river_bet(prices[BASE], prices[PLAY], terms)
            out[CHECKED] += max(bet, prices[FOLD])
            out[3] += dealers.counts[TOTAL]


@kernel
def price_start(
    highest: int, cards: npt.NDArray[np.int64], question: np.record, terms: np.record,
    reading: np.record, dealers: np.record, by_flop: npt.NDArray[np.int64],
) -> int:  # fmt: skip
    """Add every board of the unseen `cards` with its highest card at one position.

    Each board adds `BASE`, `PLAY` and `CHECKED` to its ten flops, numbered by position. Returns
    the number of boards times dealer hands.
    """
    deals = 0
    board = np.empty(5, dtype=np.int64)
    board[4] = cards[highest]
    at = np.arange(5)
    at[4] = highest
    prices = dealers.prices
    for fourth in range(3, highest):
        at[3] = fourth
        for third in range(2, fourth):
            at[2] = third
            for second in range(1, third):
                at[1] = second
                for first in range(second):
                    at[0] = first
                    for place in range(4):
                        board[place] = cards[at[place]]
                    price_showdown(board, question, terms, reading, dealers)
                    deals += dealers.counts[TOTAL]
                    bet = best_river_bet(prices[BASE], prices[PLAY], terms)
                    check = max(bet, prices[FOLD])
                    give_to_flops(at, prices[BASE], prices[PLAY], check, by_flop)
    return int(deals)


@kernel
def give_to_flops(
    at: npt.NDArray[np.int64], base: int, play: int, check: int, by_flop: npt.NDArray[np.int64]
) -> None:  # fmt: skip
    """Add a board's values to each of its ten flops."""
    for low in range(3):
        for middle in range(low + 1, 4):
            for high in range(middle + 1, 5):
                flop = at[low] + CHOOSE[at[middle], 2] + CHOOSE[at[high], 3]
                by_flop[flop, BASE] += base
                by_flop[flop, PLAY] += play
                by_flop[flop, CHECKED] += check
