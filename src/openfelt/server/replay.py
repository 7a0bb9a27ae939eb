"""A finished round again, card by card, as one player was allowed to see it."""

from dataclasses import dataclass
from typing import Any, Final

import msgspec

from openfelt.money import format_cents
from openfelt.rules.dealing import Lies
from openfelt.rules.house import DealerMode
from openfelt.rules.round import (
    BetsClosed,
    CardCorrected,
    CardDealt,
    CardsTurned,
    DecisionMade,
    Event,
    Round,
    RoundSettled,
    RoundVoided,
    apply,
)
from openfelt.server import messages
from openfelt.server.records import Recorded
from openfelt.server.views import private_view, public_view, shows_all_hands
from openfelt.table.commands import Person, Role
from openfelt.table.events import TableOpened
from openfelt.table.state import Seat, Table

STEPS_MAX: Final = 400
"""More than any round that is dealt from one deck has."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a replay: what happened, and the table after it."""

    text: str
    at_ms: int
    round: messages.RoundView
    own: dict[str, messages.OwnHandView]

    def plain(self) -> dict[str, Any]:
        """The step as plain values."""
        return {
            "text": self.text,
            "at_ms": self.at_ms,
            "public": msgspec.to_builtins(self.round),
            "own": msgspec.to_builtins(self.own),
        }


def replay_steps(recorded: Recorded, *, seat: int, player: str) -> list[Step]:
    """The steps of a round that change what its player sees, from the closing of bets on."""
    hands = len(recorded.opened.hands)
    if not shows_all_hands(recorded.opened.house):
        recorded = recorded.of_seat(seat)
    state, steps = recorded.opened, list[Step]()
    for event, at_ms in recorded.events[:STEPS_MAX]:
        state = apply(state, event)
        frame, own = _frame(recorded.table, state, seat, player)
        frame = msgspec.structs.replace(frame, hands_in_play=hands)
        if not steps or (steps[-1].round, steps[-1].own) != (frame, own):
            steps.append(Step(_text(event, state, seat), at_ms, frame, own))
    return steps


def own_lines(steps: list[Step]) -> list[messages.LineView]:
    """What became of the player's wagers, hand by hand."""
    return [line for hand in steps[-1].own.values() for line in hand.lines] if steps else []


def _frame(
    name: str, state: Round, seat: int, player: str
) -> tuple[messages.RoundView, dict[str, messages.OwnHandView]]:
    """The views of the live table, of a table at which only this round is played."""
    opened = TableOpened(
        table=name,
        house=state.house,
        dealer_mode=DealerMode.VIRTUAL,
        clock=None,
        private_to=None,
        link=None,
    )
    table = Table(
        opened=opened,
        house=state.house,
        link=None,
        seats={seat: Seat(player)},
        round=state,
        rounds=state.opened.number,
    )
    public = public_view(table, meter_cents=None, stopped=None).round
    assert public is not None
    own = private_view(table, Person(Role.PLAYER, player), wallet_cents=0).hands
    # Nothing can be chosen any more.
    settled = {
        spot: msgspec.structs.replace(hand, choices=[], may_hold=False, clock_decides=None)
        for spot, hand in own.items()
    }
    return public, settled


# Words -----------------------------------------------------------------------------


def _text(event: Event, state: Round, seat: int) -> str:
    """What happened, in words that name no card the player cannot see."""
    match event:
        case BetsClosed():
            return "No more bets."
        case CardDealt() | CardCorrected():
            return _dealt(event, seat, state)
        case CardsTurned():
            return _turned(event, state)
        case DecisionMade(spot, decision, by):
            if spot.seat != seat:
                return f"Hand {spot} has decided."
            whose = f"Hand {spot}" if state.house.hands_per_seat > 1 else "You"
            late = "" if by.value == "player" else f" ({by.value})"
            return f"{whose}: {decision}{late}."
        case RoundSettled(settlement):
            return f"The round is settled: {_net(settlement.net_cents(seat))}."
        case RoundVoided(reason):
            return f"The round is void: {reason}"
        case _:
            raise ValueError(f"{type(event).__name__} does not happen after bets are closed")


def _dealt(event: CardDealt | CardCorrected, seat: int, state: Round) -> str:
    place = event.place
    corrected = " is corrected" if isinstance(event, CardCorrected) else ""
    seen = _visible(event, seat, state)
    card = f": {event.card.words}" if seen else ", face down"
    return f"{_capital(str(place))}{corrected}{card}."


def _visible(event: CardDealt | CardCorrected, seat: int, state: Round) -> bool:
    place = event.place
    if place.spot is not None:
        return place.spot.seat == seat or state.hands[place.spot].face_up
    if place.lies is Lies.DEALER:
        return state.dealer_face_up
    return place.position <= state.common_face_up


def _turned(event: CardsTurned, state: Round) -> str:
    if event.lies is Lies.DEALER:
        return f"The dealer shows {' '.join(str(card) for card in state.dealer)}."
    if event.lies is Lies.COMMON:
        shown = state.common[: state.common_face_up]
        return f"Face up now: {' '.join(str(card) for card in shown)}."
    return "The hands are turned over."


def _net(cents: int) -> str:
    if cents == 0:
        return "you are even"
    return f"you {'win' if cents > 0 else 'lose'} {format_cents(abs(cents))}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
