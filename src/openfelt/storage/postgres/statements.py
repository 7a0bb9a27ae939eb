"""The shared statements in PostgreSQL's dialect, and those that only PostgreSQL needs."""

from collections.abc import Sequence
from functools import cache

import msgspec

from openfelt.storage.sql.rows import Row

BEGIN = b"BEGIN ISOLATION LEVEL READ COMMITTED"
COMMIT = b"COMMIT"
LOCK_STREAMS = (
    b"SELECT name, version, hash, at_ms, fence, code FROM streams"
    b" WHERE name = ANY(%s) ORDER BY name FOR UPDATE"
)
# A commit in one round trip cannot look at a result, so these two fail where they find otherwise;
# the text is what the server's log then says.
SAME_HEADS = (
    b"WITH locked AS MATERIALIZED (SELECT name, version, hash, at_ms, fence, code FROM streams"
    b" WHERE name = ANY(%s) ORDER BY name FOR UPDATE), same AS (SELECT 1 FROM locked"
    b" JOIN json_to_recordset(CAST(%s AS json)) AS known (name text, version bigint, hash text,"
    b" at_ms bigint, fence bigint, code text) USING (name, version, hash, at_ms, fence, code))"
    b" SELECT CAST(CASE WHEN (SELECT count(*) FROM same) = %s THEN '1'"
    b" ELSE 'a stream has moved on, so the commit is tried again under a lock' END AS integer)"
)
NONE_OVERDRAWN = (
    b"SELECT CAST(CASE WHEN EXISTS (SELECT 1 FROM balances WHERE account = ANY(%s) AND cents < 0)"
    b" OR EXISTS (SELECT 1 FROM balances WHERE account = ANY(%s) AND abs(cents) > %s)"
    b" THEN 'an account holds too little, so the commit is tried again under a lock'"
    b" ELSE '1' END AS integer)"
)
LOCK_BALANCES = (
    b"SELECT account, cents FROM balances WHERE account = ANY(%s) ORDER BY account FOR UPDATE"
)
ANSWERED = (
    b"SELECT 1 FROM events JOIN json_to_recordset(CAST(%s AS json))"
    b" AS asked (stream text, actor text, command text) USING (stream, actor, command)"
    b" WHERE digest <> '' LIMIT 1"
)
LOCK = b"SELECT pg_advisory_xact_lock(%s)"
LOCK_SESSION = b"SELECT pg_try_advisory_lock(%s)"
LOCK_ALL_STREAMS = b"LOCK TABLE streams IN EXCLUSIVE MODE"
LOCK_SHARED = b"SELECT pg_advisory_xact_lock_shared(%s)"
LAST_TRANSFER = b"SELECT coalesce(max(number), 0) FROM transfers"
STATEMENT_LIMIT = b"SELECT current_setting('statement_timeout')"
SET_STATEMENT_LIMIT = b"SELECT set_config('statement_timeout', %s, false)"
NO_STATEMENT_LIMIT = b"SET LOCAL statement_timeout = 0"
VACUUM_SECRETS = b"VACUUM secrets"
REWRITE_SECRETS = b"VACUUM FULL secrets"
TABLES = (
    "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p')"
    " AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
)
SIZES = (
    "SELECT relname::text, pg_total_relation_size(oid) FROM pg_class WHERE relkind IN ('r', 'p')"
    " AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
)
# The server's own limit for sessions that are idle in a transaction misses those that were left
# in the middle of a pipeline, or right after one. This statement applies the same limit to them.
CUT_OFF_SLEEPERS = b"""
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
        AND application_name = current_setting('application_name')
        AND xact_start IS NOT NULL AND wait_event = 'ClientRead'
        AND current_setting('idle_in_transaction_session_timeout') <> '0'
        AND state_change < clock_timestamp()
            - CAST(current_setting('idle_in_transaction_session_timeout') AS interval)
"""
# A copy made with pg_dump, or with CREATE DATABASE, has another one. One of the server's files has
# the same, and is told by its epoch.
SERVER_ID = (
    "SELECT system_identifier::text || '/' || current_schema() || '/' ||"
    " (SELECT oid::text FROM pg_database WHERE datname = current_database())"
    " FROM pg_control_system()"
)
CLOCK = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"
"""The database's time in milliseconds."""

# Keys of advisory locks. Any numbers would do; these spell OFLT followed by a digit.
MIGRATING = 0x4F464C5401
NUMBERING = 0x4F464C5402
RESTORING = 0x4F464C5403

_FROM_JSON = "SELECT * FROM json_to_recordset(CAST(%s AS json)) AS new_rows ({})"
_WHOLE = {"version", "schema", "at_ms", "cents"}


@cache
def translated(statement: str) -> bytes:
    """A shared statement with the placeholders of the driver.

    >>> translated("SELECT cents FROM balances WHERE account = ?")
    b'SELECT cents FROM balances WHERE account = %s'
    """
    return statement.replace("?", "%s").encode()


@cache
def many(statement: str) -> bytes:
    """A shared INSERT that takes all its rows as one JSON text, in order.

    The driver sends one long value much faster than many short ones.
    """
    names = _columns(statement)
    gaps = "VALUES (" + ", ".join("?" * len(names)) + ")"
    typed = (f"{name} {'bigint' if name in _WHOLE else 'text'}" for name in names)
    return statement.replace(gaps, _FROM_JSON.format(", ".join(typed))).encode()


def as_json(statement: str, rows: Sequence[Row]) -> str:
    """Rows as the statement of ``many`` takes them.

    >>> as_json("INSERT INTO balances (account, cents) VALUES (?, ?)", [("cash", 5)])
    '[{"account":"cash","cents":5}]'
    """
    names = _columns(statement)
    named = [dict(zip(names, row, strict=True)) for row in rows]
    return msgspec.json.encode(named).decode()


@cache
def _columns(statement: str) -> tuple[str, ...]:
    """The columns that an INSERT fills."""
    return tuple(statement[statement.index("(") + 1 : statement.index(")")].split(", "))
