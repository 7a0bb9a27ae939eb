"""The server's listening socket, from binding it to the last response."""

import asyncio
import contextlib
import errno
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from typing import Final

import uvicorn
from fastapi import FastAPI
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from openfelt.protocol.messages import MESSAGE_BYTES_MAX
from openfelt.server.app import make_app
from openfelt.server.credentials.passwords import Passwords
from openfelt.server.limits.refused_sites import FLOOD_REFUSALS, RefusedSites
from openfelt.server.monitoring.metrics import Metrics
from openfelt.server.process.connection_limits import (
    HttpConnections,
    connections_max,
    files_max,
    limited_by,
    raise_files_max,
    warn_if_few_files,
)
from openfelt.server.process.frame_limits import FrameLimits, frames_limited_by
from openfelt.server.process.strict_heads import HEAD_BYTES_MAX
from openfelt.server.self_check.software_checks import SoftwareChanged
from openfelt.server.services import Services
from openfelt.server.settings import Limits, Settings, is_loopback

GRACE_SECONDS: Final = 10
"""How long requests in progress may still take when the server closes."""
BACKLOG: Final = 2048
PING_SECONDS: Final = 20
"""How often a terminal is pinged, and how long it may take to answer."""
UNREAD_MS: Final = 60_000
"""How long sent data may stay unacknowledged before the system drops a connection."""
PROXIES_VARIABLE: Final = "FORWARDED_ALLOW_IPS"
"""Names the proxies whose ``X-Forwarded-For`` is trusted."""
_THIS_MACHINE: Final = "127.0.0.1,::1"
_COLLECTOR: Final = (200_000, 20, 50)
"""The thresholds of Python's collector, see ``gc.set_threshold``. Most objects of a batch of
commands are gone before there are that many, even if it settles 2,000 hands, so the collector does
not look at them at all."""

logger = logging.getLogger(__name__)


class CannotListen(Exception):
    """The server cannot listen on the address; the sentence says why and what to do."""


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the listener, which also closes the services in order."""
        yield


def bind(host: str, port: int) -> socket.socket:
    """Bind the address; raises CannotListen."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.socket(family, kind, proto)
    except OSError as error:
        raise CannotListen(f"There is no address {host} on this machine.") from error
    try:
        if sys.platform != "win32":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # Every connection inherits this. Without it, a connection that is closed with unread
            # data lasts as long as the client likes.
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
        bound.bind(address)
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            free_port = port + 1 if port < 65535 else 8080
            raise CannotListen(
                f"Port {port} is in use by another program. Try: openfelt serve --port {free_port}"
            ) from error
        if error.errno == errno.EACCES:
            raise CannotListen(
                f"Port {port} is reserved for the system. Try: openfelt serve --port 8080"
            ) from error
        raise CannotListen(f"Cannot listen on {host}: {error.strerror}.") from error
    return bound


class Listener:
    """A server on a bound socket."""

    def __init__(
        self, settings: Settings, bound: socket.socket, *, passwords: Passwords | None = None
    ) -> None:
        self._settings = settings
        self._bound = bound
        self._passwords = passwords
        self._server: _Server | None = None
        self._ended = False

    async def listen(
        self, *, ready: Callable[[str | None], None] | None = None, signals: bool = True
    ) -> None:
        """Serve until ``end`` is called or a signal arrives; then finish requests and close.

        ``ready`` is called with the supervisor's random password, if this start has set one. Raises
        what opening the services raises: StoreError, CatalogError, SettingsError; and
        SoftwareChanged if it closed because the program's files have changed.
        """
        app = make_app(self._settings, passwords=self._passwords)

        def opened() -> None:
            _log_opened(self._bound, self._settings)
            if ready is not None:
                ready(app.state.services.first_password)
            app.state.services.first_password = None

        async with app.router.lifespan_context(app):
            frames = FrameLimits()
            services: Services = app.state.services
            services.software.on_changed_files = self.end
            frames.on_flood = partial(_count_flood, services.metrics, app.state.refused_sites)
            self._server = _Server(_config(app, self._settings.limits, frames), opened)
            self._server.should_exit = self._ended
            with _ended_by_signals(self.end) if signals else contextlib.nullcontext():
                await self._server.serve(sockets=[self._bound])
        logger.info("the server has closed")
        if services.software.problem is not None:
            raise SoftwareChanged(services.software.problem)

    def end(self) -> None:
        """Close the server once requests are finished; a second call does not wait for them."""
        logger.info("the server is closing")
        if self._server is not None:
            self._server.force_exit = self._server.should_exit
            self._server.should_exit = True
        self._ended = True


def _count_flood(metrics: Metrics, refused: RefusedSites, address: str) -> None:
    metrics.turned_away.labels("too_many_frames").inc()
    refused.count(address, refusals=FLOOD_REFUSALS)


def _log_opened(bound: socket.socket, settings: Settings) -> None:
    host, port = bound.getsockname()[:2]
    files = files_max()
    fields = {
        "host": host,
        "port": port,
        "names": sorted(settings.host_names),
        "version": version("openfelt"),
        "starter": settings.starter,
        "play_money": settings.play_money,
        "connections_max": connections_max(files),
    }
    logger.info("the server is open", extra={"fields": fields})
    warn_if_few_files(files)


def _config(app: FastAPI, limits: Limits, frames: FrameLimits) -> uvicorn.Config:
    proxies = os.environ.get(PROXIES_VARIABLE, _THIS_MACHINE)
    # The proxies that are trusted and those without a limit must be the same: one parser for both.
    if "*" in proxies:
        logger.warning(
            "%s trusts every machine: any client can claim to have any address", PROXIES_VARIABLE
        )
    trusted = ProxyHeadersMiddleware(app, trusted_hosts=proxies).trusted_hosts  # type: ignore[arg-type]
    connections = HttpConnections(
        limits,
        most=connections_max(files_max()),
        counts=app.state.services.connections,
        refused=app.state.refused_sites,
        trusted=lambda address: (
            (limits.spare_loopback and is_loopback(address)) or address in trusted
        ),
    )
    return uvicorn.Config(
        app,
        http=limited_by(connections),
        forwarded_allow_ips=proxies,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        ws=frames_limited_by(frames),
        ws_max_size=2 * MESSAGE_BYTES_MAX,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        backlog=BACKLOG,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=GRACE_SECONDS,
        h11_max_incomplete_event_size=HEAD_BYTES_MAX,
    )


@contextlib.contextmanager
def _ended_by_signals(end: Callable[[], None]) -> Iterator[None]:
    """Call ``end`` on Ctrl+C and on SIGTERM."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    try:
        for number in numbers:
            loop.add_signal_handler(number, end)
        installed = True
    except NotImplementedError:
        installed = False
    try:
        yield
    finally:
        for number in numbers if installed else ():
            loop.remove_signal_handler(number)


def run_until_ended(
    settings: Settings, bound: socket.socket, ready: Callable[[str | None], None]
) -> None:
    """Serve in a new event loop, uvloop's where it is installed."""
    try:
        import uvloop
    except ImportError:
        factory = None
    else:
        factory = uvloop.new_event_loop
    raise_files_max()

    def ready_for_long(first_password: str | None) -> None:
        shorten_collections()
        ready(first_password)

    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(Listener(settings, bound).listen(ready=ready_for_long))


def shorten_collections() -> None:
    """Keep Python's collector from halting the event loop for long.

    What a server has loaded when it opens lives as long as it does, so the collector need not scan
    it again; and a full collection comes after many small ones.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTOR)
