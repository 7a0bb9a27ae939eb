"""The store in one SQLite file: one machine, any number of threads and processes.

Writes go through one connection under a lock. Reads use separate connections, which the write-ahead
log allows to read during a write.
"""

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from pathlib import Path

from openfelt.ledger import Account
from openfelt.storage import migrations
from openfelt.storage.balances.balance_door import NUMBER_END
from openfelt.storage.door import Head, StoreError, Unavailable, Unknown
from openfelt.storage.inspection.interface import Integrity
from openfelt.storage.keyring import Keyring
from openfelt.storage.sql import statements
from openfelt.storage.sql.commit_plan import Plan, Rows, check_balances, rows_of, rule_set_rows
from openfelt.storage.sql.rows import Row, stream_head, text_fault
from openfelt.storage.sql.sql_store import SqlStore
from openfelt.storage.sqlite.errors import plain, primary_code
from openfelt.storage.sqlite.sqlite_database import SqliteDatabase
from openfelt.storage.sqlite.watched_files import WatchedFiles
from openfelt.storage.streams.code_changes import Run

BUSY_MS = 5000
"""How long a write waits for another process's write."""

_READERS_MAX = 8
"""How many idle connections are kept for reading."""
_BALANCES_AT_ONCE = tuple(
    (size, statements.BALANCES_CHANGED.format(values=", ".join(["(?, ?)"] * size)))
    for size in (100, 10, 2, 1)
)
"""How many balances one statement changes; few sizes, so that SQLite keeps the statements. A bet
changes two: those of the seat and of the felt."""

PRIVATE_MODE = 0o600
"""Only the owner may read a database: it holds undealt cards and password hashes."""

_SIZES = (
    "SELECT coalesce(tbl_name, name), sum(pgsize) FROM dbstat LEFT JOIN sqlite_schema USING (name)"
    " GROUP BY 1"
)
_INTEGRITY_CHECK = "PRAGMA integrity_check(50)"
# Only SQLite itself makes indexes without a statement, and statistics.
_SCHEMA = (
    "SELECT type, name, sql FROM sqlite_schema WHERE NOT (type = 'index' AND sql IS NULL)"
    " AND NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat3', 'sqlite_stat4'))"
)

_TEXT = partial(str, encoding="utf-8", errors="surrogateescape")
"""The decoding of the file's bytes to text."""

_BAD_VALUES = (OverflowError, UnicodeError)
"""Errors that Python raises for a value that no column can store."""

_LOG_HEADER_BYTES = 32
_FRAME_HEADER_BYTES = 24
"""The headers of a write-ahead log and of each page in it."""

