"""A day's book on paper: for people, for spreadsheets and for programs."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from openfelt.cli.records.ledger_statement import rows_as_csv
from openfelt.cli.records.ledger_tables import Row, money_table
from openfelt.ledger import Reason
from openfelt.runtime.cage.day_book import AccountDay, DayBook

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def _accounts(book: DayBook, *, by_kind: bool) -> dict[str, AccountDay]:
    if by_kind:
        return {kind.value: one for kind, one in book.kinds.items()}
    return {str(account): one for account, one in book.accounts.items()}


def day_facts(book: DayBook, *, by_kind: bool) -> dict[str, object]:
    """A day for programs, all in cents."""
    return {
        "day": book.day.isoformat(),
        "reconciled": book.reconciled,
        "accounts": {
            name: asdict(one) | {"difference_cents": one.difference_cents}
            for name, one in _accounts(book, by_kind=by_kind).items()
        },
        "reasons": {reason.value: asdict(one) for reason, one in book.reasons.items()},
        "tables": {
            name: asdict(one) | {"felt_cents": one.felt_cents} for name, one in book.tables.items()
        },
        "links": {
            name: asdict(one) | {"difference_cents": one.difference_cents}
            for name, one in book.links.items()
        },
        "deposits_cents": book.cents_for(Reason.DEPOSIT),
        "withdrawals_cents": book.cents_for(Reason.WITHDRAWAL),
    }


def print_day_csv(out: object, book: DayBook, *, by_kind: bool) -> None:
    """A day with one figure in each row, for a pivot table."""
    rows_as_csv(out, ("section", "name", "item", "value"), _csv_rows(book, by_kind=by_kind))


def _csv_rows(book: DayBook, *, by_kind: bool) -> Iterator[tuple[str, str, str, int]]:
    for name, one in _accounts(book, by_kind=by_kind).items():
        for item, value in asdict(one).items():
            yield "kind" if by_kind else "account", name, item, value
    for reason, moved in book.reasons.items():
        for item, value in asdict(moved).items():
            yield "reason", reason.value, item, value
    for name, table in book.tables.items():
        for item, value in asdict(table).items():
            yield "table", name, item, value
    for name, link in book.links.items():
        for item, value in asdict(link).items():
            yield "link", name, item, value


# For people ------------------------------------------------------------------


def print_day(console: "Console", book: DayBook, *, by_kind: bool) -> None:
    """A day as an accountant reads it."""
    console.print(f"{book.day.isoformat()}, from midnight to midnight UTC", style="bold")
    console.print()
    accounts = _accounts(book, by_kind=by_kind)
    rows: list[Row] = [_account_row(name, one) for name, one in accounts.items()]
    rows.append(_account_row("All together", book.total))
    heads = ("Kind" if by_kind else "Account", "Opening", "+ in", "- out", "= Closing", "Off by")
    console.print(money_table(heads, rows))
    console.print()
    console.print(
        money_table(
            ("Reason", "Transfers", "Amount"),
            [(one.value, f"{d.transfers:,}", d.cents) for one, d in book.reasons.items()],
        )
    )
    if book.tables:
        console.print()
        console.print(_table_table(book))
    if book.links:
        console.print()
        console.print(_link_table(book))
    console.print()
    console.print(
        "The day closes: opening, movements and closing agree everywhere."
        if book.reconciled
        else "The day does not close. Run openfelt audit.",
        style="bold green" if book.reconciled else "bold red",
    )


def _account_row(name: str, one: AccountDay) -> Row:
    return (
        name,
        one.opening_cents,
        one.in_cents,
        one.out_cents,
        one.closing_cents,
        one.difference_cents or "",
    )


def _table_table(book: DayBook) -> "Table":
    heads = ("Table", "Handle", "Returned", "Lost", "Paid", "Tips", "Win", "Collections", "To link")
    return money_table(
        heads,
        [
            (
                name,
                one.wagered_cents,
                one.returned_cents,
                one.lost_cents,
                one.paid_cents,
                one.tips_cents,
                one.win_cents,
                one.collections_cents,
                one.contributed_cents,
            )
            for name, one in book.tables.items()
        ],
    )


def _link_table(book: DayBook) -> "Table":
    heads = (
        *("Link", "Opening", "+ Contributions", "+ Seed", "- Awards", "- Envy", "- Retired"),
        *("= Closing", "Off by"),
    )
    return money_table(
        heads,
        [
            (
                name,
                one.opening_cents,
                one.contributed_cents,
                one.seeded_cents,
                one.awarded_cents,
                one.envied_cents,
                one.retired_cents,
                one.closing_cents,
                one.difference_cents or "",
            )
            for name, one in book.links.items()
        ],
    )
