"""The significant events: all but those of ordinary play.

A new event is significant until it is named here, so none is left out by mistake.
"""

from typing import Final

STAFF: Final = ("floor:", "cashier:", "auditor:", "operator:")
"""Prefixes of actors who do not play, and whose business is not to deal."""

PLAYERS_OWN: Final = frozenset(
    {
        *("seat_taken", "seat_left", "bought_in", "collected", "deposited", "withdrawn"),
        *("voucher_issued", "voucher_redeemed", "account_opened", "decision_made", "wagers_set"),
    }
)
"""Actions of players for themselves; they are significant if staff acted for the player."""

ORDINARY: Final = frozenset(
    {
        # Decks, seeds and clocks.
        *("deck_committed", "seed_committed", "seeds_called", "seed_revealed", "seeds_fixed"),
        *("clock_started", "clock_stopped", "bank_declined"),
        # A round in which nothing went wrong.
        *("round_opened", "bets_closed", "card_dealt", "cards_turned", "antes_returned"),
        *("round_settled", "link_round_fed", "link_round_counted"),
        # Accounts in daily use.
        *("account_guest_stayed", "account_session_opened", "account_session_renewed"),
        *("account_session_ended", "account_device_remembered", "account_code_used"),
        *("account_passkey_used", "account_pin_used"),
    }
)
"""Events that are never significant."""


def is_significant(name: str, actor: str) -> bool:
    """Whether an event belongs to the log of significant events.

    >>> is_significant("rules_changed", "floor:sue"), is_significant("card_dealt", "dealer:dan")
    (True, False)
    >>> is_significant("withdrawn", "player:ann"), is_significant("withdrawn", "floor:sue")
    (False, True)
    """
    if name in PLAYERS_OWN:
        return actor.startswith(STAFF)
    return name not in ORDINARY
