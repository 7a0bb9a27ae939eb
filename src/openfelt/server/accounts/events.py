"""Events of accounts, enrolled devices, badges and card readers, and their stored names.

No event contains a password, a PIN or a token: the hash of a password or PIN is a secret of its
account's stream, and only the hash of a token is stored.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from openfelt.record_events.software_events import (
    HouseFilesAccepted,
    HouseFilesChanged,
    SoftwareChecked,
)
from openfelt.storage.event_forms import EventForm


def secret_digest(secret: str) -> str:
    """The digest of a secret that an event records, so that a replaced secret is noticed. It
    reveals nothing about the secret: a hash of a password has a random salt, and the other secrets
    are random.
    """
    return hashlib.sha256(f"openfelt.account-secret/1 {secret}".encode()).hexdigest()


class AccountRole(StrEnum):
    """The role of an account, which determines what its owner may do."""

    PLAYER = "player"
    DEALER = "dealer"
    CASHIER = "cashier"
    """Works at the window of the cage, and has no role at tables."""
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"
    """Sees what a supervisor sees, and changes nothing."""


class PasswordState(StrEnum):
    """Whether a password may stay."""

    OWN = "own"
    """Chosen by the owner of the account."""
    TEMPORARY = "temporary"
    """Known to another person, so it must be changed when it is first used."""
    WELL_KNOWN = "well_known"
    """The password that every starter floor had before version 0.2. It is replaced immediately."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountOpened:
    """An account has been opened."""

    name: str
    role: AccountRole
    guest: bool = False
    by: str | None = None
    """The supervisor who opened it, None if its owner did."""
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
    state: PasswordState = PasswordState.OWN
    digest: str = ""
    """The digest of the secret; earlier versions recorded none."""


@dataclass(frozen=True, slots=True)
class PasswordExpired:
    """The password must be changed: it does not meet the rules for staff."""


@dataclass(frozen=True, slots=True)
class PinSet:
    """The PIN for dealers' terminals has been set; its hash is the secret ``pin/<number>``."""

    number: int
    state: PasswordState = PasswordState.OWN
    digest: str = ""
    """The digest of the secret."""
    by: str | None = None
    """The supervisor who set it, None if its owner did."""


@dataclass(frozen=True, slots=True)
class PinFailed:
    """A wrong PIN was entered with the badge of the account. Every one is recorded."""


@dataclass(frozen=True, slots=True)
class PinUsed:
    """The right PIN was entered after wrong ones, which no longer count."""


@dataclass(frozen=True, slots=True)
class PinRemoved:
    """The account no longer has a PIN."""

    by: str


@dataclass(frozen=True, slots=True)
class PublicNameGiven:
    """The account has the name under which players see its owner."""

    public_name: str
    by: str


@dataclass(frozen=True, slots=True)
class DeviceRemembered:
    """The owner has signed in from a new device, which is known from now on."""

    device: str
    """The SHA-256 of its token."""


@dataclass(frozen=True, slots=True)
class SecondFactorSet:
    """One-time codes are needed to sign in. The secret that they come from is the secret
    ``totp/<number>``, encrypted; the hashes of recovery codes are ``recovery/<number>``."""

    number: int
    digest: str = ""
    """The digest of the secret; earlier versions recorded none."""
    recovery_digest: str = ""
    """The digest of the recovery codes."""


@dataclass(frozen=True, slots=True)
class SecondFactorRemoved:
    """One-time codes are no longer needed."""

    by: str
    """The owner, or the operator at the machine."""


@dataclass(frozen=True, slots=True)
class CodeUsed:
    """A one-time code has been used; neither it nor an earlier one is accepted again."""

    step: int
    """The number of its thirty seconds since 1970."""


@dataclass(frozen=True, slots=True)
class RecoveryCodeUsed:
    """A recovery code has been used up."""

    code: str
    """Its hash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PasskeyAdded:
    """A passkey may be used as the second factor. Its public key is not secret; in the event, it
    cannot be replaced without breaking the chain."""

    passkey: str
    """The id that the device has given it, in base64url."""
    name: str
    """The owner's name for it."""
    site: str
    """The host name for which it was made."""
    public_key: str
    """In base64url, as the standard encodes it."""
    sign_count: int = 0


@dataclass(frozen=True, slots=True)
class PasskeyUsed:
    """A passkey has signed a challenge."""

    passkey: str
    sign_count: int


@dataclass(frozen=True, slots=True)
class PasskeyDoubted:
    """A valid signature of a passkey was refused, because its count has gone back: perhaps the
    passkey was copied."""

    passkey: str
    sign_count: int


@dataclass(frozen=True, slots=True)
class PasskeyRemoved:
    """A passkey is no longer accepted."""

    passkey: str
    by: str
    """The owner, or the operator at the machine."""


PasskeyEvent = PasskeyAdded | PasskeyUsed | PasskeyDoubted | PasskeyRemoved


