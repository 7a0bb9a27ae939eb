"""The decisions of computer players: sensible, and blind to what they may not see."""

import pytest

from openfelt.cards import parse_cards
from openfelt.runtime.computer_play import plays_before_flop, plays_on_flop, plays_on_river


@pytest.mark.parametrize(
    ("cards", "bets"),
    [
        ("2s 2d", False), ("3s 3d", True), ("As 2d", True), ("Ks 2s", True), ("Ks 4d", False),
        ("Ks 5d", True), ("Qs 6s", True), ("Qs 7d", False), ("Qs 8d", True), ("Js 8s", True),
        ("Js 9d", False), ("Js Td", True), ("Ts 9s", False), ("2c 7d", False),
    ],
)  # fmt: skip
def test_hands_worth_a_bet_before_the_flop(cards: str, bets: bool) -> None:
    assert plays_before_flop(parse_cards(cards)) is bets


def test_hands_worth_a_bet_later() -> None:
    own = parse_cards("9s 8d")
    assert plays_on_flop(own, parse_cards("9h 2c 3d"))
    assert not plays_on_flop(own, parse_cards("Kh Kc 3d"))
    assert plays_on_flop(own, parse_cards("9h 8c 3d"))
    assert plays_on_river(own, parse_cards("9h 2c 3d Kc Ac"))
    assert not plays_on_river(own, parse_cards("Jh 2c 3d Kc Ac"))
    assert plays_on_river(parse_cards("As 8d"), parse_cards("Jh 2c 3d Kc Tc"))
