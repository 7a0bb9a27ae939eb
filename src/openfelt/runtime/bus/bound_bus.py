"""A bus of one database: two databases on one NATS do not receive each other's messages.

A rehearsal on a copied database has the keys of the original, so the seal alone does not keep the
two apart. Every subject therefore begins with an id that no other database and no copy has, and the
seal is bound to the whole subject.
"""

import asyncio
from collections.abc import Awaitable, Callable

from openfelt.runtime.bus.bus import Bus, Ending, Handler, NoAnswer, Server

_UNBOUND_MS_MAX = 1000
"""How long a request that is sent before the database is known waits for it."""


class BoundBus:
    """Puts the id of the database before the subjects of another bus.

    The id is known only once the database has been opened and prepared. Until then nothing is sent,
    and subscriptions and services wait. When the id changes, they move to the new one.
    """

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._database = ""
        self._open: dict[int, Callable[[], Awaitable[Ending]]] = {}
        """Functions that open each subscription and service under the current id."""
        self._endings: dict[int, Ending] = {}
        self._next = 0
        self._moving = asyncio.Lock()

    @property
    def connected(self) -> bool:
        """Whether messages reach other processes at the moment."""
        return self._bus.connected

    @property
    def lost_ms(self) -> int:
        """The total time in which no message could reach another process."""
        return self._bus.lost_ms

    async def bind(self, database: str) -> None:
        """Communicate with the processes of this database from now on, and with no others."""
        async with self._moving:
            if database == self._database:
                return
            self._database = database
            for number in tuple(self._open):
                await self._reopen(number)

    async def publish(self, subject: str, body: str) -> None:
        """Publish to all subscribers of this database."""
        if self._database:
            await self._bus.publish(self._bound(subject), body)

    async def subscribe(self, subject: str, handler: Handler) -> Ending:
        """Call the handler with every message of this database from now on."""
        return await self._keep(lambda: self._bus.subscribe(self._bound(subject), handler))

    async def request(self, subject: str, body: str, *, timeout_ms: int) -> str:
        """Ask the process that serves a subject; raises NoAnswer or NotServed."""
        if not self._database:
            await asyncio.sleep(min(timeout_ms, _UNBOUND_MS_MAX) / 1000)
            raise NoAnswer(subject)
        return await self._bus.request(self._bound(subject), body, timeout_ms=timeout_ms)

    async def serve(self, subject: str, server: Server, *, group: str = "") -> Ending:
        """Answer requests of this database from now on."""
        return await self._keep(lambda: self._bus.serve(self._bound(subject), server, group=group))

    async def close(self) -> None:
        """End all subscriptions and services."""
        await self._bus.close()

    def _bound(self, subject: str) -> str:
        return f"{self._database}.{subject}"

    async def _keep(self, opened: Callable[[], Awaitable[Ending]]) -> Ending:
        async with self._moving:
            number = self._next = self._next + 1
            self._open[number] = opened
            if self._database:
                await self._reopen(number)

        async def end() -> None:
            async with self._moving:
                self._open.pop(number, None)
                if (ending := self._endings.pop(number, None)) is not None:
                    await ending()

        return end

    async def _reopen(self, number: int) -> None:
        if (ending := self._endings.pop(number, None)) is not None:
            await ending()
        self._endings[number] = await self._open[number]()
