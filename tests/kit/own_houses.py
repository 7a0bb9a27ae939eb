"""Houses of the tests' own: a built-in one with some keys changed, read by the real loader."""

import json
import re
import tempfile
import tomllib
from collections.abc import Mapping
from copy import deepcopy
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import openfelt.catalog
from openfelt.catalog import CatalogError, load_catalog, load_house
from openfelt.catalog.houses import read_house
from openfelt.catalog.paytables import read_paytables
from openfelt.rules.house import House

CATALOG = Path(openfelt.catalog.__file__).parent
REMOVED = object()
"""A change to this value takes the key away."""

OWN_DECKS: dict[str, Any] = {
    "table.deck": "per_terminal",
    "table.procedure": "terminals",
    "table.procedures": ["terminals"],
}
"""A deck for each terminal, as hold'em is dealt then (S.4)."""

Changes = Mapping[str, Any]
"""New values by dotted key, such as ``{"wagers.ante.max_cents": 5000}``."""


@cache
def _built_in(base: str) -> dict[str, Any]:
    return tomllib.loads((CATALOG / "houses" / f"{base}.toml").read_text(encoding="utf-8"))


def house_document(base: str, changes: Changes | None = None) -> dict[str, Any]:
    """The content of a built-in house's file with some keys changed."""
    document = deepcopy(_built_in(base))
    for key, value in (changes or {}).items():
        *path, last = key.split(".")
        table: Any = document
        for name in path:
            table = table[int(name)] if isinstance(table, list) else table.setdefault(name, {})
        at: Any = int(last) if isinstance(table, list) else last
        if value is REMOVED:
            del table[at]
        else:
            table[at] = value
    return document


def toml_text(document: Mapping[str, Any]) -> str:
    """The document as TOML, every table of it inline."""
    return "".join(f"{key} = {_inline(value)}\n" for key, value in document.items())


def _inline(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case date():
            return value.isoformat()
        case list() | tuple():
            return f"[{', '.join(map(_inline, value))}]"
        case dict():
            return "{" + ", ".join(f"{key} = {_inline(one)}" for key, one in value.items()) + "}"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return repr(value)


def own_house(
    base: str,
    changes: Changes | None = None,
    *,
    paytables: str = "",
    names_departures: bool = True,
) -> House:
    """A built-in house with some keys changed, and perhaps with its own paytables (TOML).

    Where the changes depart from its document, it names these departures unless told otherwise.
    """
    if not changes and not paytables:
        return load_house(base)
    if not names_departures:
        return _read(base, changes or {}, paytables)
    departures: list[dict[str, str]] = []
    while True:
        named = {"departures": departures} if departures else {}
        try:
            return _read(base, {**(changes or {}), **named}, paytables)
        except CatalogError as error:
            clause = re.match(r"departs from ([\w.]+),", error.problem)
            if clause is None:
                raise
            departures.append({"clause": clause[1], "reason": "a test"})


def _read(base: str, changes: Changes, paytables: str) -> House:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "own.toml"
        file.write_text(toml_text(house_document(base, changes)), encoding="utf-8")
        known = dict(load_catalog().paytables)
        if paytables:
            own = Path(folder) / "paytables.toml"
            own.write_text(paytables, encoding="utf-8")
            known |= read_paytables([own])
        return read_house(file, known)
