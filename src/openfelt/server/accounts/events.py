"""What happens to an account and to a terminal, as facts, and the names they are stored under.

Neither a password nor a token stands in an event: the hash of a password lies among the
secrets of its account, and of a token only its hash is kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from openfelt.storage.event_forms import EventForm


class AccountRole(StrEnum):
    """What somebody may do in the house."""

    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"
    """Sees everything that is over, and changes nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountOpened:
    """Somebody has an account."""

    name: str
    role: AccountRole
    guest: bool = False
    by: str | None = None
    """The supervisor who opened it, None where its owner did."""
    plays_as: str | None = None
    """The guest whose wallet, seats and history the account has taken over."""


@dataclass(frozen=True, slots=True)
class GuestStayed:
    """The guest has opened an account, which has taken over everything that was the guest's."""

    account: str


@dataclass(frozen=True, slots=True)
class PasswordSet:
    """The password has been set; its hash is the secret ``password/<number>``."""

    number: int
    default: bool = False
    """Whether it is the one that every starter floor begins with."""


@dataclass(frozen=True, slots=True)
class RoleGiven:
    """The account has another role."""

    role: AccountRole
    by: str


@dataclass(frozen=True, slots=True)
class SignInFailed:
    """Somebody has given a wrong password."""


@dataclass(frozen=True, slots=True)
class AccountUnlocked:
    """A supervisor has let the owner try again."""

    by: str


@dataclass(frozen=True, slots=True)
class AccountBarred:
    """The account may not be used until it is admitted again."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class AccountAdmitted:
    """The account may be used again."""

    by: str


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """The owner has signed in."""

    session: str
    """The SHA-256 of the token."""
    idle_ms: int


@dataclass(frozen=True, slots=True)
class SessionRenewed:
    """The session is still in use."""

    session: str


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The token is worth nothing any more."""

    session: str
    why: str


AccountEvent = (
    AccountOpened
    | GuestStayed
    | PasswordSet
    | RoleGiven
    | SignInFailed
    | AccountUnlocked
    | AccountBarred
    | AccountAdmitted
    | SessionOpened
    | SessionRenewed
    | SessionEnded
)


@dataclass(frozen=True, slots=True)
class TerminalEnrolled:
    """A terminal of the house: it may be played where remote play is forbidden."""

    terminal: str
    """The SHA-256 of its token."""
    label: str
    by: str


@dataclass(frozen=True, slots=True)
class TerminalDismissed:
    """It is no terminal of the house any more."""

    terminal: str
    by: str


TerminalEvent = TerminalEnrolled | TerminalDismissed

ACCOUNT_FORMS: Final[Mapping[str, EventForm]] = {
    "account_opened": EventForm(AccountOpened),
    "account_guest_stayed": EventForm(GuestStayed),
    "account_password_set": EventForm(PasswordSet),
    "account_role_given": EventForm(RoleGiven),
    "account_sign_in_failed": EventForm(SignInFailed),
    "account_unlocked": EventForm(AccountUnlocked),
    "account_barred": EventForm(AccountBarred),
    "account_admitted": EventForm(AccountAdmitted),
    "account_session_opened": EventForm(SessionOpened),
    "account_session_renewed": EventForm(SessionRenewed),
    "account_session_ended": EventForm(SessionEnded),
    "terminal_enrolled": EventForm(TerminalEnrolled),
    "terminal_dismissed": EventForm(TerminalDismissed),
}
