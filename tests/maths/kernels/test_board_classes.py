"""Classes of boards against plain sorting, and their suited hands against looking at each."""

from collections import defaultdict
from itertools import combinations, pairwise

import numpy as np
import pytest

from openfelt.cards import FULL_DECK, Card
from openfelt.maths.holdem.deck_classes import classify_deck
from openfelt.maths.kernels.board_classes import (
    BOARD_CLASSES_MAX,
    classify_boards,
    count_suited_hands,
)
from openfelt.maths.kernels.card_sets import PLAIN_TYPES
from tests.kit.maths.boards import suited_hands
from tests.kit.maths.games import small_deck


def what_counts(board: tuple[Card, ...]) -> tuple[list[int], list[int]]:
    """The ranks of a board, and those of its cards in a suit that can make a flush."""
    suits = [card.suit for card in board]
    flush = [int(card.rank) for card in board if suits.count(card.suit) >= 3]
    return sorted(int(card.rank) for card in board), sorted(flush)


@pytest.mark.parametrize(
    ("ranks", "suits"), [("AKQJ", 4), ("AKQ", 4), ("AKQJT", 3), ("2345A", 2), ("23456789TJ", 1)]
)
def test_classes_equal_plain_sorting(ranks: str, suits: int) -> None:
    deck = small_deck(ranks, suits)
    classes = classify_deck(tuple(card.number for card in deck)).boards
    by_class = defaultdict(list)
    boards = sorted(combinations(deck, 5), key=lambda board: board[::-1])
    for board, board_class in zip(boards, classes.class_of.tolist(), strict=True):
        by_class[board_class].append(board)
    plain = {str(what_counts(board)) for board in boards}
    assert len(by_class) == len(plain) == len(classes.cards)
    for board_class, members in by_class.items():
        assert len({str(what_counts(board)) for board in members}) == 1
        assert classes.cards[board_class].tolist() == [card.number for card in members[0]]
        assert classes.counts[board_class] == len(members)
        suited = sum(suited_hands(board, deck).astype(int) for board in members)
        assert classes.suited[board_class].tolist() == np.asarray(suited).tolist()


def test_all_classes_of_the_full_deck() -> None:
    boards = classify_deck().boards
    assert len(boards.cards) == BOARD_CLASSES_MAX == 42_783
    assert boards.counts.sum() == len(boards.class_of) == 2_598_960
    # Classes with the same ranks follow each other.
    ranks = [tuple(row) for row in (boards.cards >> 2).tolist()]
    changes = sum(before != after for before, after in pairwise(ranks))
    assert changes + 1 == len(set(ranks)) == 6_175


def test_uncompiled_kernels() -> None:
    deck = np.array([card.number for card in FULL_DECK if card.rank >= 12])
    counted = []
    for classify, count in (
        (classify_boards, count_suited_hands),
        (classify_boards.py_func, count_suited_hands.py_func),
    ):
        class_of, first_numbers, counts = (np.zeros(792, dtype=np.int32) for _ in range(3))
        suited = np.zeros((792, PLAIN_TYPES), dtype=np.int16)
        number = classify(deck, class_of, first_numbers, counts, suited)
        boards = np.array(list(combinations(deck, 5)), dtype=np.uint8)[:number]
        count(boards, counts, deck, suited)
        arrays = (class_of, first_numbers, counts, suited)
        counted.append((number, [array.tolist() for array in arrays]))
    assert counted[0] == counted[1]
