"""Databases that stay as they are, and copies of them to try commands on, of both kinds."""

import itertools
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final, Protocol

import psycopg
from psycopg import sql

from tests.kit.postgres_server import PostgresServer

_NUMBERS: Final = itertools.count(1)
_MOVED: Final = ("events", "transfers")
"""The tables whose rows an archive moves."""


class KeptDatabases(Protocol):
    """Makes databases of one kind."""

    def new(self, folder: Path) -> str:
        """The address of a database that does not exist, or is empty."""
        ...

    def copied(self, database: str, folder: Path) -> str:
        """The address of a copy."""
        ...

    def joined(self, database: str, archive: Path, folder: Path) -> str:
        """A copy to which the history in the file of an archive is added, with plain SQL."""
        ...


class SqliteFiles:
    """Databases in files."""

    def new(self, folder: Path) -> str:
        """A new name in a folder."""
        return str(folder / f"felt-{next(_NUMBERS)}.db")

    def copied(self, database: str, folder: Path) -> str:
        """A copy of the file, with what is in the log beside it."""
        target = self.new(folder)
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
        Path(target).chmod(0o600)
        return target

    def joined(self, database: str, archive: Path, folder: Path) -> str:
        """A copy with the rows of the archive that it lacks."""
        target = self.copied(database, folder)
        with closing(sqlite3.connect(target, isolation_level=None)) as connection:
            connection.execute("ATTACH ? AS archive", (str(archive),))
            for table in _MOVED:
                connection.execute(f"INSERT OR IGNORE INTO {table} SELECT * FROM archive.{table}")
        return target


class PostgresDatabases:
    """Databases of one server."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server

    def new(self, _: Path) -> str:
        """An empty database."""
        return self._server.fresh_database()

    def copied(self, database: str, _: Path) -> str:
        """A copy that the server makes, once a killed process is gone from the original."""
        name = f"kept_{next(_NUMBERS)}"
        template = database.partition(":///")[2].partition("?")[0]
        self._server.run(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{template}'"
        )
        self._server.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self._server.url_of(name)

    def joined(self, database: str, archive: Path, folder: Path) -> str:
        """A copy with the rows of the archive that it lacks."""
        target = self.copied(database, folder)
        with closing(sqlite3.connect(archive)) as source, psycopg.connect(target) as connection:
            for table in _MOVED:
                cursor = source.execute(f"SELECT * FROM {table}")
                columns = [sql.Identifier(column[0]) for column in cursor.description]
                statement = sql.SQL(
                    "INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE VALUES ({}) ON CONFLICT DO NOTHING"
                ).format(
                    sql.Identifier(table),
                    sql.SQL(", ").join(columns),
                    sql.SQL(", ").join(sql.Placeholder() for _ in columns),
                )
                connection.cursor().executemany(statement, cursor.fetchall())
        return target


def emptied(folder: Path) -> Path:
    """A folder, made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder
