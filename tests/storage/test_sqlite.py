"""The faults of a file: full, read-only, locked, damaged, and what happens afterwards."""

import os
import resource
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.storage import Store, StoreError, Unavailable, Unknown
from openfelt.storage.sqlite import SqliteStore
from tests.kit.storage.store_places import ALICE, CASH, event, move, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "felt.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path, busy_ms=50)) as store:
        yield store


def writer(store: SqliteStore) -> sqlite3.Connection:
    """The connection through which the store writes."""
    assert store._writer is not None
    return store._writer


def fill(store: Store, stream: str) -> int:
    """Write until the store cannot; give how many commits it took."""
    for version in range(10_000):
        try:
            write(store, stream, version, event(move(CASH, ALICE, 1), body="x" * 5000))
        except Unavailable:
            return version
    raise AssertionError("the disk is larger than the test")


def test_what_is_committed_is_on_the_disk(store: SqliteStore) -> None:
    assert writer(store).execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert writer(store).execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")
def test_a_new_database_is_its_owners(path: Path) -> None:
    before = os.umask(0)
    try:
        with closing(SqliteStore(path)) as store:
            write(store, "a", 0, event())
            modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert modes == {"felt.db": 0o600, "felt.db-wal": 0o600, "felt.db-shm": 0o600}


def test_a_symlink_to_a_missing_database_is_followed(path: Path) -> None:
    link = path.with_name("link.db")
    link.symlink_to(path)
    with closing(SqliteStore(link)) as store:
        write(store, "a", 0, event())
    assert link.is_symlink()
    with closing(SqliteStore(path)) as store:
        assert store.head("a").version == 1


