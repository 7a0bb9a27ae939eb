"""The store in PostgreSQL, which any number of machines share.

Rows are locked in one order everywhere, so that writers cannot deadlock: rule sets, then
streams, then balances, each sorted by name.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple, TypeVar

import psycopg

from openfelt.ledger import Account
from openfelt.storage import migrations
from openfelt.storage.door import FIRST_HASH, Commit, Head, Unavailable, Unknown
from openfelt.storage.inspection.interface import Integrity
from openfelt.storage.keyring import Keyring
from openfelt.storage.postgres import statements as sql
from openfelt.storage.postgres.connections import Connection, ConnectionPool
from openfelt.storage.postgres.errors import may_try_again, plain
from openfelt.storage.postgres.integrity import inspected
from openfelt.storage.postgres.system_catalog import catalog_faults
from openfelt.storage.sql import statements
from openfelt.storage.sql.commit_plan import (
    Plan,
    Rows,
    check_balances,
    commands_of,
    rows_of,
    rule_set_rows,
)
from openfelt.storage.sql.rows import Row, balance, stream_head
from openfelt.storage.sql.sql_store import RowRefused, SqlStore
from openfelt.storage.streams.code_changes import Run

CONNECTIONS_MAX = 8
"""The maximum number of connections of one store."""

_ATTEMPTS_MAX = 5
"""How many times a transaction is tried if the server rolls it back."""

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
            _finish(connection)
            return cursor.fetchall()

        return self._attempt(work)

    def _write_many(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        def work(connection: Connection) -> None:
            with connection.pipeline():
                connection.execute(sql.BEGIN)
                for row in rows:
                    connection.execute(sql.translated(statement), row)
            _finish(connection)

        self._attempt(work)

    def _place(self) -> str:
        return self._connections.place

    def _server_id(self) -> str:
        # The address does not do: processes may reach one server by different ones.
        ((found,),) = self._read(sql.SERVER_ID, ())
        return str(found)

    def _together(self, work: Callable[[Run], None], *, alone: bool = False) -> None:
        def locked(connection: Connection) -> None:
            connection.execute(sql.BEGIN)
            connection.execute(sql.LOCK, (sql.MIGRATING,))
            if alone:
                connection.execute(sql.LOCK_ALL_STREAMS)
            work(lambda statement, values: _run_any(connection, statement, values))
            _finish(connection)

        self._attempt(locked)

    def scrub(self, *, thoroughly: bool = False) -> None:
        """Let the server reuse or rewrite what removed or reencrypted secrets have left behind."""
        statement = sql.REWRITE_SECRETS if thoroughly else sql.VACUUM_SECRETS

        self._attempt_long(statement)

    def integrity(self) -> Integrity:
        """PostgreSQL's own check of the indexes where it is allowed, and a look at the schema."""

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
        return self._attempt(lambda connection: _commit(connection, planned))

    def _now(self) -> tuple[str, tuple[int, ...]]:
        return (sql.CLOCK, ()) if self._now_ms is None else ("CAST(? AS bigint)", (self._now_ms(),))

    def _last_transfer(self) -> int:
        """The last number at a moment when no writer was between numbering and committing.

        Numbers are assigned before they are committed, so a later one may become visible first.
        Writers hold a shared lock; holding it exclusively means that there are none.
        """

        def work(connection: Connection) -> int:
            with connection.transaction():
                connection.execute(sql.LOCK, (sql.NUMBERING,))
                ((last,),) = connection.execute(sql.LAST_TRANSFER).fetchall()
            return int(last)

        return self._attempt(work)

    def _read_numbered(self, statement: str) -> list[Row]:
        def work(connection: Connection) -> list[Row]:
            with connection.transaction():
                connection.execute(sql.LOCK, (sql.NUMBERING,))
                # Each statement sees what is committed when it begins, so after the lock.
                return _run(connection, statement, ())

        return self._attempt(work)

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
                    _roll_back(connection)
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
            return migrations.schema_of(_Database(connection))

        def work(connection: Connection) -> None:
            connection.execute(sql.BEGIN)
            # Another process may have migrated between the check and the lock, so check again.
            connection.execute(sql.LOCK, (sql.MIGRATING,))
            # An index of a big table takes minutes.
            connection.execute(sql.NO_STATEMENT_LIMIT)
            migrations.migrate(_Database(connection), migrations.POSTGRES)
            _finish(connection)

        if self._attempt(look) < migrations.KNOWN:
            self._attempt(work)


