"""Streams in an SQL database: their heads, events and snapshots, and what of them is authentic.

Each store defines how a statement is run.
"""

import hashlib
import logging
import os
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.chain import stored_hash
from openfelt.storage.door import (
    Authentication,
    CodesRemoved,
    Damage,
    Damaged,
    EpochRefused,
    Forged,
    Head,
    Snapshot,
    StoredEvent,
    StoreError,
    tell_damage,
)
from openfelt.storage.keyring import Keyring
from openfelt.storage.secrecy.codes_record import CodedDatabase
from openfelt.storage.secrecy.envelopes import is_enveloped
from openfelt.storage.secrecy.secret_queries import SecretQueries
from openfelt.storage.shown_names import shown
from openfelt.storage.sql import rows, statements
from openfelt.storage.sql.commit_plan import Plan, snapshot_binding
from openfelt.storage.sql.rows import PAGE_ROWS, Row, intact, paged
from openfelt.storage.streams import code_changes
from openfelt.storage.streams.append_keys import APPENDS_STREAM, AppendKeys
from openfelt.storage.streams.code_changes import Run, stored_record

COPY_ID_LENGTH = 16

logger = logging.getLogger(__name__)


class StreamQueries(SecretQueries):
    """The streams of a store."""

    def __init__(self, keyring: Keyring | None) -> None:
        """``keyring`` encrypts secrets; None means the one named by the environment."""
        super().__init__(keyring or Keyring.of(os.environ))
        self._append_keys: AppendKeys | None = None
        self._settled = False
        """Whether the location of the database was compared with the record beside the keys."""

    # How a statement is run

    @abstractmethod
    def _commit(self, planned: Plan) -> dict[str, Head]:
        """Write a commit in one transaction; raises RowRefused if a row already exists."""

    @abstractmethod
    def _write(self, statement: str, values: Sequence[object]) -> list[Row]:
        """Run one statement that writes, in a separate transaction."""

    @abstractmethod
    def _together(self, work: Callable[[Run], None], *, alone: bool = False) -> None:
        """Run work in one transaction, alone among processes that do the same, or among all."""

    @abstractmethod
    def _location(self) -> str:
        """The database's location, by a name that no other has."""

    @abstractmethod
    def _server_id(self) -> str:
        """An id that distinguishes this database from copies of it in other places."""

    @abstractmethod
    def scrub(self, *, thoroughly: bool = False) -> None:
        """Overwrite what removed or reencrypted secrets have left behind in files."""

    @abstractmethod
    def _now(self) -> tuple[str, tuple[int, ...]]:
        """The time of leases in milliseconds, as an SQL expression and its values."""

    def _last_transfer(self) -> int:
        """A number below which no further transfers can appear."""
        return LAST_NUMBER

    # Streams

    def head(self, stream: str) -> Head:
        """The end of a stream; version 0 if it has no events."""
        result = self._read(statements.HEAD, (stream,))
        return rows.stream_head(result[0])[1] if result else rows.NO_STREAM

    def heads(self, prefix: str = "", *, damage: Damage | None = None) -> dict[str, Head]:
        """The heads of all streams with events whose names have this prefix, at one moment."""
        names, values = statements.beginning_with("name", prefix)
        result = self._read(statements.HEADS.format(names=names), values)
        return dict(intact(result, rows.stream_head, damage))

    def streams(self, prefix: str = "") -> tuple[str, ...]:
        """The names of all streams with events that have this prefix, in order.

        A name that cannot be read is left out: it must not hide the others.
        """
        names, values = statements.beginning_with("name", prefix)
        result = self._read(statements.STREAMS.format(names=names), values)
        return tuple(intact(result, rows.stream_name, tell_damage))

    def events(
        self,
        stream: str,
        *,
        after: int = 0,
        up_to: int | None = None,
        damage: Damage | None = None,
    ) -> Iterator[StoredEvent]:
        """The events of a stream after a version, in order."""
        last = LAST_NUMBER if up_to is None else up_to
        return paged(
            lambda seen: self._read(statements.EVENTS, (stream, seen, last, PAGE_ROWS)),
            self._event,
            key=1,
            after=after,
            damage=damage,
        )

    def _event(self, row: Row) -> StoredEvent:
        event = rows.event(row)
        if is_enveloped(event.body):
            return replace(event, decrypt=self._decrypt_json)
        return event

    # What is authentic

    def record(
        self, stream: str, *, after: int = 0, head: Head | None = None
    ) -> Iterator[StoredEvent]:
        """The events of a stream after a version, up to its head, for a reader who acts on them."""
        head = head or self.head(stream)
        if head.version <= after:
            return
        self.check_head(stream, head)
        version, last = after, None
        for event in self.events(stream, after=after, up_to=head.version):
            follows = last is None or event.previous == last
            if event.version != version + 1 or not follows or stored_hash(event) != event.hash:
                raise Forged("events", f"{stream}/{event.version}")
            version, last = event.version, event.hash
            yield event
        if (version, last) != (head.version, head.hash):
            raise Forged("events", f"{stream}/{head.version}")

    def check_head(self, stream: str, head: Head) -> None:
        """Raise Forged for a head that was not written with a key of the house, or KeyMissing."""
        keys = self._known_keys()
        if keys is not None:
            try:
                keys.check_head(stream, head)
            except Forged:
                if not self._has_newer_keys():
                    raise
                self.check_head(stream, head)
        elif head.code:
            # The record of the store's own stream is gone.
            raise Forged("streams", APPENDS_STREAM)

    def authentication(self) -> Authentication | None:
        """From when on appends are authentic; None if an earlier version made the last write."""
        record = stored_record(self._read)
        if record is None:
            return None
        AppendKeys.of(self._keyring, record.says).check_head(APPENDS_STREAM, record.head)
        return record.says

    def authenticate(self, at_ms: int) -> Authentication:
        """Begin to authenticate appends, unless that was done; existing rows are accepted as they
        are.
        """
        before = self.authentication()
        if before is not None:
            return before
        if self.was_authenticated() and self._read(statements.HEAD_PAGE, ("", 1)):
            raise CodesRemoved
        encrypted = 0
        while done := self.reencrypt("", plain=True):
            encrypted += done
        used = {*self.encryption_keys(), *self.keys_of_events()}
        self._together(lambda run: code_changes.begin(run, self._keyring, used, at_ms))
        if encrypted:
            self._scrub_old(encrypted)
        after = self.authentication()
        assert after is not None
        return after

    def _scrub_old(self, encrypted: int) -> None:
        logger.warning("%d secrets are encrypted now; the database is being rewritten", encrypted)
        try:
            self.scrub(thoroughly=True)
        except StoreError as error:
            logger.error(
                "the plain text of old secrets may be left in the files of the database: %s Run "
                "openfelt keys reencrypt once that is fixed.",
                error,
            )

    def _known_keys(self) -> AppendKeys | None:
        """The keys of appends; None as long as appends are not authenticated."""
        if self._append_keys is None and (begun := self.authentication()) is not None:
            self._append_keys = AppendKeys.of(self._keyring, begun)
        return self._append_keys

    def _has_newer_keys(self) -> bool:
        """Whether another process has begun an epoch or used a new key since they were read."""
        previous, self._append_keys = self._append_keys, None
        newer = self._known_keys()
        if previous is None or newer is None:
            return previous is not newer
        return (previous.epoch, previous.used) != (newer.epoch, newer.used)

    def _is_authenticated(self) -> bool:
        return self._known_keys() is not None

    def _keys(self, at_ms: int) -> AppendKeys:
        """The keys of appends, for a commit at this time."""
        if self._known_keys() is None:
            self.authenticate(at_ms)
        if not self._settled:
            self._settle(at_ms)
        keys = self._known_keys()
        assert keys is not None
        if not keys.newest_is_used:
            self._together(lambda run: code_changes.use_newest(run, self._keyring, at_ms))
            self._append_keys = None
            keys = self._known_keys()
            assert keys is not None
        return keys

    def renew_codes(self, lost: Collection[str] = (), *, at_ms: int = 0) -> int:
        """Authenticate all heads with the newest key; returns how many had an older one.

        Heads that are authentic under ``lost`` keys are accepted as they are: nothing can prove
        them any longer. Raises Forged, KeyMissing, or KeyFailure for a key that was never used.
        """
        renewed = 0

        def work(run: Run) -> None:
            nonlocal renewed
            renewed = code_changes.renew(run, self._keyring, lost, at_ms)

        self._together(work)
        self._append_keys = None
        return renewed

    # Epochs, and the record beside the keys

    def _settle(self, at_ms: int) -> None:
        """Begin a new epoch in a copy, if the record beside the keys shows that it is one."""
        begun, databases = self.authentication(), self._keyring.databases
        assert begun is not None
        if not begun.epoch:
            self._begin_epoch(at_ms, "codes are bound to epochs from now on")
        elif databases is not None:
            before, now = databases.at(self._location()), self._as_known(begun)
            changed = before is not None and before.database == now.database and before != now
            if changed or databases.is_elsewhere(now):
                self._begin_epoch(at_ms, "the database is a copy, or was moved or replaced")
        self._settled = True
        self._note_location()

    def _begin_epoch(self, at_ms: int, reason: str) -> None:
        try:
            self.begin_epoch(at_ms, reason)
        except EpochRefused as error:
            logger.warning("%s", error)
        else:
            logger.warning("a new epoch of codes has begun: %s", reason)

    def begin_epoch(self, at_ms: int, reason: str) -> None:
        """Bind all codes to a new epoch, so that rows of any other copy are not authentic here."""
        if self._is_leased():
            raise EpochRefused
        self._together(
            lambda run: code_changes.begin_epoch(run, self._keyring, at_ms, reason), alone=True
        )
        self._append_keys = None
        self._note_location()

    def copy_id(self, at_ms: int) -> str:
        """An id of this database that no other one has, nor a copy of it."""
        self._keys(at_ms)
        begun = self.authentication()
        assert begun is not None
        parts = (begun.database, begun.epoch, self._server_id())
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:COPY_ID_LENGTH]

    def _is_leased(self) -> bool:
        clock, now = self._now()
        return bool(self._read(statements.ANY_LEASE.format(now=clock), (*now, *now)))

    def _note_location(self) -> None:
        databases, begun = self._keyring.databases, self.authentication()
        if databases is not None and begun is not None:
            databases.note(self._as_known(begun))
        elif databases is not None:
            databases.forget(self._location())

    def _as_known(self, begun: Authentication) -> CodedDatabase:
        return CodedDatabase(self._location(), begun.database, begun.epoch)

    def was_authenticated(self) -> bool:
        """Whether the record beside the keys knows a database with codes at this location."""
        databases = self._keyring.databases
        return databases is not None and databases.at(self._location()) is not None

    def key_ids(self) -> tuple[str, ...]:
        """The ids of the keys that are here."""
        return self._keyring.ids

    def keys_used(self) -> tuple[str, ...]:
        """The ids of the keys that the database has ever used, as its own stream says."""
        record = stored_record(self._read)
        return record.says.keys if record is not None else ()

    def authenticate_cut(self) -> None:
        """Authenticate all heads as they are, after Openfelt itself has cut off their ends."""
        keys = self._known_keys()
        if keys is not None:
            self._together(lambda run: code_changes.recode(run, keys))

    def append_key_ids(self) -> tuple[str, ...]:
        """The ids of the keys under which heads are authentic."""
        return rows.key_ids(self._read(statements.KEYS_OF_HEADS, ()))

    # Snapshots

    def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream; None for one that is damaged or not authentic."""
        try:
            stored = self.stored_snapshot(stream)
        except Damaged as error:
            # It only saves time. The audit reports it.
            logger.error("ignoring a snapshot: %s", error)
            return None
        if stored is None:
            return None
        snapshot, authentic = stored
        if not authentic:
            logger.warning("ignoring the snapshot of %s, which is not authentic", shown(stream))
            return None
        return snapshot

    def stored_snapshot(self, stream: str) -> tuple[Snapshot, bool] | None:
        """The snapshot of a stream, and whether it is authentic; raises KeyMissing or Damaged."""
        result = self._read(statements.SNAPSHOT, (stream,))
        if not result:
            return None
        snapshot, code = rows.snapshot(result[0])
        keys = self._known_keys()
        if keys is None:
            authentic = not code
        else:
            authentic = keys.is_snapshot(code, stream, snapshot)
            if not authentic and self._has_newer_keys():
                return self.stored_snapshot(stream)
        if is_enveloped(snapshot.body):
            name = snapshot_binding(snapshot.version)
            body = self._decrypt_json(stream, name, snapshot.body)
            return replace(snapshot, body=body), authentic
        return snapshot, authentic
