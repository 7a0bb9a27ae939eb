"""A bus within one process, for a server that needs no other, and for tests."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Coroutine
from typing import TypeVar

from openfelt.runtime.bus.bus import Ending, Handler, NoAnswer, NotServed, Server

logger = logging.getLogger(__name__)
_Kept = TypeVar("_Kept")


class LocalBus:
    """Delivers messages in sending order, each in a separate iteration of the loop."""

    connected = True
    lost_ms = 0

    def __init__(self) -> None:
        self._handlers: defaultdict[str, dict[int, Handler]] = defaultdict(dict)
        self._servers: defaultdict[str, dict[int, Server]] = defaultdict(dict)
        self._next = 0
        self._answering: set[asyncio.Task[None]] = set()

    async def publish(self, subject: str, body: str) -> None:
        """Publish to all subscribers."""
        loop = asyncio.get_running_loop()
        for handler in tuple(self._handlers.get(subject, {}).values()):
            loop.call_soon(_tell, subject, handler, body)

    async def subscribe(self, subject: str, handler: Handler) -> Ending:
        """Call the handler with every message from now on."""
        return self._kept(self._handlers, subject, handler)

    async def request(self, subject: str, body: str, *, timeout_ms: int) -> str:
        """Ask one of the servers of a subject, the longest-serving one first."""
        servers = tuple(self._servers.get(subject, {}).values())
        if not servers:
            raise NotServed(subject)
        answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._start(_answer(subject, servers[0], body, answered))
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                return await answered
        except TimeoutError as error:
            raise NoAnswer(subject) from error

    async def serve(
        self,
        subject: str,
        server: Server,
        *,
        group: str = "",  # noqa: ARG002 (here one server gets each request anyway)
    ) -> Ending:
        """Answer requests from now on; one server gets each request."""
        return self._kept(self._servers, subject, server)

    async def close(self) -> None:
        """End all subscriptions and services."""
        self._handlers.clear()
        self._servers.clear()
        for task in self._answering:
            task.cancel()
        await asyncio.gather(*self._answering, return_exceptions=True)

    def _kept(self, kept: defaultdict[str, dict[int, _Kept]], subject: str, value: _Kept) -> Ending:
        number = self._next = self._next + 1
        kept[subject][number] = value

        async def end() -> None:
            kept[subject].pop(number, None)
            if not kept[subject]:
                del kept[subject]

        return end

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)


def _tell(subject: str, handler: Handler, body: str) -> None:
    try:
        handler(body)
    except Exception:
        logger.exception("a message on %s could not be handled", subject)


async def _answer(subject: str, server: Server, body: str, answered: "asyncio.Future[str]") -> None:
    try:
        answer = await server(body)
    except Exception:
        logger.exception("a request on %s could not be answered", subject)
        return
    if answer is not None and not answered.done():
        answered.set_result(answer)
