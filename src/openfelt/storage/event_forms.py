"""The public names and schema versions of all events, and how old events are upgraded.

A name never changes and is never reused. When the form of an event changes, its version is
increased, and an upcaster is added that turns the plain values of the version before into those
of the new one. Event classes may be renamed freely, because the store does not know them. The
names of an event's fields are stored, and so are the names of classes in a union, such as
decisions; the golden events in the tests fail when one of these changes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from openfelt.cards import UNKNOWN_CARD
from openfelt.ledger import Transfer, drawers, play_limits, trays, vouchers, wallet
from openfelt.ledger.day_close import DayClosed
from openfelt.ledger.takings import TakingsCounted
from openfelt.record_events import alert_events, dispute_events
from openfelt.record_events.archive_events import HistoryArchived, HistoryReturned
from openfelt.record_events.floor_checkpoint_events import FloorCheckpointed
from openfelt.record_events.lost_key_events import KeyDeclaredLost
from openfelt.record_events.purge_events import DecksPurged, ProofsDropped
from openfelt.record_events.reading_events import RecordRead
from openfelt.record_events.shipment_events import SegmentShipped
from openfelt.record_events.verification_events import RecordVerified
from openfelt.rules import round_events as rounds
from openfelt.rules.decisions import Hold
from openfelt.rules.quick_replace import maker
from openfelt.storage.codec import Codec, CodecError, read_json
from openfelt.storage.door import (
    Cause,
    Irrecoverable,
    NewEvent,
    Store,
    StoredEvent,
    StoreError,
)
from openfelt.storage.shown_names import shown as shown_name
from openfelt.storage.streams.time_corrections import ClockCorrected
from openfelt.table import changes, dealer_events, events, incidents
from openfelt.table.links import link_events

ROUND_OPENED: Final = "round_opened"
ROUND_SETTLED: Final = "round_settled"
ROUND_VOIDED: Final = "round_voided"
ROUND_ENDS: Final = frozenset({ROUND_SETTLED, ROUND_VOIDED})
"""The names of the events that begin and end a round, for those who find rounds by them."""

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""Turns the plain values of one version of an event into those of the next."""


ShownPart = Callable[[int], str | None]
"""Returns what an event hid, by its version, if it was shown in the end; otherwise None."""


def _nothing_shown(_: int) -> None:
    return None


@dataclass(frozen=True, slots=True)
class EventForm:
    """The stored form of one event."""

    kind: type
    schema: int = 1
    upcasters: Mapping[int, Upcaster] = field(default_factory=dict)
    """By the version that each reads."""
    hidden: Callable[[Any], bool] = field(default=lambda _: False)
    """Whether an event names a hidden card, so that a part is encrypted."""
    hidden_fields: Mapping[str, Any] = field(default_factory=dict)
    """The fields that are encrypted then, with the plain values that replace them once they can no
    longer be read."""


def _tips_of_old_dealers(plain: dict[str, Any]) -> dict[str, Any]:
    """Before version 2, the tips of a round went to the dealer who had signed on last."""
    return plain | {"tips_stay": False}


def _without_feed(plain: dict[str, Any]) -> dict[str, Any]:
    """Before version 2, progressive wagers went to the link itself."""
    return plain | {"feeds": False}


def _as_before(plain: dict[str, Any]) -> dict[str, Any]:
    """The next version only has values that an older Openfelt does not know."""
    return plain


_NO_CARD: Final = {"card": str(UNKNOWN_CARD)}
_NO_HOLD: Final = {"decision": {"kind": "hold", "cards": [str(UNKNOWN_CARD)]}}

