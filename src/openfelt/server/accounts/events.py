"""Events of accounts and of enrolled devices, and the names under which they are stored.

No event contains a password or a token: the hash of a password is a secret of its account's
stream, and of a token only the hash is stored.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from openfelt.storage.event_forms import EventForm


class AccountRole(StrEnum):
    """What the owner of an account may do."""

    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"
    """Sees every finished round, and changes nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountOpened:
    """An account has been opened."""

    name: str
    role: AccountRole
    guest: bool = False
    by: str | None = None
    """The supervisor who opened it, None where its owner did."""
    plays_as: str | None = None
    """The guest whose wallet, seats and history the account has taken over."""


@dataclass(frozen=True, slots=True)
class GuestStayed:
    """A guest has signed up; the new account has the guest's money, seats and history."""

    account: str


@dataclass(frozen=True, slots=True)
class PasswordSet:
    """The password has been set; its hash is the secret ``password/<number>``."""

    number: int
    default: bool = False
    """Whether it is the default password of a starter floor."""


@dataclass(frozen=True, slots=True)
class RoleGiven:
    """The account has another role."""

    role: AccountRole
    by: str


@dataclass(frozen=True, slots=True)
class SignInFailed:
    """A sign-in failed because of a wrong password."""


@dataclass(frozen=True, slots=True)
class AccountUnlocked:
    """A supervisor has removed the lock after wrong passwords."""

    by: str


@dataclass(frozen=True, slots=True)
class AccountBarred:
    """A supervisor has barred the account until it is admitted again."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class AccountAdmitted:
    """A supervisor has admitted the barred account again."""

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
    """The session has ended."""

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
class DeviceEnrolled:
    """A device may play where remote play is not allowed."""

    terminal: str
    """The SHA-256 of its token."""
    label: str
    by: str


@dataclass(frozen=True, slots=True)
class DeviceDismissed:
    """A device is no longer enrolled."""

    terminal: str
    by: str


DeviceEvent = DeviceEnrolled | DeviceDismissed

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
    "terminal_enrolled": EventForm(DeviceEnrolled),
    "terminal_dismissed": EventForm(DeviceDismissed),
}
