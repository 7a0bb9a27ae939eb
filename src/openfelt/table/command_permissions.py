"""The roles that may give each command of a table: the socket's part of the permissions.

A line says which roles may; what else has to be true is in its note, and is decided in
``openfelt.table.permissions`` and where the deed is done. ``tests/attacks/test_permissions.py``
tries every line with every caller, and ``make docs`` writes docs/reference/permissions.md from it.
"""

from typing import Final

from openfelt.rules import round_actions
from openfelt.table import commands
from openfelt.table.callers import CommandRoles, DealerMay
from openfelt.table.commands import Role
from openfelt.table.permissions import TRIES_ALONE_MAX


def _roles(*roles: Role) -> frozenset[Role]:
    return frozenset(roles)


_PLAYER: Final = _roles(Role.PLAYER)
_FLOOR: Final = _roles(Role.FLOOR)
_SYSTEM: Final = _roles(Role.SYSTEM)
_STAFF: Final = _roles(Role.DEALER, Role.FLOOR)
_OWN_SEAT: Final = "The player of that seat."
_REAL_CARDS: Final = CommandRoles(_STAFF | _SYSTEM, "Staff where the cards are real.")

COMMAND_ROLES: Final[dict[type, CommandRoles]] = {
    commands.TakeSeat: CommandRoles(_PLAYER, "A free seat; a private table is its owner's."),
    commands.LeaveSeat: CommandRoles(_PLAYER | _FLOOR, _OWN_SEAT),
    commands.BuyIn: CommandRoles(_PLAYER, _OWN_SEAT),
    commands.Collect: CommandRoles(_PLAYER | _FLOOR, _OWN_SEAT),
    round_actions.SetWagers: CommandRoles(
        _PLAYER | _SYSTEM,
        "The player of that seat; the system takes back what an absent player bet.",
    ),
    commands.SeededWagers: CommandRoles(_PLAYER, _OWN_SEAT),
    commands.RevealSeed: CommandRoles(_PLAYER, _OWN_SEAT),
    round_actions.CloseBets: CommandRoles(
        _PLAYER | _STAFF | _SYSTEM,
        "A player, if no other player is still betting.",
        dealer_only_live=True,
    ),
    round_actions.MakeDecision: CommandRoles(
        _PLAYER | _STAFF,
        "The player of that hand; staff only as the clock would, dealers only for absent players.",
        dealer_only_live=True,
    ),
    commands.TakeBank: CommandRoles(_PLAYER, "The player who is offered the bank."),
    commands.DeclineBank: CommandRoles(
        _PLAYER | _STAFF,
        "For the seat that is offered the bank; the dealer only for an absent player.",
        dealer_only_live=True,
    ),
    commands.OpenBets: CommandRoles(_STAFF, "Where the cards are real."),
    commands.ReopenBets: CommandRoles(_FLOOR, "Where the cards are real, before the first card."),
    round_actions.DealCard: CommandRoles(
        _STAFF | _SYSTEM | _roles(Role.READER),
        "Staff where the cards are real; a card reader of the table while a dealer is signed on.",
    ),
    round_actions.TurnCards: _REAL_CARDS,
    round_actions.CorrectCard: CommandRoles(
        _STAFF | _SYSTEM,
        "Staff where the cards are real. Only a supervisor after the first decision, once the "
        "terminals' hands are dealt at a live table, and from correction "
        f"{TRIES_ALONE_MAX + 1} of a round.",
        dealer=DealerMay.BEFORE_DECISIONS,
    ),
    round_actions.SwapCards: CommandRoles(
        _STAFF, "As for a correction.", dealer=DealerMay.BEFORE_DECISIONS, dealer_only_live=True
    ),
    round_actions.Confirm: _REAL_CARDS,
    round_actions.VoidRound: CommandRoles(
        _STAFF | _SYSTEM,
        "The dealer while the round has no wagers.",
        dealer_only_live=True,
        dealer=DealerMay.WITHOUT_WAGERS,
    ),
    commands.DeclareIrregularity: CommandRoles(
        _STAFF,
        "Where the cards are real; only a supervisor if wagers move (R.37, R.40, R.41).",
        dealer_only_live=True,
    ),
    commands.ProposeAdjustment: CommandRoles(
        _STAFF, "For a confirmed round that a dealer has paid (R.38).", dealer_only_live=True
    ),
    commands.ApproveAdjustment: CommandRoles(
        _FLOOR, "A supervisor other than the one who proposed it."
    ),
    commands.RejectAdjustment: CommandRoles(_FLOOR),
    commands.CountStub: CommandRoles(_STAFF, "Where the cards are real.", dealer_only_live=True),
    commands.CountFelt: CommandRoles(
        _STAFF, "Before the first card of a round whose chips lie on a felt.", dealer_only_live=True
    ),
    commands.CallFloor: CommandRoles(
        _STAFF, "In a round that is dealt live, at most three times.", dealer_only_live=True
    ),
    commands.ResumePlay: CommandRoles(_STAFF, "While the table is on hold.", dealer_only_live=True),
    commands.ReportMispayment: CommandRoles(
        _STAFF, "For a confirmed round that a dealer has paid (R.43).", dealer_only_live=True
    ),
    commands.ResolveMispayment: CommandRoles(_FLOOR),
    commands.ChangeDealer: CommandRoles(
        _STAFF | _SYSTEM,
        "A dealer to sign on where no other dealer is, and to sign off; the system where an old "
        "record does not say at which table a dealer is signed on.",
        dealer=DealerMay.ONESELF,
    ),
    commands.HandOver: CommandRoles(
        _STAFF, "The dealer of the table, once the other dealer has signed on there by PIN."
    ),
    commands.CloseTable: CommandRoles(_FLOOR),
    commands.PauseTable: CommandRoles(_FLOOR, "An open table; between rounds, or after the round."),
    commands.ReopenTable: CommandRoles(_FLOOR),
    commands.ChangeRules: CommandRoles(
        _FLOOR | _SYSTEM, "The system at a private table, as its player has chosen."
    ),
    commands.ChangeLink: CommandRoles(_FLOOR),
    commands.ChangeClock: CommandRoles(_FLOOR),
    commands.EndTime: CommandRoles(_SYSTEM),
    commands.ResumeClock: CommandRoles(_SYSTEM),
    commands.ExpireRound: CommandRoles(_SYSTEM | _FLOOR),
}


OPENING: Final = CommandRoles(_FLOOR | _SYSTEM)
"""Who may open a table, which is no command at one."""
