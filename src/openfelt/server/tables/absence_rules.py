"""The actions for a player or dealer whose terminal is gone, and the delays before them."""

from dataclasses import dataclass
from typing import Final

from openfelt.rules.choices import clock_decision
from openfelt.rules.round import Phase, Round
from openfelt.rules.round_actions import MakeDecision, SetWagers, VoidRound
from openfelt.table.commands import (
    ChangeDealer,
    DeclineBank,
    LeaveSeat,
    Person,
    Role,
    TableCommand,
)
from openfelt.table.state import Table

BANK_MS: Final = 15_000
"""How long a bank offer waits for a terminal that is gone."""
DEALER_MS: Final = 15_000
"""How long a dealer whose terminal is gone still counts as being at the table."""
ABSENT_MS: Final = 30_000
"""After how long a player is absent, so that the dealer may act for the player."""
SEAT_MS: Final = 180_000
"""How long a seat is kept for a terminal that is gone, after the round that it played."""
AGAIN_MS: Final = 1_000
"""After a step of a round, the next one may be due."""
STREET_MS: Final = 10_000
ROUND_MS: Final = 60_000
"""How often a seat in play is checked, at a table without a clock and with one."""

ABSENCE: Final = Person(Role.FLOOR, "absence")
LEFT: Final = "The player/dealer has left before any player bet."


@dataclass(frozen=True, slots=True)
class Next:
    """The next action for an absent person, and when to check again."""

    command: TableCommand | None = None
    in_ms: int | None = None
    """None if the next event of the table, or the end of the absence, comes first."""


def next_step(table: Table, person: str, gone_ms: int) -> Next:
    """The next step for a player or dealer who has been gone for this long."""
    if person == table.dealer:
        return _after(ChangeDealer(None), DEALER_MS, gone_ms)
    seat = table.seat_of(person)
    if seat is None:
        return Next()
    if table.wagers_of(seat):
        return _in_play(table, seat, gone_ms)
    if gone_ms >= SEAT_MS:
        return Next(LeaveSeat(seat))
    offered = table.player_banked and table.playing is None and table.bank_offered_to == seat
    if offered and not table.has_declined(seat):
        decline = _after(DeclineBank(seat), BANK_MS, gone_ms)
        return Next(decline.command, decline.in_ms or SEAT_MS - gone_ms)
    return Next(in_ms=SEAT_MS - gone_ms)


def _after(command: TableCommand, patience_ms: int, gone_ms: int) -> Next:
    return Next(command) if gone_ms >= patience_ms else Next(in_ms=patience_ms - gone_ms)


def _in_play(table: Table, seat: int, gone_ms: int) -> Next:
    """Wagers on the felt are played by the clock, or by the house if there is none."""
    state = table.playing
    assert state is not None
    command = _of_round(table, state, seat)
    if command is None:
        # The end of the round is an event. Without a clock a street may come before it, and a
        # store that has failed in the meantime may have kept an event from us.
        return Next(in_ms=STREET_MS if table.clock_rule is None else ROUND_MS)
    step = _after(command, SEAT_MS, gone_ms)
    return Next(step.command, step.in_ms or AGAIN_MS)


def _of_round(table: Table, state: Round, seat: int) -> TableCommand | None:
    """The step of the round that waits for this seat alone."""
    banker = state.opened.banker
    if state.phase is Phase.WAGERING:
        if banker is not None and banker.seat == seat:
            return None if state.hands else VoidRound(LEFT)
        # A live dealer closes the bets; where the dealer has left too, nothing would.
        unattended = table.virtual or table.dealer is None
        untimed = table.clock_rule is None and unattended
        return SetWagers(state.hands_of(seat)[0].spot, ()) if untimed else None
    if table.clock_rule is not None:
        return None
    due = (hand.spot for hand in state.hands_of(seat) if hand.spot in state.pending)
    spot = next(due, None)
    return None if spot is None else MakeDecision(spot, clock_decision(state, spot))
