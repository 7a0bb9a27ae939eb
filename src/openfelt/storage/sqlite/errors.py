"""SQLite's errors as errors of the store, in plain sentences."""

import sqlite3
from pathlib import Path

from openfelt.storage.door import StoreError, Unavailable
from openfelt.storage.sql_store import RowRefused

_SENTENCES = {
    sqlite3.SQLITE_FULL: "The disk is full",
    sqlite3.SQLITE_READONLY: "The database is read-only",
    sqlite3.SQLITE_IOERR: "The disk cannot be read or written",
    sqlite3.SQLITE_BUSY: "Another program has locked the database",
    sqlite3.SQLITE_LOCKED: "Another program has locked the database",
    sqlite3.SQLITE_CANTOPEN: "The database cannot be opened",
    sqlite3.SQLITE_PERM: "The database may not be opened",
    sqlite3.SQLITE_NOTADB: "The file is not a database",
    sqlite3.SQLITE_CORRUPT: "The database file is damaged",
    sqlite3.SQLITE_NOMEM: "There is not enough memory",
    sqlite3.SQLITE_TOOBIG: "A text is too long to be stored",
}


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's primary result code of an error; 0 if it has none."""
    # Some of these errors are raised by Python itself, without a code.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def plain(error: Exception, path: Path) -> StoreError:
    """The error as a StoreError."""
    if isinstance(error, sqlite3.IntegrityError):
        return RowRefused(f"The database refuses a row: {error}.")
    if isinstance(error, sqlite3.Error):
        sentence = _SENTENCES.get(primary_code(error), "SQLite failed")
        return Unavailable(f"{sentence}: {path} ({error}).")
    return StoreError(f"The database cannot hold a value: {error}.")
