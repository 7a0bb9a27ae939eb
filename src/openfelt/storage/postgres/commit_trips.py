"""Commits to PostgreSQL: in one round trip if the heads of their streams are known, otherwise two.

The process that runs a table is nearly always the only one that writes its stream, so it knows the
head that the next events follow. Then all statements and the COMMIT are sent together, and the
server compares: if a stream has moved on, an account would be overdrawn or a command was carried
out before, a statement fails, and with it the whole transaction. The commit is then tried in two
round trips, which lock and read before they write, and which know the reason for a refusal.
"""

import selectors
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

import psycopg

from openfelt.ledger import Account
from openfelt.storage.door import FIRST_HASH, Commit, Head, StoreError, Unavailable, Unknown
from openfelt.storage.postgres import statements as sql
from openfelt.storage.postgres.connections import Connection
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
from openfelt.storage.sql.sql_store import RowRefused

# select.select refuses descriptors from 1024 on, and a hall has as many terminals. Poll takes any
# of them, and needs none of its own.
_Selector: Final = getattr(selectors, "PollSelector", selectors.DefaultSelector)

HEADS_KEPT: Final = 10_000
"""How many stream heads a store remembers."""


class Commits:
    """Writes commits, and remembers the heads that they leave behind. Threads may share it."""

    def __init__(self) -> None:
        self._heads: dict[str, Head] = {}
        self._lock = threading.Lock()
        """Guards the heads: several tables commit at a time."""
        self.at_once = 0
        """How many commits have taken one round trip."""

    def write(self, connection: Connection, planned: Plan) -> dict[str, Head]:
        """Write a commit; raises the errors of a store, and then nothing is written."""
        heads = self._taken(planned)
        rows = _rows_after(planned, heads)
        if rows is not None and not _is_quiet(connection):
            rows = None
        if rows is not None and _write_at_once(connection, planned, heads, rows):
            self.at_once += 1
            written = rows.heads
        else:
            written = _write_locked(connection, planned)
        self._remember(written)
        return written

    def _taken(self, planned: Plan) -> dict[str, Head]:
        """The known heads of the streams of a commit, which are forgotten until it is written."""
        with self._lock:
            heads = ((stream, self._heads.pop(stream, None)) for stream in planned.streams)
            return {stream: head for stream, head in heads if head is not None}

    def _remember(self, heads: Mapping[str, Head]) -> None:
        with self._lock:
            self._heads |= heads
            while len(self._heads) > HEADS_KEPT:
                del self._heads[next(iter(self._heads))]


def _is_quiet(connection: Connection) -> bool:
    """Whether the server has sent nothing: a connection that it has closed has an end to read.

    A commit that is lost on its way in one round trip may or may not have been carried out, so none
    is sent on a connection that is known to be gone.
    """
    with _Selector() as selector:
        selector.register(connection.fileno(), selectors.EVENT_READ)
        return not selector.select(0)


def _rows_after(planned: Plan, heads: Mapping[str, Head]) -> Rows | None:
    """The rows of a commit, or None unless the heads of all its streams are in memory and it
    continues from them."""
    if planned.commit.rule_sets or len(heads) < len(planned.streams):
        return None
    try:
        return rows_of(planned, heads)
    except StoreError:
        # A writer whose lease or version is out of date learns the reason under a lock.
        return None


def _write_at_once(
    connection: Connection, planned: Plan, heads: Mapping[str, Head], rows: Rows
) -> bool:
    """Lock, compare, write and commit in one round trip; False if the server refuses it."""
    known_heads = [
        {
            "name": stream,
            "version": head.version,
            "hash": head.hash,
            "at_ms": head.at_ms,
            "fence": head.fence,
            "code": head.code,
        }
        for stream, head in heads.items()
    ]
    try:
        with _committing(connection), connection.pipeline():
            cursor = connection.cursor()
            cursor.execute(sql.BEGIN)
            same_heads = sql.SAME_HEADS_NUMBERING if rows.transfers else sql.SAME_HEADS
            cursor.execute(same_heads, (sql.as_json(known_heads),))
            _send(cursor, planned, rows)
            done = connection.execute(sql.COMMIT)
    except psycopg.errors.LockNotAvailable:
        # In two round trips it would wait for the same lock, as long again.
        roll_back(connection)
        raise
    except psycopg.Error:
        roll_back(connection)
        return False
    _check_committed(done)
    return True


