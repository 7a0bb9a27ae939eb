"""The auditor's own account of one table's rounds: wagers, cards and settlements.

It is kept from the events alone, by arithmetic of its own, so that a mistake in the rules or
in the ledger is not made here a second time.
"""

import json
from collections import Counter

from openfelt.cards import Card, parse_cards
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.decisions import Bet
from openfelt.rules.house import Deck
from openfelt.rules.lines import Line, PaidBy, Result, Settlement
from openfelt.rules.round import (
    CardCorrected,
    CardDealt,
    DecisionMade,
    Phase,
    Round,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    WagersSet,
)
from openfelt.rules.wagers import Beneficiary, Spot, WagerKind
from openfelt.storage.door import Store
from openfelt.table.deck import deck_of
from openfelt.table.events import DeckCommitted, TableEvent
from openfelt.table.state import Table
from tests.simulation.failure import require
from tests.simulation.tally import Tally

Circle = tuple[Spot, str, Beneficiary]
"""One betting circle of one hand."""


class RoundAudit:
    """What has happened in the round in progress of one table."""

    def __init__(self, stream: str, tally: Tally) -> None:
        self._stream = stream
        self._tally = tally
        self.wagers: dict[Circle, int] = {}
        self.decks: dict[str, tuple[Card, ...]] = {}
        """The secret decks that the table has committed to."""
        self._dealt: Counter[str] = Counter()
        self._round = ""

    @property
    def on_felt_cents(self) -> int:
        """What lies on all circles together."""
        return sum(self.wagers.values())

    def take(self, before: Table, event: TableEvent, store: Store) -> None:
        """Follow one event at the table as it was before."""
        match event:
            case RoundOpened(number=number):
                require(not self.wagers, "wagers", f"{self._round} left wagers on the felt.")
                self._round = f"{before.id}/{number}"
                self.decks, self._dealt = {}, Counter()
            case WagersSet(spot, wagers):
                self._clear(spot)
                self.wagers |= {(spot, w.kind.value, w.beneficiary): w.cents for w in wagers}
            case DecisionMade(spot, Bet(multiple)):
                self._play(spot, multiple)
            case DeckCommitted(deck, root):
                self._commit(before, deck, root, store)
            case CardDealt(place, card, _):
                self._deal(before, place, card)
            case CardCorrected(place, card):
                self._check_new(before, place, card)
                self._tally.add("card corrected")
            case RoundSettled(settlement):
                self._settle(before, settlement)
            case RoundVoided(_, settlement):
                self._void(before, settlement)

    def _clear(self, spot: Spot) -> None:
        self.wagers = {at: cents for at, cents in self.wagers.items() if at[0] != spot}

    def _play(self, spot: Spot, multiple: int) -> None:
        for (at, kind, beneficiary), cents in list(self.wagers.items()):
            if (at, kind) == (spot, WagerKind.ANTE.value):
                self.wagers[spot, WagerKind.PLAY.value, beneficiary] = cents * multiple

    # Cards ---------------------------------------------------------------------------

    def _commit(self, before: Table, deck: str, root: str, store: Store) -> None:
        body = store.secrets(self._stream, f"{before.rounds}/{deck}").get(f"{before.rounds}/{deck}")
        require(body is not None, "deck", f"{self._round} has no secret deck {deck}.")
        plain = json.loads(body or "{}")
        require(plain["root"] == root, "deck", f"{self._round} published another root of {deck}.")
        require(deck not in self.decks, "deck", f"{self._round} shuffled {deck} twice.")
        self.decks[deck] = parse_cards(plain["cards"])

    def _deal(self, before: Table, place: Place, card: Card) -> None:
        assert before.round is not None
        self._check_new(before, place, card)
        deck = deck_of(before.round.house, place)
        if deck in self.decks:
            committed = self.decks[deck][self._dealt[deck]]
            require(
                card == committed,
                "deck",
                f"{self._round} dealt {card} from {deck}, and was bound to {committed}.",
            )
        self._dealt[deck] += 1

    def _check_new(self, before: Table, place: Place, card: Card) -> None:
        """No card comes twice out of one deck."""
        state = before.round
        assert state is not None
        require(
            card not in _cards_of_deck(state, place),
            "card dealt twice",
            f"{self._round} dealt {card} to {place}, and it lies there already.",
        )

    # Settling ------------------------------------------------------------------------

    def _settle(self, before: Table, settlement: Settlement) -> None:
        self._check_lines(settlement)
        assert before.round is not None
        for line in settlement.lines:
            self._check_line(before.round, line)
        self._tally.add("rounds settled")
        self._tally.add(f"rounds settled, {before.house.id}")
        if any(line.uncovered_cents for line in settlement.lines):
            self._tally.add("bank ran out")
        if settlement.meter_paid_cents:
            self._tally.add("share of a jackpot won")

    def _void(self, before: Table, settlement: Settlement) -> None:
        self._check_lines(settlement)
        for line in settlement.lines:
            back = line.returned_cents == line.stake_cents and not line.payout_cents
            require(back, "void", f"{self._round} is void, and this is not a return: {line}.")
        assert before.round is not None
        self._tally.add("rounds voided")
        self._tally.add(f"voided {_moment(before.round)}")

    def _check_lines(self, settlement: Settlement) -> None:
        """Every wager on the felt has one line, and no line is about another wager."""
        settled = Counter(
            (line.spot, line.wager, line.beneficiary)
            for line in settlement.lines
            if line.wager not in ("envy", "ante_bonus")
        )
        stakes = {
            (line.spot, line.wager, line.beneficiary): line.stake_cents
            for line in settlement.lines
            if line.wager not in ("envy", "ante_bonus")
        }
        require(
            stakes == self.wagers and all(count == 1 for count in settled.values()),
            "wager settled once",
            f"{self._round} had {self.wagers} on the felt and settled {stakes}, {settled}.",
        )
        self.wagers = {}

    def _check_line(self, state: Round, line: Line) -> None:
        """Whole cents, by the odds that the line names, rounded down as the house says."""
        amounts = (line.stake_cents, line.returned_cents, line.payout_cents, line.uncovered_cents)
        require(
            all(type(cents) is int and cents >= 0 for cents in amounts),
            "whole cents",
            f"{self._round} has a line with other amounts: {line}.",
        )
        if line.odds is None or line.result is not Result.WIN or line.paid_by is PaidBy.LINK:
            return
        unit, stake_cents = state.house.rounding_unit_cents, line.stake_cents
        if line.wager == "ante_bonus":
            stake_cents = state.hands[line.spot].stake_cents(WagerKind.ANTE, line.beneficiary)
        due_cents = stake_cents * line.odds.pays // line.odds.per // unit * unit
        require(
            line.payout_cents + line.uncovered_cents == due_cents,
            "payout to the cent",
            f"{self._round} owes {due_cents} cents: {line}.",
        )


def _cards_of_deck(state: Round, place: Place) -> set[Card]:
    """The cards on the felt that came out of the deck of this place."""
    own = state.house.deck is Deck.PER_TERMINAL and place.lies is Lies.HAND
    cards = {*state.dealer, *state.common}
    for spot, hand in state.hands.items():
        if not own or (place.spot is not None and spot.seat == place.spot.seat):
            cards.update(hand.cards)
    return cards


def _moment(state: Round) -> str:
    """When in a round something happened."""
    if state.phase is Phase.PLAYING:
        return state.street.words if state.street else "while cards were dealt"
    return {Phase.WAGERING: "while bets were open", Phase.READY: "before it was confirmed"}[
        state.phase
    ]
