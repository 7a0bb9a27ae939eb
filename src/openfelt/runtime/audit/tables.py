"""The audit of a table's record, replayed event by event.

What the table holds at the end, each seat's credit and the wagers on the felt, is what the
accounts must hold.
"""

from typing import Any

from openfelt.ledger import Account, AccountKind
from openfelt.rules.round import RoundSettled
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.link_tallies import counted_by_table
from openfelt.runtime.audit.purges import purged_up_to
from openfelt.runtime.audit.rounds import RoundsAudit
from openfelt.runtime.streams import name_of
from openfelt.runtime.tables.recovery import SNAPSHOT_FORM, Since, snapshot_of
from openfelt.storage.codec import read_json
from openfelt.storage.door import Damaged, KeyMissing, Snapshot, StoredEvent
from openfelt.table.chips import transfers_of
from openfelt.table.events import TableEvent, TableOpened
from openfelt.table.state import Table, after, open_table


class TableAudit:
    """The audit of one table's record."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._id = name_of(stream)
        self._rounds = RoundsAudit(
            context.store,
            stream,
            context.report,
            purged_up_to=purged_up_to(context, self._id),
        )
        self._snapshot = _snapshot(context, stream)
        self._table: Table | None = None

    def take(self, booked: BookedEvent) -> None:
        """Replay one event; once an event could not be replayed, later ones are passed over."""
        if self._stream in self._context.broken:
            return
        try:
            event = self._context.codec.decode(booked.stored)
            self._table = self._after(event, booked)
        except KeyMissing as error:
            self._context.note_sealed(self._stream, error)
            return
        except REPLAY_ERRORS as error:
            self._context.find_impossible(booked.stored, error)
            self._context.broken.add(self._stream)
            return
        if self._snapshot is not None and self._snapshot.version == booked.stored.version:
            self._check_snapshot(self._snapshot, booked.stored, self._table)

    def _after(self, event: Any, booked: BookedEvent) -> Table:
        report = self._context.report
        if self._table is None:
            if not isinstance(event, TableOpened) or event.table != self._id:
                raise ImpossibleEvent(f"The record does not begin with the opening of {self._id}")
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
            counted = counted_by_table(table, event.settlement)
            if counted is not None:
                self._context.tallies.at_table(table.link or "", table.id, counted)

    def finish(self) -> None:
        """Note what the table's accounts must hold."""
        table, context = self._table, self._context
        if table is None:
            context.broken.add(self._stream)
        if table is None or self._stream in context.broken:
            return
        context.check_snapshot_version(self._stream, self._snapshot)
        if table.virtual:
            context.report.fairness[table.id] = table.fairness
            context.report.counts.seeds += table.fairness.seeds
            context.report.counts.seeds_withheld += table.fairness.seeds_withheld
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
        replayed = read_json(snapshot_of(context.codec, table, Since()))
        try:
            kept = read_json(snapshot.body)
            if kept["form"] != SNAPSHOT_FORM:
                context.report.note(f"The snapshot of {self._stream} has an older form.")
                return
            differing = [
                name
                for name in replayed["table"]
                if kept["table"].get(name) != replayed["table"][name]
            ]
            differing += sorted(kept["table"].keys() - replayed["table"].keys())
            if kept["dealt"] != replayed["dealt"]:
                differing.append("dealt")
        except REPLAY_ERRORS as error:
            context.find(
                stored, "The snapshot cannot be read.", expected="a snapshot", found=str(error)
            )
            return
        if differing:
            context.find(
                stored,
                "The snapshot differs from the table that its events give.",
                expected="the table as replayed",
                found=f"another {' and '.join(differing)}",
            )
        context.report.counts.snapshots += 1


def _snapshot(context: AuditContext, stream: str) -> Snapshot | None:
    """The snapshot of a table; a finding if it is sealed and damaged."""
    try:
        return context.store.snapshot(stream)
    except KeyMissing as error:
        context.note_sealed(stream, error)
    except Damaged as error:
        context.report.find(stream, str(error))
    return None
