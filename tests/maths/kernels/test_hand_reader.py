from random import Random

import numpy as np

from openfelt.cards import Card
from openfelt.cards.hand import hand_strength
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels.hand_reader import (
    cards_key,
    cards_mask,
    read_five,
    read_with_two,
    strength_of_key,
)
from tests.kit.maths.hands import plain_strength, random_cards


def test_five_six_and_seven_cards_are_read_as_the_plain_evaluator_reads_them() -> None:
    random = Random(5)
    reading = reading_tables()
    for _ in range(4000):
        numbers = random_cards(random, 7)
        cards = np.array(numbers)
        plain = [hand_strength([Card(number) for number in numbers[:size]]) for size in (5, 6, 7)]
        key, mask = cards_key(cards, 5, reading.keys), cards_mask(cards, 5, reading.masks)
        six = strength_of_key(
            key + reading.keys[numbers[5]],
            mask | reading.masks[numbers[5]],
            reading.offsets6,
            reading.strengths6,
            reading.flushes,
        )
        seven = read_with_two(key, mask, numbers[5], numbers[6], reading)
        found = [read_five(cards, reading), six, seven]
        assert list(map(plain_strength, found)) == plain


def test_hands_are_read_alike_uncompiled() -> None:
    random = Random(5)
    for _ in range(50):
        cards = np.array(random_cards(random, 5))
        assert read_five.py_func(cards, reading_tables()) == read_five(cards, reading_tables())
