"""The facts of a finished round that the statistics need, taken from its events.

The events of all tables are taken one after another as they are committed, so that no event is read
twice, and those of a round are kept undecoded until the round is over. So no card that lies face
down in a round in progress is ever decrypted here. Then `RoundReading` interprets them, as for any
other reader of a round; the cards of a purged round stay unknown.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from openfelt.cards import UNKNOWN_CARD, Card
from openfelt.rules.dealing import Lies
from openfelt.rules.decisions import Bet
from openfelt.rules.house import House
from openfelt.rules.lines import Settlement
from openfelt.rules.round import begin
from openfelt.rules.round_events import (
    DecisionMade,
    IrregularityDeclared,
    RoundOpened,
    RoundSettled,
)
from openfelt.rules.wagers import Spot
from openfelt.runtime.rounds.recorded_round import DealtCards, RecordedRound, RoundReading
from openfelt.runtime.streams import name_of
from openfelt.storage.door import StoredEvent
from openfelt.storage.event_forms import ROUND_OPENED, ROUND_SETTLED, ROUND_VOIDED, EventCodec
from openfelt.storage.rulebook import Rulebook

READ: Final = frozenset(
    {
        ROUND_OPENED,
        "wagers_set",
        "card_dealt",
        "card_corrected",
        "decision_made",
        "irregularity_declared",
        ROUND_SETTLED,
        ROUND_VOIDED,
    }
)
"""The events of a round that matter here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFacts:
    """A finished round."""

    house: House
    number: int
    settlement: Settlement
    player_banks: bool
    irregular: bool
    """Whether something went wrong in the deal; its cards are not those of a fair deal then."""
    players: Mapping[Spot, str]
    """The account that set the wagers of each hand."""
    hands: dict[Spot, tuple[Card, ...]]
    dealer: tuple[Card, ...]
    board: tuple[Card, ...]
    played: dict[Spot, bool]
    """By hand, whether it made a Play wager."""

    @property
    def whole(self) -> bool:
        """Whether every card is known."""
        cards = [card for hand in self.hands.values() for card in hand]
        return UNKNOWN_CARD not in (*cards, *self.dealer, *self.board)


@dataclass(slots=True)
class RoundFactsReader:
    """Collects the events of one table, round by round."""

    codec: EventCodec
    rulebook: Rulebook
    _events: list[StoredEvent] = field(default_factory=list)

    def take(self, stored: StoredEvent) -> RoundFacts | None:
        """Take the next event; the round that it settles, if it settles one.

        A caller that could not use the round may take its last event again; one that has used it
        calls ``used``.
        """
        if stored.name == ROUND_OPENED:
            self._events = [stored]
        elif self._events and stored.version > self._events[-1].version:
            self._events.append(stored)
        if stored.name == ROUND_VOIDED:
            self._events = []
        if stored.name != ROUND_SETTLED or not self._events:
            return None
        return self._facts(self._events)

    def used(self) -> None:
        """Forget the events of the round: until the next one opens, they would only take space."""
        self._events = []

    def _facts(self, events: list[StoredEvent]) -> RoundFacts | None:
        opened = self.codec.decode(events[0])
        assert isinstance(opened, RoundOpened)
        house = self.rulebook.house(opened.fingerprint)
        if house is None:
            return None
        table = name_of(events[0].stream)
        return facts_of(RoundReading(self.codec, table, begin(house, opened)).read(events[1:]))


def facts_of(recorded: RecordedRound) -> RoundFacts:
    """The facts of a settled round."""
    played: dict[Spot, bool] = {}
    irregular = False
    for event, _ in recorded.events:
        match event:
            case DecisionMade(spot, decision):
                played[spot] = isinstance(decision, Bet)
            case IrregularityDeclared():
                irregular = True
    settled = recorded.events[-1][0]
    assert isinstance(settled, RoundSettled)
    opened, cards = recorded.opened, DealtCards(event for event, _ in recorded.events)
    return RoundFacts(
        house=opened.house,
        number=recorded.number,
        settlement=settled.settlement,
        player_banks=opened.opened.banker is not None,
        irregular=irregular,
        players=recorded.players,
        hands=cards.hands,
        dealer=cards.at(Lies.DEALER),
        board=cards.at(Lies.COMMON),
        played=played,
    )
