"""Tables of money for the command line: words on the left, amounts on the right."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from openfelt.money import format_cents

if TYPE_CHECKING:
    from rich.table import Table

WIDE = 400
"""The width of a console for amounts. Nothing is cut off: the terminal wraps long lines."""

Row = Sequence[str | int]
"""The cells of a row; integers are cents."""


def money_table(heads: Sequence[str], rows: Iterable[Row], *, title: str | None = None) -> "Table":
    """A table with amounts in dollars, right-aligned."""
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
    all_rows = list(rows)
    for column, head in enumerate(heads):
        amounts = any(isinstance(row[column], int) for row in all_rows)
        table.add_column(head, justify="right" if amounts else "left", no_wrap=True)
    for row in all_rows:
        table.add_row(*(format_cents(cell) if isinstance(cell, int) else cell for cell in row))
    return table
