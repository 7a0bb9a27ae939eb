"""Boards of every kind: scattered, paired, suited, connected, and stronger than any hand."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from openfelt.cards import FULL_DECK, Card
from openfelt.maths.kernels.card_sets import PLAIN_TYPES, BoardClasses, long_suit

BOARDS = [
    "2c 7d 9h Js Kd",
    "2c 7c 9c Js Kd",
    "2c 7c 9c Jc Kd",
    "2c 7c 9c Jc Kc",
    "Tc Jc Qc Kc Ac",
    "4c 4d 4h 4s 9c",
    "Ac Ad Ah Ks Kc",
    "5c 6c 7d 8d 9h",
]


def suited_hands(board: Sequence[Card], deck: Sequence[Card] = FULL_DECK) -> npt.NDArray[np.int16]:
    """By two ranks, the suited hands outside the flush suit, one after another."""
    suit = long_suit(np.array([card.number for card in board]))
    rest = [card for card in deck if card not in board and card.suit != suit]
    counts = np.zeros(PLAIN_TYPES, dtype=np.int16)
    for pair in combinations(rest, 2):
        if pair[0].suit is pair[1].suit:
            low, high = sorted(card.number >> 2 for card in pair)
            counts[high * (high + 1) // 2 + low] += 1
    return counts


def class_of_one(board: Sequence[Card], deck: Sequence[Card] = FULL_DECK) -> BoardClasses:
    """One board as a class of its own, as the kernels take it."""
    return BoardClasses(
        cards=np.array([sorted(card.number for card in board)], dtype=np.uint8),
        counts=np.ones(1, dtype=np.int32),
        suited=suited_hands(board, deck)[None, :],
        places=np.zeros(1, dtype=np.int64),
        deck=np.array([card.number for card in deck], dtype=np.int64),
    )
