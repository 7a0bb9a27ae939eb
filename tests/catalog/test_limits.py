"""Other limits for a house: what a supervisor may set."""

import pytest

from openfelt.catalog import CatalogError, load_house
from openfelt.catalog.fingerprints import fingerprint
from openfelt.catalog.limits import WagerLimits, with_limits
from openfelt.rules.wagers import WagerKind

STADIUM = load_house("stadium")


def test_other_limits_are_another_rule_set() -> None:
    quiet = with_limits(STADIUM, {WagerKind.ANTE: WagerLimits(500, 5000)})
    ante, blind, trips = (
        quiet.wager(kind) for kind in (WagerKind.ANTE, WagerKind.BLIND, WagerKind.TRIPS)
    )
    assert ante is not None
    assert (ante.min_cents, ante.max_cents) == (500, 5000)
    assert blind is not None
    assert (blind.min_cents, blind.max_cents) == (500, 5000)
    assert trips == STADIUM.wager(WagerKind.TRIPS)
    assert quiet.fingerprint == fingerprint(quiet) != STADIUM.fingerprint


def test_the_same_limits_are_the_same_rule_set() -> None:
    ante = STADIUM.wager(WagerKind.ANTE)
    assert ante is not None
    same = with_limits(STADIUM, {WagerKind.ANTE: WagerLimits(ante.min_cents, ante.max_cents)})
    assert same == STADIUM


@pytest.mark.parametrize(
    ("kind", "limits", "where"),
    [
        (WagerKind.BLIND, WagerLimits(100, 200), "wagers.blind"),
        (WagerKind.BONUS, WagerLimits(100, 200), "wagers.bonus"),
        (WagerKind.TRIPS, WagerLimits(0, 200), "wagers.trips.min_cents"),
        (WagerKind.TRIPS, WagerLimits(300, 200), "wagers.trips.max_cents"),
        (WagerKind.TRIPS, WagerLimits(150, 200), "wagers.trips"),
    ],
)
def test_limits_that_make_no_sense_are_refused(
    kind: WagerKind, limits: WagerLimits, where: str
) -> None:
    with pytest.raises(CatalogError) as refused:
        with_limits(STADIUM, {kind: limits})
    assert refused.value.where == where
