"""A connection to a SQLite file as migrations and backups use it."""

import sqlite3

from openfelt.storage.sql.rows import Row


class SqliteDatabase:
    """Runs statements on a connection and names its tables."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def tables(self) -> list[str]:
        """The names of all tables but SQLite's own."""
        names = self.run(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%'"
            " ESCAPE '\\'"
        )
        return [str(name) for (name,) in names]

    def run(self, statement: str) -> list[Row]:
        """Run a statement and return its rows."""
        return self.connection.execute(statement).fetchall()
