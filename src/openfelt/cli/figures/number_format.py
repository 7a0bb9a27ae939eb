"""The format of exact figures: decimals in reports, decimals and fractions in JSON."""

from collections.abc import Mapping
from fractions import Fraction


def percent(part: Fraction | float, digits: int = 4) -> str:
    """A fraction of one as a percentage.

    >>> percent(Fraction(-1, 3)), percent(Fraction(1, 8), 1)
    ('-33.3333%', '12.5%')
    """
    return f"{float(part):.{digits}%}"


def signed(value: Fraction | float, digits: int = 6) -> str:
    """A value with its sign, so that losses stand out.

    >>> signed(Fraction(1, 4)), signed(Fraction(-1, 4), 2)
    ('+0.250000', '-0.25')
    """
    return f"{float(value):+.{digits}f}"


def claim_verdict(claim: str, counted: Fraction) -> str:
    """Whether a printed percentage is the counted figure, rounded to the digits of the claim.

    >>> claim_verdict("0.76%", Fraction(762, 100_000))
    'yes'
    >>> claim_verdict("5.48%", Fraction(54747, 1_000_000))
    'no: it should read 5.47%'
    """
    digits = len(claim.removesuffix("%").partition(".")[2])
    rounded = percent(counted, digits)
    return "yes" if rounded == claim else f"no: it should read {rounded}"


def both(name: str, value: Fraction) -> dict[str, float | str]:
    """A figure in JSON: the decimal under its name, and the exact fraction beside it.

    >>> both("edge", Fraction(1, 8))
    {'edge': 0.125, 'edge_fraction': '1/8'}
    """
    return {name: float(value), f"{name}_fraction": str(value)}


def maybe(name: str, value: Fraction | None) -> dict[str, float | str | None]:
    """The same for a figure that may not exist.

    >>> maybe("meter", None)
    {'meter': None}
    """
    return {name: None} if value is None else {**both(name, value)}


def all_both(values: Mapping[str, Fraction]) -> dict[str, float | str]:
    """The same for several figures.

    >>> all_both({"fold": Fraction(1, 2)})
    {'fold': 0.5, 'fold_fraction': '1/2'}
    """
    figures: dict[str, float | str] = {}
    for name, value in values.items():
        figures |= both(name, value)
    return figures
