"""Balances, transfers, and who may owe."""

import logging
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from openfelt.ledger import Account, AccountKind, Reason, Transfer, trial_balance
from openfelt.ledger.book import Book
from openfelt.storage import Append, Commit, NotEnough, Store
from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.balances.transfer_terms import TransferRange, TransferSearch, TransferTerm
from openfelt.storage.door import Damaged
from openfelt.storage.sql.rows import PAGE_ROWS
from tests.kit.storage.store_places import (
    ALICE,
    BOB,
    CASH,
    HOUSE,
    Place,
    contents,
    event,
    move,
    write,
)


def test_balances_follow_the_transfers(store: Store) -> None:
    write(store, "a", 0, event(move(CASH, ALICE, 500), move(CASH, BOB, 300)))
    write(store, "a", 1, event(move(ALICE, BOB, 200)))
    assert [store.balance(one) for one in (CASH, ALICE, BOB, HOUSE)] == [-800, 300, 500, 0]
    assert store.balances() == {CASH: -800, ALICE: 300, BOB: 500}
    assert store.held("wallet:") == (2, 800)
    assert store.held("voucher:") == (0, 0)
    assert trial_balance(Book(store.balances())).balanced


def test_empty_accounts_are_dropped_and_nothing_else_changes(store: Store, place: Place) -> None:
    seats = [Account(AccountKind.CREDIT, f"table-1/{number}") for number in range(PAGE_ROWS + 3)]
    write(store, "a", 0, event(*(move(CASH, seat, 5) for seat in (*seats, ALICE))))
    write(store, "a", 1, event(*(move(seat, BOB, 5) for seat in seats)))
    before = store.balances()
    assert store.drop_zero_balances() == PAGE_ROWS
    assert store.drop_zero_balances() == 3
    assert store.drop_zero_balances() == 0
    assert store.balances() == before
    assert len(place.run("SELECT account FROM balances")) == len(before)
    assert store.balance(seats[0]) == 0
    # Without a row, an account may be paid and may not owe, as before.
    with pytest.raises(NotEnough):
        write(store, "a", 2, event(move(seats[0], BOB, 1)))
    write(store, "a", 2, event(move(BOB, seats[0], 7)))
    assert store.balance(seats[0]) == 7
    assert store.sizes()["events"] > 0


def test_balances_are_found_by_prefix(store: Store) -> None:
    seat = Account(AccountKind.CREDIT, "table-7/3")
    other = Account(AccountKind.CREDIT, "table-70/3")
    odd = Account(AccountKind.CREDIT, "table-7_3")
    write(store, "a", 0, event(*(move(CASH, one, 5) for one in (seat, other, odd, ALICE))))
    assert store.balances("credit:table-7/") == {seat: 5}
    assert set(store.balances("credit:table-7")) == {seat, other, odd}
    assert store.balances("credit:table-7_") == {odd: 5}
    assert store.balances("credit:%") == {}
    assert store.balances("cash") == {CASH: -20}


def test_transfers_of_a_figure_are_added_up_and_listed_by_the_database(store: Store) -> None:
    odd = Account(AccountKind.WALLET, "al_ice")
    bought = Transfer(debit=ALICE, credit=HOUSE, cents=120, reason=Reason.BUY_IN, round="t-1/31")
    noted = Transfer(debit=HOUSE, credit=BOB, cents=20, reason=Reason.PAYOUT, note="1.1 ante.win")
    other = Transfer(debit=HOUSE, credit=BOB, cents=50, reason=Reason.PAYOUT, note="1.1 void")
    write(store, "a", 0, event(move(CASH, ALICE, 500), move(CASH, odd, 7)))
    write(store, "a", 1, event(bought, noted))
    write(store, "b", 0, event(other, bought))
    came = TransferTerm(reasons=(Reason.BUY_IN,), credit=str(HOUSE))
    went = TransferTerm(reasons=(Reason.PAYOUT,), sign=-1, debit=str(HOUSE), credit="wallet:")
    both, none = TransferRange(stream="a", terms=(came, went)), TransferSearch()

    def cents(part: TransferRange, search: TransferSearch = none) -> list[int]:
        rows = list(store.list_transfers(part, search))
        found = [part.sign(row.transfer) * row.transfer.cents for row in rows]
        assert store.sum_transfers(part, search) == (len(found), sum(found))
        return found

    assert cents(both) == [-20, 120]
    assert cents(replace(both, after_version=2)) == cents(replace(both, up_to_version=1)) == []
    whole = replace(both, stream="")
    assert cents(whole) == [120, -50, -20, 120]
    assert cents(replace(whole, apart_from="b")) == cents(replace(whole, streams="a")) == [-20, 120]
    assert cents(replace(whole, account=str(BOB))) == [-50, -20]
    assert cents(replace(whole, terms=(replace(went, notes=("ante.",)),))) == [-20]
    assert cents(replace(whole, terms=(replace(went, without=("void ",)),))) == [-20]
    assert cents(replace(whole, open_accounts="house")) == [120, 120]
    assert cents(replace(whole, open_accounts="voucher:")) == []
    assert cents(whole, TransferSearch(text="50", cents=50)) == [-50]
    assert cents(whole, TransferSearch(text="31", cents=3_100)) == [120, 120]
    assert cents(whole, TransferSearch(text="ALICE")) == [120, 120]
    assert cents(whole, TransferSearch(text="_")) == cents(whole, TransferSearch(text="%")) == []
    moved = TransferRange(terms=(TransferTerm(reasons=tuple(Reason)),))
    assert cents(moved, TransferSearch(text="al_i")) == [7]
    numbers = [row.number for row in store.list_transfers(whole, none)]
    older = store.list_transfers(whole, none, before=numbers[1])
    assert [row.number for row in older] == numbers[2:]


