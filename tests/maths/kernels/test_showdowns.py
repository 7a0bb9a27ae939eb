"""Showdown counts on one board, against every pair of hands and the plain evaluator."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from openfelt.cards import FULL_DECK, Card, Category, Rank, parse_cards
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.strengths import weakest_of
from openfelt.maths.kernels import card_sets, flops, outcomes, showdowns
from openfelt.maths.kernels.flops import TYPE_NUMBERS
from openfelt.maths.kernels.records import new_record
from openfelt.rules.paytable import HandMinimum
from tests.kit.maths.boards import BOARDS
from tests.kit.maths.slow_holdem import best_hand


def plain_results(board: tuple[Card, ...], deck: list[Card], minimum: HandMinimum,
                  hole: tuple[Card, ...]) -> list[int]:  # fmt: skip
    """The five counts by looking at every dealer hand."""
    counts = [0, 0, 0, 0, 0]
    player = best_hand(frozenset(board + hole))
    rest = [card for card in deck if card not in board + hole]
    for pair in combinations(rest, 2):
        dealer = best_hand(frozenset(board + pair))
        unqualified = not minimum.met_by(dealer)
        if player == dealer:
            counts[2] += 1
        elif player > dealer:
            counts[1 if unqualified else 0] += 1
        else:
            counts[4 if unqualified else 3] += 1
    return counts


def kernel_showdowns(
    board: tuple[Card, ...], deck: list[Card], minimum: HandMinimum
) -> np.record:  # fmt: skip
    counted = new_record(showdowns.SHOWDOWNS)
    showdowns.fill_showdowns(
        np.array([card.number for card in board]), np.array([card.number for card in deck]),
        weakest_of(minimum.category, minimum.at_least or 0), reading_tables(), counted,
    )  # fmt: skip
    return counted


@pytest.mark.parametrize("text", BOARDS)
@pytest.mark.parametrize(
    "minimum",
    [HandMinimum(Category.PAIR), HandMinimum(Category.PAIR, Rank.TEN),
     HandMinimum(Category.HIGH_CARD, Rank.KING), HandMinimum(Category.STRAIGHT)],
)  # fmt: skip
def test_counts_equal_plain_enumeration(text: str, minimum: HandMinimum) -> None:
    board = parse_cards(text)
    deck = list(FULL_DECK)
    counted = kernel_showdowns(board, deck, minimum)
    suit = card_sets.long_suit(np.array([card.number for card in board]))
    assert counted.held[counted.numbers[: counted.count]].sum() == 1081
    rest = [card for card in deck if card not in board]
    for hole in Random(text).sample(list(combinations(rest, 2)), 6):
        symbols = [flops.symbol_in(card.number, suit + 1) for card in hole]
        number = TYPE_NUMBERS[symbols[0], symbols[1]]
        assert counted.results[number].tolist() == plain_results(board, deck, minimum, hole)


def test_uncompiled_kernels_on_a_small_deck() -> None:
    reading = reading_tables()
    deck = np.array([card.number for card in FULL_DECK if card.rank >= Rank.TEN and card.suit < 3])
    board = np.array([card.number for card in parse_cards("Tc Jc Qc Kd Ad")])
    compiled, plain = new_record(showdowns.SHOWDOWNS), new_record(showdowns.SHOWDOWNS)

    def same(*fields: str) -> None:
        for name in fields:
            assert getattr(compiled, name).tolist() == getattr(plain, name).tolist()

    showdowns.count_symbols(board, deck, 0, compiled)
    showdowns.count_symbols.py_func(board, deck, 0, plain)
    same("alive", "left")
    types = showdowns.type_strengths(board, 0, reading, compiled)
    assert showdowns.type_strengths.py_func(board, 0, reading, plain) == types
    same("strengths")
    showdowns.list_alive_types(types, compiled)
    showdowns.list_alive_types.py_func(types, plain)
    same("count", "numbers", "held")
    showdowns.sort_types(compiled)
    showdowns.sort_types.py_func(plain)
    same("numbers")
    sorted_strengths = plain.strengths[plain.numbers[: plain.count]].tolist()
    assert sorted_strengths == sorted(sorted_strengths)
    showdowns.count_showdowns(1278, compiled)
    showdowns.count_showdowns.py_func(1278, plain)
    same("wins", "not_lost", "unqualified")
    showdowns.fill_showdowns(board, deck, 1278, reading, compiled)
    showdowns.fill_showdowns.py_func(board, deck, 1278, reading, plain)
    same("results", "dealer_hands")


def test_uncompiled_sets() -> None:
    deck = np.array([card.number for card in FULL_DECK if card.rank <= Rank.FIVE and card.suit < 3])
    position_of = np.full(52, -1)
    position_of[deck] = np.arange(deck.size)
    arrays = []
    for classify in (card_sets.classify_sets, card_sets.classify_sets.py_func):
        found = [np.zeros(220, dtype=np.int32) for _ in range(3)]
        classes = classify(deck, position_of, 3, *found)
        arrays.append((classes, [part.tolist() for part in found]))
    assert arrays[0] == arrays[1]
    first_numbers = np.array(arrays[0][1][1][: arrays[0][0]], dtype=np.int32)
    cards, plain_cards = (np.zeros((first_numbers.size, 3), dtype=np.uint8) for _ in range(2))
    card_sets.unrank_sets(first_numbers, deck, cards)
    card_sets.unrank_sets.py_func(first_numbers, deck, plain_cards)
    assert cards.tolist() == plain_cards.tolist()
    assert sum(arrays[0][1][2]) == 220


def test_flops_of_a_board() -> None:
    assert len(list(combinations(range(5), 3))) == outcomes.FLOPS_OF_A_BOARD
