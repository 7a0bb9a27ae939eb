from collections.abc import Sequence
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from openfelt.cards import Card, Category, evaluate, parse_cards
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.starting_hands import starting_hands
from openfelt.maths.kernels.hand_reader import cards_key, cards_mask, read_five, read_with_two
from openfelt.maths.kernels.strategy_features import (
    FLOP_FEATURES,
    FLOP_SIZE,
    RIVER_FEATURES,
    RIVER_SIZE,
    flop_features,
    river_counts,
    river_features,
    starting_hand,
)
from tests.kit.maths.hands import random_cards


def _numbers(cards: Sequence[Card]) -> npt.NDArray[np.int64]:
    return np.array([card.number for card in cards])


def _flop(hole: Sequence[Card], flop: Sequence[Card]) -> dict[str, int]:
    out = np.zeros(FLOP_SIZE, dtype=np.int64)
    flop_features(_numbers(hole), _numbers(flop), reading_tables(), out)
    return dict(zip(FLOP_FEATURES, out.tolist(), strict=True))


def _river(hole: Sequence[Card], board: Sequence[Card]) -> dict[str, int]:
    reading = reading_tables()
    cards, numbers = _numbers(hole), _numbers(board)
    key, mask = cards_key(numbers, 5, reading.keys), cards_mask(numbers, 5, reading.masks)
    strength = read_with_two(key, mask, cards[0], cards[1], reading)
    out = np.zeros(RIVER_SIZE, dtype=np.int64)
    river_features(
        cards, numbers, key, mask, read_five(numbers, reading), strength, True, reading, out
    )
    return dict(zip(RIVER_FEATURES, out.tolist(), strict=True))


FLOPS = [
    ("Ks 7d", "Kd 8c 2h", {"made": 1, "uses_hole": 1, "hidden_pair": 13, "pocket": 0}),
    ("Ks 7d", "8d 8c 2h", {"made": 1, "uses_hole": 0, "hidden_pair": 0, "flop_made": 1}),
    ("Ks 7d", "8d 8c 8h", {"made": 3, "uses_hole": 0, "flop_made": 3, "overcards": 1}),
    ("2s 2d", "8d 8c 8h", {"made": 6, "uses_hole": 1, "hidden_pair": 2, "pocket": 1}),
    ("2s 2d", "9d 5c Kh", {"made": 1, "uses_hole": 1, "hidden_pair": 2, "pocket": 1}),
    ("Ts 4s", "9s 5s Kh", {"flush_draw": 10, "straight_draw": 0, "flop_high": 13}),
    ("Th 4s", "9s 5s Ks", {"flush_draw": 4, "high": 10, "low": 4}),
    ("Th 4h", "9s 5s Ks", {"flush_draw": 0}),
    ("Th 9h", "8s 7s 2d", {"straight_draw": 2, "overcards": 2}),
    ("Th 9h", "8s 6s 2d", {"straight_draw": 1}),
    ("Ah 2h", "3s 4s 9d", {"straight_draw": 1}),
    ("Ah 2h", "3s 4s 5d", {"straight_draw": 0, "made": 4, "uses_hole": 1}),
]


@pytest.mark.parametrize(("hole", "flop", "expected"), FLOPS)
def test_what_a_player_sees_on_the_flop(hole: str, flop: str, expected: dict[str, int]) -> None:
    seen = _flop(parse_cards(hole), parse_cards(flop))
    assert {name: seen[name] for name in expected} == expected


