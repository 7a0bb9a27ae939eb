"""The facts of a finished round that the statistics need, taken from its events.

The events of a round are kept undecoded until the round is over. So no card that lies face down in
a round in progress is ever decrypted here.
"""

from dataclasses import dataclass, field
from typing import Final

from openfelt.cards import UNKNOWN_CARD, Card
from openfelt.rules.dealing import Lies
from openfelt.rules.decisions import Bet
from openfelt.rules.house import House
from openfelt.rules.lines import Settlement
from openfelt.rules.round_events import (
    DecisionMade,
    IrregularityDeclared,
    RoundOpened,
    RoundSettled,
    WagersSet,
)
from openfelt.rules.wagers import Spot
from openfelt.runtime.rounds.recorded_round import DealtCards
from openfelt.storage.door import StoredEvent
from openfelt.storage.event_forms import ROUND_OPENED, ROUND_SETTLED, ROUND_VOIDED, EventCodec
from openfelt.storage.rulebook import Rulebook
from openfelt.table.commands import Actor

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
    players: dict[Spot, str]
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
        players: dict[Spot, str] = {}
        played: dict[Spot, bool] = {}
        irregular = False
        settlement: Settlement | None = None
        decoded = [self.codec.decode(stored) for stored in events[1:]]
        cards = DealtCards(decoded)
        for stored, event in zip(events[1:], decoded, strict=True):
            match event:
                case WagersSet(spot):
                    if (player := Actor.parse(stored.cause.actor).player) is not None:
                        players[spot] = player
                case DecisionMade(spot, decision):
                    played[spot] = isinstance(decision, Bet)
                case IrregularityDeclared():
                    irregular = True
                case RoundSettled(settlement=settled):
                    settlement = settled
        assert settlement is not None
        return RoundFacts(
            house=house,
            number=opened.number,
            settlement=settlement,
            player_banks=opened.banker is not None,
            irregular=irregular,
            players=players,
            hands=cards.hands,
            dealer=cards.at(Lies.DEALER),
            board=cards.at(Lies.COMMON),
            played=played,
        )
