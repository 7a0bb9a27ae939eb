"""Another program deletes, replaces, cuts or moves a file of a store that is open."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.storage.door import Unavailable, Unknown
from openfelt.storage.sqlite import SqliteStore
from tests.kit.storage.store_places import event, write

EVENTS = 40


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "felt.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(path)) as store:
        for version in range(EVENTS):
            write(store, "a", version, event(body="x" * 3000))
        yield store


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def delete_log(path: Path) -> None:
    beside(path, "-wal").unlink()


def replace_log(path: Path) -> None:
    copy = beside(path, "-copy")
    shutil.copy(beside(path, "-wal"), copy)
    copy.replace(beside(path, "-wal"))


def delete_index(path: Path) -> None:
    beside(path, "-shm").unlink()


def empty_log(path: Path) -> None:
    os.truncate(beside(path, "-wal"), 0)


def cut_log(path: Path) -> None:
    os.truncate(beside(path, "-wal"), beside(path, "-wal").stat().st_size // 2)


def empty_file(path: Path) -> None:
    os.truncate(path, 0)


def make_read_only(path: Path) -> None:
    path.chmod(0o400)


def delete_file(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize(
    ("strike", "sentence"),
    [
        (delete_log, "write-ahead log of the database has been moved, deleted"),
        (replace_log, "write-ahead log of the database has been moved, deleted"),
        (delete_index, "index of the write-ahead log"),
        (empty_log, "cut short"),
        (cut_log, "cut short"),
        (empty_file, "cut short"),
        (make_read_only, "made read-only"),
        (delete_file, "moved or replaced"),
    ],
)
def test_a_store_whose_file_was_struck_takes_nothing_more(
    store: SqliteStore, path: Path, strike: Callable[[Path], None], sentence: str
) -> None:
    strike(path)
    for _ in range(2):
        with pytest.raises(Unavailable, match=sentence):
            write(store, "a", EVENTS, event())
        with pytest.raises(Unavailable, match=sentence):
            store.take_lease("b", "east", ttl_ms=1000)


@pytest.mark.parametrize("checkpointed", [False, True])
def test_a_file_that_was_cut_in_the_middle_is_noticed(
    store: SqliteStore, path: Path, *, checkpointed: bool
) -> None:
    store.scrub()
    write(store, "a", EVENTS, event(body="x" * 3000))
    if checkpointed:
        store.scrub()
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(Unavailable, match="cut short"):
        write(store, "a", EVENTS + 1, event())


@pytest.mark.parametrize("strike", [delete_log, delete_index])
def test_nothing_that_was_committed_is_lost_with_the_log(
    store: SqliteStore, path: Path, strike: Callable[[Path], None], tmp_path: Path
) -> None:
    """Not even if the process is killed: the files are read as they lie there."""
    strike(path)
    with pytest.raises(Unavailable):
        store.head("a")
    left = tmp_path / "left" / path.name
    left.parent.mkdir()
    shutil.copy(path, left)
    if beside(path, "-wal").exists():
        shutil.copy(beside(path, "-wal"), beside(left, "-wal"))
    with closing(SqliteStore(left)) as again:
        assert again.head("a").version == EVENTS


def test_a_commit_into_a_log_that_went_away_meanwhile_is_not_confirmed(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from openfelt.storage.sqlite import store as module

    write_rows = module._write_rows

    def struck(*arguments: object) -> None:
        write_rows(*arguments)  # type: ignore[arg-type]
        delete_log(path)

    monkeypatch.setattr(module, "_write_rows", struck)
    with pytest.raises(Unknown, match="write-ahead log"):
        write(store, "a", EVENTS, event())


def test_a_log_that_another_program_has_emptied_just_before_a_commit_is_no_alarm(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit adds pages to the new log, which are not in the database yet."""
    connection = store._writing_connection

    def emptied() -> sqlite3.Connection:
        checked = connection()
        with closing(sqlite3.connect(path)) as program:
            ((busy, *_),) = program.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        assert not busy
        return checked

    with monkeypatch.context() as patch:
        patch.setattr(store, "_writing_connection", emptied)
        write(store, "a", EVENTS, event(body="z" * 20_000))
    assert beside(path, "-wal").stat().st_size > 0
    write(store, "a", EVENTS + 1, event())
    assert store.head("a").version == EVENTS + 2


def test_a_log_that_is_put_back_in_its_place_is_used_again(store: SqliteStore, path: Path) -> None:
    log = beside(path, "-wal")
    away = log.rename(beside(path, "-away"))
    with pytest.raises(Unavailable):
        write(store, "a", EVENTS, event())
    away.rename(log)
    write(store, "a", EVENTS, event())
    assert store.head("a").version == EVENTS + 1


def test_a_file_that_is_writable_again_is_written_again(store: SqliteStore, path: Path) -> None:
    make_read_only(path)
    assert store.head("a").version == EVENTS
    path.chmod(0o600)
    write(store, "a", EVENTS, event())


def test_what_sqlite_itself_does_to_the_files_is_no_alarm(store: SqliteStore, path: Path) -> None:
    with closing(SqliteStore(path)) as other:
        for version in range(EVENTS, EVENTS + 20):
            write(store, "a", version, event(body="y" * 200_000))
            write(other, "b", version - EVENTS, event())
        other.scrub()
    with closing(sqlite3.connect(path)) as program:
        program.execute("DELETE FROM events WHERE stream = 'a' AND version > 40")
        program.commit()
        program.execute("VACUUM")
        program.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    before = path.stat().st_size
    write(store, "b", 20, event())
    store.scrub(thoroughly=True)
    write(store, "b", 21, event())
    assert path.stat().st_size <= before + 100_000
