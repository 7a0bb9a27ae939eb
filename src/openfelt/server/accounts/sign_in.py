"""Guests, sign-up, sign-in and passwords."""

import asyncio
import hashlib
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.clock import Clock
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.accounts import Accounts, Decided
from openfelt.server.accounts.events import (
    AccountOpened,
    AccountRole,
    DeviceRemembered,
    GuestStayed,
    PasswordExpired,
    PasswordSet,
    PasswordState,
    PublicNameGiven,
    SignInFailed,
    secret_digest,
)
from openfelt.server.accounts.names import (
    GUEST_PREFIX,
    check_account_name,
    is_account_name,
    name_taken,
)
from openfelt.server.accounts.passkeys import Passkeys, SignedChallenge
from openfelt.server.accounts.second_factors import SecondFactors
from openfelt.server.accounts.sessions import Sessions
from openfelt.server.accounts.tokens import new_token, token_hash
from openfelt.server.credentials.passwords import Passwords, random_password
from openfelt.server.credentials.secret_names import AccountSecret
from openfelt.server.credentials.throttle import Attempt, Throttle
from openfelt.server.errors import Denied, not_found, signed_out
from openfelt.server.limits.networks import networks_of, site_of
from openfelt.server.limits.rates import Buckets, Rate, Sharing
from openfelt.server.settings import AttemptLimits, Settings
from openfelt.storage.door import NewSecret

WELCOME: Final = "welcome"
DEVICE: Final = "device"
"""The name in the tokens of known devices."""
_RECORDED: Final = Rate(per_minute=1, burst=5)
"""How many wrong passwords at one name are recorded."""
_RECORDED_IN_ALL: Final = Rate(per_minute=30, burst=60)
_CODES_FIRST: Final = Rate(per_minute=1, burst=3)
"""How many codes of one site are checked before the password: guessing a code must not be cheaper
before the password than after it."""
_CODES_FIRST_IN_ALL: Final = Rate(per_minute=1, burst=20)
_CODES: Final = AttemptLimits(free=5, first_wait_ms=30_000, longest_wait_ms=3_600_000)
"""Wrong one-time codes after the right password, from all unknown devices together."""


@dataclass(frozen=True, slots=True)
class Source:
    """The origin of a sign-in attempt."""

    address: str
    devices: tuple[str, ...] = ()
    """The tokens of known devices that the browser has."""

    @property
    def caller(self) -> str:
        """The key under which the caller takes turns: the largest network of the address."""
        return networks_of(self.address)[-1].name


@dataclass(frozen=True, slots=True)
class SignInResult:
    """The response to a successful sign-in."""

    token: str
    """The token of the session."""
    device: str | None = None
    """The token by which the device is known from now on, None if it is known already."""


@dataclass(frozen=True, slots=True)
class Factor:
    """The second factor that an owner gives besides the password."""

    code: str | None = None
    """A one-time code or a recovery code."""
    passkey: SignedChallenge | None = None


NO_FACTOR: Final = Factor()


class PasskeyNeeded(Denied):
    """The password is right, and the account has a passkey that may be used."""

    def __init__(self, account: Account) -> None:
        super().__init__(
            HTTPStatus.UNAUTHORIZED, "passkey_needed", "Use the passkey of your second factor."
        )
        self.account = account


