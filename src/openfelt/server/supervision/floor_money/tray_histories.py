"""The record of every tray, kept up to date: its shifts, and the slips of its chips."""

import threading
from dataclasses import dataclass, field, replace
from typing import Final

from openfelt.ledger.counts import Count
from openfelt.ledger.trays import (
    ChipMove,
    ChipsGiven,
    ChipsReceived,
    ChipsRefused,
    ChipsRequested,
    SlipKind,
    Tray,
    TrayClosed,
    TrayEvent,
    TrayOpened,
    TrayShift,
    tray_after,
)
from openfelt.runtime.cage.trays import Trays

SHIFTS_MAX: Final = 60
SLIPS_MAX: Final = 200
"""How many shifts and slips of a table are cached, the newest ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipSlip:
    """A slip of the chip bank, with all signatures for its chips."""

    number: int
    table: str
    request: ChipsRequested
    given_by: str
    at_ms: int
    """When the chip bank made it."""
    received_by: str | None = None
    refused: ChipsRefused | None = None
    """How a void slip ended."""

    @property
    def kind(self) -> SlipKind:
        """The direction of the chips."""
        return self.request.kind

    @property
    def count(self) -> Count:
        """The chips."""
        return self.request.count


@dataclass(slots=True)
class TrayHistory:
    """The record of one tray, read so far."""

    tray: Tray
    version: int = 0
    shifts: list[TrayShift] = field(default_factory=list)
    """Shifts that are over, the last one last."""
    slips: list[ChipSlip] = field(default_factory=list)
    versions: dict[int, tuple[int, int | None]] = field(default_factory=dict)
    """By the number of the opening count, the events with which a shift began and ended."""

    @property
    def shift(self) -> TrayShift | None:
        """The shift that is open, or the last one."""
        return self.tray.shift

    def take(self, event: TrayEvent, at_ms: int, version: int) -> None:
        """Apply one event."""
        number = getattr(event, "number", None)
        move = self.tray.moves.get(number) if number is not None else None
        self.tray = tray_after(self.tray, event, at_ms)
        self.version = version
        if isinstance(event, TrayOpened):
            self.versions = {**self.versions, event.number: (version, None)}
        elif isinstance(event, TrayClosed) and self.tray.shift is not None:
            self.shifts = [*self.shifts, self.tray.shift][-SHIFTS_MAX:]
            ended = {
                shift.opened.number: self.versions[shift.opened.number] for shift in self.shifts
            }
            opened = self.tray.shift.opened.number
            self.versions = {**ended, opened: (ended[opened][0], version)}
        elif move is not None:
            self._note_slip(move, event, at_ms)

    def _note_slip(self, move: ChipMove, event: TrayEvent, at_ms: int) -> None:
        match event:
            case ChipsGiven(slip=int(number)):
                self._add(number, move, event.by, at_ms)
            case ChipsReceived(slip=int(number)):
                # The chip bank makes the slip of a credit when it gets the chips.
                self._add(number, move, move.given.by if move.given else "", at_ms)
                self.slips[-1] = replace(self.slips[-1], received_by=event.by)
            case ChipsReceived():
                self._end(move, received_by=event.by)
            case ChipsRefused():
                self._end(move, refused=event)

    def _add(self, number: int, move: ChipMove, given_by: str, at_ms: int) -> None:
        slip = ChipSlip(
            number=number,
            table=self.tray.id,
            request=move.request,
            given_by=given_by,
            at_ms=at_ms,
        )
        self.slips = [*self.slips, slip][-SLIPS_MAX:]

    def _end(
        self, move: ChipMove, received_by: str | None = None, refused: ChipsRefused | None = None
    ) -> None:
        number = move.given.slip if move.given is not None else None
        self.slips = [
            replace(slip, received_by=received_by, refused=refused)
            if slip.number == number
            else slip
            for slip in self.slips
        ]


class TrayHistories:
    """The records of all trays. All calls block; threads may share it."""

    def __init__(self, trays: Trays) -> None:
        self._trays = trays
        self._histories: dict[str, TrayHistory] = {}
        self._lock = threading.Lock()

    def of(self, table: str) -> TrayHistory:
        """The record of a tray up to now."""
        with self._lock:
            history = self._histories.pop(table, None) or TrayHistory(Tray(id=table))
            for stored, event in self._trays.record(table, after=history.version):
                history.take(event, stored.at_ms, stored.version)
            # A record that fails on the way leaves no half of it behind.
            self._histories[table] = history
            return replace(history, shifts=list(history.shifts), slips=list(history.slips))

    def names(self) -> list[str]:
        """The tables whose trays were ever counted."""
        return self._trays.names()

    def all(self) -> list[TrayHistory]:
        """The records of all trays that were ever counted."""
        return [self.of(table) for table in self.names()]
