"""The clock that everything above the pure layers uses, so that a simulator can replace it."""

import time
from datetime import UTC, date, datetime
from typing import Protocol


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


def day_of(wall_ms: int) -> date:
    """The day of a moment, UTC.

    >>> day_of(1_700_000_000_000)
    datetime.date(2023, 11, 14)
    """
    return datetime.fromtimestamp(wall_ms // 1000, tz=UTC).date()
