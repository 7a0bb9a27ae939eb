"""Computer players: sensible, modest, and blind to what they may not see."""

import random

import pytest

from openfelt.cards import parse_cards
from openfelt.catalog import load_catalog, load_house
from openfelt.cli.play.opponents import (
    bank_wager_cents,
    default_opponents,
    opening_wagers,
    plays_before_flop,
    plays_on_flop,
    plays_on_river,
    seat_opponents,
)


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


@pytest.mark.parametrize("house", load_catalog().houses.values(), ids=lambda house: house.id)
def test_every_opponent_has_a_seat_and_a_name(house) -> None:  # type: ignore[no-untyped-def]
    seated = seat_opponents(house, 50, own_seat=1)
    assert len({one.seat for one in seated}) == len({one.name for one in seated}) == len(seated)
    assert all(2 <= one.seat <= house.seats for one in seated)
    assert default_opponents(house) < house.seats


def test_bets_and_banks_are_modest() -> None:
    house = load_house("california")
    rng = random.Random(1)
    for _ in range(100):
        assert 500 <= opening_wagers(house, rng.randrange)[0].cents <= 2000
        assert 10_000 <= bank_wager_cents(house, rng.randrange, 100_000) <= 30_000
