"""The files of an export: one for each table, as CSV, JSON lines or Parquet."""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Protocol

from openfelt.runtime.exports.export_rows import Columns, Value

ROWS_AT_ONCE: Final = 10_000
"""How many rows a group of a Parquet file has."""
_FORMULA: Final = re.compile("(^|[;\t\r\n])(?=[=+@\t\r\n\uff1d\uff0b\uff0d\uff20-])")
"""Where a text begins that a spreadsheet would run: at its start, also in full-width characters, or
after a character that divides cells elsewhere, such as the semicolon in many languages."""


class ExportFormat(StrEnum):
    """The format of an export's files."""

    CSV = "csv"
    JSON = "json"
    """One object in each line."""
    PARQUET = "parquet"

    @property
    def suffix(self) -> str:
        """The suffix of its files."""
        return ".jsonl" if self is ExportFormat.JSON else f".{self.value}"


class FormatMissing(Exception):
    """A format needs a package that is not installed."""


class _Writer(Protocol):
    def write(self, row: dict[str, Value]) -> None: ...


def check_format(form: ExportFormat) -> None:
    """Raise FormatMissing if a format cannot be written here."""
    if form is ExportFormat.PARQUET:
        _parquet()


def write_rows(
    path: Path, form: ExportFormat, columns: Columns, rows: Iterable[dict[str, Value]]
) -> int:
    """Write a file; returns the number of its rows. Raises OSError, or FormatMissing."""
    opened = {
        ExportFormat.CSV: _csv,
        ExportFormat.JSON: _json_lines,
        ExportFormat.PARQUET: _parquet_groups,
    }[form]
    count = 0
    with opened(path, columns) as writer:
        for row in rows:
            writer.write(row)
            count += 1
    return count


class _CsvRows:
    def __init__(self, file: Any, columns: Columns) -> None:
        self._writer = csv.DictWriter(file, list(columns))
        self._writer.writeheader()

    def write(self, row: dict[str, Value]) -> None:
        self._writer.writerow({name: plain_cell(value) for name, value in row.items()})


def plain_cell(value: Value) -> Value:
    """A cell of CSV that no spreadsheet takes for a formula.

    >>> plain_cell("=1+1"), plain_cell("void;=1+1"), plain_cell("void"), plain_cell(-5)
    ("'=1+1", "void;'=1+1", 'void', -5)
    """
    return _FORMULA.sub(r"\1'", value) if isinstance(value, str) else value


@contextmanager
def _csv(path: Path, columns: Columns) -> Iterator[_Writer]:
    with path.open("w", encoding="utf-8", newline="") as file:
        yield _CsvRows(file, columns)


class _JsonRows:
    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, row: dict[str, Value]) -> None:
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")


@contextmanager
def _json_lines(path: Path, _: Columns) -> Iterator[_Writer]:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        yield _JsonRows(file)


class _ParquetRows:
    """Gathers rows into groups."""

    def __init__(self, arrow: Any, writer: Any, schema: Any) -> None:
        self._arrow = arrow
        self._writer = writer
        self._schema = schema
        self._rows: list[dict[str, Value]] = []

    def write(self, row: dict[str, Value]) -> None:
        self._rows.append(row)
        if len(self._rows) >= ROWS_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, self._schema))
            self._rows = []


@contextmanager
def _parquet_groups(path: Path, columns: Columns) -> Iterator[_Writer]:
    arrow, parquet = _parquet()
    kinds = {int: arrow.int64(), str: arrow.string()}
    schema = arrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
    with parquet.ParquetWriter(path, schema) as writer:
        rows = _ParquetRows(arrow, writer, schema)
        yield rows
        rows.flush()


def _parquet() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise FormatMissing(
            "Parquet needs the package pyarrow, which is not installed. Install it with: "
            "pip install 'openfelt[parquet]'"
        ) from error
    return pa, parquet
