"""The audit of shipments: the segments that were written to a copy, in order and without money."""

from openfelt.record_events.shipment_events import SegmentShipped
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.progress.progress_state import NotResumable, Saved
from openfelt.runtime.streams import name_of


class ShipmentAudit:
    """The audit of what was shipped to one copy."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._copy = name_of(stream)
        self._number = 0
        context.snapshot(stream)
        context.check_secret_names(stream, lambda _: False)

    def take(self, booked: BookedEvent) -> None:
        """Check that segments are numbered in order."""
        check_transfers(booked, (), self._context.report)
        try:
            event = self._context.codec.decode(booked.stored)
            if not isinstance(event, SegmentShipped) or event.copy != self._copy:
                raise ImpossibleEvent("It is not a shipment to this copy")
            if event.number != self._number + 1:
                raise ImpossibleEvent(f"Segment {self._number} was shipped before it")
            self._number = event.number
        except REPLAY_ERRORS as error:
            self._context.find_impossible(booked.stored, error)

    def saved(self) -> Saved:
        """The number of the last segment."""
        return {"number": self._number}

    def resume(self, saved: Saved) -> None:
        """Continue after the last segment; raises NotResumable."""
        number = saved.get("number")
        if not isinstance(number, int):
            raise NotResumable("it is not the state of a shipment")
        self._number = number

    def finish(self) -> None:
        """Nothing follows from shipments."""
