"""Accounts: their state from their events, a cache of it, and the commits that change it."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.acting import VISITOR, acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import StreamKind, account_stream, names_in
from openfelt.server.accounts.events import (
    ACCOUNT_FORMS,
    AccountAdmitted,
    AccountBarred,
    AccountEvent,
    AccountOpened,
    AccountRole,
    AccountUnlocked,
    GuestStayed,
    PasswordSet,
    RoleGiven,
    SessionEnded,
    SessionOpened,
    SessionRenewed,
    SignInFailed,
)
from openfelt.storage.codec import Codec, CodecError
from openfelt.storage.door import Append, Cause, Commit, Conflict, NewSecret, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.table.commands import Person, Role

ATTEMPTS_MAX: Final = 50
CACHE_MAX: Final = 20_000
CACHE_MS: Final = 1000
"""Cache lifetime of an account, which another process may change."""
SNAPSHOT_EVERY: Final = 200
FAILURES_FORGOTTEN_MS: Final = 86_400_000
"""A wrong password no longer counts after this time without another one."""

_ROLES: Final = {
    AccountRole.PLAYER: Role.PLAYER,
    AccountRole.DEALER: Role.DEALER,
    AccountRole.SUPERVISOR: Role.FLOOR,
}


@dataclass(frozen=True, slots=True)
class Session:
    """A session that has not ended, as the record has it."""

    idle_ms: int
    seen_ms: int
    """When the record last notes that it was in use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account at one moment. It is a value: every event gives a new one."""

    name: str
    role: AccountRole
    guest: bool
    opened_ms: int
    password_number: int = 0
    """The number of the current password; 0 where the account has none."""
    password_default: bool = False
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
    def player(self) -> str:
        """The name under which the owner plays: that of the wallet, the seats and the history."""
        return self.plays_as or self.name

    @property
    def person(self) -> Person | None:
        """The owner's name and role at a table; None for an auditor, who has no role there."""
        role = _ROLES.get(self.role)
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
        case PasswordSet(number, default):
            return replace(
                account, password_number=number, password_default=default, failures=0, failed_ms=0
            )
        case RoleGiven(role):
            return replace(account, role=role)
        case SignInFailed():
            recent = at_ms - account.failed_ms <= FAILURES_FORGOTTEN_MS
            failures = account.failures + 1 if recent else 1
            return replace(account, failures=failures, failed_ms=at_ms)
        case AccountUnlocked():
            return replace(account, failures=0, failed_ms=0)
        case AccountBarred(_, reason):
            return replace(account, barred=reason, sessions={})
        case AccountAdmitted():
            return replace(account, barred=None)
        case GuestStayed(name):
            return replace(account, stayed_as=name, sessions={})
        case _:
            return _session_event(account, event, at_ms)


def _session_event(
    account: Account, event: SessionOpened | SessionRenewed | SessionEnded, at_ms: int
) -> Account:
    sessions = dict(account.sessions)
    match event:
        case SessionOpened(session, idle_ms):
            sessions[session] = Session(idle_ms, at_ms)
            return replace(account, sessions=sessions, failures=0, failed_ms=0)
        case SessionRenewed(session):
            if session in sessions:
                sessions[session] = replace(sessions[session], seen_ms=at_ms)
        case SessionEnded(session):
            sessions.pop(session, None)
    return replace(account, sessions=sessions)


def _cause(event: AccountEvent, account: Account | None) -> Cause:
    """The cause of an account's event: with a session of the account, a visitor is its owner."""
    cause = acting()
    if (
        cause.actor == VISITOR
        and account is not None
        and isinstance(event, SessionOpened | SessionRenewed)
    ):
        return replace(cause, actor=account.actor)
    return cause


@dataclass(frozen=True, slots=True)
class _Cached:
    account: Account | None
    version: int
    checked_ms: int


@dataclass(frozen=True, slots=True)
class _Change:
    """What is to be written to one account's stream."""

    name: str
    before: _Cached
    events: tuple[AccountEvent, ...]
    secrets: tuple[NewSecret, ...]

    @property
    def version(self) -> int:
        """The version of the stream after the change."""
        return self.before.version + len(self.events)

    def applied(self, now_ms: int) -> Account | None:
        """The account after the change."""
        account = self.before.account
        for event in self.events:
            account = apply_account(account, event, now_ms)
        return account