def test_an_account_may_not_go_below_zero(store: Store, place: Place) -> None:
    write(store, "a", 0, event(move(CASH, ALICE, 500)))
    before = contents(place)
    with pytest.raises(NotEnough) as caught:
        write(store, "a", 1, event(), event(move(ALICE, BOB, 501)))
    assert (caught.value.account, caught.value.short_cents) == (ALICE, 1)
    assert str(caught.value) == "wallet:alice is 1 cents short."
    assert contents(place) == before
    write(store, "a", 1, event(move(ALICE, BOB, 500)))
    assert store.balance(ALICE) == 0


@pytest.mark.parametrize("kind", AccountKind)
def test_only_the_world_the_house_and_a_reserve_may_owe(store: Store, kind: AccountKind) -> None:
    payer, payee = Account(kind, "x"), Account(AccountKind.WALLET, "y")
    if kind.may_owe:
        write(store, "a", 0, event(move(payer, payee, 5)))
        assert store.balance(payer) == -5
    else:
        with pytest.raises(NotEnough):
            write(store, "a", 0, event(move(payer, payee, 5)))
        assert store.balance(payer) == 0


def test_within_a_commit_an_account_may_be_debited_first(store: Store) -> None:
    store.commit(
        Commit(
            at_ms=1,
            appends=(
                Append(
                    stream="a", expected_version=0, events=(event(move(ALICE, BOB, 70)), event())
                ),
                Append(stream="b", expected_version=0, events=(event(move(CASH, ALICE, 70)),)),
            ),
        )
    )
    assert store.balances() == {CASH: -70, BOB: 70}
    assert [stored.transfer.debit for stored in store.transfers()] == [ALICE, CASH]


def test_an_account_below_zero_may_be_paid_into(store: Store, place: Place) -> None:
    write(store, "a", 0, event(move(CASH, ALICE, 100)))
    place.run("UPDATE balances SET cents = -300 WHERE account = 'wallet:alice'")
    write(store, "a", 1, event(move(CASH, ALICE, 100)))
    assert store.balance(ALICE) == -200
    # Money that comes and goes in one commit leaves the debt as it was, which is allowed.
    write(store, "a", 2, event(move(CASH, ALICE, 5), move(ALICE, BOB, 5)))
    with pytest.raises(NotEnough) as caught:
        write(store, "a", 3, event(move(ALICE, CASH, 1)))
    assert caught.value.short_cents == 201


def test_the_first_account_that_is_short_is_named(store: Store) -> None:
    with pytest.raises(NotEnough) as caught:
        write(store, "a", 0, event(move(BOB, CASH, 2), move(ALICE, CASH, 1)))
    assert caught.value.account == BOB


# Transfers


