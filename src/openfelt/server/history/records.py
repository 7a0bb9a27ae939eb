"""The record of one round, cut out of its table's, and what its proof is made of. Blocking."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from openfelt.cards import Card
from openfelt.rules.dealing import Lies, Place, dealing_plan
from openfelt.rules.round import (
    BetsClosed,
    CardCorrected,
    CardDealt,
    CardsTurned,
    DecisionMade,
    Event,
    Phase,
    PlayerHand,
    Round,
    RoundOpened,
    RoundVoided,
    WagersSet,
    begin,
)
from openfelt.rules.wagers import Spot
from openfelt.runtime.rounds.proof import Commitment, RoundProof, make_round_proof
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.worker import Tools
from openfelt.storage.codec import CodecError
from openfelt.storage.door import StoredEvent
from openfelt.table.deck import TABLE_DECK, seat_decks
from openfelt.table.events import DeckCommitted

CHUNK: Final = 500
_ENDS: Final = ("round_settled", "round_voided")
_ROUND_EVENTS: Final = frozenset(
    {
        "wagers_set",
        "bets_closed",
        "card_dealt",
        "card_corrected",
        "cards_turned",
        "decision_made",
        "deck_committed",
        *_ENDS,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A finished round: how it stood when bets closed, and every event since."""

    table: str
    opened: Round
    """The round with its wagers, just before bets closed."""
    events: tuple[tuple[Event, int], ...]
    """What happened from the closing of bets on, each with its time."""
    commitments: tuple[Commitment, ...]
    bets_closed_version: int | None

    @property
    def void(self) -> bool:
        """Whether the round was declared void."""
        return isinstance(self.events[-1][0], RoundVoided)

    @property
    def number(self) -> int:
        """The number of the round."""
        return self.opened.opened.number

    def of_seat(self, seat: int) -> "Recorded":
        """The record without other people's hands, as a terminal of a stadium knows it."""
        own = {spot: hand for spot, hand in self.opened.hands.items() if spot.seat == seat}
        events = tuple(
            (_for_seat(event, seat), at_ms)
            for event, at_ms in self.events
            if _seat_of(event) in (None, seat)
        )
        return replace(self, opened=replace(self.opened, hands=own), events=events)

    def final(self) -> Round:
        """The round when it was over, without its decisions and lines: who had which cards.

        It is put together at once. Event by event, a full stadium would take half a minute.
        """
        opened = self.opened
        closed = self.bets_closed_version is not None
        cards = _Cards(self.events)
        spots = tuple(sorted(opened.hands)) if closed else tuple(opened.hands)
        return replace(
            opened,
            phase=Phase.VOIDED if self.void else Phase.SETTLED,
            plan=dealing_plan(opened.house, opened.opened.procedure, spots) if closed else (),
            hands={
                spot: replace(
                    opened.hands[spot],
                    cards=cards.at(Lies.HAND, spot),
                    face_up=spot in cards.hands_face_up,
                )
                for spot in spots
            },
            dealer=cards.at(Lies.DEALER),
            dealer_face_up=cards.dealer_face_up,
            common=cards.at(Lies.COMMON),
            common_face_up=cards.common_face_up,
        )


class _Cards:
    """Where the cards of a round lay in the end."""

    def __init__(self, events: Iterable[tuple[Event, int]]) -> None:
        self._cards: dict[Place, Card] = {}
        self._counts: Counter[tuple[Lies, Spot | None]] = Counter()
        self.hands_face_up: set[Spot] = set()
        self.dealer_face_up = False
        self.common_face_up = 0
        for event, _ in events:
            match event:
                case CardDealt(place, card, face_up):
                    self._cards[place] = card
                    self._counts[place.lies, place.spot] += 1
                    if face_up:
                        self._turn(place.lies, (place.spot,), place.position)
                case CardCorrected(place, card):
                    self._cards[place] = card
                case CardsTurned(lies, up_to, spots):
                    self._turn(lies, spots, up_to)

    def _turn(self, lies: Lies, spots: Iterable[Spot | None], up_to: int) -> None:
        if lies is Lies.HAND:
            self.hands_face_up.update(spot for spot in spots if spot is not None)
        elif lies is Lies.COMMON:
            self.common_face_up = up_to
        else:
            self.dealer_face_up = True

    def at(self, lies: Lies, spot: Spot | None = None) -> tuple[Card, ...]:
        """The cards that lie somewhere, in their order."""
        count = self._counts[lies, spot]
        return tuple(self._cards[Place(lies, spot, number)] for number in range(1, count + 1))


