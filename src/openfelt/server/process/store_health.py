"""The pulse of a server: whether its store takes what is written, asked now and then."""

import asyncio
import logging
from typing import Final

from openfelt.runtime.clock import Clock
from openfelt.storage.door import Store, StoreError

TRUSTED_MS: Final = 1000
"""For so long the last answer of the store holds; everybody may ask how a server is."""
ANSWER_SECONDS_MAX: Final = 3
PROBE: Final = "health"
"""A stream without events. Leasing it is the smallest thing that a store writes."""

logger = logging.getLogger(__name__)


class Pulse:
    """Finds out whether anything can be written, once for all who ask at a time."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._checking: asyncio.Task[bool] | None = None
        self._checked_ms: int | None = None
        self._well = True

    async def beats(self) -> bool:
        """Whether the store has just written something, or did so a moment ago."""
        now_ms = self._clock.monotonic_ms()
        if self._checked_ms is not None and now_ms - self._checked_ms < TRUSTED_MS:
            return self._well
        checking = self._checking
        if checking is None or checking.done():
            # A store that hangs keeps one thread waiting, and not one for everybody who asks.
            checking = self._checking = asyncio.create_task(self._check())
        done, _ = await asyncio.wait((checking,), timeout=ANSWER_SECONDS_MAX)
        return checking.result() if done else False

    async def _check(self) -> bool:
        before = self._well
        try:
            await asyncio.to_thread(self._store.take_lease, PROBE, PROBE, ttl_ms=1)
            self._well = True
        except StoreError as error:
            self._well = False
            if before:
                logger.error("the store takes nothing: %s", error)
        self._checked_ms = self._clock.monotonic_ms()
        return self._well
