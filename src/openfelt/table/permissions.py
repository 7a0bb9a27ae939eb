"""Permissions at a table, and the facts that a table needs from outside."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Round
from openfelt.table.commands import Person, Role
from openfelt.table.events import AbsenceNoted, TableEvent
from openfelt.table.refusal import TableCode
from openfelt.table.state import Seat, Table

STAFF: Final = (Role.DEALER, Role.FLOOR)
CONTROL: Final = (Role.FLOOR, Role.AUDITOR)
"""The roles that see every table as its dealer does."""
_PLAYER: Final = Role.PLAYER
NAME: Final = re.compile(r"[a-z0-9][a-z0-9_.@-]{0,63}")

TRIES_ALONE_MAX: Final = 3
"""The most cards of one round that a dealer corrects without a supervisor, and the most that a
dealer takes out of play. Either is refused for a card that has been dealt, so each reveals
something about the cards that lie face down."""

Events = tuple[TableEvent, ...]


# What comes from outside ---------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """Facts from outside a table, which has no clock, no wallets and no link."""

    day: date
    """Today, which decides the limits of a round that opens."""
    round_days: int = 0
    """For how many whole days the round in progress has been open."""
    wallet_cents: int | None = None
    """The balance of the acting player's wallet; without it, buy-ins are not checked here."""
    meter_cents: int | None = None
    """The meter by which the round would be settled now: the link's, with the round's wagers."""
    seed_cents: int | None = None
    """Where that meter begins again once it is won."""
    clock_left_ms: int | None = None
    """The time left on the running clock; without it, all of it."""
    link_takes_wagers: bool = True
    """False while the link is paused."""
    absent_ms: Mapping[str, int] = field(default_factory=dict)
    """How long the terminals of absent players have been gone; a player is absent only after a
    while, so that a reconnecting terminal is not."""
    signed_on_at: Mapping[str, str] = field(default_factory=dict)
    """The table at which each dealer is signed on."""


# Checks --------------------------------------------------------------------------------


def absence_of(table: Table, seat: int, by: Person, outside: Outside) -> Events:
    """The absence on which a dealer acts for a player, for the record; none for a supervisor.

    Raises Refusal if the player is at the table.
    """
    if by.role is not Role.DEALER:
        return ()
    taken = table.seats.get(seat)
    gone_ms = outside.absent_ms.get(taken.player) if taken else None
    if gone_ms is None:
        raise needs_supervisor(
            "The player is at the table: only a supervisor may act for the player."
        )
    return (AbsenceNoted(seat, gone_ms),)


def needs_supervisor(sentence: str) -> Refusal:
    """The refusal of a dealer where a supervisor has to act."""
    return Refusal(TableCode.NEEDS_SUPERVISOR, sentence)


def check_other_person(asked_by: str, by: str, *, request: str) -> None:
    """Refuse people who would approve their own requests; both are names of accounts."""
    if asked_by == by:
        raise needs_supervisor(f"You asked for this {request}: another supervisor must decide.")


def check_name(name: object, whose: str) -> None:
    """Refuse a name that cannot be part of an account's name."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise bad_table(
            f"A {whose}'s name must have 1 to 64 lower-case letters, digits and . _ @ -, "
            f"not {name!r}."
        )


def bad_table(sentence: str) -> Refusal:
    """The refusal of an invalid table, or of an invalid change to one."""
    return Refusal(TableCode.BAD_TABLE, sentence)


def own_seat(table: Table, number: object, by: Person) -> Seat:
    """The seat, if it is the player's own. Other roles act for any seat, where they may act."""
    if type(number) is not int or not 1 <= number <= table.house.seats:
        raise Refusal(TableCode.NO_SUCH_SEAT, f"There is no seat {number} at this table.")
    seat = table.seats.get(number)
    if seat is None:
        raise Refusal(TableCode.SEAT_FREE, f"Seat {number} is empty.")
    if by.role is _PLAYER and seat.player != by.name:
        raise Refusal(TableCode.NOT_YOUR_SEAT, f"Seat {number} is another player's.")
    return seat


def check_in_time(state: Round, outside: Outside) -> None:
    """Refuse to play on in a round that has waited too long: it will be ended (O.unfinished)."""
    days_max = state.house.unfinished_days
    if days_max is not None and outside.round_days >= days_max:
        raise Refusal(
            TableCode.ROUND_EXPIRED,
            f"This round was not finished within {days_max} days and is about to be ended.",
        )


def in_progress(table: Table) -> Round:
    """The round in progress; raises Refusal if there is none."""
    if (state := table.playing) is None:
        raise Refusal(TableCode.NO_ROUND, "No round is in progress.")
    return state
