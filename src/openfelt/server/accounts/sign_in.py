"""The door of the house: guests, signing up, signing in, and locks after wrong passwords."""

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
from openfelt.server.http.errors import Denied, not_found, signed_out
from openfelt.server.settings import Settings
from openfelt.storage.door import NewSecret
from openfelt.table.permissions import check_name

NAME_LENGTH_MAX: Final = 32
GUEST_PREFIX: Final = "guest-"
HOUSE_PREFIX: Final = "house-"
"""The names of the house's own players begin so."""
RESERVED: Final = frozenset(
    ("openfelt", "system", "house", "dealer", "floor", "cashier", "nobody", "absence", "supervisor")
)
"""The house itself acts under these names, or somebody might believe that it does."""
STRANGERS_MAX: Final = 10_000
LOCKS_HELD: Final = 64
WELCOME: Final = "welcome"


@dataclass(frozen=True, slots=True)
class Failures:
    """Wrong passwords in a row, and when the last one was."""

    count: int
    last_ms: int


class Door:
    """Lets people in."""

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
        self._strangers: OrderedDict[str, Failures] = OrderedDict()
        """Names that have no account are locked just like those that have one."""
        self._turns = tuple(asyncio.Lock() for _ in range(LOCKS_HELD))

    # Coming in ---------------------------------------------------------------------------

    async def guest(self) -> str:
        """Let a guest in, with play money; gives the token."""
        if not self._settings.play_money:
            raise Denied(HTTPStatus.FORBIDDEN, "no_guests", "This house has no guests.")
        name = f"{GUEST_PREFIX}{secrets.token_hex(5)}"
        opened = AccountOpened(name=name, role=AccountRole.PLAYER, guest=True)
        await asyncio.to_thread(self._accounts.change, name, lambda _: ((opened,), ()))
        await self._welcome(name)
        return await self._sessions.open(name, idle_ms=self._settings.limits.guest_idle_ms)

    async def sign_up(self, name: str, password: str, *, guest: str | None = None) -> str:
        """Open an account for a player, and sign it in.

        A guest's account takes over the guest's money, seats and history; the guest is gone.
        """
        if guest is None:
            await self.open_account(name, password, role=AccountRole.PLAYER)
            if self._settings.play_money:
                await self._welcome(name)
        else:
            hashed = await self._hash_of_new(name, password)
            decide = staying(name, guest=guest, hashed=hashed)
            await asyncio.to_thread(self._accounts.change_together, (name, guest), decide)
        return await self._open_session(name)

    async def open_account(
        self, name: str, password: str, *, role: AccountRole, by: str | None = None
    ) -> None:
        """Open an account with a password."""
        hashed = await self._hash_of_new(name, password)
        await asyncio.to_thread(
            self._accounts.change, name, opening(name, role, by=by, hashed=hashed)
        )

    async def open_default_account(self, name: str, password: str, *, role: AccountRole) -> None:
        """Open an account whose password everybody knows; with it nobody listens far."""
        hashed = await self._passwords.hash(password)
        decide = opening(name, role, by=None, hashed=hashed, default=True)
        await asyncio.to_thread(self._accounts.change, name, decide)

    async def sign_in(self, name: str, password: str) -> str:
        """Sign an account in by its password; gives the token.

        One answer for every reason: a name that nobody has, a wrong password, a guest.
        """
        async with self._turns[hash(name) % LOCKS_HELD]:
            account = await asyncio.to_thread(self._known, name)
            self._check_lock(name, account)
            kept = (
                await asyncio.to_thread(self._accounts.password_hash, account) if account else None
            )
            if not await self._passwords.matches(kept, password[:1024]):
                await self._failed(name, account)
                raise Denied(
                    HTTPStatus.UNAUTHORIZED, "wrong_password", "Name or password is wrong."
                )
            assert account is not None
            assert kept is not None
            if account.barred is not None:
                raise Denied(HTTPStatus.FORBIDDEN, "barred", "This account may not be used.")
            if self._passwords.outdated(kept):
                await self.set_password(name, password, default=account.password_default)
            return await self._open_session(name)

    async def set_password(self, name: str, password: str, *, default: bool = False) -> None:
        """Give an account another password; whoever is signed in is out."""
        hashed = await self._passwords.hash(password)

        def decide(account: Account | None) -> Decided:
            if account is None or account.guest:
                raise not_found(f"There is no account called {name}.")
            return password_events(account.password_number + 1, hashed, default=default)

        await asyncio.to_thread(self._accounts.change, name, decide)
        await self._sessions.end_all(name, "another password")

    async def _hash_of_new(self, name: str, password: str) -> str:
        """The hash of a new account's password; refuses a bad name and a bad password."""
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

    def _known(self, name: str) -> Account | None:
        return self._accounts.get(name, fresh=True) if is_account_name(name) else None

    def _check_lock(self, name: str, account: Account | None) -> None:
        if account is not None:
            failures = Failures(account.failures, account.failed_ms)
        else:
            failures = self._strangers.get(name, Failures(0, 0))
        wait_ms = failures.last_ms + self._lock_ms(failures.count) - self._clock.wall_ms()
        if wait_ms > 0:
            raise Denied(
                HTTPStatus.TOO_MANY_REQUESTS,
                "locked",
                "Too many wrong passwords: this name is locked for a while.",
                wait_ms=wait_ms,
            )

    def _lock_ms(self, failures: int) -> int:
        """How long a name is locked after so many wrong passwords in a row."""
        limits = self._settings.limits
        over = failures - limits.failures_before_lock
        if over < 0:
            return 0
        return min(limits.first_lock_ms << min(over, 40), limits.longest_lock_ms)

    async def _failed(self, name: str, account: Account | None) -> None:
        if account is not None:
            await asyncio.to_thread(
                self._accounts.change, name, lambda one: ((SignInFailed(),) if one else (), ())
            )
            return
        now_ms = self._clock.wall_ms()
        before = self._strangers.pop(name, Failures(0, 0))
        recent = now_ms - before.last_ms <= FAILURES_FORGOTTEN_MS
        self._strangers[name] = Failures(before.count + 1 if recent else 1, now_ms)
        while len(self._strangers) > STRANGERS_MAX:
            self._strangers.popitem(last=False)


