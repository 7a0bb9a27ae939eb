"""Pages of the documentation, taken apart."""

import re
from functools import cache
from pathlib import Path

from tests.kit.repository import ROOT

DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)


@cache
def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def prose(page: Path) -> str:
    """The page without its fenced blocks."""
    return FENCE.sub("", read(page))


def sections(page: Path) -> dict[str, str]:
    """The text below each heading, without its fenced blocks, up to the next heading."""
    text = prose(page)
    found = list(HEADING.finditer(text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    return {match[2]: text[match.end() : end] for match, end in zip(found, ends, strict=True)}


def rows(text: str) -> list[list[str]]:
    """The rows of the tables in a text, without their heads, code marks taken off."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in lines]
    rules = {n for n, row in enumerate(cells) if set("".join(row)) == {"-"}}
    return [row for n, row in enumerate(cells) if not {n, n + 1} & rules]
