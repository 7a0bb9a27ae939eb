"""Callers, and the forms of the lines that say who may do what."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from openfelt.table.commands import Role
from openfelt.table.state import Table


class CallerKind(StrEnum):
    """The kind of a caller, as the server knows it."""

    ANONYMOUS = "anonymous"
    """Has not signed in."""
    GUEST = "guest"
    PLAYER = "player"
    DEALER = "dealer"
    CASHIER = "cashier"
    """Works at the window of the cage."""
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"
    """May read whatever a supervisor may, and may change nothing in the house."""


TABLE_ROLES: Final = {
    CallerKind.GUEST: Role.PLAYER,
    CallerKind.PLAYER: Role.PLAYER,
    CallerKind.DEALER: Role.DEALER,
    CallerKind.SUPERVISOR: Role.FLOOR,
    CallerKind.AUDITOR: Role.AUDITOR,
}
"""The role at a table of each caller; the others watch there without a role."""


@dataclass(frozen=True, slots=True)
class Permission:
    """Who may call an endpoint."""

    callers: frozenset[CallerKind]
    note: str = ""
    """Further conditions, in words."""
    this_machine: bool = False
    """Whether every caller on this machine may, where no other machine reaches the server."""
    before_steps: bool = False
    """Whether callers may who have to change their password or set up a second factor first."""
    by_pin: bool = False
    """Whether a dealer may who has signed on by PIN, whose session is good for one table only."""
    metrics_token: bool = False
    """Whether the token for metrics is enough."""
    reader_token: bool = False
    """Whether the token of a card reader of the table is enough."""


class DealerMay(StrEnum):
    """When a dealer may give a command at a live table. A supervisor may at any time (R.31)."""

    SIGNED_ON = "signed_on"
    """Where the dealer is signed on."""
    BEFORE_DECISIONS = "before_decisions"
    """The same, a few times per round, until a hand has decided or the terminals' hands are dealt
    (a dealer could then choose the table's cards to suit them)."""
    WITHOUT_WAGERS = "without_wagers"
    """The same, while the round has no wagers."""
    ONESELF = "oneself"
    """To sign on where no other dealer is, and to sign off."""


@dataclass(frozen=True, slots=True)
class CommandRoles:
    """The roles that may give a command."""

    roles: frozenset[Role]
    note: str = ""
    """Further conditions, in words."""
    dealer_only_live: bool = False
    """Whether dealers may give it at live tables only: a virtual table has no dealer."""
    dealer: DealerMay = DealerMay.SIGNED_ON

    def at(self, table: Table) -> frozenset[Role]:
        """The roles that may give the command at this table."""
        if self.dealer_only_live and table.virtual:
            return self.roles - {Role.DEALER}
        return self.roles


@dataclass(frozen=True, slots=True)
class PagePermission:
    """Who may open a page of the web terminal."""

    callers: frozenset[CallerKind]
    note: str = ""
    """Further conditions, or the page's content, in words."""