RIVERS = [
    # Fifteen cards pair the board; a queen kicker is the best there is.
    ("Qs 2d", "As Kd 9c 5h 3s", {"made": 0, "outs": 15, "kickers_above": 0}),
    # Four queens and four jacks beat a ten as well.
    ("Ts 2d", "As Kd 9c 5h 3s", {"made": 0, "outs": 23, "kickers_above": 2}),
    ("9s 2d", "As Kd 9c 5h 3s", {"made": 1, "uses_hole": 1, "hidden_pair": 9}),
    ("Qs 2d", "As Ad 9c 5h 3s", {"made": 1, "uses_hole": 0, "board_made": 1}),
    # A pair of threes under two pair of the board is hidden, but does not count.
    ("3s 3d", "As Ad 9c 9h 5s", {"made": 2, "uses_hole": 0, "hidden_pair": 3, "pocket": 1}),
    ("Ts Td", "As Ad 9c 9h 5s", {"made": 2, "uses_hole": 1, "hidden_pair": 10}),
    ("2c 2d", "As Ks Qs Js Ts", {"made": 9, "uses_hole": 0, "outs": 0}),
    ("9s 2d", "Ks Qs Js Ts 8d", {"made": 8, "uses_hole": 1, "outs": 1}),
]


@pytest.mark.parametrize(("hole", "board", "expected"), RIVERS)
def test_what_a_player_sees_on_the_river(hole: str, board: str, expected: dict[str, int]) -> None:
    seen = _river(parse_cards(hole), parse_cards(board))
    assert {name: seen[name] for name in expected} == expected


def test_made_hands_and_outs_agree_with_the_plain_evaluator() -> None:
    random = Random(8)
    for _ in range(300):
        cards = [Card(number) for number in random_cards(random, 7)]
        hole, board = cards[:2], cards[2:]
        player = evaluate(cards)
        left = [Card(number) for number in range(52) if Card(number) not in cards]
        seen = _river(hole, board)
        assert seen["made"] == player.category
        assert seen["board_made"] == evaluate(board).category
        assert seen["outs"] == sum(evaluate([*board, card]) > player for card in left)
        assert _flop(hole, board[:3])["made"] == evaluate(cards[:5]).category


def test_a_hole_card_is_part_of_the_hand_when_the_board_alone_makes_less() -> None:
    random = Random(9)
    for _ in range(300):
        cards = [Card(number) for number in random_cards(random, 7)]
        player, board = evaluate(cards), evaluate(cards[2:])
        # Without kickers: of three of a kind and less, only the equal ranks count.
        size = {Category.HIGH_CARD: 0, Category.PAIR: 2, Category.THREE_OF_A_KIND: 3}
        size |= {Category.TWO_PAIR: 4, Category.FOUR_OF_A_KIND: 4}
        counted = player.ranks[: size.get(player.category, 5)]
        better = player.category > board.category or counted > board.ranks[: len(counted)]
        assert _river(cards[:2], cards[2:])["uses_hole"] == (better and player.category > 0)


def test_river_counts_weigh_all_990_dealer_hands() -> None:
    random = Random(10)
    reading = reading_tables()
    counts = np.zeros(5, dtype=np.int64)
    for _ in range(5):
        cards = [Card(number) for number in random_cards(random, 7)]
        player, board = evaluate(cards), cards[2:]
        left = [Card(number) for number in range(52) if Card(number) not in cards]
        dealers = [evaluate([*board, one, two]) for one in left for two in left if one < two]
        numbers = _numbers(board)
        key, mask = cards_key(numbers, 5, reading.keys), cards_mask(numbers, 5, reading.masks)
        strength = read_with_two(key, mask, cards[0].number, cards[1].number, reading)
        river_counts(_numbers(cards[:2]), key, mask, strength, 1278, reading, counts)
        qualified = [dealer for dealer in dealers if dealer.category >= Category.PAIR]
        assert counts.tolist() == [
            sum(player > dealer for dealer in dealers),
            sum(player < dealer for dealer in dealers),
            sum(player > dealer for dealer in qualified),
            sum(player < dealer for dealer in qualified),
            990,
        ]


@pytest.mark.parametrize(
    ("cards", "name"), [("As Ks", "AKs"), ("Kd As", "AKo"), ("2c 2d", "22"), ("2h Th", "T2s")]
)
def test_starting_hands_have_their_place_in_the_grid(cards: str, name: str) -> None:
    first, second = parse_cards(cards)
    assert starting_hands()[starting_hand(first.number, second.number)] == name
