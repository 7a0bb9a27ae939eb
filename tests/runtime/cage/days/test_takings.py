"""Takings: counted once for each day, from its transfers, and checked by the audit."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from openfelt.ledger.takings import Takings
from openfelt.runtime.audit import audit
from openfelt.runtime.audit.database import audit_from
from openfelt.runtime.cage.days import takings
from openfelt.runtime.cage.days.day_book import day_book
from openfelt.runtime.cage.days.takings import TakingsBook
from openfelt.runtime.clock_correction import correct_clock
from openfelt.storage.door import Cause
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import DAY_MS, Floor, five_houses
from tests.kit.storage.store_places import Place

FIRST = date(2026, 1, 1)
OPERATOR = Cause(actor="operator:eve", terminal="command line")


@pytest.fixture
def floor(place: Place, tmp_path: Path) -> Floor:
    """A floor with a little play on three days."""
    floor = five_houses(tmp_path / "unused.db", store=place.open())
    for _ in range(3):
        floor.play("net-1")
        floor.clock.now_ms += DAY_MS
    return floor


def test_days_that_are_over_are_counted_once_as_the_day_book_has_them(floor: Floor) -> None:
    book = TakingsBook(floor.store)
    assert [event.day for _, event in book.counted()] == []
    assert book.count_due(floor.clock) == 3
    assert book.count_due(floor.clock) == 0
    counted = [event for _, event in book.counted()]
    assert [event.day for event in counted] == [FIRST + timedelta(days=n) for n in range(3)]
    assert counted[0].tables["net-1"].drop_cents > 0
    for event in counted:
        tables = day_book(floor.store, event.day).tables
        assert {name: (one.drop_cents, one.win_cents) for name, one in event.tables.items()} == {
            name: (one.bought_in_cents, one.win_cents)
            for name, one in tables.items()
            if one.bought_in_cents or one.win_cents
        }
    report, state = audit_from(floor.store, None)
    assert report.clean
    # The audit goes on after another day.
    floor.play("net-1")
    floor.clock.now_ms += DAY_MS
    assert book.count_due(floor.clock) == 1
    assert audit_from(floor.store, state)[0].clean


def test_a_process_that_goes_on_late_counts_no_day_again(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has listed the days, another one counts them, and then it goes on."""
    late, other = TakingsBook(floor.store), TakingsBook(floor.store)
    due = late._due

    def listed(today: date) -> list[date]:
        days = due(today)
        assert other.count_due(floor.clock) == 3
        return days

    monkeypatch.setattr(late, "_due", listed)
    assert late.count_due(floor.clock) == 0
    assert len(list(other.counted())) == 3
    assert audit(floor.store).clean


def test_a_day_is_counted_once_what_was_late_can_be_written(floor: Floor) -> None:
    book = TakingsBook(floor.store)
    assert book.count_due(floor.clock) == 3
    floor.clock.now_ms += DAY_MS - floor.clock.now_ms % DAY_MS
    assert book.count_due(floor.clock) == 0
    floor.clock.now_ms += takings.LATE_MS
    assert book.count_due(floor.clock) == 1


def test_days_of_a_clock_that_was_ahead_are_counted_again(floor: Floor) -> None:
    book = TakingsBook(floor.store)
    book.count_due(floor.clock)
    floor.clock.now_ms += 2 * DAY_MS
    assert book.count_due(floor.clock) == 2
    floor.clock.now_ms -= 2 * DAY_MS
    correct_clock(floor.store, floor.clock, reason="The battery was empty.", cause=OPERATOR)
    assert [event.day.day for _, event in book.counted()] == [1, 2, 3]
    floor.play("net-1")
    floor.clock.now_ms += DAY_MS
    assert book.count_due(floor.clock) == 1
    assert [event.day.day for _, event in book.counted()] == [1, 2, 3, 4]
    assert audit(floor.store).clean


def more(day_takings: Callable[..., dict[str, Takings]], table: str) -> object:
    """What counts a dollar too much at a table."""

    def wrong(*arguments: object, **named: object) -> dict[str, Takings]:
        right = day_takings(*arguments, **named)
        return {**right, table: replace(right[table], win_cents=right[table].win_cents + 100)}

    return wrong


def test_wrong_takings_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    floor = five_houses(tmp_path / "floor.db")
    floor.play("net-1")
    floor.clock.now_ms += DAY_MS
    with monkeypatch.context() as patch:
        patch.setattr(takings, "takings_of", more(takings.takings_of, "net-1"))
        TakingsBook(floor.store).count_due(floor.clock)
    floor.store.close()
    with closing(SqliteStore(floor.path)) as store:
        (finding,) = audit(store).findings
    assert "The takings of net-1 on 2026-01-01" in finding.sentence
