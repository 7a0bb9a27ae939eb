"""The part of the door to storage that leads to money: balances and transfers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from openfelt.ledger import Account, Transfer
from openfelt.storage.balances.transfer_terms import TransferRange, TransferSearch
from openfelt.storage.errors import Damage

FIRST_NUMBER = -(2**63)
LAST_NUMBER = 2**63 - 1
"""The smallest and the largest number that a column holds."""
NUMBER_END = 2**62
"""Openfelt gives no transfer a number this large. A row with such a number is left out, so that
numbers do not run out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTransfer:
    """A transfer as it is stored, with the event that caused it."""

    number: int
    """Increases with every transfer in the whole store."""
    stream: str
    version: int
    at_ms: int
    transfer: Transfer


class BalanceDoor(Protocol):
    """The part of every store's interface that concerns money. All calls block."""

    def balance(self, account: Account) -> int:
        """The balance of an account, in cents."""
        ...

    def balances(self, prefix: str = "", *, damage: Damage | None = None) -> dict[Account, int]:
        """The balances of all accounts whose names have this prefix; zeros may be left out."""
        ...

    def held(self, prefix: str) -> tuple[int, int]:
        """How many accounts whose names have this prefix are not at zero, and what they hold.

        The database counts them, so no account is read one by one.
        """
        ...

    def transfers(
        self,
        *,
        account: Account | None = None,
        stream: str | None = None,
        after: int = 0,
        damage: Damage | None = None,
    ) -> Iterator[StoredTransfer]:
        """Transfers after a number in order, of one account or one stream if given."""
        ...

    def transfers_between(self, start_ms: int, end_ms: int) -> Iterator[StoredTransfer]:
        """The transfers in a half-open time interval, by time."""
        ...

    def latest_transfers(
        self, account: Account, *, before: int = LAST_NUMBER
    ) -> Iterator[StoredTransfer]:
        """The transfers of an account before a number, the newest first."""
        ...

    def sum_transfers(self, part: TransferRange, search: TransferSearch) -> tuple[int, int]:
        """How many transfers of a part match the search, and their signed sum.

        The database adds them up, so none is read one by one.
        """
        ...

    def list_transfers(
        self, part: TransferRange, search: TransferSearch, *, before: int = LAST_NUMBER
    ) -> Iterator[StoredTransfer]:
        """The transfers of a part before a number that match the search, the newest first."""
        ...

    def check_numbers(self) -> None:
        """Log a transfer with a number that Openfelt does not give; it is left out of the book."""
        ...

    def book(self) -> tuple[int, dict[Account, int]]:
        """The number of the last transfer and all balances but zeros, at one moment."""
        ...
