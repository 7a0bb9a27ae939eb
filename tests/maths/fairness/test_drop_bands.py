"""Bands of win to drop: the formula on figures worked out by hand, and how often they are left."""

import random
from fractions import Fraction
from math import isclose, sqrt

from openfelt.ledger.takings import Takings
from openfelt.maths.fairness.drop_bands import DAYS_MIN, drop_band, drop_days


def day(win_cents: int, drop_cents: int) -> Takings:
    """The takings of a day."""
    return Takings(drop_cents=drop_cents, win_cents=win_cents)


def test_the_band_by_hand() -> None:
    # Half of the days win 30 and half 10 of a drop of 100: a share of one fifth, and e = 10.
    band = drop_band([day(30, 100), day(10, 100)] * 15)
    assert band is not None
    assert (band.share, band.drop_cents, band.days) == (Fraction(1, 5), 3000, 30)
    assert isclose(band.variance, 30 * (10**2 / 100) / 29)
    low, high = band.around(200, 20)
    assert isclose(
        high - low, 2 * 1.959964 * sqrt(band.variance * (1 / 200 + 1 / 3000)), rel_tol=1e-6
    )
    assert isclose((low + high) / 2, 0.2)


def test_too_few_days_make_no_band() -> None:
    assert drop_band([day(30, 100)] * (DAYS_MIN - 1)) is None
    # Days on which no player bought chips are not counted, but their win is.
    quiet = [day(7, 0)] * 40
    assert drop_band([*quiet, *[day(30, 100)] * (DAYS_MIN - 1)]) is None
    assert sum(one.win_cents for one in drop_days([*quiet, day(30, 100)])) == 310
    assert drop_days(quiet) == []


def test_chance_leaves_the_band_as_often_as_it_says() -> None:
    dice = random.Random(20_260_101)

    def played() -> Takings:
        drop_cents = dice.randint(50_000, 500_000)
        win_cents = round(drop_cents * 0.2 + dice.gauss(0, 200) * sqrt(drop_cents))
        return day(win_cents, drop_cents)

    tried, outside = 2_000, 0
    for _ in range(tried):
        band, now = drop_band([played() for _ in range(60)]), played()
        assert band is not None
        low, high = band.around(now.drop_cents, 20)
        outside += not low <= now.win_cents / now.drop_cents <= high
    # One in twenty; 60 days estimate the variance a little too low now and then.
    assert 70 <= outside <= 140
