"""A round as its table's record has it, built from the events of the record."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from openfelt.cards import Card
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.round import Phase, Round, plan_of
from openfelt.rules.round_events import (
    AntesReturned,
    BetsClosed,
    CardCorrected,
    CardDealt,
    CardsTurned,
    DecisionMade,
    Event,
    IrregularityDeclared,
    RoundSettled,
    RoundVoided,
    WagersSet,
)
from openfelt.rules.wagers import Spot
from openfelt.runtime.rounds.proof import Commitment, ProvedSeeds, ScannedCard, round_id
from openfelt.runtime.rounds.recorded_seeds import RecordedScans, RecordedSeeds
from openfelt.runtime.shuffle.deck_secrets import ShownParts
from openfelt.storage.codec import read_json
from openfelt.storage.door import StoredEvent
from openfelt.storage.event_forms import ROUND_ENDS, ROUND_OPENED, EventCodec
from openfelt.table.commands import Actor
from openfelt.table.deck import TABLE_DECK, seat_of_deck
from openfelt.table.events import (
    DeckCommitted,
    SeedCommitted,
    SeedRevealed,
    SeedsCalled,
    SeedsFixed,
)

COMMITMENT: Final = "deck_committed"
WAGERS_SET: Final = "wagers_set"
_ROUND_EVENTS: Final = ROUND_ENDS | {
    WAGERS_SET,
    "bets_closed",
    "card_dealt",
    "card_corrected",
    "cards_turned",
    "antes_returned",
    "decision_made",
    "irregularity_declared",
    "seed_committed",
    "seeds_called",
    "seed_revealed",
    "seeds_fixed",
    COMMITMENT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRound:
    """A round as its table's record has it."""

    table: str
    opened: Round
    """The round with its wagers, just before bets closed."""
    players: Mapping[Spot, str] = field(default_factory=dict)
    """The account that set the wagers of each hand, where a player did."""
    events: tuple[tuple[Event, int], ...] = ()
    """The events from the closing of bets on, each with its time."""
    commitments: tuple[Commitment, ...] = ()
    bets_closed_version: int | None = None
    """The version of the event that closed bets, None if they never closed."""
    seeds: ProvedSeeds | None = None
    """None in a round whose decks were not committed to before its wagers."""
    purged: bool = False
    """Whether cards that were never shown are unknown, because they were purged."""
    scanned: tuple[ScannedCard, ...] | None = None
    """The cards that a live dealer scanned, as they were when the terminals' hands were dealt;
    None in a round whose cards all come from decks, or all from a real one."""

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
        cards = DealtCards(event for event, _ in self.events)
        spots = tuple(sorted(opened.hands)) if closed else tuple(opened.hands)
        return replace(
            opened,
            phase=ended,
            plan=plan_of(opened, spots) if closed else (),
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


class DealtCards:
    """The places of a round's cards at its end."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._cards: dict[Place, Card] = {}
        self._positions: defaultdict[tuple[Lies, Spot | None], list[int]] = defaultdict(list)
        self.hands_face_up: set[Spot] = set()
        self.dealer_face_up = False
        self.common_face_up = 0
        for event in events:
            match event:
                case CardDealt(place, card, face_up):
                    self._cards[place] = card
                    self._positions[place.lies, place.spot].append(place.position)
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
        positions = sorted(self._positions[lies, spot])
        return tuple(self._cards[Place(lies, spot, position)] for position in positions)

    @property
    def hands(self) -> dict[Spot, tuple[Card, ...]]:
        """The cards of every hand."""
        return {
            spot: self.at(lies, spot)
            for lies, spot in tuple(self._positions)
            if lies is Lies.HAND and spot is not None
        }


def seat_players(events: Iterable[StoredEvent]) -> dict[int, str]:
    """The player of each seat in the last round of these events, by who has set its wagers."""
    players: dict[int, str] = {}
    for stored in events:
        if stored.name == ROUND_OPENED:
            players = {}
        elif stored.name == WAGERS_SET:
            player = Actor.parse(stored.cause.actor).player
            if player is not None:
                players[Spot.parse(read_json(stored.open_body)["spot"]).seat] = player
    return players


def _seat_of(event: Event) -> int | None:
    """The seat whose hand an event is about, None if it is about the whole table."""
    match event:
        case CardDealt(place) | CardCorrected(place):
            return place.spot.seat if place.spot else None
        case DecisionMade(spot):
            return spot.seat
        case IrregularityDeclared(spot=Spot() as spot):
            return spot.seat
        case CardsTurned(_, _, (spot,)):
            return spot.seat
        case _:
            return None


def _for_seat(event: Event, seat: int) -> Event:
    """An event without the hands of other seats."""
    if isinstance(event, CardsTurned | AntesReturned) and event.spots:
        return replace(event, spots=tuple(spot for spot in event.spots if spot.seat == seat))
    return event


# Reading --------------------------------------------------------------------


class RoundReading:
    """A round while it is read from the record.

    ``shown`` has the hidden parts of a purged round that were shown in the end; without it, the
    cards that the purge hid are unknown.
    """

    def __init__(
        self, codec: EventCodec, table: str, opened: Round, shown: ShownParts | None = None
    ) -> None:
        self._decode = codec.decode if shown is None else partial(codec.decode, shown=shown)
        self._shown = shown
        self._table = table
        self._opened = opened
        self._hands: dict[Spot, PlayerHand] = {}
        self._players: dict[Spot, str] = {}
        self._events: list[tuple[Event, int]] = []
        self._commitments: list[Commitment] = []
        self._wagers: dict[int, int] = {}
        """By seat, the version of its first wager."""
        self._closed_version: int | None = None
        self._seeds: RecordedSeeds | None = None
        self._scans = RecordedScans()

    def seal(self, stored: StoredEvent) -> None:
        """Take a commitment that was published before the round opened."""
        self._seeds = self._seeds or RecordedSeeds()
        self._take(stored)

    def read(self, record: Iterable[StoredEvent]) -> RecordedRound:
        """Take the events of the round up to its end."""
        for stored in record:
            if stored.name in _ROUND_EVENTS:
                self._take(stored)
            if stored.name in ROUND_ENDS or stored.name == ROUND_OPENED:
                break
        seats = {spot.seat for spot in self._hands}
        if (banker := self._opened.opened.banker) is not None:
            seats.add(banker.seat)
        name = round_id(self._table, self._opened.opened.number)
        return RecordedRound(
            table=self._table,
            opened=replace(self._opened, hands=dict(self._hands)),
            players=dict(self._players),
            events=tuple(self._events),
            commitments=tuple(map(self._with_wager, self._commitments)),
            bets_closed_version=self._closed_version,
            seeds=self._seeds.proved(seats, name) if self._seeds is not None else None,
            purged=self._shown is not None and self._shown.asked,
            scanned=self._scans.scanned(self._opened.house, self._opened.opened.procedure)
            if self._seeds is not None and self._live
            else None,
        )

    @property
    def _live(self) -> bool:
        """Whether a live dealer dealt beside terminals with their own decks."""
        return TABLE_DECK not in {commitment.deck for commitment in self._commitments}

    def _with_wager(self, commitment: Commitment) -> Commitment:
        """A commitment, with the first wager that its deck serves."""
        if self._seeds is None or not self._wagers:
            return commitment
        seat = seat_of_deck(commitment.deck)
        first = min(self._wagers.values()) if seat is None else self._wagers.get(seat)
        return replace(commitment, wager_version=first)

    def _take(self, stored: StoredEvent) -> None:
        event = self._decode(stored)
        match event:
            case DeckCommitted(deck, root):
                self._commitments.append(Commitment(deck=deck, root=root, version=stored.version))
            case SeedCommitted() | SeedsCalled() | SeedRevealed() | SeedsFixed():
                self._seeds = self._seeds or RecordedSeeds()
                self._seeds.take(event, stored.version)
            case WagersSet(spot, wagers):
                if (player := Actor.parse(stored.cause.actor).player) is not None:
                    self._players[spot] = player
                # Collected here, because a full stadium would copy all hands for each of them.
                if wagers:
                    self._wagers.setdefault(spot.seat, stored.version)
                    self._hands[spot] = PlayerHand(spot, wagers)
                else:
                    self._hands.pop(spot, None)
            case _:
                if isinstance(event, BetsClosed):
                    self._closed_version = stored.version
                    if self._commitments and self._live:
                        # The first player sat down after a live dealer had opened the round.
                        self._seeds = self._seeds or RecordedSeeds()
                if isinstance(event, CardDealt | CardCorrected):
                    self._scans.take(event, stored.version)
                self._events.append((event, stored.at_ms))
