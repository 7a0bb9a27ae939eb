"""The shared statements in PostgreSQL's dialect, and those that only PostgreSQL needs."""

import re
from collections.abc import Sequence
from functools import cache

import msgspec

from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.sql import statements
from openfelt.storage.sql.rows import Row

# Keys of advisory locks. Any numbers would do; these spell OFLT followed by a digit.
MIGRATING = 0x4F464C5401
NUMBERING = 0x4F464C5402
RESTORING = 0x4F464C5403

BEGIN = b"BEGIN ISOLATION LEVEL READ COMMITTED"
COMMIT = b"COMMIT"
LOCK_STREAMS = (
    b"SELECT name, version, hash, at_ms, fence, code FROM streams"
    b" WHERE name = ANY(%s) ORDER BY name FOR UPDATE"
)
# A commit in one round trip cannot look at a result, so these two fail where they find otherwise;
# the text is what the server's log then says.
SAME_HEADS = (
    "WITH known AS MATERIALIZED (SELECT * FROM json_to_recordset(CAST(%s AS json)) AS known"
    " (name text, version bigint, hash text, at_ms bigint, fence bigint, code text)),"
    " locked AS MATERIALIZED (SELECT name, version, hash, at_ms, fence, code FROM streams"
    " WHERE name = ANY(ARRAY(SELECT name FROM known)) ORDER BY name FOR UPDATE),"
    " same AS (SELECT 1 FROM locked JOIN known USING (name, version, hash, at_ms, fence, code))"
    " SELECT CAST(CASE WHEN (SELECT count(*) FROM same) = (SELECT count(*) FROM known) THEN '1'"
    " ELSE 'a stream has moved on, so the commit is tried again under a lock' END AS integer)"
)
SAME_HEADS_NUMBERING = f"{SAME_HEADS}, pg_advisory_xact_lock_shared({NUMBERING})"
"""The same, with the lock for a commit that numbers transfers."""
_NONE_OVERDRAWN = (
    "SELECT CAST(CASE WHEN EXISTS"  # noqa: S608 (a number of our own)
    " (SELECT 1 FROM balances_rows WHERE cents < 0"
    " AND account = ANY(ARRAY(SELECT json_array_elements_text(CAST(%s AS json))))"
    f" OR abs(cents) > {LAST_NUMBER})"
    " THEN 'an account holds too little, so the commit is tried again under a lock'"
    " ELSE '1' END AS integer)"
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
LOCK_BRIEFLY = b"SET LOCAL lock_timeout = '1s'"
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

_FROM_JSON = "SELECT * FROM json_to_recordset(CAST(%s AS json)) AS new_rows ({})"
_STREAMS_MOVED = (
    "UPDATE streams SET version = new_rows.version, hash = new_rows.hash, at_ms = new_rows.at_ms,"
    " code = new_rows.code FROM json_to_recordset(CAST(%s AS json)) AS new_rows ({})"
    " WHERE streams.name = new_rows.name"
)
TOGETHER = {
    statements.BALANCE_CHANGED: "balances",
    statements.NEW_EVENT: "events",
    statements.NEW_TRANSFER: "transfers",
    statements.STREAM_MOVED: "streams",
}
"""The statements of nearly every commit, with their tables. They are sent as a single one: the
driver takes longer to send a statement than the server to carry it out."""
_WHOLE = {"version", "schema", "at_ms", "cents"}


@cache
def translated(statement: str) -> bytes:
    """A shared statement with the placeholders of the driver.

    >>> translated("SELECT cents FROM balances WHERE account = ?")
    b'SELECT cents FROM balances WHERE account = %s'
    """
    return statement.replace("?", "%s").encode()


@cache
def together(written: tuple[str, ...]) -> bytes:
    """Some statements of ``TOGETHER`` as one, which takes the rows of each as one JSON text.

    If it changes balances, it also takes the accounts that must not be overdrawn, and fails if one
    is, or if an account would hold more than there can be.
    """
    parts = [f"{TOGETHER[statement]}_rows AS ({many(statement).decode()})" for statement in written]
    ends = _NONE_OVERDRAWN if statements.BALANCE_CHANGED in written else "SELECT 1"
    return f"WITH {', '.join(parts)} {ends}".encode()


@cache
def many(statement: str) -> bytes:
    """A shared INSERT, or the UPDATE of heads, that takes all its rows as one JSON text, in order.

    The driver sends one long value much faster than many short ones.
    """
    names = _columns(statement)
    typed = ", ".join(f"{name} {'bigint' if name in _WHOLE else 'text'}" for name in names)
    if statement == statements.STREAM_MOVED:
        return _STREAMS_MOVED.format(typed).encode()
    gaps = "VALUES (" + ", ".join("?" * len(names)) + ")"
    return statement.replace(gaps, _FROM_JSON.format(typed)).encode()


def rows_json(statement: str, rows: Sequence[Row]) -> str:
    """Rows as the statement of ``many`` takes them.

    >>> rows_json("INSERT INTO balances (account, cents) VALUES (?, ?)", [("cash", 5)])
    '[{"account":"cash","cents":5}]'
    """
    names = _columns(statement)
    named = [dict(zip(names, row, strict=True)) for row in rows]
    return as_json(named)


def as_json(value: object) -> str:
    """A value as JSON, which the driver sends faster than several values or an array."""
    return msgspec.json.encode(value).decode()


@cache
def _columns(statement: str) -> tuple[str, ...]:
    """The columns of the values that a statement takes.

    >>> _columns("UPDATE balances SET cents = ? WHERE account = ?")
    ('cents', 'account')
    """
    if statement.startswith("UPDATE"):
        return tuple(re.findall(r"(\w+) = \?", statement))
    return tuple(statement[statement.index("(") + 1 : statement.index(")")].split(", "))