def opening(
    name: str, role: AccountRole, *, by: str | None, hashed: str, default: bool = False
) -> Callable[[Account | None], Decided]:
    """What decides on a new account: it is refused where the name is taken."""

    def decide(account: Account | None) -> Decided:
        if account is not None:
            raise name_taken()
        events, kept = password_events(1, hashed, default=default)
        return (AccountOpened(name=name, role=role, by=by), *events), kept

    return decide


def staying(
    name: str, *, guest: str, hashed: str
) -> Callable[[Sequence[Account | None]], Sequence[Decided]]:
    """What decides on the account of a guest who stays: that of the new name, and the guest's."""

    def decide(found: Sequence[Account | None]) -> Sequence[Decided]:
        taken, leaving = found
        if leaving is None or not leaving.guest or leaving.stayed_as is not None:
            # Two requests at once must not share one wallet between two accounts.
            raise signed_out()
        if taken is not None:
            raise name_taken()
        opened = AccountOpened(name=name, role=AccountRole.PLAYER, plays_as=guest)
        events, kept = password_events(1, hashed, default=False)
        return ((opened, *events), kept), ((GuestStayed(name),), ())

    return decide


def name_taken() -> Denied:
    """Somebody has the name, or nobody may have it."""
    return Denied(HTTPStatus.CONFLICT, "name_taken", "Somebody has this name already.")


def password_events(number: int, hashed: str, *, default: bool) -> Decided:
    """What is written when a password is set."""
    return (PasswordSet(number, default),), (NewSecret(name=f"password/{number}", body=hashed),)


def is_account_name(name: str) -> bool:
    """Whether somebody could have an account of this name."""
    try:
        check_name(name, "player")
    except Refusal:
        return False
    return len(name) <= NAME_LENGTH_MAX


def check_account_name(name: str) -> None:
    """Refuse a name that nobody may choose."""
    if not is_account_name(name):
        raise Denied(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "bad_name",
            f"A name is 1 to {NAME_LENGTH_MAX} small letters, digits and . _ @ - "
            "and begins with a letter or digit.",
        )
    if name.startswith((GUEST_PREFIX, HOUSE_PREFIX)) or name in RESERVED:
        raise name_taken()
