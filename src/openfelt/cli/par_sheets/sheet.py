"""A par sheet as data: sections of sentences and tables, the same for every format."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final

from openfelt.cli.figures.number_format import percent, signed

CONFIDENCES: Final = {"90%": 1.6448536269514722, "95%": 1.959963984540054, "99%": 2.5758293035489}
"""By confidence, the normal quantile of a two-sided interval."""
ROUNDS: Final = tuple(10**power for power in range(3, 9))
"""The numbers of rounds that confidence bands are given for."""


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the sheet: sentences, and a table below them if it has columns."""

    title: str
    sentences: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ParSheet:
    """The whole document."""

    title: str
    sections: tuple[Section, ...]


def exact_rows(figures: Sequence[tuple[str, Fraction]]) -> tuple[tuple[str, ...], ...]:
    """Rows of a name, a decimal and the exact fraction."""
    return tuple((name, f"{float(value):.10f}", str(value)) for name, value in figures)


def award_section(title: str, awards: Sequence[tuple[str, int, Fraction]], *, unit: str) -> Section:
    """Every result with its deals, chance, net and contribution; a last row adds them up.

    The contributions add up to the expected result exactly; they are rounded only here.
    """
    total = sum(deals for _, deals, _ in awards)
    rows = [
        (
            label,
            f"{deals:,}",
            f"{float(Fraction(deals, total)):.10%}",
            str(net),
            signed(net * Fraction(deals, total), 10),
        )
        for label, deals, net in awards
    ]
    mean = sum((net * deals for _, deals, net in awards), Fraction(0)) / total
    rows.append(("Total", f"{total:,}", "100%", "", signed(mean, 10)))
    columns = ("result", "deals", "chance", f"net, in {unit}", "contribution")
    return Section(title, (), columns, tuple(rows))


def spread_section(title: str, variance: Fraction, mean: Fraction, *, unit: str) -> Section:
    """Variance, standard deviation, volatility indices, and bands of return by rounds."""
    deviation = sqrt(variance)
    rows: list[tuple[str, ...]] = []
    for rounds in ROUNDS:
        bands = []
        for quantile in CONFIDENCES.values():
            width = quantile * deviation / sqrt(rounds)
            bands.append(f"{percent(1 + mean - width)} to {percent(1 + mean + width)}")
        rows.append((f"{rounds:,}", *bands))
    indices = ", ".join(f"{q * deviation:.6f} at {name}" for name, q in CONFIDENCES.items())
    sentences = (
        f"The variance of one {unit} is {float(variance):.10f}, exactly {variance}.",
        f"The standard deviation is {deviation:.10f}.",
        (
            "The volatility index, the standard deviation times the normal quantile of a two-sided "
            f"interval, is {indices}."
        ),
        (
            f"The return for each {unit}, stake included, lies between these bounds, by the normal "
            "approximation:"
        ),
    )
    return Section(title, sentences, ("rounds", *CONFIDENCES), tuple(rows))
