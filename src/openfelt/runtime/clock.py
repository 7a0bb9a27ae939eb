"""The clock that everything above the pure layers uses, so that a simulator can replace it."""

import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from threading import Lock
from typing import Final, Protocol

FOLLOWED_MS: Final = 30_000
"""Corrections of the machine's clock are followed up to this in a day; beyond it they are a jump,
in one step or in many."""
DAY_MS: Final = 86_400_000


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

    A clock that jumps ahead would permanently book play in the future, because the times of a
    record never go back. So the time of day is that of the start, continued by a clock that cannot
    be set. It follows small corrections, as time services make them; a jump is not followed until
    the process is started again, and ``jump_ms`` reports it.
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
        """The lead of the time of day over the steady clock."""
        self._day_begun_ms, self._day_ahead_ms = self._steady_ms(), self._ahead_ms
        """When the present day of corrections began, and what the time of day was ahead then."""
        self._lock = Lock()

    def wall_ms(self) -> int:
        """Milliseconds since 1970, UTC, without jumps."""
        return self._read()[0]

    @property
    def jump_ms(self) -> int:
        """How far the machine's clock differs because it was set and not followed."""
        return self._read()[1]

    def _read(self) -> tuple[int, int]:
        """The time of day, and what the machine's clock is ahead of it."""
        with self._lock:
            steady_ms = self._steady_ms()
            if steady_ms - self._day_begun_ms >= DAY_MS:
                self._day_begun_ms, self._day_ahead_ms = steady_ms, self._ahead_ms
            ahead_ms = self._system_ms() - steady_ms
            if abs(ahead_ms - self._day_ahead_ms) <= FOLLOWED_MS:
                self._ahead_ms = ahead_ms
            return steady_ms + self._ahead_ms, ahead_ms - self._ahead_ms


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


def start_ms(day: date) -> int:
    """The first moment of a day, UTC.

    >>> start_ms(date(2026, 1, 1))
    1767225600000
    """
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1000


def end_ms(day: date) -> int:
    """The first moment after a day, UTC."""
    return start_ms(day) + DAY_MS
