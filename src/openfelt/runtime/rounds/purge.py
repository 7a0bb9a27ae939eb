"""The purge of secret decks: after a while, only the cards that were shown can be known.

A purged round keeps its proofs, the public one and that of each seat. The order of the rest of
its decks is gone for good. Rounds are purged in order, some at a time, each time in one commit
with an event that says so: an audit can tell a purged deck from a lost one.
"""

import hashlib
import logging
from collections.abc import Iterator
from typing import Final, NamedTuple

from openfelt.runtime.acting import SYSTEM_CAUSE
from openfelt.runtime.clock import Clock
from openfelt.runtime.rounds.proof import Unprovable
from openfelt.runtime.rounds.proof_forms import proof_json
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.shuffle.deck_secrets import kept_proofs_secret, round_prefix
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.streams import StreamKind, names_in, purge_stream, table_stream
from openfelt.storage.codec import CodecError
from openfelt.storage.door import (
    Append,
    Commit,
    Conflict,
    KeyFailure,
    NewSecret,
    SecretKey,
    Store,
)
from openfelt.storage.event_forms import EventCodec
from openfelt.table.purging import DecksPurged

DAY_MS: Final = 86_400_000
ROUNDS_AT_ONCE: Final = 20
"""How many rounds one commit purges, so that no lock is held for long."""
_OPENING: Final = "round_opened"
_ENDS: Final = frozenset({"round_settled", "round_voided"})

logger = logging.getLogger(__name__)


class _Finished(NamedTuple):
    """A finished round whose decks are no longer kept."""

    number: int
    opened: int
    """The version of its opening."""
    ended: int
    """The version of its end."""


class Purge:
    """Purges the decks of one store. All calls block."""

    def __init__(self, store: Store, codec: EventCodec, reader: RoundReader, clock: Clock) -> None:
        self._store = store
        self._codec = codec
        self._reader = reader
        self._clock = clock
        self._ends: dict[str, tuple[int, int]] = {}
        """By table, the last purged round and the version of its end."""

    def tables(self) -> list[str]:
        """All tables, running or not."""
        return names_in(self._store, StreamKind.TABLE)

    def step(self, table: str, *, keep_days: int) -> int:
        """Purge the next rounds of a table whose time is over; gives how many."""
        last, version = self._end(table)
        before_ms = self._clock.wall_ms() - keep_days * DAY_MS
        due = list(self._due(table, last, version, before_ms))
        if not due:
            return 0
        try:
            self._purge(table, due, keep_days)
        except Conflict:
            # Another process has purged meanwhile.
            self._ends.pop(table, None)
        except KeyFailure as error:
            logger.error("the decks of %s cannot be purged: %s", table, error)
            return 0
        else:
            self._ends[table] = due[-1].number, due[-1].ended
        return len(due)

    def _end(self, table: str) -> tuple[int, int]:
        if table not in self._ends:
            last, version = 0, 0
            for stored in self._store.events(purge_stream(table)):
                purged = self._codec.decode(stored)
                last, version = purged.last, purged.version
            self._ends[table] = last, version
        return self._ends[table]

    def _due(self, table: str, last: int, version: int, before_ms: int) -> Iterator[_Finished]:
        """The next finished rounds that ended before a time."""
        opened = 0
        for stored in self._store.events(table_stream(table), after=version):
            if stored.at_ms > before_ms:
                return
            if stored.name == _OPENING:
                opened = stored.version
            elif stored.name in _ENDS:
                last += 1
                yield _Finished(last, opened, stored.version)
                if last % ROUNDS_AT_ONCE == 0:
                    return

    def _purge(self, table: str, due: list[_Finished], keep_days: int) -> None:
        proofs: list[NewSecret] = []
        removed: list[SecretKey] = []
        for finished in due:
            stream = table_stream(table)
            names = self._store.secret_names(stream, round_prefix(finished.number))
            try:
                proofs += self._proofs(table, finished) if names else ()
            except (ProofError, CodecError) as error:
                # An inconsistent round is left for the audit, with its decks.
                logger.error("round %s/%d is not purged: %s", table, finished.number, error)
                continue
            removed += [(stream, name) for name in names]
        event = DecksPurged(
            table=table,
            first=due[0].number,
            last=due[-1].number,
            version=due[-1].ended,
            keep_days=keep_days,
            decks=len(removed),
            proofs=digest_of_proofs([secret.body for secret in proofs]),
        )
        append = Append(
            stream=purge_stream(table),
            expected_version=self._store.head(purge_stream(table)).version,
            events=(self._codec.encode(event, cause=SYSTEM_CAUSE),),
            secrets=tuple(proofs),
            removed_secrets=tuple(removed),
        )
        self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))

    def _proofs(self, table: str, finished: _Finished) -> Iterator[NewSecret]:
        """The proofs of a round, public and for each seat, as one secret."""
        recorded = self._reader.read(table, finished.number, version=finished.opened)
        banker = recorded.opened.opened.banker
        seats = {spot.seat for spot in recorded.opened.hands}
        seats |= {banker.seat} if banker is not None else set()
        try:
            proofs = {"public": proof_json(self._reader.proof(recorded))}
        except Unprovable:
            return
        for seat in sorted(seats):
            proofs[str(seat)] = proof_json(self._reader.proof(recorded, seat=seat))
        yield kept_proofs_secret(finished.number, proofs)


def digest_of_proofs(bodies: list[str]) -> str:
    """The hash by which the event of a purge names the proofs that it keeps."""
    return hashlib.sha256("\n".join(bodies).encode()).hexdigest()
