"""The queries of an inspection, in both kinds of database."""

from abc import abstractmethod
from typing import Final

from openfelt.storage.door import FIRST_HASH
from openfelt.storage.inspection.interface import Integrity, LeaseRow, Stray, StreamRows
from openfelt.storage.shown_names import shown
from openfelt.storage.sql import statements
from openfelt.storage.sql.rows import PAGE_ROWS, Row
from openfelt.storage.streams.code_changes import answers_digest
from openfelt.storage.streams.stream_queries import StreamQueries

STRAYS_MAX: Final = 100
"""How many stray rows of one kind are reported."""

# The names of streams in a table, one after another by its index, and not row by row.
_STREAMS_OF: Final = (
    "WITH RECURSIVE named (name) AS (SELECT min(stream) FROM {table} UNION ALL"
    " SELECT (SELECT min(stream) FROM {table} WHERE stream > named.name) FROM named"
    " WHERE named.name IS NOT NULL)"
)
_EVENTS_BEYOND: Final = _STREAMS_OF.format(table="events") + (  # noqa: S608 (no values)
    ", ends AS (SELECT named.name, coalesce(streams.version, 0) AS head,"
    " (SELECT min(version) FROM events WHERE stream = named.name) AS first,"
    " (SELECT max(version) FROM events WHERE stream = named.name) AS last"
    " FROM named LEFT JOIN streams ON streams.name = named.name WHERE named.name IS NOT NULL)"
    " SELECT name, head, first, last FROM ends WHERE first < 1 OR last > head ORDER BY name LIMIT ?"
)
_WITHOUT_STREAM: Final = _STREAMS_OF + (  # noqa: S608 (no values)
    " SELECT named.name FROM named WHERE named.name IS NOT NULL AND NOT EXISTS"
    " (SELECT 1 FROM streams WHERE streams.name = named.name AND streams.version > 0)"
    " ORDER BY named.name LIMIT ?"
)
_EMPTY_HEADS: Final = (
    "SELECT name, version FROM streams WHERE version < 0"
    " OR (version = 0 AND (hash <> ? OR at_ms <> 0 OR code <> '')) ORDER BY name LIMIT ?"
)
_STREAM_ROWS: Final = (
    "SELECT name, coalesce((SELECT max(number) FROM transfers WHERE stream = name), 0),"
    " EXISTS (SELECT 1 FROM snapshots WHERE stream = streams.name)"
    " OR EXISTS (SELECT 1 FROM secrets WHERE stream = streams.name)"
    " OR EXISTS (SELECT 1 FROM answers WHERE stream = streams.name)"
    " FROM streams WHERE version > 0"
)
_LEASES: Final = (
    "SELECT name, fence, owner, until_ms - {now} FROM streams"
    " WHERE fence <> 0 OR owner <> '' OR until_ms <> 0 ORDER BY name"
)
_RULE_SETS: Final = "SELECT fingerprint FROM rule_sets ORDER BY fingerprint"


class SqlInspection(StreamQueries):
    """Inspects a store in an SQL database."""

    @abstractmethod
    def integrity(self) -> Integrity:
        """The database's own check of its files, indexes and schema."""

    def strays(self) -> tuple[Stray, ...]:
        """Some rows that belong to no stream, or lie beyond the head of theirs."""
        strays = [
            Stray(
                *("events", shown(name), f"events 1 to {head}", f"events {first} to {last}"),
                version=head + 1,
            )
            for name, head, first, last in self._read(_EVENTS_BEYOND, (STRAYS_MAX,))
        ]
        for table in ("snapshots", "secrets", "answers"):
            statement = _WITHOUT_STREAM.format(table=table)
            strays += [
                Stray(table, shown(name), "a stream with events", "none")
                for (name,) in self._read(statement, (STRAYS_MAX,))
            ]
        strays += [
            Stray("streams", shown(name), "an empty head", f"version {version}")
            for name, version in self._read(_EMPTY_HEADS, (FIRST_HASH, STRAYS_MAX))
        ]
        return tuple(strays)

    def stream_rows(self) -> dict[str, StreamRows]:
        """The rows of every stream besides its events."""
        result = self._read(_STREAM_ROWS, ())
        return {str(name): StreamRows(last, bool(others)) for name, last, others in result}

    def lease_rows(self) -> tuple[LeaseRow, ...]:
        """The rows of all streams that have ever been leased."""
        clock, now = self._now()
        return tuple(map(_lease_row, self._read(_LEASES.format(now=clock), now)))

    def rule_set_names(self) -> tuple[str, ...]:
        """The fingerprints of all rule sets."""
        return tuple(str(name) for (name,) in self._read(_RULE_SETS, ()))

    def old_answers_digest(self) -> tuple[int, str]:
        """How many old answers there are, without refusals, and a hash of them."""
        return answers_digest(lambda key: self._read(statements.OLD_ANSWER_PAGE, (*key, PAGE_ROWS)))


def _lease_row(row: Row) -> LeaseRow:
    name, fence, owner, left_ms = row
    return LeaseRow(shown(name), fence, shown(owner) if owner else "", max(int(left_ms), 0))
