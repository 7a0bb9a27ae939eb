"""One hand against known cards of the dealer, played as if the dealer's cards were unknown.

Every board is played after a check before the flop: by a table of flops, and on the river by the
exact value of every bet.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.advice import BASE, FOLD, PLAY, price_showdown
from openfelt.maths.kernels.board_values import best_river_bet
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.strategy_features import looks_up_bet


class FlopTable(NamedTuple):
    """The bets on each flop after a check before it."""

    classes: npt.NDArray[np.int32]
    """The class of every flop, by its number."""
    bets: npt.NDArray[np.uint8]
    """By class and hand: 0 to check, or the number of one of the multiples, from 1."""
    multiples: npt.NDArray[np.int64]


@kernel
def net_units(multiple: int, player: int, dealer: int, terms: np.record, reading: np.record) -> int:
    """What Ante, Blind and a Play wager win or lose, in units; below zero is a fold."""
    if multiple < 0:
        return int(-2 * terms.ante)
    qualified = terms.ante if dealer >= terms.qualifying else 0
    if player > dealer:
        return int(multiple * terms.ante + qualified + terms.blind[reading.categories[player]])
    if player < dealer:
        return int(-(multiple + 1) * terms.ante - qualified)
    return 0


@kernel
def river_multiple(terms: np.record, prices: npt.NDArray[np.int64]) -> int:
    """The best Play wager on the river; -1 to fold."""
    if best_river_bet(prices[BASE], prices[PLAY], terms) <= prices[FOLD]:
        return -1
    return int(terms.river_high if prices[PLAY] > 0 else terms.river_low)


@kernel
def play_checked(
    boards: npt.NDArray[np.uint8], own: npt.NDArray[np.uint16], against: npt.NDArray[np.uint16],
    flops: FlopTable, question: np.record, terms: np.record, reading: np.record,
    dealers: np.record,
) -> int:  # fmt: skip
    """Sum the net result over all boards and their ten flops, in units.

    `own` and `against` are the strengths on each board.
    """
    total = 0
    flop = np.empty(3, dtype=np.int64)
    for row in range(boards.shape[0]):
        board = boards[row].astype(np.int64)
        price_showdown(board, question, terms, reading, dealers)
        last = river_multiple(terms, dealers.prices)
        for low in range(3):
            flop[0] = board[low]
            for middle in range(low + 1, 4):
                flop[1] = board[middle]
                for high in range(middle + 1, 5):
                    flop[2] = board[high]
                    bet = looks_up_bet(question.hole, flop, flops.classes, flops.bets)
                    multiple = flops.multiples[bet - 1] if bet else last
                    total += net_units(multiple, own[row], against[row], terms, reading)
    return total
