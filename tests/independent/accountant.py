"""An accountant who reconciles a day from the ledger alone: plain SQL, and arithmetic of its own.

It imports nothing of the program. Every figure comes from the rows of transfers; what the screens
have shown is compared with it, to the cent.
"""

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

MINUS = "\N{MINUS SIGN}"


@dataclass
class TableAccounts:
    """What the ledger says of one table, in cents."""

    drop: int = 0
    collected: int = 0
    taken: int = 0
    """Stakes that the house took."""
    paid: int = 0
    tips: int = 0
    contributed: int = 0
    awarded: int = 0
    staked: int = 0
    """Stakes of settled wagers, without the progressive and without void rounds."""
    fills: int = 0
    credits: int = 0
    differences: int = 0
    """What counts of the tray had more than the book."""

    @property
    def win(self) -> int:
        """What the house won."""
        return self.taken - self.paid - self.tips


@dataclass
class DayAccounts:
    """What the ledger says of a day."""

    tables: dict[str, TableAccounts] = field(default_factory=dict)
    cash_in: Counter[str] = field(default_factory=Counter)
    cash_out: Counter[str] = field(default_factory=Counter)
    """By drawer."""
    vouchers_open: int = 0
    balances: Counter[str] = field(default_factory=Counter)

    def table(self, name: str) -> TableAccounts:
        """The accounts of a table."""
        return self.tables.setdefault(name, TableAccounts())


def reconcile(database: Path) -> DayAccounts:
    """Read every transfer of a database, in order, and add it up."""
    day = DayAccounts()
    with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as rows:
        for row in rows.execute(
            "SELECT debit, credit, cents, reason, note FROM transfers ORDER BY number"
        ):
            debit, credit, cents, reason, _ = row
            day.balances[debit] -= cents
            day.balances[credit] += cents
            _of_tables(day, row)
            _of_drawers(day, debit, credit, cents, reason)
    assert sum(day.balances.values()) == 0, "the book does not balance"
    day.vouchers_open = sum(
        cents for account, cents in day.balances.items() if account.startswith("voucher:")
    )
    return day


def _name(account: str) -> tuple[str, str]:
    """The kind of an account, and the table or drawer that it is of."""
    kind, _, owner = account.partition(":")
    return kind, owner.partition("/")[0]


FIGURES = {
    ("wallet", "credit", "buy_in"): ("drop", 1),
    ("credit", "wallet", "collect"): ("collected", 1),
    ("house", "credit", "payout"): ("paid", 1),
    ("house", "tips", "tip"): ("tips", 1),
    ("wagers", "house", "loss"): ("taken", 1),
    ("wagers", "reserve", "contribution"): ("contributed", 1),
    ("reserve", "credit", "award"): ("awarded", 1),
    ("reserve", "credit", "envy"): ("awarded", 1),
    ("tray", "chips", "fill"): ("fills", 1),
    ("chips", "tray", "credit"): ("credits", 1),
    ("tray", "house", "tray_difference"): ("differences", 1),
    ("house", "tray", "tray_difference"): ("differences", -1),
}
"""By the kinds of both accounts and the reason, the figure of the table that a transfer adds to."""
NAMED_BY = ("tray", "credit", "wagers", "house", "chips")
"""The kinds of accounts that name a table, in the order in which they are asked."""


def _of_tables(day: DayAccounts, row: tuple[str, str, int, str, str]) -> None:
    debit, credit, cents, reason, note = row
    sides = dict((_name(credit), _name(debit)))
    table = next((sides[kind] for kind in NAMED_BY if sides.get(kind)), "")
    kinds = (_name(debit)[0], _name(credit)[0])
    name, sign = FIGURES.get((*kinds, reason), ("", 0))
    if name:
        figures = day.table(table)
        setattr(figures, name, getattr(figures, name) + sign * cents)
    settled = reason == "loss" or (reason == "return" and "void" not in note)
    if kinds[0] == "wagers" and settled and "progressive" not in note:
        day.table(table).staked += cents


def _of_drawers(day: DayAccounts, debit: str, credit: str, cents: int, reason: str) -> None:
    if reason in ("drawer_opened", "drawer_closed", "drawer_difference"):
        return
    (by, giver), (to, taker) = _name(debit), _name(credit)
    if by == "drawer":
        day.cash_in[giver] += cents
    if to == "drawer":
        day.cash_out[taker] += cents


def dollars(cents: int) -> str:
    """An amount as screens write it."""
    sign = MINUS if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"
