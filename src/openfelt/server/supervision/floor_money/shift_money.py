"""The money of a shift at every table: what was counted in trays, and what the record adds up to.

A table whose tray has been opened is reported from that opening on, up to the closing; any other
one from the beginning of the day, UTC, and without counts. Every transfer and every settlement is
read once, however often the page asks.
"""

import logging
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from openfelt.ledger.accounts import AccountKind
from openfelt.ledger.table_play import TablePlay, play_after
from openfelt.ledger.trays import RecordMark, TrayShift
from openfelt.money import format_cents
from openfelt.rules.lines import PaidBy, Settlement
from openfelt.rules.round_events import RoundSettled
from openfelt.rules.wagers import WagerKind
from openfelt.runtime.clock import Clock, day_of, end_ms, start_ms
from openfelt.runtime.streams import table_stream
from openfelt.server.supervision.alert_book import Condition
from openfelt.server.supervision.event_times import last_before
from openfelt.server.supervision.floor_money.tray_histories import TrayHistories, TrayHistory
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, Head, KeyFailure, Store, StoredEvent, StoreError
from openfelt.storage.event_forms import ROUND_SETTLED, EventCodec

NUMBERS_LATE: Final = 10_000
"""How many numbers before the first transfer of a day may be written after it, by other writers."""
_SHIFT: Final = 10**12
"""Shortages of a shift are levels below this, so that those of the next shift are higher."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class WagerPlay:
    """One kind of wager in settled rounds, in cents."""

    stakes_cents: int = 0
    win_cents: int = 0


@dataclass(slots=True, kw_only=True)
class PlayWindow:
    """The play at one table from a point of its record on, which grows with the record."""

    table: str
    from_ms: int
    after: RecordMark
    """Its first point."""
    up_to: int | None = None
    """The event with which it ends, None while it continues."""
    version: int = 0
    """The last event that is added up."""
    transfer: int = 0
    play: TablePlay = field(default_factory=TablePlay)
    wagers: dict[str, WagerPlay] = field(default_factory=dict)
    rounds: int = 0

    def read(self, store: Store, codec: EventCodec) -> None:
        """Add up what is new in the record of the table."""
        stream = table_stream(self.table)
        head = store.head(stream)
        version = head.version if self.up_to is None else min(self.up_to, head.version)
        if version <= self.version:
            return
        banked = self._read_transfers(store, stream, version)
        for stored in self._events(store, stream, head, version):
            if stored.name == ROUND_SETTLED:
                event = codec.decode(stored)
                if isinstance(event, RoundSettled):
                    self._settled(event.settlement, banked=stored.version in banked)
        self.version = version

    def _events(self, store: Store, stream: str, head: Head, version: int) -> Iterator[StoredEvent]:
        """The new events; those up to the head are checked to belong to it."""
        if version == head.version:
            return store.record(stream, after=self.version, head=head)
        return store.events(stream, after=self.version, up_to=version)

    def _read_transfers(self, store: Store, stream: str, version: int) -> set[int]:
        """Add transfers up; gives the events in which a player/dealer has banked."""
        banked = set()
        for stored in store.transfers(stream=stream, after=self.transfer):
            if stored.version > version:
                break
            self.transfer = stored.number
            if stored.version <= self.after.version:
                continue
            transfer = stored.transfer
            self.play = play_after(self.play, transfer)
            if AccountKind.BANKER in (transfer.debit.kind, transfer.credit.kind):
                banked.add(stored.version)
        return banked

    def _settled(self, settlement: Settlement, *, banked: bool) -> None:
        self.rounds += 1
        for line in settlement.lines:
            # Envy is paid by the link too, for the progressive wager of another hand.
            of_link = line.paid_by is PaidBy.LINK
            name = WagerKind.PROGRESSIVE.value if of_link else line.wager
            wager = self.wagers.setdefault(name, WagerPlay())
            wager.stakes_cents += line.stake_cents
            if of_link or not banked:
                wager.win_cents += line.taken_cents - line.payout_cents

    def copy(self) -> "PlayWindow":
        """The window as it is now."""
        wagers = {name: replace(wager) for name, wager in self.wagers.items()}
        return replace(self, wagers=wagers)

    @property
    def stakes_cents(self) -> int:
        """All stakes, without progressive wagers."""
        return sum(
            wager.stakes_cents
            for name, wager in self.wagers.items()
            if name != WagerKind.PROGRESSIVE
        )


@dataclass(frozen=True, slots=True)
class TableMoney:
    """The money of a shift at one table."""

    history: TrayHistory
    window: PlayWindow
    to_ms: int

    @property
    def shift(self) -> TrayShift | None:
        """The shift of the tray that is open, or the last one; None if there was none."""
        return self.history.shift

    @property
    def book_cents(self) -> int | None:
        """The amount that the tray must hold, or had to hold when it was closed; None without a
        shift.
        """
        shift = self.shift
        if shift is None:
            return None
        if shift.closed is not None:
            assert shift.closing_cents is not None
            return shift.closing_cents - shift.closed.difference_cents
        moved = shift.fills_cents - shift.credits_cents
        return shift.opening_cents + moved + self.window.play.tray_cents


class ShiftMoney:
    """The money of all tables. All calls block; threads may share it."""

    def __init__(
        self, store: Store, codec: EventCodec, clock: Clock, histories: TrayHistories
    ) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock
        self._histories = histories
        self._windows: dict[tuple[str, int], PlayWindow] = {}
        self._day_start: tuple[date, int] | None = None
        self._lock = threading.Lock()

    def of(self, table: str) -> TableMoney | None:
        """The money of one table now; None if its record cannot be read. Raises Unavailable."""
        with self._lock:
            try:
                return self._of(table)
            except StoreError as error:
                # A record that fails on the way leaves no half of it behind.
                self._windows = {
                    key: window for key, window in self._windows.items() if key[0] != table
                }
                if not isinstance(error, CodecError | Damaged | KeyFailure):
                    raise
                # The audit says what is wrong; a figure that may be wrong is not shown.
                logger.error("the money of %s cannot be added up: %s", table, error)
                return None

    def conditions(self) -> Iterator[Condition]:
        """Open trays whose book is below zero, as after a large award of a link."""
        for table in self._histories.names():
            money = self.of(table)
            if money is None or money.shift is None or money.shift.closed is not None:
                continue
            if (short_cents := -(money.book_cents or 0)) > 0:
                level = money.shift.opened.number * _SHIFT + min(short_cents, _SHIFT - 1)
                yield Condition("tray_short", table, level, format_cents(short_cents))

    def _of(self, table: str) -> TableMoney:
        history = self._histories.of(table)
        shift = history.shift
        now_ms = self._clock.wall_ms()
        window = self._day(table, now_ms) if shift is None else self._of_shift(table, shift)
        window.read(self._store, self._codec)
        ended_ms = shift.closed_ms if shift is not None else None
        # The cached window follows the record while the caller reads these figures.
        return TableMoney(history, window.copy(), now_ms if ended_ms is None else ended_ms)

    def _of_shift(self, table: str, shift: TrayShift) -> PlayWindow:
        mark, closed = shift.opened.mark, shift.closed
        window = self._windows.get((table, mark.version))
        if window is None:
            window = PlayWindow(
                table=table,
                from_ms=shift.opened_ms,
                after=mark,
                version=mark.version,
                transfer=mark.transfer,
            )
            self._keep(window)
        if closed is not None and window.up_to is None:
            if window.version > closed.mark.version:
                # It has gone on with the record, beyond the closing.
                window.version, window.transfer = mark.version, mark.transfer
                window.play, window.wagers, window.rounds = TablePlay(), {}, 0
            window.up_to = closed.mark.version
        return window

    def _day(self, table: str, now_ms: int) -> PlayWindow:
        day = day_of(now_ms)
        begin_ms = start_ms(day)
        kept = next(
            (
                window
                for (name, _), window in self._windows.items()
                if name == table and window.from_ms == begin_ms
            ),
            None,
        )
        if kept is not None:
            return kept
        stream = table_stream(table)
        version = last_before(self._store, stream, self._store.head(stream), begin_ms)[0]
        transfer = self._first_number(day)
        window = PlayWindow(
            table=table,
            from_ms=begin_ms,
            after=RecordMark(version, transfer),
            version=version,
            transfer=transfer,
        )
        self._keep(window)
        return window

    def _first_number(self, day: date) -> int:
        """A number before all transfers of the day."""
        if self._day_start is None or self._day_start[0] != day:
            first = next(iter(self._store.transfers_between(start_ms(day), end_ms(day))), None)
            if first is None:
                return 0
            self._day_start = day, max(0, first.number - NUMBERS_LATE)
        return self._day_start[1]

    def _keep(self, window: PlayWindow) -> None:
        """Keep one window of each table, the newest."""
        others = {key: kept for key, kept in self._windows.items() if key[0] != window.table}
        self._windows = {**others, (window.table, window.after.version): window}
