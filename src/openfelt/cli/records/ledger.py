"""``openfelt ledger`` shows the book: a trial balance, an account's statement, or one day."""

import json
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import Database, open_database
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import AsJson

if TYPE_CHECKING:
    from openfelt.storage.door import Store


class By(StrEnum):
    """How the accounts of a day are listed."""

    ACCOUNT = "account"
    KIND = "kind"


def ledger(
    database: Database = None,
    account: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The statement of one account, such as wallet:ann."),
    ] = None,
    day: Annotated[
        str | None,
        typer.Option(metavar="YYYY-MM-DD", help="Close one day, UTC: opening, movements, closing."),
    ] = None,
    by: Annotated[
        By, typer.Option(help="List the day by account, or added up by kind.")
    ] = By.ACCOUNT,
    full: Annotated[
        bool,
        typer.Option(
            "--full", help="Add up every transfer from the first on, and trust no closed day."
        ),
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV for spreadsheets.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the trial balance, the statement of one account, or the closing of a day."""
    if account is not None and day is not None:
        raise Complaint("Give --account or --day, not both.", ExitCode.WRONG_INPUT)
    if as_csv and as_json:
        raise Complaint("Give --csv or --json, not both.", ExitCode.WRONG_INPUT)
    form = "csv" if as_csv else "json" if as_json else "text"
    with open_database(database) as store:
        if account is not None:
            in_order = _print_statement(store, account, form)
        elif day is not None:
            in_order = _print_day(store, _day_of(day), by, form, full=full)
        else:
            in_order = _print_trial_balance(store, form)
    if not in_order:
        raise typer.Exit(ExitCode.FINDINGS)


def _day_of(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Complaint(
            f"{text!r} is not a date such as 2026-01-31.", ExitCode.WRONG_INPUT
        ) from error


def _print_statement(store: "Store", account: str, form: str) -> bool:
    from openfelt.cli.records.ledger_statement import print_statement
    from openfelt.cli.records.ledger_tables import WIDE
    from openfelt.cli.terminal import make_console

    return print_statement(make_console(width=WIDE), store, account, form)


def _print_day(store: "Store", day: date, by: By, form: str, *, full: bool) -> bool:
    from openfelt.cli.records.ledger_day import day_facts, print_day, print_day_csv
    from openfelt.cli.records.ledger_tables import WIDE
    from openfelt.cli.terminal import make_console
    from openfelt.runtime.cage.days.day_book import day_book

    book = day_book(store, day, full=full)
    console = make_console(width=WIDE)
    match form:
        case "json":
            console.file.write(json.dumps(day_facts(book, by_kind=by is By.KIND), indent=2) + "\n")
        case "csv":
            print_day_csv(console.file, book, by_kind=by is By.KIND)
        case _:
            print_day(console, book, by_kind=by is By.KIND)
    return book.reconciled


def _print_trial_balance(store: "Store", form: str) -> bool:
    from openfelt.cli.records.ledger_statement import rows_as_csv
    from openfelt.cli.records.ledger_tables import WIDE, money_table
    from openfelt.cli.terminal import make_console
    from openfelt.ledger import Book, trial_balance

    trial = trial_balance(Book(store.balances()))
    console = make_console(width=WIDE)
    rows = [(kind.value, cents) for kind, cents in trial.by_kind.items()]
    match form:
        case "json":
            facts = {
                "by_kind_cents": dict(rows),
                "total_cents": trial.total_cents,
                "overdrawn": [str(account) for account in trial.overdrawn],
                "balanced": trial.balanced,
            }
            console.file.write(json.dumps(facts, indent=2) + "\n")
        case "csv":
            rows_as_csv(console.file, ("kind", "cents"), [*rows, ("total", trial.total_cents)])
        case _:
            console.print(
                money_table(("Kind", "Balance"), [*rows, ("All together", trial.total_cents)])
            )
            for account in trial.overdrawn:
                console.print(f"{account} is overdrawn.", style="bold red")
            console.print(
                "The book balances." if trial.balanced else "The book does not balance.",
                style="bold green" if trial.balanced else "bold red",
            )
    return trial.balanced
