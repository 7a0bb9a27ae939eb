"""Cash by person and gaming day, for the multiple transaction log and the currency transaction
report: what a person paid in and was paid out at all windows, each added up alone and never netted.

The day is the day of the book, UTC. Vouchers are sold and paid without a name, so each that is
large enough is listed separately, for the cashier to find out whose it is.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from openfelt.ledger.drawers import CashPaid, CashTaken, VoucherCashed, VoucherSold
from openfelt.money import format_cents
from openfelt.runtime.clock import Clock, day_of, start_ms
from openfelt.runtime.streams import StreamKind, name_of
from openfelt.server.supervision.alert_book import Condition
from openfelt.server.supervision.alert_limits import HouseAlerts
from openfelt.server.supervision.event_times import last_before
from openfelt.storage.door import Head, Store, StoredEvent, tell_damage
from openfelt.storage.event_forms import EventCodec

CENTS: Final = 100
_EVENTS: Final = frozenset(
    {"drawer_cash_taken", "drawer_cash_paid", "drawer_voucher_sold", "drawer_voucher_cashed"}
)


@dataclass(frozen=True, slots=True)
class CashEntry:
    """One payment of cash at a window."""

    at_ms: int
    drawer: str
    cents: int
    taken: bool
    """Whether the house has taken it, and not paid it."""
    player: str | None
    """None for a voucher, which names no person."""


@dataclass(slots=True)
class PersonCash:
    """The cash of one person on one day; in and out are never netted."""

    player: str | None
    entries: list[CashEntry] = field(default_factory=list)

    @property
    def in_cents(self) -> int:
        """The cash that the house has received."""
        return sum(entry.cents for entry in self.entries if entry.taken)

    @property
    def out_cents(self) -> int:
        """The cash that the house has paid."""
        return sum(entry.cents for entry in self.entries if not entry.taken)

    @property
    def most_cents(self) -> int:
        """The larger of the two, which the thresholds are about."""
        return max(self.in_cents, self.out_cents)


@dataclass(slots=True)
class _DrawerDay:
    """The cash that has gone through one drawer today."""

    version: int
    entries: list[CashEntry] = field(default_factory=list)


class CashThresholds:
    """Adds cash up by person. All calls block; threads may share it."""

    def __init__(self, store: Store, codec: EventCodec, clock: Clock, limits: HouseAlerts) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock
        self._limits = limits
        self._day: date | None = None
        self._drawers: dict[str, _DrawerDay] = {}
        self._lock = threading.Lock()

    @property
    def log_cents(self) -> int:
        """From this sum on, the multiple transaction log has a person; 0 if there is none."""
        return self._limits.house.cash_log_dollars * CENTS

    @property
    def report_cents(self) -> int:
        """Above this sum, a currency transaction report is due; 0 if there is none."""
        return self._limits.house.cash_report_dollars * CENTS

    def is_logged(self, person: PersonCash) -> bool:
        """Whether the multiple transaction log has a person."""
        return 0 < self.log_cents <= person.most_cents

    def is_reported(self, person: PersonCash) -> bool:
        """Whether a currency transaction report is due."""
        return 0 < self.report_cents < person.most_cents

    def today(self) -> tuple[date, list[PersonCash]]:
        """The day, and all people who have reached a threshold on it, the largest sums first."""
        with self._lock:
            day = day_of(self._clock.wall_ms())
            if day != self._day:
                self._day, self._drawers = day, {}
            heads = self._store.heads(StreamKind.DRAWER.prefix, damage=tell_damage)
            for stream, head in heads.items():
                self._read(stream, head, day)
            entries = [entry for drawer in self._drawers.values() for entry in drawer.entries]
        people = [
            person
            for person in _people(entries)
            if self.is_logged(person) or self.is_reported(person)
        ]
        return day, sorted(people, key=lambda person: -person.most_cents)

    def conditions(self) -> Iterator[Condition]:
        """The thresholds that are reached today, each once for a person, as alerts of the house."""
        day, people = self.today()
        for person in people:
            kind = "cash_report" if self.is_reported(person) else "cash_log"
            sums = f"in {format_cents(person.in_cents)}, out {format_cents(person.out_cents)}"
            if person.player is not None:
                yield Condition(kind, person.player, day.toordinal(), sums)
            else:
                (entry,) = person.entries
                yield Condition(kind, f"{entry.drawer}/voucher", entry.at_ms, sums)

    def _read(self, stream: str, head: Head, day: date) -> None:
        drawer = self._drawers.get(stream)
        if drawer is None:
            drawer = _DrawerDay(last_before(self._store, stream, head, start_ms(day))[0])
        new = [
            self._entry(stored)
            for stored in self._store.record(stream, after=drawer.version, head=head)
            if stored.name in _EVENTS and day_of(stored.at_ms) == day
        ]
        # A record that fails on the way leaves no half of it behind.
        self._drawers[stream] = _DrawerDay(head.version, drawer.entries + new)

    def _entry(self, stored: StoredEvent) -> CashEntry:
        event = self._codec.decode(stored)
        taken = isinstance(event, CashTaken | VoucherSold)
        player = event.player if isinstance(event, CashTaken | CashPaid) else None
        assert isinstance(event, CashTaken | CashPaid | VoucherSold | VoucherCashed)
        return CashEntry(stored.at_ms, name_of(stored.stream), event.cents, taken, player)


def _people(entries: list[CashEntry]) -> list[PersonCash]:
    """Entries by person; each without a name is listed separately."""
    named: dict[str, PersonCash] = {}
    unnamed = []
    for entry in sorted(entries, key=lambda entry: entry.at_ms):
        if entry.player is None:
            unnamed.append(PersonCash(None, [entry]))
        else:
            named.setdefault(entry.player, PersonCash(entry.player)).entries.append(entry)
    return [*named.values(), *unnamed]
