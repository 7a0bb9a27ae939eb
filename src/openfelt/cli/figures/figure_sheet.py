"""A printed table of names on the left and figures on the right."""

from rich.table import Table


def figure_sheet(*columns: str) -> Table:
    """An empty sheet with these columns of figures; by default, with one column without a name."""
    sheet = Table(box=None, pad_edge=False, show_header=bool(columns))
    sheet.add_column()
    for name in columns or ("",):
        sheet.add_column(name, justify="right")
    return sheet
