"""Archived history on the auditor's page: what there is, and rounds of archives at hand."""

import json
from pathlib import Path

import pytest

from openfelt.runtime.archive.archive_moves import archive_history
from openfelt.runtime.rounds.record import RoundReader
from openfelt.server.audit_desk.archive_list import Archives
from openfelt.server.errors import Denied
from openfelt.server.supervision.frozen_rounds import RoundFreezer
from openfelt.storage.backup.manifest import manifest_path
from tests.kit.audit.audited_floors import Floor
from tests.kit.audit.old_floors import old_floor


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Floor:
    """A floor with old history, which is still in its database."""
    return old_floor(tmp_path / "floor.db", monkeypatch)


def first_table(floor: Floor) -> str:
    """The name of a table with old rounds."""
    return next(stream for stream in floor.store.streams("table/")).removeprefix("table/")


def frozen(floor: Floor, table: str) -> str:
    """The first round as the database has it; raises Denied."""
    return RoundFreezer(floor.store, RoundReader(floor.store)).freeze(table, 1).body


def test_a_round_of_an_archive_at_hand_is_recalled_as_it_was(floor: Floor, tmp_path: Path) -> None:
    table = first_table(floor)
    before = json.loads(frozen(floor, table))
    folder = tmp_path / "archives"
    folder.mkdir()
    path = folder / "2026.archive"
    archive_history(floor.store, str(tmp_path / "floor.db"), path, floor.clock, keep_days=30)
    with pytest.raises(Denied, match="no round 1"):
        frozen(floor, table)
    archives = Archives(floor.store, folder)
    (known,) = archives.all()
    assert (known.archive.number, known.file, known.problem) == (1, path, "")
    after = json.loads(archives.look(table, 1, seats=()).body)
    for part in ("record", "views", "shared", "seats_played", "rules"):
        assert after[part] == before[part], part
    with pytest.raises(Denied, match="no round 99999"):
        archives.look(table, 99_999, seats=())


def test_without_the_file_a_sentence_says_which_archive_is_missing(
    floor: Floor, tmp_path: Path
) -> None:
    table = first_table(floor)
    folder = tmp_path / "archives"
    folder.mkdir()
    path = folder / "old"
    archive_history(floor.store, str(tmp_path / "floor.db"), path, floor.clock, keep_days=30)
    path.write_bytes(path.read_bytes() + b"\0")
    (damaged,) = Archives(floor.store, folder).all()
    assert damaged.file == path
    assert damaged.problem
    for gone in (path, manifest_path(path)):
        gone.unlink()
    for archives in (Archives(floor.store, folder), Archives(floor.store, None)):
        assert [one.file for one in archives.all()] == [None]
        with pytest.raises(Denied, match="may be in archive 1, whose file is not available"):
            archives.look(table, 1, seats=())
