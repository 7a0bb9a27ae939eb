"""Work that one process does for the whole house, under a lease: taken over when it dies."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from openfelt.runtime.background import BackgroundTask, kept_up
from openfelt.runtime.outage_log import OutageLog
from openfelt.runtime.streams import duty_stream
from openfelt.storage.door import Lease, Store, StoreError

Work = Callable[[], Sequence[BackgroundTask]]
"""Makes the tasks of a duty, which run until they are cancelled."""
_Given = TypeVar("_Given")

logger = logging.getLogger(__name__)


class Duty:
    """Does some work as long as this process holds its lease, and waits for the lease otherwise.

    All work of the house is written with expected versions, so a stopped process that wakes up
    after another has taken over does nothing twice; the lease keeps the others from trying.
    """

    def __init__(
        self,
        store: Store,
        name: str,
        *,
        owner: str,
        ttl_ms: int,
        may_take: Callable[[], bool] = lambda: True,
    ) -> None:
        """``may_take`` says whether this process is a member, and so may take the lease."""
        self._store = store
        self._stream = duty_stream(name)
        self._owner = owner
        self._ttl_ms = ttl_ms
        self._may_take = may_take
        self._outage = OutageLog(logger, f"{self._stream} cannot be leased or renewed")

    async def run(self, work: Work) -> None:
        """Do the work whenever this process holds the lease, until cancelled."""
        while True:
            await self.attempt(work)
            await self.pause()

    async def attempt(self, work: Work) -> bool:
        """Do the work until the lease is lost; False if another process holds the lease."""
        lease = await self._taken() if self._may_take() else None
        if lease is None:
            return False
        await self._serve(lease, work)
        return True

    async def pause(self) -> None:
        """Wait as long as it takes to see whether another process still holds the lease."""
        await asyncio.sleep(self._ttl_ms / 3000)

    def is_held(self) -> bool:
        """Whether another process holds the lease; raises StoreError."""
        return any(
            lease.stream == self._stream and lease.left_ms and lease.owner != self._owner
            for lease in self._store.held_leases(self._stream)
        )

    async def once(self, work: Callable[[], Awaitable[_Given]]) -> _Given:
        """Wait for the lease, do some work once, and give the lease back; raises StoreError."""
        lease = await asyncio.to_thread(self._take)
        while lease is None:
            await asyncio.sleep(self._ttl_ms / 30_000)
            lease = await asyncio.to_thread(self._take)
        renewing = asyncio.create_task(self._hold(lease))
        try:
            return await work()
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)
            await self._release(lease)

    def _take(self) -> Lease | None:
        return self._store.take_lease(self._stream, self._owner, ttl_ms=self._ttl_ms)

    async def _taken(self) -> Lease | None:
        try:
            lease = await asyncio.to_thread(self._take)
        except StoreError as error:
            self._outage.failed(error)
            return None
        self._outage.over()
        return lease

    async def _serve(self, lease: Lease, work: Work) -> None:
        tasks = [asyncio.create_task(kept_up(task)) for task in work()]
        try:
            await self._hold(lease)
            logger.warning("%s has passed to another process", self._stream)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._release(lease)

    async def _hold(self, lease: Lease) -> None:
        """Renew a lease until it is lost. While the store is down, no other process can take it."""
        renewed: Lease | None = lease
        while renewed is not None:
            await asyncio.sleep(self._ttl_ms / 3000)
            try:
                renewed = await asyncio.to_thread(
                    self._store.renew_lease, lease, ttl_ms=self._ttl_ms
                )
                self._outage.over()
            except StoreError as error:
                self._outage.failed(error)

    async def _release(self, lease: Lease) -> None:
        try:
            await asyncio.to_thread(self._store.release_lease, lease)
        except StoreError as error:
            logger.warning("%s could not be released and will expire: %s", self._stream, error)
