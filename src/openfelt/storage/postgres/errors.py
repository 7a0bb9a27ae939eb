"""PostgreSQL's errors as errors of the store, in plain sentences."""

import psycopg

from openfelt.storage.door import DamagedFile, StoreError, Unavailable
from openfelt.storage.sql.sql_store import RowRefused

_SENTENCES = {
    "08": "The database server cannot be reached",
    "25006": "The database is read-only",
    "28": "The database server refuses this user",
    "3D000": "There is no such database on the server",
    "40": "Other writers conflicted too often",
    "42501": "This user may not do that in the database",
    "53100": "The disk of the database server is full",
    "53": "The database server is overloaded",
    "55P03": "Another writer has held a lock for too long",
    "57014": "The database server took too long",
    "57": "The database server is stopping or starting",
    "XX001": "The files of the database are damaged",
    "XX002": "An index of the database is damaged",
    "58": "The database server cannot read or write its disk",
}
"""By SQLSTATE, or by its class, the first two characters."""

_DAMAGED = {"XX001", "XX002"}

_TRY_AGAIN = {"40001", "40P01"}
"""The server rolled back one of several conflicting writers."""


def may_try_again(error: psycopg.Error) -> bool:
    """Whether the same transaction may succeed when it is run again."""
    return error.sqlstate in _TRY_AGAIN


def plain(error: Exception) -> StoreError:
    """The error as a StoreError."""
    detail = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
    if isinstance(error, psycopg.IntegrityError):
        return RowRefused(f"The database refuses a row: {detail}.")
    if not isinstance(error, psycopg.Error) or isinstance(error, psycopg.DataError):
        return StoreError(f"The database cannot hold a value: {detail}.")
    code = error.sqlstate or "08"
    sentence = next(
        (_SENTENCES[part] for part in (code, code[:2]) if part in _SENTENCES), "PostgreSQL failed"
    )
    kind = DamagedFile if code in _DAMAGED else Unavailable
    return kind(f"{sentence}: {detail}.")