EVENT_FORMS: Final[Mapping[str, EventForm]] = {
    # A table.
    "table_opened": EventForm(events.TableOpened),
    "rules_changed": EventForm(changes.RulesChanged, 2, {1: _as_before}),
    "clock_changed": EventForm(changes.ClockChanged),
    "link_change_announced": EventForm(changes.LinkChangeAnnounced),
    "link_kept": EventForm(changes.LinkKept),
    "link_changed": EventForm(changes.LinkChanged, 2, {1: _as_before}),
    "dealer_changed": EventForm(events.DealerChanged, 2, {1: _tips_of_old_dealers}),
    "absence_noted": EventForm(events.AbsenceNoted),
    "act_approved": EventForm(events.ActApproved),
    "bets_reopened": EventForm(events.BetsReopened),
    "closing_announced": EventForm(events.ClosingAnnounced),
    "table_closed": EventForm(events.TableClosed),
    "pause_announced": EventForm(events.PauseAnnounced),
    "table_paused": EventForm(events.TablePaused),
    "table_reopened": EventForm(events.TableReopened),
    "seat_taken": EventForm(events.SeatTaken),
    "seat_left": EventForm(events.SeatLeft),
    "bought_in": EventForm(events.BoughtIn),
    "collected": EventForm(events.Collected),
    "bank_declined": EventForm(events.BankDeclined),
    "adjustment_proposed": EventForm(events.AdjustmentProposed),
    "adjustment_made": EventForm(events.AdjustmentMade),
    "adjustment_rejected": EventForm(events.AdjustmentRejected),
    "felt_counted": EventForm(incidents.FeltCounted),
    "felt_matched": EventForm(incidents.FeltMatched),
    "floor_called": EventForm(incidents.FloorCalled),
    "play_resumed": EventForm(incidents.PlayResumed),
    "mispayment_reported": EventForm(incidents.MispaymentReported),
    "mispayment_resolved": EventForm(incidents.MispaymentResolved),
    "stub_counted": EventForm(
        events.StubCounted,
        hidden=lambda event: bool(event.missing or event.extra),
        hidden_fields={"missing": [], "extra": []},
    ),
    "deck_committed": EventForm(events.DeckCommitted),
    "seed_committed": EventForm(events.SeedCommitted),
    "seeds_called": EventForm(events.SeedsCalled),
    "seed_revealed": EventForm(events.SeedRevealed),
    "seeds_fixed": EventForm(events.SeedsFixed),
    "clock_started": EventForm(events.ClockStarted),
    "clock_stopped": EventForm(events.ClockStopped),
    # A round.
    ROUND_OPENED: EventForm(rounds.RoundOpened),
    "wagers_set": EventForm(rounds.WagersSet),
    "bets_closed": EventForm(rounds.BetsClosed),
    "card_dealt": EventForm(
        rounds.CardDealt, hidden=lambda event: not event.face_up, hidden_fields=_NO_CARD
    ),
    "card_corrected": EventForm(
        rounds.CardCorrected, hidden=lambda _: True, hidden_fields=_NO_CARD
    ),
    "cards_turned": EventForm(rounds.CardsTurned),
    "antes_returned": EventForm(rounds.AntesReturned),
    "decision_made": EventForm(
        rounds.DecisionMade,
        hidden=lambda event: isinstance(event.decision, Hold),
        hidden_fields=_NO_HOLD,
    ),
    "irregularity_declared": EventForm(rounds.IrregularityDeclared, 2, {1: _as_before}),
    ROUND_SETTLED: EventForm(rounds.RoundSettled, 2, {1: _without_feed}),
    ROUND_VOIDED: EventForm(rounds.RoundVoided),
    # A progressive link.
    "link_opened": EventForm(link_events.LinkOpened),
    "link_table_joined": EventForm(link_events.TableJoined),
    "link_table_left": EventForm(link_events.TableLeft),
    "link_round_counted": EventForm(link_events.RoundCounted, 2, {1: _as_before}),
    "link_round_fed": EventForm(link_events.RoundFed),
    "link_rates_changed": EventForm(link_events.RatesChanged),
    "link_paused": EventForm(link_events.LinkPaused),
    "link_resumed": EventForm(link_events.LinkResumed),
    "link_retired": EventForm(link_events.LinkRetired, 2, {1: _as_before}),
    "link_received": EventForm(link_events.LinkReceived),
    # A dealer.
    "dealer_signed_on": EventForm(dealer_events.DealerSignedOn),
    "dealer_signed_off": EventForm(dealer_events.DealerSignedOff),
    # The secret decks of a table.
    "decks_purged": EventForm(DecksPurged),
    "proofs_dropped": EventForm(ProofsDropped),
    "key_declared_lost": EventForm(KeyDeclaredLost),
    # The floor.
    "floor_checkpointed": EventForm(FloorCheckpointed),
    # Alerts.
    "alert_raised": EventForm(alert_events.AlertRaised),
    "alert_seen": EventForm(alert_events.AlertSeen),
    "alert_closed": EventForm(alert_events.AlertClosed),
    # A dispute.
    "dispute_opened": EventForm(dispute_events.DisputeOpened),
    "dispute_noted": EventForm(dispute_events.DisputeNoted),
    "dispute_decided": EventForm(dispute_events.DisputeDecided),
    # The clock.
    "clock_corrected": EventForm(ClockCorrected),
    # A wallet.
    "deposited": EventForm(wallet.Deposited),
    "withdrawn": EventForm(wallet.Withdrawn),
    # The cage.
    "voucher_issued": EventForm(vouchers.VoucherIssued),
    "voucher_redeemed": EventForm(vouchers.VoucherRedeemed),
    "voucher_expired": EventForm(vouchers.VoucherExpired),
    "voucher_key_made": EventForm(vouchers.VoucherKeyMade),
    "drawer_opened": EventForm(drawers.DrawerOpened),
    "drawer_cash_taken": EventForm(drawers.CashTaken),
    "drawer_cash_paid": EventForm(drawers.CashPaid),
    "drawer_voucher_sold": EventForm(drawers.VoucherSold),
    "drawer_voucher_cashed": EventForm(drawers.VoucherCashed),
    "payout_requested": EventForm(drawers.PayoutRequested),
    "payout_approved": EventForm(drawers.PayoutApproved),
    "payout_rejected": EventForm(drawers.PayoutRejected),
    "drawer_closed": EventForm(drawers.DrawerClosed),
    # The chips of live tables.
    "tray_counted": EventForm(trays.TrayCounted),
    "tray_count_dropped": EventForm(trays.TrayCountDropped),
    "tray_opened": EventForm(trays.TrayOpened),
    "tray_closed": EventForm(trays.TrayClosed),
    "chips_requested": EventForm(trays.ChipsRequested),
    "chips_given": EventForm(trays.ChipsGiven),
    "chips_received": EventForm(trays.ChipsReceived),
    "chips_refused": EventForm(trays.ChipsRefused),
    "slip_made": EventForm(trays.SlipMade),
    # The limits of a player.
    "player_limit_set": EventForm(play_limits.LimitSet),
    "player_excluded": EventForm(play_limits.PlayerExcluded),
    "player_play_reserved": EventForm(play_limits.PlayReserved),
    "player_deposit_counted": EventForm(play_limits.DepositCounted),
    # The book.
    "day_closed": EventForm(DayClosed),
    "takings_counted": EventForm(TakingsCounted),
    "history_archived": EventForm(HistoryArchived),
    "history_returned": EventForm(HistoryReturned),
    "segment_shipped": EventForm(SegmentShipped),
    # Verifications and readings of the record.
    "record_verified": EventForm(RecordVerified),
    "record_read": EventForm(RecordRead),
}


