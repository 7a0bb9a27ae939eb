"""What is read off a type is what every hand of the type would see."""

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from openfelt.cards import FULL_DECK, Card, Category, parse_cards
from openfelt.maths.hands.reader import reading_tables
from openfelt.maths.hands.tables import hand_tables, weakest_of
from openfelt.maths.kernels.boards import SUITED_TYPES, long_suit
from openfelt.maths.kernels.flops import TYPE_NUMBERS
from openfelt.maths.kernels.hand_reader import cards_key, cards_mask, read_five, read_with_two
from openfelt.maths.kernels.hand_values import RESULTS, showdown_results
from openfelt.maths.kernels.strategy_features import RIVER_SIZE, river_features
from openfelt.maths.kernels.strategy_pricing import list_outs, look_at_board, play_rivers
from openfelt.maths.strategy.strategies import STRATEGIES
from tests.kit.maths.boards import BOARDS

DECK = np.arange(52)


def _look(board: NDArray[np.int64]) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """How many types there are, which, and what each of them sees."""
    tables = hand_tables()
    held, suited, numbers, strength = (np.zeros(SUITED_TYPES, dtype=np.int64) for _ in range(4))
    count = showdown_results(
        board, DECK, weakest_of(Category.PAIR), tables.keys, tables.offsets, tables.strengths,
        tables.flushes, held, suited, numbers, strength,
        np.zeros((SUITED_TYPES, RESULTS), dtype=np.int64),
    )  # fmt: skip
    features = np.zeros((SUITED_TYPES, RIVER_SIZE), dtype=np.int64)
    look_at_board(board, DECK, count, numbers, strength, reading_tables(), features)
    return count, numbers, features


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
    count, numbers, features = _look(board)
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
    assert seen <= set(numbers[:count].tolist())


def test_outs_are_counted_alike_without_the_compiler() -> None:
    alive = np.zeros(26, dtype=np.int64)
    alive[:13] = 0b1111
    one_card = np.arange(26) % 13 * 10 + 5
    numbers, strengths = np.arange(4), np.array([0, 5, 64, 200])
    found = [np.zeros(4, dtype=np.int64) for _ in range(2)]
    list_outs(4, numbers, strengths, alive, one_card, found[0])
    list_outs.py_func(4, numbers, strengths, alive, one_card, found[1])
    assert found[0].tolist() == found[1].tolist() == [52, 48, 28, 0]


def test_a_board_is_decided_alike_without_the_compiler() -> None:
    boards = np.array([sorted(card.number for card in parse_cards(BOARDS[1]))], dtype=np.uint8)
    blind = np.array([0, 0, 0, 0, 2, 3, 6, 20, 100, 1000])
    tables = STRATEGIES["basic"].tables()
    found = []
    for kernel in (play_rivers, play_rivers.py_func):
        values = np.zeros(SUITED_TYPES, dtype=np.int32)
        bets = np.zeros(SUITED_TYPES, dtype=np.bool_)
        start = np.zeros(1, dtype=np.int64)
        kernel(
            boards,
            start,
            DECK,
            weakest_of(Category.PAIR),
            2,
            blind,
            reading_tables(),
            tables,
            values,
            bets,
        )
        found.append((values.tolist(), bets.tolist()))
    assert found[0] == found[1]
    assert any(found[0][1])
    assert not all(found[0][1])
