"""The rows of a PostgreSQL database, read at one moment and written in one transaction."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg import sql as names

from openfelt.storage import migrations
from openfelt.storage.backup.manifest import BackupError, Progress
from openfelt.storage.backup.sqlite_files import NO_LEASES, own_tables
from openfelt.storage.balances.balance_door import NUMBER_END
from openfelt.storage.postgres.errors import plain
from openfelt.storage.postgres.postgres_database import PostgresDatabase
from openfelt.storage.postgres.statements import (
    LOCK,
    LOCK_SESSION,
    MIGRATING,
    NO_STATEMENT_LIMIT,
    RESTORING,
)
from openfelt.storage.sql.rows import Row
from openfelt.storage.sqlite.sqlite_database import SqliteDatabase

ROWS_AT_ONCE: Final = 2000
_APPLICATION: Final = "openfelt-backup"
"""A different name from that of servers, which end their own stalled sessions."""
_NO_IDLE_LIMIT: Final = b"SET LOCAL idle_in_transaction_session_timeout = 0"
_ONE_MOMENT: Final = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_COLUMNS: Final = (
    b"SELECT column_name, is_identity FROM information_schema.columns"
    b" WHERE table_schema = current_schema() AND table_name = %s ORDER BY ordinal_position"
)
_UNFINISHED: Final = "COMMENT ON TABLE streams IS 'openfelt restore of {} is not finished'"
_FINISHED: Final = "COMMENT ON TABLE streams IS NULL"
_COMMENT: Final = "SELECT obj_description(CAST('streams' AS regclass), 'pg_class')"


@contextmanager
def reading(url: str) -> Iterator[PostgresDatabase]:
    """A database, in one transaction that sees one moment of it."""
    with _transaction(url, _ONE_MOMENT) as database:
        yield database


@contextmanager
def _transaction(url: str, begin: bytes) -> Iterator[PostgresDatabase]:
    try:
        with psycopg.connect(url, autocommit=True, application_name=_APPLICATION) as connection:
            connection.execute(begin)
            connection.execute(NO_STATEMENT_LIMIT)
            connection.execute(_NO_IDLE_LIMIT)
            yield PostgresDatabase(connection)
            connection.execute(b"COMMIT")
    except psycopg.Error as error:
        raise plain(error) from error


def copy_out(
    source: PostgresDatabase, target: SqliteDatabase, progress: Progress | None = None
) -> None:
    """Copy every row into an empty SQLite database, which gets the same schema."""
    schema = migrations.schema_of(source)
    if not schema:
        raise BackupError("The database is empty.")
    target.run("BEGIN")
    migrations.migrate(target, migrations.SQLITE, up_to=schema)
    tables = own_tables(source)
    done, total = 0, _row_count(source, tables)
    for table in tables:
        columns = [name for name, _ in _columns(source, table)]
        gaps = ", ".join("?" * len(columns))
        insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({gaps})"  # noqa: S608
        with source.connection.cursor(name="backup") as cursor:
            cursor.itersize = ROWS_AT_ONCE
            cursor.execute(_select(table, columns))
            while page := cursor.fetchmany(ROWS_AT_ONCE):
                target.connection.executemany(insert, page)
                done += len(page)
                if progress is not None:
                    progress(done, total)
    target.run("COMMIT")
    # What opens it later need not change the file for that.
    target.run("PRAGMA journal_mode = WAL")


@contextmanager
def filling(url: str) -> Iterator[PostgresDatabase]:
    """An empty database, in a transaction that is committed at the end, or not at all."""
    with _transaction(url, b"BEGIN") as database:
        database.connection.execute(LOCK, (MIGRATING,))
        check_empty(database)
        yield database


def copy_in(
    source: SqliteDatabase, target: PostgresDatabase, progress: Progress | None = None
) -> None:
    """Copy every row of a SQLite database into an empty one, but no lease."""
    migrations.migrate(target, migrations.POSTGRES, up_to=migrations.schema_of(source))
    tables = own_tables(source)
    done, total = 0, _row_count(source, tables)
    for table in tables:
        columns = _columns(target, table)
        for page in _pages(source, table, [name for name, _ in columns]):
            _write(target, table, columns, page)
            done += len(page)
            if progress is not None:
                progress(done, total)
        _go_on_numbering(target, table, columns)
    target.run(NO_LEASES)


def add_missing(
    source: SqliteDatabase,
    url: str,
    tables: Sequence[str],
    then: str,
    progress: Progress | None = None,
) -> None:
    """Add the rows of some tables that a database lacks, and run a statement, or do nothing."""
    done, total = 0, _row_count(source, tables)
    with _transaction(url, b"BEGIN") as target:
        for table in tables:
            columns_there = {row[1] for row in source.run(f"PRAGMA table_info({table})")}
            columns = [name for name, _ in _columns(target, table) if name in columns_there]
            statement = names.SQL(
                "INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE VALUES ({}) ON CONFLICT DO NOTHING"
            ).format(
                names.Identifier(table),
                names.SQL(", ").join(map(names.Identifier, columns)),
                names.SQL(", ").join(names.Placeholder() * len(columns)),
            )
            for page in _pages(source, table, columns):
                with target.connection.cursor() as cursor:
                    cursor.executemany(statement, page)
                done += len(page)
                if progress is not None:
                    progress(done, total)
        target.run(then)


def _row_count(source: PostgresDatabase | SqliteDatabase, tables: Sequence[str]) -> int:
    """The number of rows of all these tables together."""
    return sum(source.run(f"SELECT count(*) FROM {table}")[0][0] for table in tables)  # noqa: S608


def check_empty(target: PostgresDatabase) -> None:
    """Refuse a database that has tables."""
    if tables := target.tables():
        raise BackupError(
            f"The database is not empty: it has a table {min(tables)}. Nothing is overwritten; "
            "name a new database."
        )


# Unfinished restores ---------------------------------------------------------


@contextmanager
def restoring(url: str) -> Iterator[None]:
    """Keep other processes from restoring into a database; raises BackupError where one does.

    The server ends this when the process ends.
    """
    try:
        with psycopg.connect(url, autocommit=True, application_name=_APPLICATION) as connection:
            if connection.execute(LOCK_SESSION, (RESTORING,)).fetchone() != (True,):
                raise BackupError("Another process is restoring into this database.")
            yield
    except psycopg.Error as error:
        raise plain(error) from error


def mark_unfinished(target: PostgresDatabase, sha256: str) -> None:
    """Note in a database that all rows of a backup are there, but the restore is not finished."""
    target.run(_UNFINISHED.format(sha256))


def mark_finished(url: str) -> None:
    """Remove this note."""
    with _transaction(url, b"BEGIN") as database:
        database.run(_FINISHED)


def is_unfinished(target: PostgresDatabase, sha256: str) -> bool:
    """Whether a restore of the backup with this SHA-256 was interrupted after its rows."""
    if "streams" not in target.tables():
        return False
    return f"COMMENT ON TABLE streams IS '{target.run(_COMMENT)[0][0]}'" == _UNFINISHED.format(
        sha256
    )


def _columns(database: PostgresDatabase, table: str) -> list[tuple[str, bool]]:
    """The columns of a table, and whether the database numbers them."""
    result = database.connection.execute(_COLUMNS, (table,)).fetchall()
    return [(str(name), identity == "YES") for name, identity in result]


def _select(table: str, columns: list[str]) -> names.Composed:
    chosen = names.SQL(", ").join(map(names.Identifier, columns))
    return names.SQL("SELECT {} FROM {}").format(chosen, names.Identifier(table))


def _pages(source: SqliteDatabase, table: str, columns: list[str]) -> Iterator[list[Row]]:
    cursor = source.connection.execute(f"SELECT {', '.join(columns)} FROM {table}")  # noqa: S608
    while page := cursor.fetchmany(ROWS_AT_ONCE):
        yield page


def _write(
    target: PostgresDatabase, table: str, columns: list[tuple[str, bool]], page: list[Row]
) -> None:
    chosen = names.SQL(", ").join(names.Identifier(name) for name, _ in columns)
    statement = names.SQL("COPY {} ({}) FROM STDIN").format(names.Identifier(table), chosen)
    with target.connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in page:
            copy.write_row(row)


def _go_on_numbering(target: PostgresDatabase, table: str, columns: list[tuple[str, bool]]) -> None:
    """Let the database number new rows after those that were copied."""
    for name, identity in columns:
        if identity:
            target.run(
                f"SELECT setval(pg_get_serial_sequence('{table}', '{name}'),"  # noqa: S608
                f" (SELECT coalesce(max({name}), 0) + 1 FROM {table}"
                f" WHERE {name} < {NUMBER_END}), false)"
            )
