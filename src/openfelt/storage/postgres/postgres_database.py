"""A PostgreSQL database as migrations and backups see it."""

from openfelt.storage.postgres.connections import Connection
from openfelt.storage.postgres.statements import TABLES
from openfelt.storage.sql.rows import Row


class PostgresDatabase:
    """One connection to a database."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def tables(self) -> list[str]:
        """The names of all tables."""
        return [str(name) for (name,) in self.run(TABLES)]

    def run(self, statement: str) -> list[Row]:
        """Run a statement and return its rows, if it has any."""
        cursor = self.connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []
