"""The object of an event, where a record is about several: a terminal, a seat, an alert.

The values before an event are those that earlier events of the same object have set. Two objects of
one record may change in turn, and have separate histories.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

_TOLD_ONCE: Final = frozenset({"by", "reason", "note", "why", "because", "before"})
"""Fields that belong to one event alone: who has acted and why. An event with a field ``before``
gives the earlier value itself."""


@dataclass(frozen=True, slots=True)
class ObjectKind:
    """A kind of object: the events about it, and the fields that distinguish two of them."""

    events: frozenset[str]
    keys: tuple[str, ...] = ()
    """Empty where a record has one object of this kind."""

    def key(self, fields: Mapping[str, Any]) -> tuple[str, ...]:
        """Which object an event with these fields is about."""
        return tuple(repr(fields.get(name)) for name in self.keys)

    def values(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The values that an event has set on its object."""
        apart = {*self.keys, *_TOLD_ONCE}
        return {name: value for name, value in fields.items() if name not in apart}


def _kind(events: str, *keys: str) -> ObjectKind:
    return ObjectKind(frozenset(events.split()), keys)


KINDS: Final = (
    # A table as a whole.
    _kind("table_opened rules_changed clock_changed link_changed"),
    _kind("link_change_announced link_kept"),
    _kind("closing_announced table_closed pause_announced table_paused table_reopened"),
    _kind("dealer_changed"),
    _kind("act_approved", "act"),
    # Its seats, hands and cards.
    _kind("seat_taken seat_left", "seat"),
    _kind("bought_in collected", "seat"),
    _kind("absence_noted", "seat"),
    _kind("bank_declined", "seat"),
    _kind("seed_committed seed_revealed", "seat"),
    _kind("wagers_set", "spot"),
    _kind("decision_made", "spot"),
    _kind("card_dealt card_corrected", "place"),
    _kind("deck_committed", "deck"),
    _kind("irregularity_declared", "spot"),
    # What is counted and put right there.
    _kind("adjustment_proposed adjustment_made adjustment_rejected", "number"),
    _kind("mispayment_reported mispayment_resolved", "number"),
    _kind("felt_counted felt_matched", "round"),
    _kind("stub_counted", "round"),
    _kind("round_opened", "number"),
    # Links.
    _kind("link_opened link_rates_changed"),
    _kind("link_table_joined link_table_left", "table"),
    _kind("link_round_counted", "table"),
    _kind("link_paused link_resumed link_retired"),
    _kind("link_received", "link"),
    # The cage.
    _kind("drawer_opened drawer_closed"),
    _kind("drawer_cash_taken drawer_cash_paid", "player"),
    _kind("drawer_voucher_sold drawer_voucher_cashed", "voucher"),
    _kind("payout_requested payout_approved payout_rejected", "number"),
    _kind("deposited withdrawn", "player"),
    _kind("voucher_issued voucher_redeemed voucher_expired", "voucher"),
    _kind("voucher_key_made", "number"),
    _kind("tray_counted tray_count_dropped tray_opened tray_closed"),
    _kind("chips_requested chips_given chips_received chips_refused", "number"),
    _kind("slip_made", "number"),
    # People and devices.
    _kind("account_opened account_role_given"),
    _kind("account_barred account_admitted"),
    _kind("account_public_name_given"),
    _kind("account_password_set account_password_expired"),
    _kind("account_pin_set account_pin_removed"),
    _kind("account_second_factor_set account_second_factor_removed"),
    _kind(
        "account_passkey_added account_passkey_used account_passkey_doubted "
        "account_passkey_removed",
        "passkey",
    ),
    _kind("account_session_opened account_session_renewed account_session_ended", "session"),
    _kind("account_device_remembered", "device"),
    _kind("account_code_used"),
    _kind("account_recovery_code_used", "code"),
    _kind("account_guest_stayed", "account"),
    _kind("terminal_enrolled terminal_renamed terminal_state_set terminal_dismissed", "terminal"),
    _kind("badge_given badge_withdrawn", "badge"),
    _kind("reader_issued reader_revoked", "reader"),
    _kind("dealer_signed_on dealer_signed_off"),
    _kind("player_limit_set", "side", "kind", "period"),
    _kind("player_excluded", "player"),
    _kind("player_play_reserved", "table"),
    # The record itself.
    _kind("alert_raised alert_seen alert_closed", "number"),
    _kind("dispute_decided"),
    _kind("decks_purged", "table"),
    _kind("proofs_dropped", "table"),
    _kind("key_declared_lost", "key"),
    _kind("record_read", "kind", "subject"),
    _kind("record_verified", "full"),
    _kind("segment_shipped", "copy"),
    _kind("history_archived history_returned", "number"),
    _kind("software_checked"),
    _kind("house_files_accepted"),
    _kind("house_files_changed"),
)

_KIND_OF: Final = {name: kind for kind in KINDS for name in kind.events}


def kind_of_event(name: str) -> ObjectKind | None:
    """The kind of object that an event is about; None for an object without a history.

    >>> kind_of_event("terminal_renamed").key({"terminal": "t-1", "label": "Left"})
    ("'t-1'",)
    """
    return _KIND_OF.get(name)
