"""The store's own check finds whatever is not as the migrations make it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.storage.opening import open_store
from openfelt.storage.sqlite import SqliteStore
from tests.kit.postgres_server import PostgresServer


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


CHANGES = {
    "index events_by_command": (
        "DROP INDEX events_by_command; CREATE INDEX events_by_command ON events (stream)"
    ),
    "table evil": "CREATE TABLE evil (a int)",
    "view evil": "CREATE VIEW evil AS SELECT 1",
    "column balances.x": "ALTER TABLE balances ADD COLUMN x text DEFAULT 'a'",
    "column streams.fence": "ALTER TABLE streams ALTER COLUMN fence SET DEFAULT 7",
    "column balances.cents": "ALTER TABLE balances ALTER COLUMN cents TYPE numeric",
    "column transfers.number": "ALTER TABLE transfers ALTER COLUMN number DROP IDENTITY",
    "column events.body": "ALTER TABLE events ALTER COLUMN body DROP NOT NULL",
    "constraint events_pkey": "ALTER TABLE events DROP CONSTRAINT events_pkey",
    "policy answers.hidden": (
        "ALTER TABLE answers ENABLE ROW LEVEL SECURITY;"
        " CREATE POLICY hidden ON answers USING (false)"
    ),
    "table answers": "ALTER TABLE answers FORCE ROW LEVEL SECURITY",
    "table balances": (
        "ALTER TABLE balances RENAME TO b2; CREATE VIEW balances AS SELECT account, cents FROM b2"
    ),
    "table events": "ALTER TABLE events SET UNLOGGED",
    "rule transfers.evil": (
        "CREATE RULE evil AS ON INSERT TO transfers DO ALSO"
        " UPDATE balances SET cents = cents + 1 WHERE account = 'wallet:cat'"
    ),
    "child transfers.evil": "CREATE SCHEMA s; CREATE TABLE s.evil () INHERITS (transfers)",
    "sequence transfers_number_seq": "ALTER SEQUENCE transfers_number_seq INCREMENT 2",
    "function evil": "CREATE FUNCTION evil() RETURNS int LANGUAGE sql AS 'SELECT 1'",
}
"""By what is reported, what was done."""


def test_everything_in_the_catalog_is_compared(postgres: PostgresServer) -> None:
    url = postgres.fresh_database()
    open_store(url).close()
    template = url.partition(":///")[2].partition("?")[0]
    for number, (part, statements) in enumerate(CHANGES.items()):
        name = f"schema_{template}_{number}"
        postgres.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        changed = postgres.url_of(name)
        with closing(open_store(changed)) as store:
            assert store.integrity().faults == ()
            for statement in statements.split(";"):
                postgres.run(statement, url=changed)
            faults = store.integrity().faults
            assert any(part in fault for fault in faults), (part, faults)
