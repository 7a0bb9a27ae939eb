"""Who may do what at a table, and what a table must be told from outside."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Final

from openfelt.rules.referee import (
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    MakeDecision,
    SetWagers,
    TurnCards,
    VoidRound,
)
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Round
from openfelt.table.commands import (
    BuyIn,
    ChangeDealer,
    ChangeLink,
    ChangeRules,
    CloseTable,
    Collect,
    DeclineBank,
    EndTime,
    ExpireRound,
    LeaveSeat,
    OpenBets,
    Person,
    ReopenTable,
    ResumeClock,
    RevealSeed,
    Role,
    SeededWagers,
    TakeBank,
    TakeSeat,
)
from openfelt.table.events import AbsenceNoted, TableEvent
from openfelt.table.refusal import TableCode
from openfelt.table.state import Seat, Table

STAFF: Final = (Role.DEALER, Role.FLOOR)
NAME: Final = re.compile(r"[a-z0-9][a-z0-9_.@-]{0,63}")

Events = tuple[TableEvent, ...]


# The table of permissions --------------------------------------------------------------


class DealerMay(StrEnum):
    """When a dealer may give a command. A supervisor may give it at any time."""

    SIGNED_ON = "signed_on"
    """At the live table where the dealer is signed on."""
    BEFORE_DECISIONS = "before_decisions"
    """The same, until a hand of the round has decided."""
    WITHOUT_WAGERS = "without_wagers"
    """The same, while the round has no wagers."""
    FOR_ABSENT = "for_absent"
    """The same, for a player whose terminals have been gone for a while."""
    ONESELF = "oneself"
    """To sign on where no dealer is, and to sign off."""


@dataclass(frozen=True, slots=True)
class Permission:
    """Who may give a command; its own checks may still refuse it."""

    roles: tuple[Role, ...]
    dealer: DealerMay = DealerMay.SIGNED_ON


_PLAYER, _FLOOR, _SYSTEM = (Role.PLAYER,), (Role.FLOOR,), (Role.SYSTEM,)
_DEALS = Permission((*STAFF, Role.SYSTEM))

PERMISSIONS: Final[Mapping[type, Permission]] = {
    TakeSeat: Permission(_PLAYER),
    LeaveSeat: Permission((*_PLAYER, *_FLOOR)),
    BuyIn: Permission(_PLAYER),
    Collect: Permission((*_PLAYER, *_FLOOR)),
    SetWagers: Permission((*_PLAYER, *_SYSTEM)),
    SeededWagers: Permission(_PLAYER),
    RevealSeed: Permission(_PLAYER),
    TakeBank: Permission(_PLAYER),
    DeclineBank: Permission((*_PLAYER, *STAFF), DealerMay.FOR_ABSENT),
    MakeDecision: Permission((*_PLAYER, *STAFF), DealerMay.FOR_ABSENT),
    OpenBets: Permission(STAFF),
    CloseBets: Permission((*_PLAYER, *STAFF, *_SYSTEM)),
    DealCard: _DEALS,
    TurnCards: _DEALS,
    Confirm: _DEALS,
    CorrectCard: Permission((*STAFF, *_SYSTEM), DealerMay.BEFORE_DECISIONS),
    VoidRound: Permission((*STAFF, *_SYSTEM), DealerMay.WITHOUT_WAGERS),
    ChangeDealer: Permission(STAFF, DealerMay.ONESELF),
    ChangeRules: Permission(_FLOOR),
    ChangeLink: Permission(_FLOOR),
    CloseTable: Permission(_FLOOR),
    ReopenTable: Permission(_FLOOR),
    EndTime: Permission(_SYSTEM),
    ResumeClock: Permission(_SYSTEM),
    ExpireRound: Permission((*_FLOOR, *_SYSTEM)),
}
"""Every command of a table, with the roles that may give it."""


# What comes from outside ---------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What a table must be told from outside: it has no clock, no wallets and no link."""

    day: date
    """Today, which decides the limits of a round that opens."""
    wallet_cents: int | None = None
    """What the acting player's wallet holds; without it, buy-ins are not checked here."""
    meter_cents: int | None = None
    """The meter by which the round would be settled now: the link's, with the round's wagers."""
    seed_cents: int | None = None
    """Where that meter begins again once it is won."""
    link_takes_wagers: bool = True
    """False while the link is paused."""
    absent_ms: Mapping[str, int] = field(default_factory=dict)
    """For how long the terminals of absent players have been gone; a player is absent only after
    a while, so that a reconnecting terminal is not."""
    signed_on_at: Mapping[str, str] = field(default_factory=dict)
    """The table at which each dealer is signed on."""


# Checks --------------------------------------------------------------------------------


def authorise(table: Table, command: object, by: Person) -> None:
    """Refuse a person who may not give such a command at this table now."""
    permission = PERMISSIONS[type(command)]
    allow(by, *permission.roles)
    # At a virtual table, which has no dealer, each command has its own refusal for dealers.
    if by.role is not Role.DEALER or table.virtual or permission.dealer is DealerMay.ONESELF:
        return
    if table.dealer != by.name:
        raise Refusal(TableCode.NOT_SIGNED_ON, "Sign on as the dealer of this table first.")
    state = table.playing
    if state is None:
        return
    if permission.dealer is DealerMay.BEFORE_DECISIONS and _has_decisions(state):
        raise needs_supervisor("A hand has decided: only a supervisor may correct a card now.")
    if permission.dealer is DealerMay.WITHOUT_WAGERS and state.hands:
        raise needs_supervisor("Only a supervisor may void a round that has wagers.")


def _has_decisions(state: Round) -> bool:
    return any(hand.decisions for hand in state.hands.values())


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


def check_name(name: object, whose: str) -> None:
    """Refuse a name that cannot be part of an account's name."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise bad_table(
            f"A {whose}'s name has 1 to 64 lower-case letters, digits and . _ @ -, not {name!r}."
        )


def bad_table(sentence: str) -> Refusal:
    """The refusal of an invalid table, or of an invalid change to one."""
    return Refusal(TableCode.BAD_TABLE, sentence)


def allow(by: Person, *roles: Role) -> None:
    """Refuse a person who has none of these roles."""
    if by.role not in roles:
        raise Refusal(TableCode.NOT_ALLOWED, f"A {by.role} may not do that.")


def staff_of(table: Table) -> tuple[Role, ...]:
    """The roles that act for the house at a table: a virtual table has no dealer."""
    return (Role.FLOOR,) if table.virtual else STAFF


def own_seat(table: Table, number: object, by: Person, *, or_staff: tuple[Role, ...] = ()) -> Seat:
    """The seat, if it is the player's own, or if staff may act for it."""
    if type(number) is not int or not 1 <= number <= table.house.seats:
        raise Refusal(TableCode.NO_SUCH_SEAT, f"There is no seat {number} at this table.")
    seat = table.seats.get(number)
    if seat is None:
        raise Refusal(TableCode.SEAT_FREE, f"Seat {number} is empty.")
    if by.role in or_staff:
        return seat
    allow(by, Role.PLAYER)
    if seat.player != by.name:
        raise Refusal(TableCode.NOT_YOUR_SEAT, f"Seat {number} is another player's.")
    return seat


def in_progress(table: Table) -> Round:
    """The round in progress; raises Refusal if there is none."""
    if (state := table.playing) is None:
        raise Refusal(TableCode.NO_ROUND, "No round is in progress.")
    return state
