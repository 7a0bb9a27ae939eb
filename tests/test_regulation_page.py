"""The regulators' checklist: every item says whether it is met, and names tests that exist."""

import re

from tests.kit.repository import ROOT

PAGE = ROOT / "docs" / "reference" / "regulation.md"
ROW = re.compile(r"^\| (.+) \| (.+) \| (.+) \| (.+) \| (.+) \|$", re.MULTILINE)
TESTS = re.compile(r"`(tests/[\w./]+\.py)`")
ITEMS = [
    row for row in ROW.findall(PAGE.read_text("utf-8")) if row[0] != "asked" and set(row[0]) - {"-"}
]


def test_every_item_says_whether_it_is_met() -> None:
    assert len(ITEMS) > 40
    assert {row[2] for row in ITEMS} <= {"met", "partly", "not met"}


def test_every_item_names_tests_that_exist() -> None:
    assert [row[0] for row in ITEMS if not TESTS.search(row[4])] == []
    named = {path for row in ITEMS for path in TESTS.findall(row[4])}
    assert [path for path in sorted(named) if not (ROOT / path).is_file()] == []
