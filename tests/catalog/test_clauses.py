"""The clauses and which of them rules an outcome."""

from pathlib import Path

import pytest

from openfelt.catalog import CatalogError, load_documents
from openfelt.catalog.clauses import LOST_FACE_DOWN, _read, clauses_for
from openfelt.rules.house import GameName
from tests.kit.own_houses import toml_text

HOLDEM, DRAW = GameName.ULTIMATE_HOLDEM, GameName.ULTIMATE_DRAW


@pytest.mark.parametrize(
    ("document", "game", "outcome", "clause"),
    [
        ("W", HOLDEM, "ante.win", "W.11a"),
        ("W", HOLDEM, "community_first:ante.win", "W.ace.13a"),
        ("W", HOLDEM, "ante.fold", "R.2"),
        ("W", HOLDEM, "void", "W.irregularities"),
        ("O", HOLDEM, "ante.win", "O.9a"),
        ("O", HOLDEM, "blind.push", "O.9.note"),
        ("C", HOLDEM, "uncovered", "C.betting.4"),
        ("C", HOLDEM, "void", "R.13"),
        ("S", HOLDEM, "bad_beat.tie", "R.6"),
        ("D", DRAW, "ante.tie", "R.25"),
        ("D", DRAW, "ante.not_qualified", "D.10"),
    ],
)
def test_an_outcome_is_ruled_by_the_document_or_else_by_a_ruling(
    document: str, game: GameName, outcome: str, clause: str
) -> None:
    assert clauses_for(document, game)[outcome] == clause


@pytest.mark.clause("C.6.1", "R.3")
def test_only_a_house_that_leaves_folds_face_down_has_clauses_for_them() -> None:
    assert not LOST_FACE_DOWN & clauses_for("C", HOLDEM).keys()
    clauses = clauses_for("C", HOLDEM, folds_face_down=True)
    assert clauses.keys() >= LOST_FACE_DOWN
    assert (clauses["trips.fold"], clauses["bad_beat.fold"]) == ("C.6.1", "R.3")


def test_a_ruling_for_ultimate_draw_stays_there() -> None:
    assert "ante.tie" not in clauses_for("D", HOLDEM)
    assert clauses_for("W", HOLDEM)["ante.not_qualified"] == "W.12"


def test_every_document_has_clauses_with_ids_of_its_own() -> None:
    documents = load_documents()
    ids = [clause.id for document in documents for clause in document.clauses]
    assert len(ids) == len(set(ids))
    for document in documents:
        assert document.title
        assert all(clause.id.startswith(f"{document.letter}.") for clause in document.clauses)
        assert all(clause.text.endswith(".") for clause in document.clauses)


@pytest.mark.parametrize(
    ("ids", "procedure", "where"),
    [
        (["X.1", "X.1"], None, "clause[1].id"),
        (["Y.1"], None, "clause[0].id"),
        (["X.1"], "thrown", "clause[0].procedure"),
    ],
)
def test_a_broken_clause_file_is_refused(
    tmp_path: Path, ids: list[str], procedure: str | None, where: str
) -> None:
    extra = {"procedure": procedure} if procedure else {}
    clauses = [{"id": one, "text": "Words."} | extra for one in ids]
    file = tmp_path / "X.toml"
    file.write_text(toml_text({"document": "X", "title": "T", "version": 1, "clause": clauses}))
    with pytest.raises(CatalogError) as refused:
        _read(file)
    assert refused.value.where == where
