"""The book of one day, and that it closes."""

from contextlib import closing
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from openfelt.ledger import Account, AccountKind, Reason
from openfelt.runtime.cage.days.day_book import day_book
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import DAY_MS, Floor, five_houses, tamper

FIRST = date(2026, 1, 1)


@pytest.fixture(scope="module")
def three_days(tmp_path_factory: pytest.TempPathFactory) -> Floor:
    """A floor that was played on for three days."""
    floor = five_houses(tmp_path_factory.mktemp("days") / "floor.db")
    for _ in range(2):
        floor.clock.now_ms += DAY_MS
        floor.play("net-1", 2)
        floor.play("wash-1")
        floor.cashier.withdraw("wash-1-p1", 1_000, id=f"w{floor.clock.now_ms}")
    return floor


def test_every_day_closes_where_the_next_one_opens(three_days: Floor) -> None:
    books = [day_book(three_days.store, FIRST + timedelta(days=n)) for n in range(-1, 5)]
    assert all(book.reconciled for book in books)
    for before, after in pairwise(books):
        closed = {a: d.closing_cents for a, d in before.accounts.items() if d.closing_cents}
        opened = {a: d.opening_cents for a, d in after.accounts.items() if d.opening_cents}
        assert closed == opened
    assert books[0].accounts == {}
    assert {a: d.closing_cents for a, d in books[-1].accounts.items()} == dict(
        three_days.store.balances()
    )


def test_all_that_moved_is_in_one_of_the_days(three_days: Floor) -> None:
    books = [day_book(three_days.store, FIRST + timedelta(days=n)) for n in range(3)]
    every = list(three_days.store.transfers())
    assert sum(one.transfers for book in books for one in book.reasons.values()) == len(every)
    assert sum(book.total.in_cents for book in books) == sum(one.transfer.cents for one in every)
    assert all(book.total.in_cents == book.total.out_cents for book in books)


def test_a_table_by_its_felt_and_its_win(three_days: Floor) -> None:
    book = day_book(three_days.store, FIRST)
    assert set(book.tables) == set(three_days.workers)
    for name, table in book.tables.items():
        house = book.accounts.get(Account(AccountKind.HOUSE, name))
        moved = house.closing_cents - house.opening_cents if house else 0
        assert table.win_cents == moved
        playing = three_days.workers[name].table.playing
        if name == "card-1":
            assert table.win_cents == 0
            assert table.collections_cents > 0
        else:
            assert table.win_cents == table.lost_cents - table.paid_cents - table.tips_cents
        assert (table.felt_cents > 0) == (playing is not None)
    assert book.tables["arena-1"].tips_cents > 0


def test_a_link_closes_too(three_days: Floor) -> None:
    link = day_book(three_days.store, FIRST).links["main"]
    assert link.contributed_cents > 0
    assert link.seeded_cents == 150_000
    assert link.awarded_cents > 100_000
    assert link.envied_cents > 0
    assert link.difference_cents == 0
    later = day_book(three_days.store, FIRST + timedelta(days=1)).links["main"]
    assert later.opening_cents == link.closing_cents
    assert later.seeded_cents == 0


def test_finished_rounds_share_one_line(three_days: Floor) -> None:
    book = day_book(three_days.store, FIRST + timedelta(days=1))
    felts = [one for one in book.accounts if one.kind is AccountKind.WAGERS]
    assert Account(AccountKind.WAGERS) in felts
    assert Account(AccountKind.WAGERS, "card-1/5") in felts
    assert len(felts) == 4
    assert book.kinds[AccountKind.WAGERS].opening_cents > 0


def test_payments_of_the_day(three_days: Floor) -> None:
    book = day_book(three_days.store, FIRST + timedelta(days=1))
    assert book.cents_for(Reason.WITHDRAWAL) == 1_000
    assert book.cents_for(Reason.DEPOSIT) == 0


def test_a_day_that_does_not_close(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.cashier.deposit("ann", 500, id="1")
    floor.store.close()
    tamper(floor.path, "UPDATE balances SET cents = 600 WHERE account = 'wallet:ann'")
    with closing(SqliteStore(floor.path)) as store:
        book = day_book(store, FIRST)
    assert not book.reconciled
    assert book.accounts[Account(AccountKind.WALLET, "ann")].difference_cents == -100


def test_money_that_moves_meanwhile_does_not_disturb_the_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.cashier.deposit("ann", 500, id="first")
    read = floor.store.book

    def moved() -> object:
        result = read()
        floor.cashier.deposit("ann", 1, id="meanwhile")
        return result

    monkeypatch.setattr(floor.store, "book", moved)
    book = day_book(floor.store, FIRST)
    assert book.reconciled
    assert book.accounts[Account(AccountKind.WALLET, "ann")].closing_cents == 500
