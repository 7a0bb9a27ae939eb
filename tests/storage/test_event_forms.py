"""Events as they are stored: every one of them, and those of every version there has been."""

from dataclasses import dataclass, fields, replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.cards import UNKNOWN_CARD, Card
from openfelt.ledger import Account, AccountKind, Reason, Transfer
from openfelt.ledger.day_close import DayClosed
from openfelt.ledger.drawers import DrawerEvent
from openfelt.ledger.play_limits import LimitEvent
from openfelt.ledger.takings import TakingsCounted
from openfelt.ledger.trays import SlipMade, TrayEvent
from openfelt.ledger.vouchers import VoucherEvent, VoucherKeyMade
from openfelt.ledger.wallet import Deposited, WalletEvent
from openfelt.record_events.alert_events import AlertEvent
from openfelt.record_events.archive_events import HistoryArchived, HistoryReturned
from openfelt.record_events.dispute_events import DisputeEvent
from openfelt.record_events.floor_checkpoint_events import FloorCheckpointed
from openfelt.record_events.lost_key_events import KeyDeclaredLost
from openfelt.record_events.purge_events import DecksPurged, ProofsDropped
from openfelt.record_events.reading_events import RecordRead
from openfelt.record_events.shipment_events import SegmentShipped
from openfelt.record_events.verification_events import RecordVerified
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.decisions import DecidedBy, Fold, Hold
from openfelt.rules.round_events import BetsClosed, CardCorrected, CardDealt, DecisionMade, Event
from openfelt.rules.wagers import Spot
from openfelt.storage.codec import Codec, CodecError, read_json
from openfelt.storage.door import FIRST_HASH, Cause, NewEvent, Purged, StoredEvent
from openfelt.storage.event_forms import EVENT_FORMS, EventCodec, EventForm
from openfelt.storage.secrecy.envelopes import Envelope
from openfelt.storage.streams.time_corrections import ClockCorrected
from openfelt.table.dealer_events import DealerEvent
from openfelt.table.events import SeatTaken, TableEvent
from openfelt.table.links.link_events import LinkEvent, RoundFed
from tests.kit.storage.golden_events import FOLDER, GOLDEN, HOUSE
from tests.kit.storage.stored_values import HOUSES, values_of
from tests.kit.strategies import few

KINDS: list[type] = [
    *get_args(TableEvent),
    *get_args(LinkEvent),
    RoundFed,
    *get_args(DealerEvent),
    *get_args(WalletEvent),
    FloorCheckpointed,
    *get_args(VoucherEvent),
    VoucherKeyMade,
    *get_args(DrawerEvent),
    *get_args(TrayEvent),
    SlipMade,
    *get_args(DisputeEvent),
    *get_args(AlertEvent),
    *get_args(LimitEvent),
    DecksPurged,
    ProofsDropped,
    KeyDeclaredLost,
    ClockCorrected,
    DayClosed,
    TakingsCounted,
    HistoryArchived,
    HistoryReturned,
    SegmentShipped,
    RecordRead,
    RecordVerified,
]
CAUSE = Cause(actor="system:openfelt")
CODEC = EventCodec(Codec(HOUSES.get))
GOLDEN_CODEC = EventCodec(Codec({HOUSE.fingerprint: HOUSE}.get))


def stored(name: str, body: str, *, schema: int = 1) -> StoredEvent:
    """An event as it lies in the store."""
    return StoredEvent(
        stream="table/table-1",
        version=7,
        name=name,
        schema=schema,
        body=body,
        at_ms=1,
        previous=FIRST_HASH,
        hash=FIRST_HASH,
    )


def whole(written: NewEvent) -> str:
    """The whole body of an event, with its hidden part."""
    if not written.hidden:
        return written.body
    return Envelope("key/1", "", written.body[1:-1]).opened(written.hidden)


def purged(written: NewEvent) -> StoredEvent:
    """An event in the store whose hidden part is gone."""

    def decrypt(stream: str, name: str, body: str) -> str:
        raise Purged(stream, "key/1")

    body = Envelope("key/1", "AbC=", written.body[1:-1]).to_json()
    return replace(stored(written.name, body, schema=written.schema), decrypt=decrypt)


# Every event ------------------------------------------------------------------------------


def test_every_event_has_one_name() -> None:
    assert set(get_args(Event)) <= set(KINDS)
    named = [form.kind for form in EVENT_FORMS.values()]
    assert sorted(named, key=repr) == sorted(KINDS, key=repr)


def test_names_are_plain_words() -> None:
    for name, form in EVENT_FORMS.items():
        assert name.isidentifier()
        assert name.islower()
        assert form.schema >= 1
        assert set(form.upcasters) == set(range(1, form.schema))


