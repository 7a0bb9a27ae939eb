"""Listening: the server's socket, its life from the first request to the last answer."""

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Final

import uvicorn
from fastapi import FastAPI
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from openfelt.protocol.messages import MESSAGE_BYTES_MAX
from openfelt.server.accounts.passwords import Passwords
from openfelt.server.app import make_app
from openfelt.server.process.connection_limits import (
    Connections,
    connections_max,
    files_max,
    raise_files_max,
    tell_files,
    watched_by,
)
from openfelt.server.settings import Limits, Settings, is_loopback

GRACE_SECONDS: Final = 10
"""How long requests that are on their way may still take when the server closes."""
BACKLOG: Final = 2048
TAKEN_MS: Final = 60_000
"""How long what was sent may lie untaken before the system gives a connection up."""
PROXIES_VARIABLE: Final = "FORWARDED_ALLOW_IPS"
"""Names the proxies whose word is taken for whom a request comes from."""
_THIS_MACHINE: Final = "127.0.0.1,::1"

logger = logging.getLogger(__name__)


class CannotListen(Exception):
    """The address cannot be listened on; the sentence says why and what to do."""


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
        """Signals are ours: when one comes, the premises must be closed in order too."""
        yield


def bind(host: str, port: int) -> socket.socket:
    """Take the address, or raise CannotListen."""
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
            # Every connection inherits it. Without it, one that is closed while something is
            # on its way lasts for as long as the other side pleases.
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TAKEN_MS)
        bound.bind(address)
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            other = port + 1 if port < 65535 else 8080
            raise CannotListen(
                f"Port {port} is taken by another program. Try: openfelt serve --port {other}"
            ) from error
        if error.errno == errno.EACCES:
            raise CannotListen(
                f"Port {port} is kept for the system. Try: openfelt serve --port 8080"
            ) from error
        raise CannotListen(f"{host} cannot be listened on: {error.strerror}.") from error
    return bound


class Listener:
    """A server on a socket that it has been given."""

    def __init__(
        self, settings: Settings, bound: socket.socket, *, passwords: Passwords | None = None
    ) -> None:
        self._settings = settings
        self._bound = bound
        self._passwords = passwords
        self._server: _Server | None = None
        self._ended = False

    async def listen(
        self, *, ready: Callable[[], None] | None = None, signals: bool = True
    ) -> None:
        """Serve until somebody ends it; then answer what came in, and close.

        Raises what opening the premises raises: StoreError, CatalogError, DefaultCredentials.
        """
        app = make_app(self._settings, passwords=self._passwords)

        def opened() -> None:
            _tell_opened(self._bound, self._settings)
            if ready is not None:
                ready()

        async with app.router.lifespan_context(app):
            self._server = _Server(_config(app, self._settings.limits), opened)
            self._server.should_exit = self._ended
            with _ended_by_signals(self.end) if signals else contextlib.nullcontext():
                await self._server.serve(sockets=[self._bound])
        logger.info("the server has closed")

    def end(self) -> None:
        """Let requests finish; asked a second time, do not wait for them."""
        logger.info("the server is closing")
        if self._server is not None:
            self._server.force_exit = self._server.should_exit
            self._server.should_exit = True
        self._ended = True


def _tell_opened(bound: socket.socket, settings: Settings) -> None:
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
    tell_files(files)


def _config(app: FastAPI, limits: Limits) -> uvicorn.Config:
    proxies = os.environ.get(PROXIES_VARIABLE, _THIS_MACHINE)
    # Whom the server believes and whom it spares must be the same, so one parser reads both.
    trusted = ProxyHeadersMiddleware(app, trusted_hosts=proxies).trusted_hosts  # type: ignore[arg-type]
    connections = Connections(
        limits,
        most=connections_max(files_max()),
        trusted=lambda address: is_loopback(address) or address in trusted,
    )
    return uvicorn.Config(
        app,
        http=watched_by(connections),
        forwarded_allow_ips=proxies,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=2 * MESSAGE_BYTES_MAX,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        backlog=BACKLOG,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=GRACE_SECONDS,
        h11_max_incomplete_event_size=32_768,
    )


@contextlib.contextmanager
def _ended_by_signals(end: Callable[[], None]) -> Iterator[None]:
    """Let whoever presses Ctrl+C, or sends SIGTERM, end the server."""
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


def run_until_ended(settings: Settings, bound: socket.socket, ready: Callable[[], None]) -> None:
    """Serve in an event loop of its own: uvloop's, where there is one."""
    try:
        import uvloop
    except ImportError:
        factory = None
    else:
        factory = uvloop.new_event_loop
    raise_files_max()
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(Listener(settings, bound).listen(ready=ready))
