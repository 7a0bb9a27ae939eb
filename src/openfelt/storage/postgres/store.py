"""The store in PostgreSQL, which any number of machines share.

Rows are locked in one order everywhere, so that writers cannot deadlock: rule sets, then
streams, then balances, each sorted by name.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

import psycopg

from openfelt.storage import migrations
from openfelt.storage.door import FIRST_HASH, Head
from openfelt.storage.inspection.interface import Integrity
from openfelt.storage.keyring import Keyring
from openfelt.storage.postgres import statements as sql
from openfelt.storage.postgres.commit_trips import Commits, finish, roll_back
from openfelt.storage.postgres.connections import Connection, ConnectionPool
from openfelt.storage.postgres.errors import may_try_again, plain
from openfelt.storage.postgres.integrity import inspected
from openfelt.storage.postgres.postgres_database import PostgresDatabase
from openfelt.storage.postgres.system_catalog import catalog_faults
from openfelt.storage.sql import statements
from openfelt.storage.sql.commit_plan import (
    Plan,
)
from openfelt.storage.sql.rows import Row
from openfelt.storage.sql.sql_store import SqlStore
from openfelt.storage.streams.code_changes import Run

CONNECTIONS_MAX = 8
"""The maximum number of connections of one store."""

_ATTEMPTS_MAX = 5
"""How many times a transaction is tried if the server rolls it back."""

_NUMBERING_ATTEMPTS_MAX = 10
_NUMBERING_PAUSE_MS = 500
"""How often a reader of numbers waits for the writers, each time for a second, and how long it
lets others through in between. A session that has stalled by then is ended."""

Result = TypeVar("Result")


class PostgresStore(SqlStore):
    """A store in a PostgreSQL database; it makes its tables in the first schema of the path."""

    def __init__(
        self,
        url: str,
        *,
        now_ms: Callable[[], int] | None = None,
        connections_max: int = CONNECTIONS_MAX,
        keyring: Keyring | None = None,
    ) -> None:
        """Connect, and bring the tables up to date.

        Leases use the database's clock, which all machines share; ``now_ms`` replaces it in
        tests. ``keyring`` encrypts secrets, by default the one that the environment names. Raises
        Unavailable, NewerSchema or NotOpenfelt.
        """
        super().__init__(keyring)
        self._now_ms = now_ms
        self.commits = Commits()
        self._connections = ConnectionPool(url, connections_max=connections_max)
        try:
            self._migrate()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close all connections."""
        self._connections.close()

    # Running statements

    def _read(self, statement: str, values: Sequence[object]) -> list[Row]:
        return self._attempt(lambda connection: _run(connection, statement, values))

    def _write(self, statement: str, values: Sequence[object]) -> list[Row]:
        def work(connection: Connection) -> list[Row]:
            with connection.pipeline():
                connection.execute(sql.BEGIN)
                cursor = connection.execute(sql.translated(statement), values)
            finish(connection)
            return cursor.fetchall()

        return self._attempt(work)

    def _write_many(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        def work(connection: Connection) -> None:
            with connection.pipeline():
                connection.execute(sql.BEGIN)
                for row in rows:
                    connection.execute(sql.translated(statement), row)
            finish(connection)

        self._attempt(work)

    def _location(self) -> str:
        return self._connections.location

    def _server_id(self) -> str:
        # The address does not do: processes may reach one server by different ones.
        ((server_id,),) = self._read(sql.SERVER_ID, ())
        return str(server_id)

    def _together(self, work: Callable[[Run], None], *, alone: bool = False) -> None:
        def locked(connection: Connection) -> None:
            connection.execute(sql.BEGIN)
            connection.execute(sql.LOCK, (sql.MIGRATING,))
            if alone:
                connection.execute(sql.LOCK_ALL_STREAMS)
            work(lambda statement, values: _run_any(connection, statement, values))
            finish(connection)

        self._attempt(locked)

    def scrub(self, *, thoroughly: bool = False) -> None:
        """Let the server reuse or rewrite what removed or reencrypted secrets have left behind."""
        statement = sql.REWRITE_SECRETS if thoroughly else sql.VACUUM_SECRETS

        self._attempt_long(statement)

    def integrity(self) -> Integrity:
        """PostgreSQL's own check of the indexes where it is allowed, and a check of the schema."""

        def compare(connection: Connection) -> list[str]:
            connection.execute(sql.BEGIN)
            return catalog_faults(connection)

        return inspected(self._read, self._attempt_long, lambda: self._attempt(compare))

    def _attempt_long(self, statement: bytes) -> None:
        """Run a statement that may take longer than all others."""
        self._attempt(lambda connection: _unlimited(connection, statement))

    def sizes(self) -> dict[str, int]:
        """How many bytes each table of the schema takes, with its indexes."""
        return {str(name): int(size) for name, size in self._read(sql.SIZES, ())}

    def _commit(self, planned: Plan) -> dict[str, Head]:
        return self._attempt(lambda connection: self.commits.write(connection, planned))

    def wait_for_writers(self, stream: str) -> None:
        """Return once no commit to a stream is under way.

        The row of a new stream is inserted, which waits for any other that inserts it, and taken
        back.
        """

        def work(connection: Connection) -> None:
            with connection.pipeline():
                connection.execute(sql.BEGIN)
                connection.execute(sql.translated(statements.NEW_STREAM), (stream, FIRST_HASH))
                connection.execute(sql.LOCK_STREAMS, ([stream],))

        self._attempt(work)

    def _now(self) -> tuple[str, tuple[int, ...]]:
        return (sql.CLOCK, ()) if self._now_ms is None else ("CAST(? AS bigint)", (self._now_ms(),))

    def _last_transfer(self) -> int:
        """The last number at a moment when no writer was between numbering and committing.

        Numbers are assigned before they are committed, so a later one may become visible first.
        Writers hold a shared lock; holding it exclusively means that there are none.
        """

        def read(connection: Connection) -> int:
            ((last,),) = connection.execute(sql.LAST_TRANSFER).fetchall()
            return int(last)

        return self._attempt(lambda connection: _between_writers(connection, read))

    def _read_numbered(self, statement: str) -> list[Row]:
        # Each statement sees what is committed when it begins, so after the lock.
        def read(connection: Connection) -> list[Row]:
            return _run(connection, statement, ())

        return self._attempt(lambda connection: _between_writers(connection, read))

    def _attempt(self, work: Callable[[Connection], Result]) -> Result:
        """Run work that leaves nothing behind when it fails, and retry it if that helps."""
        for attempts_left in reversed(range(_ATTEMPTS_MAX)):
            with self._connections.lent() as connection:
                try:
                    return work(connection)
                except (psycopg.Error, UnicodeError) as error:
                    if not attempts_left or not self._worth_another(error, connection):
                        raise plain(error) from error
                finally:
                    roll_back(connection)
        raise AssertionError("the last attempt returns or raises")

    def _worth_another(self, error: Exception, connection: Connection) -> bool:
        if connection.closed:
            # A restarted server has dropped all connections, not only this one.
            self._connections.forget_idle()
            return True
        if isinstance(error, psycopg.errors.LockNotAvailable):
            return _cut_off_sleepers(connection)
        return isinstance(error, psycopg.Error) and may_try_again(error)

    def _migrate(self) -> None:
        def look(connection: Connection) -> int:
            return migrations.schema_of(PostgresDatabase(connection))

        def work(connection: Connection) -> None:
            connection.execute(sql.BEGIN)
            # Another process may have migrated between the check and the lock, so check again.
            connection.execute(sql.LOCK, (sql.MIGRATING,))
            # An index of a big table takes minutes.
            connection.execute(sql.NO_STATEMENT_LIMIT)
            migrations.migrate(PostgresDatabase(connection), migrations.POSTGRES)
            finish(connection)

        if self._attempt(look) < migrations.KNOWN:
            self._attempt(work)


def _run(connection: Connection, statement: str, values: Sequence[object]) -> list[Row]:
    return connection.execute(sql.translated(statement), values).fetchall()


def _between_writers(connection: Connection, read: Callable[[Connection], Result]) -> Result:
    """Read at a moment when no writer is between numbering and committing.

    Writers queue behind a reader that waits. So it gives way again and again: one writer that
    stalls must not stop the others.
    """
    for attempts_left in reversed(range(_NUMBERING_ATTEMPTS_MAX)):
        try:
            with connection.transaction():
                connection.execute(sql.LOCK_BRIEFLY)
                connection.execute(sql.LOCK, (sql.NUMBERING,))
                return read(connection)
        except psycopg.errors.LockNotAvailable:
            if not attempts_left:
                raise
            time.sleep(_NUMBERING_PAUSE_MS / 1000)
    raise AssertionError("the last attempt returns or raises")


def _unlimited(connection: Connection, statement: bytes) -> None:
    connection.autocommit = True
    ((limit,),) = connection.execute(sql.STATEMENT_LIMIT).fetchall()
    connection.execute(sql.SET_STATEMENT_LIMIT, ("0",))
    try:
        connection.execute(statement)
    finally:
        connection.execute(sql.SET_STATEMENT_LIMIT, (limit,))
        connection.autocommit = False


def _run_any(connection: Connection, statement: str, values: Sequence[object]) -> list[Row]:
    cursor = connection.execute(sql.translated(statement), values)
    return cursor.fetchall() if cursor.description else []


def _cut_off_sleepers(connection: Connection) -> bool:
    """End the sessions of stalled programs that hold locks in the middle of a write."""
    roll_back(connection)
    with suppress(psycopg.Error):
        return bool(connection.execute(sql.CUT_OFF_SLEEPERS).fetchall())
    return False
