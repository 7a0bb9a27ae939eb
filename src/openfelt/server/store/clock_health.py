"""Health of the clock: whether it was set while the server ran, or is behind the record."""

import asyncio
import logging
from datetime import timedelta
from typing import Final

from openfelt.runtime.clock import FOLLOWED_MS, Clock, SteadyClock
from openfelt.runtime.clock_correction import streams_ahead
from openfelt.storage.door import Store, StoreError

CHECK_SECONDS: Final = 5

logger = logging.getLogger(__name__)


class ClockHealth:
    """Compares the clock of the machine with a steady clock, and with the record."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._newest_ms = 0
        self._told = "ok"

    @property
    def jump_ms(self) -> int:
        """How far the machine's clock was changed while the server ran, 0 if it was not."""
        return self._clock.jump_ms if isinstance(self._clock, SteadyClock) else 0

    @property
    def ahead_ms(self) -> int:
        """How far the newest event that was there at the start is ahead of the clock."""
        ahead_ms = self._newest_ms - self._clock.wall_ms()
        return ahead_ms if ahead_ms > FOLLOWED_MS else 0

    @property
    def status(self) -> str:
        """``ok``, ``jumped`` or ``behind``."""
        if self.jump_ms:
            return "jumped"
        return "behind" if self.ahead_ms else "ok"

    def read(self, store: Store) -> None:
        """Read the newest time that is ahead of the clock. This blocks."""
        ahead = streams_ahead(store, self._clock.wall_ms()).values()
        self._newest_ms = max((head.at_ms for head in ahead), default=0)

    def tell(self) -> None:
        """Log what has changed."""
        status = self.status
        if status == self._told:
            return
        self._told = status
        if status == "jumped":
            logger.error(
                "the clock of this machine was set by %s while the server ran. The record "
                "continues from the time of the start: correct the clock, or restart the server "
                "if the clock is right",
                _length(self.jump_ms),
            )
        elif status == "behind":
            logger.error(
                "the record has events that are %s ahead of the clock of this machine: either "
                "the clock is wrong now, or it was wrong then. openfelt clock shows them, and "
                "repairs the record",
                _length(self.ahead_ms),
            )
        else:
            logger.warning("the clock of this machine is right again")


def _length(ms: int) -> str:
    """A length of time in words.

    >>> _length(259_194_000), _length(-90_000)
    ('2 days, 23:59:54', '-0:01:30')
    """
    sign = "-" if ms < 0 else ""
    return f"{sign}{timedelta(seconds=abs(ms) // 1000)}"


async def watch_clock(health: ClockHealth, store: Store) -> None:
    """Check the clock at intervals until cancelled."""
    try:
        await asyncio.to_thread(health.read, store)
    except StoreError as error:
        logger.warning("the time of the newest event cannot be read: %s", error)
    while True:
        health.tell()
        await asyncio.sleep(CHECK_SECONDS)