def test_a_transfer_comes_back_as_it_was_written(store: Store) -> None:
    full = Transfer(
        debit=CASH,
        credit=Account(AccountKind.CREDIT, "table-7/3:a"),
        cents=10**12,
        reason=Reason.PAYOUT,
        round="stadium-1/31",
        clause="S.4",
        note="ä ♠",
    )
    bare = move(CASH, ALICE, 1)
    write(store, "a", 0, event(), event(full, bare), at_ms=77)
    one, two = store.transfers()
    assert (one.stream, one.version, one.at_ms, one.transfer) == ("a", 2, 77, full)
    assert (two.stream, two.version, two.at_ms, two.transfer) == ("a", 2, 77, bare)
    assert one.number < two.number


def test_transfers_are_filtered_by_account_stream_and_number(store: Store) -> None:
    write(store, "a", 0, event(move(CASH, ALICE, 1), move(CASH, BOB, 2)))
    write(store, "b", 0, event(move(CASH, ALICE, 3)), event(move(ALICE, BOB, 4)))
    write(store, "a", 1, event(move(BOB, ALICE, 5)))

    def cents(
        account: Account | None = None, stream: str | None = None, after: int = 0
    ) -> list[int]:
        found = store.transfers(account=account, stream=stream, after=after)
        return [stored.transfer.cents for stored in found]

    numbers = [stored.number for stored in store.transfers()]
    assert all(one < two for one, two in pairwise(numbers))
    assert cents() == [1, 2, 3, 4, 5]
    assert cents(ALICE) == [1, 3, 4, 5]
    assert cents(BOB) == [2, 4, 5]
    assert cents(HOUSE) == []
    assert cents(stream="a") == [1, 2, 5]
    assert cents(stream="c") == []
    assert cents(ALICE, "b") == [3, 4]
    assert cents(after=numbers[2]) == [4, 5]
    assert cents(ALICE, after=numbers[0]) == [3, 4, 5]
    assert cents(stream="a", after=numbers[1]) == [5]
    assert cents(BOB, "a", after=numbers[1]) == [5]
    assert cents(after=numbers[-1]) == []


def test_any_number_of_transfers_comes_back_in_order(store: Store) -> None:
    count = 2 * PAGE_ROWS + 7
    for start in (0, PAGE_ROWS):
        some = range(start + 1, PAGE_ROWS + 1) if start == 0 else range(start + 1, count + 1)
        sides = ((CASH, ALICE) if n % 3 else (HOUSE, CASH) for n in some)
        events = (event(move(*side, n)) for n, side in zip(some, sides, strict=True))
        write(store, "a", start, *events)
    everything = list(range(1, count + 1))
    for found in (
        store.transfers(),
        store.transfers(account=CASH),
        store.transfers(stream="a"),
        store.transfers(account=CASH, stream="a"),
    ):
        assert [stored.transfer.cents for stored in found] == everything
    versions = [stored.version for stored in store.events("a")]
    assert versions == everything


def test_a_transfer_with_the_largest_number_stops_no_append_and_is_said(
    store: Store, place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLite would give random numbers from then on, and the book would count none of them."""
    write(store, "a", 0, event(move(CASH, ALICE, 5)))
    overriding = "" if isinstance(place.address, Path) else " OVERRIDING SYSTEM VALUE"
    columns = "stream, version, at_ms, debit, credit, cents, reason, note"
    place.run(
        f"INSERT INTO transfers (number, {columns}){overriding}"
        f" SELECT {LAST_NUMBER}, {columns} FROM transfers"
    )
    for version in range(1, 4):
        write(store, "a", version, event(move(CASH, ALICE, 5)))
    numbers = [number for (number,) in place.run("SELECT number FROM transfers ORDER BY 1")]
    assert numbers == [1, 2, 3, 4, LAST_NUMBER]
    with caplog.at_level(logging.ERROR):
        assert store.book() == (4, {CASH: -20, ALICE: 20})
    assert f"Row {LAST_NUMBER} of the table transfers is damaged" in caplog.text
    damaged: list[Damaged] = []
    assert len(list(store.transfers(damage=damaged.append))) == 4
    assert [error.row for error in damaged] == [LAST_NUMBER]


def test_an_account_that_can_hold_no_more_is_named(store: Store, place: Place) -> None:
    write(store, "a", 0, event(move(CASH, ALICE, 5)))
    place.run(f"UPDATE balances SET cents = {LAST_NUMBER} WHERE account = 'wallet:alice'")
    with pytest.raises(Damaged, match="wallet:alice of the table balances"):
        write(store, "a", 1, event(move(CASH, ALICE, 5)))
    write(store, "a", 1, event(move(CASH, BOB, 5)))
