"""The statement of one account: every transfer, with the balance after it."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO, cast

from openfelt.cli.records.ledger_accounts import find_account

if TYPE_CHECKING:
    from rich.console import Console

    from openfelt.ledger import Account
    from openfelt.storage.backup.archived_history import Archive
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
    """Print a statement line by line; return whether it ends at the account's balance."""
    account = find_account(store, name)
    lines = _Lines(store, account)
    out = console.file
    match form:
        case "json":
            out.write(json.dumps({"account": str(account), "lines": list(lines)}, indent=2) + "\n")
        case "csv":
            rows_as_csv(out, COLUMNS, ([line[name] for name in COLUMNS] for line in lines))
        case _:
            if str(account) != name.strip():
                console.print(f"{name.strip()} is {account}.")
            _print_text(console, lines)
    if lines.balance_cents == store.balance(account):
        return True
    # Money may have moved since the last line was read; the statement is then incomplete.
    return any(True for _ in store.transfers(account=account, after=lines.last))


class _Lines:
    """The lines of a statement, read while they are printed."""

    def __init__(self, store: "Store", account: "Account") -> None:
        self._store = store
        self._account = account
        self.balance_cents = 0
        self.last = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        archive = self._store.archive(with_state=False)
        opening_cents = archive.balances.get(str(self._account), 0) if archive else 0
        if archive is not None and opening_cents:
            self.balance_cents, self.last = opening_cents, archive.transfer
            yield _opening_line(archive, opening_cents)
        for stored in self._store.transfers(account=self._account):
            transfer = stored.transfer
            credited = transfer.credit == self._account
            change = transfer.cents if credited else -transfer.cents
            self.balance_cents += change
            self.last = stored.number
            yield {
                "number": stored.number,
                "time": time_text(stored.at_ms),
                "stream": stored.stream,
                "event": stored.version,
                "reason": transfer.reason.value,
                "other_account": str(transfer.debit if credited else transfer.credit),
                "change_cents": change,
                "balance_cents": self.balance_cents,
                "round": transfer.round,
                "clause": transfer.clause,
                "note": transfer.note,
            }


def _opening_line(archive: "Archive", cents: int) -> dict[str, Any]:
    """The balance of an account at the end of the archived history."""
    line: dict[str, Any] = dict.fromkeys(COLUMNS)
    return line | {
        "number": archive.transfer,
        "time": time_text(archive.at_ms),
        "reason": "archived",
        "other_account": "",
        "change_cents": cents,
        "balance_cents": cents,
        "note": "what is older is in an archive",
    }


def time_text(at_ms: int) -> str:
    """A time in UTC, as text.

    >>> time_text(1_767_268_800_000)
    '2026-01-01T12:00:00.000Z'
    """
    seconds, ms = divmod(at_ms, 1000)
    moment = datetime.fromtimestamp(seconds, tz=UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{ms:03d}Z"


def _print_text(console: "Console", lines: _Lines) -> None:
    """Print lines with fixed column widths, so that a long statement is not held in memory."""
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


def rows_as_csv(out: object, heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows as comma-separated values, in which no text is a formula.

    Notes, and the ids of commands, were written by players and staff.
    """
    from openfelt.runtime.exports.export_files import plain_cell

    writer = csv.writer(cast("TextIO", out), lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(map(plain_cell, row) for row in rows)