logger = logging.getLogger(__name__)


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

        ``now_ms`` is the clock of leases; ``keyring`` encrypts secrets, by default the one that the
        environment names. Raises Unavailable, NewerSchema or NotOpenfelt.
        """
        if str(path) == ":memory:":
            raise StoreError(
                "The store needs a file: a database in memory would be lost when the process ends."
            )
        super().__init__(keyring)
        self._path = Path(path)
        self._files = WatchedFiles(self._path)
        self._holder: sqlite3.Connection | None = None
        """Holds the log open as long as the store is: SQLite removes it with the last connection,
        so a log that disappears before that was removed by another program."""
        self._rescue = threading.Lock()
        self._rescued = False
        self._now_ms = now_ms
        self._busy_ms = busy_ms
        self._lock = threading.Lock()
        self._writer: sqlite3.Connection | None = None
        self._readers: list[sqlite3.Connection] = []
        self._closed = False
        self._doubtful = False
        """Whether the log may hold a commit that could not be synced."""
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
        if self._holder is not None:
            self._holder.close()
            self._holder = None

    # Running statements

    def _commit(self, planned: Plan) -> dict[str, Head]:
        with self._transaction() as connection:
            rows = rows_of(planned, _heads(connection, planned.streams))
            _write_rows(connection, planned, rows)
        return rows.heads

    def wait_for_writers(self, stream: str) -> None:  # noqa: ARG002 (there is one lock for all)
        """Return once no commit is under way: the file has one writer at a time."""
        with self._transaction():
            pass

    def _read(self, statement: str, values: Sequence[object]) -> list[Row]:
        try:
            connection = self._reader()
            try:
                result = connection.execute(statement, _bindable(values)).fetchall()
            except BaseException:
                connection.close()
                raise
        except (sqlite3.Error, *_BAD_VALUES) as error:
            raise plain(error) from error
        if len(self._readers) < _READERS_MAX:
            self._readers.append(connection)
        else:
            connection.close()
        if self._closed:
            # The store was closed in the meantime, and missed this connection.
            self._close_readers()
        return result

    def _write(self, statement: str, values: Sequence[object]) -> list[Row]:
        with self._transaction() as connection:
            return connection.execute(statement, values).fetchall()

    def _write_many(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        with self._transaction() as connection:
            connection.executemany(statement, rows)

    def _location(self) -> str:
        return str(self._path.resolve())

    def _server_id(self) -> str:
        return self._location()

    def _together(
        self,
        work: Callable[[Run], None],
        *,
        alone: bool = False,  # noqa: ARG002 (a write is always alone)
    ) -> None:
        with self._transaction() as connection:
            work(
                lambda statement, values: connection.execute(
                    statement, _bindable(values)
                ).fetchall()
            )

    def scrub(self, *, thoroughly: bool = False) -> None:
        """Overwrite what removed or reencrypted secrets have left behind in the file and its log.

        SQLite overwrites what is deleted, because ``secure_delete`` is on. That was not so in
        earlier versions, and only rewriting the file removes what they left.
        """
        with self._lock:
            try:
                connection = self._writing_connection()
                if thoroughly:
                    connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                self._files.accept_sizes()
            except sqlite3.Error as error:
                raise plain(error) from error

    def integrity(self) -> Integrity:
        """SQLite's own check of the whole file, and of its tables, indexes and triggers."""
        faults = [str(line) for (line,) in self._read(_INTEGRITY_CHECK, ()) if line != "ok"]
        wanted, actual = _expected_schema(), set(self._read(_SCHEMA, ()))
        faults += [f"the {kind} {name} is missing or changed" for kind, name, _ in wanted - actual]
        faults += [f"there is another {kind} {name}" for kind, name, _ in actual - wanted]
        return Integrity(tuple(sorted(faults)))

    def sizes(self) -> dict[str, int]:
        """How many bytes each table of the file takes, with its indexes."""
        return {str(name): int(size) for name, size in self._read(_SIZES, ())}

    def _now(self) -> tuple[str, tuple[int, ...]]:
        return "?", (self._now_ms(),)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is committed at the end, or rolled back as a whole."""
        with self._lock:
            try:
                connection = self._writing_connection()
                self._write_over_lost_commit(connection)
                try:
                    connection.execute("BEGIN IMMEDIATE")
                    yield connection
                    self._finish(connection)
                except BaseException:
                    self._roll_back(connection)
                    raise
            except (sqlite3.Error, *_BAD_VALUES) as error:
                raise plain(error) from error

    def _finish(self, connection: sqlite3.Connection) -> None:
        try:
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            # A log that could not be synced may still be on disk after a power failure.
            if primary_code(error) == sqlite3.SQLITE_IOERR:
                self._doubtful = True
                raise Unknown(str(plain(error))) from error
            raise
        # A commit to a file that has since been removed must not be reported as done.
        if (problem := self._problem(writing=True)) is not None:
            raise Unknown(problem)

    def _write_over_lost_commit(self, connection: sqlite3.Connection) -> None:
        """Write over a commit that could not be synced, before anything is read or written.

        Its pages may lie in the log, and would be taken for a commit after a crash: a command could
        then have been refused in the meantime. The next pages go to the same place.
        """
        if self._doubtful:
            ((number,),) = connection.execute("PRAGMA user_version").fetchall()
            # Unlike a row, this is written even if it does not change.
            connection.execute(f"PRAGMA user_version = {int(number)}")
            self._doubtful = False

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
        self._check_there(writing=True)
        if self._writer is None:
            self._writer = self._connect()
        return self._writer

    def _reader(self) -> sqlite3.Connection:
        self._check_there()
        if self._doubtful:
            with self._lock:
                self._write_over_lost_commit(self._writing_connection())
        # list.pop and list.append are atomic to other threads.
        with suppress(IndexError):
            return self._readers.pop()
        connection = self._connect()
        connection.execute("PRAGMA query_only = 1")
        return connection

    def _check_there(self, *, writing: bool = False) -> None:
        """Refuse to use files that are gone: what is written to them would be lost."""
        if self._closed:
            raise Unavailable("The store is closed.")
        if (problem := self._problem(writing=writing)) is not None:
            raise Unavailable(problem)

    def _problem(self, *, writing: bool) -> str | None:
        """The damage that another program has done to the files, None if they are intact."""
        problem, shrunk = self._files.check(writing=writing)
        if problem is None and shrunk and not self._whole():
            problem = "The database or its write-ahead log has been cut short"
        if problem is None:
            return None
        if self._files.log_lost:
            self._save_log()
        return f"{problem}."

    def _whole(self) -> bool:
        """Whether files that have shrunk hold all pages, as after a VACUUM of another program."""
        if self._files.sizes()[0] == 0:
            # SQLite would take it for a new database, and remove the log.
            return False
        try:
            with closing(self._connect()) as connection:
                connection.execute("SELECT 1 FROM streams LIMIT 1").fetchall()
                ((page_bytes,),) = connection.execute("PRAGMA page_size").fetchall()
                ((pages,),) = connection.execute("PRAGMA page_count").fetchall()
                # New pages may still be in the log alone, if another program has emptied it before.
                if self._files.database_shrunk and pages * page_bytes > self._files.sizes()[0]:
                    return False
                # Only now: it would fill a file that was cut with zeros.
                ((_, frames, _),) = connection.execute("PRAGMA wal_checkpoint").fetchall()
        except sqlite3.Error:
            return False
        frame_bytes = _FRAME_HEADER_BYTES + page_bytes
        log_bytes = _LOG_HEADER_BYTES + frames * frame_bytes if frames > 0 else 0
        if log_bytes > self._files.sizes()[1]:
            return False
        self._files.accept_sizes()
        return True

    def _save_log(self) -> None:
        """Write a lost log, which is still open here, into the database before it is too late."""
        with self._rescue:
            if self._rescued or self._holder is None or self._files.log_replaced:
                return
            self._rescued = True
            try:
                ((_, frames, written),) = self._holder.execute("PRAGMA wal_checkpoint").fetchall()
            except sqlite3.Error as error:
                logger.critical("the lost write-ahead log cannot be saved: %s", plain(error))
                return
        if frames == written:
            logger.critical(
                "the write-ahead log is lost; all that it held is saved in the database file. "
                "Restart the server, and find out which program removes its files."
            )
        else:
            logger.critical("the write-ahead log is lost, and only a part of it could be saved")

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
        # Bytes that are not UTF-8 become surrogates: one such row must not hide the others.
        connection.text_factory = _TEXT
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
                raise Unavailable("The file system does not support a write-ahead log.")
            return
        raise Unavailable("Another program has locked the database.")

    def _migrate(self) -> None:
        try:
            _make(self._path)
            connection = self._writing_connection()
            self._files.opened()
            # A foreign database is recognised before anything in it is changed.
            schema = migrations.schema_of(SqliteDatabase(connection))
            self._write_ahead(connection)
            self._holder = self._connect()
            # Reading opens the log, and its index.
            self._holder.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
            self._files.logging()
        except (sqlite3.Error, *_BAD_VALUES) as error:
            raise plain(error) from error
        if schema < migrations.KNOWN:
            with self._transaction() as connection:
                migrations.migrate(SqliteDatabase(connection), migrations.SQLITE)


def _make(path: Path) -> None:
    """Create an empty file if there is none, for its owner only.

    SQLite gives its log and its index the mode of the file.
    """
    with suppress(OSError):
        # If it cannot be created, SQLite reports why. An existing file is not even opened:
        # closing it would release the locks that another store of this process holds on it.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        os.close(os.open(path.resolve(), flags, PRIVATE_MODE))


@cache
def _expected_schema() -> set[Row]:
    """The schema of a new database."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrations.migrate(SqliteDatabase(connection), migrations.SQLITE)
        return set(connection.execute(_SCHEMA).fetchall())


