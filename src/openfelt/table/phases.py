"""The phases of a table: whether it takes wagers, and what changes that."""

from enum import StrEnum

from openfelt.table.events import (
    ClosingAnnounced,
    PauseAnnounced,
    TableClosed,
    TablePaused,
    TableReopened,
)


class TablePhase(StrEnum):
    """Whether a table takes wagers."""

    OPEN = "open"
    PAUSING = "pausing"
    """The round in progress is the last one before a pause."""
    PAUSED = "paused"
    """Players keep their seats, and no round is opened until the table goes on (R.44)."""
    CLOSING = "closing"
    """The round in progress is the last one."""
    CLOSED = "closed"

    @property
    def takes_seats(self) -> bool:
        """Whether players may sit down: at a table that is open, or goes on after a pause."""
        return self not in (TablePhase.CLOSING, TablePhase.CLOSED)


PhaseEvent = ClosingAnnounced | TableClosed | TableReopened | PauseAnnounced | TablePaused


def phase_after(event: PhaseEvent) -> TablePhase:
    """The phase of a table after an event.

    >>> phase_after(TablePaused("A spill.")).value
    'paused'
    """
    match event:
        case ClosingAnnounced():
            return TablePhase.CLOSING
        case TableClosed():
            return TablePhase.CLOSED
        case TableReopened():
            return TablePhase.OPEN
        case PauseAnnounced():
            return TablePhase.PAUSING
        case TablePaused():
            return TablePhase.PAUSED


def pause_reason(event: PhaseEvent) -> str | None:
    """Why a table pauses after an event, None if it does not."""
    return event.reason if isinstance(event, PauseAnnounced | TablePaused) else None
