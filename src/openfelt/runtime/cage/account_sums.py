"""Balances that come from adding transfers up."""

from collections import defaultdict

from openfelt.ledger import Account, Transfer


class AccountSums:
    """What each account holds after some transfers; accounts at zero are not kept.

    >>> from openfelt.ledger import Reason
    >>> sums = AccountSums()
    >>> ann = Account.parse("wallet:ann")
    >>> deposit = Transfer(debit=Account.parse("cash"), credit=ann, cents=5, reason=Reason.DEPOSIT)
    >>> sums.add(deposit)
    >>> sums.cents[ann]
    5
    """

    def __init__(self) -> None:
        self.cents: dict[Account, int] = defaultdict(int)

    def add(self, transfer: Transfer) -> None:
        """Add a transfer to both of its accounts."""
        cents = transfer.cents
        for account, change in ((transfer.debit, -cents), (transfer.credit, cents)):
            self.cents[account] += change
            if not self.cents[account]:
                del self.cents[account]
