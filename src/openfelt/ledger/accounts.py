"""The accounts of a casino floor, and which of them may be overdrawn."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class AccountKind(StrEnum):
    """The content of an account. Every cent in the house is in exactly one account."""

    CASH = "cash"
    """The outside world: deposits come from here, withdrawals go here."""
    WALLET = "wallet"
    """A player's money that is at no table."""
    CREDIT = "credit"
    """A seat's buy-in at one table; only that table's worker touches it."""
    WAGERS = "wagers"
    """The wagers on the felt in one round; nothing once the round is over."""
    HOUSE = "house"
    """The house's bank."""
    BANKER = "banker"
    """A player/dealer's bank wager of one round."""
    METER = "meter"
    """A progressive's meter, in whole cents; its fraction of a cent is the link's to carry."""
    RESERVE = "reserve"
    """The backing of a progressive's fixed awards and Envy; a negative balance is lent by the
    house. ``reserve:`` with a link and ``/`` and a table is what that table has fed to the link and
    the link has not counted yet."""
    TIPS = "tips"
    """The winnings of wagers for the dealer."""
    DROP = "drop"
    """Collections of tables whose players bank."""
    VOUCHER = "voucher"
    """The house's debt to the holder of one voucher; nothing once it is used or has expired."""
    DRAWER = "drawer"
    """The cash in a cashier's drawer, which is a part of the house's cash: a drawer that holds $500
    has a balance of -$500."""
    TRAY = "tray"
    """The chips in the tray of a live table, at their worth; like a drawer, a tray that holds $500
    has a balance of -$500."""
    CHIPS = "chips"
    """Chips of the house that are in no tray: ``chips`` is the chip bank, whose balance is what it
    has given out; ``chips:`` and a table what has gone from its tray into play, by its record, and
    ``chips:`` with a table and ``/moved`` what is on its way."""
    UNCLAIMED = "unclaimed"
    """The value of expired vouchers, until the operator decides as the law of the place says."""

    @property
    def may_owe(self) -> bool:
        """Whether the balance may be negative: never for players or dealers."""
        return self in _MAY_OWE


_MAY_OWE: Final = frozenset(
    {
        AccountKind.CASH,
        AccountKind.HOUSE,
        AccountKind.RESERVE,
        AccountKind.DRAWER,
        AccountKind.TRAY,
        AccountKind.CHIPS,
    }
)


@dataclass(frozen=True, slots=True, order=True)
class Account:
    """One account, named by its kind and its owner.

    >>> str(Account(AccountKind.WALLET, "alice")), str(Account(AccountKind.CASH))
    ('wallet:alice', 'cash')
    >>> Account.parse("credit:table-7/3")
    Account(kind=<AccountKind.CREDIT: 'credit'>, owner='table-7/3')
    """

    kind: AccountKind
    owner: str = ""

    def __hash__(self) -> int:
        """The owner alone nearly always distinguishes accounts, and strings cache their hash."""
        return hash(self.owner)

    def __str__(self) -> str:
        return f"{self.kind._value_}:{self.owner}" if self.owner else self.kind._value_

    @classmethod
    def parse(cls, text: str) -> "Account":
        """The account of this name; raises ValueError for an invalid name."""
        kind, _, owner = text.partition(":")
        return cls(AccountKind(kind), owner)


def feed_account(link: str, table: str) -> Account:
    """The account of a table at its progressive link: what the link has not counted yet.

    >>> str(feed_account("main", "stadium-1"))
    'reserve:main/stadium-1'
    """
    return Account(AccountKind.RESERVE, f"{link}/{table}")
