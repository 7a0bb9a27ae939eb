"""The audit of a table's record, replayed event by event.

What the table holds at the end, each seat's credit and the wagers on the felt, is what the
accounts must hold.
"""

from dataclasses import replace
from typing import Any

from openfelt.ledger import Account, AccountKind
from openfelt.rules.round_events import RoundSettled
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.link_tallies import counted_by_table
from openfelt.runtime.audit.progress.progress_state import NotResumable, Saved
from openfelt.runtime.audit.purges import kept_fault, purged_up_to
from openfelt.runtime.audit.rounds import RoundsAudit
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.shuffle.deck_secrets import ShownParts, is_secret_up_to
from openfelt.runtime.streams import name_of
from openfelt.runtime.tables.recovery.snapshots import SNAPSHOT_FORM, Since, snapshot_of, table_of
from openfelt.storage.codec import read_json
from openfelt.storage.door import (
    KeyLost,
    KeyMissing,
    Purged,
    Snapshot,
    StoredEvent,
)
from openfelt.storage.event_forms import ROUND_ENDS, ROUND_OPENED
from openfelt.storage.shown_names import shown
from openfelt.table.chips import transfers_of
from openfelt.table.events import TableEvent, TableOpened
from openfelt.table.state import Table, open_table
from openfelt.table.transitions import after


