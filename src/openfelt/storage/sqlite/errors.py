"""SQLite's errors as errors of the store, in plain sentences."""

import sqlite3

from openfelt.storage.door import DamagedFile, StoreError, Unavailable
from openfelt.storage.sql.sql_store import RowRefused

_SENTENCES = {
    sqlite3.SQLITE_FULL: "The disk is full",
    sqlite3.SQLITE_READONLY: "The database is read-only",
    sqlite3.SQLITE_IOERR: "The disk cannot be read or written",
    sqlite3.SQLITE_BUSY: "Another program has locked the database",
    sqlite3.SQLITE_LOCKED: "Another program has locked the database",
    sqlite3.SQLITE_CANTOPEN: (
        "The database cannot be opened. Its folder must be writable, so copy a read-only file "
        "to another folder"
    ),
    sqlite3.SQLITE_PERM: "The database may not be opened",
    sqlite3.SQLITE_NOTADB: "The file is not a database",
    sqlite3.SQLITE_CORRUPT: "The database file is damaged",
    sqlite3.SQLITE_NOMEM: "There is not enough memory",
    sqlite3.SQLITE_TOOBIG: "A text is too long to be stored",
}


_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's primary result code of an error; 0 if it has none."""
    # Some of these errors are raised by Python itself, without a code.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def plain(error: Exception) -> StoreError:
    """The error as a StoreError.

    It names no file and repeats no text of SQLite's, which may quote a row with cards.
    """
    if isinstance(error, sqlite3.IntegrityError):
        return RowRefused(f"The database refuses a row ({_name(error)}).")
    if isinstance(error, sqlite3.Error):
        sentence = _SENTENCES.get(primary_code(error), "SQLite failed")
        kind = DamagedFile if primary_code(error) in _DAMAGED else Unavailable
        return kind(f"{sentence} ({_name(error)}).")
    return StoreError(f"The database cannot hold a value ({type(error).__name__}).")


def _name(error: sqlite3.Error) -> str:
    """SQLite's name of an error, such as SQLITE_FULL, or what is wrong with a statement."""
    if primary_code(error) == sqlite3.SQLITE_ERROR:
        return str(error)
    return getattr(error, "sqlite_errorname", None) or type(error).__name__
