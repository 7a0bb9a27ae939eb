"""All boards and flops of a deck, sorted into classes. Built once, then shared.

The flops of a class, and the hands of five cards that Ultimate Draw counts, differ by a permutation
of the suits. The boards of a class differ in suits that can make no flush.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from openfelt.cards import FULL_DECK
from openfelt.maths.kernels.board_classes import (
    BOARD_CLASSES_MAX,
    classify_boards,
    count_suited_hands,
)
from openfelt.maths.kernels.card_sets import (
    PLAIN_TYPES,
    SUITED_TYPES,
    BoardClasses,
    classify_sets,
    unrank_sets,
)

FULL_DECK_NUMBERS = tuple(card.number for card in FULL_DECK)


@dataclass(frozen=True, slots=True)
class CardSets:
    """The card sets of one size, sorted into classes under permutations of the suits."""

    cards: npt.NDArray[np.uint8]
    """The representative of each class: one row a class, lowest card first."""
    counts: npt.NDArray[np.int32]
    """How many sets are in each class."""
    class_of: npt.NDArray[np.int32]
    """The class of every set, by its number."""


@dataclass(frozen=True, slots=True)
class BoardSets:
    """The boards of a deck, sorted into classes; see `BoardClasses` of the kernels."""

    cards: npt.NDArray[np.uint8]
    """The first board of each class: one row a class, lowest card first."""
    counts: npt.NDArray[np.int32]
    """How many boards are in each class."""
    suited: npt.NDArray[np.int16]
    """By class and two ranks, over all its boards: the suited hands outside the flush suit."""
    class_of: npt.NDArray[np.int32]
    """The class of every board, by its number."""


@dataclass(frozen=True)
class DeckClasses:
    """A deck with its boards and flops in classes: all that does not depend on the terms."""

    deck: npt.NDArray[np.int64]
    position_of: npt.NDArray[np.int64]
    """The position of each card number in the deck; -1 for cards that are not in it."""
    boards: BoardSets
    flops: CardSets
    places: npt.NDArray[np.int64]
    """Where the types of each board class begin in arrays of all types of all classes."""
    place_of: npt.NDArray[np.int32]
    """The same for every board, by its number."""
    types: int
    """The length of those arrays."""
    hand_cells: npt.NDArray[np.int64]
    """The cell of the grid of starting hands for every two cards, by their number."""

    def board_piece(self, piece: slice = slice(None)) -> BoardClasses:
        """Board classes as the kernels take them, all or some of them."""
        boards = self.boards
        return BoardClasses(
            boards.cards[piece], boards.counts[piece], boards.suited[piece],
            self.places[piece], self.deck,
        )  # fmt: skip

    @cached_property
    def hands(self) -> CardSets:
        """The hands of five cards, sorted into classes under permutations of the suits."""
        return _classify(self.deck, self.position_of, 5)


def check_deck(deck: Sequence[int]) -> tuple[int, ...]:
    """Refuse a deck that permuting the suits would change; return its cards in order.

    >>> check_deck([0, 1, 2])
    Traceback (most recent call last):
    ValueError: a deck needs ten cards or more: two hands of two, five on the board, one over
    """
    cards = tuple(sorted(deck))
    if len(cards) < 10:
        raise ValueError(
            "a deck needs ten cards or more: two hands of two, five on the board, one over"
        )
    suits = {card & 3 for card in cards}
    ranks = {card >> 2 for card in cards}
    complete = tuple(sorted(4 * rank + suit for rank in ranks for suit in suits))
    if cards != complete or suits != set(range(len(suits))) or not set(cards) <= set(range(52)):
        raise ValueError("a deck has every one of its ranks once in each of its first suits")
    return cards


def _classify(
    deck: npt.NDArray[np.int64], position_of: npt.NDArray[np.int64], size: int
) -> CardSets:
    sets = math.comb(deck.size, size)
    class_of = np.empty(sets, dtype=np.int32)
    first_numbers = np.zeros(sets, dtype=np.int32)
    counts = np.zeros(sets, dtype=np.int32)
    classes = classify_sets(deck, position_of, size, class_of, first_numbers, counts)
    cards = np.empty((classes, size), dtype=np.uint8)
    unrank_sets(first_numbers[:classes], deck, cards)
    return CardSets(cards, counts[:classes].copy(), class_of)


def _classify_boards(deck: npt.NDArray[np.int64]) -> BoardSets:
    sets = math.comb(deck.size, 5)
    class_of = np.empty(sets, dtype=np.int32)
    first_numbers, counts = (np.zeros(BOARD_CLASSES_MAX, dtype=np.int32) for _ in range(2))
    suited = np.zeros((BOARD_CLASSES_MAX, PLAIN_TYPES), dtype=np.int16)
    classes = classify_boards(deck, class_of, first_numbers, counts, suited)
    cards = np.empty((classes, 5), dtype=np.uint8)
    unrank_sets(first_numbers[:classes], deck, cards)
    # Classes with the same ranks follow each other.
    order = np.lexsort((cards >> 2).T)
    places = np.argsort(order).astype(np.int32)
    boards = BoardSets(cards[order], counts[order], suited[order], places[class_of])
    count_suited_hands(boards.cards, boards.counts, deck, boards.suited)
    return boards


def _hand_cells(deck: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    cells = []
    for high in deck:
        for low in deck[deck < high]:
            same_suit = low & 3 == high & 3
            cells.append(
                13 * (high >> 2) + (low >> 2) if same_suit else 13 * (low >> 2) + (high >> 2)
            )
    return np.array(cells)


@lru_cache(maxsize=4)
def classify_deck(deck: tuple[int, ...] = FULL_DECK_NUMBERS) -> DeckClasses:
    """Sort the boards and flops of a deck into classes; a fifth of a second for all 52 cards.

    >>> classes = classify_deck()
    >>> len(classes.boards.cards), len(classes.flops.cards), len(classes.hands.cards)
    (42783, 1755, 134459)
    """
    cards = np.array(check_deck(deck), dtype=np.int64)
    position_of = np.full(52, -1, dtype=np.int64)
    position_of[cards] = np.arange(cards.size)
    boards = _classify_boards(cards)
    suits = boards.cards & 3
    longest = np.max([(suits == suit).sum(axis=1) for suit in range(4)], axis=0)
    sizes = np.where(longest >= 3, SUITED_TYPES, PLAIN_TYPES)
    places = np.cumsum(sizes) - sizes
    return DeckClasses(
        deck=cards,
        position_of=position_of,
        boards=boards,
        flops=_classify(cards, position_of, 3),
        places=places,
        place_of=places.astype(np.int32)[boards.class_of],
        types=int(sizes.sum()),
        hand_cells=_hand_cells(cards),
    )
