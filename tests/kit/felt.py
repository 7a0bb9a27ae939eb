"""Rounds as tests play them: every action goes through the referee, every event is kept.

Amounts are written in dollars, cards and decisions as people write them:

    felt = Felt("washington").bet("1.1", "ante 10, trips 5").close()
    felt.run({"1.1": "As Ah", "dealer": "Kc Kd", "common": "2c 7d 9h Js 3c"}, {"1.1": "4x"})
    felt.confirm().line("1.1", "ante")
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from openfelt.cards import Card, parse_cards
from openfelt.catalog import load_house
from openfelt.money import parse_cents
from openfelt.rules import (
    Banker,
    Beneficiary,
    Bet,
    Check,
    CloseBets,
    Confirm,
    DealCard,
    Fold,
    Hold,
    House,
    Line,
    MakeDecision,
    Phase,
    Refusal,
    RefusalCode,
    Settlement,
    SetWagers,
    Spot,
    TurnCards,
    VoidRound,
    Wager,
    WagerKind,
    act,
    apply,
    begin,
    decide,
    open_round,
)
from openfelt.rules.dealing import Deal, Lies, Place, Turn
from openfelt.rules.decisions import Decision
from openfelt.rules.house import Procedure
from openfelt.rules.round_actions import Action
from openfelt.rules.round_events import Event

TODAY = date(2026, 1, 1)

CardsByPlace = Mapping[str, str]
"""Cards by the place they go to: ``{"1.1": "As Ah", "dealer": "Kc Kd", "common": "..."}``."""
DecisionsBySpot = Mapping[str, str]
"""Decisions by spot, with commas between streets: ``{"1.1": "check, 2x"}``."""


def spot_of(text: str) -> Spot:
    """Read ``"2.1"``: seat 2, hand 1."""
    seat, hand = text.split(".")
    return Spot(int(seat), int(hand))


def wagers_of(text: str) -> tuple[Wager, ...]:
    """Read ``"ante 10, trips 5, tip ante 5"``; a tip is a wager for the dealer."""
    return tuple(_wager_of(one.split()) for one in text.split(",") if one.strip())


def _wager_of(words: list[str]) -> Wager:
    *tip, kind, dollars = words
    beneficiary = Beneficiary.DEALER if tip == ["tip"] else Beneficiary.PLAYER
    return Wager(WagerKind(kind), parse_cents(dollars), beneficiary)


def decision_of(text: str) -> Decision:
    """Read ``"check"``, ``"4x"``, ``"fold"`` or ``"hold As Ks"``; ``"hold"`` alone holds none."""
    words = text.strip()
    if words.startswith("hold"):
        return Hold(parse_cards(words.removeprefix("hold")))
    if words.endswith("x"):
        return Bet(int(words[:-1]))
    passing: dict[str, Decision] = {"check": Check(), "fold": Fold()}
    return passing[words]


class Felt:
    """One round on its way, with the record of its events."""

    def __init__(
        self,
        house: House | str,
        *,
        day: date = TODAY,
        procedure: Procedure | None = None,
        banker: Banker | None = None,
    ) -> None:
        rules = load_house(house) if isinstance(house, str) else house
        opened = open_round(rules, number=1, day=day, procedure=procedure, banker=banker)
        self.state = begin(rules, opened)
        self.events: list[Event] = [opened]

    def do(self, action: Action, *, credit_cents: int | None = None) -> "Felt":
        """Take an action, or raise the referee's refusal."""
        for event in decide(self.state, action, credit_cents=credit_cents):
            self.state = apply(self.state, event)
            self.events.append(event)
        return self

    def refuses(self, action: Action, code: RefusalCode, **options: Any) -> str:
        """Check that an action is refused with this code, and changes nothing; give its words."""
        before, events = self.state, list(self.events)
        with pytest.raises(Refusal) as caught:
            self.do(action, **options)
        assert caught.value.code is code
        assert str(caught.value).endswith(".")
        assert (self.state, self.events) == (before, events)
        return str(caught.value)

    def bet(self, spot: str, wagers: str, *, credit_cents: int | None = None) -> "Felt":
        """Set the wagers of a spot."""
        return self.do(SetWagers(spot_of(spot), wagers_of(wagers)), credit_cents=credit_cents)

    def close(self) -> "Felt":
        """Call "no more bets"."""
        return self.do(CloseBets())

    def deal(self, cards: str) -> "Felt":
        """Deal cards one after another, in the order of the plan."""
        for card in parse_cards(cards):
            self.do(DealCard(card))
        return self

    def choose(self, spot: str, decision: str, *, credit_cents: int | None = None) -> "Felt":
        """Decide for a hand."""
        return self.do(
            MakeDecision(spot_of(spot), decision_of(decision)), credit_cents=credit_cents
        )

    def run(
        self,
        cards: CardsByPlace,
        decisions: DecisionsBySpot | None = None,
        *,
        until: Lies | None = None,
    ) -> "Felt":
        """Deal each card to its place, turn, and decide; stop where nothing is said.

        ``until`` stops before these cards are turned.
        """
        left = {spot: texts.split(",") for spot, texts in (decisions or {}).items()}
        while self.state.phase is Phase.PLAYING:
            step = self.state.current_step
            if isinstance(step, Deal):
                card = _card_for(cards, step.place)
                if card is None:
                    return self
                self.do(DealCard(card))
            elif isinstance(step, Turn):
                if step.lies is until:
                    return self
                self.do(TurnCards())
            else:
                spot = next(spot for spot in self.state.hands if spot in self.state.pending)
                if not left.get(str(spot)):
                    return self
                self.choose(str(spot), left[str(spot)].pop(0))
        return self

    def confirm(self, meter_cents: int | None = None) -> "Felt":
        """Confirm the round."""
        return self.do(Confirm(meter_cents))

    def void(self, reason: str = "the shuffler failed") -> "Felt":
        """Declare the round void."""
        return self.do(VoidRound(reason))

    @property
    def settlement(self) -> Settlement:
        """The settlement of a round that is over."""
        assert self.state.settlement is not None
        return self.state.settlement

    def line(self, spot: str, wager: str, *, tip: bool = False) -> Line:
        """How one wager was settled."""
        beneficiary = Beneficiary.DEALER if tip else Beneficiary.PLAYER
        (line,) = (
            line
            for line in self.settlement.lines
            if (str(line.spot), line.wager, line.beneficiary) == (spot, wager, beneficiary)
        )
        return line


