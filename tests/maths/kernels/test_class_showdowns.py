"""Showdowns of classes of boards against the plain version, board by board."""

from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from openfelt.cards import Category, Rank, parse_cards
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.strengths import weakest_of
from openfelt.maths.holdem.deck_classes import classify_deck
from openfelt.maths.kernels.card_sets import BoardClasses, set_number
from openfelt.maths.kernels.class_showdowns import fill_class, list_class_types
from openfelt.maths.kernels.records import new_record
from openfelt.maths.kernels.showdowns import SHOWDOWNS, fill_showdowns
from tests.kit.maths.boards import BOARDS, class_of_one
from tests.kit.maths.games import small_deck

PAIR = weakest_of(Category.PAIR)
PER_TYPE = ("held", "wins", "not_lost", "unqualified")


def assert_same(counted: np.record, plain: np.record) -> None:
    """The same types in an order of the same strengths, and the same counts of each."""
    assert counted.count == plain.count
    numbers, plain_numbers = (record.numbers[: plain.count] for record in (counted, plain))
    assert np.array_equal(np.sort(numbers), np.sort(plain_numbers))
    assert np.array_equal(counted.strengths[numbers], plain.strengths[plain_numbers])
    assert counted.dealer_hands == plain.dealer_hands
    for name in PER_TYPE:
        assert np.array_equal(getattr(counted, name)[numbers], getattr(plain, name)[numbers])


def assert_class_is_plain(
    boards: BoardClasses, row: int, board: npt.NDArray[np.int64], counted: np.record,
    qualifying: int = PAIR,
) -> None:  # fmt: skip
    plain = new_record(SHOWDOWNS)
    fill_class(boards, row, qualifying, reading_tables(), counted)
    fill_showdowns(board, boards.deck, qualifying, reading_tables(), plain)
    assert_same(counted, plain)


def test_every_multiset_of_ranks_and_the_flushes_on_it() -> None:
    classes = classify_deck()
    ranks = classes.boards.cards >> 2
    first = np.flatnonzero(np.r_[True, (ranks[1:] != ranks[:-1]).any(axis=1)])
    assert first.size == 6_175
    boards, counted = classes.board_piece(), new_record(SHOWDOWNS)
    # The first class of the ranks, and the last, which is counted in the same order of ranks.
    for row, after in zip(first, [*first[1:], len(ranks)], strict=True):
        for place in {int(row), int(after) - 1}:
            board = classes.boards.cards[place].astype(np.int64)
            assert_class_is_plain(boards, place, board, counted)


@pytest.mark.parametrize(
    "qualifying",
    [weakest_of(Category.PAIR, Rank.TEN), weakest_of(Category.FLUSH, Rank.NINE), 0, 7462],
)
def test_random_boards_meet_what_the_first_board_of_their_class_meets(qualifying: int) -> None:
    classes = classify_deck()
    boards, counted = classes.board_piece(), new_record(SHOWDOWNS)
    random = Random(qualifying)
    for _ in range(300):
        board = np.array(sorted(random.sample(range(52), 5)))
        row = int(classes.boards.class_of[set_number(board)])
        assert_class_is_plain(boards, row, board, counted, qualifying)


@pytest.mark.parametrize("suits", ["0123", "00112", "00011", "00012", "00001", "00000"])
def test_every_pattern_of_suits(suits: str) -> None:
    classes = classify_deck()
    boards, counted = classes.board_piece(), new_record(SHOWDOWNS)
    random = Random(suits)
    for _ in range(60):
        names = random.sample(range(4), 4)
        cards: set[int] = set()
        while len(cards) < 5:
            cards = {4 * random.randrange(13) + names[int(suit)] for suit in suits.ljust(5, "0")}
        board = np.array(sorted(cards))
        row = int(classes.boards.class_of[set_number(board)])
        assert_class_is_plain(boards, row, board, counted)


@pytest.mark.parametrize(("ranks", "suits"), [("AKQJ", 4), ("AKQJT", 3), ("2345A", 2)])
def test_every_class_of_a_small_deck(ranks: str, suits: int) -> None:
    boards = classify_deck(tuple(card.number for card in small_deck(ranks, suits))).board_piece()
    counted = new_record(SHOWDOWNS)
    for row, board in enumerate(boards.cards.astype(np.int64)):
        assert_class_is_plain(boards, row, board, counted)


@pytest.mark.parametrize("text", BOARDS)
def test_uncompiled_kernels(text: str) -> None:
    board = parse_cards(text)
    boards = class_of_one(board)
    counted, plain, listed = (new_record(SHOWDOWNS) for _ in range(3))
    fill_class(boards, 0, PAIR, reading_tables(), counted)
    fill_class.py_func(boards, 0, PAIR, reading_tables(), plain)
    assert_same(counted, plain)
    list_class_types.py_func(boards, 0, listed)
    numbers = counted.numbers[: counted.count]
    assert set(numbers.tolist()) == set(listed.numbers[: listed.count].tolist())
    for name in ("hands", "suited"):
        by_type = getattr(counted, name)[numbers].tolist()
        assert by_type == getattr(plain, name)[numbers].tolist()
        assert by_type == getattr(listed, name)[numbers].tolist()
    assert counted.hands[numbers].sum() == 1081
    # The deck has 78 suited hands of each suit, less those that meet the board.
    left = [13 - sum(card.suit == suit for card in board) for suit in range(4)]
    assert counted.suited[numbers].sum() == sum(cards * (cards - 1) // 2 for cards in left)
