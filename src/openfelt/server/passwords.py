"""Passwords as argon2 hashes. Hashing takes long on purpose, so it has threads of its own."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from openfelt.server.denied import Denied

LENGTH_MIN: Final = 8
LENGTH_MAX: Final = 128
THREADS_MAX: Final = 4
"""More hashes at a time than this wait; each of them takes 64 megabytes for a moment."""
DEFAULT_PASSWORD: Final = "openfelt"  # noqa: S105
"""The password of a starter floor's supervisor until somebody sets another."""

_Given = TypeVar("_Given")


class Passwords:
    """Hashes and checks passwords."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._threads = ThreadPoolExecutor(THREADS_MAX, thread_name_prefix="passwords")
        self._nobodys = self._hasher.hash("the password of nobody at all")

    async def hash(self, password: str) -> str:
        """The hash of a password, with a salt of its own."""
        return await self._in_thread(lambda: self._hasher.hash(password))

    async def matches(self, kept: str | None, password: str) -> bool:
        """Whether a password is the one of the hash.

        Where there is no hash, it takes just as long to say no; so nobody can find out by
        the clock which accounts there are.
        """
        found = await self._in_thread(lambda: self._verify(kept or self._nobodys, password))
        return found and kept is not None

    def outdated(self, kept: str) -> bool:
        """Whether the hash was made with weaker parameters than today's."""
        return self._hasher.check_needs_rehash(kept)

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown()

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _in_thread(self, work: Callable[[], _Given]) -> _Given:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def check_password(password: str, *, name: str) -> None:
    """Refuse a password that is too short, too long, or the first that anybody would try."""
    if not LENGTH_MIN <= len(password) <= LENGTH_MAX:
        raise _bad(f"A password has {LENGTH_MIN} to {LENGTH_MAX} characters.")
    if password.lower() in (DEFAULT_PASSWORD, name) or len(set(password)) < 3:
        raise _bad("That password is too easy to guess.")


def _bad(sentence: str) -> Denied:
    return Denied(HTTPStatus.UNPROCESSABLE_ENTITY, "bad_password", sentence)
