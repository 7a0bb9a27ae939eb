"""Passkeys of accounts as a second factor: adding, using, listing and removing them."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from openfelt.runtime.clock import Clock
from openfelt.server.accounts.account_state import Account, Passkey
from openfelt.server.accounts.accounts import Accounts, Decided
from openfelt.server.accounts.events import (
    PasskeyAdded,
    PasskeyDoubted,
    PasskeyRemoved,
    PasskeyUsed,
)
from openfelt.server.credentials.challenges import (
    ChallengeKey,
    Challenges,
    OpenChallenges,
    Purpose,
)
from openfelt.server.credentials.passkey_answers import (
    Assertion,
    Attestation,
    BadPasskey,
    Site,
    VerifiedKey,
    count_went_back,
    encoded,
    verify_new,
    verify_use,
)
from openfelt.server.errors import Denied, not_found

PASSKEYS_MAX: Final = 10
"""How many passkeys an account may have."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SignedChallenge:
    """An answer to a challenge, and which challenge it answers."""

    assertion: Assertion
    purpose: Purpose
    holder: str
    """The hash of the session or of the ticket to which the challenge was given."""
    site: Site

    def key(self, account: Account) -> ChallengeKey:
        """The challenge that it must answer."""
        return ChallengeKey(self.purpose, account.name, self.holder)


class Passkeys:
    """The passkeys of all accounts."""

    def __init__(
        self, accounts: Accounts, clock: Clock, *, challenges: OpenChallenges | None = None
    ) -> None:
        """``challenges`` keeps the open challenges; None keeps them in this process."""
        self._accounts = accounts
        self._challenges = challenges or Challenges(clock)

    async def challenge(self, key: ChallengeKey) -> str:
        """A new challenge, in base64url."""
        return encoded(await self._challenges.new(key))

    # Adding --------------------------------------------------------------------------------------

    async def add(
        self, account: Account, session: str, site: Site, *, name: str, attestation: Attestation
    ) -> Account:
        """Add a passkey that answers the challenge of this session; raises Denied."""
        challenge = await self._challenges.take(ChallengeKey(Purpose.ADD, account.name, session))
        if challenge is None:
            raise Denied(HTTPStatus.CONFLICT, "no_setup", "Start the setup again.")
        try:
            verified = await asyncio.to_thread(verify_new, attestation, challenge, site)
        except BadPasskey as error:
            raise wrong_passkey(account, error) from error
        added = await asyncio.to_thread(
            self._accounts.change, account.name, _addition(verified, name=name, site=site)
        )
        assert added is not None
        return added

    # Using ---------------------------------------------------------------------------------------

    async def awaits(self, account: Account, signed: SignedChallenge) -> bool:
        """Whether the challenge that an answer is for was given to its sender, and is open."""
        return await self._challenges.is_open(signed.key(account))

    async def use(self, account: Account, signed: SignedChallenge) -> None:
        """Accept a signed challenge once; raises Denied."""
        challenge = await self._challenges.take(signed.key(account))
        if challenge is None:
            raise wrong_passkey(account, BadPasskey("There is no such challenge."))
        refused: list[BadPasskey] = []

        def decide(now: Account | None) -> Decided:
            # Removed passkeys and the count are looked at in the state that is written to.
            refused.clear()
            passkey = usable(now, signed.site).get(signed.assertion.id)
            if passkey is None:
                raise wrong_passkey(account, BadPasskey("The account has no such passkey here."))
            count = _verified_count(signed, challenge, passkey)
            if count_went_back(passkey.sign_count, count):
                refused.append(BadPasskey("The signature counter has gone backwards."))
                return (PasskeyDoubted(signed.assertion.id, count),), ()
            return (PasskeyUsed(signed.assertion.id, count),), ()

        try:
            await asyncio.to_thread(self._accounts.change, account.name, decide)
        except BadPasskey as error:
            raise wrong_passkey(account, error) from error
        if refused:
            raise wrong_passkey(account, refused[0])

    # Removing ------------------------------------------------------------------------------------

    async def remove(self, name: str, passkey: str, *, by: str) -> None:
        """Remove a passkey; raises Denied if there is none of this id."""

        def decide(account: Account | None) -> Decided:
            if account is None or passkey not in account.passkeys:
                raise not_found("This account has no such passkey.")
            return (PasskeyRemoved(passkey, by),), ()

        await asyncio.to_thread(self._accounts.change, name, decide)


def usable(account: Account | None, site: Site) -> dict[str, Passkey]:
    """The passkeys of an account that browsers offer at this site."""
    passkeys = account.passkeys if account is not None else {}
    return {id_: passkey for id_, passkey in passkeys.items() if passkey.site == site.name}


def _addition(
    verified: VerifiedKey, *, name: str, site: Site
) -> Callable[[Account | None], Decided]:
    """The decision to add a passkey."""

    def decide(account: Account | None) -> Decided:
        if account is None:
            raise not_found("There is no such account.")
        if verified.id in account.passkeys:
            raise Denied(
                HTTPStatus.CONFLICT, "passkey_exists", "This passkey has already been added."
            )
        if len(account.passkeys) >= PASSKEYS_MAX:
            raise too_many_passkeys()
        added = PasskeyAdded(
            passkey=verified.id,
            name=name,
            site=site.name,
            public_key=verified.public_key,
            sign_count=verified.sign_count,
        )
        return (added,), ()

    return decide


def _verified_count(signed: SignedChallenge, challenge: bytes, passkey: Passkey) -> int:
    return verify_use(signed.assertion, challenge, signed.site, public_key=passkey.public_key)


def too_many_passkeys() -> Denied:
    """The account has as many passkeys as it may have."""
    sentence = f"An account may have at most {PASSKEYS_MAX} passkeys."
    return Denied(HTTPStatus.CONFLICT, "too_many_passkeys", sentence)


def wrong_passkey(account: Account, why: BadPasskey) -> Denied:
    """The passkey is not accepted. The log says why; the caller is not told."""
    # The reason may quote what the client sent, which must not break a line of the log.
    fields = {"account": account.name, "why": ascii(str(why)[:200])}
    logger.warning("passkey refused", extra={"fields": fields})
    return Denied(HTTPStatus.UNAUTHORIZED, "wrong_passkey", "This passkey is not accepted.")
