"""The events of a voucher, its state after each of them, and the transfer that each causes.

A voucher is an account of the book. Its id is a keyed hash of its code, so neither the record nor
the book shows a code.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from openfelt.ledger.accounts import Account, AccountKind
from openfelt.ledger.transfers import Reason, Transfer

UNCLAIMED: Final = Account(AccountKind.UNCLAIMED, "vouchers")
"""The account to which vouchers expire."""


@dataclass(frozen=True, slots=True)
class VoucherIssued:
    """A voucher has been issued against money of a wallet, or cash in a drawer."""

    voucher: str
    cents: int
    source: str
    """The name of the account that has paid for it."""
    expires_ms: int
    """From then on it is not taken any more, in milliseconds since 1970, UTC."""


@dataclass(frozen=True, slots=True)
class VoucherRedeemed:
    """A voucher has been used: its amount has gone to a wallet, or was paid from a drawer."""

    voucher: str
    cents: int
    to: str
    """The name of the account that has taken it."""


@dataclass(frozen=True, slots=True)
class VoucherExpired:
    """A voucher was not used in time."""

    voucher: str
    cents: int


VoucherEvent = VoucherIssued | VoucherRedeemed | VoucherExpired


@dataclass(frozen=True, slots=True)
class VoucherKeyMade:
    """The house has a new key, from which the codes of its vouchers come."""

    number: int
    """The key is the secret ``codes/<number>``."""
    digest: str
    """A hash of the key, which shows if another one is in its place."""


class VoucherState(StrEnum):
    """The state of a voucher."""

    OPEN = "open"
    REDEEMED = "redeemed"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Voucher:
    """A voucher as its record has it."""

    id: str
    cents: int
    issued_ms: int
    expires_ms: int
    source: str
    state: VoucherState = VoucherState.OPEN
    ended_ms: int | None = None
    """When it was used or has expired."""
    to: str | None = None
    """The name of the account that has taken it."""

    def is_due(self, now_ms: int) -> bool:
        """Whether its time is over."""
        return now_ms >= self.expires_ms


def voucher_after(voucher: Voucher | None, event: VoucherEvent, at_ms: int) -> Voucher:
    """A voucher after an event; None before its first one."""
    match event:
        case VoucherIssued():
            return Voucher(
                id=event.voucher,
                cents=event.cents,
                issued_ms=at_ms,
                expires_ms=event.expires_ms,
                source=event.source,
            )
        case VoucherRedeemed():
            assert voucher is not None
            return replace(voucher, state=VoucherState.REDEEMED, ended_ms=at_ms, to=event.to)
        case VoucherExpired():
            assert voucher is not None
            return replace(voucher, state=VoucherState.EXPIRED, ended_ms=at_ms)


def voucher_account(voucher: str) -> Account:
    """The house's debt to the holder of a voucher.

    >>> str(voucher_account("5f0c"))
    'voucher:5f0c'
    """
    return Account(AccountKind.VOUCHER, voucher)


def voucher_transfer(event: VoucherEvent) -> Transfer:
    """The transfer that an event of a voucher causes.

    >>> str(voucher_transfer(VoucherRedeemed("5f0c", 500, "wallet:ann")).credit)
    'wallet:ann'
    """
    own = voucher_account(event.voucher)
    match event:
        case VoucherIssued():
            debit, credit, reason = Account.parse(event.source), own, Reason.VOUCHER_ISSUED
        case VoucherRedeemed():
            debit, credit, reason = own, Account.parse(event.to), Reason.VOUCHER_REDEEMED
        case VoucherExpired():
            debit, credit, reason = own, UNCLAIMED, Reason.VOUCHER_EXPIRED
    return Transfer(debit=debit, credit=credit, cents=event.cents, reason=reason)
