"""The history of an archive put back into its database."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from openfelt.storage.addresses import file_of
from openfelt.storage.backup.manifest import BackupError, Progress
from openfelt.storage.backup.sqlite_files import reading
from openfelt.storage.sqlite.errors import plain

_TABLES: Final = ("events", "transfers")
_DROP: Final = "DELETE FROM archives WHERE number = (SELECT max(number) FROM archives)"


def return_history(path: Path, url: str, progress: Progress | None = None) -> None:
    """Put the events and transfers of the newest archive back, in one transaction.

    The caller has verified that the file is that archive. Rows that are still there stay.
    """
    file = file_of(url)
    if file is None:
        from openfelt.storage.backup import postgres_rows

        with reading(path) as source:
            postgres_rows.add_missing(source, url, _TABLES, _DROP, progress)
        return
    try:
        with closing(sqlite3.connect(file, timeout=30, isolation_level=None)) as connection:
            connection.execute("ATTACH ? AS archive", (str(path),))
            connection.execute("BEGIN IMMEDIATE")
            for table in _TABLES:
                columns = _shared_columns(connection, table)
                connection.execute(
                    f"INSERT OR IGNORE INTO main.{table} ({columns})"  # noqa: S608
                    f" SELECT {columns} FROM archive.{table}"
                )
            connection.execute(_DROP)
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise plain(error) from error


def _shared_columns(connection: sqlite3.Connection, table: str) -> str:
    """The columns of a table that the archive has too; later schemas have added others."""
    columns = [
        {row[1] for row in connection.execute(f"PRAGMA {schema}.table_info({table})")}
        for schema in ("main", "archive")
    ]
    shared = columns[0] & columns[1]
    if not shared:
        raise BackupError("The archive has no history.")
    return ", ".join(sorted(shared))
