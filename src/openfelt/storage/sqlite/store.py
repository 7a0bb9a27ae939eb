"""The store in one SQLite file: one machine, any number of threads and processes.

Writes go through one connection under a lock. Reads have connections of their own, which the
write-ahead log allows to read during a write.
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
from openfelt.storage.keyring import Keyring
from openfelt.storage.planning import Plan, Rows, check_balances, rows_of, rule_set_rows
from openfelt.storage.rows import Row, stream_head
from openfelt.storage.sql_store import SqlStore
from openfelt.storage.sqlite.errors import plain, primary_code

BUSY_MS = 5000
"""How long a write waits for another process's write."""

_READERS_MAX = 8
"""How many idle connections are kept for reading."""

PRIVATE_MODE = 0o600
"""Only the owner may read a database: it holds undealt cards and password hashes."""

_BAD_VALUES = (OverflowError, UnicodeError)
"""What Python raises for a value that no column can store."""


def clock_ms() -> int:
    """The time of this machine, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class SqliteStore(SqlStore):
    """A store in one file, which is created if it is missing.

    >>> from contextlib import closing
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, closing(SqliteStore(Path(folder) / "a.db")) as store:
    ...     store.head("table-1").version
    0
    """

    def __init__(
        self,
        path: Path | str,
        *,
        now_ms: Callable[[], int] = clock_ms,
        busy_ms: int = BUSY_MS,
        keyring: Keyring | None = None,
    ) -> None:
        """Open the file, and bring its tables up to date.

        ``now_ms`` is the clock of leases; ``keyring`` seals secrets, by default the one that the
        environment names. Raises Unavailable, NewerSchema or NotOpenfelt.
        """
        if str(path) == ":memory:":
            raise StoreError(
                "The store needs a file: a database in memory would be lost when the process ends."
            )
        super().__init__(keyring)
        self._path = Path(path)
        self._file: tuple[int, int] | None = None
        """The identity of the opened file; its name may later belong to another file."""
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
        """Close the file."""
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
                result = connection.execute(statement, values).fetchall()
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
            # The store was closed meanwhile, and missed this connection.
            self._close_readers()
        return result

    def _write(self, statement: str, values: Sequence[object]) -> list[Row]:
        with self._transaction() as connection:
            return connection.execute(statement, values).fetchall()

    def _write_many(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        with self._transaction() as connection:
            connection.executemany(statement, rows)

    def scrub(self, *, thoroughly: bool = False) -> None:
        """Overwrite what removed or resealed secrets have left behind in the file and its log.

        SQLite overwrites what is deleted, because ``secure_delete`` is on. That was not so in
        earlier versions, and only writing the file anew removes what they left.
        """
        with self._lock:
            try:
                connection = self._writing_connection()
                if thoroughly:
                    connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except sqlite3.Error as error:
                raise plain(error, self._path) from error

    def _now(self) -> tuple[str, tuple[int, ...]]:
        return "?", (self._now_ms(),)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is committed at the end, or rolled back as a whole."""
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
            # A log that could not be synced may still be on disk after a power failure.
            if primary_code(error) == sqlite3.SQLITE_IOERR:
                raise Unknown(str(plain(error, self._path))) from error
            raise

    def _roll_back(self, connection: sqlite3.Connection) -> None:
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            # Closing rolls back too, and the next write opens a new connection.
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
        # list.pop and list.append are atomic to other threads.
        with suppress(IndexError):
            return self._readers.pop()
        connection = self._connect()
        connection.execute("PRAGMA query_only = 1")
        return connection

    def _check_there(self) -> None:
        """Refuse to use a file that is gone: what is written to it would be lost."""
        if self._closed:
            raise Unavailable(f"The store is closed: {self._path}.")
        if self._file is not None and self._file != _file_at(self._path):
            raise Unavailable(f"The database file has been moved or replaced: {self._path}.")

    def _close_readers(self) -> None:
        with suppress(IndexError):
            while True:
                self._readers.pop().close()

    def _connect(self) -> sqlite3.Connection:
        # A file that is gone is not created again: it would be empty.
        connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=0,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.execute(f"PRAGMA busy_timeout = {self._busy_ms}")
            # What is committed is on disk; macOS needs fullfsync for that.
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA fullfsync = 1")
            # What is deleted is overwritten: it may have been the order of a deck.
            connection.execute("PRAGMA secure_delete = ON").fetchall()
        except BaseException:
            connection.close()
            raise
        return connection

    def _write_ahead(self, connection: sqlite3.Connection) -> None:
        """Turn the write-ahead log on; SQLite's busy timeout does not cover this."""
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
                raise Unavailable(
                    f"The file system does not support a write-ahead log: {self._path}."
                )
            return
        raise Unavailable(f"Another program has locked the database: {self._path}.")

    def _migrate(self) -> None:
        try:
            _make(self._path)
            connection = self._writing_connection()
            self._file = _file_at(self._path)
            # A foreign database is recognised before anything in it is changed.
            schema = migrations.schema_of(_Database(connection))
            self._write_ahead(connection)
        except sqlite3.Error as error:
            raise plain(error, self._path) from error
        if schema < migrations.KNOWN:
            with self._transaction() as connection:
                migrations.migrate(_Database(connection), migrations.SQLITE)


def _make(path: Path) -> None:
    """Create an empty file if there is none, for its owner only.

    SQLite gives its log and its index the mode of the file.
    """
    with suppress(OSError):
        # If it cannot be created, SQLite reports why. An existing file is not even opened:
        # closing it would release the locks that another store of this process holds on it.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        os.close(os.open(path.resolve(), flags, PRIVATE_MODE))


def _file_at(path: Path) -> tuple[int, int] | None:
    """The identity of the file at a path, None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class _Database:
    """A connection as migrations see it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def tables(self) -> list[str]:
        names = self.run(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%'"
            " ESCAPE '\\'"
        )
        return [str(name) for (name,) in names]

    def run(self, statement: str) -> list[Row]:
        return self._connection.execute(statement).fetchall()


def _heads(connection: sqlite3.Connection, streams: Sequence[str]) -> dict[str, Head]:
    """The heads of those of these streams that exist."""
    rows = (connection.execute(statements.HEAD, (stream,)).fetchone() for stream in streams)
    return dict(stream_head(row) for row in rows if row is not None)


def _write_rows(connection: sqlite3.Connection, planned: Plan, rows: Rows) -> None:
    """Write a commit's rows, balances first, because only they may be refused."""
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
