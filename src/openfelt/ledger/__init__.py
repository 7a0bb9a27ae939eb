"""The ledger: double-entry bookkeeping in whole cents, append-only and pure."""

from openfelt.ledger.accounts import Account, AccountKind
from openfelt.ledger.book import (
    Book,
    LedgerCode,
    LedgerRefusal,
    StatementLine,
    TrialBalance,
    statement,
    trial_balance,
)
from openfelt.ledger.transfers import Reason, Transfer

__all__ = [
    "Account",
    "AccountKind",
    "Book",
    "LedgerCode",
    "LedgerRefusal",
    "Reason",
    "StatementLine",
    "Transfer",
    "TrialBalance",
    "statement",
    "trial_balance",
]
