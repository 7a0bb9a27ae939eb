"""Rounds read from the store, with what their proofs are made of. All calls block.

A round is found by its number, which scans its table's events, or quickly by the version of any
event within it. The many events of other rounds are not decoded.
"""

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
    RoundSettled,
    RoundVoided,
    WagersSet,
    begin,
)
from openfelt.rules.wagers import Spot
from openfelt.runtime.rounds.proof import (
    Commitment,
    ProvedSeed,
    ProvedSeeds,
    RoundProof,
    Unprovable,
    make_round_proof,
    round_id,
)
from openfelt.runtime.rounds.proof_forms import read_proof
from openfelt.runtime.shuffle.deck_secrets import kept_proof, stored_decks
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.runtime.streams import table_stream
from openfelt.storage.codec import CodecError, read_json
from openfelt.storage.door import Store, StoredEvent
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.rulebook import Rulebook
from openfelt.table.deck import TABLE_DECK, seat_decks, seat_of_deck
from openfelt.table.events import (
    DeckCommitted,
    SeedCommitted,
    SeedRevealed,
    SeedsCalled,
    SeedsFixed,
)

CHUNK: Final = 500
"""How many events are read at a time on the way back to the opening of a round."""
_OPENING: Final = "round_opened"
_ENDS: Final = frozenset({"round_settled", "round_voided"})
_COMMITMENT: Final = "deck_committed"
_ROUND_EVENTS: Final = _ENDS | {
    "wagers_set",
    "bets_closed",
    "card_dealt",
    "card_corrected",
    "cards_turned",
    "decision_made",
    "seed_committed",
    "seeds_called",
    "seed_revealed",
    "seeds_fixed",
    _COMMITMENT,
}


class NoSuchRound(LookupError):
    """The table, the round or its rules are not in the store."""


