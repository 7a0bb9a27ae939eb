"""Transfers of whole cents from one account to another, each with a reason."""

from dataclasses import dataclass
from enum import StrEnum

from openfelt.ledger.accounts import Account
from openfelt.money import AMOUNT_MAX_CENTS


class Reason(StrEnum):
    """Why money moves."""

    DEPOSIT = "deposit"
    WITHDRAWAL = "withdrawal"
    BUY_IN = "buy_in"
    COLLECT = "collect"
    WAGER = "wager"
    WAGER_WITHDRAWN = "wager_withdrawn"
    RETURN = "return"
    """A stake is returned: the wager won, pushed, or was not in action."""
    LOSS = "loss"
    PAYOUT = "payout"
    TIP = "tip"
    BANK_WAGER = "bank_wager"
    BANK_RETURN = "bank_return"
    COLLECTION = "collection"
    COLLECTION_RETURNED = "collection_returned"
    """A collection is returned: its round was void."""
    CONTRIBUTION = "contribution"
    SEED = "seed"
    RETIREMENT = "retirement"
    """The money of a progressive link when it was retired."""
    AWARD = "award"
    ENVY = "envy"
    VOUCHER_ISSUED = "voucher_issued"
    VOUCHER_REDEEMED = "voucher_redeemed"
    VOUCHER_EXPIRED = "voucher_expired"
    """A voucher was not used in time; what it was worth is set aside."""
    DRAWER_OPENED = "drawer_opened"
    DRAWER_CLOSED = "drawer_closed"
    DRAWER_DIFFERENCE = "drawer_difference"
    """The count at closing differs from the book: the house loses what is short, and keeps what is
    over."""
    TRAY_OPENED = "tray_opened"
    """The chips of a tray that is counted for the first time come from the chip bank."""
    TRAY_PLAY = "tray_play"
    """The effect of play on the chips of a tray since its last count, by the table's record."""
    TRAY_DIFFERENCE = "tray_difference"
    """The count of a tray differs from the book: the house loses what is short, and keeps what is
    over."""
    FILL = "fill"
    CREDIT = "credit"
    CORRECTION = "correction"
    """A mistake is corrected by a second transfer; nothing is ever removed from the book."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """A movement of money: from the debit account to the credit account."""

    debit: Account
    credit: Account
    cents: int
    reason: Reason
    round: str | None = None
    """The round it comes from, such as ``stadium-1/31``."""
    clause: str | None = None
    """The clause of the rules it follows."""
    note: str = ""


def amounts_of(cents: int) -> tuple[int, ...]:
    """The amounts of the transfers that move so many cents: one, unless that is too large for one.

    >>> amounts_of(500), amounts_of(0), amounts_of(2 * AMOUNT_MAX_CENTS + 7)
    ((500,), (), (1000000000000, 1000000000000, 7))
    """
    if cents <= AMOUNT_MAX_CENTS:
        # The book refuses an amount below zero.
        return (cents,) if cents else ()
    full_amounts, rest = divmod(cents, AMOUNT_MAX_CENTS)
    return (*(AMOUNT_MAX_CENTS,) * full_amounts, *((rest,) if rest else ()))
