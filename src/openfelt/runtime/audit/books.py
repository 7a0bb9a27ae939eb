"""An audit adds the whole book up: transfers against balances, account by account."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from openfelt.ledger import Account, AccountKind, Book, trial_balance
from openfelt.money import format_cents
from openfelt.runtime.audit.report import Finding, Pad
from openfelt.runtime.audit.tables import Desk
from openfelt.runtime.streams import link_stream, table_stream
from openfelt.storage.door import Damaged, Head, Store, StoredTransfer

ATTEMPTS_MAX: Final = 20
"""How often the balances of a store that is being written to are read again."""

_FROM_RECORDS: Final = (
    AccountKind.CREDIT,
    AccountKind.WAGERS,
    AccountKind.BANKER,
    AccountKind.METER,
    AccountKind.RESERVE,
)
"""The accounts whose balances follow from the records of tables and links as well."""


class Sums:
    """Balances that come from adding transfers up; accounts at zero are not kept."""

    def __init__(self) -> None:
        self.cents: dict[Account, int] = defaultdict(int)

    def add(self, one: StoredTransfer) -> None:
        """Add a transfer."""
        moved = one.transfer
        for account, cents in ((moved.debit, -moved.cents), (moved.credit, moved.cents)):
            self.cents[account] += cents
            if not self.cents[account]:
                del self.cents[account]


def audit_books(desk: Desk, heads: Mapping[str, Head]) -> None:
    """Check all transfers, all balances, and what the records say about them."""
    store, pad = desk.store, desk.pad
    up_to_heads, every = Sums(), Sums()
    last = 0
    try:
        for one in store.transfers():
            last = one.number
            every.add(one)
            if _within(one, heads):
                up_to_heads.add(one)
            elif not _within(one, {one.stream: store.head(one.stream)}):
                pad.find(_of_no_event(one))
    except Damaged as error:
        pad.find(Finding(where="transfers", sentence=str(error)))
        pad.note("Balances were not compared, because a transfer cannot be read.")
        return
    pad.counts.accounts = len(up_to_heads.cents)
    _check_records(desk, up_to_heads.cents)
    _check_balances(store, pad, every, last)


def _within(one: StoredTransfer, heads: Mapping[str, Head]) -> bool:
    return one.stream in heads and 1 <= one.version <= heads[one.stream].version


def _of_no_event(one: StoredTransfer) -> Finding:
    return Finding(
        where="transfers",
        version=one.number,
        sentence="It belongs to no event.",
        expected="an event that causes it",
        found=f"event {one.version} of {one.stream}, which there is not",
    )


# Records ---------------------------------------------------------------------


def _check_records(desk: Desk, sums: Mapping[Account, int]) -> None:
    """Credits, felt, banks, meters and reserves are what tables and links say."""
    accounts = {one for one in sums if one.kind in _FROM_RECORDS} | desk.balances.keys()
    for account in sorted(accounts):
        wanted, booked = desk.balances.get(account, 0), sums.get(account, 0)
        if wanted != booked and not _is_of(account, desk.broken):
            desk.pad.find(
                Finding(
                    where=str(account),
                    sentence=_WRONG[account.kind],
                    expected=format_cents(wanted),
                    found=format_cents(booked),
                )
            )


_WRONG: Final = {
    AccountKind.CREDIT: "Its transfers do not add up to the seat's credit.",
    AccountKind.WAGERS: "Its transfers do not add up to what lies on the felt.",
    AccountKind.BANKER: "Its transfers do not add up to the bank wager in play.",
    AccountKind.METER: "Its transfers do not add up to the meter of the link.",
    AccountKind.RESERVE: "Its transfers do not add up to the reserve of the link.",
}


def _is_of(account: Account, broken: Iterable[str]) -> bool:
    """Whether an account belongs to a table or a link that could not be replayed."""
    link = account.kind in (AccountKind.METER, AccountKind.RESERVE)
    table = account.owner.partition("/")[0]
    return (link_stream(account.owner) if link else table_stream(table)) in broken


# Balances --------------------------------------------------------------------


def _check_balances(store: Store, pad: Pad, sums: Sums, last: int) -> None:
    """Compare the table of balances with the transfers, at a moment when nothing moves."""
    for _ in range(ATTEMPTS_MAX):
        try:
            balances = store.balances()
        except Damaged as error:
            pad.find(Finding(where="balances", sentence=str(error)))
            return
        moved = False
        for one in store.transfers(after=last):
            sums.add(one)
            last, moved = one.number, True
        if not moved:
            _compare(pad, sums.cents, balances)
            return
    pad.note("Balances were not compared, because money moved all the time.")


def _compare(pad: Pad, sums: Mapping[Account, int], balances: Mapping[Account, int]) -> None:
    for account in sorted(sums.keys() | balances.keys()):
        wanted, kept = sums.get(account, 0), balances.get(account, 0)
        if wanted != kept:
            pad.find(
                Finding(
                    where="balances",
                    sentence=f"The balance of {account} is not the sum of its transfers.",
                    expected=format_cents(wanted),
                    found=format_cents(kept),
                )
            )
    for finding in _trial_balance(balances):
        pad.find(finding)


def _trial_balance(balances: Mapping[Account, int]) -> Iterator[Finding]:
    """All accounts together are zero, and nobody owes who may not."""
    book = Book(balances)
    trial = trial_balance(book)
    if trial.total_cents:
        yield Finding(
            where="balances",
            sentence="All accounts together are not zero.",
            expected=format_cents(0),
            found=format_cents(trial.total_cents),
        )
    for account in trial.overdrawn:
        yield Finding(
            where="balances",
            sentence=f"{account} owes, and may not.",
            expected=f"{format_cents(0)} or more",
            found=format_cents(book.balance(account)),
        )
