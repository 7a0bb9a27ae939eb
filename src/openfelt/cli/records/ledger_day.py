"""The printed book of a day: as text, as CSV and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from openfelt.cli.records.ledger_statement import rows_as_csv
from openfelt.cli.records.ledger_tables import Row, money_table
from openfelt.ledger import Reason
from openfelt.runtime.cage.days.day_book import AccountDay, DayBook

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def _accounts(book: DayBook, *, by_kind: bool) -> dict[str, AccountDay]:
    if by_kind:
        return {kind.value: day for kind, day in book.kinds.items()}
    return {str(account): day for account, day in book.accounts.items()}


def day_facts(book: DayBook, *, by_kind: bool) -> dict[str, object]:
    """The book of a day as JSON for programs, all in cents."""
    return {
        "day": book.day.isoformat(),
        "reconciled": book.reconciled,
        "accounts": {
            name: asdict(day) | {"difference_cents": day.difference_cents}
            for name, day in _accounts(book, by_kind=by_kind).items()
        },
        "reasons": {reason.value: asdict(day) for reason, day in book.reasons.items()},
        "tables": {
            name: asdict(day) | {"felt_cents": day.felt_cents} for name, day in book.tables.items()
        },
        "links": {
            name: asdict(day) | {"difference_cents": day.difference_cents}
            for name, day in book.links.items()
        },
        "deposits_cents": book.cents_for(Reason.DEPOSIT),
        "withdrawals_cents": book.cents_for(Reason.WITHDRAWAL),
    }


def print_day_csv(out: object, book: DayBook, *, by_kind: bool) -> None:
    """Write the book of a day as CSV with one figure in each row, for a pivot table."""
    rows_as_csv(out, ("section", "name", "item", "value"), _csv_rows(book, by_kind=by_kind))


def _csv_rows(book: DayBook, *, by_kind: bool) -> Iterator[tuple[str, str, str, int]]:
    for name, account in _accounts(book, by_kind=by_kind).items():
        for item, value in asdict(account).items():
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


# As text ------------------------------------------------------------------


def print_day(console: "Console", book: DayBook, *, by_kind: bool) -> None:
    """Print the book of a day as an accountant reads it."""
    console.print(f"{book.day.isoformat()}, from midnight to midnight UTC", style="bold")
    console.print()
    accounts = _accounts(book, by_kind=by_kind)
    rows: list[Row] = [_account_row(name, day) for name, day in accounts.items()]
    rows.append(_account_row("All together", book.total))
    heads = ("Kind" if by_kind else "Account", "Opening", "+ in", "- out", "= Closing", "Off by")
    console.print(money_table(heads, rows))
    console.print()
    console.print(
        money_table(
            ("Reason", "Transfers", "Amount"),
            [
                (reason.value, f"{day.transfers:,}", day.cents)
                for reason, day in book.reasons.items()
            ],
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


def _account_row(name: str, day: AccountDay) -> Row:
    return (
        name,
        day.opening_cents,
        day.in_cents,
        day.out_cents,
        day.closing_cents,
        day.difference_cents or "",
    )


def _table_table(book: DayBook) -> "Table":
    heads = ("Table", "Handle", "Returned", "Lost", "Paid", "Tips", "Win", "Collections", "To link")
    return money_table(
        heads,
        [
            (
                name,
                day.wagered_cents,
                day.returned_cents,
                day.lost_cents,
                day.paid_cents,
                day.tips_cents,
                day.win_cents,
                day.collections_cents,
                day.contributed_cents,
            )
            for name, day in book.tables.items()
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
                day.opening_cents,
                day.contributed_cents,
                day.seeded_cents,
                day.awarded_cents,
                day.envied_cents,
                day.retired_cents,
                day.closing_cents,
                day.difference_cents or "",
            )
            for name, day in book.links.items()
        ],
    )
