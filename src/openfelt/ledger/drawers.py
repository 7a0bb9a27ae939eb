"""The events of a cashier's drawer, its state after each of them, and the transfers they cause.

The cash in drawers is a part of the house's cash. Opening a drawer moves its counted float there
from the vault, closing it moves the counted cash back, and what the count lacks or has too much is
a loss or a gain of the house, with a reason.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from openfelt.ledger.accounts import Account, AccountKind
from openfelt.ledger.counts import Count, counted_cents, moved, moved_either_way
from openfelt.ledger.transfers import Reason, Transfer

VAULT: Final = Account(AccountKind.CASH)
"""The cash of the house that is in no drawer."""
CAGE: Final = Account(AccountKind.HOUSE, "cage")
"""The house's account for differences of drawers."""


# Events ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DrawerOpened:
    """A cashier has counted the float and opened the drawer."""

    drawer: str
    cashier: str
    count: Count
    limit_cents: int
    """Until it is closed, a payout above this amount needs a supervisor."""


@dataclass(frozen=True, slots=True)
class CashTaken:
    """A player has paid cash in, to a wallet."""

    drawer: str
    player: str
    cents: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class CashPaid:
    """A player was paid cash from a wallet."""

    drawer: str
    player: str
    cents: int
    note: str = ""
    request: int | None = None
    """The approved request, for a payout above the limit."""


@dataclass(frozen=True, slots=True)
class VoucherSold:
    """A voucher was sold for cash. The voucher's own record moves the money."""

    drawer: str
    voucher: str
    cents: int


@dataclass(frozen=True, slots=True)
class VoucherCashed:
    """A voucher was paid in cash. The voucher's own record moves the money."""

    drawer: str
    voucher: str
    cents: int
    request: int | None = None


@dataclass(frozen=True, slots=True)
class PayoutRequested:
    """A payout above the limit waits for a supervisor: of a wallet, or of a voucher."""

    number: int
    cents: int
    by: str
    player: str | None = None
    voucher: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class PayoutApproved:
    """A supervisor has approved a payout."""

    number: int
    by: str


@dataclass(frozen=True, slots=True)
class PayoutRejected:
    """A supervisor has rejected a payout, or the cashier has withdrawn the request."""

    number: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class DrawerClosed:
    """The cash has been counted and goes back to the vault. Payouts that still wait lapse."""

    drawer: str
    by: str
    count: Count
    difference_cents: int
    """The count less what the book has; negative if cash is short."""
    reason: str = ""


DrawerEvent = (
    DrawerOpened
    | CashTaken
    | CashPaid
    | VoucherSold
    | VoucherCashed
    | PayoutRequested
    | PayoutApproved
    | PayoutRejected
    | DrawerClosed
)


# State -----------------------------------------------------------------------------


class PayoutState(StrEnum):
    """The state of a payout request."""

    WAITING = "waiting"
    APPROVED = "approved"


@dataclass(frozen=True, slots=True)
class Payout:
    """A payout above the limit that is not paid yet."""

    request: PayoutRequested
    at_ms: int
    state: PayoutState = PayoutState.WAITING
    approved_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawerSums:
    """The movements of a drawer since it was opened, in cents."""

    opening: int = 0
    cash_in: int = 0
    cash_out: int = 0
    vouchers_sold: int = 0
    vouchers_cashed: int = 0

    @property
    def cents(self) -> int:
        """The amount that the drawer must hold."""
        came = self.opening + self.cash_in + self.vouchers_sold
        return came - self.cash_out - self.vouchers_cashed


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawer:
    """A drawer as its record has it."""

    id: str
    cashier: str | None = None
    """The cashier who has opened it, None while it is closed."""
    opened_ms: int = 0
    limit_cents: int = 0
    """The limit since it was opened, above which a payout needs a supervisor."""
    sums: DrawerSums = DrawerSums()
    payouts: Mapping[int, Payout] = field(default_factory=dict)
    """Payouts above the limit that are not paid yet, by number."""
    requests: int = 0
    """How many payouts were ever requested; they are numbered without gaps."""

    @property
    def cents(self) -> int:
        """The cash that it must hold."""
        return self.sums.cents


def drawer_after(drawer: Drawer, event: DrawerEvent, at_ms: int) -> Drawer:
    """A drawer after an event."""
    sums = drawer.sums
    match event:
        case DrawerOpened():
            return replace(
                drawer,
                cashier=event.cashier,
                opened_ms=at_ms,
                limit_cents=event.limit_cents,
                sums=DrawerSums(opening=counted_cents(event.count)),
            )
        case DrawerClosed():
            return Drawer(id=drawer.id, requests=drawer.requests)
        case CashTaken():
            return replace(drawer, sums=replace(sums, cash_in=sums.cash_in + event.cents))
        case VoucherSold():
            sold = sums.vouchers_sold + event.cents
            return replace(drawer, sums=replace(sums, vouchers_sold=sold))
        case CashPaid():
            paid = replace(sums, cash_out=sums.cash_out + event.cents)
            return _without(replace(drawer, sums=paid), event.request)
        case VoucherCashed():
            paid = replace(sums, vouchers_cashed=sums.vouchers_cashed + event.cents)
            return _without(replace(drawer, sums=paid), event.request)
        case PayoutRejected():
            return _without(drawer, event.number)
        case PayoutRequested():
            payouts = {**drawer.payouts, event.number: Payout(event, at_ms)}
            return replace(drawer, payouts=payouts, requests=event.number)
        case PayoutApproved():
            approved = replace(
                drawer.payouts[event.number], state=PayoutState.APPROVED, approved_by=event.by
            )
            return replace(drawer, payouts={**drawer.payouts, event.number: approved})


def _without(drawer: Drawer, request: int | None) -> Drawer:
    """The drawer without a payout that no longer waits."""
    if request is None:
        return drawer
    left = {number: payout for number, payout in drawer.payouts.items() if number != request}
    return replace(drawer, payouts=left)


# Money -----------------------------------------------------------------------------


def drawer_account(drawer: str) -> Account:
    """The cash in a drawer.

    >>> str(drawer_account("window-1"))
    'drawer:window-1'
    """
    return Account(AccountKind.DRAWER, drawer)


def drawer_transfers(drawer: Drawer, event: DrawerEvent) -> tuple[Transfer, ...]:
    """The transfers that an event causes, given the drawer as it was before.

    Cash that comes to a drawer is a debit of it, as of the house's cash.
    """
    own = drawer_account(drawer.id)
    match event:
        case DrawerOpened():
            return moved(own, VAULT, counted_cents(event.count), Reason.DRAWER_OPENED)
        case CashTaken():
            wallet = Account(AccountKind.WALLET, event.player)
            return moved(own, wallet, event.cents, Reason.DEPOSIT, event.note)
        case CashPaid():
            wallet = Account(AccountKind.WALLET, event.player)
            return moved(wallet, own, event.cents, Reason.WITHDRAWAL, event.note)
        case DrawerClosed():
            return (
                *moved(VAULT, own, counted_cents(event.count), Reason.DRAWER_CLOSED),
                *moved_either_way(
                    own, CAGE, event.difference_cents, Reason.DRAWER_DIFFERENCE, event.reason
                ),
            )
        case _:
            return ()
