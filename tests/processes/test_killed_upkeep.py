"""A backup, a restore, an archive, its return and a shipment are killed at their steps, on a
database of each kind. Each time the database is as before or as after, and a second try finishes.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import psycopg
import pytest

from openfelt.cli.data_folder import data_folder
from openfelt.runtime.archive.joined_store import JoinedStore
from openfelt.runtime.audit import audit
from openfelt.runtime.notary.keys import load_or_make_key
from openfelt.runtime.shipment.copy_audit import audit_copy
from openfelt.server.store.notary_task import key_file
from openfelt.storage import open_store
from openfelt.storage.backup.backup_file import verify_backup
from openfelt.storage.sqlite import SqliteStore
from tests.independent.record import Look, check_record
from tests.kit.audit.old_floors import old_floor
from tests.kit.processes.kept_databases import (
    KeptDatabases,
    PostgresDatabases,
    SqliteFiles,
    emptied,
)
from tests.kit.processes.upkeep import Ended, Upkeep

KEEP_DAYS = (datetime.now(UTC).date() - date(2026, 2, 1)).days
"""The floor was played in January and in March of 2026."""
SOME = (0.15, 0.6, 0.97)
"""How far a command gets in every run of the tests."""
MANY = 40
"""How often the sweep kills each command."""


@pytest.fixture(scope="module")
def upkeep() -> Iterator[Upkeep]:
    """A process that runs commands."""
    with Upkeep() as upkeep:
        yield upkeep


@dataclass(frozen=True, slots=True)
class Played:
    """A database with old history, and a backup and an archive of it. They stay as they are."""

    kept: KeptDatabases
    folder: Path
    database: str
    archived: str
    """The same database, from which the archive has been taken."""
    look: Look

    def files(self, folder: Path, name: str) -> Path:
        """A copy of the backup or of the archive, with its manifest, in a folder made anew."""
        emptied(folder)
        for file in (name, f"{name}.manifest"):
            shutil.copyfile(self.folder / file, folder / file)
        return folder / name

    def check_together(self, database: str, archive: Path) -> None:
        """The database and the file of its archive hold all history, with plain SQL."""
        if archive.exists():
            database = self.kept.joined(database, archive, self.folder)
        check_record(database, before=self.look)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def played(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, upkeep: Upkeep
) -> Played:
    """A floor that was played in January and in March."""
    folder = tmp_path_factory.mktemp("played")
    kept: KeptDatabases = SqliteFiles()
    if request.param == "postgres":
        kept = PostgresDatabases(request.getfixturevalue("postgres"))
    database = kept.new(folder)
    with pytest.MonkeyPatch.context() as patch, closing(open_store(database)) as store:
        old_floor(folder / "unused", patch, store=store)
    look = check_record(database)
    assert upkeep.run("backup", database, "--to", folder / "backup").code == 0
    archived = kept.copied(database, folder)
    assert archive(upkeep, archived, folder / "archive").code == 0
    return Played(kept, folder, database, archived, look)


def archive(upkeep: Upkeep, database: str, to: Path, kill_at: int | None = None) -> Ended:
    """Archive what was played in January."""
    days = str(KEEP_DAYS)
    return upkeep.run("archive", database, "--to", to, "--keep-days", days, kill_at=kill_at)


def points(steps: int, *, many: bool) -> list[int]:
    """The steps at which a command is killed."""
    if many:
        return sorted({max(1, round(steps * part / MANY)) for part in range(1, MANY)})
    return [max(1, round(steps * part)) for part in SOME]


both = pytest.mark.parametrize(
    "many", [False, pytest.param(True, marks=pytest.mark.sweep)], ids=["some", "many"]
)


@both
def test_a_killed_backup(upkeep: Upkeep, played: Played, tmp_path: Path, *, many: bool) -> None:
    folder = emptied(tmp_path / "work")
    database = played.kept.copied(played.database, tmp_path)
    command = ("backup", database, "--to", folder / "copy")
    for step in points(upkeep.run(*command).steps, many=many):
        emptied(folder)
        assert upkeep.run(*command, kill_at=step).killed
        check_record(database, before=played.look)
        whole = (folder / "copy").exists()
        again = upkeep.run(*command)
        assert again.code == 0 or (whole and "already exists" in again.said), again
        verify_backup(folder / "copy")
        check_record(folder / "copy", before=played.look)
        assert not list(folder.glob("*.unfinished*"))


@both
def test_a_killed_restore(upkeep: Upkeep, played: Played, tmp_path: Path, *, many: bool) -> None:
    folder = tmp_path / "work"
    backup = played.files(folder, "backup")
    steps = upkeep.run("restore", backup, "--to", played.kept.new(folder)).steps
    for step in points(steps, many=many):
        played.files(folder, "backup")
        database = played.kept.new(folder)
        command = ("restore", backup, "--to", database)
        assert upkeep.run(*command, kill_at=step).killed
        if has_rows(database):
            check_record(database, before=played.look)
        finished = has_rows(database) and not is_unfinished(database)
        again = upkeep.run(*command)
        refused = "already exists" in again.said or "is not empty" in again.said
        assert again.code == 0 or (finished and refused), again
        check_record(database, before=played.look)
        with closing(open_store(database)) as store:
            assert audit(store).findings == ()
            # What the restore says of itself is in the record: a new epoch has begun.
            assert [event.name for event in store.events("appends")][-1] == "append_epoch_begun"
        assert not is_unfinished(database)
        assert not list(folder.glob("*.unfinished*"))


def has_rows(database: str) -> bool:
    """Whether anything has been restored."""
    if not database.startswith("postgresql:"):
        return Path(database).exists()
    with psycopg.connect(database) as connection:
        query = "SELECT count(*) FROM pg_tables WHERE tablename = 'streams'"
        return connection.execute(query).fetchone() == (1,)


def is_unfinished(database: str) -> bool:
    """Whether a database says of itself that more belongs to its restore."""
    if not database.startswith("postgresql:"):
        return Path(f"{database}.unfinished").exists()
    with psycopg.connect(database) as connection:
        query = "SELECT obj_description('streams'::regclass, 'pg_class')"
        return connection.execute(query).fetchone() != (None,)


@both
def test_a_killed_archive(upkeep: Upkeep, played: Played, tmp_path: Path, *, many: bool) -> None:
    folder = emptied(tmp_path / "work")
    file = folder / "january"
    steps = archive(upkeep, played.kept.copied(played.database, tmp_path), file).steps
    for step in points(steps, many=many):
        emptied(folder)
        database = played.kept.copied(played.database, tmp_path)
        assert archive(upkeep, database, file, step).killed
        played.check_together(database, file)
        again = archive(upkeep, database, file)
        assert again.code == 0 or "is already archived" in again.said, again
        played.check_together(database, file)
        with closing(open_store(database)) as store, closing(SqliteStore(file)) as old:
            assert audit(JoinedStore(store, [old]).as_store).findings == ()
        assert not list(folder.glob("*.unfinished*"))


@pytest.mark.parametrize("part", [0.3, 1.1])
def test_a_full_disk_during_an_archive(
    upkeep: Upkeep, played: Played, tmp_path: Path, part: float
) -> None:
    """No file may grow beyond a part of what the whole backup takes: the copy, or its log."""
    database, file = played.kept.copied(played.database, tmp_path), tmp_path / "january"
    limit = int((played.folder / "backup").stat().st_size * part)
    command = ("archive", database, "--to", file, "--keep-days", str(KEEP_DAYS))
    full = upkeep.run(*command, file_bytes=limit)
    assert full.code == 0 or "The disk" in full.said, full
    played.check_together(database, file)
    assert not list(tmp_path.glob("*.unfinished*"))
    again = upkeep.run(*command)
    assert again.code == 0 or "is already archived" in again.said, again
    played.check_together(database, file)


@both
def test_a_killed_return(upkeep: Upkeep, played: Played, tmp_path: Path, *, many: bool) -> None:
    file = played.files(tmp_path / "work", "archive")
    first = played.kept.copied(played.archived, tmp_path)
    steps = upkeep.run("archive", first, "--put-back", file).steps
    for step in points(steps, many=many):
        played.files(tmp_path / "work", "archive")
        database = played.kept.copied(played.archived, tmp_path)
        command = ("archive", database, "--put-back", file)
        assert upkeep.run(*command, kill_at=step).killed
        played.check_together(database, file)
        again = upkeep.run(*command)
        assert again.code == 0 or "already back" in again.said, again
        check_record(database, before=played.look)
        with closing(open_store(database)) as store:
            assert audit(store).findings == ()


@both
def test_a_killed_shipment(upkeep: Upkeep, played: Played, tmp_path: Path, *, many: bool) -> None:
    copy = tmp_path / "copy"
    steps = upkeep.run("ship", copy, _with_notary(played, tmp_path)).steps
    for step in points(steps, many=many):
        emptied(copy)
        database = _with_notary(played, tmp_path)
        assert upkeep.run("ship", copy, database, kill_at=step).killed
        again = upkeep.run("ship", copy, database)
        assert again.code == 0, again
        report = audit_copy(copy)
        assert report.clean, report.findings
        assert report.counts.rounds_settled == 18
        assert not list(copy.glob("*.unfinished*"))
        assert upkeep.run("ship", copy, database).said.startswith("Nothing is new")
        with closing(open_store(database)) as store:
            assert audit(store).findings == ()
            assert len(store.heads("shipment/")) == 1


def _with_notary(played: Played, folder: Path) -> str:
    """A copy of the database, with the notary's key where ``openfelt serve`` keeps it."""
    database = played.kept.copied(played.database, folder)
    load_or_make_key(key_file(database, data_folder(None, os.environ)))
    return database
