"""The audit of the whole book: transfers against balances, account by account."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from openfelt.ledger import Account, AccountKind, Book, trial_balance
from openfelt.money import format_cents
from openfelt.runtime.audit.context import AuditContext
from openfelt.runtime.audit.report import ReportDraft
from openfelt.runtime.cage.days.account_sums import AccountSums
from openfelt.runtime.streams import (
    drawer_stream,
    feed_stream,
    link_stream,
    table_stream,
    tray_stream,
    voucher_stream,
)
from openfelt.storage.balances.balance_door import FIRST_NUMBER, StoredTransfer
from openfelt.storage.door import Damaged, Head
from openfelt.storage.shown_names import shown

ATTEMPTS_MAX: Final = 20
"""How often the balances are read again because money has moved in the meantime."""

_MISMATCHES: Final = {
    AccountKind.CREDIT: "Its transfers do not add up to the seat's credit.",
    AccountKind.WAGERS: "Its transfers do not add up to the wagers on the felt.",
    AccountKind.BANKER: "Its transfers do not add up to the bank wager in play.",
    AccountKind.METER: "Its transfers do not add up to the meter of the link.",
    AccountKind.RESERVE: "Its transfers do not add up to the reserve of the link.",
    AccountKind.VOUCHER: "Its transfers do not add up to what the voucher is worth.",
    AccountKind.DRAWER: "Its transfers do not add up to the cash of the drawer.",
    AccountKind.TRAY: "Its transfers do not add up to the chips of the tray.",
}
"""The kinds of account whose balances also follow from the records of tables, links and the cage.
"""


class BookState(NamedTuple):
    """How far transfers have been added up."""

    transfer: int = 0
    """The number of a transfer up to which each belongs to an event that has been checked."""
    balances: Mapping[str, int] = MappingProxyType({})


def audit_books(
    context: AuditContext, heads: Mapping[str, Head], before: BookState | None = None
) -> BookState | None:
    """Check all transfers, all balances, and what the records of tables and links say of them.

    It continues from the sums of ``before``, and returns those from which a later audit may
    continue, or None if a transfer cannot be read.
    """
    store, report = context.store, context.report
    before = before or BookState()
    opening = {Account.parse(name): cents for name, cents in before.balances.items()}
    up_to_heads, all_sums = AccountSums(opening), AccountSums(opening)
    last = before.transfer
    state: BookState | None = None
    after = last if before.balances else FIRST_NUMBER
    for booked in store.transfers(after=after, damage=context.damage("transfers")):
        within = _is_within(booked, heads)
        if state is None and not within:
            state = _state(last, up_to_heads)
        last = booked.number
        all_sums.add(booked.transfer)
        if within:
            up_to_heads.add(booked.transfer)
        elif not _is_later(context, booked):
            _find_orphan(report, booked)
    if "transfers" in context.broken:
        report.note("Balances were not compared, because a transfer cannot be read.")
        return None
    state = state or _state(last, up_to_heads)
    report.counts.accounts = len(up_to_heads.cents)
    _check_records(context, up_to_heads.cents)
    _check_balances(context, all_sums, last)
    return state


def _state(last: int, sums: AccountSums) -> BookState:
    return BookState(last, {str(account): cents for account, cents in sorted(sums.cents.items())})


def _is_within(booked: StoredTransfer, heads: Mapping[str, Head]) -> bool:
    return booked.stream in heads and 1 <= booked.version <= heads[booked.stream].version


def _is_later(context: AuditContext, booked: StoredTransfer) -> bool:
    """Whether a transfer belongs to an event that was written since the audit began."""
    seen = context.heads.get(booked.stream)
    first = seen.version + 1 if seen is not None else 1
    return first <= booked.version <= context.head_version(booked.stream)


def _find_orphan(report: ReportDraft, booked: StoredTransfer) -> None:
    report.find(
        "transfers",
        "It belongs to no event.",
        version=booked.number,
        expected="an event that causes it",
        found=f"event {booked.version} of {shown(booked.stream)}, which does not exist",
    )


# Records ---------------------------------------------------------------------


def _check_records(context: AuditContext, sums: Mapping[Account, int]) -> None:
    """Compare what accounts hold with the records of tables, links, vouchers and drawers."""
    accounts = {account for account in sums if account.kind in _MISMATCHES}
    for account in sorted(accounts | context.balances.keys()):
        wanted, booked = context.balances.get(account, 0), sums.get(account, 0)
        if wanted != booked and not _is_of(account, context.broken):
            context.report.find(
                str(account),
                _MISMATCHES[account.kind],
                expected=format_cents(wanted),
                found=format_cents(booked),
            )


def _is_of(account: Account, broken: Iterable[str]) -> bool:
    """Whether an account belongs to a record that could not be replayed."""
    match account.kind:
        case AccountKind.METER | AccountKind.RESERVE:
            link, _, table = account.owner.partition("/")
            streams = {link_stream(link)}
            if table:
                streams |= {feed_stream(link, table), table_stream(table)}
            return not streams.isdisjoint(broken)
        case AccountKind.VOUCHER:
            return voucher_stream(account.owner) in broken
        case AccountKind.DRAWER:
            return drawer_stream(account.owner) in broken
        case AccountKind.TRAY:
            return tray_stream(account.owner) in broken
        case _:
            return table_stream(account.owner.partition("/")[0]) in broken


# Balances --------------------------------------------------------------------


def _check_balances(context: AuditContext, sums: AccountSums, last: int) -> None:
    """Compare the stored balances with the transfers, at a moment when no money moves."""
    store, report = context.store, context.report
    for _ in range(ATTEMPTS_MAX):
        damaged: list[Damaged] = []
        balances = store.balances(damage=damaged.append)
        moved = False
        for booked in store.transfers(after=last):
            sums.add(booked.transfer)
            last, moved = booked.number, True
        if not moved:
            for error in damaged:
                report.find("balances", str(error))
            _compare_balances(report, sums.cents, balances)
            _check_trial_balance(report, balances)
            return
    report.note("Balances were not compared, because money kept moving.")


def _compare_balances(
    report: ReportDraft, sums: Mapping[Account, int], balances: Mapping[Account, int]
) -> None:
    for account in sorted(sums.keys() | balances.keys()):
        wanted, kept = sums.get(account, 0), balances.get(account, 0)
        if wanted != kept:
            report.find(
                "balances",
                f"The balance of {shown(account)} is not the sum of its transfers.",
                expected=format_cents(wanted),
                found=format_cents(kept),
            )


def _check_trial_balance(report: ReportDraft, balances: Mapping[Account, int]) -> None:
    """All accounts add up to zero, and none is overdrawn that must not be."""
    book = Book(balances)
    trial = trial_balance(book)
    if trial.total_cents:
        report.find(
            "balances",
            "The accounts do not add up to zero.",
            expected=format_cents(0),
            found=format_cents(trial.total_cents),
        )
    for account in trial.overdrawn:
        report.find(
            "balances",
            f"{shown(account)} is overdrawn.",
            expected=f"{format_cents(0)} or more",
            found=format_cents(book.balance(account)),
        )
