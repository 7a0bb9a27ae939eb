"""The design page tells the truth about the tree: every package has its table of modules."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.repository import ROOT

PAGE = (ROOT / "docs" / "internals" / "design.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "src" / "openfelt"
WEB = ROOT / "web" / "src"

MODULES_MAX = 15
"""A folder with more modules wants rooms, or a reason on the design page."""
LINES_MAX = 500

TABLE = re.compile(
    r"^\| module of `src/(openfelt/[\w/]*)` \| what it holds \|\n\|---\|---\|\n((?:\|.*\n)+)",
    re.MULTILINE,
)
MODULE = re.compile(r"`(\w+)\.py`")
LARGE_FOLDER = re.compile(r"^\| `((?:src|web)/[\w/]+)/` \| (.+) \|$", re.MULTILINE)


def packages() -> Iterator[Path]:
    """Every folder of the source that holds Python modules."""
    for path in sorted(PACKAGE.rglob("__init__.py")):
        if path.parent != PACKAGE and modules_of(path.parent):
            yield path.parent


def modules_of(folder: Path) -> set[str]:
    """The modules of a folder, without the package's own file."""
    return {path.stem for path in folder.glob("*.py")} - {"__init__", "__main__"}


def large_folders() -> dict[str, int]:
    """The folders of program and web with many modules, and how many each of them has."""
    counts = {path: len(modules_of(path)) for path in packages()}
    for path in (WEB, *WEB.rglob("*")):
        if path.is_dir():
            sources = [*path.glob("*.ts"), *path.glob("*.svelte")]
            counts[path] = sum(not file.name.endswith(".test.ts") for file in sources)
    return {
        path.relative_to(ROOT).as_posix(): count
        for path, count in counts.items()
        if count > MODULES_MAX
    }


def tables() -> dict[str, list[str]]:
    """The modules that the tables of the design page name, by folder."""
    return {
        folder.rstrip("/"): [
            module for row in rows.splitlines() for module in MODULE.findall(row.split("|")[1])
        ]
        for folder, rows in TABLE.findall(PAGE)
    }


@pytest.mark.parametrize("folder", list(packages()), ids=lambda path: path.name)
def test_every_package_has_a_table_of_its_modules(folder: Path) -> None:
    name = folder.relative_to(PACKAGE.parent).as_posix()
    named = tables().get(name)
    assert named is not None, f"the design page has no table for src/{name}/"
    assert sorted(named) == sorted(modules_of(folder))


def test_no_table_is_about_a_folder_that_is_gone() -> None:
    there = {path.relative_to(PACKAGE.parent).as_posix() for path in packages()}
    assert set(tables()) <= there


def test_large_folders_have_a_reason() -> None:
    reasons = dict(LARGE_FOLDER.findall(PAGE))
    assert set(reasons) == set(large_folders())


def test_no_module_is_longer_than_its_limit() -> None:
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in PACKAGE.rglob("*.py")
    }
    assert {path: lines for path, lines in lengths.items() if lines > LINES_MAX} == {}
