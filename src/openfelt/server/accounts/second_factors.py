"""One-time codes of an account: setting them up, checking codes, and removing them."""

import asyncio
import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from openfelt.runtime.clock import Clock
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.accounts import Accounts, Decided
from openfelt.server.accounts.events import (
    AccountEvent,
    CodeUsed,
    PasskeyRemoved,
    RecoveryCodeUsed,
    SecondFactorRemoved,
    SecondFactorSet,
    SessionEnded,
    secret_digest,
)
from openfelt.server.credentials.one_time_codes import (
    code_step,
    matching_recovery,
    new_recovery_codes,
    new_secret,
    recovery_hash,
)
from openfelt.server.credentials.secret_names import AccountSecret
from openfelt.server.errors import Denied, not_found
from openfelt.server.store.short_lived_texts import LocalTexts, ShortLivedTexts
from openfelt.storage.door import KeyLost, KeyMissing, NewSecret

SETUPS_MAX: Final = 1000
SETUP_MS: Final = 15 * 60_000
"""How long a set-up may take."""
OPERATOR: Final = "operator"
_KIND: Final = "second factor"


class SecondFactors:
    """The one-time codes of all accounts."""

    def __init__(
        self, accounts: Accounts, clock: Clock, *, notes: ShortLivedTexts | None = None
    ) -> None:
        """``notes`` keeps secrets that were shown and not confirmed yet, by session; None for
        within this process."""
        self._accounts = accounts
        self._clock = clock
        self._notes = notes or LocalTexts(clock, most=SETUPS_MAX)

    # Setting up --------------------------------------------------------------------------------

    async def begin(self, session: str) -> str:
        """A secret for an app, which counts once a code of it is confirmed in the same session."""
        secret = new_secret()
        await self._notes.put(_KIND, session, secret, ttl_ms=SETUP_MS)
        return secret

    async def confirm(self, name: str, session: str, code: str) -> list[str]:
        """Set the second factor up with a code of the new secret; returns the recovery codes."""
        secret = await self._notes.get(_KIND, session)
        if secret is None:
            raise Denied(HTTPStatus.CONFLICT, "no_setup", "Start the setup again.")
        step = code_step(secret, code, now_ms=self._clock.wall_ms(), after=0)
        if step is None:
            raise wrong_code()
        codes = new_recovery_codes()
        await asyncio.to_thread(self._accounts.change, name, _set(secret, step, codes))
        await self._notes.take(_KIND, session)
        return codes

    # Checking ----------------------------------------------------------------------------------

    async def is_valid(self, account: Account, code: str) -> bool:
        """Whether a code would be accepted now. It is not used up by this."""
        return await asyncio.to_thread(self._use_of, account, code) is not None

    async def use(self, account: Account, code: str) -> None:
        """Use up a code; raises Denied for a wrong code, and for one that was used before."""

        def decide(now: Account | None) -> Decided:
            # Of two attempts with one code at the same time, the second finds it used.
            use = None if now is None else self._use_of(now, code)
            if use is None:
                raise wrong_code()
            return (use,), ()

        await asyncio.to_thread(self._accounts.change, account.name, decide)

    def _use_of(self, account: Account, code: str) -> AccountEvent | None:
        """The event that uses a code up, None for a wrong code."""
        step = self._step(account, code)
        if step is not None:
            return CodeUsed(step)
        stored = self._accounts.recovery_hashes(account)
        unused = set(json.loads(stored or "[]")) - account.recovery_used
        recovery = matching_recovery(code, unused)
        return None if recovery is None else RecoveryCodeUsed(recovery)

    def _step(self, account: Account, code: str) -> int | None:
        try:
            secret = self._accounts.code_secret(account)
        except (KeyMissing, KeyLost):
            # The key is lost: recovery codes still count, and the operator can reset.
            return None
        if secret is None:
            return None
        return code_step(secret, code, now_ms=self._clock.wall_ms(), after=account.code_step)

    async def recovery_left(self, account: Account) -> int:
        """How many recovery codes have not been used."""
        if not account.second_factor:
            return 0
        stored = await asyncio.to_thread(self._accounts.recovery_hashes, account)
        return len(set(json.loads(stored or "[]")) - account.recovery_used)

    # Removing ----------------------------------------------------------------------------------

    async def remove(self, name: str, *, by: str) -> None:
        """Remove a second factor."""
        await asyncio.to_thread(self._accounts.change, name, removal(by=by))


def _set(secret: str, step: int, codes: list[str]) -> Callable[[Account | None], Decided]:
    """The decision to set a second factor; the store encrypts its secret."""

    def decide(account: Account | None) -> Decided:
        if account is None:
            raise not_found("There is no such account.")
        number = account.second_factors + 1
        hashes = json.dumps([recovery_hash(code) for code in codes])
        event = SecondFactorSet(number, secret_digest(secret), secret_digest(hashes))
        return (event, CodeUsed(step)), (
            NewSecret(name=AccountSecret.CODES.name_of(number), body=secret, encrypted=True),
            # Not encrypted, so that the codes still count where the key is lost.
            NewSecret(name=AccountSecret.RECOVERY.name_of(number), body=hashes),
        )

    return decide


def removal(*, by: str) -> Callable[[Account | None], Decided]:
    """The decision to remove an account's one-time codes."""

    def decide(account: Account | None) -> Decided:
        if account is None or not account.second_factor:
            raise not_found("This account has no second factor.")
        return (SecondFactorRemoved(by),), ()

    return decide


def reset(*, by: str) -> Callable[[Account | None], Decided]:
    """The decision to remove an account's codes and passkeys, and to end its sessions."""

    def decide(account: Account | None) -> Decided:
        if account is None or not account.has_second_factor:
            raise not_found("This account has no second factor.")
        codes = (SecondFactorRemoved(by),) if account.second_factor else ()
        passkeys = tuple(PasskeyRemoved(passkey, by) for passkey in account.passkeys)
        ended = tuple(
            SessionEnded(session, "second factor removed") for session in account.sessions
        )
        return (*codes, *passkeys, *ended), ()

    return decide


def wrong_code() -> Denied:
    """The code is wrong, or was used before."""
    return Denied(HTTPStatus.UNAUTHORIZED, "wrong_code", "This code is wrong, or was used before.")