Decided = tuple[tuple[AccountEvent, ...], tuple[NewSecret, ...]]
"""What a decision writes: events and secrets."""


class Accounts:
    """All accounts. All calls block."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._codec = EventCodec(Codec(lambda _: None), ACCOUNT_FORMS)
        self._cache: OrderedDict[str, _Cached] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, name: str, *, fresh: bool = False) -> Account | None:
        """An account by its name, None where there is none; ``fresh`` bypasses the cache."""
        return self._read(name, fresh=fresh).account

    def names(self) -> list[str]:
        """The names of all accounts, in order."""
        return names_in(self._store, StreamKind.ACCOUNT)

    def password_hash(self, account: Account) -> str | None:
        """The hash of an account's password, None where it has none."""
        if account.password_number == 0:
            return None
        secret = f"password/{account.password_number}"
        return self._store.secrets(account_stream(account.name), secret).get(secret)

    def change(self, name: str, decide: Callable[[Account | None], Decided]) -> Account | None:
        """Call ``decide`` with an account as it is now, and write what it returns.

        ``decide`` may raise, and then nothing is written. It is called again after a conflict
        with another process.
        """
        (account,) = self.change_together((name,), lambda accounts: (decide(accounts[0]),))
        return account

    def change_together(
        self,
        names: Sequence[str],
        decide: Callable[[Sequence[Account | None]], Sequence[Decided]],
    ) -> tuple[Account | None, ...]:
        """Change several accounts in one commit."""
        for _ in range(ATTEMPTS_MAX):
            before = [self._read(name, fresh=True) for name in names]
            decided = decide([cached.account for cached in before])
            changes = [
                _Change(name, cached, *written)
                for name, cached, written in zip(names, before, decided, strict=True)
            ]
            try:
                return self._write(changes)
            except Conflict:
                continue
        raise Refusal(RuntimeCode.BUSY, "The account is busy; try again.")

    # Reading and writing -----------------------------------------------------------------

    def _read(self, name: str, *, fresh: bool) -> _Cached:
        now_ms = self._clock.monotonic_ms()
        with self._lock:
            cached = self._cache.get(name)
        if cached is not None and not fresh and now_ms - cached.checked_ms < CACHE_MS:
            return cached
        stream = account_stream(name)
        account, version = (cached.account, cached.version) if cached else self._snapshot(stream)
        for stored in self._store.events(stream, after=version):
            account = apply_account(account, self._codec.decode(stored), stored.at_ms)
            version = stored.version
        return self._keep(name, _Cached(account, version, now_ms))

    def _snapshot(self, stream: str) -> tuple[Account | None, int]:
        """An account at its newest snapshot; a snapshot that cannot be read is ignored."""
        snapshot = self._store.snapshot(stream)
        if snapshot is not None:
            try:
                return self._codec.codec.from_json(Account, snapshot.body), snapshot.version
            except CodecError:
                pass
        return None, 0

    def _keep(self, name: str, cached: _Cached) -> _Cached:
        with self._lock:
            before = self._cache.pop(name, None)
            if before is not None and before.version > cached.version:
                cached = before
            if cached.account is not None:
                # A name without an account may be any text that a caller typed.
                self._cache[name] = cached
            while len(self._cache) > CACHE_MAX:
                self._cache.popitem(last=False)
        return cached

    def _write(self, changes: Sequence[_Change]) -> tuple[Account | None, ...]:
        now_ms = self._clock.wall_ms()
        after = [change.applied(now_ms) for change in changes]
        appends = tuple(
            self._append(change, account)
            for change, account in zip(changes, after, strict=True)
            if change.events or change.secrets
        )
        if appends:
            self._store.commit(Commit(at_ms=now_ms, appends=appends))
        checked_ms = self._clock.monotonic_ms()
        return tuple(
            self._keep(change.name, _Cached(account, change.version, checked_ms)).account
            for change, account in zip(changes, after, strict=True)
        )

    def _append(self, change: _Change, account: Account | None) -> Append:
        before = change.before.version
        due = before // SNAPSHOT_EVERY < change.version // SNAPSHOT_EVERY
        return Append(
            stream=account_stream(change.name),
            expected_version=before,
            events=tuple(
                self._codec.encode(event, cause=_cause(event, account)) for event in change.events
            ),
            secrets=change.secrets,
            snapshot=self._codec.codec.to_json(Account, account) if due else None,
        )