def _seat_of(event: Event) -> int | None:
    """Whose hand an event is about, None where it is about the whole table."""
    match event:
        case CardDealt(place) | CardCorrected(place):
            return place.spot.seat if place.spot else None
        case DecisionMade(spot):
            return spot.seat
        case _:
            return None


def _for_seat(event: Event, seat: int) -> Event:
    """An event without the hands of other seats."""
    if isinstance(event, CardsTurned) and event.spots:
        return replace(event, spots=tuple(spot for spot in event.spots if spot.seat == seat))
    return event


def read_round(tools: Tools, table: str, *, number: int, version: int) -> Recorded | None:
    """The record of a round, given any event in it; None where it is not over yet."""
    stream = table_stream(table)
    first = _opening(tools, stream, version)
    opened = tools.codec.decode(first)
    if not isinstance(opened, RoundOpened) or opened.number != number:
        raise CodecError(f"Event {version} of {stream} does not belong to round {number}.")
    house = tools.rulebook.house(opened.fingerprint)
    if house is None:
        raise CodecError(f"The rules of round {number} at {table} are missing.")
    return _Reading(tools, table, begin(house, opened)).read(
        tools.store.events(stream, after=first.version)
    )


def _opening(tools: Tools, stream: str, version: int) -> StoredEvent:
    """The event that opened the round in which another event lies."""
    last = version
    while last > 0:
        chunk = list(tools.store.events(stream, after=max(0, last - CHUNK), up_to=last))
        for stored in reversed(chunk):
            if stored.name == "round_opened":
                return stored
        last -= CHUNK
    raise CodecError(f"No round is open at event {version} of {stream}.")


class _Reading:
    """A round on its way out of the record."""

    def __init__(self, tools: Tools, table: str, opened: Round) -> None:
        self._tools = tools
        self._table = table
        self._opened = opened
        self._hands: dict[Spot, PlayerHand] = {}
        self._events: list[tuple[Event, int]] = []
        self._commitments: list[Commitment] = []
        self._closed_version: int | None = None

    def read(self, record: Iterator[StoredEvent]) -> Recorded | None:
        for stored in record:
            if stored.name in _ROUND_EVENTS:
                self._take(stored)
            if stored.name in _ENDS:
                return self._recorded()
        return None

    def _take(self, stored: StoredEvent) -> None:
        event = self._tools.codec.decode(stored)
        if isinstance(event, DeckCommitted):
            self._commitments.append(
                Commitment(deck=event.deck, root=event.root, version=stored.version)
            )
        elif isinstance(event, WagersSet):
            # Gathered here, for a full stadium would copy all hands for each of them.
            if event.wagers:
                self._hands[event.spot] = PlayerHand(event.spot, event.wagers)
            else:
                self._hands.pop(event.spot, None)
        else:
            if isinstance(event, BetsClosed):
                self._closed_version = stored.version
            self._events.append((event, stored.at_ms))

    def _recorded(self) -> Recorded:
        return Recorded(
            table=self._table,
            opened=Round(
                house=self._opened.house, opened=self._opened.opened, hands=dict(self._hands)
            ),
            events=tuple(self._events),
            commitments=tuple(self._commitments),
            bets_closed_version=self._closed_version,
        )


def seat_at(tools: Tools, table: str, version: int) -> int:
    """The seat that an event of staking names."""
    for stored in tools.store.events(table_stream(table), after=version - 1, up_to=version):
        event = tools.codec.decode(stored)
        if isinstance(event, RoundOpened) and event.banker is not None:
            return event.banker.seat
        spot = getattr(event, "spot", None)
        if isinstance(spot, Spot):
            return spot.seat
    raise CodecError(f"Event {version} of {table} stakes nothing.")


def round_proof(tools: Tools, recorded: Recorded, *, seat: int | None) -> RoundProof:
    """The proof of a finished round; raises ProofError where it cannot be proved."""
    house = recorded.opened.house
    prefix = f"{recorded.number}/"
    secrets = tools.store.secrets(table_stream(recorded.table), prefix)
    if seat is not None and not house.shows_all_hands:
        own = {f"{prefix}{deck}" for deck in (TABLE_DECK, *seat_decks(house, [seat]))}
        secrets = {name: body for name, body in secrets.items() if name in own}
    return make_round_proof(
        recorded.final(),
        table=recorded.table,
        decks=[SecretDeck.from_json(body) for body in secrets.values()],
        commitments=recorded.commitments,
        bets_closed_version=recorded.bets_closed_version or 0,
        seat=seat,
    )
