"""Accounts: a cache of their states, and the commits that change them."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.causes import VISITOR, acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import StreamKind, account_stream, names_in
from openfelt.server.accounts.account_state import Account, apply_account
from openfelt.server.accounts.events import (
    ACCOUNT_FORMS,
    AccountEvent,
    PinSet,
    PinUsed,
    SessionOpened,
    SessionRenewed,
    secret_digest,
)
from openfelt.server.credentials.secret_names import AccountSecret
from openfelt.storage.codec import Codec, CodecError
from openfelt.storage.door import Append, Cause, Commit, Conflict, Forged, NewSecret, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.table.commands import Person

ATTEMPTS_MAX: Final = 50
CACHE_MAX: Final = 20_000
CACHE_MS: Final = 1000
"""Cache lifetime of an account, which another process may change."""
SNAPSHOT_EVERY: Final = 200


def _cause(event: AccountEvent, account: Account | None) -> Cause:
    """The cause of an account's event: with a session or a PIN of it, a visitor is its owner."""
    cause = acting()
    if cause.actor == VISITOR and account is not None and _is_owners(event):
        return replace(cause, actor=account.actor)
    return cause


def _is_owners(event: AccountEvent) -> bool:
    """Whether only the owner of the account can have caused an event."""
    if isinstance(event, PinSet):
        return event.by is None
    return isinstance(event, SessionOpened | SessionRenewed | PinUsed)


@dataclass(frozen=True, slots=True)
class _Cached:
    account: Account | None
    version: int
    checked_ms: int


@dataclass(frozen=True, slots=True)
class _Change:
    """A pending write to one account's stream."""

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
"""The result of a decision: the events and secrets to write."""


class Accounts:
    """All accounts. All calls block."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._codec = EventCodec(Codec(lambda _: None), ACCOUNT_FORMS)
        self._cache: OrderedDict[str, _Cached] = OrderedDict()
        self._doubted_ms: OrderedDict[str, int] = OrderedDict()
        """When another process has last changed an account, as it told."""
        self.on_change: Callable[[str], None] = lambda _: None
        """Called with the name of every account that was changed, in the thread that did it."""
        self._lock = threading.Lock()

    def get(self, name: str, *, fresh: bool = False) -> Account | None:
        """An account by its name, or None; ``fresh`` bypasses the cache."""
        return self._read(name, fresh=fresh).account

    def remembered(self, name: str) -> Account | None:
        """An account from the cache, without reading the store; None if it is not cached."""
        cached = self._remembered(name)
        return None if cached is None else cached.account

    def doubt(self, name: str) -> None:
        """Invalidate the cached account, because another process has changed it."""
        with self._lock:
            self._doubted_ms.pop(name, None)
            self._doubted_ms[name] = self._clock.monotonic_ms()
            while len(self._doubted_ms) > CACHE_MAX:
                self._doubted_ms.popitem(last=False)

    def has_role(self, person: Person) -> bool:
        """Whether a person at tables has this role now, and is not barred."""
        account = self.get(person.name, fresh=True)
        return account is not None and account.barred is None and account.person == person

    def names(self) -> list[str]:
        """The names of all accounts, in order."""
        return names_in(self._store, StreamKind.ACCOUNT)

    def password_hash(self, account: Account) -> str | None:
        """The hash of an account's password, None where it has none."""
        if account.password_number == 0:
            return None
        name = AccountSecret.PASSWORD.name_of(account.password_number)
        return self._secret(account, name, account.password_digest)

    def pin_hash(self, account: Account) -> str | None:
        """The hash of an account's PIN, None where it has none."""
        if account.pin_number == 0:
            return None
        name = AccountSecret.PIN.name_of(account.pin_number)
        return self._secret(account, name, account.pin_digest)

    def code_secret(self, account: Account) -> str | None:
        """The secret of an account's one-time codes, or None."""
        name = AccountSecret.CODES.name_of(account.second_factor)
        return self._secret(account, name, account.second_factor_digests[0])

    def recovery_hashes(self, account: Account) -> str | None:
        """The hashes of an account's recovery codes as JSON, None where it has none."""
        name = AccountSecret.RECOVERY.name_of(account.second_factor)
        return self._secret(account, name, account.second_factor_digests[1])

    def _secret(self, account: Account, name: str, digest: str) -> str | None:
        """A secret of an account, or None; raises Forged for one that does not match its event.

        Its event has the digest. Those of earlier versions have none, but all of their secrets
        were encrypted when appends became authentic.
        """
        stream = account_stream(account.name)
        secret = self._store.secrets(stream, name, encrypted_only=not digest).get(name)
        if secret is not None and digest not in ("", secret_digest(secret)):
            raise Forged("secrets", f"{stream}/{name}")
        return secret

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
        recent = None if fresh else self._remembered(name)
        if recent is not None:
            return recent
        now_ms = self._clock.monotonic_ms()
        with self._lock:
            cached = self._cache.get(name)
        stream = account_stream(name)
        account, version = (cached.account, cached.version) if cached else self._snapshot(stream)
        for stored in self._store.record(stream, after=version):
            account = apply_account(account, self._codec.decode(stored), stored.at_ms)
            version = stored.version
        return self._keep(name, _Cached(account, version, now_ms))

    def _remembered(self, name: str) -> _Cached | None:
        with self._lock:
            cached, doubted_ms = self._cache.get(name), self._doubted_ms.get(name)
        if cached is None or self._clock.monotonic_ms() - cached.checked_ms >= CACHE_MS:
            return None
        # What was read while the other process wrote may lack the change.
        return cached if doubted_ms is None or cached.checked_ms > doubted_ms else None

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
            for change in changes:
                self.on_change(change.name)
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
