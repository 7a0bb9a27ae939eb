"""The figures of every public table, kept up to date with the record.

Each event is read once in the life of the process, from the beginning of the day on. However many
supervisors view it, and however long the history is, a view costs only the new events.
"""

import logging
import threading
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Final

from openfelt.ledger import AccountKind
from openfelt.rules.round_events import RoundOpened
from openfelt.runtime.clock import Clock, day_of, start_ms
from openfelt.runtime.rounds.record_search import events_backwards, last_opening
from openfelt.runtime.streams import PRIVATE_PREFIX, StreamKind, name_of
from openfelt.server.supervision.event_times import last_before
from openfelt.server.supervision.table_figures import (
    ADJUSTMENT_PROPOSED,
    COUNTED,
    DECODED,
    HOUR_MS,
    DayFigures,
    TableFigures,
)
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, Head, KeyFailure, Store, StoredEvent, tell_damage
from openfelt.storage.event_forms import EventCodec
from openfelt.table.adjustments import Adjustment
from openfelt.table.events import AdjustmentMade, AdjustmentProposed

VOUCHERS_MS: Final = 10_000
"""How often open vouchers are added up."""

logger = logging.getLogger(__name__)


class FloorFigures:
    """The figures of all public tables. ``refresh`` blocks."""

    def __init__(self, store: Store, codec: EventCodec, clock: Clock) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock
        self._tables: dict[str, TableFigures] = {}
        self._lock = threading.Lock()
        self.dealers_since_ms: dict[str, int] = {}
        """When each dealer signed on or off last."""
        self.vouchers: tuple[int, int] | None = None
        """How many vouchers are open and what the house owes for them in cents, a while ago."""
        self._vouchers_ms: int | None = None
        self.unreadable: frozenset[str] = frozenset()
        """Tables whose record cannot be read, of which nothing is known."""

    def of(self, table: str) -> TableFigures | None:
        """The figures of a table, None if they are not there yet or cannot be read."""
        return self._tables.get(table)

    def day_of(self, table: str, day: date) -> tuple[DayFigures, int] | None:
        """The figures of a table on a day, and the last event that is in them. Blocks."""
        with self._lock:
            counted = self._tables.get(table)
            return None if counted is None else (replace(counted.on(day)), counted.version)

    def refresh(self) -> None:
        """Count what is new in the record; it takes a while the first time of a day."""
        with self._lock:
            unreadable = set()
            for stream, head in self._heads(StreamKind.TABLE):
                table = name_of(stream)
                if table.startswith(PRIVATE_PREFIX):
                    continue
                try:
                    self._count_new(table, stream, head)
                except (CodecError, Damaged, KeyFailure) as error:
                    # The audit says what is wrong; a figure that may be wrong is not shown.
                    if table not in self.unreadable:
                        logger.error("the figures of %s cannot be counted: %s", table, error)
                    self._tables.pop(table, None)
                    unreadable.add(table)
            self.unreadable = frozenset(unreadable)
            self._count_vouchers()
            self.dealers_since_ms = {
                name_of(stream): head.at_ms for stream, head in self._heads(StreamKind.DEALER)
            }

    def _count_vouchers(self) -> None:
        """Add up the accounts of open vouchers, which may be thousands, from time to time."""
        now_ms = self._clock.monotonic_ms()
        if self._vouchers_ms is None or now_ms - self._vouchers_ms >= VOUCHERS_MS:
            balances = self._store.balances(f"{AccountKind.VOUCHER}:")
            held = [cents for cents in balances.values() if cents]
            self.vouchers, self._vouchers_ms = (len(held), sum(held)), now_ms

    def _heads(self, kind: StreamKind) -> Iterable[tuple[str, Head]]:
        return self._store.heads(kind.prefix, damage=tell_damage).items()

    def _count_new(self, table: str, stream: str, head: Head) -> None:
        counted = self._tables.get(table) or self._begun(stream, head)
        if counted.version < head.version:
            # A record that fails on the way leaves no half of it behind.
            self._tables.pop(table, None)
            for stored in self._store.record(stream, after=counted.version, head=head):
                if stored.name in COUNTED:
                    self._count(counted, stored)
            counted.version = head.version
        self._tables[table] = counted

    def _count(self, counted: TableFigures, stored: StoredEvent) -> None:
        event = self._codec.decode(stored) if stored.name in DECODED else None
        if isinstance(event, AdjustmentMade) and event.number not in counted.proposed:
            proposed = self._proposal(stored.stream, stored.version, event.number)
            counted.proposed[event.number] = proposed
        counted.count(stored.name, event, stored.at_ms)

    # The beginning of a day ------------------------------------------------------------------

    def _begun(self, stream: str, head: Head) -> TableFigures:
        """The figures of a table before the day, and before the last hour, with nothing in them."""
        now_ms = self._clock.wall_ms()
        day = day_of(now_ms)
        wanted_ms = min(start_ms(day), now_ms - HOUR_MS)
        version, first_ms = last_before(self._store, stream, head, wanted_ms)
        counted = TableFigures(
            version=version,
            from_ms=wanted_ms if version or first_ms is None else max(wanted_ms, first_ms),
            figures=DayFigures(day=day_of(wanted_ms)),
        )
        opening = last_opening(self._store, stream, version)
        opened = None if opening is None else self._codec.decode(opening)
        counted.player_banks = isinstance(opened, RoundOpened) and opened.banker is not None
        return counted

    def _proposal(self, stream: str, before: int, number: int) -> Adjustment:
        """An adjustment by its number, as it was proposed before a version."""
        for stored in events_backwards(self._store, stream, before - 1):
            if stored.name == ADJUSTMENT_PROPOSED:
                event = self._codec.decode(stored)
                if isinstance(event, AdjustmentProposed) and event.number == number:
                    return event.adjustment
        raise CodecError(f"Adjustment {number} of {name_of(stream)} was never proposed.")
