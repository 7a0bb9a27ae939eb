"""Challenges for passkeys: random, kept by the server, for one use and a few minutes.

One process keeps them in memory. Several processes keep them in the store, so that a browser may
answer at another gateway.
"""

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from openfelt.runtime.clock import Clock
from openfelt.server.store.short_lived_texts import ShortLivedTexts

CHALLENGE_MS: Final = 5 * 60_000
"""How long a challenge may be answered."""
CHALLENGE_BYTES: Final = 32
PER_ACCOUNT_MAX: Final = 8
"""How many challenges of one account may be open, so that no account displaces others."""
ACCOUNTS_MAX: Final = 10_000
_KIND: Final = "challenge"


class Purpose(StrEnum):
    """The purpose of a challenge. An answer for one purpose does not count for another."""

    ADD = "add"
    """To add a passkey."""
    SIGN_IN = "sign_in"
    OWNER = "owner"
    """To confirm, within a session, an action that only the owner may take."""


@dataclass(frozen=True, slots=True)
class ChallengeKey:
    """The key of a challenge."""

    purpose: Purpose
    account: str
    holder: str
    """The hash of the session, or of the ticket of a browser that is signing in."""


@dataclass(frozen=True, slots=True)
class _Challenge:
    value: bytes
    begun_ms: int


class OpenChallenges(Protocol):
    """The challenges that may be answered. All methods may raise StoreError."""

    async def new(self, key: ChallengeKey) -> bytes:
        """A new challenge, which replaces an open one of the same key."""
        ...

    async def is_open(self, key: ChallengeKey) -> bool:
        """Whether a challenge may still be answered. It stays open."""
        ...

    async def take(self, key: ChallengeKey) -> bytes | None:
        """Use up a challenge; None if there is none, or it has expired.

        It is used up whether the answer is right or wrong, so it cannot be answered twice.
        """
        ...


class SharedChallenges:
    """The open challenges of all processes. The rate of sign-ins bounds their number."""

    def __init__(self, notes: ShortLivedTexts) -> None:
        self._notes = notes

    async def new(self, key: ChallengeKey) -> bytes:
        """A new challenge, which replaces an open one of the same key."""
        value = secrets.token_bytes(CHALLENGE_BYTES)
        await self._notes.put(_KIND, _name(key), value.hex(), ttl_ms=CHALLENGE_MS)
        return value

    async def is_open(self, key: ChallengeKey) -> bool:
        """Whether a challenge may still be answered. It stays open."""
        return await self._notes.get(_KIND, _name(key)) is not None

    async def take(self, key: ChallengeKey) -> bytes | None:
        """Use up a challenge; if several processes try, only one gets it."""
        value = await self._notes.take(_KIND, _name(key))
        return None if value is None else bytes.fromhex(value)


def _name(key: ChallengeKey) -> str:
    return f"{key.purpose} {key.account} {key.holder}"


class Challenges:
    """The open challenges of one process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._accounts: OrderedDict[str, OrderedDict[ChallengeKey, _Challenge]] = OrderedDict()

    async def new(self, key: ChallengeKey) -> bytes:
        """A new challenge, which replaces an open one of the same key."""
        challenge = _Challenge(secrets.token_bytes(CHALLENGE_BYTES), self._clock.monotonic_ms())
        challenges = self._accounts.pop(key.account, OrderedDict())
        challenges.pop(key, None)
        challenges[key] = challenge
        while len(challenges) > PER_ACCOUNT_MAX:
            challenges.popitem(last=False)
        self._accounts[key.account] = challenges
        while len(self._accounts) > ACCOUNTS_MAX:
            self._accounts.popitem(last=False)
        return challenge.value

    async def is_open(self, key: ChallengeKey) -> bool:
        """Whether a challenge may still be answered. It stays open."""
        challenges = self._accounts.get(key.account)
        challenge = challenges.get(key) if challenges else None
        return challenge is not None and self._in_time(challenge)

    async def take(self, key: ChallengeKey) -> bytes | None:
        """Use up a challenge; None if there is none, or it has expired.

        It is used up whether the answer is right or wrong, so it cannot be answered twice.
        """
        challenges = self._accounts.get(key.account)
        challenge = challenges.pop(key, None) if challenges else None
        if challenges is not None and not challenges:
            del self._accounts[key.account]
        if challenge is None or not self._in_time(challenge):
            return None
        return challenge.value

    def _in_time(self, challenge: _Challenge) -> bool:
        return self._clock.monotonic_ms() - challenge.begun_ms <= CHALLENGE_MS
