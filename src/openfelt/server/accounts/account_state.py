"""One account: its state, and the state after each of its events."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from openfelt.runtime.clock import DAY_MS
from openfelt.server.accounts.events import (
    AccountAdmitted,
    AccountBarred,
    AccountEvent,
    AccountOpened,
    AccountRole,
    AccountUnlocked,
    CodeUsed,
    DeviceRemembered,
    GuestStayed,
    PasskeyAdded,
    PasskeyEvent,
    PasskeyRemoved,
    PasskeyUsed,
    PasswordExpired,
    PasswordSet,
    PasswordState,
    PinFailed,
    PinRemoved,
    PinSet,
    PinUsed,
    PublicNameGiven,
    RecoveryCodeUsed,
    RoleGiven,
    SecondFactorRemoved,
    SecondFactorSet,
    SessionEnded,
    SessionOpened,
    SessionRenewed,
    SignInFailed,
)
from openfelt.server.credentials.pin_rules import PINS_WRONG_MAX
from openfelt.storage.codec import CodecError
from openfelt.table.commands import Person, Role
from openfelt.table.role_permissions import TABLE_ROLES, CallerKind

KNOWN_DEVICES_MAX: Final = 10
FAILURES_FORGOTTEN_MS: Final = DAY_MS
"""A wrong password no longer counts after this time without another one."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session that has not ended, as the record has it."""

    idle_ms: int
    seen_ms: int
    """When the record last notes that it was in use."""
    opened_ms: int
    """When the owner signed in. A new password gives the session a new token, and no new age."""
    table: str | None = None
    """The one table for which it is good, where the owner signed on by PIN."""
    terminal: str = ""
    """The id of the enrolled device that such a session belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passkey:
    """A passkey of an account."""

    name: str
    """The owner's name for it."""
    site: str
    """The host name for which it was made."""
    public_key: str
    added_ms: int
    sign_count: int = 0
    """How often it has signed, if its device counts that."""
    used_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account at one moment. It is a value: every event gives a new one."""

    name: str
    role: AccountRole
    guest: bool
    opened_ms: int
    password_number: int = 0
    """The number of the current password; 0 if the account has none."""
    password_state: PasswordState = PasswordState.OWN
    password_digest: str = ""
    """The digest of the password's hash; empty if an earlier version has set it."""
    pin_number: int = 0
    """The number of the current PIN; 0 if the account has none."""
    pin_state: PasswordState = PasswordState.OWN
    pin_digest: str = ""
    """The digest of the PIN's hash."""
    pins: int = 0
    """How many PINs the account has had."""
    pin_failures: int = 0
    """Wrong PINs in a row."""
    pins_wrong_ms: tuple[int, ...] = ()
    """When the last wrong PINs were entered. A right PIN does not clear them."""
    given_name: str | None = None
    """The name for players that a supervisor has given."""
    known_devices: tuple[str, ...] = ()
    """The hashes of the tokens of devices from which the owner has signed in, newest last."""
    second_factor: int = 0
    """The number of the current secret of one-time codes; 0 if the account has none."""
    second_factor_digests: tuple[str, str] = ("", "")
    """The digests of its secret and of its recovery codes; empty if an earlier version set it up.
    """
    second_factors: int = 0
    """How many such secrets the account has had."""
    passkeys: Mapping[str, Passkey] = field(default_factory=dict)
    """By the id that its device has given it."""
    code_step: int = 0
    """The step of the newest one-time code that has been used."""
    recovery_used: frozenset[str] = frozenset()
    """The hashes of recovery codes that have been used."""
    failures: int = 0
    """Wrong passwords in a row."""
    failed_ms: int = 0
    barred: str | None = None
    sessions: Mapping[str, Session] = field(default_factory=dict)
    plays_as: str | None = None
    """The guest who signed up as this account, whose name is in the records of tables."""
    stayed_as: str | None = None
    """The account that a guest has signed up as."""

    @property
    def staff(self) -> bool:
        """Whether the owner works for the house."""
        return self.role is not AccountRole.PLAYER

    @property
    def practice_dealer(self) -> bool:
        """Whether the owner only deals practice rounds, at the demonstration table."""
        return self.guest and self.role is AccountRole.DEALER

    @property
    def has_second_factor(self) -> bool:
        """Whether signing in takes more than the password."""
        return bool(self.second_factor or self.passkeys)

    @property
    def public_name(self) -> str:
        """The name under which players see the owner. It does not reveal the name of the account.

        If no supervisor has given a name, it is a number that only a reader of the record could
        compute.
        """
        if self.given_name is not None:
            return self.given_name
        digest = hashlib.sha256(f"{self.name} {self.opened_ms}".encode()).digest()
        return f"{self.role.value.capitalize()} {1000 + int.from_bytes(digest[:4]) % 9000}"

    @property
    def player(self) -> str:
        """The name under which the owner plays: that of the wallet, the seats and the history."""
        return self.plays_as or self.name

    @property
    def kind(self) -> CallerKind:
        """The caller's kind, as the account determines it."""
        if self.guest and not self.practice_dealer:
            return CallerKind.GUEST
        return CallerKind(self.role.value)

    @property
    def person(self) -> Person | None:
        """The owner's name and role at a table; None for a cashier, who has no role there."""
        role = TABLE_ROLES.get(self.kind)
        if role is None:
            return None
        return Person(role, self.player if role is Role.PLAYER else self.name)

    @property
    def actor(self) -> str:
        """The owner as the cause of events."""
        return str(self.person or f"{self.role}:{self.name}")


