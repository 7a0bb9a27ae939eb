"""Whatever is not as the migrations make it is found in the catalog of PostgreSQL."""

from contextlib import closing

from openfelt.storage.opening import open_store
from tests.kit.postgres_server import PostgresServer

CHANGES = {
    "index events_by_command": (
        "DROP INDEX events_by_command; CREATE INDEX events_by_command ON events (stream)"
    ),
    "table evil": "CREATE TABLE evil (a int)",
    "view seen": "CREATE VIEW seen AS SELECT 1",
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
    with closing(open_store(url)) as store:
        assert store.integrity().faults == ()
        for statement in ";".join(CHANGES.values()).split(";"):
            postgres.run(statement, url=url)
        faults = store.integrity().faults
        found = {part for part in CHANGES for fault in faults if part in fault.split(" is ")[0]}
        assert found == set(CHANGES)


def test_a_view_in_the_place_of_a_table(postgres: PostgresServer) -> None:
    url = postgres.fresh_database()
    with closing(open_store(url)) as store:
        postgres.run("ALTER TABLE balances RENAME TO b2", url=url)
        postgres.run("CREATE VIEW balances AS SELECT account, cents FROM b2", url=url)
        faults = store.integrity().faults
    assert {"the table balances is missing or changed", "there is another table b2"} <= set(faults)
