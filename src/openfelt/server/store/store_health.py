"""Health of the store: whether it can be written to, checked at most once a second."""

import asyncio
import logging
from typing import Final

from openfelt.runtime.clock import Clock
from openfelt.storage.door import Damaged, Store, StoreError

CACHE_MS: Final = 1000
"""How long a result is cached, since any caller may ask."""
CHECK_SECONDS_MAX: Final = 3
PROBE: Final = "health"
"""A stream without events. Leasing it is the smallest write that a store offers."""

logger = logging.getLogger(__name__)


class StoreHealth:
    """Checks whether the store accepts writes; concurrent callers share one check."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._checking: asyncio.Task[bool] | None = None
        self._checked_ms: int | None = None
        self._writable = True

    async def writable(self) -> bool:
        """Whether the store accepts writes, or did so within the cache lifetime."""
        now_ms = self._clock.monotonic_ms()
        if self._checked_ms is not None and now_ms - self._checked_ms < CACHE_MS:
            return self._writable
        checking = self._checking
        if checking is None or checking.done():
            # A store that hangs blocks one thread, and not one for each caller.
            checking = self._checking = asyncio.create_task(self._check())
        done, _ = await asyncio.wait((checking,), timeout=CHECK_SECONDS_MAX)
        return checking.result() if done else False

    async def _check(self) -> bool:
        before = self._writable
        try:
            await asyncio.to_thread(self._store.take_lease, PROBE, PROBE, ttl_ms=1)
            self._writable = True
        except Damaged as error:
            # The row of the probe alone cannot be written.
            self._writable = True
            logger.error("%s", error)
        except StoreError as error:
            self._writable = False
            if before:
                logger.error("the store cannot be written to: %s", error)
        self._checked_ms = self._clock.monotonic_ms()
        return self._writable
