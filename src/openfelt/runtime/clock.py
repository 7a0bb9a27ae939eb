"""The clock that everything above the pure layers uses, so that a simulator can replace it."""

import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from threading import Lock
from typing import Final, Protocol

FOLLOWED_MS: Final = 30_000
"""A correction of the machine's clock up to this is followed; a larger one is a jump."""


class Clock(Protocol):
    """The time of day, and a time that only moves forward."""

    def wall_ms(self) -> int:
        """Milliseconds since 1970, UTC. It may jump when the machine's clock is set."""
        ...

    def monotonic_ms(self) -> int:
        """Milliseconds since an arbitrary moment. It never jumps, so deadlines use it."""
        ...


class SystemClock:
    """The clock of the machine."""

    def wall_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return time.time_ns() // 1_000_000

    def monotonic_ms(self) -> int:
        """Milliseconds since the machine was started."""
        return time.monotonic_ns() // 1_000_000


class SteadyClock(SystemClock):
    """The clock of the machine, which does not follow when the machine's clock is set.

    A clock that jumps ahead would book play in the future for good, because the times of a record
    never go back. So the time of day is that of the start, continued by a clock that cannot be
    set. It follows small corrections, as time services make them; a jump is not followed until the
    process is started again, and ``jump_ms`` tells of it.
    """

    def __init__(
        self,
        wall_ms: Callable[[], int] | None = None,
        steady_ms: Callable[[], int] | None = None,
    ) -> None:
        """Both clocks are the machine's, unless a test gives others."""
        self._system_ms = wall_ms or super().wall_ms
        self._steady_ms = steady_ms or _boot_ms
        self._ahead_ms = self._system_ms() - self._steady_ms()
        """What the time of day is ahead of the steady clock."""
        self._lock = Lock()

    def wall_ms(self) -> int:
        """Milliseconds since 1970, UTC, without jumps."""
        with self._lock:
            steady_ms = self._steady_ms()
            jump_ms = self._system_ms() - (steady_ms + self._ahead_ms)
            if abs(jump_ms) <= FOLLOWED_MS:
                self._ahead_ms += jump_ms
            return steady_ms + self._ahead_ms

    @property
    def jump_ms(self) -> int:
        """By how much the machine's clock has been set since the start; 0 if it has not been."""
        jump_ms = self._system_ms() - self.wall_ms()
        return 0 if abs(jump_ms) <= FOLLOWED_MS else jump_ms


def _boot_ms() -> int:
    """Milliseconds since the machine was started, those in which it slept included."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    return time.monotonic_ns() // 1_000_000


def day_of(wall_ms: int) -> date:
    """The day of a moment, UTC.

    >>> day_of(1_700_000_000_000)
    datetime.date(2023, 11, 14)
    """
    return datetime.fromtimestamp(wall_ms // 1000, tz=UTC).date()
