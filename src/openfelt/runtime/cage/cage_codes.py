"""Why the cage refuses a command."""

from enum import StrEnum


class CageCode(StrEnum):
    """Every code with which vouchers and drawers refuse a command."""

    VOUCHER_UNKNOWN = "voucher_unknown"
    """The code is mistyped, or no voucher of the house has it."""
    VOUCHER_USED = "voucher_used"
    VOUCHER_EXPIRED = "voucher_expired"
    WALLET_SHORT = "wallet_short"
    WALLET_EMPTY = "wallet_empty"
    DRAWER_OPEN = "drawer_open"
    DRAWER_CLOSED = "drawer_closed"
    DRAWER_NOT_YOURS = "drawer_not_yours"
    DRAWER_SHORT = "drawer_short"
    """The drawer holds too little cash for a payout."""
    DIFFERENCE_UNEXPLAINED = "difference_unexplained"
    """The count differs from the book, and there is no reason."""
    NEEDS_APPROVAL = "needs_approval"
    """The payout is above the limit."""
    BELOW_LIMIT = "below_limit"
    """The payout needs no approval."""
    NO_SUCH_PAYOUT = "no_such_payout"
    ALREADY_APPROVED = "already_approved"
    OWN_REQUEST = "own_request"
    """The person who has requested a payout may not approve it."""
