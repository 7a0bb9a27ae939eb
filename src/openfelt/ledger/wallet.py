"""The events of a wallet: deposits from outside and withdrawals."""

from dataclasses import dataclass

from openfelt.ledger.accounts import Account, AccountKind
from openfelt.ledger.transfers import Reason, Transfer

_CASH = Account(AccountKind.CASH)


@dataclass(frozen=True, slots=True)
class Deposited:
    """Money has come in from outside."""

    player: str
    cents: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Money has been paid out."""

    player: str
    cents: int
    note: str = ""


WalletEvent = Deposited | Withdrawn


def wallet_transfer(event: WalletEvent) -> Transfer:
    """The transfer that an event of a wallet causes.

    >>> str(wallet_transfer(Withdrawn("alice", 500)).debit)
    'wallet:alice'
    """
    wallet = Account(AccountKind.WALLET, event.player)
    if isinstance(event, Deposited):
        debit, credit, reason = _CASH, wallet, Reason.DEPOSIT
    else:
        debit, credit, reason = wallet, _CASH, Reason.WITHDRAWAL
    return Transfer(debit=debit, credit=credit, cents=event.cents, reason=reason, note=event.note)
