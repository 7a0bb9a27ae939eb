"""The audit of a dealer's record, and of where it disagrees with the records of tables."""

from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.progress.progress_state import NotResumable, Saved
from openfelt.runtime.streams import dealer_stream, name_of, table_stream
from openfelt.storage.shown_names import shown
from openfelt.table.dealer_events import DealerEvent, DealerSignedOn, table_after


class DealerAudit:
    """The audit of one dealer's record, replayed event by event."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._table: str | None = None

    def take(self, booked: BookedEvent) -> None:
        """Check that the dealer was signed on at one table at a time."""
        context, stored = self._context, booked.stored
        check_transfers(booked, (), context.report)
        try:
            event: DealerEvent = context.codec.decode(stored)
            self._check(event)
            self._table = table_after(event)
        except REPLAY_ERRORS as error:
            context.find_break(stored, error)

    def _check(self, event: DealerEvent) -> None:
        if isinstance(event, DealerSignedOn) and self._table is not None:
            raise ImpossibleEvent(f"The dealer is signed on at {shown(self._table)}")
        if not isinstance(event, DealerSignedOn) and self._table != event.table:
            raise ImpossibleEvent(f"The dealer is not signed on at {shown(event.table)}")

    def saved(self) -> Saved:
        """Where the dealer is signed on."""
        return {"table": self._table}

    def resume(self, saved: Saved) -> None:
        """Continue with the dealer where the dealer was; raises NotResumable."""
        table = saved.get("table", 0)
        if table is not None and not isinstance(table, str):
            raise NotResumable("it is not the state of a dealer")
        self._table = table

    def finish(self) -> None:
        """Note where the dealer is signed on."""
        self._context.signed_on[name_of(self._stream)] = self._table


def compare_dealers(context: AuditContext) -> None:
    """Report every dealer about whom the dealer's record and a table's record disagree."""
    for dealer, table in sorted(context.signed_on.items()):
        dealt = {name for name, dealing in context.dealing.items() if dealing == dealer}
        streams = {dealer_stream(dealer), *map(table_stream, dealt | {table or ""})}
        if dealt != {table} - {None} and not context.broken & streams:
            context.report.find(
                dealer_stream(dealer),
                "The dealer's record and the tables' records disagree about where the dealer is "
                "signed on.",
                expected=shown(table or "none"),
                found=", ".join(map(shown, sorted(dealt))) or "none",
            )
