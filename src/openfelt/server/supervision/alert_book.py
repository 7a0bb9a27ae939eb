"""The alerts of the house: raised once, seen once, closed by a supervisor with a reason.

The watchers of the house report the conditions that hold now. A condition without an open alert
raises one, unless it was closed at the same level or a higher one: a closed condition is raised
again only if it gets worse. Everything is an event, so all processes report the same.
"""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final

from openfelt.record_events.alert_events import AlertClosed, AlertEvent, AlertRaised, AlertSeen
from openfelt.rules.refusal import Refusal
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import ALERTS_STREAM
from openfelt.server.errors import Denied, not_found
from openfelt.storage.door import Append, Cause, Commit, Conflict, Store, StoredEvent
from openfelt.storage.event_forms import EventCodec
from openfelt.table.commands import Actor

ATTEMPTS_MAX: Final = 20
CLOSED_LISTED: Final = 50
"""How many closed alerts are listed, the newest ones."""
BY_SYSTEM: Final = Cause(actor="system:openfelt")


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that exceeds a limit of the house now."""

    kind: str
    subject: str
    level: int
    """It grows as the condition gets worse; a new occurrence of the condition has another one."""
    detail: str = ""


ConditionSource = Callable[[], Iterable[Condition]]


@dataclass(frozen=True, slots=True)
class Mark:
    """Who saw or closed an alert, and when."""

    by: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert as the record has it."""

    number: int
    raised: AlertRaised
    at_ms: int
    seen: Mark | None = None
    closed: Mark | None = None
    reason: str = ""
    """Why it was closed."""


class AlertBook:
    """The alerts of one store. All calls block."""

    def __init__(self, store: Store, codec: EventCodec, clock: Clock) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock
        self._alerts: dict[int, Alert] = {}
        self._levels: dict[tuple[str, str], tuple[int, bool]] = {}
        """By kind and subject, the highest level that was raised and whether it is open."""
        self._current: dict[tuple[str, str], int] = {}
        """By kind and subject, the level that this process knows."""
        self._version = 0
        self._lock = threading.RLock()

    def all(self) -> list[Alert]:
        """The open alerts and the last closed ones, the newest first."""
        with self._lock:
            self._read()
            newest = sorted(self._alerts.values(), key=lambda alert: -alert.number)
        closed = [alert for alert in newest if alert.closed is not None][:CLOSED_LISTED]
        return [alert for alert in newest if alert.closed is None] + closed

    def open_count(self) -> int:
        """How many alerts are open, from the events that this process has read so far."""
        return sum(is_open for _, is_open in tuple(self._levels.values()))

    def raise_new(self, conditions: Iterable[Condition]) -> None:
        """Record the conditions that have no alert yet."""
        with self._lock:
            current = list(conditions)
            self._current = {
                (condition.kind, condition.subject): condition.level for condition in current
            }
            for _ in range(ATTEMPTS_MAX):
                self._read()
                new = [condition for condition in current if self._is_new(condition)]
                number = len(self._alerts)
                events = tuple(
                    AlertRaised(
                        number=number + place,
                        kind=condition.kind,
                        subject=condition.subject,
                        level=condition.level,
                        detail=condition.detail,
                    )
                    for place, condition in enumerate(new, start=1)
                )
                if not events or self._append(events, BY_SYSTEM):
                    return
        raise Refusal(RuntimeCode.BUSY, "The alerts are busy; try again.")

    def see(self, number: int) -> Alert:
        """Record that the caller has seen an alert; only the first viewer is recorded."""

        def seen(alert: Alert) -> AlertEvent | None:
            return None if alert.seen or alert.closed else AlertSeen(number)

        return self._change(number, seen)

    def close(self, number: int, reason: str) -> Alert:
        """Close an alert for a reason; raises Denied for one that is closed."""

        def closed(alert: Alert) -> AlertEvent:
            if alert.closed is not None:
                raise Denied(HTTPStatus.CONFLICT, "alert_closed", "This alert is already closed.")
            key = (alert.raised.kind, alert.raised.subject)
            level = max(alert.raised.level, self._current.get(key, 0))
            return AlertClosed(number, reason, level)

        return self._change(number, closed)

    def _change(self, number: int, decide: Callable[[Alert], AlertEvent | None]) -> Alert:
        with self._lock:
            for _ in range(ATTEMPTS_MAX):
                self._read()
                alert = self._alerts.get(number)
                if alert is None:
                    raise not_found(f"There is no alert {number}.")
                event = decide(alert)
                if event is None or self._append((event,), acting()):
                    self._read()
                    return self._alerts[number]
        raise Refusal(RuntimeCode.BUSY, "The alerts are busy; try again.")

    def _append(self, events: tuple[AlertEvent, ...], cause: Cause) -> bool:
        append = Append(
            stream=ALERTS_STREAM,
            expected_version=self._version,
            events=tuple(self._codec.encode(event, cause=cause) for event in events),
        )
        try:
            self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))
        except Conflict:
            # Another process has raised, seen or closed an alert.
            return False
        return True

    def _is_new(self, condition: Condition) -> bool:
        level, is_open = self._levels.get((condition.kind, condition.subject), (-1, False))
        return not is_open and condition.level > level

    def _read(self) -> None:
        for stored in self._store.record(ALERTS_STREAM, after=self._version):
            self._apply(stored)
            self._version = stored.version

    def _apply(self, stored: StoredEvent) -> None:
        event: AlertEvent = self._codec.decode(stored)
        mark = Mark(Actor.parse(stored.cause.actor).name, stored.at_ms)
        if isinstance(event, AlertRaised):
            self._alerts[event.number] = Alert(event.number, event, stored.at_ms)
            self._levels[event.kind, event.subject] = (event.level, True)
            return
        alert = self._alerts[event.number]
        if isinstance(event, AlertSeen):
            self._alerts[event.number] = replace(alert, seen=mark)
            return
        self._alerts[event.number] = replace(alert, closed=mark, reason=event.reason)
        self._levels[alert.raised.kind, alert.raised.subject] = (event.level, False)
