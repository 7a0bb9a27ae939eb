"""Money is a whole number of cents, and every division states how it rounds.

Amounts are plain ``int`` values whose names end in ``_cents``. Nothing here
accepts a float: a cent that goes missing in a rounding error is a chip lost.
"""

import re
from fractions import Fraction

AMOUNT_MAX_CENTS = 10**12
"""The upper bound of any single amount: ten billion dollars."""

_AMOUNT = re.compile(r"\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?", re.ASCII)


def format_cents(amount_cents: int) -> str:
    """Format an amount for people.

    >>> format_cents(123456), format_cents(-50), format_cents(0)
    ('$1,234.56', '-$0.50', '$0.00')
    """
    sign = "-" if amount_cents < 0 else ""
    dollars, cents = divmod(abs(amount_cents), 100)
    return f"{sign}${dollars:,}.{cents:02d}"


def parse_cents(text: str) -> int:
    """Parse an amount in dollars, with or without cents, and return whole cents.

    Raises ValueError for anything else: signs, letters, a third decimal, or an
    amount above ``AMOUNT_MAX_CENTS``.

    >>> parse_cents("10"), parse_cents("$2.50"), parse_cents("1,000")
    (1000, 250, 100000)
    """
    match = _AMOUNT.fullmatch(text.strip())
    if match is None or not text.isascii():
        raise ValueError(f"{text!r} is not an amount such as 10 or 2.50")
    dollars, cents = match.groups()
    if len(dollars) > 15:
        raise ValueError(f"{text!r} is more than any table takes")
    amount_cents = int(dollars.replace(",", "")) * 100 + int((cents or "0").ljust(2, "0"))
    if amount_cents > AMOUNT_MAX_CENTS:
        raise ValueError(f"{text!r} is more than any table takes")
    return amount_cents


def round_down(amount_cents: Fraction, *, unit_cents: int) -> int:
    """Round an exact amount down to a multiple of the house's rounding unit.

    >>> round_down(Fraction(1050, 4), unit_cents=1), round_down(Fraction(375), unit_cents=50)
    (262, 350)
    """
    if amount_cents < 0:
        raise ValueError("a negative amount cannot be rounded down")
    return int(amount_cents // unit_cents) * unit_cents
