"""The purge of secret cards: after a while, only the cards that were shown can be known.

The decks of a round are removed, and the key that encrypts the cards which its events hide. So
mucked hands are permanently lost, for the owner of the main key too, although every hash still
holds. A purged round keeps what was shown: its proofs and, where they were face down at first, its
cards. Rounds are purged in order, some at a time, each time in one commit with an event that says
so: an audit can distinguish a purged deck from a lost one.
"""

import hashlib
import logging
from collections.abc import Iterator
from typing import Final, NamedTuple

from openfelt.record_events.purge_events import DecksPurged, ProofsDropped
from openfelt.runtime.causes import SYSTEM_CAUSE
from openfelt.runtime.clock import DAY_MS, Clock
from openfelt.runtime.rounds.kept_round import kept_round
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.shuffle.deck_secrets import (
    is_round_key,
    kept_names,
    kept_proof_bodies,
    round_key,
    round_prefix,
    shown_secret,
)
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.streams import StreamKind, names_in, purge_stream, table_stream
from openfelt.runtime.tables.recovery.snapshots import without_round
from openfelt.storage.codec import CodecError, read_json
from openfelt.storage.door import (
    Append,
    Commit,
    Conflict,
    Irrecoverable,
    KeyFailure,
    NewSecret,
    SecretKey,
    Snapshot,
    Store,
)
from openfelt.storage.event_forms import ROUND_ENDS, ROUND_OPENED, EventCodec

ROUNDS_AT_ONCE: Final = 20
"""How many rounds one commit purges, so that no lock is held for long."""

logger = logging.getLogger(__name__)


class _Finished(NamedTuple):
    """A finished round whose decks are no longer kept."""

    number: int
    opened: int
    """The version of its opening."""
    ended: int
    """The version of its end."""


class _Purged(NamedTuple):
    """How far a table has been purged."""

    last: int = 0
    """The last purged round."""
    ended: int = 0
    """The version of its end."""
    purges: int = 0
    """The version of the purge stream."""


