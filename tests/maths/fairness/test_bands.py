"""Bands of return: exact variances, rare awards, and runs that stay within at the stated rate."""

from functools import cache
from math import sqrt
from random import Random
from statistics import NormalDist

import pytest

from openfelt.catalog import load_catalog
from openfelt.maths.fairness.bands import CONFIDENCE, Spread, WagerOdds
from openfelt.maths.wagers.side_bet_figures import SideBet, price_trips
from openfelt.rules.paytable import HandPaytable


@cache
def trips() -> SideBet:
    """Trips by its first paytable. Hands are counted for it, so not before a test asks."""
    table = load_catalog().paytables["trips", "UTH-01"]
    assert isinstance(table, HandPaytable)
    return price_trips(table)


@cache
def odds() -> WagerOdds:
    return WagerOdds.of(trips())


def run(random: Random, rounds: int) -> tuple[Spread, int]:
    """The spread and the result of a run of Trips at a unit of $1."""
    awards = random.choices(
        [award.net for award in trips().awards], [award.deals for award in trips().awards], k=rounds
    )
    spread = Spread()
    for _ in range(rounds):
        spread.add_round(odds(), [100])
    return spread, -sum(int(100 * net) for net in awards)


def test_the_variance_is_that_of_the_paytable() -> None:
    spread = Spread()
    for _ in range(50):
        spread.add_round(odds(), [100])
    assert spread.expected_cents == pytest.approx(50 * 100 * float(trips().house_advantage))
    assert spread.variance == pytest.approx(50 * 100**2 * float(trips().variance))


def test_hands_of_one_round_may_move_together() -> None:
    together, apart = Spread(), Spread()
    together.add_round(odds(), [100, 100])
    apart.add_round(odds(), [100])
    apart.add_round(odds(), [100])
    assert together.variance == pytest.approx(2 * apart.variance)


def test_without_rare_awards_the_band_is_that_of_the_normal_distribution() -> None:
    spread = Spread(expected_cents=10, variance=400.0)
    reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * 20
    assert spread.reach_cents() == pytest.approx(reach, rel=1e-6)
    assert spread.p_value(10) == 1
    assert spread.p_value(round(10 + reach)) == pytest.approx(1 - CONFIDENCE, rel=0.1)
    assert spread.p_value(-50, low_only=True) == pytest.approx(NormalDist().cdf(-3))
    assert spread.p_value(70, low_only=True) > 0.99


@pytest.mark.parametrize("rounds", [100, 1500])
def test_runs_stay_within_their_band(rounds: int) -> None:
    """Of 400 honest runs about one is outside, and a band without the rare awards fails more."""
    random, outside, spread = Random(rounds), 0, Spread()
    for _ in range(400):
        spread, won = run(random, rounds)
        outside += spread.p_value(won) < 1 - CONFIDENCE
    assert outside <= 6
    # The band is not wider than it has to be.
    assert spread.reach_cents() < 12 * sqrt(spread.variance)


def test_nothing_is_said_of_nothing() -> None:
    assert Spread().p_value(5) == 1