def apply_account(account: Account | None, event: AccountEvent, at_ms: int) -> Account:
    """The account after an event. It never refuses."""
    if isinstance(event, AccountOpened):
        return Account(
            name=event.name,
            role=event.role,
            guest=event.guest,
            opened_ms=at_ms,
            plays_as=event.plays_as,
        )
    if account is None:
        raise CodecError("The record of an account begins with its opening.")
    match event:
        case PasswordSet() | PasswordExpired() | PinSet() | PinFailed() | PinUsed() | PinRemoved():
            return _password_event(account, event, at_ms)
        case RoleGiven(role):
            return replace(account, role=role)
        case PublicNameGiven(given):
            return replace(account, given_name=given)
        case SignInFailed():
            recent = at_ms - account.failed_ms <= FAILURES_FORGOTTEN_MS
            failures = account.failures + 1 if recent else 1
            return replace(account, failures=failures, failed_ms=at_ms)
        case AccountUnlocked():
            return replace(account, failures=0, failed_ms=0, pin_failures=0, pins_wrong_ms=())
        case AccountBarred(_, reason):
            return replace(account, barred=reason, sessions={})
        case AccountAdmitted():
            return replace(account, barred=None)
        case GuestStayed(name):
            return replace(account, stayed_as=name, sessions={})
        case SessionOpened() | SessionRenewed() | SessionEnded() | DeviceRemembered():
            return _session_event(account, event, at_ms)
        case _:
            return _factor_event(account, event, at_ms)


def _password_event(
    account: Account,
    event: PasswordSet | PasswordExpired | PinSet | PinFailed | PinUsed | PinRemoved,
    at_ms: int,
) -> Account:
    if isinstance(event, PinSet | PinFailed | PinUsed | PinRemoved):
        return _pin_event(account, event, at_ms)
    if isinstance(event, PasswordExpired):
        return replace(account, password_state=PasswordState.TEMPORARY)
    return replace(
        account,
        password_number=event.number,
        password_state=event.state,
        password_digest=event.digest,
        # A password is often changed because another person knows it, and their device is known.
        known_devices=(),
        failures=0,
        failed_ms=0,
    )


def _pin_event(
    account: Account, event: PinSet | PinFailed | PinUsed | PinRemoved, at_ms: int
) -> Account:
    match event:
        case PinSet(number, state, digest):
            return replace(
                account,
                pin_number=number,
                pin_state=state,
                pin_digest=digest,
                pins=number,
                pin_failures=0,
                # What was guessed about the PIN before is worth nothing any more.
                pins_wrong_ms=(),
            )
        case PinFailed():
            wrong_ms = (*account.pins_wrong_ms, at_ms)[-PINS_WRONG_MAX:]
            failures = account.pin_failures + 1
            return replace(account, pin_failures=failures, pins_wrong_ms=wrong_ms)
        case PinUsed():
            return replace(account, pin_failures=0)
        case PinRemoved():
            return replace(account, pin_number=0, pin_digest="", pin_failures=0, pins_wrong_ms=())


def _factor_event(
    account: Account,
    event: SecondFactorSet | SecondFactorRemoved | CodeUsed | RecoveryCodeUsed | PasskeyEvent,
    at_ms: int,
) -> Account:
    match event:
        case SecondFactorSet(number, digest, recovery_digest):
            return replace(
                account,
                second_factor=number,
                second_factor_digests=(digest, recovery_digest),
                second_factors=number,
                recovery_used=frozenset(),
            )
        case SecondFactorRemoved():
            return replace(account, second_factor=0)
        case CodeUsed(step):
            return replace(account, code_step=max(step, account.code_step))
        case RecoveryCodeUsed(code):
            return replace(account, recovery_used=account.recovery_used | {code})
        case _:
            return replace(account, passkeys=_passkeys_after(account.passkeys, event, at_ms))


def _passkeys_after(
    before: Mapping[str, Passkey], event: PasskeyEvent, at_ms: int
) -> Mapping[str, Passkey]:
    passkeys = dict(before)
    match event:
        case PasskeyAdded():
            passkeys[event.passkey] = Passkey(
                name=event.name,
                site=event.site,
                public_key=event.public_key,
                added_ms=at_ms,
                sign_count=event.sign_count,
            )
        case PasskeyUsed(passkey, count) if passkey in passkeys:
            passkeys[passkey] = replace(passkeys[passkey], sign_count=count, used_ms=at_ms)
        case PasskeyRemoved(passkey):
            passkeys.pop(passkey, None)
    return passkeys


def _session_event(
    account: Account,
    event: SessionOpened | SessionRenewed | SessionEnded | DeviceRemembered,
    at_ms: int,
) -> Account:
    sessions = dict(account.sessions)
    match event:
        case DeviceRemembered(device):
            devices = (*account.known_devices, device)[-KNOWN_DEVICES_MAX:]
            return replace(account, known_devices=devices)
        case SessionOpened(session, idle_ms, since_ms, table, terminal):
            opened_ms = at_ms if since_ms is None else since_ms
            sessions[session] = Session(idle_ms, at_ms, opened_ms, table, terminal)
            if table is not None:
                # A PIN says nothing about the wrong passwords of others.
                return replace(account, sessions=sessions)
            return replace(account, sessions=sessions, failures=0, failed_ms=0)
        case SessionRenewed(session):
            if session in sessions:
                sessions[session] = replace(sessions[session], seen_ms=at_ms)
        case SessionEnded(session):
            sessions.pop(session, None)
    return replace(account, sessions=sessions)
