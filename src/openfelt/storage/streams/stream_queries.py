"""Streams in an SQL database: their heads, events and snapshots, and what of them is authentic.

Each store defines how a statement is run.
"""

import hashlib
import logging
import os
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.chain import event_hash, stored_hash
from openfelt.storage.door import (
    FIRST_HASH,
    Authentication,
    Cause,
    Damage,
    Forged,
    Head,
    NewEvent,
    Snapshot,
    StoredEvent,
    StoreError,
)
from openfelt.storage.keyring import Keyring
from openfelt.storage.secrecy.envelopes import is_enveloped
from openfelt.storage.secrecy.secret_queries import SecretQueries
from openfelt.storage.sql import rows, statements
from openfelt.storage.sql.commit_plan import Plan, event_row, head_row, snapshot_binding
from openfelt.storage.sql.rows import PAGE_ROWS, Row, intact, paged
from openfelt.storage.streams.append_keys import (
    APPENDS_STREAM,
    AUTHENTICATED_EVENT,
    AUTHENTICATED_SCHEMA,
    AppendKeys,
    from_json,
    new_database_id,
    to_json,
)

_SYSTEM: Final = Cause(actor="system:openfelt")
REFUSED: Final = '"refused":'
"""What the JSON of a refusal contains, and that of no other answer."""

Run = Callable[[str, Sequence[object]], list[Row]]
"""Runs a statement within a transaction."""

logger = logging.getLogger(__name__)


