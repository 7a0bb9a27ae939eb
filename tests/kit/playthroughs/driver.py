"""Plays a golden round: every action goes through the referee, every event through apply."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from openfelt.cards import Card
from openfelt.rules import (
    CloseBets,
    Confirm,
    DealCard,
    DecidedBy,
    MakeDecision,
    Phase,
    Refusal,
    Round,
    SetWagers,
    Spot,
    TurnCards,
    VoidRound,
    apply,
    begin,
    clock_decision,
    decide,
    open_round,
    replay,
)
from openfelt.rules.dealing import Deal, Lies, Place, Turn
from openfelt.rules.round_actions import Action
from openfelt.rules.round_events import Event
from openfelt.rules.wagers import total_cents
from tests.kit.playthroughs.parser import (
    Attempt,
    Playthrough,
    parse_decision,
    parse_spot,
    parse_wagers,
)

BEFORE_CARDS = "before the deal"
BEFORE_CONFIRMING = "before confirming"


@dataclass(frozen=True)
class Happening:
    """An event with the state after it, or an attempt that was refused."""

    state: Round
    event: Event | None = None
    attempt: str = ""
    refusal: Refusal | None = None


@dataclass
class Table:
    """A table at which one golden round is played."""

    playthrough: Playthrough
    state: Round
    happenings: list[Happening] = field(default_factory=list)

    def credit_cents(self, seat: int) -> int | None:
        """What a seat can still stake, None where the file gives it no credit."""
        given = self.playthrough.credit_cents.get(seat)
        if given is None:
            return None
        on_the_table = sum(
            total_cents(hand.wagers) for spot, hand in self.state.hands.items() if spot.seat == seat
        )
        return given - on_the_table

    def do(self, action: Action, seat: int = 0) -> None:
        """Let an action happen."""
        for event in decide(self.state, action, credit_cents=self.credit_cents(seat)):
            self.state = apply(self.state, event)
            self.happenings.append(Happening(self.state, event))

    def attempt(self, spot: Spot, attempt: Attempt, action: Action) -> None:
        """Let an action happen, or see it refused as the file says, changing nothing."""
        if attempt.refused is None:
            self.do(action, spot.seat)
            return
        with pytest.raises(Refusal) as caught:
            decide(self.state, action, credit_cents=self.credit_cents(spot.seat))
        assert caught.value.code is attempt.refused, f"{spot}: {attempt.text}"
        text = f"{spot}: {attempt.text}"
        self.happenings.append(Happening(self.state, attempt=text, refusal=caught.value))


def play(playthrough: Playthrough) -> Table:
    """Play the file's round to its end, and check that its record replays to the same state."""
    house = playthrough.house
    opened = open_round(
        house,
        number=1,
        day=playthrough.day,
        procedure=playthrough.procedure,
        banker=playthrough.banker,
    )
    table = Table(playthrough, begin(house, opened))
    for spot, attempt in playthrough.wagers():
        table.attempt(spot, attempt, SetWagers(spot, parse_wagers(attempt.text)))
    table.do(CloseBets())
    _deal_and_decide(table)
    if table.state.phase is Phase.READY:
        if not _voided(table, BEFORE_CONFIRMING):
            table.do(Confirm(playthrough.meter_cents))
    elif table.state.phase is not Phase.VOIDED:
        raise AssertionError(f"the round stops at {table.state.current_step}")
    events = [one.event for one in table.happenings if one.event is not None]
    assert replay(house, [opened, *events]) == table.state
    return table


def _deal_and_decide(table: Table) -> None:
    places = _cards_by_place(table.playthrough)
    waiting = table.playthrough.decisions()
    if _voided(table, BEFORE_CARDS):
        return
    while table.state.phase is Phase.PLAYING:
        street = table.state.street
        match table.state.current_step:
            case Deal(place):
                table.do(DealCard(places.pop(place)))
            case Turn():
                table.do(TurnCards())
            case _ if street is not None and _voided(table, street.words):
                return
            case _:
                _decide_all(table, waiting)
    assert not places, f"cards left over: {places}"
    assert not any(waiting.values()), f"decisions left over: {waiting}"


def _voided(table: Table, moment: str) -> bool:
    void = table.playthrough.void
    if void is None or void[0] != moment:
        return False
    table.do(VoidRound(void[1]))
    return True


def _decide_all(table: Table, waiting: dict[Spot, list[Attempt]]) -> None:
    """One street: first what is refused before anybody has decided, then every decision.

    What a hand tries after its last decision is tried at once.
    """
    deciding = [spot for spot in waiting if spot in table.state.pending]
    assert set(deciding) == table.state.pending, f"no decision for {table.state.pending}"
    for spot in deciding:
        while waiting[spot] and waiting[spot][0].refused:
            _decide_one(table, spot, waiting[spot].pop(0))
    for spot in deciding:
        assert waiting[spot], f"{spot} has no decision for {table.state.street}"
        _decide_one(table, spot, waiting[spot].pop(0))
        while waiting[spot] and all(attempt.refused for attempt in waiting[spot]):
            _decide_one(table, spot, waiting[spot].pop(0))


def _decide_one(table: Table, spot: Spot, attempt: Attempt) -> None:
    if attempt.text == "clock":
        decision, by = clock_decision(table.state, spot), DecidedBy.CLOCK
    else:
        decision = parse_decision(attempt.text, table.state.hands[spot].cards)
        by = DecidedBy.PLAYER
    table.attempt(spot, attempt, MakeDecision(spot, decision, by))


def _cards_by_place(playthrough: Playthrough) -> dict[Place, Card]:
    return {
        place: card
        for key, cards in playthrough.cards().items()
        for place, card in zip(_places(key, len(cards)), cards, strict=True)
    }


def _places(key: str, count: int) -> Iterator[Place]:
    for position in range(1, count + 1):
        if key == "dealer":
            yield Place(Lies.DEALER, None, position)
        elif key in ("board", "draw"):
            yield Place(Lies.COMMON, None, position)
        else:
            yield Place(Lies.HAND, parse_spot(key), position)