@dataclass(frozen=True, slots=True)
class RoleGiven:
    """The account has another role."""

    role: AccountRole
    by: str


@dataclass(frozen=True, slots=True)
class SignInFailed:
    """A sign-in failed because of a wrong password. If many fail in a row, only some are
    recorded."""


@dataclass(frozen=True, slots=True)
class AccountUnlocked:
    """A supervisor has forgiven the wrong passwords, so that sign-ins are no longer slowed down."""

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
    since_ms: int | None = None
    """When the owner signed in, where the session takes the place of an earlier one."""
    table: str | None = None
    """The one table for which the session is good, where the owner signed on by PIN."""
    terminal: str = ""
    """The id of the enrolled device that such a session belongs to."""


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
    | PasswordExpired
    | PinSet
    | PinFailed
    | PinUsed
    | PinRemoved
    | PublicNameGiven
    | DeviceRemembered
    | SecondFactorSet
    | SecondFactorRemoved
    | CodeUsed
    | RecoveryCodeUsed
    | PasskeyEvent
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
    table: str | None = None
    """The table of which the device is the dealer's terminal."""


@dataclass(frozen=True, slots=True)
class DeviceDismissed:
    """A device is no longer enrolled."""

    terminal: str
    by: str


@dataclass(frozen=True, slots=True)
class DeviceRenamed:
    """A device has another label."""

    terminal: str
    label: str
    by: str


class DeviceState(StrEnum):
    """Whether a device takes wagers."""

    IN_SERVICE = "in_service"
    LOCKED = "locked"
    """By a supervisor, for a while."""
    OUT_OF_SERVICE = "out_of_service"
    """It has to be repaired."""


@dataclass(frozen=True, slots=True)
class DeviceStateSet:
    """A device was locked, taken out of service, or put into service again."""

    terminal: str
    state: DeviceState
    before: DeviceState
    reason: str
    by: str


DeviceEvent = DeviceEnrolled | DeviceDismissed | DeviceRenamed | DeviceStateSet


@dataclass(frozen=True, slots=True)
class BadgeGiven:
    """An account signs on at dealers' terminals with this badge number."""

    badge: str
    account: str
    by: str


@dataclass(frozen=True, slots=True)
class BadgeWithdrawn:
    """The badge number no longer belongs to an account."""

    badge: str
    by: str


BadgeEvent = BadgeGiven | BadgeWithdrawn


@dataclass(frozen=True, slots=True)
class ReaderIssued:
    """A card reader may send the cards of one table."""

    reader: str
    """The SHA-256 of its token."""
    table: str
    label: str
    by: str


@dataclass(frozen=True, slots=True)
class ReaderRevoked:
    """A card reader may no longer send cards."""

    reader: str
    by: str


ReaderEvent = ReaderIssued | ReaderRevoked


def _password_state(plain: dict[str, Any]) -> dict[str, Any]:
    """Version 1 only said whether it was the password of every starter floor."""
    state = PasswordState.WELL_KNOWN if plain.get("default") else PasswordState.OWN
    return {"number": plain["number"], "state": state.value}


ACCOUNT_FORMS: Final[Mapping[str, EventForm]] = {
    "account_opened": EventForm(AccountOpened),
    "account_guest_stayed": EventForm(GuestStayed),
    "account_password_set": EventForm(PasswordSet, 2, {1: _password_state}),
    "account_password_expired": EventForm(PasswordExpired),
    "account_pin_set": EventForm(PinSet),
    "account_pin_failed": EventForm(PinFailed),
    "account_pin_used": EventForm(PinUsed),
    "account_pin_removed": EventForm(PinRemoved),
    "account_public_name_given": EventForm(PublicNameGiven),
    "account_device_remembered": EventForm(DeviceRemembered),
    "account_second_factor_set": EventForm(SecondFactorSet),
    "account_second_factor_removed": EventForm(SecondFactorRemoved),
    "account_code_used": EventForm(CodeUsed),
    "account_recovery_code_used": EventForm(RecoveryCodeUsed),
    "account_passkey_added": EventForm(PasskeyAdded),
    "account_passkey_used": EventForm(PasskeyUsed),
    "account_passkey_doubted": EventForm(PasskeyDoubted),
    "account_passkey_removed": EventForm(PasskeyRemoved),
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
    "terminal_renamed": EventForm(DeviceRenamed),
    "terminal_state_set": EventForm(DeviceStateSet),
    "badge_given": EventForm(BadgeGiven),
    "badge_withdrawn": EventForm(BadgeWithdrawn),
    "reader_issued": EventForm(ReaderIssued),
    "reader_revoked": EventForm(ReaderRevoked),
    "software_checked": EventForm(SoftwareChecked),
    "house_files_accepted": EventForm(HouseFilesAccepted),
    "house_files_changed": EventForm(HouseFilesChanged),
}
