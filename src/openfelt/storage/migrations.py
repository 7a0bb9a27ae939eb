"""The tables of a store, and the migrations that upgrade an older database.

A released step is never edited: a change is a new step at the end. The two SQL dialects differ
in a few words only, so each step is written once, with placeholders for them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from openfelt.storage.door import Damaged, NewerSchema, NotOpenfelt

VERSIONS_TABLE = "openfelt_schema"
"""The table that lists the steps a database has been through."""

SQLITE: Mapping[str, str] = {
    "text": "TEXT NOT NULL",
    "text_or_null": "TEXT",
    "whole": "INTEGER NOT NULL",
    "numbered": "INTEGER PRIMARY KEY",
    # Rows that are mostly key are stored in the key's B-tree; those with long bodies are not.
    "by_key": "STRICT, WITHOUT ROWID",
    "by_row": "STRICT",
}
"""SQLite's words for the placeholders. STRICT makes it enforce column types."""

POSTGRES: Mapping[str, str] = {
    # Names are compared by code point, as in Python and SQLite.
    "text": 'TEXT COLLATE "C" NOT NULL',
    "text_or_null": 'TEXT COLLATE "C"',
    "whole": "BIGINT NOT NULL",
    "numbered": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "by_key": "",
    "by_row": "",
}
"""PostgreSQL's words for the placeholders."""

_STEPS = "CREATE TABLE IF NOT EXISTS openfelt_schema (version {whole} PRIMARY KEY) {by_row}"
_STEPS_DONE = "SELECT version FROM openfelt_schema ORDER BY version"
_STEP_DONE = "INSERT INTO openfelt_schema (version) VALUES ({})"

_FIRST = (
    """CREATE TABLE streams (
        name {text} PRIMARY KEY,
        version {whole} DEFAULT 0,
        hash {text},
        at_ms {whole} DEFAULT 0,
        fence {whole} DEFAULT 0,
        owner {text} DEFAULT '',
        until_ms {whole} DEFAULT 0
    ) {by_key}""",
    """CREATE TABLE events (
        stream {text},
        version {whole},
        name {text},
        schema {whole},
        body {text},
        at_ms {whole},
        previous {text},
        hash {text},
        PRIMARY KEY (stream, version)
    ) {by_key}""",
    """CREATE TABLE transfers (
        number {numbered},
        stream {text},
        version {whole},
        at_ms {whole},
        debit {text},
        credit {text},
        cents {whole} CHECK (cents > 0),
        reason {text},
        round {text_or_null},
        clause {text_or_null},
        note {text},
        CHECK (debit <> credit)
    ) {by_row}""",
    "CREATE INDEX transfers_by_stream ON transfers (stream, number)",
    "CREATE INDEX transfers_by_debit ON transfers (debit, number)",
    "CREATE INDEX transfers_by_credit ON transfers (credit, number)",
    "CREATE TABLE balances (account {text} PRIMARY KEY, cents {whole}) {by_key}",
    """CREATE TABLE answers (
        stream {text},
        actor {text},
        command {text},
        digest {text},
        body {text},
        PRIMARY KEY (stream, actor, command)
    ) {by_key}""",
    """CREATE TABLE secrets (
        stream {text},
        name {text},
        body {text},
        PRIMARY KEY (stream, name)
    ) {by_row}""",
    """CREATE TABLE snapshots (
        stream {text} PRIMARY KEY,
        version {whole},
        at_ms {whole},
        body {text}
    ) {by_row}""",
    """CREATE TABLE rule_sets (
        fingerprint {text} PRIMARY KEY,
        house {text},
        body {text}
    ) {by_row}""",
    """CREATE TABLE checkpoints (
        number {whole} PRIMARY KEY,
        at_ms {whole},
        body {text},
        key {text},
        signature {text}
    ) {by_row}""",
)

# The cause of each event. Events from before have none, and their hashes do not cover it.
_CAUSES = (
    "ALTER TABLE events ADD COLUMN actor {text} DEFAULT ''",
    "ALTER TABLE events ADD COLUMN terminal {text} DEFAULT ''",
    "ALTER TABLE events ADD COLUMN command {text} DEFAULT ''",
    "ALTER TABLE events ADD COLUMN digest {text} DEFAULT ''",
    "CREATE UNIQUE INDEX events_by_command ON events (stream, actor, command) WHERE digest <> ''",
)

