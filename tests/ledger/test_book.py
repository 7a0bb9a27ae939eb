"""The book: what it takes, what it refuses, and that nothing is ever lost in it."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.ledger import (
    Account,
    AccountKind,
    Book,
    LedgerCode,
    LedgerRefusal,
    Reason,
    Transfer,
    statement,
    trial_balance,
)

CASH = Account(AccountKind.CASH)
HOUSE = Account(AccountKind.HOUSE)
ALICE = Account(AccountKind.WALLET, "alice")
BOB = Account(AccountKind.WALLET, "bob")
SEAT = Account(AccountKind.CREDIT, "stadium-1/3")


def move(debit: Account, credit: Account, cents: int, reason: Reason = Reason.WAGER) -> Transfer:
    return Transfer(debit=debit, credit=credit, cents=cents, reason=reason)


HALF: Any = 1.5
DEPOSIT = move(CASH, ALICE, 5000, Reason.DEPOSIT)

REFUSED = [
    # One line per case, in the order in which the book looks.
    (move(ALICE, SEAT, 0), LedgerCode.NOT_WHOLE_CENTS),
    (move(ALICE, SEAT, -1), LedgerCode.NOT_WHOLE_CENTS),
    (replace(DEPOSIT, cents=HALF), LedgerCode.NOT_WHOLE_CENTS),
    (replace(DEPOSIT, cents=True), LedgerCode.NOT_WHOLE_CENTS),
    (move(ALICE, SEAT, 10**12 + 1), LedgerCode.TOO_LARGE),
    (move(ALICE, ALICE, 1), LedgerCode.SAME_ACCOUNT),
    (move(ALICE, SEAT, 5001), LedgerCode.NOT_ENOUGH),
    (move(SEAT, CASH, 1), LedgerCode.NOT_ENOUGH),
]


@pytest.mark.parametrize(("transfer", "code"), REFUSED)
def test_what_the_book_refuses(transfer: Transfer, code: LedgerCode) -> None:
    book = Book().post([DEPOSIT])
    with pytest.raises(LedgerRefusal) as refused:
        book.post([move(ALICE, BOB, 100), transfer])
    assert refused.value.code is code
    assert str(refused.value).endswith(".")
    assert book == Book().post([DEPOSIT])


def test_every_code_is_produced() -> None:
    assert {code for _, code in REFUSED} == set(LedgerCode)


def test_only_the_end_of_a_posting_counts() -> None:
    book = Book().post([move(ALICE, SEAT, 500), DEPOSIT])
    assert (book.balance(ALICE), book.balance(SEAT)) == (4500, 500)


def test_the_house_and_the_outside_world_may_owe() -> None:
    book = Book().post([DEPOSIT, move(HOUSE, ALICE, 700, Reason.PAYOUT)])
    assert (book.balance(HOUSE), book.balance(CASH)) == (-700, -5000)
    assert trial_balance(book).balanced


def test_an_overdrawn_player_shows_in_the_trial_balance() -> None:
    found = trial_balance(Book({ALICE: -1, CASH: 1}))
    assert found.overdrawn == (ALICE,)
    assert not found.balanced
    assert not trial_balance(Book({ALICE: 1})).balanced


def test_a_statement_ends_with_the_balance() -> None:
    record = [DEPOSIT, move(ALICE, SEAT, 2000, Reason.BUY_IN), move(CASH, BOB, 10, Reason.DEPOSIT)]
    lines = statement(ALICE, record)
    assert [line.change_cents for line in lines] == [5000, -2000]
    assert lines[-1].balance_cents == Book().post(record).balance(ALICE) == 3000


ACCOUNTS = st.sampled_from([CASH, HOUSE, ALICE, BOB, SEAT])


@given(st.lists(st.tuples(ACCOUNTS, ACCOUNTS, st.integers(-5, 10_000)), max_size=30))
def test_whatever_is_posted_nothing_is_lost(moves: list[tuple[Account, Account, int]]) -> None:
    book = Book()
    taken = []
    for debit, credit, cents in moves:
        transfer = move(debit, credit, cents)
        try:
            book = book.post([transfer])
        except LedgerRefusal:
            continue
        taken.append(transfer)
        assert trial_balance(book).balanced
    assert book == Book().post(taken) or not taken
    for account in (CASH, HOUSE, ALICE, BOB, SEAT):
        lines = statement(account, taken)
        assert (lines[-1].balance_cents if lines else 0) == book.balance(account)
