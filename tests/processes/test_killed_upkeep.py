"""A backup, a restore, an archive and its return are killed at their steps. Each time the database
is as before or as after, and a second try finishes."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from openfelt.runtime.archive.joined_store import JoinedStore
from openfelt.runtime.audit import audit
from openfelt.storage.backup.backup_file import verify_backup
from openfelt.storage.sqlite import SqliteStore
from tests.independent.record import Look, check_record
from tests.kit.audit.old_floors import old_floor
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
    """A database with old history and a backup and an archive of it. They stay as they are."""

    folder: Path
    look: Look

    def copied(self, folder: Path, *names: str) -> Path:
        """Copies of some of its files in another folder, which is made empty."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in names:
            shutil.copyfile(self.folder / name, folder / name)
            (folder / name).chmod(0o600)
        return folder


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, upkeep: Upkeep) -> Played:
    """A floor that was played in January and in March."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        old_floor(folder / "felt.db", patch).store.close()
    look = check_record(folder / "felt.db")
    assert upkeep.run("backup", folder / "felt.db", "--to", folder / "backup").code == 0
    shutil.copyfile(folder / "felt.db", folder / "archived.db")
    assert archive(upkeep, folder / "archived.db", folder / "archive").code == 0
    return Played(folder, look)


def archive(upkeep: Upkeep, database: Path, to: Path, kill_at: int | None = None) -> Ended:
    """Archive what was played in January."""
    days = str(KEEP_DAYS)
    return upkeep.run("archive", database, "--to", to, "--keep-days", days, kill_at=kill_at)


def check_together(database: Path, archive: Path, before: Look) -> None:
    """The database and the file of its archive hold all history, with plain SQL."""
    joined = database.with_name("joined.db")
    joined.unlink(missing_ok=True)
    with (
        closing(sqlite3.connect(database)) as source,
        closing(sqlite3.connect(joined, isolation_level=None)) as target,
    ):
        source.backup(target)
        if archive.exists():
            target.execute("ATTACH ? AS archive", (str(archive),))
            for table in ("events", "transfers"):
                target.execute(f"INSERT OR IGNORE INTO {table} SELECT * FROM archive.{table}")
    check_record(joined, before=before)


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
    folder = played.copied(tmp_path / "work", "felt.db")
    command = ("backup", folder / "felt.db", "--to", folder / "copy")
    for step in points(upkeep.run(*command).steps, many=many):
        played.copied(folder, "felt.db")
        assert upkeep.run(*command, kill_at=step).killed
        check_record(folder / "felt.db", before=played.look)
        whole = (folder / "copy").exists()
        again = upkeep.run(*command)
        assert again.code == 0 or (whole and "exists already" in again.said), again
        verify_backup(folder / "copy")
        check_record(folder / "copy", before=played.look)
        assert not list(folder.glob("*.unfinished*"))


@both
def test_a_killed_restore(upkeep: Upkeep, played: Played, tmp_path: Path, *, many: bool) -> None:
    files = ("backup", "backup.manifest")
    folder = played.copied(tmp_path / "work", *files)
    command = ("restore", folder / "backup", "--to", folder / "new.db")
    for step in points(upkeep.run(*command).steps, many=many):
        played.copied(folder, *files)
        assert upkeep.run(*command, kill_at=step).killed
        whole = (folder / "new.db").exists() and not (folder / "new.db.unfinished").exists()
        if (folder / "new.db").exists():
            check_record(folder / "new.db", before=played.look)
        again = upkeep.run(*command)
        assert again.code == 0 or (whole and "exists already" in again.said), again
        check_record(folder / "new.db", before=played.look)
        with closing(SqliteStore(folder / "new.db")) as store:
            assert audit(store).findings == ()
            # What the restore says of itself is in the record: a new epoch has begun.
            assert [event.name for event in store.events("appends")][-1] == "append_epoch_begun"
        assert not list(folder.glob("*.unfinished*"))


@both
def test_a_killed_archive(upkeep: Upkeep, played: Played, tmp_path: Path, *, many: bool) -> None:
    folder = played.copied(tmp_path / "work", "felt.db")
    database, file = folder / "felt.db", folder / "january"
    for step in points(archive(upkeep, database, file).steps, many=many):
        played.copied(folder, "felt.db")
        assert archive(upkeep, database, file, step).killed
        check_together(database, file, played.look)
        again = archive(upkeep, database, file)
        assert again.code == 0 or "is archived already" in again.said, again
        check_together(database, file, played.look)
        with closing(SqliteStore(database)) as store, closing(SqliteStore(file)) as old:
            assert audit(JoinedStore(store, [old]).as_store).findings == ()
        assert not list(folder.glob("*.unfinished*"))


@both
def test_a_killed_return(upkeep: Upkeep, played: Played, tmp_path: Path, *, many: bool) -> None:
    files = ("archived.db", "archive", "archive.manifest")
    folder = played.copied(tmp_path / "work", *files)
    database, file = folder / "archived.db", folder / "archive"
    command = ("archive", database, "--put-back", file)
    for step in points(upkeep.run(*command).steps, many=many):
        played.copied(folder, *files)
        assert upkeep.run(*command, kill_at=step).killed
        check_together(database, file, played.look)
        again = upkeep.run(*command)
        assert again.code == 0 or "again already" in again.said, again
        check_record(database, before=played.look)
        with closing(SqliteStore(database)) as store:
            assert audit(store).findings == ()
