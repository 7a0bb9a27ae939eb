"""Limits of HTTP connections: how many may be open, and how long each may be idle.

Each connection is an open file, and a process has a limited number of those. A connection that
sends no request, sends it too slowly or does not read its response is closed after a while; and
when there are too many connections, those that have been idle longest are closed. Connections that
are upgraded to WebSockets have their own limits, in ``server.limits.socket_counts``.
"""

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from openfelt.server.limits.connection_counts import ConnectionCounts
from openfelt.server.limits.networks import site_of
from openfelt.server.limits.refused_sites import RefusedSites
from openfelt.server.process.strict_heads import StrictHeads
from openfelt.server.settings import Limits, is_loopback

FILES_WANTED: Final = 65_536
FILES_FOR_A_HALL: Final = 4_608
"""The files that 2,000 terminals need: a socket and a request each, and a reserve for others."""
LOG_SECONDS: Final = 60
"""The shortest interval between two log lines about too many connections."""

logger = logging.getLogger(__name__)


# Files ---------------------------------------------------------------------------------------


def raise_files_max() -> None:
    """Raise the limit of open files as far as the system allows."""
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
    """How many connections fit into a limit of open files; the database and the web terminal
    need files too.

    >>> connections_max(1024), connections_max(65_536)
    (896, 57344)
    """
    return max(1, files - max(128, files // 8))


def warn_if_few_files(files: int) -> None:
    """Warn if the limit of open files is too low for a full hall."""
    if files < FILES_FOR_A_HALL:
        logger.warning(
            "the limit of open files is %d, which allows %d connections: "
            "raise it (ulimit -n) for a large hall",
            files,
            connections_max(files),
        )


# Connections ------------------------------------------------------------------------------


class HttpConnections:
    """All HTTP connections of one server, WebSockets excepted."""

    def __init__(
        self,
        limits: Limits,
        *,
        most: int,
        counts: ConnectionCounts,
        refused: RefusedSites,
        trusted: Callable[[str], bool] = is_loopback,
    ) -> None:
        """``most`` includes WebSockets. ``counts`` has the limit per address, which all gateways of
        a house count together. A ``trusted`` address, such as a proxy's, stands for many clients
        and has no limit of its own."""
        self.limits = limits
        self._counts = counts
        counts.on_excess = self._shed
        self._refused = refused
        self._most = most
        self._trusted = trusted
        self._open: dict[Connection, None] = {}
        """In the order of their last responses, or of their opening if there was none."""
        self._by_address: defaultdict[str, dict[Connection, None]] = defaultdict(dict)
        self._closed = 0
        self._logged_at: float | None = None

    def add(self, connection: "Connection", *, count: int) -> None:
        """Add a connection; close one if ``count``, the total including WebSockets, is too many."""
        self._open[connection] = None
        group = self._by_address[connection.address]
        group[connection] = None
        if not self._is_trusted(connection):
            self._counts.add(connection.address)
        if self._counts.is_exceeded(connection.address) and not self._is_trusted(connection):
            self._make_room(group, connection, count)
        elif count > self._most:
            self._make_room(self._open, connection, count)

    def is_shut_out(self, connection: "Connection") -> bool:
        """Whether a connection belongs to a client that keeps sending despite refusals."""
        address = connection.client[0] if connection.client else ""
        return self._refused.is_shut_out(address) and not self._trusted(address)

    def answered(self, connection: "Connection") -> None:
        """Note that a connection has its response, which makes it the least idle one."""
        for group in (self._open, self._by_address[connection.address]):
            if connection in group:
                del group[connection]
                group[connection] = None

    def remove(self, connection: "Connection") -> None:
        """Remove a connection that is closed or upgraded to a WebSocket."""
        self._open.pop(connection, None)
        group = self._by_address[connection.address]
        if connection in group:
            del group[connection]
            if not self._is_trusted(connection):
                self._counts.remove(connection.address)
        if not group:
            del self._by_address[connection.address]

    def _is_trusted(self, connection: "Connection") -> bool:
        return self._trusted(connection.client[0] if connection.client else "")

    def _make_room(self, group: dict["Connection", None], newest: "Connection", count: int) -> None:
        """Close the connection of a group that has been idle longest or, if there is none, the
        newest."""
        closing = next((connection for connection in group if connection.idle), newest)
        self._close(closing, count)

    def _shed(self, address: str) -> None:
        """Close idle connections of an address that has too many at all gateways together."""
        for connection in tuple(self._by_address.get(address, ())):
            if not self._counts.is_exceeded(address):
                return
            if connection.idle and not self._is_trusted(connection):
                self._close(connection, len(self._open))

    def _close(self, closing: "Connection", count: int) -> None:
        self._closed += 1
        now = closing.loop.time()
        if self._logged_at is None or now - self._logged_at >= LOG_SECONDS:
            fields = {
                "address": closing.address,
                "of_address": len(self._by_address[closing.address]),
                "open": count,
                "most": self._most,
                "let_go": self._closed,
            }
            logger.warning("too many connections: idle ones are closed", extra={"fields": fields})
            self._closed, self._logged_at = 0, now
        self.remove(closing)
        closing.drop()


class Connection(H11Protocol):
    """One connection, which is closed unless it sends requests and reads responses in time."""

    open_connections: HttpConnections
    """Set by the class that ``limited_by`` makes."""
    address: str = ""
    """The network of the client, by which connections are counted."""
    _timer: asyncio.TimerHandle | None = None
    _receiving: str = ""
    """The part of a request that is being received, ``head`` or ``body``."""
    _upgraded: bool = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.conn._receive_buffer = StrictHeads()  # noqa: SLF001 (h11 offers no setting for it)

    @property
    def idle(self) -> bool:
        """Whether the server waits for a request or for the rest of one."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin: the first request is due."""
        super().connection_made(transport)
        self.address = site_of(self.client[0] if self.client else "")
        self._expect(self.open_connections.limits.request_ms)
        self.open_connections.add(self, count=len(self.connections))

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._remove()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take a part of a request. Its head, its body and its response have a time limit each."""
        if self.open_connections.is_shut_out(self):
            self.transport.abort()
            return
        before, part = self.cycle, self._receiving
        super().data_received(data)
        if self.transport.is_closing() or self._upgraded:
            return
        limits = self.open_connections.limits
        if self.cycle is None or self.cycle.response_complete:
            self._receiving = "head" if self.conn.trailing_data[0] else ""
            if self._receiving and part != "head":
                self._expect(min(limits.head_ms, limits.request_ms))
        elif self.cycle.more_body:
            self._receiving = "body"
            if self.cycle is not before:
                self._expect(min(limits.body_ms, limits.exchange_ms))
        else:
            self._receiving = ""
            if self.cycle is not before or part == "body":
                self._expect(limits.exchange_ms)

    def on_response_complete(self) -> None:
        """Finish a response; the time limit of the next request begins."""
        if self.open_connections.is_shut_out(self):
            # Pipelined requests are no longer read.
            self.transport.abort()
            return
        before = self.cycle
        super().on_response_complete()
        if not self.transport.is_closing():
            pipelined = self.cycle is not before
            limits = self.open_connections.limits
            self._expect(limits.exchange_ms if pipelined else limits.request_ms)
            self.open_connections.answered(self)

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not HTTP; any later answer to the request is discarded.

        If the head was valid and the body is not, the application has been called already, and may
        have answered.
        """
        answered = self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE)
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if answered:
            self.transport.close()
        else:
            super().send_400_response(msg)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over to the WebSocket protocol."""
        self._upgraded = True
        self._remove()
        super().handle_websocket_upgrade(event)

    def drop(self) -> None:
        """Close the connection; abort it if the client does not read what was sent."""
        if self.idle and not self.transport.get_write_buffer_size():
            self.transport.close()
        else:
            self.transport.abort()

    def _remove(self) -> None:
        self.open_connections.remove(self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expect(self, within_ms: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(within_ms / 1000, self.drop)


def limited_by(connections: HttpConnections) -> type[Connection]:
    """The protocol class whose connections these limits count and close."""

    class Limited(Connection):
        open_connections = connections

    return Limited