def play_stakes(felt: Felt, spot: str) -> dict[int, int]:
    """Every multiple of the Ante that a hand may bet now, with the Play wager that it makes."""
    stakes = {}
    for multiple in range(8):
        action = MakeDecision(spot_of(spot), Bet(multiple))
        try:
            after = act(felt.state, action)
        except Refusal as refusal:
            if refusal.code is not RefusalCode.NO_SUCH_CHOICE:
                raise
        else:
            stakes[multiple] = after.hands[spot_of(spot)].stake_cents(WagerKind.PLAY)
    return stakes


def _card_for(cards: CardsByPlace, place: Place) -> Card | None:
    given = parse_cards(cards.get(str(place.spot) if place.spot else place.lies.value, ""))
    return given[place.position - 1] if place.position <= len(given) else None


def played(
    house: House | str,
    *,
    bets: Mapping[str, str],
    cards: CardsByPlace,
    decisions: DecisionsBySpot | None = None,
    meter_cents: int | None = None,
    procedure: Procedure | None = None,
    banker: Banker | None = None,
) -> Felt:
    """A whole round, confirmed."""
    felt = Felt(house, procedure=procedure, banker=banker)
    for spot, wagers in bets.items():
        felt.bet(spot, wagers)
    return felt.close().run(cards, decisions).confirm(meter_cents)