class NewerEvent(CodecError):
    """An event has a name or a version that only a newer Openfelt knows.

    In a rolling upgrade, servers of two versions share a database. A process that meets such an
    event leaves its table to another one.
    """


class NewerForms(StoreError):
    """The database has events that only a newer Openfelt can read."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(
            f"The database has events that this Openfelt cannot read: {', '.join(names)}. "
            "Run the newer Openfelt that wrote them; a backup from before the upgrade can be "
            "restored instead."
        )


def check_forms(store: Store, *families: Mapping[str, EventForm]) -> None:
    """Refuse a database with events that none of these families of forms includes.

    Without this check an older Openfelt would run until it meets such an event. Raises NewerForms.
    """
    supported = {name: form.schema for forms in families for name, form in forms.items()}
    newer = [
        f"{shown_name(name)} (version {schema})"
        for name, schema in store.event_forms().items()
        if schema > supported.get(name, 0)
    ]
    if newer:
        raise NewerForms(newer)


_new_event: Final = maker(NewEvent)


class EventCodec:
    """Events as they are stored, and back."""

    def __init__(self, codec: Codec, forms: Mapping[str, EventForm] = EVENT_FORMS) -> None:
        self.codec = codec
        self._forms = forms
        self._names = {form.kind: name for name, form in forms.items()}

    def encode(
        self, event: object, transfers: tuple[Transfer, ...] = (), *, cause: Cause, key: str = ""
    ) -> NewEvent:
        """An event ready to be written, with its cause and the transfers that it causes.

        ``key`` is the name of the data key that encrypts what the event hides.
        """
        name = self._names[type(event)]
        form = self._forms[name]
        plain, hidden = self.codec.to_plain(form.kind, event), ""
        if form.hidden(event):
            hidden = _json({field: plain.pop(field) for field in form.hidden_fields})
        return _new_event(
            name=name,
            schema=form.schema,
            body=_json(plain),
            cause=cause,
            transfers=transfers,
            hidden=hidden,
            key=key if hidden else "",
        )

    def decode(self, stored: StoredEvent, *, shown: ShownPart = _nothing_shown) -> Any:
        """The event that was written, by any version of Openfelt.

        Of an event whose hidden part is permanently lost, only the rest is returned: its cards are
        then unknown, unless ``shown`` has the hidden part, because it was shown in the end. Raises
        CodecError, KeyMissing or Damaged.
        """
        where = f"Event {stored.version} of {shown_name(stored.stream)}"
        try:
            return self.decode_body(stored.name, stored.schema, stored.plain_body)
        except NewerEvent as error:
            raise NewerEvent(f"{where}: {error}") from error
        except CodecError as error:
            if stored.decrypt is not None:
                # The error could quote a card that not everyone has seen.
                name = shown_name(stored.name)
                raise CodecError(f"{where}: This is not a stored {name}.") from None
            raise CodecError(f"{where}: {error}") from error
        except Irrecoverable:
            return self.decode_open(stored, shown=shown)

    def decode_open(self, stored: StoredEvent, *, shown: ShownPart = _nothing_shown) -> Any:
        """The event without its hidden part, unless ``shown`` has that part."""
        part = shown(stored.version)
        hidden = self._forms[stored.name].hidden_fields if part is None else read_json(part)
        plain = {**read_json(stored.open_body), **hidden}
        return self.decode_body(stored.name, stored.schema, _json(plain))

    def hidden_part(self, stored: StoredEvent, event: object) -> str:
        """The part of an event that was encrypted, as JSON."""
        form = self._forms[stored.name]
        plain = self.codec.to_plain(form.kind, event)
        return _json({field: plain[field] for field in form.hidden_fields})

    def decode_body(self, name: str, schema: int, body: str) -> Any:
        """An event by its name, the version of its form and its JSON."""
        form = self._forms.get(name)
        if form is None:
            raise NewerEvent(f"There is no event called {shown_name(name)}.")
        if schema > form.schema:
            raise NewerEvent(
                f"{name} has version {schema}; this Openfelt supports versions up to {form.schema}."
            )
        plain = read_json(body)
        for version in range(schema, form.schema):
            plain = _upcast(name, form, version, plain)
        return self.codec.from_plain(form.kind, plain)


def _json(plain: Any) -> str:
    return msgspec.json.encode(plain).decode()


def _upcast(name: str, form: EventForm, version: int, plain: Any) -> Any:
    upcaster = form.upcasters.get(version)
    if upcaster is None:
        raise CodecError(f"Version {version} of {name} cannot be upgraded.")
    try:
        return upcaster(plain)
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        fault = type(error).__name__
        raise CodecError(f"This is not version {version} of {name}: {fault}") from error
