"""The store's own check of its schema, in a SQLite file."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.storage.sqlite import SqliteStore


@pytest.mark.parametrize("name", ["sqlite_evil", "sqlite_autoindex_evil", "sqlite_stat_evil"])
def test_a_trigger_under_a_name_of_sqlite_itself(tmp_path: Path, name: str) -> None:
    path = tmp_path / "felt.db"
    with closing(SqliteStore(path)) as store:
        assert store.integrity().faults == ()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        trigger = (
            f"CREATE TRIGGER {name} AFTER INSERT ON transfers BEGIN UPDATE balances"
            " SET cents = cents + 1 WHERE account = 'wallet:cat'; END"
        )
        connection.execute(
            "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)"
            " VALUES ('trigger', ?, 'transfers', 0, ?)",
            (name, trigger),
        )
    with closing(SqliteStore(path)) as store:
        assert f"there is another trigger {name}" in store.integrity().faults


def test_statistics_of_sqlite_are_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "felt.db"
    with closing(SqliteStore(path)) as store:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("ANALYZE")
        assert store.integrity().faults == ()
