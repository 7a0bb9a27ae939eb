from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from openfelt.cards import Card, evaluate, parse_cards
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.kernels.house_way import house_way_hold, read_after_draw
from openfelt.rules.ultimate_draw import final_cards, house_way
from tests.kit.maths.hands import plain_strength

# One example for each line of D.6, and the corners of R.26.
EXAMPLES = [
    "Ks Kd 9s 5s 2s",
    "Ks Kd 9s 9c 2s",
    "Ks Kd Kc 9c 2s",
    "Ks Kd Kc Kh 2s",
    "9s 8d 7c 6h 5s",
    "Ks Qs 9s 5s 2d",
    "9s 8d 7c 6h 2s",
    "As 2d 3c 4h 9s",
    "Js Qd Kc Ah 2s",
    "As 2d 3c 4h 6s",
    "Ks Qd 9s 5h 2s",
    "9s 8d 6c 3h 2s",
    "As 3s 4s 5s Kd",
    "As Kd Qc Jh 9s",
]


def _numbers(cards: tuple[Card, ...]) -> npt.NDArray[np.int64]:
    return np.array([card.number for card in cards])


def _held(cards: tuple[Card, ...], bits: int) -> tuple[Card, ...]:
    return tuple(card for place, card in enumerate(cards) if bits >> place & 1)


@pytest.mark.parametrize("text", EXAMPLES)
def test_holds_the_house_way(text: str) -> None:
    cards = parse_cards(text)
    reading = reading_tables()
    assert _held(cards, house_way_hold(_numbers(cards), reading)) == house_way(cards)
    assert house_way_hold.py_func(_numbers(cards), reading) == house_way_hold(
        _numbers(cards), reading
    )


def test_holds_and_draws_as_the_rules_do() -> None:
    random = Random(6)
    reading = reading_tables()
    final = np.zeros(5, dtype=np.int64)
    for _ in range(3000):
        dealt = [Card(number) for number in random.sample(range(52), 10)]
        cards, common = tuple(dealt[:5]), tuple(dealt[5:])
        held = house_way_hold(_numbers(cards), reading)
        assert _held(cards, held) == house_way(cards)
        strength = read_after_draw(_numbers(cards), held, _numbers(common), final, reading)
        drawn = evaluate(final_cards(house_way(cards), common))
        assert plain_strength(strength) == drawn.strength
