"""``openfelt archive``."""

from pathlib import Path

import pytest

from tests.kit.audit.old_floors import old_floor
from tests.kit.cli.commands import complaint, facts, output

KEEP = ("--keep-days", "30")


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database with old history, and a clock that shows the end of its play."""
    floor = old_floor(tmp_path / "floor.db", monkeypatch)
    floor.store.close()
    monkeypatch.setattr("openfelt.runtime.clock.SystemClock", lambda: floor.clock)
    return str(floor.path)


def test_history_is_archived_audited_and_put_back(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = str(tmp_path / "archive")
    whole = facts(capsys, "audit", database, "--full")
    told = output(capsys, "archive", database, "--to", archive, *KEEP)
    assert "Archive 1 in " in told
    assert facts(capsys, "audit", archive)["clean"] is True
    alone = facts(capsys, "audit", database, "--full")
    assert alone["clean"] is True
    assert alone["counts"]["events"] < whole["counts"]["events"]
    together = facts(capsys, "audit", database, "--archive", archive)
    assert together["counts"]["rounds_settled"] == whole["counts"]["rounds_settled"]
    assert together["counts"]["transfers"] == whole["counts"]["transfers"]
    assert "history_archived" in output(capsys, "deeds", database)
    assert "is in the database again" in output(capsys, "archive", database, "--put-back", archive)
    assert (
        facts(capsys, "audit", database, "--full")["counts"]["events"] > (whole["counts"]["events"])
    )


def test_the_statement_of_an_account_begins_with_what_was_archived(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = facts(capsys, "ledger", database, "--account", "wallet:ann")["lines"]
    output(capsys, "archive", database, "--to", str(tmp_path / "archive"), *KEEP)
    after = facts(capsys, "ledger", database, "--account", "wallet:ann")["lines"]
    assert after[0]["reason"] == "archived"
    assert after[-1]["balance_cents"] == before[-1]["balance_cents"]


def test_what_to_do_must_be_said(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert complaint(capsys, "archive", database)[1] == 2
    said, code = complaint(
        capsys, "archive", database, "--to", str(tmp_path / "a"), "--keep-days", "36500"
    )
    assert "The notary had signed no checkpoint before 19" in said
    assert code == 1
