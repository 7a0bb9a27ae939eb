"""The audit of takings: what each day's event says of a table is the sum of its transfers."""

from datetime import date
from typing import Final

from openfelt.ledger.takings import Takings, TakingsCounted
from openfelt.money import format_cents
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.progress.progress_state import NotResumable, Saved
from openfelt.runtime.cage.days.takings import is_void, takings_of
from openfelt.runtime.clock import start_ms
from openfelt.storage.door import StoredEvent
from openfelt.storage.shown_names import shown
from openfelt.storage.streams.time_corrections import corrections_in

_NOTHING: Final = Takings()


class TakingsAudit:
    """The audit of the takings of every day."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._corrections = corrections_in(context.store)
        self._archive = context.store.archive(with_state=False)
        self._last: date | None = None
        context.check_secret_names(stream, lambda _: False)

    def take(self, booked: BookedEvent) -> None:
        """Check the takings of one day against its transfers."""
        context, stored = self._context, booked.stored
        check_transfers(booked, (), context.report)
        try:
            event = context.codec.decode(stored)
            if not isinstance(event, TakingsCounted):
                raise ImpossibleEvent("It is not the takings of a day")
            if self._last is not None and event.day <= self._last:
                raise ImpossibleEvent(f"{event.day} has been counted before")
            self._check(stored, event)
        except REPLAY_ERRORS as error:
            context.find_impossible(stored, error)
            return
        if not is_void(stored, self._corrections):
            self._last = event.day

    def _check(self, stored: StoredEvent, event: TakingsCounted) -> None:
        if self._archive is not None and start_ms(event.day) < self._archive.at_ms:
            # The transfers of this day are in the archive, whose audit has read them.
            return
        right = takings_of(self._context.store, event.day, up_to=event.transfer)
        for table in sorted(right.keys() | event.tables.keys()):
            wanted, recorded = right.get(table, _NOTHING), event.tables.get(table, _NOTHING)
            if wanted != recorded:
                self._context.find(
                    stored,
                    f"The takings of {shown(table)} on {event.day} are not the sums of its "
                    "transfers.",
                    expected=_words(wanted),
                    found=_words(recorded),
                )

    def saved(self) -> Saved:
        """The last day."""
        return {"last": None if self._last is None else self._last.isoformat()}

    def resume(self, saved: Saved) -> None:
        """Continue after the last day; raises NotResumable."""
        last = saved.get("last")
        if last is not None and not isinstance(last, str):
            raise NotResumable("it is not the state of takings")
        self._last = None if last is None else date.fromisoformat(last)

    def finish(self) -> None:
        """Nothing follows from takings: no account depends on them."""


def _words(takings: Takings) -> str:
    return f"win {format_cents(takings.win_cents)}, drop {format_cents(takings.drop_cents)}"