def _bindable(values: Sequence[object]) -> Sequence[object]:
    """Values of a statement; text that is not UTF-8 goes back as the bytes that it was."""
    if all(type(value) is not str or value.isascii() for value in values):
        return values
    return [
        value.encode(errors="surrogateescape")
        if isinstance(value, str) and text_fault((value,))
        else value
        for value in values
    ]


def _heads(connection: sqlite3.Connection, streams: Sequence[str]) -> dict[str, Head]:
    """The heads of those of these streams that exist."""
    rows = (connection.execute(statements.HEAD, (stream,)).fetchone() for stream in streams)
    return dict(stream_head(row) for row in rows if row is not None)


def _change_balances(connection: sqlite3.Connection, planned: Plan) -> dict[Account, int]:
    """Change the balances of a commit, many in one statement; returns them as they are then."""
    names = {str(account): account for account in planned.changes}
    values = [(str(account), cents) for account, cents in planned.changes.items()]
    balances: dict[Account, int] = {}
    for size, statement in _BALANCES_AT_ONCE:
        while len(values) >= size:
            changed, values = values[:size], values[size:]
            result = connection.execute(statement, [part for pair in changed for part in pair])
            balances.update((names[name], cents) for name, cents in result.fetchall())
    return balances


def _numbered(connection: sqlite3.Connection, transfers: list[Row]) -> Iterator[Row]:
    """The rows of transfers with the numbers that follow on those in the file, one by one.

    No other connection writes until this transaction ends. The last number that there is may be
    asked for twice, and then the second row is refused.
    """
    ((first,),) = connection.execute(statements.NEXT_TRANSFER).fetchall()
    numbers: Iterable[int] = range(first, first + len(transfers))
    if first + len(transfers) > NUMBER_END:
        numbers = (min(number, NUMBER_END) for number in numbers)
    return ((number, *transfer) for number, transfer in zip(numbers, transfers, strict=True))


def _write_rows(connection: sqlite3.Connection, planned: Plan, rows: Rows) -> None:
    """Write a commit's rows, balances first, because only they may be refused."""
    check_balances(planned, _change_balances(connection, planned))
    if planned.commit.rule_sets:
        connection.executemany(statements.NEW_RULE_SET, rule_set_rows(planned.commit))
    for statement, values in rows.writes():
        if statement is statements.NEW_TRANSFER:
            numbered = _numbered(connection, values)
            connection.executemany(statements.NEW_NUMBERED_TRANSFER, numbered)
        elif len(values) == 1:
            connection.execute(statement, values[0])
        else:
            connection.executemany(statement, values)
