"""The store in one SQLite file: one machine, any number of threads and processes.

Writes go through one connection under a lock. Reads have connections of their own, which
the write-ahead log lets read while another writes.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from openfelt.storage import migrations, statements
from openfelt.storage.door import Head, StoreError, Unavailable, Unknown
from openfelt.storage.planning import Plan, Rows, check_balances, rows_of, rule_set_rows
from openfelt.storage.rows import Row, stream_head
from openfelt.storage.sql_store import SqlStore
from openfelt.storage.sqlite.errors import plain, primary_code

BUSY_MS = 5000
"""How long a write waits for another program's write."""

_READERS_MAX = 8
"""How many idle connections are kept for reading."""

PRIVATE_MODE = 0o600
"""A database holds cards that nobody has seen yet and hashes of passwords: it is its owner's."""

_BAD_VALUES = (OverflowError, UnicodeError)
"""What Python raises for a value that no column can hold."""


def clock_ms() -> int:
    """The time of this machine, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class SqliteStore(SqlStore):
    """A store in one file, made where it is missing.

    >>> from contextlib import closing
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, closing(SqliteStore(Path(folder) / "a.db")) as store:
    ...     store.head("table-1").version
    0
    """

    def __init__(
        self, path: Path | str, *, now_ms: Callable[[], int] = clock_ms, busy_ms: int = BUSY_MS
    ) -> None:
        """Open the file, and bring its tables up to date.

        ``now_ms`` is the clock of leases. Raises Unavailable, NewerSchema or NotOpenfelt.
        """
        if str(path) == ":memory:":
            raise StoreError("The store needs a file: what is in memory only is lost with it.")
        self._path = Path(path)
        self._file: tuple[int, int] | None = None
        """Which file was opened; another one may be found under its name later."""
        self._now_ms = now_ms
        self._busy_ms = busy_ms
        self._lock = threading.Lock()
        self._writer: sqlite3.Connection | None = None
        self._readers: list[sqlite3.Connection] = []
        self._closed = False
        try:
            self._migrate()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._closed = True
            if self._writer is not None:
                self._writer.close()
                self._writer = None
        self._close_readers()

    # Running statements

    def _commit(self, planned: Plan) -> dict[str, Head]:
        with self._transaction() as connection:
            rows = rows_of(planned, _heads(connection, planned.streams))
            _write_rows(connection, planned, rows)
        return rows.heads

    def _read(self, statement: str, values: Sequence[object]) -> list[Row]:
        try:
            connection = self._reader()
            try:
                found = connection.execute(statement, values).fetchall()
            except BaseException:
                connection.close()
                raise
        except (sqlite3.Error, *_BAD_VALUES) as error:
            raise plain(error, self._path) from error
        if len(self._readers) < _READERS_MAX:
            self._readers.append(connection)
        else:
            connection.close()
        if self._closed:
            # The store was closed meanwhile, and did not see this connection.
            self._close_readers()
        return found

    def _write(self, statement: str, values: Sequence[object]) -> list[Row]:
        with self._transaction() as connection:
            return connection.execute(statement, values).fetchall()

    def _now(self) -> tuple[str, tuple[int, ...]]:
        return "?", (self._now_ms(),)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is committed at the end, or rolled back whole."""
        with self._lock:
            try:
                connection = self._writing_connection()
                try:
                    connection.execute("BEGIN IMMEDIATE")
                    yield connection
                    self._finish(connection)
                except BaseException:
                    self._roll_back(connection)
                    raise
            except (sqlite3.Error, *_BAD_VALUES) as error:
                raise plain(error, self._path) from error

    def _finish(self, connection: sqlite3.Connection) -> None:
        try:
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            # A log that could not be brought to the disk may yet be there after a loss of power.
            if primary_code(error) == sqlite3.SQLITE_IOERR:
                raise Unknown(str(plain(error, self._path))) from error
            raise

    def _roll_back(self, connection: sqlite3.Connection) -> None:
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            # Closing rolls back as well, and the next write begins with a new connection.
            self._writer = None
            with suppress(sqlite3.Error):
                connection.close()

    # Connections

    def _writing_connection(self) -> sqlite3.Connection:
        self._check_there()
        if self._writer is None:
            self._writer = self._connect()
        return self._writer

    def _reader(self) -> sqlite3.Connection:
        self._check_there()
        # Taking from a list and adding to it are single steps to other threads.
        with suppress(IndexError):
            return self._readers.pop()
        connection = self._connect()
        connection.execute("PRAGMA query_only = 1")
        return connection

    def _check_there(self) -> None:
        """Refuse to go on with a file that is gone: what is written to it would be lost."""
        if self._closed:
            raise Unavailable(f"The store is closed: {self._path}.")
        if self._file is not None and self._file != _file_at(self._path):
            raise Unavailable(f"The database is not in its place any more: {self._path}.")

    def _close_readers(self) -> None:
        with suppress(IndexError):
            while True:
                self._readers.pop().close()

    def _connect(self) -> sqlite3.Connection:
        # A file that has gone meanwhile is not made again: it would be an empty one.
        connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=0,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.execute(f"PRAGMA busy_timeout = {self._busy_ms}")
            # What is committed is on the disk; on a Mac that needs the second line too.
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA fullfsync = 1")
        except BaseException:
            connection.close()
            raise
        return connection

    def _write_ahead(self, connection: sqlite3.Connection) -> None:
        """Turn the write-ahead log on, which SQLite does not wait for by itself."""
        for attempt in range(self._busy_ms // 10 + 1):
            if attempt:
                time.sleep(1 / 100)
            try:
                ((mode,),) = connection.execute("PRAGMA journal_mode = WAL").fetchall()
            except sqlite3.OperationalError as error:
                if primary_code(error) != sqlite3.SQLITE_BUSY:
                    raise
                continue
            if mode != "wal":
                raise Unavailable(f"The file system cannot hold a write-ahead log: {self._path}.")
            return
        raise Unavailable(f"Another program has locked the database: {self._path}.")

    def _migrate(self) -> None:
        try:
            _make(self._path)
            connection = self._writing_connection()
            self._file = _file_at(self._path)
            # Somebody else's database is recognised before anything of it is changed.
            found = migrations.schema_of(_Database(connection))
            self._write_ahead(connection)
        except sqlite3.Error as error:
            raise plain(error, self._path) from error
        if found < migrations.KNOWN:
            with self._transaction() as connection:
                migrations.migrate(_Database(connection), migrations.SQLITE)


def _make(path: Path) -> None:
    """Make an empty file where there is none, for its owner alone.

    SQLite gives its log and its index the mode of the file itself.
    """
    with suppress(OSError):
        # Where it cannot be made, SQLite is about to say why. A file that is there is not even
        # opened: closing it would give up the locks that another store here may have on it.
        wanted = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        os.close(os.open(path.resolve(), wanted, PRIVATE_MODE))


def _file_at(path: Path) -> tuple[int, int] | None:
    """Which file is found under a name, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class _Database:
    """A connection as migrations see it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def tables(self) -> list[str]:
        found = self.run(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%'"
            " ESCAPE '\\'"
        )
        return [str(name) for (name,) in found]

    def run(self, statement: str) -> list[Row]:
        return self._connection.execute(statement).fetchall()


def _heads(connection: sqlite3.Connection, streams: Sequence[str]) -> dict[str, Head]:
    """Where these streams end, of those that there are."""
    found = (connection.execute(statements.HEAD, (stream,)).fetchone() for stream in streams)
    return dict(stream_head(row) for row in found if row is not None)


def _write_rows(connection: sqlite3.Connection, planned: Plan, rows: Rows) -> None:
    """Write a commit's rows, the balances first: they are what may be refused."""
    balances = {}
    for account, cents in planned.changes.items():
        changed = connection.execute(statements.BALANCE_CHANGED, (str(account), cents))
        ((_, balances[account]),) = changed.fetchall()
    check_balances(planned, balances)
    if planned.commit.rule_sets:
        connection.executemany(statements.NEW_RULE_SET, rule_set_rows(planned.commit))
    for statement, values in rows.writes():
        if len(values) == 1:
            connection.execute(statement, values[0])
        else:
            connection.executemany(statement, values)
