"""A drawer in the book: cash in and out, and a difference that the house bears."""

import pytest

from openfelt.ledger import Account, AccountKind, Book
from openfelt.ledger.drawers import (
    CAGE,
    VAULT,
    CashPaid,
    CashTaken,
    Drawer,
    DrawerClosed,
    DrawerEvent,
    DrawerOpened,
    PayoutApproved,
    PayoutRejected,
    PayoutRequested,
    PayoutState,
    VoucherCashed,
    VoucherSold,
    drawer_account,
    drawer_after,
    drawer_transfers,
)

ANN = Account(AccountKind.WALLET, "ann")
OWN = drawer_account("w1")
OPENED = DrawerOpened("w1", "cal", {10_000: 5}, 300_000)
TAKEN = CashTaken("w1", "ann", 2_000)
PAID = CashPaid("w1", "ann", 1_500)


def played(*events: DrawerEvent) -> tuple[Drawer, Book]:
    """A drawer and the book after some events."""
    drawer, book = Drawer(id="w1"), Book()
    for at_ms, event in enumerate(events):
        book = book.post(drawer_transfers(drawer, event))
        drawer = drawer_after(drawer, event, at_ms)
    return drawer, book


def test_the_cash_of_a_drawer_is_a_part_of_the_houses_cash() -> None:
    drawer, book = played(OPENED, TAKEN, PAID)
    assert (drawer.cashier, drawer.cents, drawer.limit_cents) == ("cal", 50_500, 300_000)
    assert (book.balance(OWN), book.balance(VAULT), book.balance(ANN)) == (-50_500, 50_000, 500)


@pytest.mark.parametrize(
    ("count", "difference_cents", "house_cents"),
    [({10_000: 5, 100: 5}, 0, 0), ({10_000: 5}, -500, -500), ({10_000: 6}, 9_500, 9_500)],
)
def test_the_house_bears_the_difference_and_the_drawer_is_empty(
    count: dict[int, int], difference_cents: int, house_cents: int
) -> None:
    closed = DrawerClosed("w1", "cal", count, difference_cents, "miscounted")
    drawer, book = played(OPENED, TAKEN, PAID, closed)
    assert (drawer.cashier, drawer.cents) == (None, 0)
    assert (book.balance(OWN), book.balance(CAGE)) == (0, house_cents)
    # What the vault has given and got, against what the players still have.
    assert book.balance(VAULT) == -(500 + house_cents)


def test_vouchers_count_in_the_drawer_and_move_money_in_their_own_record() -> None:
    drawer, book = played(OPENED, VoucherSold("w1", "5f", 700), VoucherCashed("w1", "5e", 200))
    assert (drawer.cents, book.balance(OWN)) == (50_500, -50_000)


def test_payouts_wait_until_they_are_paid_or_rejected_or_the_drawer_is_closed() -> None:
    first = PayoutRequested(1, 400_000, "cal", "ann")
    second = PayoutRequested(2, 500_000, "cal", None, "5f")
    drawer, _ = played(OPENED, first, second, PayoutApproved(1, "sue"))
    assert {number: payout.state for number, payout in drawer.payouts.items()} == {
        1: PayoutState.APPROVED,
        2: PayoutState.WAITING,
    }
    paid = drawer_after(drawer, CashPaid("w1", "ann", 400_000, "", 1), 9)
    assert list(paid.payouts) == [2]
    assert not drawer_after(paid, PayoutRejected(2, "sue", "no"), 9).payouts
    closed = drawer_after(drawer, DrawerClosed("w1", "cal", {}, 0), 9)
    assert (dict(closed.payouts), closed.requests) == ({}, 2)
