"""Boards sorted into classes on which every hand is worth the same.

Strengths depend on the ranks of a board and on its cards of the suit that can make a flush. The
suits of its other cards say only which hands are suited, and these are counted by class.
"""

import numpy as np
import numpy.typing as npt

from openfelt.maths.kernels.card_sets import long_suit, next_set
from openfelt.maths.kernels.compiler import kernel
from openfelt.maths.kernels.showdowns import RANKS

BOARD_CARDS = 5
_RANK_LISTS = RANKS**BOARD_CARDS
_PAIRS = RANKS * (RANKS + 1) // 2
_OTHERS = 1 + RANKS + _PAIRS
"""Up to two cards besides those of the flush suit, by their ranks."""
CLASS_KEYS = _RANK_LISTS + (1 << RANKS) * _OTHERS
BOARD_CLASSES_MAX = 42_783
"""The classes of the full deck: 6,175 without a flush suit, and 36,608 with one."""


@kernel
def class_key(board: npt.NDArray[np.int64], suit: int) -> int:
    """Number what the strengths on a board depend on; its cards ascend, `suit` may make a flush."""
    if suit < 0:
        key = 0
        for card in board:
            key = RANKS * key + (card >> 2)
        return key
    mask = 0
    others = 0
    for card in board:
        rank = card >> 2
        if card & 3 == suit:
            mask |= 1 << rank
        elif others == 0:
            others = 1 + rank
        else:
            others = 1 + RANKS + rank * (rank + 1) // 2 + (others - 1)
    return int(_RANK_LISTS + mask * _OTHERS + others)


@kernel
def count_suited_pairs(
    board: npt.NDArray[np.int64], suit: int, suited: npt.NDArray[np.int16]
) -> None:
    """Add the pairs of cards of this board that share a suit outside the flush suit."""
    for high in range(1, board.size):
        for low in range(high):
            if board[high] & 3 == board[low] & 3 != suit:
                rank = board[high] >> 2
                suited[rank * (rank + 1) // 2 + (board[low] >> 2)] += 1


@kernel
def classify_boards(
    deck: npt.NDArray[np.int64], class_of: npt.NDArray[np.int32],
    first_numbers: npt.NDArray[np.int32], counts: npt.NDArray[np.int32],
    suited: npt.NDArray[np.int16],
) -> int:  # fmt: skip
    """Sort all boards of a deck into classes; return how many there are.

    Fills in the class of every board, the number of each class's first board, how many boards
    it has, and by two ranks how often these share a suit outside the flush suit on its boards.
    """
    class_of_key = np.full(CLASS_KEYS, -1, dtype=np.int32)
    positions = np.arange(BOARD_CARDS)
    classes = 0
    number = 0
    more = True
    while more:
        board = deck[positions]
        suit = long_suit(board)
        key = class_key(board, suit)
        if class_of_key[key] < 0:
            class_of_key[key] = classes
            first_numbers[classes] = number
            classes += 1
        board_class = class_of_key[key]
        class_of[number] = board_class
        counts[board_class] += 1
        count_suited_pairs(board, suit, suited[board_class])
        number += 1
        more = next_set(positions, deck.size)
    return classes


@kernel
def count_suited_hands(
    boards: npt.NDArray[np.uint8], counts: npt.NDArray[np.int32], deck: npt.NDArray[np.int64],
    suited: npt.NDArray[np.int16],
) -> None:  # fmt: skip
    """Turn the pairs that share a suit on the boards of each class into those off the boards.

    Of two ranks, a suit has both cards left unless the board has either: once for each of the
    two cards that it has, less once if it has both.
    """
    in_deck = np.zeros(RANKS, dtype=np.int64)
    for card in deck:
        in_deck[card >> 2] += 1
    for row in range(boards.shape[0]):
        board = boards[row].astype(np.int64)
        suit = long_suit(board)
        on_board = np.zeros(RANKS, dtype=np.int64)
        for card in board:
            on_board[card >> 2] += card & 3 != suit
        for high in range(1, RANKS):
            for low in range(high):
                number = high * (high + 1) // 2 + low
                if in_deck[low] and in_deck[high]:
                    suits = in_deck[high] - (suit >= 0)
                    suited[row, number] += counts[row] * (suits - on_board[low] - on_board[high])
