"""The audit of what is gone: purges, and keys that were declared lost.

Cards must have been removed in order and not before their time. What was kept of a purged round
must prove the cards that were shown, and match the record. The report names every lost key.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from openfelt.record_events.lost_key_events import KeyDeclaredLost
from openfelt.record_events.purge_events import DecksPurged, ProofsDropped
from openfelt.rules.round import card_at
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.progress.progress_state import Saved
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof import RoundProof
from openfelt.runtime.rounds.proof_forms import read_proof
from openfelt.runtime.rounds.purge import digest_of_proofs
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.rounds.recorded_round import RecordedRound
from openfelt.runtime.shuffle.deck_secrets import (
    is_kept_up_to,
    kept_proof_bodies,
    kept_proofs,
    shown_bodies,
)
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.streams import name_of, purge_stream, table_stream
from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.door import Damaged, KeyLost, KeyMissing, StoredEvent
from openfelt.storage.event_forms import ROUND_ENDS, ROUND_OPENED
from openfelt.storage.secrecy.data_keys import DATA_KEYS_PREFIX
from openfelt.storage.shown_names import shown, shown_hash

_DROPPED: Final = "proofs_dropped"


def purged_up_to(context: AuditContext, table: str) -> int:
    """The number of the last round of a table whose decks have been purged, 0 for none."""
    if context.shipped:
        return LAST_NUMBER
    last = 0
    for stored in context.store.events(purge_stream(table)):
        try:
            purged = context.codec.decode(stored)
        except REPLAY_ERRORS:
            break
        last = purged.last if isinstance(purged, DecksPurged) else last
    return last


def _dropped_up_to(context: AuditContext, stream: str) -> int:
    """The number of the last round of a table whose proofs have been dropped, 0 for none."""
    last = 0
    for stored in context.store.events(stream):
        if stored.name == _DROPPED:
            try:
                last = context.codec.decode(stored).last
            except REPLAY_ERRORS:
                break
    return last


class PurgeAudit:
    """The audit of one table's purges."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._table = name_of(stream)
        self._reader = RoundReader(context.store)
        self._last = 0
        self._version = 0
        self._dropped = 0
        self._resumed = 0
        """The last purged round that an earlier audit has seen."""
        self._dropped_up_to = _dropped_up_to(context, stream)

    def take(self, booked: BookedEvent) -> None:
        """Check one purge."""
        context, stored = self._context, booked.stored
        check_transfers(booked, (), context.report)
        try:
            event = context.codec.decode(stored)
            is_purge = isinstance(event, DecksPurged | ProofsDropped)
            if not is_purge or event.table != self._table:
                raise ImpossibleEvent(f"It is not a purge of {shown(self._table)}")
        except REPLAY_ERRORS as error:
            context.find_impossible(stored, error)
            return
        if isinstance(event, ProofsDropped):
            self._take_dropped(stored, event)
        else:
            self._take_purged(stored, event)

    def _take_dropped(self, stored: StoredEvent, event: ProofsDropped) -> None:
        """Check that proofs were dropped in order and after their time, and no shown card."""
        context, store = self._context, self._context.store
        version = self._purged_together(event)
        ended_ms = None if version is None else self._ended_ms(version)
        if event.first != self._dropped + 1 or version is None:
            context.find(
                stored,
                "Proofs are dropped out of order.",
                expected=f"round {self._dropped + 1} first, and rounds that were purged together",
                found=f"rounds {event.first} to {event.last}",
            )
        elif ended_ms is not None and stored.at_ms < ended_ms + max(event.keep_days, 1) * DAY_MS:
            context.find(
                stored,
                "It dropped proofs before their time.",
                expected=f"{max(event.keep_days, 1)} days after the round",
                found=f"{(stored.at_ms - ended_ms) // DAY_MS} days",
            )
        self._dropped = event.last
        context.report.counts.proofs_dropped += event.proofs
        if context.shipped:
            return
        try:
            bodies = shown_bodies(store, self._table, event.first, event.last)
        except (KeyLost, KeyMissing) as error:
            context.report.note(f"Shown cards of {self._table} cannot be checked. {error}")
            return
        except Damaged as error:
            context.find(stored, "Shown cards cannot be opened.", expected="", found=str(error))
            return
        if (digest := digest_of_proofs(list(bodies.values()))) != event.shown:
            context.find(
                stored,
                "The shown cards that it kept are missing or changed.",
                expected=event.shown,
                found=digest,
            )

    def _purged_together(self, event: ProofsDropped) -> int | None:
        """The version at which the rounds ended, if they were purged together before."""
        for stored in self._context.store.events(purge_stream(self._table)):
            purged = self._context.codec.decode(stored)
            if isinstance(purged, DecksPurged) and purged.first == event.first:
                return purged.version if purged.last == event.last else None
        return None

    def _ended_ms(self, version: int) -> int | None:
        """When the event with this version of the table was written; None if it is archived."""
        stream = table_stream(self._table)
        events = self._context.store.events(stream, after=version - 1, up_to=version)
        return next((stored.at_ms for stored in events), None)

    def _take_purged(self, stored: StoredEvent, event: DecksPurged) -> None:
        context = self._context
        if event.first != self._last + 1 or event.last < event.first:
            context.find(
                stored,
                "Rounds are purged out of order.",
                expected=f"round {self._last + 1} first",
                found=f"rounds {event.first} to {event.last}",
            )
        self._check_time(stored, event)
        if event.last > self._dropped_up_to and not self._context.shipped:
            self._check_proofs(stored, event)
        self._last, self._version = event.last, event.version

    def _check_time(self, stored: StoredEvent, event: DecksPurged) -> None:
        """The rounds were over, for as long as the house keeps decks."""
        ends = [
            end
            for end in self._context.store.events(
                table_stream(self._table), after=self._version, up_to=event.version
            )
            if end.name in ROUND_ENDS
        ]
        if self._is_beyond(event):
            return
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

    def _is_beyond(self, event: DecksPurged) -> bool:
        """Whether a purge reaches beyond the end of an archive, which lacks its later rounds."""
        store = self._context.store
        ends = store.head(table_stream(self._table)).version
        return event.version > ends and store.cut_at() is not None

    def _check_proofs(self, stored: StoredEvent, event: DecksPurged) -> None:
        """The stored proofs are still there, and prove the cards that were shown."""
        context = self._context
        try:
            bodies = kept_proof_bodies(context.store, self._table, event.first, event.last)
            digest = digest_of_proofs(list(bodies.values()))
            if digest == event.proofs:
                for opened in self._openings(event):
                    self._check_round(stored, opened)
                return
        except KeyLost as error:
            context.report.note(f"Kept proofs of {self._table} cannot be checked. {error}")
            return
        except KeyMissing as error:
            context.note_encrypted(stored.stream, error)
            return
        except Damaged as error:
            context.find(stored, "A proof cannot be opened.", expected="a proof", found=str(error))
            return
        context.find(
            stored,
            "The proofs that it kept are missing or changed.",
            expected=shown_hash(event.proofs),
            found=digest,
        )

    def _openings(self, event: DecksPurged) -> Iterator[StoredEvent]:
        """The openings of the purged rounds."""
        stream = table_stream(self._table)
        events = self._context.store.events(stream, after=self._version, up_to=event.version)
        return (stored for stored in events if stored.name == ROUND_OPENED)

    def _check_round(self, stored: StoredEvent, opened: StoredEvent) -> None:
        """The kept proof of a round holds, and its cards are those that the record still shows."""
        fault = kept_fault(self._context, self._reader, self._table, opened)
        if fault is not None:
            self._context.find(
                stored,
                "A proof that it kept does not prove its round.",
                expected="a proof of the cards that were shown",
                found=fault,
            )

    def saved(self) -> Saved:
        """How far the table has been purged."""
        return {"last": self._last, "version": self._version, "dropped": self._dropped}

    def resume(self, saved: Saved) -> None:
        """Continue after the last purge."""
        self._last, self._version = int(saved["last"]), int(saved["version"])
        self._dropped = int(saved["dropped"])
        self._resumed = self._last

    def _check_archived(self) -> None:
        """The stored proofs of archived rounds are still there, and unchanged."""
        last, self._version = self._version, 0
        for stored in self._context.store.events(purge_stream(self._table)):
            event = self._context.codec.decode(stored)
            if isinstance(event, DecksPurged) and event.last <= self._resumed:
                if event.last > self._dropped_up_to:
                    self._check_proofs(stored, event)
                self._version = event.version
        self._version = last

    def _check_keys(self) -> None:
        """No key of a purged round is there: it would open mucked hands."""
        stream = table_stream(self._table)
        for name in self._context.store.secret_names(stream, DATA_KEYS_PREFIX):
            number = name.removeprefix(DATA_KEYS_PREFIX)
            if not number.isdecimal() or int(number) <= self._last:
                self._context.report.find(
                    stream,
                    f"The key of the hidden cards of round {shown(number)} is still there, "
                    "although the round has been purged.",
                    expected="no key",
                    found=shown(name),
                )

    def finish(self) -> None:
        """Check what the purges were to remove, and that they kept nothing else."""
        self._check_keys()
        if self._context.full and self._resumed:
            self._check_archived()
        last, stream = self._last, purge_stream(self._table)
        self._context.check_secret_names(stream, lambda name: is_kept_up_to(last, name))


