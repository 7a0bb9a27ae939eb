"""The croupier's first check: whether a person may give a command at a table now.

Which role may is written in ``openfelt.table.command_permissions``. A role that is listed there may
still be refused, for a reason of the table or the round: the seat is another player's, or the cards
are virtual.
"""

import re
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.rules.round_actions import SwapCards
from openfelt.table.callers import DealerMay
from openfelt.table.command_permissions import COMMAND_ROLES, OPENING
from openfelt.table.commands import ChangeDealer, Person, Role
from openfelt.table.permissions import TRIES_ALONE_MAX, needs_supervisor
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table

_DEALER: Final = Role.DEALER
_READER: Final = Role.READER
_CAPITAL: Final = re.compile(r"(?<!^)(?=[A-Z])")


def check_opening(by: Person) -> None:
    """Refuse a person who may not open a table."""
    if by.role not in OPENING.roles:
        raise _not_allowed(by)


def check_role(table: Table, command: object, by: Person) -> None:
    """Refuse a person who may not give this command at this table now."""
    role = by.role
    if role not in COMMAND_ROLES[type(command)].at(table):
        raise _not_allowed(by)
    # At a virtual table, which has no dealer, each command has its own refusal for dealers.
    if role is _DEALER and not table.virtual:
        _check_dealer(table, command, by)
    if role is _READER and not table.virtual and table.dealer is None:
        raise Refusal(TableCode.NOT_SIGNED_ON, "No dealer is signed on at this table.")


def check_approval(table: Table, command: object, by: Person, approved_by: Person) -> None:
    """Refuse an approval by a person who is not a supervisor, or for one who is not the dealer.

    A dealer who takes over may have it approved that the table's dealer is gone.
    """
    takes_over = isinstance(command, ChangeDealer) and command.dealer == by.name
    if by.role is not Role.DEALER or (table.dealer != by.name and not takes_over):
        raise Refusal(TableCode.NOT_SIGNED_ON, "Sign on as the dealer of this table first.")
    if approved_by.role is not Role.FLOOR:
        raise needs_supervisor("Only a supervisor may approve that.")


def act_name(command: object) -> str:
    """The name of a kind of command.

    >>> act_name(ChangeDealer(None))
    'change_dealer'
    """
    return _CAPITAL.sub("_", type(command).__name__).lower()


def _not_allowed(by: Person) -> Refusal:
    article = "An" if by.role is Role.AUDITOR else "A"
    return Refusal(TableCode.NOT_ALLOWED, f"{article} {by.role} may not do that.")


def _check_dealer(table: Table, command: object, by: Person) -> None:
    """A dealer acts at the table where the dealer is signed on, within the dealer's limits."""
    may = COMMAND_ROLES[type(command)].dealer
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
        # Two cards that are swapped are two corrections.
        corrections = 2 if isinstance(command, SwapCards) else 1
        if table.playing is not None and (
            table.playing.corrections + corrections > TRIES_ALONE_MAX
        ):
            raise needs_supervisor(
                f"A dealer may correct at most {TRIES_ALONE_MAX} cards of a round: only a "
                "supervisor may correct more."
            )
    if may is DealerMay.WITHOUT_WAGERS and hands:
        raise needs_supervisor("Only a supervisor may void a round that has wagers.")
