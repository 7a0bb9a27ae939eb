"""The alerts of one table now: what waits for a supervisor, and figures that pass a limit."""

from collections.abc import Iterator
from typing import Final

from openfelt.protocol.floor_forms import FloorAlert
from openfelt.server.supervision.alert_limits import AlertLimits
from openfelt.server.supervision.table_figures import DayFigures, TableFigures
from openfelt.table.phases import TablePhase
from openfelt.table.state import Table

MINUTE_MS: Final = 60_000


def alerts_of(
    table: Table,
    counted: TableFigures | None,
    today: DayFigures | None,
    *,
    stopped: bool,
    now_ms: int,
    limits: AlertLimits,
) -> list[FloorAlert]:
    """The alerts of a table, the most pressing ones first."""
    alerts = [FloorAlert(kind="stopped")] if stopped else []
    alerts += _waiting(table)
    if today is not None and counted is not None:
        alerts += _counted(table, counted, today, now_ms, limits)
    return alerts


def _waiting(table: Table) -> Iterator[FloorAlert]:
    """Alerts for requests that wait for the floor, from the state of the table."""
    incidents = table.incidents
    if incidents.hold is not None:
        yield FloorAlert(kind="on_hold")
    if incidents.felt_differs is not None:
        yield FloorAlert(kind="felt_differs")
    if table.stub is not None and not table.stub.whole:
        yield FloorAlert(kind="stub_differs")
    if table.adjustments:
        yield FloorAlert(kind="adjustments", count=len(table.adjustments))
    if incidents.mispayments:
        yield FloorAlert(kind="mispayments", count=len(incidents.mispayments))
    is_open = table.phase is TablePhase.OPEN
    if is_open and not table.virtual and table.dealer is None and table.seats:
        yield FloorAlert(kind="no_dealer", count=len(table.seats))


def _counted(
    table: Table, counted: TableFigures, today: DayFigures, now_ms: int, limits: AlertLimits
) -> Iterator[FloorAlert]:
    """Alerts from the figures of the day."""
    since_ms = counted.ended_ms if counted.ended_ms is not None else counted.from_ms
    waits = table.phase is TablePhase.OPEN and bool(table.seats)
    idle_ms = limits.idle_minutes * MINUTE_MS
    if waits and 0 < idle_ms <= now_ms - since_ms:
        yield FloorAlert(kind="idle", since_ms=since_ms)
    if 0 < limits.voids <= today.rounds_voided:
        yield FloorAlert(kind="voids", count=today.rounds_voided)
    if 0 < limits.corrections <= today.corrections:
        yield FloorAlert(kind="corrections", count=today.corrections)