@pytest.mark.parametrize("name", ["a b.db", "50%.db", "a?b#c.db", "é.db"])
def test_a_database_may_be_called_anything(tmp_path: Path, name: str) -> None:
    for _ in range(2):
        with closing(SqliteStore(tmp_path / name)) as store:
            write(store, "a", store.head("a").version, event())
    assert [one.name for one in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_is_gone_takes_nothing_and_is_not_made_again(
    store: SqliteStore, path: Path, *, replaced: bool
) -> None:
    write(store, "a", 0, event())
    away = path.rename(path.with_name("away.db"))
    if replaced:
        shutil.copy(away, path)
    gone = "has been moved or replaced"
    with pytest.raises(Unavailable, match=gone):
        write(store, "a", 1, event())
    with pytest.raises(Unavailable, match=gone):
        store.head("a")
    assert path.exists() == replaced
    away.rename(path)
    write(store, "a", 1, event())
    assert store.head("a").version == 2


def test_a_full_disk_is_reported_and_survived(store: SqliteStore) -> None:
    pages = writer(store).execute("PRAGMA page_count").fetchone()[0]
    writer(store).execute(f"PRAGMA max_page_count = {pages + 20}")
    written = fill(store, "a")
    assert written > 0
    assert store.head("a").version == written
    assert store.balance(ALICE) == written
    with pytest.raises(Unavailable, match="The disk is full"):
        write(store, "b", 0, event(body="x" * 100_000, command="1"))
    assert store.answers("b", [("alice", "1")]) == {}
    writer(store).execute("PRAGMA max_page_count = 100000")
    write(store, "a", written, event(move(CASH, ALICE, 1)))
    assert store.balance(ALICE) == written + 1


def test_a_read_only_database_is_reported_and_survived(store: SqliteStore) -> None:
    write(store, "a", 0, event())
    writer(store).execute("PRAGMA query_only = 1")
    with pytest.raises(Unavailable, match="The database is read-only"):
        write(store, "a", 1, event())
    assert store.head("a").version == 1
    writer(store).execute("PRAGMA query_only = 0")
    write(store, "a", 1, event())


LIMITED = """
import resource, sys
from openfelt.storage import Append, Cause, Commit, NewEvent, Unavailable, Unknown
from openfelt.storage.sqlite import SqliteStore

def write(version, size):
    event = NewEvent(name="e", schema=1, body="x" * size, cause=Cause(actor="system:openfelt"))
    append = Append(stream="a", expected_version=version, events=(event,))
    store.commit(Commit(at_ms=1, appends=(append,)))

store = SqliteStore(sys.argv[1])
write(0, 10)
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, most))
try:
    write(1, 1_000_000)
except Unavailable as error:
    print(type(error).__name__, error)
print(store.head("a").version)
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
write(1, 1_000_000)
print(store.head("a").version)
store.close()
"""


def test_a_disk_that_fails_while_committing_is_survived(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True, check=True
    )
    said, before, after = done.stdout.splitlines()
    assert said.startswith(
        f"{Unknown.__name__} The disk cannot be read or written (SQLITE_IOERR_WRITE)"
    )
    assert (before, after) == ("1", "2")
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 300_000


def test_a_commit_that_could_not_be_synced_does_not_appear_after_a_crash(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pages are in the log, and a command may have been refused since."""
    log = Path(f"{path}-wal")

    def copied(name: str) -> Path:
        copy = tmp_path / name / path.name
        copy.parent.mkdir()
        shutil.copyfile(path, copy)
        shutil.copyfile(log, f"{copy}-wal")
        return copy

    def unsynced(connection: sqlite3.Connection) -> None:
        connection.execute("ROLLBACK")
        with log.open("ab") as end:
            end.write(frames)
        store._doubtful = True
        raise Unknown("The disk cannot be read or written.")

    with closing(SqliteStore(path)) as store:
        write(store, "a", 0, event())
        size = log.stat().st_size
        with closing(SqliteStore(copied("written"))) as twin:
            write(twin, "a", 1, event(body="x" * 20_000))
            frames = Path(f"{twin._path}-wal").read_bytes()[size:]
        with monkeypatch.context() as broken:
            broken.setattr(store, "_finish", unsynced)
            with pytest.raises(Unknown):
                write(store, "a", 1, event(body="x" * 20_000))
        with closing(SqliteStore(copied("crashed before"))) as after:
            assert after.head("a").version == 2
        assert store.head("a").version == 1
        with closing(SqliteStore(copied("crashed later"))) as after:
            assert after.head("a").version == 1
        write(store, "a", 1, event())


def test_a_killed_program_leaves_whole_commits(path: Path) -> None:
    program = LIMITED.partition("most = ")[0] + (
        "for version in range(1, 100_000):\n"
        "    write(version, 2000)\n"
        "    print(version, flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        for line in running.stdout:
            if int(line) == 30:
                running.kill()
                break
        told = [30, *map(int, running.stdout)]
    with closing(SqliteStore(path)) as store:
        assert store.head("a").version >= told[-1] + 1
        assert len(list(store.events("a"))) == store.head("a").version


def test_a_lock_of_another_process_is_reported_and_survived(store: SqliteStore, path: Path) -> None:
    write(store, "a", 0, event())
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="Another program has locked the database"):
            write(store, "a", 1, event())
        assert store.head("a").version == 1
        other.execute("ROLLBACK")
    write(store, "a", 1, event())


def test_a_writer_that_was_lost_is_opened_again(store: SqliteStore) -> None:
    write(store, "a", 0, event())
    writer(store).close()
    with pytest.raises(Unavailable):
        write(store, "a", 1, event())
    write(store, "a", 1, event())


def test_a_file_that_is_not_a_database_is_refused(path: Path) -> None:
    path.write_bytes(b"This is a shopping list.\n" * 100)
    with pytest.raises(Unavailable, match="The file is not a database"):
        SqliteStore(path)
    assert path.read_bytes() == b"This is a shopping list.\n" * 100


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="The database cannot be opened"):
        SqliteStore(tmp_path / "nowhere" / "felt.db")
    with pytest.raises(Unavailable, match="The database cannot be opened"):
        SqliteStore(tmp_path)


def test_a_damaged_file_is_reported(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        write(store, "a", 0, *(event(body="x" * 3000) for _ in range(50)))
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(StoreError, match="damaged"), closing(SqliteStore(path)) as store:
        list(store.events("a"))


def test_an_empty_file_becomes_a_database(path: Path) -> None:
    path.touch()
    with closing(SqliteStore(path)) as store:
        assert write(store, "a", 0, event()).version == 1


def test_a_foreign_database_keeps_its_journal(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE invoices (number INTEGER)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not an Openfelt database"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_numbers_that_no_column_holds_are_refused(store: SqliteStore) -> None:
    with pytest.raises(StoreError, match="cannot hold a value"):
        write(store, "a", 0, event(), at_ms=2**70)
    write(store, "a", 0, event())
