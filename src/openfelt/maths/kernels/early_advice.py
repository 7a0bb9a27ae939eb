"""Decisions before the river: sums over the boards that may still come."""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.advice import BASE, FOLD, PLAY, TOTAL, price_showdown
from openfelt.maths.kernels.card_sets import CHOOSE
from openfelt.maths.kernels.compiler import kernel


@kernel
def price_flop(
    flop: npt.NDArray[np.int64], cards: npt.NDArray[np.int64], question: np.record,
    terms: np.record, reading: np.record, dealers: np.record, out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Sum a bet of two, checking, and the number of deals over turn, river and dealer.

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
            out[0] += prices[BASE] + 2 * prices[PLAY]
            out[1] += max(prices[BASE] + prices[PLAY], prices[FOLD])
            out[2] += dealers.counts[TOTAL]


@kernel
def price_start(
    highest: int, cards: npt.NDArray[np.int64], question: np.record, terms: np.record,
    reading: np.record, dealers: np.record, flop_bets: npt.NDArray[np.int64],
    flop_checks: npt.NDArray[np.int64], sums: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add every board of the unseen `cards` with its highest card at one position.

    Each board adds a bet of two and checking to its ten flops, numbered by position, and
    Ante and Blind, Play of one, and the number of deals to `sums`.
    """
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
                    sums[0] += prices[BASE]
                    sums[1] += prices[PLAY]
                    sums[2] += dealers.counts[TOTAL]
                    give_to_flops(
                        at, prices[BASE] + 2 * prices[PLAY],
                        max(prices[BASE] + prices[PLAY], prices[FOLD]), flop_bets, flop_checks,
                    )  # fmt: skip


@kernel
def give_to_flops(
    at: npt.NDArray[np.int64], bet: int, check: int,
    flop_bets: npt.NDArray[np.int64], flop_checks: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Add a board's values to each of its ten flops."""
    for low in range(3):
        for middle in range(low + 1, 4):
            for high in range(middle + 1, 5):
                flop = at[low] + CHOOSE[at[middle], 2] + CHOOSE[at[high], 3]
                flop_bets[flop] += bet
                flop_checks[flop] += check
