"""What PostgreSQL complains of, in plain sentences."""

import psycopg

from openfelt.storage.door import StoreError, Unavailable
from openfelt.storage.sql_store import RowRefused

_SENTENCES = {
    "08": "The database server cannot be reached",
    "25006": "The database is read-only",
    "28": "The database server does not let this user in",
    "3D000": "There is no such database on the server",
    "40": "Other writers were in the way too often",
    "42501": "This user may not do that in the database",
    "53100": "The disk of the database server is full",
    "53": "The database server has too much to do",
    "55P03": "Another writer holds a lock for too long",
    "57014": "The database server took too long",
    "57": "The database server is stopping or starting",
    "58": "The disk of the database server cannot be read or written",
}
"""By SQLSTATE, or by the class that it begins with."""

_TRY_AGAIN = {"40001", "40P01"}
"""The server rolled one of several writers back, so that the others could go on."""


def may_try_again(error: psycopg.Error) -> bool:
    """Whether the same transaction may well succeed when it is run again."""
    return error.sqlstate in _TRY_AGAIN


def plain(error: Exception) -> StoreError:
    """The error as the door names it."""
    said = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
    if isinstance(error, psycopg.IntegrityError):
        return RowRefused(f"The database refuses a row: {said}.")
    if not isinstance(error, psycopg.Error) or isinstance(error, psycopg.DataError):
        return StoreError(f"The database cannot hold a value: {said}.")
    code = error.sqlstate or "08"
    sentence = next(
        (_SENTENCES[part] for part in (code, code[:2]) if part in _SENTENCES), "PostgreSQL failed"
    )
    return Unavailable(f"{sentence}: {said}.")
