"""Sums over turn and river with any values at all, and the same run backwards."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from openfelt.cards import FULL_DECK
from openfelt.maths.holdem.deck_classes import DeckClasses, classify_deck
from openfelt.maths.kernels.card_sets import long_suit, set_number
from openfelt.maths.kernels.flops import FLOP, TYPE_NUMBERS, price_flops, runout_sums, symbol_in
from openfelt.maths.kernels.outcomes import weigh_flops
from openfelt.maths.kernels.records import new_record

ROOM = runout_sums(np.int32)
DECKS = {"three ranks": (11, 4), "six ranks": (8, 2), "four ranks": (10, 3)}


def small_deck_classes(lowest_rank: int, suits: int) -> DeckClasses:
    return classify_deck(
        tuple(c.number for c in FULL_DECK if c.rank > lowest_rank and c.suit < suits)
    )


def any_values(classes: DeckClasses) -> npt.NDArray[np.int32]:
    return np.random.default_rng(5).integers(-1000, 1000, classes.types).astype(np.int32)


def plain_sum(classes: DeckClasses, values: npt.NDArray[np.int32], flop: list[int],
              hand: tuple[int, int]) -> int:  # fmt: skip
    """Every board of the flop that leaves the hand its cards, one after another."""
    total = 0
    rest = [card for card in classes.deck.tolist() if card not in flop and card not in hand]
    for pair in combinations(rest, 2):
        board = np.array(sorted([*flop, *pair]))
        mode = long_suit(board) + 1
        number = TYPE_NUMBERS[symbol_in(hand[0], mode), symbol_in(hand[1], mode)]
        total += int(values[classes.place_of[set_number(classes.position_of[board])] + number])
    return total


@pytest.mark.parametrize("deck", DECKS)
def test_sums_equal_their_definition(deck: str) -> None:
    classes = small_deck_classes(*DECKS[deck])
    values = any_values(classes)
    flops = classes.flops.cards
    sums = np.zeros((len(flops), classes.hand_cells.size), dtype=np.int64)
    price_flops(flops, classes.deck, classes.place_of, values, new_record(FLOP), ROOM, sums)
    cards = classes.deck.tolist()
    for row, flop in enumerate(flops.tolist()):
        for high, low in ((h, low) for h in range(len(cards)) for low in range(h)):
            hand = cards[low], cards[high]
            expected = 0 if set(hand) & set(flop) else plain_sum(classes, values, flop, hand)
            assert sums[row, high * (high - 1) // 2 + low] == expected


@pytest.mark.parametrize("deck", DECKS)
def test_backwards_is_the_transpose(deck: str) -> None:
    classes = small_deck_classes(*DECKS[deck])
    values = any_values(classes)
    flops, counts = classes.flops.cards, classes.flops.counts
    sums = np.zeros((len(flops), classes.hand_cells.size), dtype=np.int64)
    price_flops(flops, classes.deck, classes.place_of, values, new_record(FLOP), ROOM, sums)
    bets = np.random.default_rng(6).random(sums.shape) < 0.4
    for row, flop in enumerate(flops):
        on_flop = np.isin(classes.deck, flop)
        pairs = [(low, high) for high in range(classes.deck.size) for low in range(high)]
        bets[row, [bool(on_flop[low] or on_flop[high]) for low, high in pairs]] = False
    weights = np.zeros(classes.types, dtype=np.int32)
    weigh_flops(flops, counts, classes.deck, classes.place_of, bets, new_record(FLOP), weights)
    forwards = int((sums * bets * counts[:, None]).sum())
    assert forwards == int((weights.astype(np.int64) * values).sum())


def test_uncompiled_kernels() -> None:
    classes = small_deck_classes(11, 4)
    values = any_values(classes)
    flops, counts = classes.flops.cards[:4], classes.flops.counts[:4]
    sums, plain_sums = (np.zeros((4, classes.hand_cells.size), dtype=np.int64) for _ in range(2))
    price_flops(flops, classes.deck, classes.place_of, values, new_record(FLOP), ROOM, sums)
    price_flops.py_func(
        flops, classes.deck, classes.place_of, values, new_record(FLOP), ROOM, plain_sums
    )
    assert sums.tolist() == plain_sums.tolist()
    weights, plain_weights = (np.zeros(classes.types, dtype=np.int32) for _ in range(2))
    given = (flops, counts, classes.deck, classes.place_of, sums > 0, new_record(FLOP))
    weigh_flops(*given, weights)
    weigh_flops.py_func(*given, plain_weights)
    assert weights.tolist() == plain_weights.tolist()
