"""The computer players of the terminal game: modest, and each with a seat and a name."""

import random

import pytest

from openfelt.catalog import load_catalog, load_house
from openfelt.cli.play.computer_players import (
    bank_wager_cents,
    default_count,
    first_seats,
    opening_wagers,
)


@pytest.mark.parametrize("house", load_catalog().houses.values(), ids=lambda house: house.id)
def test_every_computer_player_has_a_seat_and_a_name(house) -> None:  # type: ignore[no-untyped-def]
    seated = first_seats(house, 50, own_seat=1)
    assert len({player.seat for player in seated}) == len(seated)
    assert len({player.name for player in seated}) == len(seated)
    assert all(2 <= player.seat <= house.seats for player in seated)
    assert default_count(house) < house.seats


def test_bets_and_banks_are_modest() -> None:
    house = load_house("california")
    rng = random.Random(1)
    for _ in range(100):
        assert 500 <= opening_wagers(house, rng.randrange)[0].cents <= 2000
        assert 10_000 <= bank_wager_cents(house, rng.randrange, 100_000) <= 30_000
