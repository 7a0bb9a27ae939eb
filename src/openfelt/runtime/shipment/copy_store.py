"""A shipped copy as a store: its segments are put into a temporary database, which is only read."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NoReturn

from openfelt.runtime.shipment.segment_file import SegmentError
from openfelt.runtime.shipment.segment_records import (
    SegmentRecord,
    ShippedCheckpoint,
    ShippedEvent,
    ShippedRound,
    ShippedRules,
)
from openfelt.runtime.streams import purge_stream
from openfelt.storage.door import Damage, Purged, StoredEvent
from openfelt.storage.keyring import Keyring
from openfelt.storage.sqlite import SqliteStore
from openfelt.storage.streams.append_keys import APPENDS_STREAM
from openfelt.storage.wrapped_store import WholeStore

_RECORDS_AT_ONCE: Final = 2000
_EVENT: Final = (
    "INSERT INTO events (stream, version, name, schema, body, at_ms, previous, hash, actor,"
    " terminal, command, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_TRANSFER: Final = (
    "INSERT INTO transfers (number, stream, version, at_ms, debit, credit, cents, reason, round,"
    " clause, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_RULES: Final = "INSERT INTO rule_sets (fingerprint, house, body) VALUES (?, ?, ?)"
_CHECKPOINT: Final = (
    "INSERT INTO checkpoints (number, at_ms, body, key, signature) VALUES (?, ?, ?, ?, ?)"
)
_ROUND: Final = "INSERT OR REPLACE INTO rounds (stream, name, body) VALUES (?, ?, ?)"
_ROUNDS: Final = (
    "CREATE TABLE rounds (stream TEXT, name TEXT, body TEXT, PRIMARY KEY (stream, name))"
)
_KEPT: Final = "SELECT body FROM rounds WHERE stream = ? AND name = ?"
# The last event of every stream is its head.
_HEADS: Final = (
    "INSERT INTO streams (name, version, hash, at_ms) SELECT stream, version, hash, at_ms"
    " FROM events e WHERE version = (SELECT max(version) FROM events WHERE stream = e.stream)"
)
_FORMS: Final = (
    "INSERT INTO event_forms (name, schema)"
    " SELECT name, max(schema) FROM events WHERE stream <> ? GROUP BY name"
)
_BALANCES: Final = (
    "INSERT INTO balances (account, cents) SELECT account, sum(cents) FROM ("
    " SELECT credit AS account, cents FROM transfers UNION ALL SELECT debit, -cents FROM transfers)"
    " GROUP BY account HAVING sum(cents) <> 0"
)


class CopyFiles:
    """The temporary database of a copy while it is filled."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with closing(SqliteStore(self.events, keyring=_no_keys(folder))):
            # Opening it creates its tables.
            pass
        with closing(sqlite3.connect(self.rounds)) as connection:
            connection.execute(_ROUNDS)

    @property
    def events(self) -> Path:
        """The database with the tables that every database of Openfelt has."""
        return self._folder / "copy.db"

    @property
    def rounds(self) -> Path:
        """The shown parts of rounds, which a database would keep encrypted."""
        return self._folder / "rounds.db"

    def add(self, records: Iterable[SegmentRecord]) -> None:
        """Add the records of the next segment, all of them or none; raises SegmentError."""
        with _filling(self.events) as events, _filling(self.rounds) as rounds:
            iterator = iter(records)
            while page := list(islice(iterator, _RECORDS_AT_ONCE)):
                _write(events, rounds, page)

    def finish(self) -> None:
        """Write what follows from the events: heads, forms and balances."""
        with _filling(self.events) as events:
            events.execute(_HEADS)
            events.execute(_FORMS, (APPENDS_STREAM,))
            events.execute(_BALANCES)


@contextmanager
def _filling(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection, in a transaction that is committed at the end, or not at all."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        try:
            yield connection
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            raise SegmentError(f"Its records contradict those before them ({error}).") from error
        connection.execute("COMMIT")


def _write(
    events: sqlite3.Connection, rounds: sqlite3.Connection, page: list[SegmentRecord]
) -> None:
    for record in page:
        match record:
            case ShippedEvent():
                events.execute(_EVENT, record.row)
                events.executemany(_TRANSFER, record.transfer_rows)
            case ShippedRound(table, number, kept):
                rounds.execute(_ROUND, (purge_stream(table), f"{number}/proofs", kept))
            case ShippedRules(fingerprint, house, body):
                events.execute(_RULES, (fingerprint, house, body))
            case ShippedCheckpoint(number, at_ms, body, key, signature):
                events.execute(_CHECKPOINT, (number, at_ms, body, key, signature))


def _no_keys(folder: Path) -> Keyring:
    """A keyring without keys: this machine's keys are not used."""
    return Keyring(folder / "no.keys", content="")


class CopyStore(WholeStore):
    """The store of a copy. It has no secret but what was shown of each round."""

    def __init__(self, files: CopyFiles, folder: Path) -> None:
        super().__init__(SqliteStore(files.events, keyring=_no_keys(folder)))
        self._rounds = sqlite3.connect(files.rounds)

    def close(self) -> None:
        """Close its files."""
        self._rounds.close()
        self._store.close()

    def events(
        self,
        stream: str,
        *,
        after: int = 0,
        up_to: int | None = None,
        damage: Damage | None = None,
    ) -> Iterator[StoredEvent]:
        """The events of a stream. What they hide cannot be read here."""
        for stored in self._store.events(stream, after=after, up_to=up_to, damage=damage):
            yield stored if stored.decrypt is None else replace(stored, decrypt=_not_shipped)

    def secret(self, stream: str, name: str) -> str | None:
        """The shown part of a round."""
        row = self._rounds.execute(_KEPT, (stream, name)).fetchone()
        return None if row is None else str(row[0])


def _not_shipped(stream: str, name: str, _: str) -> NoReturn:
    raise Purged(stream, name)


@contextmanager
def copy_files() -> Iterator[tuple[CopyFiles, Path]]:
    """The files of a copy in a temporary folder, which is removed at the end."""
    with TemporaryDirectory(prefix="openfelt-") as name:
        yield CopyFiles(Path(name)), Path(name)