# A round ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRound:
    """A round as its table's record has it."""

    table: str
    opened: Round
    """The round with its wagers, just before bets closed."""
    events: tuple[tuple[Event, int], ...] = ()
    """The events from the closing of bets on, each with its time."""
    commitments: tuple[Commitment, ...] = ()
    bets_closed_version: int | None = None
    """The version of the event that closed bets, None if they never closed."""
    seeds: ProvedSeeds | None = None
    """None in a round whose decks were not committed to before it opened."""

    @property
    def number(self) -> int:
        """The number of the round."""
        return self.opened.opened.number

    @property
    def ended(self) -> Phase | None:
        """``SETTLED`` or ``VOIDED``, None for a round in progress."""
        match self.events[-1][0] if self.events else None:
            case RoundSettled():
                return Phase.SETTLED
            case RoundVoided():
                return Phase.VOIDED
            case _:
                return None

    @property
    def void(self) -> bool:
        """Whether the round was declared void."""
        return self.ended is Phase.VOIDED

    def of_seat(self, seat: int) -> "RecordedRound":
        """The record without the hands of other seats, as a terminal of a stadium sees it."""
        own = {spot: hand for spot, hand in self.opened.hands.items() if spot.seat == seat}
        events = tuple(
            (_for_seat(event, seat), at_ms)
            for event, at_ms in self.events
            if _seat_of(event) in (None, seat)
        )
        return replace(self, opened=replace(self.opened, hands=own), events=events)

    def final(self) -> Round:
        """The finished round without its decisions and lines: where each card was.

        It is built in one step. Event by event, a full stadium would take half a minute.
        """
        opened, ended = self.opened, self.ended
        if ended is None:
            raise ValueError(f"round {round_id(self.table, self.number)} is in progress")
        closed = self.bets_closed_version is not None
        cards = _Cards(self.events)
        spots = tuple(sorted(opened.hands)) if closed else tuple(opened.hands)
        return replace(
            opened,
            phase=ended,
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
    """Where the cards of a round were at its end."""

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
        """The cards of a hand, the dealer or the board, in order."""
        count = self._counts[lies, spot]
        return tuple(self._cards[Place(lies, spot, number)] for number in range(1, count + 1))


def _seat_of(event: Event) -> int | None:
    """The seat whose hand an event is about, None if it is about the whole table."""
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


# Reading ---------------------------------------------------------------------


class RoundReader:
    """Reads rounds and their proofs from a store."""

    def __init__(self, store: Store, rulebook: Rulebook | None = None) -> None:
        self._store = store
        self._rulebook = rulebook or Rulebook(store)
        self._codec = EventCodec(self._rulebook.codec)

    def read(self, table: str, number: int, *, version: int | None = None) -> RecordedRound:
        """A round by its number, found quickly if the version of any of its events is given.

        Raises NoSuchRound, or CodecError if the record cannot be read or the version is not
        within the round.
        """
        stream = table_stream(table)
        first = (
            self._opening(table, number)
            if version is None
            else self._opening_before(table, version)
        )
        opened = self._codec.decode(first)
        if not isinstance(opened, RoundOpened) or opened.number != number:
            raise CodecError(f"Event {version} of {stream} does not belong to round {number}.")
        house = self._rulebook.house(opened.fingerprint)
        if house is None:
            raise NoSuchRound(f"The rules of round {table}/{number} are not in the database.")
        reading = _Reading(self._codec, table, begin(house, opened))
        for stored in self._sealed_before(stream, first.version):
            reading.seal(stored)
        return reading.read(self._store.events(stream, after=first.version))

    def _sealed_before(self, stream: str, version: int) -> list[StoredEvent]:
        """The commitments between the end of the round before and the opening at this version."""
        sealed: list[StoredEvent] = []
        last = version - 1
        while last > 0:
            chunk = list(self._store.events(stream, after=max(0, last - CHUNK), up_to=last))
            for stored in reversed(chunk):
                if stored.name in _ENDS:
                    return sealed[::-1]
                if stored.name == _COMMITMENT:
                    sealed.append(stored)
            last -= CHUNK
        return sealed[::-1]

    def ended(self, table: str) -> Iterator[tuple[RoundOpened, RoundSettled | RoundVoided]]:
        """The opening and the end of each finished round of a table, newest first.

        It reads backwards and decodes nothing else, so the last few rounds are found quickly.
        """
        stream = table_stream(table)
        last, end = self._store.head(stream).version, None
        while last > 0:
            chunk = list(self._store.events(stream, after=max(0, last - CHUNK), up_to=last))
            for stored in reversed(chunk):
                if stored.name in _ENDS:
                    end = self._codec.decode(stored)
                elif stored.name == _OPENING and end is not None:
                    yield self._codec.decode(stored), end
                    end = None
            last -= CHUNK

    def seat_of_wager(self, table: str, version: int) -> int:
        """The seat of the event with this version, which stakes a wager or a bank."""
        for stored in self._store.events(table_stream(table), after=version - 1, up_to=version):
            event = self._codec.decode(stored)
            if isinstance(event, RoundOpened) and event.banker is not None:
                return event.banker.seat
            if isinstance(event, WagersSet | DecisionMade):
                return event.spot.seat
        raise CodecError(f"Event {version} of {table} stakes nothing.")

    def proof(self, recorded: RecordedRound, *, seat: int | None = None) -> RoundProof:
        """The proof of a finished round, public or for one seat's player.

        Raises Unprovable if there is nothing to prove, and ProofError if the record is
        inconsistent.
        """
        _check_provable(recorded)
        house, stream = recorded.opened.house, table_stream(recorded.table)
        decks = stored_decks(self._store, stream, recorded.number)
        if not decks:
            kept = kept_proof(self._store, recorded.table, recorded.number, seat=seat)
            if kept is not None:
                return read_proof(kept)
        if seat is not None and not house.shows_all_hands:
            # A stadium has a deck for each terminal; decoding all of them would take long.
            own = (TABLE_DECK, *seat_decks(house, [seat]))
            decks = {name: body for name, body in decks.items() if name in own}
        return make_round_proof(
            recorded.final(),
            table=recorded.table,
            decks=[SecretDeck.from_json(body) for body in decks.values()],
            commitments=recorded.commitments,
            bets_closed_version=recorded.bets_closed_version or 0,
            seeds=recorded.seeds,
            seat=seat,
        )

    def _opening(self, table: str, number: int) -> StoredEvent:
        """The event that opened a round, by the round's number."""
        stream = table_stream(table)
        if self._store.head(stream).version == 0:
            raise NoSuchRound(f"There is no table called {table}.")
        for stored in self._store.events(stream):
            if stored.name == _OPENING:
                plain = read_json(stored.body)
                if isinstance(plain, dict) and plain.get("number") == number:
                    return stored
        raise NoSuchRound(f"{table} has no round {number}.")

    def _opening_before(self, table: str, version: int) -> StoredEvent:
        """The event that opened the round to which another event belongs."""
        stream, last = table_stream(table), version
        while last > 0:
            chunk = list(self._store.events(stream, after=max(0, last - CHUNK), up_to=last))
            for stored in reversed(chunk):
                if stored.name == _OPENING:
                    return stored
            last -= CHUNK
        raise CodecError(f"No round is open at event {version} of {stream}.")


class _Reading:
    """A round while it is read from the record."""

    def __init__(self, codec: EventCodec, table: str, opened: Round) -> None:
        self._codec = codec
        self._table = table
        self._opened = opened
        self._hands: dict[Spot, PlayerHand] = {}
        self._events: list[tuple[Event, int]] = []
        self._commitments: list[Commitment] = []
        self._wagers: dict[int, int] = {}
        """By seat, the version of its first wager."""
        self._closed_version: int | None = None
        self._seeds: _ReadSeeds | None = None

    def seal(self, stored: StoredEvent) -> None:
        """Take a commitment that was published before the round opened."""
        self._seeds = self._seeds or _ReadSeeds()
        self._take(stored)

    def read(self, record: Iterator[StoredEvent]) -> RecordedRound:
        """Take the events of the round up to its end."""
        for stored in record:
            if stored.name in _ROUND_EVENTS:
                self._take(stored)
            if stored.name in _ENDS or stored.name == _OPENING:
                break
        seats = {spot.seat for spot in self._hands}
        if (banker := self._opened.opened.banker) is not None:
            seats.add(banker.seat)
        return RecordedRound(
            table=self._table,
            opened=replace(self._opened, hands=dict(self._hands)),
            events=tuple(self._events),
            commitments=tuple(map(self._with_wager, self._commitments)),
            bets_closed_version=self._closed_version,
            seeds=self._seeds.proved(seats) if self._seeds is not None else None,
        )

    def _with_wager(self, commitment: Commitment) -> Commitment:
        """A commitment, with the first wager that its deck serves."""
        if self._seeds is None or not self._wagers:
            return commitment
        seat = seat_of_deck(commitment.deck)
        first = min(self._wagers.values()) if seat is None else self._wagers.get(seat)
        return replace(commitment, wager_version=first)

    def _take(self, stored: StoredEvent) -> None:
        event = self._codec.decode(stored)
        match event:
            case DeckCommitted(deck, root):
                self._commitments.append(Commitment(deck=deck, root=root, version=stored.version))
            case SeedCommitted() | SeedsCalled() | SeedRevealed() | SeedsFixed():
                self._seeds = self._seeds or _ReadSeeds()
                self._seeds.take(event, stored.version)
            case WagersSet(spot, wagers):
                # Collected here, because a full stadium would copy all hands for each of them.
                if wagers:
                    self._wagers.setdefault(spot.seat, stored.version)
                    self._hands[spot] = PlayerHand(spot, wagers)
                else:
                    self._hands.pop(spot, None)
            case _:
                if isinstance(event, BetsClosed):
                    self._closed_version = stored.version
                self._events.append((event, stored.at_ms))


class _ReadSeeds:
    """The seeds of a round while it is read from the record."""

    def __init__(self) -> None:
        self._committed: dict[int, tuple[str, int]] = {}
        self._revealed: dict[int, str] = {}
        self._digest: str | None = None
        self._called_version: int | None = None
        self._fixed_version: int | None = None

    def take(
        self, event: SeedCommitted | SeedsCalled | SeedRevealed | SeedsFixed, version: int
    ) -> None:
        match event:
            case SeedCommitted(seat, commitment):
                self._committed[seat] = commitment, version
            case SeedsCalled(digest):
                self._digest, self._called_version = digest, version
            case SeedRevealed(seat, seed):
                self._revealed[seat] = seed
            case SeedsFixed():
                self._fixed_version = version

    def proved(self, seats: set[int]) -> ProvedSeeds:
        """The seeds of these seats; those of seats without a hand in play do not count."""
        return ProvedSeeds(
            digest=self._digest,
            called_version=self._called_version,
            fixed_version=self._fixed_version,
            seeds=tuple(
                ProvedSeed(
                    seat=seat, commitment=commitment, version=version, seed=self._revealed.get(seat)
                )
                for seat, (commitment, version) in sorted(self._committed.items())
                if seat in seats
            ),
        )


def proof_of_round(store: Store, table: str, number: int, *, seat: int | None = None) -> RoundProof:
    """The proof of a finished round, by its number; raises as ``RoundReader`` does."""
    reader = RoundReader(store)
    return reader.proof(reader.read(table, number), seat=seat)


def _check_provable(recorded: RecordedRound) -> None:
    """Refuse a round without a proof before any secret is read."""
    name = round_id(recorded.table, recorded.number)
    if recorded.ended is None:
        raise Unprovable(f"Round {name} is not over, and its cards are still secret.")
    if recorded.bets_closed_version is None:
        raise Unprovable(f"Round {name} was voided before bets closed; no card was dealt.")
    if TABLE_DECK not in {commitment.deck for commitment in recorded.commitments}:
        raise Unprovable(
            f"Round {name} has no commitment to the table's deck, so there is no proof: "
            "a live dealer dealt it from real cards."
        )
