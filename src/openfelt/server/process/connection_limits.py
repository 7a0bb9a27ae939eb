"""Connections: how many there may be at once, and how long one may keep the server waiting.

Each connection is an open file, and a process may have only so many of those. A connection
that asks nothing, asks too slowly or does not take its answer is therefore closed after a
while; and when there are too many, those that have asked nothing for longest make room. What
becomes a socket is looked after by the sockets' own limits.
"""

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from openfelt.server.http.rate_limits import address_key
from openfelt.server.settings import Limits, is_loopback

FILES_WANTED: Final = 65_536
FILES_FOR_A_HALL: Final = 4_608
"""What 2,000 terminals need: a socket and a request each, and what is kept for the rest."""
TOLD_SECONDS: Final = 60
"""How often it is logged, at most, that there are too many connections."""

logger = logging.getLogger(__name__)


# Files ---------------------------------------------------------------------------------------


def raise_files_max() -> None:
    """Let this process have as many files open as the system lets it."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        allowed = FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, FILES_WANTED)
        if soft != resource.RLIM_INFINITY and soft < allowed:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def files_max() -> int:
    """How many files this process may have open."""
    try:
        import resource
    except ImportError:
        return FILES_WANTED
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return FILES_WANTED if soft == resource.RLIM_INFINITY else soft


def connections_max(files: int) -> int:
    """For how many connections there is room; the database and pages need files too.

    >>> connections_max(1024), connections_max(65_536)
    (896, 57344)
    """
    return max(1, files - max(128, files // 8))


def tell_files(files: int) -> None:
    """Say so where a full hall would not fit."""
    if files < FILES_FOR_A_HALL:
        logger.warning(
            "this process may have only %d files open, so at most %d connections: "
            "raise the limit (ulimit -n) for a large hall",
            files,
            connections_max(files),
        )


# Connections -----------------------------------------------------------------------------------


class Connections:
    """All connections of one server that are no sockets."""

    def __init__(
        self, limits: Limits, *, most: int, trusted: Callable[[str], bool] = is_loopback
    ) -> None:
        """``most`` counts sockets too. An address that is ``trusted`` stands for many people."""
        self.limits = limits
        self._most = most
        self._trusted = trusted
        self._open: dict[Connection, None] = {}
        """In the order in which they were last answered, or else came."""
        self._by_address: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        self._let_go = 0
        self._told_at: float | None = None

    def enter(self, connection: "Connection", *, count: int) -> None:
        """One more, ``count`` in all with the sockets; where that is too many, one goes."""
        self._open[connection] = None
        group = self._by_address[connection.address]
        group[connection] = None
        if len(group) > self.limits.connections_per_address and not self._is_trusted(connection):
            self._make_room(group, connection, count)
        elif count > self._most:
            self._make_room(self._open, connection, count)

    def answered(self, connection: "Connection") -> None:
        """A connection has its answer, and waits behind all others again."""
        for row in (self._open, self._by_address[connection.address]):
            if connection in row:
                del row[connection]
                row[connection] = None

    def leave(self, connection: "Connection") -> None:
        """A connection is closed, or has become a socket."""
        self._open.pop(connection, None)
        group = self._by_address[connection.address]
        group.pop(connection, None)
        if not group:
            del self._by_address[connection.address]

    def _is_trusted(self, connection: "Connection") -> bool:
        return self._trusted(connection.client[0] if connection.client else "")

    def _make_room(self, row: dict["Connection", None], newest: "Connection", count: int) -> None:
        """Close the first of a row that is not being answered, or else the newest."""
        going = next((one for one in row if one.waits), newest)
        self._let_go += 1
        now = going.loop.time()
        if self._told_at is None or now - self._told_at >= TOLD_SECONDS:
            fields = {
                "address": going.address,
                "of_address": len(self._by_address[going.address]),
                "open": count,
                "most": self._most,
                "let_go": self._let_go,
            }
            logger.warning("too many connections: idle ones are closed", extra={"fields": fields})
            self._let_go, self._told_at = 0, now
        self.leave(going)
        going.let_go()


class Connection(H11Protocol):
    """One connection, which asks in time and takes its answers in time, or is closed."""

    desk: Connections
    """Set by the class that ``watched_by`` makes."""
    address: str = ""
    _timer: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        """Whether the server waits for a request, or for the rest of one."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        super().connection_made(transport)
        self.address = address_key(self.client[0] if self.client else "")
        self._expect(self.desk.limits.request_ms)
        self.desk.enter(self, count=len(self.connections))

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A part of a request has come; with its first lines complete, its time begins."""
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before and not self.cycle.response_complete:
            self._expect(self.desk.limits.exchange_ms)

    def on_response_complete(self) -> None:
        """The answer is on its way; the next request has its time."""
        before = self.cycle
        super().on_response_complete()
        if not self.transport.is_closing():
            pipelined = self.cycle is not before
            limits = self.desk.limits
            self._expect(limits.exchange_ms if pipelined else limits.request_ms)
            self.desk.answered(self)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """It becomes a socket."""
        self._leave()
        super().handle_websocket_upgrade(event)

    def let_go(self) -> None:
        """Close it; where the other side does not take what it was sent, without waiting."""
        if self.waits and not self.transport.get_write_buffer_size():
            self.transport.close()
        else:
            self.transport.abort()

    def _leave(self) -> None:
        self.desk.leave(self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expect(self, within_ms: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(within_ms / 1000, self.let_go)


def watched_by(connections: Connections) -> type[Connection]:
    """The kind of connection that these look after."""

    class Watched(Connection):
        desk = connections

    return Watched