def _write_locked(connection: Connection, planned: Plan) -> dict[str, Head]:
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
        if _numbers_transfers(planned):
            # Before the balances, as in one round trip: a reader of numbers waits for all who hold
            # this lock, and of those none may wait for a balance of one who waits for the lock.
            cursor.execute(sql.LOCK_SHARED, (sql.NUMBERING,))
        balances = connection.execute(sql.LOCK_BALANCES, (list(map(str, planned.changes)),))
        answered = connection.execute(sql.ANSWERED, (_commands(planned.commit),))
    return _Locked(
        heads=dict(map(stream_head, streams.fetchall())),
        balances=dict(map(balance, balances.fetchall())),
        answered=bool(answered.fetchall()),
    )


def _numbers_transfers(planned: Plan) -> bool:
    return any(event.transfers for append in planned.commit.appends for event in append.events)


def _commands(commit: Commit) -> str:
    """The commands that a commit carries out, as JSON."""
    return sql.as_json(
        [
            {"stream": append.stream, "actor": actor, "command": command}
            for append in commit.appends
            for actor, command in commands_of(append)
        ]
    )


def _write(connection: Connection, planned: Plan, rows: Rows) -> None:
    """Send all rows and the COMMIT together; if a row is refused, nothing is committed."""
    with _committing(connection), connection.pipeline():
        _send(connection.cursor(), planned, rows)
        done = connection.execute(sql.COMMIT)
    _check_committed(done)


def _send(cursor: psycopg.Cursor[Row], planned: Plan, rows: Rows) -> None:
    """Send all rows, without waiting for results; fails if an account would be overdrawn."""
    # Rows are inserted in order, so new balances too are locked by name.
    changes = sorted((str(account), cents) for account, cents in planned.changes.items())
    writes = [(statements.BALANCE_CHANGED, changes)] if changes else []
    writes += rows.writes()
    together = {
        statement: sql.rows_json(statement, values)
        for statement, values in writes
        if statement in sql.TOGETHER
    }
    if together:
        debited = (sql.as_json(_debited(planned)),) if changes else ()
        cursor.execute(sql.together(tuple(together)), (*together.values(), *debited))
    for statement, values in writes:
        if statement not in together:
            _many(cursor, statement, values)


def _debited(planned: Plan) -> list[str]:
    """The accounts that a commit debits and that may not owe."""
    return [
        str(account)
        for account, cents in planned.changes.items()
        if cents < 0 and not account.kind.may_owe
    ]


def _many(cursor: psycopg.Cursor[Row], statement: str, rows: Sequence[Row]) -> None:
    """Write rows of one table, all together where possible."""
    if len(rows) > 1 and statement.startswith("INSERT"):
        cursor.execute(sql.many(statement), (sql.rows_json(statement, rows),))
    else:
        for row in rows:
            cursor.execute(sql.translated(statement), row)


def finish(connection: Connection) -> None:
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
        if connection.closed or _ends_session(error):
            connection.close()
            raise Unknown(
                f"The connection to the database was lost during a commit: {error}."
            ) from error
        raise


def _ends_session(error: psycopg.Error) -> bool:
    """Whether an error is not about a statement, so that the COMMIT may have been carried out.

    A server that ends a session says so after the COMMIT too, before it closes the connection; and
    then the client may only say that it cannot go on.
    """
    if isinstance(error, psycopg.errors.PipelineAborted):
        return False
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return error.diag.severity_nonlocalized != "ERROR"


def _check_committed(done: psycopg.Cursor[Row]) -> None:
    if done.statusmessage != "COMMIT":
        raise Unavailable("The database rolled the transaction back.")


def roll_back(connection: Connection) -> None:
    """End a transaction that was not committed."""
    try:
        if not connection.closed:
            connection.rollback()
    except psycopg.Error:
        # The server itself rolls back what a closed connection has begun.
        connection.close()
