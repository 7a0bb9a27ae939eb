"""Win to drop of every table and of the house, by day, month and year, beside its band.

Takings are those of days that are over. Each period is compared with the 365 days before it; a
period without a drop, or with too few days before it, is not compared, and says so.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from openfelt.ledger.takings import Takings
from openfelt.maths.fairness.drop_bands import DropBand, drop_band, drop_days
from openfelt.runtime.cage.days.takings import TakingsBook
from openfelt.runtime.clock import Clock, day_of
from openfelt.server.supervision.alert_book import Condition
from openfelt.server.supervision.alert_limits import HouseAlerts
from openfelt.storage.door import Store

BAND_DAYS: Final = 365
"""How many days before a period its band is made of."""
BAND_ONE_IN: Final = 20
"""The band of the page leaves out one result in so many: it is the one of 95%."""
HOUSE: Final = ""
"""The name of all tables together, which no table has."""


class Span(StrEnum):
    """How long a period is."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"

    def first_of(self, day: date) -> date:
        """The first day of the period that a day belongs to."""
        match self:
            case Span.DAY:
                return day
            case Span.MONTH:
                return day.replace(day=1)
            case Span.YEAR:
                return day.replace(month=1, day=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodTakings:
    """The takings of one table, or of the house, in a period, and what they are compared with."""

    table: str
    """Empty for the whole house."""
    span: Span
    first: date
    last: date
    takings: Takings
    days: int
    """How many days of the period have takings that were counted."""
    days_before: int
    """How many days with a drop there are in the year before."""
    band: DropBand | None
    """None if there are too few."""

    def bounds(self, one_in: int) -> tuple[float, float] | None:
        """The band of this period; None if it cannot be compared."""
        if self.band is None or self.takings.drop_cents <= 0:
            return None
        return self.band.around(self.takings.drop_cents, one_in)

    @property
    def share(self) -> float | None:
        """Win to drop; None without a drop."""
        drop_cents = self.takings.drop_cents
        return self.takings.win_cents / drop_cents if drop_cents else None

    def outside(self, one_in: int) -> bool:
        """Whether chance alone deviates this far less often than the limit allows."""
        bounds, share = self.bounds(one_in), self.share
        return bounds is not None and share is not None and not bounds[0] <= share <= bounds[1]


@dataclass(frozen=True, slots=True)
class _Periods:
    """The periods up to the last day that was counted."""

    last: date | None = None
    so_far: list[PeriodTakings] = field(default_factory=list)
    """Up to this day, for the page."""
    ended: list[PeriodTakings] = field(default_factory=list)
    """The last ones that are over, for alerts."""


class WinToDrop:
    """The takings of the house, read once. All calls block; threads may share it."""

    def __init__(self, store: Store, clock: Clock, alerts: HouseAlerts) -> None:
        self._book = TakingsBook(store)
        self._clock = clock
        self._alerts = alerts
        self._days: dict[date, dict[str, Takings]] = {}
        self._version = 0
        self._lock = threading.Lock()
        self._periods = _Periods()

    def periods(self) -> list[PeriodTakings]:
        """The last day that was counted, its month and its year so far: the house, then tables."""
        return self._now().so_far

    def conditions(self) -> Iterator[Condition]:
        """Days, months and years that are over, and outside of their bands."""
        for period in self._now().ended:
            limits = self._alerts.at(period.table) if period.table else self._alerts.house
            if limits.drop_one_in and period.outside(limits.drop_one_in):
                yield _condition(period, limits.drop_one_in)

    def _now(self) -> "_Periods":
        with self._lock:
            version = self._version
            self._read()
            if self._days and (version != self._version or self._periods.last is None):
                last = max(self._days)
                tables = self._tables(last)
                self._periods = _Periods(
                    last,
                    [
                        self._period(table, each, each.first_of(last), last)
                        for table in tables
                        for each in Span
                    ],
                    [
                        self._period(table, *self._ended(each, last))
                        for table in tables
                        for each in Span
                    ],
                )
            return self._periods

    def _ended(self, span: Span, last: date) -> tuple[Span, date, date]:
        """The last period that was over on a day, with its first and its last day."""
        following = last + timedelta(days=1)
        end = span.first_of(following) - timedelta(days=1)
        return span, span.first_of(end), end

    def _read(self) -> None:
        for version, event in self._book.counted(after=self._version):
            self._days[event.day] = dict(event.tables)
            self._version = version
        oldest = day_of(self._clock.wall_ms()) - timedelta(days=2 * BAND_DAYS + 366)
        self._days = {day: tables for day, tables in self._days.items() if day >= oldest}

    def _tables(self, last: date) -> list[str]:
        """The house, and the tables with takings in the year up to a day."""
        first = Span.YEAR.first_of(last)
        names = {name for day, tables in self._days.items() if day >= first for name in tables}
        return [HOUSE, *sorted(names)]

    def _period(self, table: str, span: Span, first: date, last: date) -> PeriodTakings:
        before = list(self._between(table, first - timedelta(days=BAND_DAYS), first))
        within = list(self._between(table, first, last + timedelta(days=1)))
        return PeriodTakings(
            table=table,
            span=span,
            first=first,
            last=last,
            takings=sum(within, Takings()),
            days=len(within),
            days_before=len(drop_days(before)),
            band=drop_band(before),
        )

    def _between(self, table: str, first: date, end: date) -> Iterator[Takings]:
        """The takings of days that were counted, in their order."""
        for number in range((end - first).days):
            tables = self._days.get(first + timedelta(days=number))
            if tables is not None:
                yield (
                    sum(tables.values(), Takings())
                    if table == HOUSE
                    else tables.get(table, Takings())
                )


def _condition(period: PeriodTakings, one_in: int) -> Condition:
    bounds, share = period.bounds(one_in), period.share
    assert bounds is not None
    assert share is not None
    subject = "/".join(
        part for part in ("table" if period.table else "house", period.table) if part
    )
    low, high = bounds
    return Condition(
        "drop",
        f"{subject}/{period.span}",
        period.first.toordinal(),
        f"{period.first}: {share:.1%} ({low:.1%} .. {high:.1%})",
    )
