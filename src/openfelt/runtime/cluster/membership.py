"""The membership of this process: joined at the start, renewed while it runs, left at the end."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Final

from openfelt.runtime.background import kept_up
from openfelt.runtime.cluster.identity import NameRefused
from openfelt.runtime.outage_log import OutageLog
from openfelt.storage.cluster.cluster_door import UNREPORTED, BusReport, Member, NewMember
from openfelt.storage.door import Store, StoreError

POLL_MS: Final = 200
"""How often a process checks whether a member under its name is alive."""
GRACE_MS: Final = 1000

logger = logging.getLogger(__name__)


class Membership:
    """This process among those that share its store."""

    def __init__(
        self,
        store: Store,
        member: NewMember,
        *,
        ttl_ms: int,
        alone: bool = False,
        bus: Callable[[], BusReport] = lambda: UNREPORTED,
    ) -> None:
        """``bus`` says how this process reaches the bus now."""
        self.member = member
        self.bus = bus
        self.lag_ms: Callable[[], int] = lambda: 0
        """The current lag of the tables that this process shows behind their records."""
        self.active = False
        """Whether this process is a member now; otherwise it takes no tables."""
        self._store = store
        self._ttl_ms = ttl_ms
        self._alone = alone

    @contextlib.asynccontextmanager
    async def joined(self) -> AsyncIterator[None]:
        """Be a member until the end; raises NameRefused if a living process has the name."""
        await self._join()
        await asyncio.to_thread(self._renew)
        task = asyncio.create_task(kept_up(self._renew_at_intervals), name="membership")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await self._leave()

    async def _join(self) -> None:
        """Join, after a member under this name has had time to renew itself."""
        holder = await asyncio.to_thread(self._try_to_join)
        if holder is None:
            return
        deadline = time.monotonic() + (holder.left_ms + GRACE_MS) / 1000
        while time.monotonic() < deadline:
            await asyncio.sleep(POLL_MS / 1000)
            current = await asyncio.to_thread(self._try_to_join)
            if current is None:
                return
            if current.run != holder.run or current.silent_ms < holder.silent_ms:
                break
            holder = current
        raise NameRefused(
            f"Another server runs under the name {self.member.name} on this database. "
            "Give each server its own name: openfelt serve --name NAME"
        )

    def _try_to_join(self) -> Member | None:
        return self._join_as(self.member)

    def _join_again(self) -> Member | None:
        """Join under another home, because only a start may displace a member with the same home.

        Otherwise two living processes with one folder would take the name from each other
        forever.
        """
        return self._join_as(replace(self.member, home=secrets.token_hex(8)))

    def _join_as(self, member: NewMember) -> Member | None:
        holder = self._store.join(member, ttl_ms=self._ttl_ms, alone=self._alone)
        self.active = holder is None
        return holder

    async def renew(self) -> None:
        """Renew the membership, and join again if the name was lost; raises StoreError."""
        if await asyncio.to_thread(self._renew) or not await asyncio.to_thread(self._join_again):
            return
        logger.error(
            "another server runs under the name %s: this one runs no tables", self.member.name
        )

    def _renew(self) -> bool:
        return self._store.renew_member(
            self.member, ttl_ms=self._ttl_ms, bus=self.bus(), lag_ms=self.lag_ms()
        )

    async def _renew_at_intervals(self) -> None:
        outage = OutageLog(logger, "this server cannot renew its membership")
        while True:
            await asyncio.sleep(self._ttl_ms / 3000)
            try:
                await self.renew()
                outage.over()
            except StoreError as error:
                outage.failed(error)

    async def _leave(self) -> None:
        self.active = False
        try:
            await asyncio.to_thread(self._store.leave, self.member)
        except StoreError as error:
            logger.warning("this server could not leave the list of servers: %s", error)
