"""Win to drop beside the year before it: by day, month and year, and as alerts."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from openfelt.ledger.takings import Takings, TakingsCounted
from openfelt.runtime.causes import SYSTEM_CAUSE
from openfelt.runtime.clock import start_ms
from openfelt.runtime.streams import TAKINGS_STREAM
from openfelt.server.supervision.alert_limits import AlertLimits, HouseAlerts
from openfelt.server.supervision.floor_money.win_to_drop import PeriodTakings, Span, WinToDrop
from openfelt.storage.door import Append, Commit
from tests.kit.floors import Shift

LAST = date(2026, 1, 31)
"""The last day, with which a month is over."""


def usual(number: int) -> int:
    """Of a drop of $1,000, a table wins $250 or $150, by turns."""
    return 25_000 if number % 2 else 15_000


def count(shift: Shift, days: Iterable[tuple[date, Mapping[str, Takings]]]) -> None:
    """Record the takings of days."""
    codec = shift.worker_services.codec
    for day, tables in days:
        version = shift.store.head(TAKINGS_STREAM).version
        event = codec.encode(TakingsCounted(day=day, transfer=0, tables=tables), cause=SYSTEM_CAUSE)
        append = Append(stream=TAKINGS_STREAM, expected_version=version, events=(event,))
        shift.clock.pass_ms(start_ms(day + timedelta(days=1)) - shift.clock.wall_ms())
        shift.store.commit(Commit(at_ms=shift.clock.wall_ms(), appends=(append,)))


def usual_days(first: date, last: date, *tables: str) -> list[tuple[date, dict[str, Takings]]]:
    """Days on which each table wins as usual."""
    return [
        (
            first + timedelta(days=number),
            {name: Takings(drop_cents=100_000, win_cents=usual(number)) for name in tables},
        )
        for number in range((last - first).days + 1)
    ]


def drops(shift: Shift, limits: AlertLimits | None = None, **tables: AlertLimits) -> WinToDrop:
    """Win to drop of a house."""
    return WinToDrop(shift.store, shift.clock, HouseAlerts(limits or AlertLimits(), tables))


def by_name(periods: Iterable[PeriodTakings]) -> dict[tuple[str, Span], PeriodTakings]:
    """The periods by table and length."""
    return {(one.table, one.span): one for one in periods}


def test_a_house_without_history_has_no_band(shift: Shift) -> None:
    watch = drops(shift)
    assert watch.periods() == []
    assert list(watch.conditions()) == []
    count(shift, usual_days(date(2026, 1, 3), LAST, "pit-1"))
    found = by_name(watch.periods())
    assert list(found) == [(name, span) for name in ("", "pit-1") for span in Span]
    day, month = found["pit-1", Span.DAY], found["pit-1", Span.MONTH]
    # Twenty-eight days are too few for the day, and the month has none before it.
    assert (day.days_before, day.bounds(20), day.outside(20)) == (28, None, False)
    assert (month.days, month.days_before, month.bounds(20)) == (29, 0, None)
    assert list(watch.conditions()) == []


def test_a_day_outside_its_band_is_an_alert_and_one_inside_is_not(shift: Shift) -> None:
    count(shift, usual_days(date(2025, 1, 1), LAST - timedelta(days=1), "pit-1", "pit-2"))
    # The first wins far more than ever, the second a little more than usual.
    last_day = {
        "pit-1": Takings(drop_cents=100_000, win_cents=60_000),
        "pit-2": Takings(drop_cents=100_000, win_cents=27_000),
    }
    count(shift, [(LAST, last_day)])
    watch = drops(shift)
    found = by_name(watch.periods())
    first, second = found["pit-1", Span.DAY], found["pit-2", Span.DAY]
    assert (first.days_before, first.outside(20), second.outside(20)) == (365, True, False)
    bounds = second.bounds(20)
    assert bounds is not None
    # The share is 20%, and a day is 5 points off: 1.96 of that on both sides.
    assert [round(bound, 2) for bound in bounds] == [0.1, 0.3]
    month = found["pit-1", Span.MONTH]
    assert (month.first, month.last, month.days) == (date(2026, 1, 1), LAST, 31)
    alerts = {alert.subject: alert for alert in watch.conditions()}
    # January as a whole is not outside, because one day of 31 is.
    assert set(alerts) == {"table/pit-1/day", "house/day"}
    alert = alerts["table/pit-1/day"]
    assert (alert.kind, alert.level) == ("drop", LAST.toordinal())
    assert alert.detail.startswith("2026-01-31: 60.0% (")
    off = AlertLimits(drop_one_in=0)
    assert {one.subject for one in drops(shift, **{"pit-1": off}).conditions()} == {"house/day"}
    assert list(drops(shift, off).conditions()) == []


def test_a_month_is_told_when_it_is_over(shift: Shift) -> None:
    count(shift, usual_days(date(2025, 1, 1), date(2025, 12, 31), "pit-1"))
    better = Takings(drop_cents=100_000, win_cents=26_000)
    # No single day is outside, but all days of January are on one side.
    january = [(date(2026, 1, 1) + timedelta(days=n), {"pit-1": better}) for n in range(31)]
    count(shift, january[:-1])
    watch = drops(shift)
    assert by_name(watch.periods())["pit-1", Span.MONTH].outside(20)
    assert list(watch.conditions()) == []
    count(shift, january[-1:])
    assert {one.subject for one in watch.conditions()} == {"table/pit-1/month", "house/month"}
    # It is still told some days later.
    count(shift, usual_days(date(2026, 2, 1), date(2026, 2, 9), "pit-1"))
    assert {one.subject for one in watch.conditions()} == {"table/pit-1/month", "house/month"}
