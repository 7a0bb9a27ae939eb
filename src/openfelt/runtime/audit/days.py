"""The audit of closed days: the balances that each records are the sums of its transfers."""

from openfelt.ledger.day_close import DayClosed
from openfelt.money import format_cents
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.progress.progress_state import Saved
from openfelt.runtime.cage.days.day_book import balances_before
from openfelt.runtime.cage.days.day_closings import DayClosings
from openfelt.runtime.clock import end_ms
from openfelt.runtime.streams import DAYS_STREAM
from openfelt.storage.door import StoredEvent
from openfelt.storage.shown_names import shown


class DaysAudit:
    """The audit of the days that have been closed."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._closings = DayClosings(context.store)
        self._before: DayClosed | None = None
        self._version = 0
        """The event of the last closed day."""

    def take(self, booked: BookedEvent) -> None:
        """Check one closed day against the one before it and the transfers since."""
        context, stored = self._context, booked.stored
        check_transfers(booked, (), context.report)
        try:
            event = context.codec.decode(stored)
            if self._stream != DAYS_STREAM or not isinstance(event, DayClosed):
                raise ImpossibleEvent("It is not the closing of a day")
            if self._before is not None and event.day <= self._before.day:
                raise ImpossibleEvent(f"{self._before.day} has been closed before")
            self._check(stored, event)
        except REPLAY_ERRORS as error:
            context.find_impossible(stored, error)
            return
        if not self._closings.is_void(stored):
            self._before, self._version = event, stored.version

    def _check(self, stored: StoredEvent, event: DayClosed) -> None:
        context = self._context
        end = end_ms(event.day)
        sums = balances_before(context.store, end, self._before, up_to=event.transfer)
        wanted = {str(account): cents for account, cents in sums.items()}
        for name in sorted(wanted.keys() | event.balances.keys()):
            right, recorded = wanted.get(name, 0), event.balances.get(name, 0)
            if right != recorded:
                context.find(
                    stored,
                    f"The balance of {shown(name)} at the end of {event.day} is not the sum of its "
                    "transfers.",
                    expected=format_cents(right),
                    found=format_cents(recorded),
                )

    def saved(self) -> Saved:
        """Which event closed the last day."""
        return {"version": self._version}

    def resume(self, saved: Saved) -> None:
        """Continue after the day that was closed last."""
        self._version = int(saved["version"])
        self._before = self._closings.last(up_to=self._version)

    def finish(self) -> None:
        """Nothing follows from closed days: no account depends on them."""
