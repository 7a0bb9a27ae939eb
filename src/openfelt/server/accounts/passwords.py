"""Passwords as argon2 hashes. Hashing takes long on purpose, so it has threads of its own."""

from http import HTTPStatus
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from openfelt.server.http.errors import Denied
from openfelt.server.process.bounded_pool import HardWork

LENGTH_MIN: Final = 8
LENGTH_MAX: Final = 128
THREADS_MAX: Final = 4
"""More hashes at a time than this wait; each of them takes 64 megabytes for a moment."""
WAITING_MAX: Final = 64
"""When so many wait, more are refused: their people would wait for seconds."""
DEFAULT_PASSWORD: Final = "openfelt"  # noqa: S105
"""The password of a starter floor's supervisor until somebody sets another."""


class Passwords:
    """Hashes and checks passwords."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._work = HardWork("passwords", at_once=THREADS_MAX, waiting_max=WAITING_MAX)
        self._nobodys = self._hasher.hash("the password of nobody at all")

    async def hash(self, password: str) -> str:
        """The hash of a password, with a salt of its own; refused where too many wait."""
        return await self._work.do(lambda: self._hasher.hash(password))

    async def matches(self, kept: str | None, password: str) -> bool:
        """Whether a password is the one of the hash.

        Where there is no hash, it takes just as long to say no; so nobody can find out by
        the clock which accounts there are.
        """
        found = await self._work.do(lambda: self._verify(kept or self._nobodys, password))
        return found and kept is not None

    def outdated(self, kept: str) -> bool:
        """Whether the hash was made with weaker parameters than today's."""
        return self._hasher.check_needs_rehash(kept)

    def close(self) -> None:
        """Let the threads go."""
        self._work.close()

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False


def check_password(password: str, *, name: str) -> None:
    """Refuse a password that is too short, too long, or the first that anybody would try."""
    if not LENGTH_MIN <= len(password) <= LENGTH_MAX:
        raise _bad(f"A password has {LENGTH_MIN} to {LENGTH_MAX} characters.")
    if password.lower() in (DEFAULT_PASSWORD, name) or len(set(password)) < 3:
        raise _bad("That password is too easy to guess.")


def _bad(sentence: str) -> Denied:
    return Denied(HTTPStatus.UNPROCESSABLE_ENTITY, "bad_password", sentence)
