"""The forms of the cage: vouchers, drawers, and payouts that wait for a supervisor.

Every command carries an id of the caller's own, which makes it safe to send again. A code of a
voucher is only ever in a body, and never in an address, which servers and proxies log.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.protocol.form_fields import Taken, TypedName, TypedReason

CommandId = Annotated[str, StringConstraints(min_length=1, max_length=64)]
TypedVoucherCode = Annotated[str, StringConstraints(min_length=1, max_length=40)]
"""A code as it was typed or scanned, with or without dashes."""
PaidCents = Annotated[int, Field(gt=0, le=AMOUNT_MAX_CENTS)]
DENOMINATIONS_MAX = 40


class CageCommand(Taken):
    """The id of a command, which makes it safe to send again."""

    id: CommandId


# Vouchers --------------------------------------------------------------------------------


class VoucherOrder(CageCommand):
    """A voucher against the caller's wallet."""

    cents: PaidCents | None = None
    """The amount; by default the whole wallet."""


class VoucherUse(CageCommand):
    """A voucher that is used."""

    code: TypedVoucherCode


class VoucherCodeForm(Taken):
    """The code of a voucher that is looked up."""

    code: TypedVoucherCode


class VoucherView(BaseModel):
    """A voucher, without its code."""

    cents: int
    state: Literal["open", "redeemed", "expired"]
    issued_ms: int
    expires_ms: int
    ended_ms: int | None
    """When it was used or has expired."""
    source: str
    """The account that has paid for it."""
    to: str | None
    """The account that has taken it."""


class VoucherTicket(BaseModel):
    """A voucher for its holder, to be shown and printed."""

    code: str | None
    """In groups of four; null once the voucher is no longer open."""
    qr: str | None
    """The code as a QR code: a picture in a data address."""
    voucher: VoucherView
    wallet_cents: int | None = None
    """The rest of the wallet; null for a voucher that was sold for cash."""


class VoucherTaken(BaseModel):
    """A voucher that has been taken to the caller's wallet."""

    cents: int
    wallet_cents: int


# Drawers -----------------------------------------------------------------------------------


class CountLine(Taken):
    """How many pieces of one denomination were counted."""

    denomination_cents: Annotated[int, Field(gt=0, le=AMOUNT_MAX_CENTS)]
    pieces: Annotated[int, Field(ge=0, le=1_000_000)]


CountLines = Annotated[list[CountLine], Field(max_length=DENOMINATIONS_MAX)]


class DrawerOpening(CageCommand):
    """The float of a drawer, as it was counted."""

    count: CountLines


class DrawerClosing(CageCommand):
    """The cash of a drawer, as it was counted."""

    count: CountLines
    reason: TypedReason | None = None
    """Why the count differs from the book."""


class CashForm(CageCommand):
    """Cash that is paid in to a player's account, or out of it."""

    player: TypedName
    """The name of the account, or the name at tables."""
    cents: PaidCents
    note: TypedReason | None = None


class VoucherSale(CageCommand):
    """A voucher that is sold for cash."""

    cents: PaidCents


class PayoutRequest(CageCommand):
    """A payout above the limit: of a player's account, or of a voucher."""

    player: TypedName | None = None
    cents: PaidCents | None = None
    code: TypedVoucherCode | None = None
    note: TypedReason | None = None


class PayoutRefusal(CageCommand):
    """Why a payout is not made."""

    reason: TypedReason


class PayoutView(BaseModel):
    """A payout above the limit that is not paid yet."""

    number: int
    cents: int
    player: str | None
    """The account that is paid out; null for a voucher."""
    by: str
    at_ms: int
    note: str
    state: Literal["waiting", "approved"]
    approved_by: str | None


class DrawerView(BaseModel):
    """A drawer of the cage."""

    drawer: str
    cashier: str | None
    """The cashier who has opened it; null while it is closed."""
    opened_ms: int | None
    limit_cents: int
    """Payouts above this amount need a supervisor, as it was when the drawer was opened."""
    cents: int
    """The cash that it must hold."""
    opening_cents: int
    cash_in_cents: int
    cash_out_cents: int
    vouchers_sold_cents: int
    vouchers_cashed_cents: int
    payouts: list[PayoutView]


class ClosedDrawerView(BaseModel):
    """A drawer from its opening to its closing, for the cashier whose it was."""

    drawer: str
    opened_ms: int
    closed_ms: int
    cents: int
    """The cash that it had to hold."""
    opening_cents: int
    cash_in_cents: int
    cash_out_cents: int
    vouchers_sold_cents: int
    vouchers_cashed_cents: int
    counted_cents: int
    difference_cents: int
    """The count less what it had to hold."""
    reason: str
    """Why the count differed; empty if it did not."""


class LastDrawerView(BaseModel):
    """The drawer that the caller has had open last."""

    drawer: ClosedDrawerView | None
    """Null if the caller has not closed a drawer, or closed it too long ago."""


class CageView(BaseModel):
    """The cage at one moment."""

    drawers: list[DrawerView]
    limit_cents: int
    """Payouts above this amount need a supervisor, at drawers that are opened from now on."""
    vouchers_open: int
    vouchers_cents: int
    """The house's debt to the holders of open vouchers."""
    unclaimed_cents: int
    """The value of expired vouchers."""


class WalletView(BaseModel):
    """The account of a player at the window."""

    player: str
    """The name at tables and in statements."""
    wallet_cents: int
    barred: bool


# Cash thresholds ---------------------------------------------------------------------------


class CashEntryView(BaseModel):
    """One payment of cash at a window."""

    at_ms: int
    drawer: str
    cents: int
    way: Literal["in", "out"]


class PersonCashView(BaseModel):
    """The cash of one person on the day; in and out are added up alone, and never netted."""

    player: str | None
    """Null for a voucher, which names no person: the cashier finds out whose it was."""
    in_cents: int
    out_cents: int
    logged: bool
    """Whether the multiple transaction log has it."""
    reported: bool
    """Whether a currency transaction report is due."""
    entries: list[CashEntryView]


class CashThresholdsView(BaseModel):
    """All people who have reached a cash threshold on the day, the largest sums first."""

    day: str
    """The gaming day in UTC, such as 2026-01-01."""
    log_cents: int
    """A person is logged from this sum on; 0 means never."""
    report_cents: int
    """A report is due above this sum; 0 means never."""
    people: list[PersonCashView]