class TableAudit:
    """The audit of one table's record."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._id = name_of(stream)
        self._purged_up_to = purged_up_to(context, self._id)
        self._rounds = RoundsAudit(
            context.store,
            stream,
            context.report,
            purged_up_to=self._purged_up_to,
            shipped=context.shipped,
        )
        self._reader = RoundReader(context.store) if context.shipped else None
        self._opened: StoredEvent | None = None
        self._shown = ShownParts(context.store, self._id, 0)
        self._shown_of = 0
        """The round of these parts."""
        self._snapshot = context.snapshot(stream)
        self._since = Since()
        self._table: Table | None = None

    def take(self, booked: BookedEvent) -> None:
        """Replay one event; after one that cannot be replayed, later ones are skipped."""
        if self._stream in self._context.broken:
            return
        try:
            event = self._decoded(booked.stored)
            self._table = self._after(event, booked)
            self._since = self._since.after(event, booked.stored.at_ms)
        except KeyMissing as error:
            self._context.note_encrypted(self._stream, error)
            return
        except REPLAY_ERRORS as error:
            self._context.find_break(booked.stored, error)
            return
        self._check_kept(booked.stored)
        if self._snapshot is not None and self._snapshot.version == booked.stored.version:
            self._check_snapshot(self._snapshot, booked.stored, self._table)

    def _decoded(self, stored: StoredEvent) -> Any:
        """An event; of purged or lost parts, only what was shown is included."""
        number = self._table.rounds if self._table is not None else 0
        if number != self._shown_of:
            self._shown = ShownParts(self._context.store, self._id, number)
            self._shown_of = number
        unasked = not self._shown.asked
        event = self._context.codec.decode(stored, shown=self._shown)
        if unasked and self._shown.asked:
            self._count_unreadable(stored, number)
        return event

    def _check_kept(self, stored: StoredEvent) -> None:
        """In a shipped copy, check the proof of every round that ends."""
        if self._reader is None:
            return
        if stored.name == ROUND_OPENED:
            self._opened = stored
        elif stored.name in ROUND_ENDS and self._opened is not None:
            fault = kept_fault(self._context, self._reader, self._id, self._opened, stored.version)
            if fault is not None:
                self._context.find(
                    stored,
                    "The proof of the round does not prove it.",
                    expected="a proof of the cards that were shown",
                    found=fault,
                )

    def _count_unreadable(self, stored: StoredEvent, number: int) -> None:
        """Count a round whose hidden cards are gone; a finding if they are so for no reason."""
        try:
            stored.plain_body  # noqa: B018 (it raises the reason)
        except KeyLost:
            self._context.report.counts.rounds_unreadable += 1
        except Purged:
            self._context.report.counts.rounds_purged += not self._context.shipped
            if number > self._purged_up_to:
                self._context.find(
                    stored,
                    f"The key of the hidden cards of round {number} is missing.",
                    expected="a key, because the round has not been purged",
                    found="none",
                )

    def _after(self, event: Any, booked: BookedEvent) -> Table:
        report = self._context.report
        if self._table is None:
            if not isinstance(event, TableOpened) or event.table != self._id:
                raise ImpossibleEvent("The record does not begin with the opening of the table")
            check_transfers(booked, (), report)
            return open_table(event)
        transfers = transfers_of(self._table, event)
        check_transfers(booked, transfers, report)
        self._rounds.take(self._table, event, booked.stored)
        self._tally(self._table, event)
        return after(self._table, event, transfers)

    def _tally(self, table: Table, event: TableEvent) -> None:
        """Add what the link must have counted of a settled round."""
        if isinstance(event, RoundSettled):
            counted = counted_by_table(table, event)
            if counted is not None:
                self._context.tallies.at_table(table.link or "", table.id, counted)

    def saved(self) -> Saved:
        """The table as it is, and what its rounds need."""
        table = self._table
        assert table is not None
        if table.playing is None:
            # The cards of a finished round are not kept for longer than the house keeps them.
            table = replace(table, round=None)
        snapshot = snapshot_of(self._context.codec, table, Since())
        since = list(self._since)
        return {"table": snapshot, "since": since, "rounds": self._rounds.saved()}

    def resume(self, saved: Saved) -> None:
        """Continue with the table as it was."""
        table = table_of(self._context.codec, str(saved["table"]))
        if table is None:
            raise NotResumable("the state of tables has another form now")
        self._table = table
        self._since = Since(*saved["since"])
        self._rounds.resume(table, saved["rounds"])

    def finish(self) -> None:
        """Note what the table's accounts must hold."""
        table, context = self._table, self._context
        if table is None:
            context.broken.add(self._stream)
        if table is None or self._stream in context.broken:
            return
        context.check_snapshot_version(self._stream, self._snapshot)
        # An archive keeps the deck of the next round, which may be committed to after its end.
        last = table.deck_round + (context.store.cut_at() is not None)
        context.check_secret_names(self._stream, lambda name: is_secret_up_to(last, name))
        context.report.fairness[table.id] = table.fairness
        context.report.counts.seeds += table.fairness.seeds
        context.report.counts.seeds_withheld += table.fairness.seeds_withheld
        context.dealing[table.id] = table.dealer
        if table.link is not None:
            context.feeding[table.link].add(table.id)
        for number, seat in table.seats.items():
            context.balances[table.credit(number)] = seat.credit_cents
        if (state := table.playing) is not None:
            context.report.counts.rounds_in_progress += 1
            context.balances[Account(AccountKind.WAGERS, table.round_id)] = sum(
                wager.cents for hand in state.hands.values() for wager in hand.wagers
            )
            if state.opened.banker is not None:
                bank = Account(AccountKind.BANKER, table.round_id)
                context.balances[bank] = state.opened.banker.cover_cents

    def _check_snapshot(self, snapshot: Snapshot, stored: StoredEvent, table: Table) -> None:
        """Compare a snapshot with the state that the events before it give."""
        context = self._context
        context.check_snapshot_time(snapshot, stored)
        if table.playing is None and table.rounds <= self._purged_up_to:
            # A purge leaves no cards in a snapshot.
            table = replace(table, round=None)
        replayed = read_json(snapshot_of(context.codec, table, self._since))
        try:
            kept = read_json(snapshot.body)
            if kept["form"] != SNAPSHOT_FORM:
                context.report.note(f"The snapshot of {shown(self._stream)} has an older form.")
                return
            differing = [
                name
                for name in replayed["table"]
                if kept["table"].get(name) != replayed["table"][name]
            ]
            differing += sorted(kept["table"].keys() - replayed["table"].keys())
            differing += [name for name in ("dealt", "since") if kept[name] != replayed[name]]
        except REPLAY_ERRORS as error:
            context.find_unreadable(stored, error)
            return
        if differing:
            context.find(
                stored,
                "The snapshot differs from the table that its events give.",
                expected="the table as replayed",
                found=f"another {' and '.join(map(shown, differing))}",
            )
        context.report.counts.snapshots += 1
