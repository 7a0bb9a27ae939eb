"""What is read off a type is what every hand of the type would see."""

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from openfelt.cards import FULL_DECK, Card, Category, parse_cards
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.strengths import weakest_of
from openfelt.maths.holdem.terms import HoldemTerms
from openfelt.maths.kernels.card_sets import SUITED_TYPES, long_suit
from openfelt.maths.kernels.flops import TYPE_NUMBERS
from openfelt.maths.kernels.hand_reader import cards_key, cards_mask, read_five, read_with_two
from openfelt.maths.kernels.records import new_record
from openfelt.maths.kernels.showdowns import SHOWDOWNS, fill_showdowns
from openfelt.maths.kernels.strategy_features import RIVER_SIZE, river_features
from openfelt.maths.kernels.strategy_prices import list_outs, play_rivers, read_features
from openfelt.maths.strategy.strategies import STRATEGIES
from tests.kit.maths.boards import BOARDS, class_of_one

DECK = np.arange(52)


def _read_types(board: NDArray[np.int64]) -> tuple[list[int], NDArray[np.int64]]:
    """The types that can be held on a board, and the features of each."""
    showdowns = new_record(SHOWDOWNS)
    fill_showdowns(board, DECK, weakest_of(Category.PAIR), reading_tables(), showdowns)
    features = np.zeros((SUITED_TYPES, RIVER_SIZE), dtype=np.int64)
    read_features(board, reading_tables(), showdowns, features)
    return showdowns.numbers[: showdowns.count].tolist(), features


def _sees(hole: list[int], board: NDArray[np.int64]) -> list[int]:
    """What a hand sees, its outs counted one by one."""
    reading = reading_tables()
    key, mask = cards_key(board, 5, reading.keys), cards_mask(board, 5, reading.masks)
    strength = read_with_two(key, mask, hole[0], hole[1], reading)
    out = np.zeros(RIVER_SIZE, dtype=np.int64)
    river_features(
        np.array(hole), board, key, mask, read_five(board, reading), strength, True, reading, out
    )
    return [int(one) for one in out]


def _boards() -> list[list[Card]]:
    random = Random(5)
    return [list(parse_cards(text)) for text in BOARDS] + [
        random.sample(FULL_DECK, 5) for _ in range(30)
    ]


@pytest.mark.parametrize("cards", _boards(), ids=lambda cards: "".join(map(str, cards)))
def test_every_hand_sees_what_its_type_sees(cards: list[Card]) -> None:
    board = np.array(sorted(card.number for card in cards))
    numbers, features = _read_types(board)
    suit = long_suit(board)
    rest = [card for card in range(52) if card not in board]
    random = Random(9)
    seen = set()
    for _ in range(250):
        hole = sorted(random.sample(rest, 2))
        symbols = [(card >> 2) + (13 if card & 3 == suit else 0) for card in hole]
        number = int(TYPE_NUMBERS[symbols[0], symbols[1]])
        assert features[number].tolist() == _sees(hole, board)
        seen.add(number)
    assert seen <= set(numbers)


def test_outs_are_counted_alike_without_the_compiler() -> None:
    showdowns = new_record(SHOWDOWNS)
    showdowns.left[:13] = 4
    showdowns.count = 4
    showdowns.numbers[:4] = np.arange(4)
    showdowns.strengths[:4] = 0, 5, 64, 200
    one_card = np.arange(26) % 13 * 10 + 5
    found = [np.zeros(4, dtype=np.int64) for _ in range(2)]
    list_outs(showdowns, one_card, found[0])
    list_outs.py_func(showdowns, one_card, found[1])
    assert found[0].tolist() == found[1].tolist() == [52, 48, 28, 0]


def test_a_board_is_decided_alike_without_the_compiler() -> None:
    boards = class_of_one(parse_cards(BOARDS[1]))
    terms, tables = HoldemTerms.of().as_record(), STRATEGIES["basic"].tables()
    found = []
    for kernel in (play_rivers, play_rivers.py_func):
        values = np.zeros(SUITED_TYPES, dtype=np.int32)
        bets = np.zeros(SUITED_TYPES, dtype=np.uint8)
        kernel(boards, terms, reading_tables(), tables, 1, new_record(SHOWDOWNS), values, bets)
        found.append((values.tolist(), bets.tolist()))
    assert found[0] == found[1]
    assert any(found[0][1])
    assert not all(found[0][1])
