"""The exact figures of a par sheet by section and row, to compare them with the library's."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from openfelt.cli.par_sheets.sheet import ParSheet, Section

Cells = dict[tuple[str, str], Fraction]
"""By the title of a section and the name of a row."""
VARIANCE = "variance"
EXACTLY = re.compile(r"exactly (-?\d+(?:/\d+)?)")


def cells_of(sheet: ParSheet) -> Cells:
    """Every exact figure of the tables and sentences of a sheet, each once."""
    cells: Cells = {}
    for part in sheet.sections:
        for name, value in _cells(part):
            assert (part.title, name) not in cells, "a figure is named twice"
            cells[part.title, name] = value
    return cells


def _cells(part: Section) -> Iterator[tuple[str, Fraction]]:
    for sentence in part.sentences:
        for fraction in EXACTLY.findall(sentence):
            yield VARIANCE, Fraction(fraction)
    if "exactly" in part.columns:
        decimal, exact = part.columns.index("decimal"), part.columns.index("exactly")
        for row in part.rows:
            value = Fraction(row[exact])
            assert row[decimal] == f"{float(value):.10f}"
            yield row[0], value
    if part.awards is not None:
        *lines, last = part.rows
        deals = [int(row[1].replace(",", "")) for row in lines]
        assert int(last[1].replace(",", "")) == sum(deals)
        for row, count in zip(lines, deals, strict=True):
            yield f"{row[0]} {row[3]}", Fraction(count, sum(deals))


def ends(nets: Mapping[Fraction, Fraction]) -> dict[str, Fraction]:
    """How often a round ends ahead, even and behind, from the chances of its net results."""
    return {
        "Rounds won (hit frequency)": sum((p for net, p in nets.items() if net > 0), Fraction(0)),
        "Rounds even": nets.get(Fraction(0), Fraction(0)),
        "Rounds lost": sum((p for net, p in nets.items() if net < 0), Fraction(0)),
    }


def signed_nets(nets: Mapping[Fraction, Fraction]) -> dict[str, Fraction]:
    """The chances of net results by the name of their rows."""
    return {f"{float(net):+.2f} {net}": share for net, share in nets.items()}


def titled(title: str, figures: Mapping[str, Fraction]) -> Cells:
    """The figures of one section."""
    return {(title, name): value for name, value in figures.items()}