class StreamQueries(SecretQueries):
    """The streams of a store."""

    def __init__(self, keyring: Keyring | None) -> None:
        """``keyring`` encrypts secrets; None stands for the one that the environment names."""
        super().__init__(keyring or Keyring.of(os.environ))
        self._append_keys: AppendKeys | None = None

    # How a statement is run

    @abstractmethod
    def _commit(self, planned: Plan) -> dict[str, Head]:
        """Write a commit in one transaction; raises RowRefused if a row already exists."""

    @abstractmethod
    def _write(self, statement: str, values: Sequence[object]) -> list[Row]:
        """Run one statement that writes, in a transaction of its own."""

    @abstractmethod
    def _together(self, work: Callable[[Run], None]) -> None:
        """Run work in one transaction, alone among processes that do the same."""

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
        return tuple(intact(result, rows.stream_name, lambda error: logger.error("%s", error)))

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
            keys.check_head(stream, head)
        elif head.code:
            # The record of the store's own stream is gone.
            raise Forged("streams", APPENDS_STREAM)

    def authentication(self) -> Authentication | None:
        """From when on appends are authentic; None where an earlier version wrote last."""
        result = self._read(statements.EVENTS, (APPENDS_STREAM, 0, LAST_NUMBER, 1))
        if not result:
            return None
        event = rows.event(result[0])
        authentication = from_json(event.body)
        head = self.head(APPENDS_STREAM)
        AppendKeys(self._keyring, authentication.database).check_head(APPENDS_STREAM, head)
        if (event.version, stored_hash(event)) != (head.version, head.hash):
            raise Forged("events", f"{APPENDS_STREAM}/{event.version}")
        return authentication

    def authenticate(self, at_ms: int) -> Authentication:
        """Begin to authenticate appends, unless that was done; what is there is taken as it is."""
        before = self.authentication()
        if before is not None:
            return before
        encrypted = 0
        while done := self.reencrypt("", plain=True):
            encrypted += done
        keys = AppendKeys(self._keyring, new_database_id())
        self._together(lambda run: _begin(run, keys, at_ms))
        if encrypted:
            self._scrub_old(encrypted)
        after = self.authentication()
        assert after is not None
        return after

    def _scrub_old(self, encrypted: int) -> None:
        logger.warning("%d secrets are encrypted now; the database is written anew", encrypted)
        try:
            self.scrub(thoroughly=True)
        except StoreError as error:
            logger.error(
                "the plain text of old secrets may be left in the files of the database: %s Run "
                "openfelt keys reencrypt once that is mended.",
                error,
            )

    def _known_keys(self) -> AppendKeys | None:
        """The keys of appends; None as long as appends are not authenticated."""
        if self._append_keys is None and (begun := self.authentication()) is not None:
            self._append_keys = AppendKeys(self._keyring, begun.database)
        return self._append_keys

    def _is_authenticated(self) -> bool:
        return self._known_keys() is not None

    def _keys(self, at_ms: int) -> AppendKeys:
        """The keys of appends, for a commit at this time."""
        keys = self._known_keys()
        if keys is None:
            self.authenticate(at_ms)
            keys = self._known_keys()
            assert keys is not None
        return keys

    def renew_codes(self, lost: Collection[str] = ()) -> int:
        """Authenticate all heads with the newest key; gives how many had an older one.

        What is authentic under keys that are ``lost`` is taken as it is found: nothing can show any
        more that it is. Raises Forged, or KeyMissing.
        """
        result = self._read(statements.EVENTS, (APPENDS_STREAM, 0, LAST_NUMBER, 1))
        if not result:
            return 0
        keys = AppendKeys(self._keyring, from_json(rows.event(result[0]).body).database)
        renewed = 0

        def work(run: Run) -> None:
            nonlocal renewed
            renewed = _renew(run, keys, lost)

        self._together(work)
        return renewed

    def authenticate_cut(self) -> None:
        """Authenticate all heads as they are, after Openfelt itself has cut off their ends."""
        keys = self._known_keys()
        if keys is not None:
            self._together(lambda run: _recode(run, keys))

    def append_key_ids(self) -> tuple[str, ...]:
        """The ids of the keys under which heads are authentic."""
        return tuple(map(rows.text, self._read(statements.KEYS_OF_HEADS, ())))

    # Snapshots

    def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream; None for one that is not authentic."""
        stored = self.stored_snapshot(stream)
        if stored is None:
            return None
        snapshot, authentic = stored
        if not authentic:
            logger.warning("ignoring the snapshot of %s, which is not authentic", stream)
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
            version, at_ms, body = snapshot.version, snapshot.at_ms, snapshot.body
            authentic = keys.is_snapshot(code, stream, version, at_ms, body)
        if is_enveloped(snapshot.body):
            name = snapshot_binding(snapshot.version)
            body = self._decrypt_json(stream, name, snapshot.body)
            return replace(snapshot, body=body), authentic
        return snapshot, authentic


def _begin(run: Run, keys: AppendKeys, at_ms: int) -> None:
    """Write the code of every head, and the event that says so."""
    if run(statements.EVENTS, (APPENDS_STREAM, 0, LAST_NUMBER, 1)):
        return
    after, streams, events = "", 0, 0
    while page := run(statements.HEAD_PAGE, (after, PAGE_ROWS)):
        for row in page:
            after, head = rows.stream_head(row)
            if head.code:
                # There were codes before: the record of the store's own stream is gone.
                raise Forged("streams", APPENDS_STREAM)
            code = keys.authentic(after, head).code
            run(statements.HEAD_CODED, (code, after, head.version, head.hash))
            streams, events = streams + 1, events + head.version
    # They only save time, and are written again; none of them was authentic.
    run(statements.SNAPSHOTS_REMOVED, ())
    answers, digest = answers_digest(lambda key: run(statements.OLD_ANSWER_PAGE, (*key, PAGE_ROWS)))
    begun = Authentication(
        database=keys.database,
        streams=streams,
        events=events,
        answers=answers,
        answers_digest=digest if answers else "",
    )
    event = NewEvent(
        name=AUTHENTICATED_EVENT, schema=AUTHENTICATED_SCHEMA, body=to_json(begun), cause=_SYSTEM
    )
    own = event_hash(FIRST_HASH, stream=APPENDS_STREAM, version=1, at_ms=at_ms, event=event)
    head = keys.authentic(APPENDS_STREAM, Head(version=1, hash=own, at_ms=at_ms, fence=0))
    run(statements.NEW_STREAM, (APPENDS_STREAM, FIRST_HASH))
    row = event_row(APPENDS_STREAM, 1, event, at_ms=at_ms, previous=FIRST_HASH, own_hash=own)
    run(statements.NEW_EVENT, row)
    run(statements.STREAM_MOVED, head_row(APPENDS_STREAM, head))


def _recode(run: Run, keys: AppendKeys) -> None:
    """Write the codes of all heads as they are."""
    after = ""
    while page := run(statements.HEAD_PAGE, (after, PAGE_ROWS)):
        for row in page:
            after, head = rows.stream_head(row)
            code = keys.authentic(after, head).code
            run(statements.HEAD_CODED, (code, after, head.version, head.hash))


def _renew(run: Run, keys: AppendKeys, lost: Collection[str]) -> int:
    """Write the codes of heads under the newest key, and remove snapshots under lost keys."""
    after, renewed = "", 0
    while page := run(statements.HEAD_PAGE, (after, PAGE_ROWS)):
        for row in page:
            after, head = rows.stream_head(row)
            if keys.is_newest(head):
                continue
            if head.code.partition(":")[0] not in lost:
                keys.check_head(after, head)
            code = keys.authentic(after, head).code
            run(statements.HEAD_CODED, (code, after, head.version, head.hash))
            renewed += 1
    for key in lost:
        run(statements.SNAPSHOTS_UNDER_REMOVED, (f"{key}:",))
    return renewed


def answers_digest(page_after: Callable[[tuple[str, str, str]], list[Row]]) -> tuple[int, str]:
    """How many old answers there are, and a hash of them; refusals are left out.

    Refusals are removed in the course of time, and none of them is believed.
    """
    digest, count, key = hashlib.sha256(), 0, ("", "", "")
    while page := page_after(key):
        for row in page:
            *_, body = row
            if REFUSED not in body:
                count += 1
                text = "".join(f"{len(str(part))}:{part}" for part in row)
                digest.update(text.encode(errors="backslashreplace"))
        stream, actor, command, *_ = page[-1]
        key = (stream, actor, command)
    return count, digest.hexdigest()
