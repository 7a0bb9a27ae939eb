"""Answers to commands, as an audit finds them."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import Floor, tamper


@pytest.fixture
def path(tmp_path: Path) -> Path:
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 2)
    floor.cashier.withdraw("net-1-p1", 10**9, id="too-much")
    floor.store.close()
    return floor.path


def test_unchanged_answers(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        report = audit(store)
        assert report.clean
        assert report.counts.answers == sum(
            1 for stream in store.streams() for _ in store.answers_of(stream)
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
        (
            f"SET body = '{json.dumps({'version': 999})}'",
            "names a version that the stream does not",
        ),
    ],
)
def test_forged_answers(path: Path, statement: str, words: str) -> None:
    tamper(
        path, f"UPDATE answers {statement} WHERE stream = 'wallet/net-1-p1' AND command LIKE 'd%'"
    )
    with closing(SqliteStore(path)) as store:
        report = audit(store)
    assert [finding.where for finding in report.findings] == ["wallet/net-1-p1"]
    assert words in str(report.findings[0])
