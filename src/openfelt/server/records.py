"""The record of one round, cut out of its table's, and what its proof is made of. Blocking."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from openfelt.rules.round import (
    BetsClosed,
    Event,
    PlayerHand,
    Round,
    RoundOpened,
    WagersSet,
    apply,
    begin,
)
from openfelt.rules.wagers import Spot
from openfelt.runtime.recovery import table_stream
from openfelt.runtime.round_proof import Commitment, RoundProof, make_round_proof
from openfelt.runtime.shuffler import SecretDeck
from openfelt.runtime.worker import Tools
from openfelt.storage.codec import CodecError
from openfelt.storage.door import StoredEvent
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
    def number(self) -> int:
        """The number of the round."""
        return self.opened.opened.number

    def final(self) -> Round:
        """The round when it was over."""
        state = self.opened
        for event, _ in self.events:
            state = apply(state, event)
        return state


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
    secrets = tools.store.secrets(table_stream(recorded.table), f"{recorded.number}/")
    decks = [SecretDeck.from_json(body) for body in secrets.values()]
    return make_round_proof(
        recorded.final(),
        table=recorded.table,
        decks=decks,
        commitments=recorded.commitments,
        bets_closed_version=recorded.bets_closed_version or 0,
        seat=seat,
    )
