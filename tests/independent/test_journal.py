"""What callers have written down is held against the record: commands lost and invented."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.independent.journal import Comparison, Journal, compare
from tests.independent.record import Violation
from tests.kit.audit.audited_floors import five_houses

Row = tuple[str, str, str, int]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("floor") / "felt.db"
    five_houses(path).store.close()
    return path


@pytest.fixture(scope="module")
def carried_out(finished: Path) -> list[Row]:
    """Every command of one player, as the record has it."""
    with closing(sqlite3.connect(finished)) as rows:
        found = rows.execute(
            "SELECT stream, actor, command, max(version) FROM events WHERE digest IS NOT NULL"
            " AND digest != '' AND actor LIKE 'player:%' GROUP BY stream, actor, command"
        ).fetchall()
    actor = found[0][1]
    return [row for row in found if row[1] == actor]


def compared(database: Path, file: Path, sent: list[Row], told: list[Row]) -> Comparison:
    journal = Journal(file)
    for stream, actor, command, _ in sent:
        journal.sent(stream, actor, command)
    for stream, actor, command, version in told:
        journal.answered(stream, actor, command, version, None)
    journal.close()
    return compare(str(database), [file])


def test_an_honest_journal_agrees(finished: Path, carried_out: list[Row], tmp_path: Path) -> None:
    found = compared(finished, tmp_path / "journal", carried_out, carried_out[1:])
    assert (found.sent, found.unanswered) == (len(carried_out), 1)
    assert found.accepted == len(carried_out) - 1


def test_an_answer_that_the_record_does_not_have_is_found(
    finished: Path, carried_out: list[Row], tmp_path: Path
) -> None:
    lost = (*carried_out[0][:2], "lost", 9)
    with pytest.raises(Violation, match="was told 9, and the record has None"):
        compared(finished, tmp_path / "journal", [*carried_out, lost], [lost])


def test_a_command_that_no_caller_sent_is_found(
    finished: Path, carried_out: list[Row], tmp_path: Path
) -> None:
    with pytest.raises(Violation, match="commands that no caller sent"):
        compared(finished, tmp_path / "journal", carried_out[1:], [])
