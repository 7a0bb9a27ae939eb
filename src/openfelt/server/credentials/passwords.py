"""Passwords as Argon2 hashes. Hashing is slow on purpose, so callers take turns for it.

While callers wait for a turn, passwords are checked in a process with a lower priority than the
tables.
"""

import os
import secrets
from typing import Final

from argon2 import PasswordHasher

from openfelt.server.credentials.hash_process import HashProcess
from openfelt.server.credentials.hash_program import is_match
from openfelt.server.credentials.password_rules import check_password
from openfelt.server.errors import Denied
from openfelt.server.limits.fair_pool import FairPool

THREADS_MAX: Final = max(1, min(4, (os.cpu_count() or 2) // 2))
"""How many hashes are computed at a time; each of them needs 64 megabytes. Half of the processors
are left to the tables."""
LANES: Final = 1
"""How many processors one hash uses at a time. A hash of more lanes is no harder to guess, and a
flood of sign-ins would take every processor from the tables."""
REST: Final = 2.0
"""How long a thread rests after a hash, as a multiple of the hash's time: a flood of sign-ins
leaves two thirds of its processor to others."""
WAITING_MAX: Final = 48
"""How many more may wait; further callers are refused, because they would wait for seconds."""
WAITING_PER_CALLER: Final = 16
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are not easily confused."""


class Passwords:
    """Hashes and checks passwords. A ``caller`` is a key: callers take turns, and ``recognised``
    ones come before others."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher(parallelism=LANES)
        self._process = HashProcess() if hasher is None else None
        self._pool = FairPool(
            "passwords",
            threads=THREADS_MAX,
            waiting_max=WAITING_MAX,
            waiting_per_caller=WAITING_PER_CALLER,
            rest=REST,
        )
        self._dummy = self._hasher.hash("the password of no account")

    async def hash(self, password: str, *, caller: str = "", recognised: bool = False) -> str:
        """The hash of a password, with its own salt; raises Denied if too many wait."""
        return await self._pool.run(
            lambda: self._hasher.hash(password), caller=caller, recognised=recognised
        )

    async def new_hash(
        self, password: str, *, name: str, staff: bool, caller: str = "", recognised: bool = False
    ) -> str:
        """The hash of a new password; raises Denied if it is too easy to guess."""

        def work() -> str:
            check_password(password, name=name, staff=staff)
            return self._hasher.hash(password)

        return await self._pool.run(work, caller=caller, recognised=recognised)

    async def is_weak(self, password: str, *, name: str) -> bool:
        """Whether the right password of an account would not be accepted for staff."""

        def work() -> bool:
            try:
                check_password(password, name=name, staff=True)
            except Denied:
                return True
            return False

        return await self._pool.run(work, caller=name, recognised=True)

    async def matches(
        self, stored: str | None, password: str, *, caller: str = "", recognised: bool = False
    ) -> bool:
        """Whether a password matches a stored hash.

        Without a hash the answer takes just as long, so the time does not reveal which accounts
        exist.
        """
        matches = await self._pool.run(
            lambda: self._verify(stored or self._dummy, password),
            caller=caller,
            recognised=recognised,
        )
        return matches and stored is not None

    def outdated(self, stored: str) -> bool:
        """Whether the hash was made with parameters other than today's."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """End the threads."""
        self._pool.close()
        if self._process is not None:
            self._process.close()

    def _verify(self, stored: str, password: str) -> bool:
        matches: bool | None = None
        if self._process is not None and self._pool.waiting:
            matches = self._process.matches(stored, password)
        return is_match(self._hasher, stored, password) if matches is None else matches


def random_password() -> str:
    """A password that takes 2 to the power of 79 guesses, in groups to be typed.

    >>> [len(group) for group in random_password().split("-")]
    [4, 4, 4, 4]
    """
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(4))
    return "-".join(groups)
