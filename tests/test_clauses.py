"""Every clause of the documents is proved by a test or a golden round, or says why it cannot be."""

import tomllib
from pathlib import Path

import pytest

from openfelt.catalog import load_documents
from tools.clause_coverage import RULINGS_BESIDE, all_proofs, marks_in, page, unproved

DOCUMENTS = load_documents()
CLAUSES = {clause.id: clause for document in DOCUMENTS for clause in document.clauses}


@pytest.mark.parametrize("letter", [document.letter for document in DOCUMENTS])
def test_every_clause_is_proved(letter: str) -> None:
    missing = [one for one in unproved(DOCUMENTS, all_proofs()) if one.startswith(f"{letter}.")]
    assert not missing, f"{len(missing)} clauses are proved by nothing: {', '.join(missing)}"


def test_every_mark_and_citation_names_a_clause() -> None:
    unknown = [f"{one.path}: {one.clause}" for one in all_proofs() if one.clause not in CLAUSES]
    assert not unknown, "\n".join(unknown)


def test_a_clause_that_is_not_software_says_why() -> None:
    empty = [
        clause.id
        for clause in CLAUSES.values()
        if clause.not_software is not None and len(clause.not_software.strip()) < 10
    ]
    assert not empty


def test_a_clause_that_is_not_software_is_not_claimed_by_a_test() -> None:
    claimed = [
        f"{one.path}: {one.clause}" for one in all_proofs() if CLAUSES[one.clause].not_software
    ]
    assert not claimed, "\n".join(claimed)


def test_a_clause_about_the_screen_is_proved_in_a_browser() -> None:
    seen = {one.clause for one in all_proofs() if one.path.startswith("tests/browser/")}
    wanted = {
        clause.id
        for clause in CLAUSES.values()
        if clause.id.startswith("S.screen.") and clause.not_software is None
    }
    assert wanted <= seen, f"no browser test shows {', '.join(sorted(wanted - seen))}"


def test_every_ruling_stands_beside_a_clause() -> None:
    beside = tomllib.loads(RULINGS_BESIDE.read_text(encoding="utf-8"))
    assert set(beside) == {one for one in CLAUSES if one.startswith("R.")}
    assert {clause for clauses in beside.values() for clause in clauses} <= set(CLAUSES)


def test_every_clause_stands_on_the_page() -> None:
    text = page()
    assert all(f"| {clause.id} | {clause.text} |" in text for clause in CLAUSES.values())


SCANNED = """
import pytest

pytestmark = pytest.mark.clause("W.1")
WINS, LOSES = "W.12", "W.13"
CASES: list = [pytest.param(1, marks=[pytest.mark.clause("W.2"), pytest.mark.slow])]
UNUSED = [pytest.param(1, marks=pytest.mark.clause("W.10"))]

@pytest.mark.clause("W.3", "W.4")
def test_one(): ...

@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.clause("W.5"))])
def test_two(n): ...

@pytest.mark.parametrize("n", [case(1, proves=f"{WINS} W.11")])
def test_cases(n): ...

class TestThree:
    pytestmark = [pytest.mark.clause("W.6")]

    @pytest.mark.clause("W.7")
    def test_four(self): ...

@pytest.mark.parametrize("n", [*CASES, 2])
def test_table(n): ...

@pytest.mark.clause("W.8")
def helper(): ...

@pytest.mark.skip
@pytest.mark.clause("W.9")
def test_five(): ...
"""


def test_marks_are_found_wherever_pytest_finds_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tools.clause_coverage.ROOT", tmp_path)
    file = tmp_path / "test_scanned.py"
    file.write_text(SCANNED, encoding="utf-8")
    assert {(one.name, one.clause) for one in marks_in(file)} == {
        ("", "W.1"),
        ("test_table", "W.2"),
        ("test_one", "W.3"),
        ("test_one", "W.4"),
        ("test_two", "W.5"),
        ("test_cases", "W.12"),
        ("test_cases", "W.11"),
        ("TestThree", "W.6"),
        ("TestThree.test_four", "W.7"),
    }


def test_a_mark_that_cannot_be_read_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tools.clause_coverage.ROOT", tmp_path)
    file = tmp_path / "test_scanned.py"
    file.write_text("@pytest.mark.clause(WHICH)\ndef test_one(): ...\n", encoding="utf-8")
    with pytest.raises(ValueError, match="plain text"):
        list(marks_in(file))
