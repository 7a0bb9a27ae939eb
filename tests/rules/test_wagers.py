"""Wagers and spots as values."""

import pytest

from openfelt.rules import Beneficiary, Spot, Wager, WagerKind
from openfelt.rules.wagers import stake_cents, total_cents, wager_order
from tests.kit.felt import wagers_of

FELT_NAMES = [
    (WagerKind.ANTE, "Ante"),
    (WagerKind.PLAY, "Play"),
    (WagerKind.BLIND, "Blind"),
    (WagerKind.TRIPS, "Trips"),
    (WagerKind.BAD_BEAT, "Bad Beat"),
    (WagerKind.ULTIMATE_PAIRS, "Ultimate Pairs"),
    (WagerKind.PLAY_THE_BOARD, "Play the Board"),
    (WagerKind.BONUS, "Bonus"),
    (WagerKind.PROGRESSIVE, "Progressive"),
]


def test_every_wager_has_the_name_on_the_felt() -> None:
    assert [(kind, kind.words) for kind in WagerKind] == FELT_NAMES


def test_a_spot_is_written_seat_and_hand() -> None:
    assert str(Spot(12, 3)) == "12.3"
    assert Spot(1, 2) < Spot(2, 1)


WAGERS = wagers_of("ante 10, blind 10, tip ante 5, tip trips 3, trips 2")


@pytest.mark.parametrize(
    ("kind", "beneficiary", "cents"),
    [
        (WagerKind.ANTE, Beneficiary.PLAYER, 1000),
        (WagerKind.ANTE, Beneficiary.DEALER, 500),
        (WagerKind.TRIPS, Beneficiary.PLAYER, 200),
        (WagerKind.TRIPS, Beneficiary.DEALER, 300),
        (WagerKind.BLIND, Beneficiary.DEALER, 0),
        (WagerKind.BONUS, Beneficiary.PLAYER, 0),
    ],
)
def test_a_circle_holds_its_own_wager_only(
    kind: WagerKind, beneficiary: Beneficiary, cents: int
) -> None:
    assert stake_cents(WAGERS, kind, beneficiary) == cents


def test_all_circles_together() -> None:
    assert total_cents(WAGERS) == 3000
    assert total_cents(()) == 0


def test_the_players_wagers_come_before_the_dealers() -> None:
    order = sorted(WAGERS, key=wager_order)
    assert order == list(wagers_of("ante 10, blind 10, trips 2, tip ante 5, tip trips 3"))
    assert Wager(WagerKind.ANTE, 1).beneficiary is Beneficiary.PLAYER
