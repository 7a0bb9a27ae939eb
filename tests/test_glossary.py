"""One word, one meaning: names are shared only where the glossary allows it."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.kit.repository import ROOT

PAGE = (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "src" / "openfelt"

ROW = re.compile(r"^\| `(\w+)` \| ((?:`[\w/.]+`(?:, )?)+) \| .+ \|$", re.MULTILINE)
PATH = re.compile(r"`([\w/.]+)`")

MIRRORS = {"protocol/table_views.py", "protocol/messages.py", "protocol/replay.py"}
"""A message has the name of the command, event or view that it carries."""


def section(title: str) -> str:
    """The part of the page under a heading."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"the glossary has no section {title}"
    return found[1]


def allowed(title: str) -> dict[str, list[str]]:
    """The names that a table of the page allows, each with the files that share it."""
    return {name: sorted(PATH.findall(paths)) for name, paths in ROW.findall(section(title))}


def shared(named: dict[str, set[str]]) -> dict[str, list[str]]:
    """The names that stand for more than one thing."""
    return {name: sorted(paths) for name, paths in named.items() if len(paths) > 1}


def inside(path: Path) -> str:
    """A path as the page writes it."""
    return path.relative_to(PACKAGE).as_posix()


def test_modules_share_a_name_only_where_the_glossary_allows_it() -> None:
    named = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        if path.stem not in {"__init__", "__main__"}:
            named[path.stem].add(inside(path))
    assert shared(named) == allowed("Modules of the same name")


def test_packages_share_a_name_only_where_the_glossary_allows_it() -> None:
    named = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        if path.stem == "__init__" and path.parent != PACKAGE:
            named[path.parent.name].add(f"{inside(path.parent)}/")
        elif path.stem not in {"__init__", "__main__", path.parent.name}:
            named[path.stem].add(inside(path))
    packages = {
        name: paths
        for name, paths in shared(named).items()
        if any(path.endswith("/") for path in paths)
    }
    assert packages == allowed("Packages that share a name")


def test_public_classes_share_a_name_only_where_the_glossary_allows_it() -> None:
    named = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        if inside(path) in MIRRORS:
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                named[node.name].add(inside(path))
    assert shared(named) == allowed("Classes of the same name")


@pytest.mark.parametrize(
    "title", ["Modules of the same name", "Packages that share a name", "Classes of the same name"]
)
def test_the_tables_are_read_whole(title: str) -> None:
    rows = [line for line in section(title).splitlines() if line.startswith("| `")]
    assert len(rows) == len(allowed(title))


def test_every_word_is_defined_once() -> None:
    words = re.findall(r"^\| \*\*([^*]+)\*\* \|", section("Words"), re.MULTILINE)
    assert len(words) == len({word.lower() for word in words}) > 0
    assert words == sorted(words, key=str.lower)
