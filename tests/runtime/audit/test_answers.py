"""Answers from before events named their commands, as an audit finds them."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import Floor, tamper
from tests.kit.repository import ROOT

OLD = ROOT / "tests" / "old_databases" / "v0.1.0" / "felt.db"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A copy of a database whose events do not name their commands."""
    copy = tmp_path / "old.db"
    shutil.copyfile(OLD, copy)
    return copy


def a_wallet(path: Path) -> str:
    """A stream with one old answer."""
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT stream FROM answers WHERE stream LIKE 'wallet/%' AND command = 'welcome'"
        return str(connection.execute(query).fetchone()[0])


def test_unchanged_answers(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        report = audit(store)
        assert report.clean
        assert report.counts.answers == sum(
            1 for stream in store.streams() for _ in store.old_answers(stream)
        )
    assert report.counts.answers > 8
    assert not any("answers" in note for note in report.notes)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("SET actor = 'mallory'", "has no valid actor"),
        ("SET actor = 'dealer:'", "has no valid actor"),
        ("SET actor = 'king:arthur'", "has no valid actor"),
        ("SET command = ''", "cannot be read"),
        ("SET body = '{}'", "cannot be read"),
        ("SET body = 'x'", "cannot be read"),
        ("SET digest = 'x'", "has no valid digest of the command"),
        (f"SET body = '{json.dumps({'version': -1})}'", "names no valid version"),
        (f"SET body = '{json.dumps({'version': 999})}'", "was added later"),
    ],
)
def test_forged_answers(path: Path, statement: str, words: str) -> None:
    wallet = a_wallet(path)
    tamper(path, f"UPDATE answers {statement} WHERE stream = '{wallet}' AND command = 'welcome'")
    with closing(SqliteStore(path)) as store:
        report = audit(store)
    assert [finding.where for finding in report.findings] == [wallet]
    assert words in str(report.findings[0])


def test_an_answer_added_to_a_new_record(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 2)
    floor.store.close()
    tamper(
        floor.path,
        "INSERT INTO answers VALUES ('table/net-1', 'player:net-1-p1', 'next', "
        f"""'{"0" * 64}', '{{"version":3}}')""",
    )
    with closing(SqliteStore(floor.path)) as store:
        report = audit(store)
        assert report.counts.answers > 4
    first, second = report.findings
    assert "The answers of earlier versions have been changed." in str(first)
    assert str(second) == (
        "table/net-1: The answer to player:net-1-p1's command next was added later: events of that "
        "time are answers themselves. Expected: a version up to 0. Found: 3."
    )
