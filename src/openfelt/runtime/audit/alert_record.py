"""The audit of alerts: each is raised once, seen at most once, and closed at most once."""

from openfelt.record_events.alert_events import AlertClosed, AlertEvent, AlertRaised, AlertSeen
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.progress.progress_state import NotResumable, Saved


class AlertAudit:
    """The audit of the record of alerts."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._raised = 0
        self._seen: set[int] = set()
        self._closed: set[int] = set()
        context.check_secret_names(stream, lambda _: False)

    def take(self, booked: BookedEvent) -> None:
        """Check that alerts are numbered without gaps, and neither seen nor closed twice."""
        check_transfers(booked, (), self._context.report)
        try:
            self._follow(self._context.codec.decode(booked.stored))
        except REPLAY_ERRORS as error:
            self._context.find_impossible(booked.stored, error)

    def _follow(self, event: AlertEvent) -> None:
        match event:
            case AlertRaised(number=number):
                if number != self._raised + 1:
                    raise ImpossibleEvent("Alerts are numbered without gaps")
                self._raised = number
            case AlertSeen(number):
                if not 1 <= number <= self._raised or number in self._seen | self._closed:
                    raise ImpossibleEvent("An open alert is seen once")
                self._seen.add(number)
            case AlertClosed(number):
                if not 1 <= number <= self._raised or number in self._closed:
                    raise ImpossibleEvent("An alert is closed once")
                self._closed.add(number)
                self._seen.discard(number)

    def saved(self) -> Saved:
        """How many alerts there are, and which are seen and closed."""
        return {
            "raised": self._raised,
            "seen": sorted(self._seen),
            "closed": sorted(self._closed),
        }

    def resume(self, saved: Saved) -> None:
        """Continue with the record of alerts; raises NotResumable."""
        raised, seen, closed = saved.get("raised"), saved.get("seen"), saved.get("closed")
        if (
            not isinstance(raised, int)
            or not isinstance(seen, list)
            or not isinstance(closed, list)
        ):
            raise NotResumable("it is not the state of alerts")
        self._raised, self._seen, self._closed = raised, set(seen), set(closed)

    def finish(self) -> None:
        """Nothing follows from alerts."""
