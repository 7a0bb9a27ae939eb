"""Guests, sign-up, sign-in, passwords, and locks after wrong passwords."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.clock import Clock
from openfelt.server.accounts.accounts import FAILURES_FORGOTTEN_MS, Account, Accounts, Decided
from openfelt.server.accounts.events import (
    AccountOpened,
    AccountRole,
    GuestStayed,
    PasswordSet,
    SignInFailed,
)
from openfelt.server.accounts.passwords import Passwords, check_password
from openfelt.server.accounts.sessions import Sessions
from openfelt.server.errors import Denied, not_found, signed_out
from openfelt.server.settings import Settings
from openfelt.storage.door import NewSecret
from openfelt.table.permissions import check_name

NAME_LENGTH_MAX: Final = 32
GUEST_PREFIX: Final = "guest-"
HOUSE_PREFIX: Final = "house-"
"""The prefix of the names of proposition players."""
RESERVED: Final = frozenset(
    ("openfelt", "system", "house", "dealer", "floor", "cashier", "nobody", "absence", "supervisor")
)
"""Names under which the house itself acts, or seems to act."""
UNKNOWN_NAMES_MAX: Final = 10_000
NAME_LOCKS: Final = 64
WELCOME: Final = "welcome"


@dataclass(frozen=True, slots=True)
class Failures:
    """Wrong passwords in a row, and when the last one was."""

    count: int
    last_ms: int


class SignIn:
    """Opens accounts and sessions."""

    def __init__(
        self,
        settings: Settings,
        accounts: Accounts,
        sessions: Sessions,
        *,
        passwords: Passwords,
        cashier: Cashier,
        clock: Clock,
    ) -> None:
        self._settings = settings
        self._accounts = accounts
        self._sessions = sessions
        self._passwords = passwords
        self._cashier = cashier
        self._clock = clock
        self._unknown_names: OrderedDict[str, Failures] = OrderedDict()
        """Failures by name: names without an account are locked like those with one."""
        self._locks = tuple(asyncio.Lock() for _ in range(NAME_LOCKS))

    # Accounts and sessions -----------------------------------------------------------------

    async def guest(self) -> str:
        """Open a guest account with play money; gives the token of its session."""
        if not self._settings.play_money:
            raise Denied(HTTPStatus.FORBIDDEN, "no_guests", "This house does not admit guests.")
        name = f"{GUEST_PREFIX}{secrets.token_hex(5)}"
        opened = AccountOpened(name=name, role=AccountRole.PLAYER, guest=True)
        await asyncio.to_thread(self._accounts.change, name, lambda _: ((opened,), ()))
        await self._welcome(name)
        return await self._sessions.open(name, idle_ms=self._settings.limits.guest_idle_ms)

    async def sign_up(self, name: str, password: str, *, guest: str | None = None) -> str:
        """Open an account for a player, and sign it in; gives the token of its session.

        The account of a ``guest`` takes over the guest's money, seats and history.
        """
        if guest is None:
            await self.open_account(name, password, role=AccountRole.PLAYER)
            if self._settings.play_money:
                await self._welcome(name)
        else:
            hashed = await self._hash_of_new(name, password)
            decide = guest_account(name, guest=guest, hashed=hashed)
            await asyncio.to_thread(self._accounts.change_together, (name, guest), decide)
        return await self._open_session(name)

    async def open_account(
        self, name: str, password: str, *, role: AccountRole, by: str | None = None
    ) -> None:
        """Open an account with a password."""
        hashed = await self._hash_of_new(name, password)
        await asyncio.to_thread(
            self._accounts.change, name, new_account(name, role, by=by, hashed=hashed)
        )

    async def open_default_account(self, name: str, password: str, *, role: AccountRole) -> None:
        """Open an account with a well-known password, which only a local server accepts."""
        hashed = await self._passwords.hash(password)
        decide = new_account(name, role, by=None, hashed=hashed, default=True)
        await asyncio.to_thread(self._accounts.change, name, decide)

    async def sign_in(self, name: str, password: str) -> str:
        """Sign an account in by its password; gives the token of its session.

        An unknown name, a wrong password and a guest get the same refusal.
        """
        async with self._locks[hash(name) % NAME_LOCKS]:
            account = await asyncio.to_thread(self._account, name)
            self._check_lock(name, account)
            stored = (
                await asyncio.to_thread(self._accounts.password_hash, account) if account else None
            )
            if not await self._passwords.matches(stored, password):
                await self._failed(name, account)
                raise Denied(
                    HTTPStatus.UNAUTHORIZED, "wrong_password", "Name or password is wrong."
                )
            assert account is not None
            assert stored is not None
            if account.barred is not None:
                raise Denied(HTTPStatus.FORBIDDEN, "barred", "This account is barred.")
            if self._passwords.outdated(stored):
                await self.set_password(name, password, default=account.password_default)
            return await self._open_session(name)

    async def set_password(self, name: str, password: str, *, default: bool = False) -> None:
        """Set an account's password, and end its sessions."""
        hashed = await self._passwords.hash(password)

        def decide(account: Account | None) -> Decided:
            if account is None or account.guest:
                raise not_found(f"There is no account called {name}.")
            return password_events(account.password_number + 1, hashed, default=default)

        await asyncio.to_thread(self._accounts.change, name, decide)
        await self._sessions.end_all(name, "another password")

    async def _hash_of_new(self, name: str, password: str) -> str:
        """The hash of a new account's password; raises Denied for a bad name or password."""
        check_account_name(name)
        check_password(password, name=name)
        return await self._passwords.hash(password)

    async def _open_session(self, name: str) -> str:
        return await self._sessions.open(name, idle_ms=self._settings.limits.idle_ms)

    async def _welcome(self, name: str) -> None:
        cents = self._settings.play_money_cents
        await asyncio.to_thread(
            lambda: self._cashier.deposit(name, cents, id=WELCOME, note="play money")
        )

    # Locks ---------------------------------------------------------------------------------

    def _account(self, name: str) -> Account | None:
        return self._accounts.get(name, fresh=True) if is_account_name(name) else None

    def _check_lock(self, name: str, account: Account | None) -> None:
        if account is not None:
            failures = Failures(account.failures, account.failed_ms)
        else:
            failures = self._unknown_names.get(name, Failures(0, 0))
        wait_ms = failures.last_ms + self._lock_ms(failures.count) - self._clock.wall_ms()
        if wait_ms > 0:
            raise Denied(
                HTTPStatus.TOO_MANY_REQUESTS,
                "locked",
                "Too many wrong passwords: this name is locked for a while.",
                wait_ms=wait_ms,
            )

    def _lock_ms(self, failures: int) -> int:
        """How long a name is locked after a number of wrong passwords in a row."""
        limits = self._settings.limits
        over = failures - limits.failures_before_lock
        if over < 0:
            return 0
        return min(limits.first_lock_ms << min(over, 40), limits.longest_lock_ms)

    async def _failed(self, name: str, account: Account | None) -> None:
        if account is not None:
            await asyncio.to_thread(
                self._accounts.change,
                name,
                lambda account: ((SignInFailed(),) if account else (), ()),
            )
            return
        now_ms = self._clock.wall_ms()
        before = self._unknown_names.pop(name, Failures(0, 0))
        recent = now_ms - before.last_ms <= FAILURES_FORGOTTEN_MS
        self._unknown_names[name] = Failures(before.count + 1 if recent else 1, now_ms)
        while len(self._unknown_names) > UNKNOWN_NAMES_MAX:
            self._unknown_names.popitem(last=False)


