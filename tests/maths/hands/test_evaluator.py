"""The fast evaluator against the plain one, everywhere."""

import tomllib
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.cards import Card, Category, evaluate
from openfelt.maths import category_of, count_categories, evaluate_hands, weakest_of
from openfelt.maths.hands.strengths import hand_tables
from openfelt.maths.kernels import seven_card_evaluator as evaluating
from openfelt.maths.kernels import strength_tables as table_kernels
from tests.kit.repository import KNOWN_VALUES

KNOWN = KNOWN_VALUES / "seven_card_counts.toml"

seven_cards = st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True)


def as_array(hands: list[list[int]]) -> npt.NDArray[np.uint8]:
    return np.array(hands, dtype=np.uint8).reshape(-1, 7)


def plain_strength(numbers: list[int]) -> int:
    return evaluate([Card(number) for number in numbers]).strength


def hands_without_flush() -> list[list[int]]:
    """One hand for every multiset of seven ranks, suits going round so that none has five."""
    return [
        [4 * rank + place % 4 for place, rank in enumerate(ranks)]
        for ranks in combinations_with_replacement(range(13), 7)
        if max(ranks.count(rank) for rank in ranks) <= 4
    ]


def hands_with_flush() -> list[list[int]]:
    """Every mask of five to seven ranks in one suit, filled up from another suit."""
    hands = []
    for mask in range(1 << 13):
        if 5 <= mask.bit_count() <= 7:
            ranks = [rank for rank in range(13) if mask >> rank & 1]
            suit = mask % 4
            others = [4 * rank + (suit + 1) % 4 for rank in range(7 - len(ranks))]
            hands.append([4 * rank + suit for rank in ranks] + others)
    return hands


@pytest.mark.parametrize("hands", [hands_without_flush(), hands_with_flush()])
def test_full_order_equals_the_plain_evaluator(hands: list[list[int]]) -> None:
    # Seven cards are worth what their ranks are worth, or what their flush is worth, so
    # these hands stand for all 133,784,560.
    strengths = evaluate_hands(as_array(hands))
    plain = [plain_strength(hand) for hand in hands]
    assert hand_tables().plain_strengths[strengths].tolist() == plain


def test_rank_keys_have_different_sums() -> None:
    keys = table_kernels.RANK_KEYS
    sums = [
        sum(keys[rank] for rank in ranks)
        for ranks in combinations_with_replacement(range(13), 7)
        if max(ranks.count(rank) for rank in ranks) <= 4
    ]
    assert len(sums) == len(set(sums)) == table_kernels.MULTISETS_OF_7


@given(st.lists(seven_cards, min_size=1, max_size=20))
def test_any_hands_in_any_number(hands: list[list[int]]) -> None:
    strengths = evaluate_hands(as_array(hands))
    plain = [plain_strength(hand) for hand in hands]
    assert hand_tables().plain_strengths[strengths].tolist() == plain
    assert [category_of(int(strength)) for strength in strengths] == [
        Category(value >> 20) for value in plain
    ]
    assert evaluate_hands(as_array(hands), check_repeats=False).tolist() == strengths.tolist()


@given(st.lists(seven_cards, min_size=8, max_size=8))
def test_uncompiled_kernel(hands: list[list[int]]) -> None:
    tables = hand_tables()
    cards = as_array(hands)
    out = np.zeros(8, dtype=np.uint16)
    arrays = tables.keys, tables.offsets, tables.strengths, tables.flushes
    words = cards.reshape(-1).view(np.uint64).reshape(-1, 7)
    assert evaluating.evaluate_words.py_func(words, *arrays, out) == -1
    assert out.tolist() == evaluate_hands(cards).tolist()
    packed = np.zeros(8, dtype=np.uint64)
    evaluating.unpack_hands.py_func(words, packed)
    assert [list(int(word).to_bytes(8, "little")[:7]) for word in packed] == hands
    assert evaluating.any_repeat.py_func(packed) == 0
    assert evaluating.evaluate_checked.py_func(words, *arrays, out) == -1


def test_uncompiled_tables() -> None:
    counts = np.zeros(13, dtype=np.int64)
    counts[[12, 11]] = [3, 2]
    assert table_kernels.unsuited_strength.py_func(counts) == 0x6EEEDD
    assert table_kernels.flush_strength.py_func(0b1_0000_0000_1111) == 0x85432E
    keys, plain = np.zeros(6176, dtype=np.int64), np.zeros(6176, dtype=np.int64)
    assert table_kernels.list_multisets.py_func(5, keys, plain) == 6175


def test_published_counts() -> None:
    known = tomllib.loads(KNOWN.read_text(encoding="utf-8"))
    counts = count_categories()
    assert {category.words: count for category, count in counts.items()} == known["counts"]
    assert sum(counts.values()) == known["hands"]


def test_no_hands() -> None:
    assert evaluate_hands(np.zeros((0, 7), dtype=np.uint8)).tolist() == []


def test_arrays_that_are_not_contiguous() -> None:
    hands = as_array(hands_with_flush()[:64])
    doubled = np.repeat(np.repeat(hands, 2, axis=0), 2, axis=1)
    assert evaluate_hands(doubled[::2, ::2]).tolist() == evaluate_hands(hands).tolist()
    for start in range(1, 9):
        assert evaluate_hands(hands[start:]).tolist() == evaluate_hands(hands).tolist()[start:]
    backwards = hands[::-1]
    assert evaluate_hands(backwards).tolist() == evaluate_hands(hands).tolist()[::-1]


@pytest.mark.parametrize("row", [0, 3, 8, 10, 1500, 2990])
@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ([0, 1, 2, 3, 4, 5, 52], "52 is not a card number"),
        ([255, 1, 2, 3, 4, 5, 6], "255 is not a card number"),
        ([0, 1, 2, 3, 4, 5, 0], "card 0 occurs twice"),
        ([64, 0, 2, 3, 4, 5, 6], "64 is not a card number"),
    ],
)
def test_hands_that_cannot_be(row: int, wrong: list[int], complaint: str) -> None:
    cards = np.tile(np.arange(7, dtype=np.uint8), (2991, 1))
    cards[row] = wrong
    with pytest.raises(ValueError, match=f"row {row}: {complaint}"):
        evaluate_hands(cards)


@pytest.mark.parametrize(
    "cards",
    [
        np.zeros((3, 6), dtype=np.uint8),
        np.zeros(7, dtype=np.uint8),
        np.zeros((3, 7), dtype=np.int64),
    ],
)
def test_arrays_that_are_no_hands(cards: npt.NDArray[np.uint8]) -> None:
    with pytest.raises(ValueError, match="cards must"):
        evaluate_hands(cards)


def test_numbers_above_51_are_found_without_the_check_for_repeats() -> None:
    cards = np.tile(np.arange(7, dtype=np.uint8), (9, 1))
    cards[8, 3] = 200
    with pytest.raises(ValueError, match="row 8: 200"):
        evaluate_hands(cards, check_repeats=False)


def test_weakest_hands() -> None:
    tables = hand_tables()
    for category in Category:
        weakest = weakest_of(category)
        assert category_of(weakest) is category
        assert weakest == 1 or tables.categories[weakest - 1] == category - 1
    with pytest.raises(ValueError, match="strength"):
        category_of(0)
