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
            # Another process has purged meanwhile.
            del self._purged[table]
        except KeyFailure as error:
            logger.error("the decks of %s cannot be purged: %s", table, error)
            return 0
        else:
            self._purged[table] = _Purged(due[-1].number, due[-1].ended, purged.purges + 1)
        return len(due)

    def _purged_so_far(self, table: str) -> _Purged:
        if table not in self._purged:
            purged = _Purged()
            for stored in self._store.events(purge_stream(table)):
                event = self._codec.decode(stored)
                purged = _Purged(event.last, event.version, stored.version)
            self._purged[table] = purged
        return self._purged[table]

    def _due(self, table: str, purged: _Purged, before_ms: int) -> Iterator[_Finished]:
        """The next finished rounds that ended before a time."""
        last, opened = purged.last, 0
        for stored in self._store.events(table_stream(table), after=purged.ended):
            if stored.at_ms > before_ms:
                return
            if stored.name == _OPENING:
                opened = stored.version
            elif stored.name in _ENDS:
                last += 1
                yield _Finished(last, opened, stored.version)
                if last % ROUNDS_AT_ONCE == 0:
                    return

    def _purge(self, table: str, due: list[_Finished], keep_days: int, *, after: int) -> None:
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
            expected_version=after,
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