class _Database:
    """A connection as migrations see it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def tables(self) -> list[str]:
        return [str(name) for (name,) in self.run(sql.TABLES)]

    def run(self, statement: str) -> list[Row]:
        cursor = self._connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def _run(connection: Connection, statement: str, values: Sequence[object]) -> list[Row]:
    return connection.execute(sql.translated(statement), values).fetchall()


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


def _commit(connection: Connection, planned: Plan) -> dict[str, Head]:
    """Write a commit in two round trips: lock and read, then write and commit."""
    locked = _lock(connection, planned)
    rows = rows_of(planned, locked.heads)
    if locked.answered:
        # The primary key would refuse it too, with an error in the server's log.
        raise RowRefused("A command is already answered.")
    check_balances(
        planned,
        {
            account: locked.balances.get(account, 0) + cents
            for account, cents in planned.changes.items()
        },
    )
    _write(connection, planned, rows)
    return rows.heads


class _Locked(NamedTuple):
    """The state of everything that a commit touches, once it is locked."""

    heads: dict[str, Head]
    balances: dict[Account, int]
    answered: bool
    """Whether one of its commands is already answered."""


def _lock(connection: Connection, planned: Plan) -> _Locked:
    """Begin, and lock the streams and the balances that a commit changes.

    A new stream gets its row first: a missing row cannot be locked. A new account holds
    nothing, so a transfer from it is refused anyway.
    """
    new = sorted(append.stream for append in planned.commit.appends if append.expected_version == 0)
    cursor = connection.cursor()
    with connection.pipeline():
        cursor.execute(sql.BEGIN)
        _many(cursor, statements.NEW_RULE_SET, rule_set_rows(planned.commit))
        _many(cursor, statements.NEW_STREAM, [(stream, FIRST_HASH) for stream in new])
        streams = connection.execute(sql.LOCK_STREAMS, (list(planned.streams),))
        balances = connection.execute(sql.LOCK_BALANCES, (list(map(str, planned.changes)),))
        answered = connection.execute(sql.ANSWERED, (_commands(planned.commit),))
    return _Locked(
        heads=dict(map(stream_head, streams.fetchall())),
        balances=dict(map(balance, balances.fetchall())),
        answered=bool(answered.fetchall()),
    )


def _commands(commit: Commit) -> str:
    """The commands that a commit carries out, as JSON."""
    return json.dumps(
        [
            {"stream": append.stream, "actor": actor, "command": command}
            for append in commit.appends
            for actor, command in commands_of(append)
        ]
    )


def _write(connection: Connection, planned: Plan, rows: Rows) -> None:
    """Send all rows and the COMMIT at once; if a row is refused, nothing is committed."""
    changes = sorted((str(account), cents) for account, cents in planned.changes.items())
    cursor = connection.cursor()
    with _committing(connection), connection.pipeline():
        # Rows are inserted in order, so new balances too are locked by name.
        _many(cursor, statements.BALANCE_CHANGED, changes)
        if rows.transfers:
            cursor.execute(sql.LOCK_SHARED, (sql.NUMBERING,))
        for statement, values in rows.writes():
            _many(cursor, statement, values)
        done = connection.execute(sql.COMMIT)
    _check_committed(done)


def _many(cursor: psycopg.Cursor[Row], statement: str, rows: Sequence[Row]) -> None:
    """Write rows of one table, all at once where possible."""
    if len(rows) > 1 and statement.startswith("INSERT"):
        cursor.execute(sql.many(statement), (sql.as_json(statement, rows),))
    else:
        for row in rows:
            cursor.execute(sql.translated(statement), row)


def _finish(connection: Connection) -> None:
    """Commit what has been written."""
    with _committing(connection):
        done = connection.execute(sql.COMMIT)
    _check_committed(done)


@contextmanager
def _committing(connection: Connection) -> Iterator[None]:
    """Raise Unknown if the connection is lost here: the commit may or may not have happened."""
    try:
        yield
    except psycopg.Error as error:
        if connection.closed:
            raise Unknown(
                f"The connection to the database was lost during a commit: {error}."
            ) from error
        raise


def _check_committed(done: psycopg.Cursor[Row]) -> None:
    if done.statusmessage != "COMMIT":
        raise Unavailable("The database rolled the transaction back.")


def _cut_off_sleepers(connection: Connection) -> bool:
    """End the sessions of stalled programs that hold locks in the middle of a write."""
    _roll_back(connection)
    with suppress(psycopg.Error):
        return bool(connection.execute(sql.CUT_OFF_SLEEPERS).fetchall())
    return False


def _roll_back(connection: Connection) -> None:
    try:
        if not connection.closed:
            connection.rollback()
    except psycopg.Error:
        # The server itself rolls back what a closed connection has begun.
        connection.close()
