"""Which role may give which command at a table: the one table that the croupier asks first.

A role that stands here may still be refused, for a reason of the table or the round: the seat is
another player's, or the cards are virtual. What has to be true besides is in the note.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from openfelt.rules.referee import (
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    MakeDecision,
    SetWagers,
    SwapCards,
    TurnCards,
    VoidRound,
)
from openfelt.rules.refusal import Refusal
from openfelt.table.commands import (
    ApproveAdjustment,
    BuyIn,
    CallFloor,
    ChangeDealer,
    ChangeLink,
    ChangeRules,
    CloseTable,
    Collect,
    CountFelt,
    CountStub,
    DeclareIrregularity,
    DeclineBank,
    EndTime,
    ExpireRound,
    HandOver,
    LeaveSeat,
    OpenBets,
    Person,
    ProposeAdjustment,
    RejectAdjustment,
    ReopenBets,
    ReopenTable,
    ReportMispayment,
    ResolveMispayment,
    ResumeClock,
    ResumePlay,
    RevealSeed,
    Role,
    SeededWagers,
    TakeBank,
    TakeSeat,
)
from openfelt.table.permissions import TRIES_ALONE_MAX, needs_supervisor
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table


class DealerMay(StrEnum):
    """When a dealer may give a command at a live table. A supervisor may at any time (R.31)."""

    SIGNED_ON = "signed_on"
    """Where the dealer is signed on."""
    BEFORE_DECISIONS = "before_decisions"
    """The same, until a hand of the round has decided, or hands lie at terminals that the cards
    of the table could be chosen by; and a few times only."""
    WITHOUT_WAGERS = "without_wagers"
    """The same, while the round has no wagers."""
    ONESELF = "oneself"
    """To sign on where no other dealer is, and to sign off."""


@dataclass(frozen=True, slots=True)
class CommandRoles:
    """The roles that may give a command."""

    roles: frozenset[Role]
    note: str = ""
    """What else has to be true, in words."""
    dealer_only_live: bool = False
    """Whether dealers may give it at live tables only: a virtual table has no dealer."""
    dealer: DealerMay = DealerMay.SIGNED_ON

    def at(self, table: Table) -> frozenset[Role]:
        """The roles that may give the command at this table."""
        if self.dealer_only_live and table.virtual:
            return self.roles - {Role.DEALER}
        return self.roles


_CAPITAL: Final = re.compile(r"(?<!^)(?=[A-Z])")


def _roles(*roles: Role) -> frozenset[Role]:
    return frozenset(roles)


_PLAYER: Final = _roles(Role.PLAYER)
_FLOOR: Final = _roles(Role.FLOOR)
_SYSTEM: Final = _roles(Role.SYSTEM)
_STAFF: Final = _roles(Role.DEALER, Role.FLOOR)
_OWN_SEAT: Final = "The player of that seat."
_REAL_CARDS: Final = CommandRoles(_STAFF | _SYSTEM, "Staff where the cards are real.")

COMMAND_ROLES: Final[dict[type, CommandRoles]] = {
    TakeSeat: CommandRoles(_PLAYER, "A free seat; a private table is its owner's."),
    LeaveSeat: CommandRoles(_PLAYER | _FLOOR, _OWN_SEAT),
    BuyIn: CommandRoles(_PLAYER, _OWN_SEAT),
    Collect: CommandRoles(_PLAYER | _FLOOR, _OWN_SEAT),
    SetWagers: CommandRoles(
        _PLAYER | _SYSTEM,
        "The player of that seat; the system takes back what an absent player bet.",
    ),
    SeededWagers: CommandRoles(_PLAYER, _OWN_SEAT),
    RevealSeed: CommandRoles(_PLAYER, _OWN_SEAT),
    CloseBets: CommandRoles(
        _PLAYER | _STAFF | _SYSTEM,
        "A player who keeps no other from betting.",
        dealer_only_live=True,
    ),
    MakeDecision: CommandRoles(
        _PLAYER | _STAFF,
        "The player of that hand; staff as the clock would, dealers for absent players only.",
        dealer_only_live=True,
    ),
    TakeBank: CommandRoles(_PLAYER, "The player who is offered the bank."),
    DeclineBank: CommandRoles(
        _PLAYER | _STAFF,
        "For the seat that is offered the bank; the dealer for an absent player only.",
        dealer_only_live=True,
    ),
    OpenBets: CommandRoles(_STAFF, "Where the cards are real."),
    ReopenBets: CommandRoles(_FLOOR, "Where the cards are real, before the first card."),
    DealCard: CommandRoles(
        _STAFF | _SYSTEM | _roles(Role.READER),
        "Staff where the cards are real; a card reader of the table while a dealer is signed on.",
    ),
    TurnCards: _REAL_CARDS,
    CorrectCard: CommandRoles(
        _STAFF | _SYSTEM,
        "Staff where the cards are real; after the first decision, once the hands of terminals are "
        f"dealt beside a live dealer, and from the {TRIES_ALONE_MAX + 1}th correction of a "
        "round on, a supervisor.",
        dealer=DealerMay.BEFORE_DECISIONS,
    ),
    SwapCards: CommandRoles(
        _STAFF, "As for a correction.", dealer=DealerMay.BEFORE_DECISIONS, dealer_only_live=True
    ),
    Confirm: _REAL_CARDS,
    VoidRound: CommandRoles(
        _STAFF | _SYSTEM,
        "The dealer while the round has no wagers.",
        dealer_only_live=True,
        dealer=DealerMay.WITHOUT_WAGERS,
    ),
    DeclareIrregularity: CommandRoles(
        _STAFF,
        "Where the cards are real; what moves wagers, a supervisor (R.37, R.40, R.41).",
        dealer_only_live=True,
    ),
    ProposeAdjustment: CommandRoles(
        _STAFF, "For a confirmed round that a dealer has paid (R.38).", dealer_only_live=True
    ),
    ApproveAdjustment: CommandRoles(_FLOOR, "Another supervisor than the one who proposed it."),
    RejectAdjustment: CommandRoles(_FLOOR),
    CountStub: CommandRoles(_STAFF, "Where the cards are real.", dealer_only_live=True),
    CountFelt: CommandRoles(
        _STAFF, "Before the first card of a round whose chips lie on a felt.", dealer_only_live=True
    ),
    CallFloor: CommandRoles(
        _STAFF, "In a round that is dealt live, at most three times.", dealer_only_live=True
    ),
    ResumePlay: CommandRoles(_STAFF, "While the table is on hold.", dealer_only_live=True),
    ReportMispayment: CommandRoles(
        _STAFF, "For a confirmed round that a dealer has paid (R.43).", dealer_only_live=True
    ),
    ResolveMispayment: CommandRoles(_FLOOR),
    ChangeDealer: CommandRoles(
        _STAFF | _SYSTEM,
        "A dealer to sign on where no other dealer is, and to sign off; the system where an old "
        "record does not say at which table a dealer is signed on.",
        dealer=DealerMay.ONESELF,
    ),
    HandOver: CommandRoles(
        _STAFF, "The dealer of the table, once the other dealer has signed on there by PIN."
    ),
    CloseTable: CommandRoles(_FLOOR),
    ReopenTable: CommandRoles(_FLOOR),
    ChangeRules: CommandRoles(
        _FLOOR | _SYSTEM, "The system at a private table, as its player has chosen."
    ),
    ChangeLink: CommandRoles(_FLOOR),
    EndTime: CommandRoles(_SYSTEM),
    ResumeClock: CommandRoles(_SYSTEM),
    ExpireRound: CommandRoles(_SYSTEM | _FLOOR),
}


OPENING: Final = CommandRoles(_FLOOR | _SYSTEM)
"""Who may open a table, which is no command at one."""


def check_opening(by: Person) -> None:
    """Refuse a person who may not open a table."""
    if by.role not in OPENING.roles:
        raise _not_allowed(by)


def check_role(table: Table, command: object, by: Person) -> None:
    """Refuse a person who may not give this command at this table now."""
    if by.role not in COMMAND_ROLES[type(command)].at(table):
        raise _not_allowed(by)
    # At a virtual table, which has no dealer, each command has its own refusal for dealers.
    if by.role is Role.DEALER and not table.virtual:
        _check_dealer(table, COMMAND_ROLES[type(command)].dealer, by)
    if by.role is Role.READER and not table.virtual and table.dealer is None:
        raise Refusal(TableCode.NOT_SIGNED_ON, "No dealer is signed on at this table.")


def check_approval(table: Table, command: object, by: Person, approved_by: Person) -> None:
    """Refuse an approval by another person than a supervisor, or for another than the dealer.

    A dealer who takes over may have it approved that the table's dealer is gone.
    """
    takes_over = isinstance(command, ChangeDealer) and command.dealer == by.name
    if by.role is not Role.DEALER or (table.dealer != by.name and not takes_over):
        raise Refusal(TableCode.NOT_SIGNED_ON, "Sign on as the dealer of this table first.")
    if approved_by.role is not Role.FLOOR:
        raise needs_supervisor("Only a supervisor may approve that.")


def act_name(command: object) -> str:
    """The name of a kind of command.

    >>> act_name(ReopenTable())
    'reopen_table'
    """
    return _CAPITAL.sub("_", type(command).__name__).lower()


def _not_allowed(by: Person) -> Refusal:
    return Refusal(TableCode.NOT_ALLOWED, f"A {by.role} may not do that.")


def _check_dealer(table: Table, may: DealerMay, by: Person) -> None:
    """A dealer acts at the table where the dealer is signed on, within the dealer's limits."""
    if may is DealerMay.ONESELF:
        return
    if table.dealer != by.name:
        raise Refusal(TableCode.NOT_SIGNED_ON, "Sign on as the dealer of this table first.")
    hands = table.playing.hands if table.playing is not None else {}
    if may is DealerMay.BEFORE_DECISIONS:
        if any(hand.decisions for hand in hands.values()):
            raise needs_supervisor("A hand has decided: only a supervisor may correct a card now.")
        if table.seeds is not None and table.seeds.fixed and hands:
            raise needs_supervisor("Hands are dealt: only a supervisor may correct a card now.")
        if table.playing is not None and table.playing.corrections >= TRIES_ALONE_MAX:
            raise needs_supervisor(
                f"{TRIES_ALONE_MAX} cards were corrected in this round: only a supervisor "
                "may correct another one."
            )
    if may is DealerMay.WITHOUT_WAGERS and hands:
        raise needs_supervisor("Only a supervisor may void a round that has wagers.")
