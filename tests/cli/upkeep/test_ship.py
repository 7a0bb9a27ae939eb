"""``openfelt ship``, and ``openfelt audit`` of what it has written."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from openfelt.runtime.notary.keys import load_or_make_key
from tests.kit.audit.audited_floors import Floor
from tests.kit.audit.old_floors import old_floor
from tests.kit.cli.commands import complaint, facts, output, with_findings


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    """A small floor in a folder of its own, signed."""
    (tmp_path / "house").mkdir()
    floor = Floor(tmp_path / "house" / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 3)
    floor.notary().sign()
    return floor


def alone(copy: Path, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The audit of a copy in a process that has nothing else: no home, no keys, no settings."""
    folder.mkdir()
    shutil.copytree(copy, folder / "copy")
    return subprocess.run(
        [sys.executable, "-m", "openfelt", "audit", "copy", "--json", *options],
        cwd=folder,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin", "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_auditor_with_only_the_copy_reproduces_every_payout(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    told = output(capsys, "ship", str(copy), str(floor.path))
    assert "Segment 1 in " in told
    assert "3 finished rounds" in told
    # The house plays on with the database open, and ships again.
    floor.play("net-1", 2)
    floor.notary().sign()
    assert "Segment 2 in " in output(capsys, "ship", str(copy), str(floor.path))
    assert "Nothing is new" in output(capsys, "ship", str(copy), str(floor.path))
    whole = facts(capsys, "audit", str(floor.path))
    floor.store.close()
    key = tmp_path / "house" / "floor.db.notary.key.pub"
    shutil.copy(key, tmp_path / "notary.pub")
    shutil.rmtree(tmp_path / "house")
    ended = alone(copy, tmp_path / "elsewhere", "--public-key", str(tmp_path / "notary.pub"))
    assert ended.returncode == 0, ended.stderr
    report = json.loads(ended.stdout)
    assert report["clean"] is True
    assert report["counts"]["rounds_settled"] == whole["counts"]["rounds_settled"] == 5
    assert report["counts"]["transfers"] == whole["counts"]["transfers"]
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["copy"]


def test_a_report_in_words(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output(capsys, "ship", str(tmp_path / "copy"), str(floor.path))
    lines = [line.strip() for line in output(capsys, "audit", str(tmp_path / "copy")).splitlines()]
    assert "1  signed segments, each following the one before" in lines
    assert "3  rounds settled again by their rules" in lines
    assert "4  secret decks that stay with the house, each committed to" in lines
    assert lines[-1] == "Everything is in order."
    segment = tmp_path / "copy" / "00000001.segment"
    content = segment.read_bytes()
    segment.unlink()
    segment.write_bytes(content[:-1] + b"\1")
    told = with_findings(capsys, "audit", str(tmp_path / "copy"))
    assert "FOUND at segment 1: 00000001.segment has been changed" in told


def test_what_is_refused(floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    said, code = complaint(capsys, "audit", str(tmp_path / "empty"))
    assert "a folder without segments" in said
    assert code == 2
    said, _ = complaint(capsys, "ship", str(tmp_path / "copy"), str(tmp_path / "none.db"))
    assert "There is no database" in said
    assert not (tmp_path / "copy").exists()
    (tmp_path / "file").write_text("", encoding="utf-8")
    said, code = complaint(capsys, "ship", str(tmp_path / "file"), str(floor.path))
    assert "cannot be written" in said
    assert code == 2
    (tmp_path / "house" / "floor.db.notary.key").unlink()
    said, _ = complaint(capsys, "ship", str(tmp_path / "copy"), str(floor.path))
    assert "There is no key of the notary" in said


def test_history_that_was_archived_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    floor = old_floor(tmp_path / "floor.db", monkeypatch)
    load_or_make_key(tmp_path / "floor.db.notary.key")
    floor.store.close()
    monkeypatch.setattr("openfelt.runtime.clock.SystemClock", lambda: floor.clock)
    database, archive, copy = (str(tmp_path / name) for name in ("floor.db", "archive", "copy"))
    output(capsys, "ship", str(tmp_path / "before"), database)
    output(capsys, "archive", database, "--to", archive, "--keep-days", "30")
    said, _ = complaint(capsys, "ship", copy, database)
    assert "have been archived" in said
    output(capsys, "ship", copy, database, "--archive", archive)
    output(capsys, "ship", str(tmp_path / "before"), database)
    for folder in (copy, str(tmp_path / "before")):
        report = facts(capsys, "audit", folder)
        assert report["clean"] is True, report["findings"]
        assert report["counts"]["rounds_settled"] == 18
    # What was shipped is part of the record, with the operator who has done it.
    assert output(capsys, "deeds", database).count("segment_shipped") == 3
