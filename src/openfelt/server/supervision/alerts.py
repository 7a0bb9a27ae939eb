"""What wants a supervisor at a table now."""

from collections.abc import Iterator
from dataclasses import dataclass

from openfelt.protocol.floor_forms import FloorAlert
from openfelt.server.supervision.table_figures import DayFigures, TableFigures
from openfelt.table.phases import TablePhase
from openfelt.table.state import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertLimits:
    """From where on something is an alert."""

    idle_ms: int = 15 * 60_000
    """How long players sit at an open table without a round being over."""
    voids: int = 3
    """How many rounds of a day are void."""
    corrections: int = 10
    """How many cards of a day are corrected."""


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
    found = [FloorAlert(kind="stopped")] if stopped else []
    found += _waiting(table)
    if today is not None and counted is not None:
        found += _counted(table, counted, today, now_ms, limits)
    return found


def _waiting(table: Table) -> Iterator[FloorAlert]:
    """What waits for the floor, from the state of the table."""
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
    """What the figures of the day say."""
    since_ms = counted.ended_ms if counted.ended_ms is not None else counted.from_ms
    waits = table.phase is TablePhase.OPEN and bool(table.seats)
    if waits and now_ms - since_ms >= limits.idle_ms:
        yield FloorAlert(kind="idle", since_ms=since_ms)
    if today.rounds_voided >= limits.voids:
        yield FloorAlert(kind="voids", count=today.rounds_voided)
    if today.corrections >= limits.corrections:
        yield FloorAlert(kind="corrections", count=today.corrections)