def new_account(
    name: str, role: AccountRole, *, by: str | None, hashed: str, default: bool = False
) -> Callable[[Account | None], Decided]:
    """The decision to open an account; it is refused where the name is taken."""

    def decide(account: Account | None) -> Decided:
        if account is not None:
            raise name_taken()
        events, secrets = password_events(1, hashed, default=default)
        return (AccountOpened(name=name, role=role, by=by), *events), secrets

    return decide


def guest_account(
    name: str, *, guest: str, hashed: str
) -> Callable[[Sequence[Account | None]], Sequence[Decided]]:
    """The decision to open an account for a guest: on the new account and on the guest's."""

    def decide(accounts: Sequence[Account | None]) -> Sequence[Decided]:
        existing, leaving = accounts
        if leaving is None or not leaving.guest or leaving.stayed_as is not None:
            # Two concurrent requests must not give one wallet to two accounts.
            raise signed_out()
        if existing is not None:
            raise name_taken()
        opened = AccountOpened(name=name, role=AccountRole.PLAYER, plays_as=guest)
        events, secrets = password_events(1, hashed, default=False)
        return ((opened, *events), secrets), ((GuestStayed(name),), ())

    return decide


def name_taken() -> Denied:
    """The name is taken or reserved."""
    return Denied(HTTPStatus.CONFLICT, "name_taken", "This name is taken.")


def password_events(number: int, hashed: str, *, default: bool) -> Decided:
    """The event and the secret that set a password."""
    return (PasswordSet(number, default),), (NewSecret(name=f"password/{number}", body=hashed),)


def is_account_name(name: str) -> bool:
    """Whether an account may have this name."""
    try:
        check_name(name, "player")
    except Refusal:
        return False
    return len(name) <= NAME_LENGTH_MAX


def check_account_name(name: str) -> None:
    """Refuse a name that is malformed or reserved."""
    if not is_account_name(name):
        raise Denied(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "bad_name",
            f"A name has 1 to {NAME_LENGTH_MAX} lower-case letters, digits and . _ @ - "
            "and begins with a letter or digit.",
        )
    if name.startswith((GUEST_PREFIX, HOUSE_PREFIX)) or name in RESERVED:
        raise name_taken()
