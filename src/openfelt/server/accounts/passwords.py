"""Passwords as Argon2 hashes. Hashing is slow on purpose, so it has threads of its own."""

from http import HTTPStatus
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from openfelt.server.errors import Denied
from openfelt.server.limits.bounded_pool import BoundedPool

LENGTH_MIN: Final = 8
LENGTH_MAX: Final = 128
THREADS_MAX: Final = 4
"""How many hashes are computed at a time; each of them needs 64 megabytes."""
WAITING_MAX: Final = 64
"""How many more may wait; beyond that callers are refused, for they would wait for seconds."""
DEFAULT_PASSWORD: Final = "openfelt"  # noqa: S105
"""The initial password of a starter floor's supervisor."""


class Passwords:
    """Hashes and checks passwords."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._pool = BoundedPool("passwords", threads=THREADS_MAX, waiting_max=WAITING_MAX)
        self._dummy = self._hasher.hash("the password of no account")

    async def hash(self, password: str) -> str:
        """The hash of a password, with a salt of its own; raises Denied where too many wait."""
        return await self._pool.run(lambda: self._hasher.hash(password))

    async def matches(self, stored: str | None, password: str) -> bool:
        """Whether a password matches a stored hash.

        Without a hash the answer takes just as long, so the time does not tell which accounts
        exist.
        """
        matches = await self._pool.run(lambda: self._verify(stored or self._dummy, password))
        return matches and stored is not None

    def outdated(self, stored: str) -> bool:
        """Whether the hash was made with weaker parameters than today's."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """End the threads."""
        self._pool.close()

    def _verify(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False


def check_password(password: str, *, name: str) -> None:
    """Refuse a password that is too short, too long or easy to guess."""
    if not LENGTH_MIN <= len(password) <= LENGTH_MAX:
        raise _bad(f"A password has {LENGTH_MIN} to {LENGTH_MAX} characters.")
    if password.lower() in (DEFAULT_PASSWORD, name) or len(set(password)) < 3:
        raise _bad("That password is too easy to guess.")


def _bad(sentence: str) -> Denied:
    return Denied(HTTPStatus.UNPROCESSABLE_ENTITY, "bad_password", sentence)