def kept_fault(
    context: AuditContext,
    reader: RoundReader,
    table: str,
    opened: StoredEvent,
    ended: int | None = None,
) -> str | None:
    """Why the kept proof of a round does not prove it, None if it does or there is none.

    ``ended`` is the version at which the round ended, where the caller knows it.
    """
    try:
        number = context.codec.decode(opened).number
        public = kept_proofs(context.store, table, number).get("public")
        if public is None:
            return None
        recorded = reader.read(table, number, version=opened.version, up_to=ended)
        return _fault(read_proof(public), recorded)
    except REPLAY_ERRORS as error:
        return str(error) if isinstance(error, ProofError) else type(error).__name__


def _fault(proof: RoundProof, recorded: RecordedRound) -> str | None:
    """Why a proof does not prove what the record shows of its round, None if it does."""
    check_round_proof(proof, recorded.opened.house)
    roots = {(line.deck, line.root, line.version) for line in recorded.commitments}
    if any((line.deck, line.root, line.version) not in roots for line in proof.commitments):
        return "a commitment that the table did not publish"
    final = recorded.final()
    lying = [(dealt.place, dealt.card) for dealt in proof.cards]
    lying += [(scan.place, scan.corrected or scan.card) for scan in proof.scanned]
    for place, card in lying:
        if card is not None and card_at(final, place) != card:
            return f"another card at {place}"
    return None


