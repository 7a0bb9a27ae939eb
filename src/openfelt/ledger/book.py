"""The book: balances that change only by transfers, each with a debit and a credit.

After every posting all accounts add up to zero, and no player's account is overdrawn. A
posting is accepted whole or not at all.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from openfelt.ledger.accounts import Account, AccountKind
from openfelt.ledger.transfers import Transfer
from openfelt.money import AMOUNT_MAX_CENTS, format_cents


class LedgerCode(StrEnum):
    """Every code with which the book refuses a posting."""

    NOT_WHOLE_CENTS = "not_whole_cents"
    SAME_ACCOUNT = "same_account"
    TOO_LARGE = "too_large"
    NOT_ENOUGH = "not_enough"


class LedgerRefusal(Exception):
    """The book refuses a posting; no balance has changed."""

    def __init__(self, code: LedgerCode, sentence: str) -> None:
        super().__init__(code, sentence)
        self.code = code
        self.sentence = sentence

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Book:
    """All balances at one moment. Posting gives a new book.

    >>> from openfelt.ledger import Reason
    >>> cash, wallet = Account(AccountKind.CASH), Account(AccountKind.WALLET, "alice")
    >>> deposit = Transfer(debit=cash, credit=wallet, cents=5000, reason=Reason.DEPOSIT)
    >>> book = Book().post([deposit])
    >>> book.balance(wallet), book.balance(cash)
    (5000, -5000)
    """

    balances: Mapping[Account, int] = field(default_factory=dict)
    """In cents; missing accounts are at zero."""

    def balance(self, account: Account) -> int:
        """The balance of an account, in cents."""
        return self.balances.get(account, 0)

    def post(self, transfers: Iterable[Transfer]) -> "Book":
        """The book after these transfers, all of them or none.

        Raises LedgerRefusal. Only the final balances count: within one posting an account may
        be debited before it is credited.
        """
        changed = changes(transfers)
        for account, change in changed.items():
            left = self.balance(account) + change
            if left < 0 and change < 0 and not account.kind.may_owe:
                raise LedgerRefusal(
                    LedgerCode.NOT_ENOUGH,
                    f"{account} holds {format_cents(self.balance(account))}, "
                    f"which is {format_cents(-left)} too little.",
                )
        after = dict(self.balances)
        for account, change in changed.items():
            after[account] = self.balance(account) + change
        return Book(after)


def changes(transfers: Iterable[Transfer]) -> dict[Account, int]:
    """The changes of a posting by account; they add up to zero. Raises LedgerRefusal."""
    changed: dict[Account, int] = {}
    # A settlement names few accounts many times, mostly by the same object: that is quick to find.
    accounts: dict[int, Account] = {}
    cents: dict[int, int] = {}
    for transfer in transfers:
        debit, credit, moved = transfer.debit, transfer.credit, transfer.cents
        same_account = debit.owner == credit.owner and debit == credit
        if type(moved) is not int or not 0 < moved <= AMOUNT_MAX_CENTS or same_account:
            raise _refusal(transfer)
        same = id(debit)
        if same in cents:
            cents[same] -= moved
        else:
            accounts[same], cents[same] = debit, -moved
        same = id(credit)
        if same in cents:
            cents[same] += moved
        else:
            accounts[same], cents[same] = credit, moved
    for same, account in accounts.items():
        changed[account] = changed.get(account, 0) + cents[same]
    return changed


def _refusal(transfer: Transfer) -> LedgerRefusal:
    """Why a transfer is invalid: not whole cents, not above zero, or to the same account."""
    cents = transfer.cents
    if type(cents) is not int or cents <= 0:
        return LedgerRefusal(
            LedgerCode.NOT_WHOLE_CENTS,
            f"A transfer must move a whole number of cents above zero, not {cents!r}.",
        )
    if cents > AMOUNT_MAX_CENTS:
        return LedgerRefusal(
            LedgerCode.TOO_LARGE,
            f"A transfer may move at most {format_cents(AMOUNT_MAX_CENTS)}.",
        )
    return LedgerRefusal(
        LedgerCode.SAME_ACCOUNT, f"A transfer must name two accounts, not {transfer.debit} twice."
    )


# Reading the book ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One transfer as an account sees it."""

    transfer: Transfer
    change_cents: int
    balance_cents: int
    """The balance of the account afterwards."""


def statement(account: Account, transfers: Iterable[Transfer]) -> tuple[StatementLine, ...]:
    """The statement of one account, from all transfers in order."""
    lines = []
    balance = 0
    for transfer in transfers:
        change = transfer.cents * ((transfer.credit == account) - (transfer.debit == account))
        if change:
            balance += change
            lines.append(StatementLine(transfer, change, balance))
    return tuple(lines)


@dataclass(frozen=True, slots=True)
class TrialBalance:
    """The book added up, as an accountant checks it."""

    by_kind: Mapping[AccountKind, int]
    overdrawn: tuple[Account, ...]
    """Overdrawn accounts that must not be."""

    @property
    def total_cents(self) -> int:
        """The sum of all accounts: zero, unless chips have been lost."""
        return sum(self.by_kind.values())

    @property
    def balanced(self) -> bool:
        """Whether the sum is zero and no account is overdrawn."""
        return self.total_cents == 0 and not self.overdrawn


def trial_balance(book: Book) -> TrialBalance:
    """Add the book up.

    >>> trial_balance(Book()).balanced
    True
    """
    by_kind = dict.fromkeys(AccountKind, 0)
    for account, cents in book.balances.items():
        by_kind[account.kind] += cents
    overdrawn = tuple(
        sorted(
            account
            for account, cents in book.balances.items()
            if cents < 0 and not account.kind.may_owe
        )
    )
    return TrialBalance(by_kind, overdrawn)