@pytest.mark.parametrize("name", EVENT_FORMS)
@few
@given(data=st.data())
def test_every_event_survives(name: str, data: st.DataObject) -> None:
    event = data.draw(values_of(EVENT_FORMS[name].kind))
    written = CODEC.encode(event, cause=CAUSE)
    assert (written.name, written.schema) == (name, EVENT_FORMS[name].schema)
    again = CODEC.decode(stored(name, whole(written), schema=written.schema))
    assert again == event
    assert type(again) is type(event)
    assert CODEC.encode(again, cause=CAUSE) == written


def test_transfers_go_with_their_event() -> None:
    transfer = Transfer(
        debit=Account(AccountKind.CASH),
        credit=Account(AccountKind.WALLET, "ann"),
        cents=100,
        reason=Reason.DEPOSIT,
    )
    assert CODEC.encode(Deposited("ann", 100), (transfer,), cause=CAUSE).transfers == (transfer,)
    assert CODEC.encode(BetsClosed(), cause=CAUSE).transfers == ()


PLACE = Place(Lies.HAND, Spot(1, 1), 2)
ACE = Card.parse("As")


@pytest.mark.parametrize(
    ("event", "left"),
    [
        (CardDealt(PLACE, ACE, face_up=False), CardDealt(PLACE, UNKNOWN_CARD, face_up=False)),
        (CardCorrected(PLACE, ACE), CardCorrected(PLACE, UNKNOWN_CARD)),
        (
            DecisionMade(Spot(1, 1), Hold((ACE,)), DecidedBy.CLOCK),
            DecisionMade(Spot(1, 1), Hold((UNKNOWN_CARD,)), DecidedBy.CLOCK),
        ),
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_without_its_hidden_part_tells_the_rest(event: Event, left: Event) -> None:
    written = CODEC.encode(event, cause=CAUSE, key="key/1")
    assert "As" not in written.body
    assert CODEC.decode(purged(written)) == left
    # What was shown in the end is still told.
    assert CODEC.decode(purged(written), shown=lambda _: written.hidden) == event
    assert CODEC.hidden_part(purged(written), event) == written.hidden


def test_what_everyone_sees_is_not_hidden() -> None:
    for event in (CardDealt(PLACE, ACE, face_up=True), DecisionMade(Spot(1, 1), Fold())):
        assert CODEC.encode(event, cause=CAUSE, key="key/1").hidden == ""


def test_other_values_than_events_are_not_written() -> None:
    with pytest.raises(KeyError):
        CODEC.encode("bets_closed", cause=CAUSE)


# What cannot be read -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (stored("bets_shut", "{}"), "There is no event called bets_shut."),
        (stored("BetsClosed", "{}"), "There is no event called (a name that is not shown)."),
        (stored("bets_closed", "{}", schema=2), "this Openfelt supports versions up to 1."),
        (stored("bets_closed", "{}", schema=0), "Version 0 of bets_closed cannot be upgraded."),
        (stored("bets_closed", ""), "This is not JSON"),
        (stored("bets_closed", "{"), "This is not JSON"),
        (stored("bets_closed", "[]"), "This is not a stored BetsClosed"),
        (stored("bets_closed", '{"why":"late"}'), "there is no field why"),
        (stored("seat_taken", '{"seat":1}'), "This is not a stored SeatTaken"),
        (stored("seat_taken", '{"seat":true,"player":"ann"}'), "bool is not int"),
        (stored("seat_taken", '{"seat":"1","player":"ann"}'), "str is not int"),
        (stored("seat_taken", '{"seat":1,"player":null}'), "NoneType is not str"),
        (stored("rules_changed", '{"house":"abc"}'), "there is no rule set abc"),
        (stored("decision_made", '{"spot":"1.1","decision":{"kind":"pass"}}'), "no kind pass"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(event: StoredEvent, words: str) -> None:
    with pytest.raises(CodecError, match=r"^Event 7 of table/table-1: ") as caught:
        CODEC.decode(event)
    assert words in str(caught.value)


# Versions ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SeatGiven:
    """A seat that a member of staff has assigned, as a later Openfelt might store it."""

    seat: int
    player: str
    given_by: str
    chair: int = 1


def named_player(plain: dict[str, Any]) -> dict[str, Any]:
    """From version 1, which called the player ``name``."""
    return {"seat": plain["seat"], "player": plain["name"]}


def with_giver(plain: dict[str, Any]) -> dict[str, Any]:
    """From version 2, which did not know who gives seats."""
    return plain | {"given_by": "nobody"}


LATER = EventCodec(
    Codec(HOUSES.get),
    {"seat_given": EventForm(SeatGiven, 3, {1: named_player, 2: with_giver})},
)


@pytest.mark.parametrize(
    ("schema", "body", "event"),
    [
        (1, '{"seat":1,"name":"ann"}', SeatGiven(1, "ann", "nobody")),
        (2, '{"seat":1,"player":"ann"}', SeatGiven(1, "ann", "nobody")),
        (3, '{"seat":1,"player":"ann","given_by":"eve"}', SeatGiven(1, "ann", "eve")),
    ],
)
def test_an_old_event_is_upgraded(schema: int, body: str, event: SeatGiven) -> None:
    assert LATER.decode(stored("seat_given", body, schema=schema)) == event


def test_events_are_written_in_the_newest_version() -> None:
    written = LATER.encode(SeatGiven(1, "ann", "eve"), cause=CAUSE)
    assert (written.name, written.schema) == ("seat_given", 3)
    assert written.body == '{"seat":1,"player":"ann","given_by":"eve"}'


@pytest.mark.parametrize(
    ("schema", "body"),
    [
        (1, '{"seat":1}'),
        (1, "[]"),
        (1, "null"),
        (2, "7"),
        (2, '{"seat":true,"player":"ann"}'),
        (2, '{"seat":1,"name":"ann"}'),
        (3, '{"seat":1,"player":"ann"}'),
        (4, '{"seat":1,"player":"ann","given_by":"eve"}'),
        (0, '{"seat":1,"name":"ann"}'),
        (-1, '{"seat":1,"name":"ann"}'),
    ],
)
def test_an_invalid_old_event_is_refused(schema: int, body: str) -> None:
    with pytest.raises(CodecError, match=r"^Event 7 of table/table-1: "):
        LATER.decode(stored("seat_given", body, schema=schema))


def test_a_gap_between_versions_is_refused() -> None:
    gap = EventCodec(Codec(HOUSES.get), {"seat_given": EventForm(SeatGiven, 3, {2: with_giver})})
    with pytest.raises(CodecError, match="Version 1 of seat_given cannot be upgraded"):
        gap.decode(stored("seat_given", '{"seat":1,"name":"ann"}', schema=1))


def test_a_renamed_class_changes_nothing() -> None:
    """The store knows events by their names and never by their classes."""
    renamed = type("PlayerArrived", (SeatTaken,), {})
    codec = EventCodec(Codec(HOUSES.get), {"seat_taken": EventForm(renamed)})
    body = CODEC.encode(SeatTaken(1, "ann"), cause=CAUSE).body
    assert codec.encode(renamed(1, "ann"), cause=CAUSE).body == body
    assert codec.decode(stored("seat_taken", body)) == renamed(1, "ann")


# Golden events ---------------------------------------------------------------------------------


def golden_text(file: str) -> str:
    """The text of a golden event, as it was written."""
    return (FOLDER / f"{file}.json").read_text(encoding="utf-8").removesuffix("\n")


@pytest.mark.parametrize("file", GOLDEN)
def test_a_golden_event_says_what_it_always_said(file: str) -> None:
    name, schema, *_ = file.split(".")
    event = GOLDEN_CODEC.decode(stored(name, golden_text(file), schema=int(schema)))
    assert event == GOLDEN[file]
    assert type(event) is EVENT_FORMS[name].kind


@pytest.mark.parametrize("file", GOLDEN)
def test_a_golden_event_is_written_as_it_always_was(file: str) -> None:
    name, schema, *_ = file.split(".")
    if int(schema) == EVENT_FORMS[name].schema:
        written = GOLDEN_CODEC.encode(GOLDEN[file], cause=CAUSE)
        assert (written.name, read_json(whole(written))) == (name, read_json(golden_text(file)))
        assert written.hidden or written.body == golden_text(file)


def test_every_version_of_every_event_has_a_golden_file() -> None:
    wanted = {
        f"{name}.{schema}"
        for name, form in EVENT_FORMS.items()
        for schema in range(1, form.schema + 1)
    }
    missing = wanted - {file.stem for file in FOLDER.glob("*.json")}
    assert not missing, "Write the event down in old_events and in golden_events.py."


def test_every_golden_file_has_its_meaning() -> None:
    assert {file.stem for file in FOLDER.glob("*.json")} == set(GOLDEN)


def test_golden_events_use_every_field() -> None:
    """A field that no golden event fills could be renamed without a test that fails."""
    filled: dict[str, set[str]] = {}
    for file in GOLDEN:
        name = file.split(".")[0]
        filled.setdefault(name, set()).update(_fields_in(golden_text(file)))
    for name, form in EVENT_FORMS.items():
        assert filled[name] >= {field.name for field in fields(form.kind)}, name
    settled = filled["round_settled"] | filled["round_voided"]
    assert settled >= {"meter_paid_cents", "uncovered_cents", "odds", "pays", "per", "seed_cents"}
    assert "over_aggregate_cents" in settled


def _fields_in(text: str) -> set[str]:
    """The names of all fields in JSON text."""
    found: set[str] = set()

    def look(plain: Any) -> None:
        if isinstance(plain, dict):
            found.update(plain)
        for inner in plain.values() if isinstance(plain, dict) else plain:
            if isinstance(inner, dict | list):
                look(inner)

    look(read_json(text))
    return found


def test_the_golden_house_is_found_by_its_fingerprint_alone() -> None:
    other = EventCodec(Codec({HOUSE.fingerprint: replace(HOUSE, name="Another")}.get))
    event = other.decode(stored("rules_changed", golden_text("rules_changed.1")))
    assert event.house.name == "Another"
