"""The page of security names tests that exist, and every attack that is tested."""

import re

from tests.kit.repository import ROOT

PAGE = ROOT / "docs" / "internals" / "security.md"
ROW = re.compile(r"^\| (.+) \| (.+) \|$", re.MULTILINE)
NO_TEST = "not a matter of this program"


def test_every_test_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`(tests/[\w./]+\.py)`", PAGE.read_text("utf-8")))
    assert named
    assert [path for path in sorted(named) if not (ROOT / path).is_file()] == []


def test_every_attack_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    files = sorted((ROOT / "tests" / "attacks").glob("test_*.py"))
    assert [file.name for file in files if f"`tests/attacks/{file.name}`" not in page] == []


def test_every_line_names_its_test() -> None:
    rows = [row for row in ROW.findall(PAGE.read_text("utf-8")) if set(row[0]) - set("- ")]
    told = [(claim, test) for claim, test in rows if test != "test"]
    assert len(told) > 40
    wrong = [claim for claim, test in told if not test.startswith("`tests/") and test != NO_TEST]
    assert wrong == []
