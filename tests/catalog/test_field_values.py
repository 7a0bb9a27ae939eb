"""Small readings: odds and percentages in words."""

import contextlib
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openfelt.catalog import CatalogError
from openfelt.catalog.field_values import Reader
from openfelt.rules.paytable import Odds

READ = Reader(Path("own.toml"))


@settings(deadline=None)
@given(st.integers(1, 999_999), st.integers(1, 999))
def test_odds_read_back(pays: int, per: int) -> None:
    assert READ.odds("pays", f"{pays} to {per}") == Odds(pays, per)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("0%", Fraction(0)),
        ("10%", Fraction(1, 10)),
        ("100%", Fraction(1)),
        ("0.5%", Fraction(1, 200)),
        ("33.333333%", Fraction(33_333_333, 100_000_000)),
    ],
)
def test_percentages_are_exact(text: str, part: Fraction) -> None:
    assert READ.percent("share", text) == part


@settings(deadline=None)
@given(st.text(max_size=10))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (READ.odds, READ.percent, READ.category):
        with contextlib.suppress(CatalogError):
            assert read("key", text) is not None
