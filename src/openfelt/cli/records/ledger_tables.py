"""Tables of money for the command line: words on the left, amounts on the right."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from openfelt.money import format_cents

if TYPE_CHECKING:
    from rich.table import Table

WIDE = 400
"""Columns of a console for amounts. Nothing is cut off: a line that is too long for the
terminal goes on below."""

Row = Sequence[str | int]
"""Cells of a row; whole numbers are cents."""


def money_table(heads: Sequence[str], rows: Iterable[Row], *, title: str | None = None) -> "Table":
    """A table whose amounts are written in dollars, below each other."""
    from rich.table import Table

    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
        padding=(0, 2, 0, 0),
        header_style="dim",
    )
    every = list(rows)
    for at, head in enumerate(heads):
        amounts = any(isinstance(row[at], int) for row in every)
        table.add_column(head, justify="right" if amounts else "left", no_wrap=True)
    for row in every:
        table.add_row(*(format_cents(one) if isinstance(one, int) else one for one in row))
    return table
