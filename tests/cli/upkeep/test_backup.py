"""``openfelt backup``, ``openfelt restore`` and ``openfelt notary``."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.notary.checkpoints import read_statement
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import Floor
from tests.kit.cli.commands import complaint, facts, output, with_findings


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    """A small floor with a backup, on which play went on and was signed afterwards."""
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 2)
    floor.notary().sign()
    return floor


@pytest.fixture
def played_on(floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Floor:
    """The same floor, backed up, and then played and signed further until its disk failed."""
    output(capsys, "backup", str(floor.path), "--to", str(tmp_path / "b"))
    signing = floor.notary()
    for number in range(3):
        floor.play("net-1")
        floor.cashier.deposit("carl", 100, id=f"later-{number}")
        signing.sign()
    floor.store.close()
    for path in tmp_path.glob("floor.db*"):
        if "notary" not in path.name:
            path.unlink()
    return floor


def put_back_a_copy(floor: Floor, folder: Path) -> None:
    """Replace the database with a copy of it, after a deposit that the notary has signed."""
    floor.store.close()
    shutil.copyfile(floor.path, folder / "copy.db")
    floor = Floor(floor.path)
    floor.cashier.deposit("carl", 100, id="lost")
    floor.notary().sign()
    floor.store.close()
    shutil.copyfile(folder / "copy.db", floor.path)


def test_a_backup_says_what_it_holds(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = output(capsys, "backup", str(floor.path), "--to", str(tmp_path / "b"))
    assert f"Backed up to {tmp_path / 'b'}, and verified" in told
    assert "The notary's last checkpoint in it is 1." in told
    assert "Its cards need the keys 00c0ffee, which are not in it." in told
    manifest = json.loads((tmp_path / "b.manifest").read_text(encoding="utf-8"))
    assert (
        facts(capsys, "backup", str(floor.path), "--to", str(tmp_path / "c"))["manifest"][
            "contents"
        ]
        == manifest["contents"]
    )


def test_a_restore_says_what_is_gone_and_the_notary_goes_on(
    played_on: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = output(
        capsys,
        *("restore", str(tmp_path / "b"), "--to", str(played_on.path)),
        *("--reason", "the disk failed"),
    )
    assert "Restored up to position " in told
    assert "signed events of 2 streams are gone, with 3 checkpoints." in told
    assert "Checkpoint 5 records this, and the notary continues." in told
    report = facts(capsys, "audit", str(played_on.path))
    assert report["clean"] is True
    assert report["counts"]["events_lost"] > 0
    (note,) = [note for note in report["notes"] if "restored an older state" in note]
    assert "the disk failed" in note
    assert "operator:" in note


def test_the_floor_plays_and_is_signed_after_a_restore(
    played_on: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output(capsys, "restore", str(tmp_path / "b"), "--to", str(played_on.path))
    floor = Floor(played_on.path)
    for number in range(5):
        # More than was lost: other events stand where signed ones stood.
        floor.cashier.deposit("carl", 700, id=f"again-{number}")
    assert floor.notary().sign() is not None
    last = list(floor.store.checkpoints())[-1]
    assert set(read_statement(last).heads) == {"wallet/carl"}
    floor.store.close()
    assert facts(capsys, "audit", str(played_on.path))["findings"] == []


def test_nothing_missing_needs_no_deed(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output(capsys, "backup", str(floor.path), "--to", str(tmp_path / "b"))
    floor.store.close()
    for path in tmp_path.glob("floor.db*"):
        if "notary" not in path.name:
            path.unlink()
    told = output(capsys, "restore", str(tmp_path / "b"), "--to", str(floor.path))
    assert "everything that the notary has signed is there" in told
    with closing(SqliteStore(floor.path)) as store:
        assert len(list(store.checkpoints())) == 1


def test_without_published_checkpoints_it_says_so(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output(capsys, "backup", str(floor.path), "--to", str(tmp_path / "b"))
    told = output(capsys, "restore", str(tmp_path / "b"), "--to", str(tmp_path / "other.db"))
    assert "There are no published checkpoints at" in told


def test_a_state_restored_by_other_means_is_shown_and_continued(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_back_a_copy(floor, tmp_path)
    database = str(floor.path)
    assert "FOUND" in with_findings(capsys, "audit", database)
    assert "1 signed events of 1 streams are gone" in with_findings(
        capsys, "notary", "show", database
    )
    said, code = complaint(capsys, "notary", "continue", database)
    assert "--reason" in said
    assert code == 2
    told = output(capsys, "notary", "continue", database, "--reason", "a snapshot of the machine")
    assert "Checkpoint 3 records this" in told
    assert facts(capsys, "audit", database)["clean"] is True
    assert "everything that the notary has signed is there" in output(
        capsys, "notary", "show", database
    )


def test_a_rewritten_record_cannot_be_continued(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_back_a_copy(floor, tmp_path)
    forged = Floor(floor.path)
    forged.cashier.deposit("carl", 90_000, id="forged")
    forged.store.close()
    said, _ = complaint(capsys, "notary", "continue", str(floor.path), "--reason", "restored")
    assert "not an older state but another one" in said
    assert "FOUND" in with_findings(capsys, "audit", str(floor.path))


def test_restore_never_overwrites(
    floor: Floor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output(capsys, "backup", str(floor.path), "--to", str(tmp_path / "b"))
    said, code = complaint(capsys, "restore", str(tmp_path / "b"), "--to", str(floor.path))
    assert "Nothing is overwritten" in said
    assert code == 1
