"""Closed days: recorded once, believed only to the extent that the audit has them, and quick to
read."""

from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from openfelt.ledger import Account, AccountKind
from openfelt.runtime.audit import audit
from openfelt.runtime.cage.days.day_book import DayBook, day_book
from openfelt.runtime.cage.days.day_closings import DayClosings
from openfelt.runtime.clock_correction import correct_clock
from openfelt.runtime.streams import DAYS_STREAM
from openfelt.storage.door import Cause
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import DAY_MS, Floor, change, five_houses
from tests.kit.storage.counted_reads import counted_reads
from tests.kit.storage.store_places import Place

FIRST = date(2026, 1, 1)
OPERATOR = Cause(actor="operator:eve", terminal="command line")
ANN = Account(AccountKind.WALLET, "ann")


@pytest.fixture
def floor(place: Place, tmp_path: Path) -> Floor:
    """A floor with a little play on five days, each closed when it was over."""
    floor = five_houses(tmp_path / "unused.db", store=place.open())
    closings = DayClosings(floor.store)
    for number in range(5):
        floor.clock.now_ms += DAY_MS
        assert closings.close_due(floor.clock) == 1
        floor.play("net-1")
        floor.cashier.deposit("ann", 100, id=f"{number}")
    return floor


def as_facts(book: DayBook) -> object:
    return book.accounts, book.reasons, book.tables, book.links


def test_a_day_is_closed_once(floor: Floor) -> None:
    assert DayClosings(floor.store).close_due(floor.clock) == 0
    assert floor.store.head(DAYS_STREAM).version == 5
    last = DayClosings(floor.store).last()
    assert last is not None
    assert last.day == FIRST + timedelta(days=4)


def test_the_book_is_the_same_with_and_without_closed_days(floor: Floor) -> None:
    for number in range(-1, 7):
        day = FIRST + timedelta(days=number)
        book, whole = day_book(floor.store, day), day_book(floor.store, day, full=True)
        assert book.reconciled
        assert as_facts(book) == as_facts(whole)


def test_a_day_reads_its_own_transfers_and_no_others(floor: Floor) -> None:
    day = FIRST + timedelta(days=3)
    start = 1_767_225_600_000 + 3 * DAY_MS
    around = list(floor.store.transfers_between(start - 2 * DAY_MS, start + DAY_MS))
    everything = list(floor.store.transfers())
    with counted_reads(floor.store) as reads:
        day_book(floor.store, day)
    # Late ones are looked for twice; closed days, the book's own row and pages are a few rows more.
    assert reads.rows <= 2 * len(around) + 20
    assert reads.rows < len(everything) / 2


def test_a_transfer_that_comes_late_belongs_to_its_day(floor: Floor) -> None:
    day = FIRST + timedelta(days=4)
    floor.clock.now_ms -= DAY_MS
    floor.cashier.deposit("late", 700, id="late")
    late = Account(AccountKind.WALLET, "late")
    book, after = day_book(floor.store, day), day_book(floor.store, day + timedelta(days=1))
    assert book.reconciled
    assert book.accounts[late].closing_cents == after.accounts[late].opening_cents == 700
    assert after.reconciled
    assert audit(floor.store).clean


def test_days_that_were_closed_by_a_clock_that_was_ahead_are_closed_again(floor: Floor) -> None:
    floor.clock.now_ms += 200 * DAY_MS
    ahead = DayClosings(floor.store)
    assert ahead.close_due(floor.clock) == 31
    floor.play("net-1")
    assert audit(floor.store).clean
    floor.clock.now_ms -= 200 * DAY_MS
    correct_clock(floor.store, floor.clock, reason="The battery was empty.", cause=OPERATOR)
    closings = DayClosings(floor.store)
    for number in range(5, 12):
        floor.cashier.deposit("ann", 100, id=f"{number} again")
        floor.clock.now_ms += DAY_MS
        # Days that began before the clock was corrected are closed once they are over.
        assert closings.close_due(floor.clock) == 1
        last = closings.last()
        assert last is not None
        assert last.day == FIRST + timedelta(days=number)
    for number in range(3, 13):
        day = FIRST + timedelta(days=number)
        book, whole = day_book(floor.store, day), day_book(floor.store, day, full=True)
        assert book.reconciled
        assert as_facts(book) == as_facts(whole)
    assert audit(floor.store).clean


def test_missed_days_are_closed_later(floor: Floor) -> None:
    floor.clock.now_ms += 3 * DAY_MS
    assert DayClosings(floor.store).close_due(floor.clock) == 3
    assert all(
        day_book(floor.store, FIRST + timedelta(days=number)).reconciled for number in range(9)
    )


def test_nothing_is_closed_before_money_has_moved(place: Place, tmp_path: Path) -> None:
    floor = Floor(tmp_path / "unused.db", store=place.open())
    assert DayClosings(floor.store).close_due(floor.clock) == 0
    floor.cashier.deposit("ann", 100, id="1")
    assert DayClosings(floor.store).close_due(floor.clock) == 0


def test_a_wrong_closing_is_found(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.cashier.deposit("ann", 100, id="1")
    floor.clock.now_ms += DAY_MS
    read = floor.store.book
    # As a program would write it that is wrong about a balance.
    floor.store.book = lambda: (read()[0], {**read()[1], ANN: 99})  # type: ignore[method-assign]
    DayClosings(floor.store).close_due(floor.clock)
    floor.store.close()
    with closing(SqliteStore(floor.path)) as store:
        (finding,) = audit(store).findings
        assert "The balance of wallet:ann at the end of 2026-01-01" in finding.sentence
        assert not day_book(store, FIRST).reconciled


def test_a_changed_closing_is_found(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.cashier.deposit("ann", 100, id="1")
    floor.clock.now_ms += DAY_MS
    DayClosings(floor.store).close_due(floor.clock)
    floor.store.close()
    forge = "UPDATE events SET body = replace(body, '100', '999') WHERE name = 'day_closed'"
    change(floor.path, lambda connection: connection.execute(forge))
    with closing(SqliteStore(floor.path)) as store:
        assert not audit(store).clean
