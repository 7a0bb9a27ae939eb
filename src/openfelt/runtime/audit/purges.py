"""The audit of purges: decks were removed in order and not before their time."""

from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.rounds.purge import DAY_MS, digest_of_proofs
from openfelt.runtime.shuffle.deck_secrets import kept_proof_bodies
from openfelt.runtime.streams import name_of, purge_stream, table_stream
from openfelt.storage.door import Damaged, KeyMissing, StoredEvent
from openfelt.table.purging import DecksPurged

_ENDS = frozenset({"round_settled", "round_voided"})


def purged_up_to(context: AuditContext, table: str) -> int:
    """The number of the last round of a table whose decks have been purged, 0 for none."""
    last = 0
    for stored in context.store.events(purge_stream(table)):
        try:
            purged = context.codec.decode(stored)
        except REPLAY_ERRORS:
            break
        last = purged.last if isinstance(purged, DecksPurged) else last
    return last


class PurgeAudit:
    """The audit of one table's purges."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._table = name_of(stream)
        self._last = 0
        self._version = 0

    def take(self, booked: BookedEvent) -> None:
        """Check one purge."""
        context, stored = self._context, booked.stored
        check_transfers(booked, (), context.report)
        try:
            event = context.codec.decode(stored)
            if not isinstance(event, DecksPurged) or event.table != self._table:
                raise ImpossibleEvent(f"It is not a purge of {self._table}")
        except REPLAY_ERRORS as error:
            context.find_impossible(stored, error)
            return
        if event.first != self._last + 1 or event.last < event.first:
            context.find(
                stored,
                "Rounds are purged out of order.",
                expected=f"round {self._last + 1} first",
                found=f"rounds {event.first} to {event.last}",
            )
        self._check_time(stored, event)
        self._check_proofs(stored, event)
        self._last, self._version = event.last, event.version

    def _check_time(self, stored: StoredEvent, event: DecksPurged) -> None:
        """The rounds were over, for as long as the house keeps decks."""
        ends = [
            end
            for end in self._context.store.events(
                table_stream(self._table), after=self._version, up_to=event.version
            )
            if end.name in _ENDS
        ]
        rounds = event.last - event.first + 1
        if len(ends) != rounds or ends[-1].version != event.version:
            self._context.find(
                stored,
                "It does not purge the rounds that ended there.",
                expected=f"{len(ends)} rounds",
                found=f"{rounds} rounds",
            )
        elif event.keep_days < 1 or stored.at_ms < ends[-1].at_ms + event.keep_days * DAY_MS:
            self._context.find(
                stored,
                "It purged decks before their time.",
                expected=f"{max(event.keep_days, 1)} days after the round",
                found=f"{(stored.at_ms - ends[-1].at_ms) // DAY_MS} days",
            )

    def _check_proofs(self, stored: StoredEvent, event: DecksPurged) -> None:
        """The proofs that were kept are still there."""
        context = self._context
        try:
            bodies = kept_proof_bodies(context.store, self._table, event.first, event.last)
        except KeyMissing as error:
            context.note_sealed(stored.stream, error)
            return
        except Damaged as error:
            context.find(stored, "A proof cannot be opened.", expected="a proof", found=str(error))
            return
        found = digest_of_proofs(bodies)
        if found != event.proofs:
            context.find(
                stored,
                "The proofs that it kept are missing or changed.",
                expected=event.proofs,
                found=found,
            )

    def finish(self) -> None:
        """Nothing follows from a purge."""
