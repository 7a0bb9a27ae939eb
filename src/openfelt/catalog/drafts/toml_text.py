"""Rule data written as TOML, in the layout of the files that Openfelt includes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

_LINE_MAX: Final = 80
"""A longer list is written one below the other."""


def toml_text(document: Mapping[str, Any]) -> str:
    """A document as TOML: values first, then tables; rows of a paytable one below the other.

    >>> print(toml_text({"id": "mine", "table": {"seats": 5, "chips_cents": [500, 2500]}}), end="")
    id = "mine"
    <BLANKLINE>
    [table]
    seats = 5
    chips_cents = [500, 2500]
    """
    return "\n".join(_lines(document, ())) + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    inner = {name: value for name, value in table.items() if _is_table(value)}
    tables = {name: value for name, value in table.items() if _is_tables(value, name)}
    for name, value in table.items():
        if name not in inner and name not in tables:
            yield f"{name} = {_value(value)}"
    for name, value in inner.items():
        below = (*path, name)
        if any(not _is_table(part) for part in value.values()) or not value:
            yield from ("", f"[{'.'.join(below)}]")
        yield from _lines(value, below)
    for name, rows in tables.items():
        for row in rows:
            yield from ("", f"[[{'.'.join((*path, name))}]]")
            yield from _lines(row, (*path, name))


def _is_table(value: object) -> bool:
    """A table of its own; a hand or a row of a paytable is written in one line."""
    return isinstance(value, Mapping) and "hand" not in value


def _is_tables(value: object, name: str) -> bool:
    return name != "rows" and isinstance(value, list) and bool(value) and _is_table(value[0])


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        # A basic string of TOML escapes what a string of JSON escapes.
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_value(part)}" for name, part in value.items()) + " }"
    if isinstance(value, Sequence):
        if value and isinstance(value[0], Mapping):
            return "[\n" + "".join(f"  {_value(row)},\n" for row in value) + "]"
        inline = "[" + ", ".join(_value(part) for part in value) + "]"
        if len(inline) <= _LINE_MAX:
            return inline
        return "[\n" + "".join(f"  {_value(part)},\n" for part in value) + "]"
    raise TypeError(f"{value!r} has no place in a file of rules")