class SignIn:
    """Opens accounts and sessions."""

    def __init__(
        self,
        settings: Settings,
        accounts: Accounts,
        sessions: Sessions,
        *,
        passwords: Passwords,
        second_factors: SecondFactors,
        passkeys: Passkeys,
        cashier: Cashier,
        clock: Clock,
    ) -> None:
        self._settings = settings
        self._accounts = accounts
        self._sessions = sessions
        self._passwords = passwords
        self._second_factors = second_factors
        self._passkeys = passkeys
        self._cashier = cashier
        self._throttle = Throttle(settings.limits.attempts, clock)
        self._code_throttle = Throttle(_CODES, clock)
        self._codes_first = Buckets(_CODES_FIRST, clock)
        self._codes_first_in_all = Buckets(_CODES_FIRST_IN_ALL, clock)
        self._recorded = Buckets(_RECORDED, clock)
        self._recorded_in_all = Buckets(_RECORDED_IN_ALL, clock)

    # Opening accounts --------------------------------------------------------------------------

    async def guest(self) -> SignInResult:
        """Open a guest account with play money, and sign it in."""
        if not self._settings.play_money:
            raise Denied(HTTPStatus.FORBIDDEN, "no_guests", "This house does not admit guests.")
        name = f"{GUEST_PREFIX}{secrets.token_hex(5)}"
        opened = AccountOpened(name=name, role=AccountRole.PLAYER, guest=True)
        await asyncio.to_thread(self._accounts.change, name, lambda _: ((opened,), ()))
        await self._welcome(name)
        idle_ms = self._settings.limits.guest_idle_ms
        return SignInResult(await self._sessions.open(name, idle_ms=idle_ms))

    async def practice_dealer(self) -> SignInResult:
        """Open the account of a visitor who deals practice rounds, and sign it in."""
        if not self._settings.practice_dealers:
            raise Denied(
                HTTPStatus.FORBIDDEN, "no_practice_dealers", "This house has no practice dealers."
            )
        name = f"{GUEST_PREFIX}{secrets.token_hex(5)}"
        opened = AccountOpened(name=name, role=AccountRole.DEALER, guest=True)
        await asyncio.to_thread(self._accounts.change, name, lambda _: ((opened,), ()))
        return SignInResult(await self._sessions.open(name, idle_ms=self._settings.limits.idle_ms))

    async def sign_up(
        self, name: str, password: str, source: Source, *, guest: str | None = None
    ) -> SignInResult:
        """Open an account for a player, and sign it in.

        The account of a ``guest`` takes over the guest's money, seats and history.
        """
        check_account_name(name)
        hashed = await self._passwords.new_hash(
            password, name=name, staff=False, caller=source.caller
        )
        if guest is None:
            decide = new_account(name, AccountRole.PLAYER, by=None, hashed=hashed)
            await asyncio.to_thread(self._accounts.change, name, decide)
            if self._settings.play_money:
                await self._welcome(name)
        else:
            decide_both = guest_account(name, guest=guest, hashed=hashed)
            await asyncio.to_thread(self._accounts.change_together, (name, guest), decide_both)
        return await self.enter(name)

    async def open_account(
        self,
        name: str,
        password: str,
        *,
        role: AccountRole,
        by: str,
        state: PasswordState,
        public_name: str | None = None,
    ) -> None:
        """Open an account for another person."""
        check_account_name(name)
        staff = role is not AccountRole.PLAYER
        hashed = await self._passwords.new_hash(password, name=name, staff=staff, caller=by)
        decide = new_account(name, role, by=by, hashed=hashed, state=state, public_name=public_name)
        await asyncio.to_thread(self._accounts.change, name, decide)

    async def open_supervisor(self, name: str) -> str:
        """Open the first account of a house; returns its random password, which is not stored."""
        password = random_password()
        hashed = await self._passwords.hash(password)
        decide = new_account(
            name, AccountRole.SUPERVISOR, by=None, hashed=hashed, state=PasswordState.TEMPORARY
        )
        await asyncio.to_thread(self._accounts.change, name, decide)
        return password

    async def _welcome(self, name: str) -> None:
        cents = self._settings.play_money_cents
        await asyncio.to_thread(
            lambda: self._cashier.deposit(name, cents, id=WELCOME, note="play money")
        )

    # Signing in --------------------------------------------------------------------------------

    async def sign_in(
        self, name: str, password: str, source: Source, *, factor: Factor = NO_FACTOR
    ) -> SignInResult:
        """Sign an account in by its password, and by a code or a passkey where it has one.

        An unknown name, a wrong password and a guest get the same refusal. Raises PasskeyNeeded.
        """
        account = await self._authenticated(name, password, source, factor)
        if account.has_second_factor:
            await self._check_factor(account, factor, source)
        if account.staff and await self._passwords.is_weak(password, name=name):
            await asyncio.to_thread(self._accounts.change, name, _expire)
        return await self.enter(name, device=_known_device(account, source))

    async def check_owner(
        self, name: str, password: str, source: Source, *, factor: Factor | None = None
    ) -> Account:
        """The account, if the password is right; raises Denied. No session is opened.

        A second factor that the account has must be right too, unless ``factor`` is None.
        """
        account = await self._authenticated(name, password, source, factor or NO_FACTOR)
        if factor is not None and account.has_second_factor:
            await self._check_factor(account, factor, source)
        return account

    async def enter(
        self, name: str, *, device: str | None = None, since_ms: int | None = None
    ) -> SignInResult:
        """Open a session without a check. A new device becomes a known device."""
        token = await self._sessions.open(
            name, idle_ms=self._settings.limits.idle_ms, since_ms=since_ms
        )
        if device is not None:
            return SignInResult(token)
        device_token = new_token(DEVICE)
        remembered = DeviceRemembered(token_hash(device_token))
        await asyncio.to_thread(self._accounts.change, name, lambda _: ((remembered,), ()))
        return SignInResult(token, device_token)

    async def known_device(self, name: str, source: Source) -> str | None:
        """The device of the browser by which the account of this name knows it."""
        if not source.devices:
            return None
        account = await asyncio.to_thread(self._account, name)
        return None if account is None else _known_device(account, source)

    def share(self, sharing: Sharing) -> tuple[dict[str, Buckets], dict[str, Throttle]]:
        """The limits that the gateways of the house count together, by their names."""
        rates = {
            "codes first": self._codes_first,
            "codes first in all": self._codes_first_in_all,
            "recorded failures": self._recorded,
            "recorded failures in all": self._recorded_in_all,
        }
        for name, buckets in rates.items():
            buckets.share(name, sharing)
        return rates, {"passwords": self._throttle, "codes": self._code_throttle}

    def forgive(self, name: str) -> None:
        """Forget all wrong attempts at a name."""
        self._throttle.forgive(name)
        self._code_throttle.forgive(name)

    async def _authenticated(
        self, name: str, password: str, source: Source, factor: Factor
    ) -> Account:
        account = await asyncio.to_thread(self._account, name)
        attempt = Attempt(
            name if account is not None else _name_key(name),
            source.address,
            await self._proof(account, source, factor),
        )
        await self._throttle.admit(attempt)
        stored = await asyncio.to_thread(self._accounts.password_hash, account) if account else None
        try:
            # An owner's device does not wait for the attempts of strangers, wherever they are.
            matches = await self._passwords.matches(
                stored, password, caller=source.caller, recognised=attempt.proof is not None
            )
        except (Denied, asyncio.CancelledError):
            # Nothing has been guessed.
            self._throttle.withdraw(attempt)
            raise
        if not matches or account is None or stored is None:
            await self._record_failure(name, account)
            raise Denied(HTTPStatus.UNAUTHORIZED, "wrong_password", "Name or password is wrong.")
        if account.barred is not None:
            raise Denied(HTTPStatus.FORBIDDEN, "barred", "This account is barred.")
        self._throttle.succeeded(attempt)
        if self._passwords.outdated(stored) or not account.password_digest:
            await self._rehash(account, password, source)
        return account

    async def _proof(self, account: Account | None, source: Source, factor: Factor) -> str | None:
        """Evidence that an attempt is the owner's, before the password is checked."""
        if account is None:
            return None
        if (device := _known_device(account, source)) is not None:
            return device
        if factor.passkey is not None and await self._passkeys.awaits(account, factor.passkey):
            # A challenge is only given to a browser that has sent the right password. Each has
            # attempts of its own, so that a thief of the password uses up none of the owner's.
            return f"passkey {factor.passkey.holder[:16]}"
        if factor.code and account.second_factor and self._looks_at_code(account, source):
            return "code" if await self._second_factors.is_valid(account, factor.code) else None
        return None

    def _looks_at_code(self, account: Account, source: Source) -> bool:
        """Whether a code may still be checked before the password."""
        key = f"{account.name} from {site_of(source.address)}"
        return not (self._codes_first.take(key) or self._codes_first_in_all.take(account.name))

    async def _check_factor(self, account: Account, factor: Factor, source: Source) -> None:
        """Use the second factor; raises Denied. The caller has already given the right password."""
        if factor.passkey is None and not factor.code:
            if account.passkeys:
                raise PasskeyNeeded(account)
            raise Denied(
                HTTPStatus.UNAUTHORIZED, "code_needed", "Enter the code of your second factor."
            )
        if factor.passkey is not None:
            # A signature cannot be guessed, so guesses of codes need not keep it waiting.
            await self._passkeys.use(account, factor.passkey)
            return
        # All unknown devices share their attempts.
        attempt = Attempt(account.name, "", _known_device(account, source))
        await self._code_throttle.admit(attempt)
        await self._second_factors.use(account, factor.code or "")
        self._code_throttle.succeeded(attempt)

    def _account(self, name: str) -> Account | None:
        return self._accounts.get(name, fresh=True) if is_account_name(name) else None

    async def _record_failure(self, name: str, account: Account | None) -> None:
        """Record a wrong password, unless an attacker would fill the record with them."""
        if account is None or self._recorded.take(name) or self._recorded_in_all.take(""):
            return
        await asyncio.to_thread(
            self._accounts.change, name, lambda now: ((SignInFailed(),) if now else (), ())
        )

    async def _rehash(self, account: Account, password: str, source: Source) -> None:
        """Store the same password with today's parameters; sessions and devices stay."""
        hashed = await self._passwords.hash(password, caller=source.caller, recognised=True)

        def decide(now: Account | None) -> Decided:
            if now is None or now.password_number != account.password_number:
                return (), ()
            events, secret = password_events(now.password_number + 1, hashed, now.password_state)
            devices = tuple(DeviceRemembered(device) for device in now.known_devices)
            return (*events, *devices), secret

        await asyncio.to_thread(self._accounts.change, account.name, decide)

    # Passwords ---------------------------------------------------------------------------------

    async def set_password(
        self,
        name: str,
        password: str,
        *,
        staff: bool,
        caller: str = "",
        state: PasswordState = PasswordState.OWN,
    ) -> None:
        """Set an account's password, and end its sessions."""
        hashed = await self._passwords.new_hash(
            password, name=name, staff=staff, caller=caller, recognised=True
        )

        def decide(account: Account | None) -> Decided:
            if account is None or account.guest:
                raise not_found(f"There is no account called {name}.")
            return password_events(account.password_number + 1, hashed, state)

        await asyncio.to_thread(self._accounts.change, name, decide)
        await self._sessions.end_all(name, "another password")


