"""Every generated file: written by ``make docs``, compared by ``make check``.

``python -m tools.generated`` writes all of them; with ``--check`` it writes nothing, names
those that are stale, and exits with 1 where there are any.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from openfelt.catalog import load_catalog
from openfelt.catalog.reference import PAGES
from openfelt.cli.figures.side_bet_report import page as side_bet_figures
from openfelt.protocol.asyncapi import asyncapi_file
from openfelt.protocol.typescript import forms_file, messages_file
from openfelt.server.app import make_app
from openfelt.server.settings import Settings
from tools import clause_coverage, permission_page, terminal_words
from tools.building import ROOT, building_svg, way_of_a_bet
from tools.module_tables import module_tables

_REFERENCE: Final = Path("docs/reference")


def _catalog_page(name: str) -> str:
    return PAGES[name](load_catalog()).rstrip("\n") + "\n"


def _openapi_file() -> str:
    app = make_app(Settings(database="sqlite:///openfelt.db"))
    return json.dumps(app.openapi(), indent=2) + "\n"


FILES: Final[dict[Path, Callable[[], str]]] = {
    **{_REFERENCE / name: partial(_catalog_page, name) for name in PAGES},
    _REFERENCE / "figures.md": side_bet_figures,
    _REFERENCE / "clauses.md": clause_coverage.page,
    _REFERENCE / "permissions.md": permission_page.page,
    _REFERENCE / "asyncapi.json": asyncapi_file,
    _REFERENCE / "openapi.json": _openapi_file,
    Path("docs/images/building.svg"): building_svg,
    Path("web/src/protocol/messages.ts"): messages_file,
    Path("web/src/protocol/forms.ts"): forms_file,
    Path("web/src/words/vocabulary.example.json"): terminal_words.text,
}
"""Files that are generated as a whole, relative to the root of the repository."""

SECTIONS: Final[dict[tuple[Path, str], Callable[[], str]]] = {
    (Path("docs/internals/design.md"), "modules"): module_tables,
    (Path("docs/internals/design.md"), "way of a bet"): way_of_a_bet,
}
"""Sections of pages that are otherwise written by hand, between two comments of that name."""


def current(path: Path) -> str:
    """What a generated file should contain now."""
    if path in FILES:
        return FILES[path]()
    text = (ROOT / path).read_text(encoding="utf-8")
    for (page, name), write in SECTIONS.items():
        if page == path:
            text = _with_section(text, name, write())
    return text


def _with_section(text: str, name: str, section: str) -> str:
    begin, end = f"<!-- generated: {name} -->\n", f"<!-- end of {name} -->\n"
    before, found_begin, rest = text.partition(begin)
    _, found_end, after = rest.partition(end)
    if not found_begin or not found_end:
        raise ValueError(f"There is no section {name!r} between its two comments.")
    return f"{before}{begin}\n{section}\n{end}{after}"


def paths() -> Iterator[Path]:
    """Every file that is generated, in whole or in part."""
    yield from FILES
    yield from dict.fromkeys(page for page, _ in SECTIONS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or with ``--check`` compare them; 1 where some are stale."""
    parser = argparse.ArgumentParser(prog="python -m tools.generated", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    options = parser.parse_args(arguments)
    stale = 0
    for path in paths():
        file, text = ROOT / path, current(path)
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            continue
        if options.check:
            sys.stderr.write(f"{path} is stale. Run: make docs\n")
            stale = 1
        else:
            file.write_text(text, encoding="utf-8")
            sys.stdout.write(f"Wrote {path}.\n")
    return stale


if __name__ == "__main__":
    raise SystemExit(main())
