"""The statement of one account: every transfer, with the balance after it."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO, cast

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from rich.console import Console

    from openfelt.ledger import Account
    from openfelt.storage.door import Store

COLUMNS = (
    "number",
    "time",
    "stream",
    "event",
    "reason",
    "other_account",
    "change_cents",
    "balance_cents",
    "round",
    "clause",
    "note",
)


def print_statement(console: "Console", store: "Store", name: str, form: str) -> bool:
    """Print a statement line by line, however long; give whether it ends at the balance."""
    account = _account(name)
    lines = _Lines(store, account)
    out = console.file
    match form:
        case "json":
            out.write(json.dumps({"account": name, "lines": list(lines)}, indent=2) + "\n")
        case "csv":
            rows_as_csv(out, COLUMNS, ([line[name] for name in COLUMNS] for line in lines))
        case _:
            _print_text(console, lines)
    if lines.balance_cents == store.balance(account):
        return True
    # Somebody may have moved money just now; the statement is then one line short.
    return any(True for _ in store.transfers(account=account, after=lines.last))


def _account(name: str) -> "Account":
    from openfelt.ledger import Account

    try:
        return Account.parse(name)
    except ValueError as error:
        raise Complaint(
            f"{name!r} is not an account. Accounts are called cash, wallet:ann, house:TABLE, "
            "credit:TABLE/PLAYER, wagers:TABLE/ROUND, meter:LINK and so on.",
            ExitCode.WRONG_INPUT,
        ) from error


class _Lines:
    """The lines of a statement, read as they are printed."""

    def __init__(self, store: "Store", account: "Account") -> None:
        self._store = store
        self._account = account
        self.balance_cents = 0
        self.last = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for one in self._store.transfers(account=self._account):
            moved = one.transfer
            came = moved.credit == self._account
            change = moved.cents if came else -moved.cents
            self.balance_cents += change
            self.last = one.number
            yield {
                "number": one.number,
                "time": time_text(one.at_ms),
                "stream": one.stream,
                "event": one.version,
                "reason": moved.reason.value,
                "other_account": str(moved.debit if came else moved.credit),
                "change_cents": change,
                "balance_cents": self.balance_cents,
                "round": moved.round,
                "clause": moved.clause,
                "note": moved.note,
            }


def time_text(at_ms: int) -> str:
    """A moment, UTC.

    >>> time_text(1_767_268_800_000)
    '2026-01-01T12:00:00.000Z'
    """
    seconds, ms = divmod(at_ms, 1000)
    moment = datetime.fromtimestamp(seconds, tz=UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{ms:03d}Z"


def _print_text(console: "Console", lines: _Lines) -> None:
    """Plain lines of fixed widths, so that a long statement need not be held in memory."""
    from openfelt.money import format_cents

    console.print(f"{'time':24} {'reason':20} {'change':>14} {'balance':>16}  other account, round")
    for line in lines:
        more = " ".join(filter(None, (line["other_account"], line["round"], line["note"])))
        console.print(
            f"{line['time']:24} {line['reason']:20} {format_cents(line['change_cents']):>14} "
            f"{format_cents(line['balance_cents']):>16}  {more}",
            soft_wrap=True,
        )
    console.print(f"Balance: {format_cents(lines.balance_cents)}", style="bold")


def rows_as_csv(out: object, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write rows as comma-separated values."""
    writer = csv.writer(cast("TextIO", out), lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