def _expire(account: Account | None) -> Decided:
    own = account is not None and account.password_state is PasswordState.OWN
    return (PasswordExpired(),) if own else (), ()


def _known_device(account: Account, source: Source) -> str | None:
    """The hash of the browser's device token that the account has recorded."""
    hashes = {token_hash(token) for token in source.devices}
    return next((device for device in account.known_devices if device in hashes), None)


def _name_key(name: str) -> str:
    """A key for a text that is not the name of an account."""
    return name if is_account_name(name) else hashlib.sha256(name.encode()).hexdigest()


# Decisions -------------------------------------------------------------------------------------


def new_account(
    name: str,
    role: AccountRole,
    *,
    by: str | None,
    hashed: str,
    state: PasswordState = PasswordState.OWN,
    public_name: str | None = None,
) -> Callable[[Account | None], Decided]:
    """The decision to open an account; it is refused if the name is taken."""

    def decide(account: Account | None) -> Decided:
        if account is not None:
            raise name_taken()
        events, secret = password_events(1, hashed, state)
        named = () if public_name is None else (PublicNameGiven(public_name, by or name),)
        return (AccountOpened(name=name, role=role, by=by), *events, *named), secret

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
        events, secret = password_events(1, hashed)
        return ((opened, *events), secret), ((GuestStayed(name),), ())

    return decide


def password_events(number: int, hashed: str, state: PasswordState = PasswordState.OWN) -> Decided:
    """The event and the secret that set a password."""
    secret = NewSecret(name=AccountSecret.PASSWORD.name_of(number), body=hashed)
    return (PasswordSet(number, state, secret_digest(hashed)),), (secret,)
