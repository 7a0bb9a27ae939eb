"""Snapshots of tables and links, as replayed."""

from pathlib import Path

import pytest

from openfelt.runtime.tables.recovery.snapshots import SNAPSHOT_FORM
from tests.kit.audit.audits import after_change, findings_text
from tests.kit.audit.forgeries import edit_snapshots


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (
            "UPDATE snapshots SET body = replace(body, 'id\":\"main', 'id\":\"mine')",
            "The snapshot differs from the link that its events give.",
        ),
        ("UPDATE snapshots SET body = '{}'", "The snapshot cannot be read."),
        ("UPDATE snapshots SET body = 'x'", "The snapshot cannot be read."),
        (
            "UPDATE snapshots SET version = 9999",
            "There is a snapshot of a version that the stream does not have.",
        ),
    ],
)
def test_snapshots_are_replayed(copy: Path, statement: str, words: str) -> None:
    assert words in findings_text(after_change(copy, lambda db: db.execute(statement)))


def test_an_encrypted_snapshot_is_replayed(copy: Path) -> None:
    report = after_change(copy, lambda db: edit_snapshots(db, 'credit_cents":', 'credit_cents":9'))
    assert "The snapshot differs from the table that its events give." in findings_text(report)


def test_an_encrypted_snapshot_that_was_changed(copy: Path) -> None:
    statement = "UPDATE snapshots SET body = substr(body, 1, 60) || 'AAAA' || substr(body, 65)"
    report = after_change(copy, lambda db: db.execute(f"{statement} WHERE stream LIKE 'table/%'"))
    assert "it is not what was encrypted" in findings_text(report)


def test_snapshots_of_an_older_form_are_ignored(copy: Path) -> None:
    form = f'"form":{SNAPSHOT_FORM}'
    report = after_change(copy, lambda db: edit_snapshots(db, form, '"form":0'))
    assert report.clean, findings_text(report)
    assert "The snapshot of table/net-1 has an older form." in report.notes
