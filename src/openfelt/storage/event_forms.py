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

from openfelt.ledger import Transfer, wallet
from openfelt.rules import round as rounds
from openfelt.rules.decisions import Hold
from openfelt.storage.codec import Codec, CodecError, read_json
from openfelt.storage.door import Cause, NewEvent, StoredEvent
from openfelt.table import events, link_events
from openfelt.table.purging import DecksPurged

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""Turns the plain values of one version of an event into those of the next."""


@dataclass(frozen=True, slots=True)
class EventForm:
    """How one event is stored."""

    kind: type
    schema: int = 1
    upcasters: Mapping[int, Upcaster] = field(default_factory=dict)
    """By the version that each reads."""
    hidden: Callable[[Any], bool] = field(default=lambda _: False)
    """Whether an event names a card that not everyone has seen, so that its body is sealed."""


def _tips_of_old_dealers(plain: dict[str, Any]) -> dict[str, Any]:
    """Before version 2, the tips of a round went to the dealer who had signed on last."""
    return plain | {"tips_stay": False}


EVENT_FORMS: Final[Mapping[str, EventForm]] = {
    # A table.
    "table_opened": EventForm(events.TableOpened),
    "rules_changed": EventForm(events.RulesChanged),
    "link_changed": EventForm(events.LinkChanged),
    "dealer_changed": EventForm(events.DealerChanged, 2, {1: _tips_of_old_dealers}),
    "absence_noted": EventForm(events.AbsenceNoted),
    "closing_announced": EventForm(events.ClosingAnnounced),
    "table_closed": EventForm(events.TableClosed),
    "table_reopened": EventForm(events.TableReopened),
    "seat_taken": EventForm(events.SeatTaken),
    "seat_left": EventForm(events.SeatLeft),
    "bought_in": EventForm(events.BoughtIn),
    "collected": EventForm(events.Collected),
    "bank_declined": EventForm(events.BankDeclined),
    "deck_committed": EventForm(events.DeckCommitted),
    "seed_committed": EventForm(events.SeedCommitted),
    "seeds_called": EventForm(events.SeedsCalled),
    "seed_revealed": EventForm(events.SeedRevealed),
    "seeds_fixed": EventForm(events.SeedsFixed),
    "clock_started": EventForm(events.ClockStarted),
    "clock_stopped": EventForm(events.ClockStopped),
    # A round.
    "round_opened": EventForm(rounds.RoundOpened),
    "wagers_set": EventForm(rounds.WagersSet),
    "bets_closed": EventForm(rounds.BetsClosed),
    "card_dealt": EventForm(rounds.CardDealt, hidden=lambda event: not event.face_up),
    "card_corrected": EventForm(rounds.CardCorrected, hidden=lambda _: True),
    "cards_turned": EventForm(rounds.CardsTurned),
    "decision_made": EventForm(
        rounds.DecisionMade, hidden=lambda event: isinstance(event.decision, Hold)
    ),
    "round_settled": EventForm(rounds.RoundSettled),
    "round_voided": EventForm(rounds.RoundVoided),
    # A progressive link.
    "link_opened": EventForm(link_events.LinkOpened),
    "link_table_joined": EventForm(link_events.TableJoined),
    "link_table_left": EventForm(link_events.TableLeft),
    "link_round_counted": EventForm(link_events.RoundCounted),
    "link_rates_changed": EventForm(link_events.RatesChanged),
    "link_paused": EventForm(link_events.LinkPaused),
    "link_resumed": EventForm(link_events.LinkResumed),
    "link_retired": EventForm(link_events.LinkRetired),
    # The secret decks of a table.
    "decks_purged": EventForm(DecksPurged),
    # A wallet.
    "deposited": EventForm(wallet.Deposited),
    "withdrawn": EventForm(wallet.Withdrawn),
}


class EventCodec:
    """Events as they are stored, and back."""

    def __init__(self, codec: Codec, forms: Mapping[str, EventForm] = EVENT_FORMS) -> None:
        self.codec = codec
        self._forms = forms
        self._names = {form.kind: name for name, form in forms.items()}

    def encode(
        self, event: object, transfers: tuple[Transfer, ...] = (), *, cause: Cause
    ) -> NewEvent:
        """An event ready to be written, with its cause and the transfers that it causes."""
        name = self._names[type(event)]
        form = self._forms[name]
        return NewEvent(
            name=name,
            schema=form.schema,
            body=self.codec.to_json(form.kind, event),
            cause=cause,
            transfers=transfers,
            hidden=form.hidden(event),
        )

    def decode(self, stored: StoredEvent) -> Any:
        """The event that was written, whatever version of Openfelt wrote it."""
        try:
            return self.decode_body(stored.name, stored.schema, stored.plain_body)
        except CodecError as error:
            raise CodecError(f"Event {stored.version} of {stored.stream}: {error}") from error

    def decode_body(self, name: str, schema: int, body: str) -> Any:
        """An event by its name, the version of its form and its JSON."""
        form = self._forms.get(name)
        if form is None:
            raise CodecError(f"There is no event called {name!r}.")
        if schema > form.schema:
            raise CodecError(
                f"{name} has version {schema}; this Openfelt supports versions up to {form.schema}."
            )
        plain = read_json(body)
        for version in range(schema, form.schema):
            plain = _upcast(name, form, version, plain)
        return self.codec.from_plain(form.kind, plain)


def _upcast(name: str, form: EventForm, version: int, plain: Any) -> Any:
    upcaster = form.upcasters.get(version)
    if upcaster is None:
        raise CodecError(f"Version {version} of {name} cannot be upgraded.")
    try:
        return upcaster(plain)
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise CodecError(f"This is not version {version} of {name}: {error!r}") from error
