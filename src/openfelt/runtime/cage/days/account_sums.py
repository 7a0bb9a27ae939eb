"""Balances that come from adding transfers up."""

from collections import defaultdict
from collections.abc import Mapping

from openfelt.ledger import Account, Transfer


class AccountSums:
    """The balances of accounts after some transfers; accounts at zero are omitted.

    >>> from openfelt.ledger import Reason
    >>> sums = AccountSums()
    >>> ann = Account.parse("wallet:ann")
    >>> deposit = Transfer(debit=Account.parse("cash"), credit=ann, cents=5, reason=Reason.DEPOSIT)
    >>> sums.add(deposit)
    >>> sums.cents[ann]
    5
    """

    def __init__(self, opening: Mapping[Account, int] | None = None) -> None:
        """``opening`` is what accounts hold before the transfers."""
        self.cents: dict[Account, int] = defaultdict(int, opening or {})

    def add(self, transfer: Transfer) -> None:
        """Add a transfer to both of its accounts."""
        self._move(transfer, transfer.cents)

    def take_back(self, transfer: Transfer) -> None:
        """Undo a transfer."""
        self._move(transfer, -transfer.cents)

    def _move(self, transfer: Transfer, cents: int) -> None:
        for account, change in ((transfer.debit, -cents), (transfer.credit, cents)):
            self.cents[account] += change
            if not self.cents[account]:
                del self.cents[account]
