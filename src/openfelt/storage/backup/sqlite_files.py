"""SQLite files as backups see them: opened without changing them, checked and synced."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from openfelt.storage import migrations
from openfelt.storage.backup.manifest import BackupError, Contents, Run, contents_of, faults_of
from openfelt.storage.sqlite.errors import plain
from openfelt.storage.sqlite.sqlite_database import SqliteDatabase

PRIVATE_MODE: Final = 0o600
NO_LEASES: Final = "UPDATE streams SET owner = '', until_ms = 0"
"""No process runs a table of a restored database. The numbers of leases are kept, and continue."""
PASSING: Final = ("members", "notes")
"""The tables of running processes and their short-lived messages, which a backup leaves out."""
COMPANIONS: Final = ("-wal", "-shm", "-journal")
"""The suffixes of the files that SQLite keeps beside a database."""


@contextmanager
def reading(path: Path) -> Iterator[SqliteDatabase]:
    """A database file, in one transaction that sees one moment of it."""
    try:
        with closing(_connect(path)) as connection:
            connection.execute("PRAGMA query_only = 1")
            connection.execute("BEGIN")
            yield SqliteDatabase(connection)
    except sqlite3.Error as error:
        raise plain(error) from error


@contextmanager
def writing(path: Path) -> Iterator[SqliteDatabase]:
    """An empty file as a new database, on disk at the end."""
    try:
        with closing(_connect(path)) as connection:
            # The file is synced as a whole at the end, and thrown away if that fails.
            connection.execute("PRAGMA journal_mode = OFF").fetchall()
            connection.execute("PRAGMA synchronous = OFF")
            yield SqliteDatabase(connection)
    except sqlite3.Error as error:
        raise plain(error) from error
    sync(path)


def _connect(path: Path) -> sqlite3.Connection:
    # A missing file is not made.
    address = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(address, uri=True, timeout=30, isolation_level=None)


def end_leases(path: Path) -> None:
    """End all leases in a restored file, and forget the processes that held them."""
    try:
        with closing(_connect(path)) as connection:
            connection.execute(NO_LEASES)
            tables = SqliteDatabase(connection).tables()
            for table in PASSING:
                if table in tables:
                    connection.execute(f"DELETE FROM {table}")  # noqa: S608 (a name of our own)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as error:
        raise plain(error) from error


def check_file(path: Path) -> tuple[Contents, list[str]]:
    """The contents of a database file, and its faults."""
    with reading(path) as database:
        faults = [
            f"the file is damaged: {fault}"
            for (fault,) in database.run("PRAGMA integrity_check(5)")
            if fault != "ok"
        ]
        if faults:
            # Queries would stop at the damage with a less helpful error.
            raise BackupError(f"{path}: {'; '.join(faults)}.")
        return contents(database), faults_of(database.run)


def contents(database: migrations.Database) -> Contents:
    """The contents of an open database; raises NewerSchema or NotOpenfelt."""
    schema = migrations.schema_of(database)
    run: Run = database.run
    return contents_of(run, schema, own_tables(database))


def own_tables(database: migrations.Database) -> Sequence[str]:
    """The tables that are backed up."""
    left_out = (migrations.VERSIONS_TABLE, *PASSING)
    return [table for table in database.tables() if table not in left_out]


def sync(path: Path) -> None:
    """Sync a file and its name to disk."""
    _sync(path, os.O_RDWR)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync the entry of a new file to disk, where the system can open folders."""
    if os.name == "posix":
        _sync(folder, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
