"""Which role may give which command at a table: the one table that the croupier asks first.

A role that stands here may still be refused, for a reason of the table or the round: the seat is
another player's, or the cards are virtual. What has to be true besides is in the note.
"""

from dataclasses import dataclass
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
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table


@dataclass(frozen=True, slots=True)
class CommandRoles:
    """The roles that may give a command."""

    roles: frozenset[Role]
    note: str = ""
    """What else has to be true, in words."""
    dealer_only_live: bool = False
    """Whether dealers may give it at live tables only: a virtual table has no dealer."""

    def at(self, table: Table) -> frozenset[Role]:
        """The roles that may give the command at this table."""
        if self.dealer_only_live and table.virtual:
            return self.roles - {Role.DEALER}
        return self.roles


def _roles(*roles: Role) -> frozenset[Role]:
    return frozenset(roles)


_PLAYER: Final = _roles(Role.PLAYER)
_FLOOR: Final = _roles(Role.FLOOR)
_SYSTEM: Final = _roles(Role.SYSTEM)
_STAFF: Final = _roles(Role.DEALER, Role.FLOOR)
_OWN_SEAT: Final = "A player at the own seat."
_REAL_CARDS: Final = CommandRoles(_STAFF | _SYSTEM, "Staff where the cards are real.")

COMMAND_ROLES: Final[dict[type, CommandRoles]] = {
    TakeSeat: CommandRoles(_PLAYER, "A free seat; a private table is its owner's."),
    LeaveSeat: CommandRoles(_PLAYER | _FLOOR, _OWN_SEAT),
    BuyIn: CommandRoles(_PLAYER, _OWN_SEAT),
    Collect: CommandRoles(_PLAYER | _FLOOR, _OWN_SEAT),
    SeededWagers: CommandRoles(_PLAYER, _OWN_SEAT),
    RevealSeed: CommandRoles(_PLAYER, _OWN_SEAT),
    SetWagers: CommandRoles(_PLAYER, _OWN_SEAT),
    CloseBets: CommandRoles(
        _PLAYER | _STAFF | _SYSTEM,
        "A player who keeps no other from betting.",
        dealer_only_live=True,
    ),
    MakeDecision: CommandRoles(
        _PLAYER | _STAFF,
        "A player for the own hand; staff for an absent player, as the clock would.",
        dealer_only_live=True,
    ),
    TakeBank: CommandRoles(_PLAYER, "The player who is offered the bank."),
    DeclineBank: CommandRoles(
        _PLAYER | _STAFF, "For the seat that is offered the bank.", dealer_only_live=True
    ),
    OpenBets: CommandRoles(_STAFF, "Where the cards are real."),
    DealCard: _REAL_CARDS,
    TurnCards: _REAL_CARDS,
    CorrectCard: _REAL_CARDS,
    Confirm: _REAL_CARDS,
    VoidRound: CommandRoles(_STAFF | _SYSTEM, dealer_only_live=True),
    ChangeDealer: CommandRoles(_STAFF, "A dealer for himself or herself."),
    CloseTable: CommandRoles(_FLOOR),
    ReopenTable: CommandRoles(_FLOOR),
    ChangeRules: CommandRoles(_FLOOR),
    ChangeLink: CommandRoles(_FLOOR),
    EndTime: CommandRoles(_SYSTEM),
    ResumeClock: CommandRoles(_SYSTEM),
    ExpireRound: CommandRoles(_SYSTEM | _FLOOR),
}


def check_role(table: Table, command: object, by: Person) -> None:
    """Refuse a person whose role may never give this command at this table."""
    if by.role not in COMMAND_ROLES[type(command)].at(table):
        raise Refusal(TableCode.NOT_ALLOWED, f"A {by.role} may not do that.")