# The key of each encrypted secret; secrets from before are not encrypted until the server starts.
_KEYS = (
    "ALTER TABLE secrets ADD COLUMN key {text} DEFAULT ''",
    "CREATE INDEX secrets_by_key ON secrets (key, stream, name)",
)

# Transfers by their time, for the book of a day; and the forms of events that have been written, so
# that an older Openfelt refuses what it cannot read.
_DAYS = (
    "CREATE INDEX transfers_by_time ON transfers (at_ms, number)",
    "CREATE TABLE event_forms (name {text} PRIMARY KEY, schema {whole}) {by_key}",
    # What is needed of history that has been moved to archives.
    """CREATE TABLE archives (
        number {whole} PRIMARY KEY,
        at_ms {whole},
        checkpoint {whole},
        transfer {whole},
        balances {text},
        sha256 {text},
        key {text},
        state {text}
    ) {by_row}""",
)

# What only the owner of a key can compute of a head and of a snapshot; see ``streams/append_keys``.
_CODES = (
    "ALTER TABLE streams ADD COLUMN code {text} DEFAULT ''",
    "ALTER TABLE snapshots ADD COLUMN code {text} DEFAULT ''",
)

# The processes that share the database, and an index of the leases that they hold.
_MEMBERS = (
    """CREATE TABLE members (
        name {text} PRIMARY KEY,
        home {text},
        run {text},
        role {text},
        version {text},
        started_ms {whole},
        beat_ms {whole},
        until_ms {whole},
        drained {whole}
    ) {by_key}""",
    "CREATE INDEX streams_held ON streams (name) WHERE owner <> ''",
)

# How each process reaches the bus; and what processes tell each other for minutes, which is no part
# of the record.
_BUS = (
    "ALTER TABLE members ADD COLUMN bus {text} DEFAULT ''",
    "ALTER TABLE members ADD COLUMN bus_ms {whole} DEFAULT 0",
    """CREATE TABLE notes (
        kind {text},
        name {text},
        body {text},
        until_ms {whole},
        PRIMARY KEY (kind, name)
    ) {by_key}""",
)

_LAG = ("ALTER TABLE members ADD COLUMN lag_ms {whole} DEFAULT 0",)

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    *(_FIRST, _CAUSES, _KEYS, _DAYS, _CODES, _MEMBERS, _BUS, _LAG),
)
"""The statements of every step; the first step is number 1."""

KNOWN = len(MIGRATIONS)
"""The newest schema that this Openfelt supports."""


class Database(Protocol):
    """A database as migrations see it, within one transaction that the store has begun."""

    def tables(self) -> Sequence[str]:
        """The names of all its tables."""
        ...

    def run(self, statement: str) -> Sequence[tuple[object, ...]]:
        """Run a statement and return its rows, if it has any."""
        ...


def schema_of(database: Database) -> int:
    """The number of the last step that a database has been through, 0 for an empty one.

    Raises NewerSchema, NotOpenfelt, or Damaged if the table of steps is invalid.
    """
    tables = database.tables()
    if VERSIONS_TABLE not in tables:
        if tables:
            raise NotOpenfelt(
                f"This is not an Openfelt database: it has a table {min(tables)} and "
                f"no table {VERSIONS_TABLE}."
            )
        return 0
    steps = [row[0] for row in database.run(_STEPS_DONE)]
    newest = steps[-1] if steps else 0
    if not isinstance(newest, int) or steps != list(range(1, len(steps) + 1)):
        raise Damaged(VERSIONS_TABLE, newest, "steps must be numbered from 1 without a gap")
    if newest > KNOWN:
        raise NewerSchema(found=newest, known=KNOWN)
    return newest


def migrate(database: Database, words: Mapping[str, str], *, up_to: int | None = None) -> None:
    """Run the steps that a database lacks, up to one of them; the caller holds its lock."""
    last_step = schema_of(database)
    if last_step == 0:
        database.run(_STEPS.format_map(words))
    for statement in _statements_between(last_step, up_to):
        database.run(statement.format_map(words))


def _statements_between(step: int, up_to: int | None) -> Iterator[str]:
    for number, statements in enumerate(MIGRATIONS[step:up_to], start=step + 1):
        yield from statements
        yield _STEP_DONE.format(number)
