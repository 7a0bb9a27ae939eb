"""PINs: how staff sign on at a dealer's terminal with their badge, and how many wrong ones lock it.

A PIN has few digits, so it is secure only because few guesses are allowed. After five wrong PINs in
a row, or thirty within thirty days with right ones in between, the account's PIN is locked until a
supervisor unlocks it; the counts are in the account's record, and so outlive a restart. PINs are
taken at enrolled devices only, and one device may try a few a minute, of all badges together.
"""

import asyncio
from http import HTTPStatus
from typing import Final
from weakref import WeakValueDictionary

from openfelt.runtime.clock import Clock
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.accounts import Accounts, Decided
from openfelt.server.accounts.events import (
    AccountEvent,
    AccountRole,
    PasswordState,
    PinFailed,
    PinRemoved,
    PinSet,
    PinUsed,
    secret_digest,
)
from openfelt.server.credentials.passwords import Passwords
from openfelt.server.credentials.pin_rules import (
    FAILURES_MAX,
    PINS_WRONG_MAX,
    PINS_WRONG_MS,
    check_pin,
)
from openfelt.server.credentials.secret_names import AccountSecret
from openfelt.server.credentials.throttle import slow_down
from openfelt.server.errors import Denied, not_allowed, not_found
from openfelt.server.limits.rates import Buckets, Rate, Sharing
from openfelt.server.pit.badges import Badges
from openfelt.storage.door import NewSecret

DEVICE_RATE: Final = Rate(per_minute=4, burst=20)
"""How many PINs may be tried at one device: enough for dealers who change over and mistype."""
_ROLES: Final = frozenset({AccountRole.DEALER, AccountRole.SUPERVISOR})


class Pins:
    """The badges and PINs of all accounts."""

    def __init__(
        self, accounts: Accounts, badges: Badges, *, passwords: Passwords, clock: Clock
    ) -> None:
        self._accounts = accounts
        self._badges = badges
        self._passwords = passwords
        self._clock = clock
        self._devices = Buckets(DEVICE_RATE, clock)
        self._checking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Of one account, one PIN is checked at a time, so that each wrong one is counted."""

    def share(self, sharing: Sharing) -> dict[str, Buckets]:
        """Count with the other gateways of the house; returns the buckets that they charge."""
        self._devices.share("pins", sharing)
        return {"pins": self._devices}

    async def give(self, name: str, *, badge: str, pin: str, by: str) -> None:
        """Give an account a badge, and a PIN that its owner changes at the first use."""
        account = await asyncio.to_thread(self._accounts.get, name, fresh=True)
        if account is None:
            raise not_found("There is no such account.")
        if account.role not in _ROLES:
            raise not_allowed("Only dealers and supervisors have a badge.")
        check_pin(pin, badge=badge)
        await asyncio.to_thread(self._badges.give, badge, name, by=by)
        await self._set(name, pin, PasswordState.TEMPORARY, by=by)

    async def take_away(self, name: str, *, by: str) -> None:
        """Remove the badge and the PIN of an account."""

        def decide(account: Account | None) -> Decided:
            has_pin = account is not None and account.pin_number != 0
            return ((PinRemoved(by),) if has_pin else ()), ()

        if not await asyncio.to_thread(self._badges.withdraw, name, by=by):
            raise not_found("This account has no badge.")
        await asyncio.to_thread(self._accounts.change, name, decide)

    async def check(
        self, badge: str, pin: str, *, device: str, new_pin: str | None = None
    ) -> Account:
        """The account of a badge, if the PIN is right; raises Denied.

        An unknown badge and a wrong PIN get the same refusal, after the same time. A PIN that a
        supervisor has set takes a ``new_pin`` of the owner's with it.
        """
        if wait_ms := self._devices.take(device):
            raise slow_down(wait_ms)
        name = await asyncio.to_thread(self._badges.account, badge)
        async with self._checking.setdefault(name or f"badge {badge}", asyncio.Lock()):
            account = await self._checked(name, pin, device)
            if new_pin is not None or account.pin_state is not PasswordState.OWN:
                await self._change(account, badge, pin, new_pin)
        return account

    async def _checked(self, name: str | None, pin: str, device: str) -> Account:
        account = await asyncio.to_thread(self._account, name)
        if account is not None and self._locked(account):
            raise Denied(
                HTTPStatus.FORBIDDEN,
                "pin_locked",
                "This PIN is locked: a supervisor can unlock it.",
            )
        stored = await asyncio.to_thread(self._accounts.pin_hash, account) if account else None
        matches = await self._passwords.matches(stored, pin, caller=device, recognised=True)
        if not matches or account is None:
            if account is not None:
                await asyncio.to_thread(self._accounts.change, account.name, _failed)
            raise Denied(HTTPStatus.UNAUTHORIZED, "wrong_pin", "Badge number or PIN is wrong.")
        if account.barred is not None:
            raise Denied(HTTPStatus.FORBIDDEN, "barred", "This account is barred.")
        if account.pin_failures:
            await asyncio.to_thread(self._accounts.change, account.name, _used)
        return account

    def _locked(self, account: Account) -> bool:
        """Whether too many PINs were wrong, in a row or over weeks."""
        if account.pin_failures >= FAILURES_MAX:
            return True
        since_ms = self._clock.wall_ms() - PINS_WRONG_MS
        recent = [at_ms for at_ms in account.pins_wrong_ms if at_ms > since_ms]
        return len(recent) >= PINS_WRONG_MAX

    def _account(self, name: str | None) -> Account | None:
        account = self._accounts.get(name, fresh=True) if name is not None else None
        return account if account is not None and account.role in _ROLES else None

    async def _change(self, account: Account, badge: str, pin: str, new_pin: str | None) -> None:
        if new_pin is None:
            raise Denied(HTTPStatus.FORBIDDEN, "pin_step", "Choose your own PIN.")
        if new_pin == pin:
            raise Denied(
                HTTPStatus.UNPROCESSABLE_ENTITY,
                "weak_pin",
                "Choose a PIN that differs from the old one.",
            )
        check_pin(new_pin, badge=badge)
        await self._set(account.name, new_pin, PasswordState.OWN, by=None)

    async def _set(self, name: str, pin: str, state: PasswordState, *, by: str | None) -> None:
        hashed = await self._passwords.hash(pin, caller=name, recognised=True)

        def decide(account: Account | None) -> Decided:
            if account is None:
                raise not_found("There is no such account.")
            number = account.pins + 1
            secret = NewSecret(name=AccountSecret.PIN.name_of(number), body=hashed)
            event: AccountEvent = PinSet(number, state, secret_digest(hashed), by)
            return (event,), (secret,)

        await asyncio.to_thread(self._accounts.change, name, decide)


def _used(account: Account | None) -> Decided:
    return ((PinUsed(),) if account is not None else ()), ()


def _failed(account: Account | None) -> Decided:
    return ((PinFailed(),) if account is not None else ()), ()