class Purge:
    """Purges the decks of one store. All calls block."""

    def __init__(self, store: Store, codec: EventCodec, reader: RoundReader, clock: Clock) -> None:
        self._store = store
        self._codec = codec
        self._reader = reader
        self._clock = clock
        self._purged: dict[str, _Purged] = {}
        """By table, how far it has been purged as this process knows."""

    def tables(self) -> list[str]:
        """All tables, running or not."""
        return names_in(self._store, StreamKind.TABLE)

    def step(self, table: str, *, keep_days: int) -> int:
        """Purge the next rounds of a table whose time is over; gives how many."""
        purged = self._purged_so_far(table)
        before_ms = self._clock.wall_ms() - keep_days * DAY_MS
        due = list(self._due(table, purged, before_ms))
        if not due:
            return 0
        try:
            self._purge(table, due, keep_days, after=purged.purges)
        except Conflict:
            # Another process has purged.
            del self._purged[table]
        except KeyFailure as error:
            logger.error("the decks of %s cannot be purged: %s", table, error)
            return 0
        else:
            self._purged[table] = _Purged(due[-1].number, due[-1].ended, purged.purges + 1)
        return len(due)

    def drop_proofs(self, table: str, *, keep_days: int) -> int:
        """Drop the proofs of the next purged rounds whose time is over; gives how many."""
        before_ms, last = self._clock.wall_ms() - keep_days * DAY_MS, 0
        due, purged_ms = None, 0
        for stored in self._store.record(purge_stream(table)):
            event = self._codec.decode(stored)
            if isinstance(event, ProofsDropped):
                last = event.last
        for stored in self._store.record(purge_stream(table)):
            event = self._codec.decode(stored)
            if isinstance(event, DecksPurged) and event.first > last:
                due, purged_ms = event, stored.at_ms
                break
        if due is None or self._ended_ms(table, due.version, or_ms=purged_ms) > before_ms:
            return 0
        try:
            self._drop_proofs(table, due, keep_days)
        except Conflict:
            # Another process has purged.
            pass
        except KeyFailure as error:
            logger.error("the proofs of %s cannot be dropped: %s", table, error)
            return 0
        self._purged.pop(table, None)
        return due.last - due.first + 1

    def _ended_ms(self, table: str, version: int, *, or_ms: int) -> int:
        """When the event with this version of a table was written, or another time if archived."""
        events = self._store.events(table_stream(table), after=version - 1, up_to=version)
        return next((stored.at_ms for stored in events), or_ms)

    def _drop_proofs(self, table: str, due: DecksPurged, keep_days: int) -> None:
        stream = purge_stream(table)
        bodies = kept_proof_bodies(self._store, table, due.first, due.last)
        shown = [
            secret for number, body in bodies.items() if (secret := shown_secret(number, body))
        ]
        event = ProofsDropped(
            table=table,
            first=due.first,
            last=due.last,
            keep_days=keep_days,
            proofs=len(bodies),
            shown=digest_of_proofs([secret.body for secret in shown]),
        )
        append = Append(
            stream=stream,
            expected_version=self._store.head(stream).version,
            events=(self._codec.encode(event, cause=SYSTEM_CAUSE),),
            secrets=tuple(shown),
            removed_secrets=tuple((stream, name) for name in kept_names(bodies)),
        )
        self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))

    def _purged_so_far(self, table: str) -> _Purged:
        if table not in self._purged:
            purged = _Purged()
            for stored in self._store.record(purge_stream(table)):
                event = self._codec.decode(stored)
                if isinstance(event, DecksPurged):
                    purged = _Purged(event.last, event.version)
                purged = purged._replace(purges=stored.version)
            self._purged[table] = purged
        return self._purged[table]

    def _due(self, table: str, purged: _Purged, before_ms: int) -> Iterator[_Finished]:
        """The next finished rounds that ended before a time."""
        last, opened = purged.last, 0
        for stored in self._store.record(table_stream(table), after=purged.ended):
            if stored.at_ms > before_ms:
                return
            if stored.name == ROUND_OPENED:
                opened = stored.version
            elif stored.name in ROUND_ENDS:
                last += 1
                yield _Finished(last, opened, stored.version)
                if last % ROUNDS_AT_ONCE == 0:
                    return

    def _purge(self, table: str, due: list[_Finished], keep_days: int, *, after: int) -> None:
        stream = table_stream(table)
        kept: list[NewSecret] = []
        removed: list[SecretKey] = []
        for finished in due:
            decks = self._store.secret_names(stream, round_prefix(finished.number))
            keys = self._store.secret_names(stream, round_key(finished.number))
            keys = tuple(name for name in keys if name == round_key(finished.number))
            try:
                if decks or keys:
                    kept += self._kept(table, finished, keys=bool(keys))
            except (ProofError, CodecError) as error:
                # An inconsistent round is left for the audit, with its decks.
                logger.error("round %s/%d is not purged: %s", table, finished.number, error)
                continue
            removed += [(stream, name) for name in (*decks, *keys)]
        event = DecksPurged(
            table=table,
            first=due[0].number,
            last=due[-1].number,
            version=due[-1].ended,
            keep_days=keep_days,
            decks=sum(not is_round_key(name) for _, name in removed),
            keys=sum(is_round_key(name) for _, name in removed),
            proofs=digest_of_proofs([secret.body for secret in kept]),
        )
        append = Append(
            stream=purge_stream(table),
            expected_version=after,
            events=(self._codec.encode(event, cause=SYSTEM_CAUSE),),
            secrets=tuple(kept),
            removed_secrets=tuple(removed),
            stripped_snapshots=tuple(self._stripped(stream, due[-1])),
        )
        self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))

    def _kept(self, table: str, finished: _Finished, *, keys: bool) -> list[NewSecret]:
        """The remains of a round: nothing, or one secret."""
        recorded = self._reader.read(
            table, finished.number, version=finished.opened, up_to=finished.ended
        )
        events = self._store.events(
            table_stream(table), after=finished.opened, up_to=finished.ended
        )
        kept = kept_round(self._reader, self._codec, recorded, events if keys else ())
        return [kept] if kept is not None else []

    def _stripped(self, stream: str, last: _Finished) -> Iterator[tuple[str, Snapshot]]:
        """The table's snapshot without its round, if that is purged now."""
        try:
            snapshot = self._store.snapshot(stream)
        except Irrecoverable:
            return
        if snapshot is not None and _round_in(snapshot) in range(1, last.number + 1):
            yield stream, without_round(snapshot)


def _round_in(snapshot: Snapshot) -> int:
    """The number of the round in a table's snapshot, 0 for none."""
    state = read_json(snapshot.body)["table"].get("round")
    return int(state["opened"]["number"]) if state else 0


def digest_of_proofs(bodies: list[str]) -> str:
    """The hash by which the event of a purge names the proofs that it keeps."""
    return hashlib.sha256("\n".join(bodies).encode()).hexdigest()
