"""Decisions before the river: sums over the boards that may still come."""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.advice import count_dealers, price_showdown
from openfelt.maths.kernels.card_sets import CHOOSE
from openfelt.maths.kernels.compiler import kernel


@kernel
def price_flop(
    flop: npt.NDArray[np.int64], cards: npt.NDArray[np.int64], hole: npt.NDArray[np.int64],
    dealer: npt.NDArray[np.int64], unseen: npt.NDArray[np.int64], qualifying: int, ante: int,
    blind: npt.NDArray[np.int64], categories: npt.NDArray[np.uint8], keys: npt.NDArray[np.uint64],
    masks: npt.NDArray[np.uint64], offsets: npt.NDArray[np.uint32],
    strengths: npt.NDArray[np.uint16], flushes: npt.NDArray[np.uint16],
    out: npt.NDArray[np.int64],
) -> None:  # fmt: skip
    """Sum a bet of two, checking, and the number of deals over turn, river and dealer.

    Turn and river come from `cards`; `unseen` says the same as the counts of
    `count_dealers`.
    """
    board = np.empty(5, dtype=np.int64)
    board[:3] = flop
    left = np.empty(17, dtype=np.int64)
    counts = np.empty(4, dtype=np.int64)
    prices = np.empty(3, dtype=np.int64)
    out[:] = 0
    for high in range(cards.size):
        board[3] = cards[high]
        for low in range(high):
            board[4] = cards[low]
            player = count_dealers(
                board, hole, dealer, unseen, qualifying,
                keys, masks, offsets, strengths, flushes, left, counts,
            )  # fmt: skip
            price_showdown(player, counts, ante, blind, categories, prices)
            out[0] += prices[0] + 2 * prices[1]
            out[1] += max(prices[0] + prices[1], prices[2])
            out[2] += counts[3]


@kernel
def price_start(
    highest: int, cards: npt.NDArray[np.int64], hole: npt.NDArray[np.int64],
    dealer: npt.NDArray[np.int64], unseen: npt.NDArray[np.int64], qualifying: int, ante: int,
    blind: npt.NDArray[np.int64], categories: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint64], masks: npt.NDArray[np.uint64],
    offsets: npt.NDArray[np.uint32], strengths: npt.NDArray[np.uint16],
    flushes: npt.NDArray[np.uint16], flop_bets: npt.NDArray[np.int64],
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
    left = np.empty(17, dtype=np.int64)
    counts = np.empty(4, dtype=np.int64)
    prices = np.empty(3, dtype=np.int64)
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
                    player = count_dealers(
                        board, hole, dealer, unseen, qualifying,
                        keys, masks, offsets, strengths, flushes, left, counts,
                    )  # fmt: skip
                    price_showdown(player, counts, ante, blind, categories, prices)
                    sums[0] += prices[0]
                    sums[1] += prices[1]
                    sums[2] += counts[3]
                    give_to_flops(
                        at, prices[0] + 2 * prices[1], max(prices[0] + prices[1], prices[2]),
                        flop_bets, flop_checks,
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
