"""The source of random numbers: every card that the program deals is drawn here.

All numbers are drawn by one rejection sampler, which takes raw bytes, keeps the bits that are
needed and rejects numbers that are too large. So all numbers are exactly equally likely, with
no modulo bias.
"""

import hashlib
import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import count
from threading import Lock
from typing import Final, Protocol
from weakref import WeakSet

from openfelt.runtime.shuffle.entropy_health import (
    KNOWN_SEED,
    EntropyFailure,
    HealthTests,
    check_draws,
    check_known_answer,
)

BLOCK_BYTES: Final = 512
"""How many bytes are read and tested at once: one window of the health tests. A deck takes about
a hundred of them, and the rest of its block is dropped."""

ByteSource = Callable[[int], bytes]
"""Returns the given number of raw bytes, as ``os.urandom`` does."""


class Entropy(Protocol):
    """The random numbers that a table needs."""

    def draw_below(self, limit: int) -> int:
        """A whole number from 0 up to, but not including, the limit, all equally likely."""

    def token(self, size: int) -> bytes:
        """This many unpredictable bytes."""

    def refresh(self) -> None:
        """Read new bytes for the next draw, and use none that were read before.

        A machine may be suspended and cloned at any time. Two clones that drew from the same
        bytes, read before, would deal the same cards.
        """


class BlockEntropy(ABC):
    """The sampler: numbers and tokens out of blocks of raw bytes. No byte is used twice.

    Threads may share one: no two draws get the same bytes.
    """

    def __init__(self) -> None:
        self._failure: str | None = None
        self._forget()

    def _forget(self) -> None:
        """Drop the remaining bytes, and a lock that a thread of the parent process may hold."""
        self._block = b""
        self._at = 0
        self._lock = Lock()

    @abstractmethod
    def _next_block(self) -> bytes:
        """The next raw bytes, at least one; raises EntropyFailure if there are none."""

    @property
    def failure(self) -> str | None:
        """Why nothing is drawn any more, None while the source is healthy."""
        return self._failure

    def draw_below(self, limit: int) -> int:
        """A whole number from 0 up to, but not including, the limit, all equally likely."""
        if limit < 1:
            raise ValueError(f"nothing can be drawn below {limit}")
        bits = (limit - 1).bit_length()
        size = (bits + 7) // 8
        mask = (1 << bits) - 1
        with self._lock:
            while True:
                number = int.from_bytes(self._take(size), "big") & mask
                if number < limit:
                    return number

    def token(self, size: int) -> bytes:
        """This many bytes, taken from where the last draw ended."""
        if size < 0:
            raise ValueError(f"a token cannot have {size} bytes")
        with self._lock:
            return self._take(size)

    def refresh(self) -> None:
        """Drop the bytes that are left, so that the next draw reads new ones."""
        with self._lock:
            self._block, self._at = b"", 0

    def _take(self, size: int) -> bytes:
        """The next bytes; the caller holds the lock."""
        if self._failure is not None:
            raise EntropyFailure(self._failure)
        end = self._at + size
        if end > len(self._block):
            return self._across_blocks(size)
        taken = self._block[self._at : end]
        self._at = end
        return taken

    def _across_blocks(self, size: int) -> bytes:
        """Take what is left of this block, and the rest from the next blocks."""
        taken = self._block[self._at :]
        self._block, self._at = b"", 0
        while len(taken) < size:
            self._block = self._next_block()
            self._at = min(size - len(taken), len(self._block))
            taken += self._block[: self._at]
        return taken

    def _fail(self, failure: EntropyFailure) -> None:
        """Stop permanently, and drop the remaining bytes."""
        self._failure = str(failure)
        self._block, self._at = b"", 0


class TestedEntropy(BlockEntropy):
    """Numbers from a source of raw bytes that is tested at start-up and continuously.

    Every block is tested before any byte of it is used. After one failure every later draw
    fails as well: dealing stops until the operator has investigated and restarted the process.

    >>> TestedEntropy(bytes)
    Traceback (most recent call last):
    ...
    openfelt...EntropyFailure: The byte 0 came up more than 9 times in a row.
    """

    __test__ = False  # Not a test class for pytest.

    def __init__(self, read: ByteSource) -> None:
        """Run the start-up tests; raises EntropyFailure."""
        super().__init__()
        self._read = read
        self._tests = HealthTests()
        _BUFFERED.add(self)
        try:
            check_known_answer(SeededEntropy(KNOWN_SEED).draw_below)
            check_draws(self.draw_below)
        except EntropyFailure as failure:
            self._fail(failure)
            raise

    def _next_block(self) -> bytes:
        try:
            block = self._read(BLOCK_BYTES)
            if len(block) != BLOCK_BYTES:
                raise EntropyFailure(f"The source gave {len(block)} bytes of {BLOCK_BYTES}.")
            self._tests.check(block)
        except EntropyFailure as failure:
            self._fail(failure)
            raise
        except (OSError, NotImplementedError) as error:
            unreadable = EntropyFailure(f"The source cannot be read: {error}.")
            self._fail(unreadable)
            raise unreadable from error
        return block


class SystemEntropy(TestedEntropy):
    """Random numbers for play: the operating system's entropy, tested.

    >>> SystemEntropy().draw_below(52) in range(52)
    True
    """

    __test__ = False

    def __init__(self) -> None:
        """Run the start-up tests; raises EntropyFailure."""
        super().__init__(os.urandom)


class SeededEntropy(BlockEntropy):
    """Pseudo-random numbers for simulations and tests only: the same seed gives the same draws.

    A person who knows the seed knows every card. The bytes are SHA-256 of ``openfelt/seed/0``,
    ``openfelt/seed/1`` and so on, with the seed in decimal digits.

    >>> [SeededEntropy(7).draw_below(52) for _ in range(2)]
    [12, 12]
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._blocks = map(f"openfelt/{seed}/{{}}".format, count())

    def refresh(self) -> None:
        """Keep the bytes that are left: they follow from the seed, whenever they are read."""

    def _next_block(self) -> bytes:
        return hashlib.sha256(next(self._blocks).encode()).digest()


_BUFFERED: Final[WeakSet[TestedEntropy]] = WeakSet()


def _forget_in_child() -> None:
    """Drop the bytes in a forked child, which must not deal the same cards as its parent."""
    for entropy in list(_BUFFERED):
        entropy._forget()  # noqa: SLF001


if hasattr(os, "register_at_fork"):  # Windows does not fork.
    os.register_at_fork(after_in_child=_forget_in_child)
