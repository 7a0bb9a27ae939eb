"""Amounts in and out of text, and rounding."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openfelt.money import AMOUNT_MAX_CENTS, format_cents, parse_cents, round_down

AMOUNTS = [
    ("0", 0),
    ("10", 1000),
    ("$10", 1000),
    ("$ 10", 1000),
    (" 10 ", 1000),
    ("2.5", 250),
    ("2.50", 250),
    ("2.05", 205),
    ("0.01", 1),
    ("007", 700),
    ("1,000", 100_000),
    ("1,234,567.89", 123_456_789),
    ("10000000000", AMOUNT_MAX_CENTS),
]


@pytest.mark.parametrize(("text", "cents"), AMOUNTS)
def test_an_amount_is_read(text: str, cents: int) -> None:
    assert parse_cents(text) == cents


NOT_AMOUNTS = [
    "",
    " ",
    "$",
    "ten",
    "-5",
    "+5",
    "1.005",
    "1.",
    ".5",
    "1e3",
    "0x10",
    "1_000",
    "1,00",
    "10,00",
    "1,0000",
    "1.50.2",
    "5 5",
    "5$",
    "NaN",
    "inf",
    "٣",
    "\uff15",
    "½",
    "10\u00a0",
    "10000000000.01",
    "9" * 30,
    "1" * 5000,
]


@pytest.mark.parametrize("text", NOT_AMOUNTS, ids=ascii)
def test_anything_else_is_refused_with_what_was_written(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not an amount such as|is more than any table takes"):
        parse_cents(text)


@settings(deadline=None)
@given(st.integers(0, AMOUNT_MAX_CENTS))
def test_what_is_printed_reads_back(cents: int) -> None:
    assert parse_cents(format_cents(cents)) == cents


@settings(deadline=None)
@given(st.text(max_size=12) | st.from_regex(r"\$?[0-9,.]{0,9}", fullmatch=True))
def test_any_text_is_an_amount_or_refused(text: str) -> None:
    try:
        cents = parse_cents(text)
    except ValueError:
        return
    assert 0 <= cents <= AMOUNT_MAX_CENTS
    assert parse_cents(format_cents(cents)) == cents


@pytest.mark.parametrize(
    ("cents", "text"),
    [(0, "$0.00"), (5, "$0.05"), (-5, "-$0.05"), (123_456, "$1,234.56"), (-100_000, "-$1,000.00")],
)
def test_an_amount_is_printed(cents: int, text: str) -> None:
    assert format_cents(cents) == text


@pytest.mark.clause("R.15")
@pytest.mark.parametrize(
    ("amount", "unit_cents", "rounded"),
    [
        (Fraction(0), 1, 0),
        (Fraction(3, 2), 1, 1),
        (Fraction(1999, 1000), 1, 1),
        (Fraction(750), 1, 750),
        (Fraction(750), 100, 700),
        (Fraction(1575, 2), 50, 750),
        (Fraction(49), 50, 0),
        (Fraction(50), 50, 50),
        (Fraction(10**12) + Fraction(1, 3), 1, 10**12),
    ],
)
def test_rounding_goes_down_to_the_unit(amount: Fraction, unit_cents: int, rounded: int) -> None:
    assert round_down(amount, unit_cents=unit_cents) == rounded


def test_a_negative_amount_is_never_rounded() -> None:
    with pytest.raises(ValueError, match="cannot be rounded down"):
        round_down(Fraction(-1, 2), unit_cents=1)