class LostKeyAudit:
    """The audit of the record of one lost key."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._key = name_of(stream)
        self._note: str | None = None

    def saved(self) -> Saved:
        """The report's statement about the key."""
        return {"note": self._note}

    def resume(self, saved: Saved) -> None:
        """Every report names the loss."""
        if saved["note"] is not None:
            self._tell(str(saved["note"]))

    def take(self, booked: BookedEvent) -> None:
        """Note the loss, and who declared it."""
        context, stored = self._context, booked.stored
        check_transfers(booked, (), context.report)
        try:
            event = context.codec.decode(stored)
            if not isinstance(event, KeyDeclaredLost) or event.key != self._key:
                raise ImpossibleEvent(f"It is not the loss of the key {shown(self._key)}")
            if stored.version > 1:
                raise ImpossibleEvent("The key has been declared lost before")
            day = datetime.fromtimestamp(stored.at_ms / 1000, UTC).date()
        except REPLAY_ERRORS as error:
            context.find_impossible(stored, error)
            return
        self._tell(
            f"On {day} {shown(stored.cause.actor)} declared the key {shown(event.key)} lost. With "
            f"it, {event.decks:,} decks, the hidden cards of {event.round_keys:,} rounds, "
            f"{event.proofs:,} kept proofs and {event.codes:,} secrets of one-time codes cannot be "
            "read any more."
            + (
                f" {len(event.unsigned):,} records were taken as they were found beyond what the "
                "notary had signed of them."
                if event.unsigned
                else ""
            )
        )

    def _tell(self, note: str) -> None:
        self._note = note
        self._context.report.counts.keys_lost += 1
        self._context.report.note(note)

    def finish(self) -> None:
        """Nothing follows from the loss of a key."""
