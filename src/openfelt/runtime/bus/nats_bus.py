"""A bus over core NATS, which stores no messages.

NATS's client reconnects and subscribes again after a lost connection. It gives up for good where
NATS itself reports an error, such as too many connections; then another client takes its place.
"""

import asyncio
import contextlib
import logging
import ssl
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError

from openfelt.runtime.bus.bus import Ending, Handler, NoAnswer, NotServed, Server

CONNECTED_WITHIN_SECONDS: Final = 5
"""How long the start waits for NATS; after that, the bus connects in the background."""
RECONNECT_SECONDS: Final = 1
RECONNECT_MAX_SECONDS: Final = 15
"""The longest pause before a client that has given up is replaced: it doubles each time, until a
client has lasted for longer than this."""
PING_SECONDS: Final = 3
"""How often the connection is tested; a second ping without an answer ends it."""
WAITING_MAX: Final = 65536
"""How many messages of one subject may wait here; further ones are dropped."""
DEFAULT_NAMESPACE: Final = "openfelt"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class NatsAddress:
    """The address of NATS, and this process's credentials there."""

    url: str
    """``nats://user:password@host:4222/namespace`` or ``tls://...``; the namespace begins all
    subjects, ``openfelt`` by default. Several servers are joined by commas."""
    ca: Path | None = None
    """The certificate of the authority that signs NATS's own."""
    certificate: Path | None = None
    key: Path | None = None

    @property
    def namespace(self) -> str:
        """The prefix of all subjects.

        >>> NatsAddress(url="nats://ann:secret@bus.example:4222/hall").namespace
        'hall'
        """
        path = urlsplit(self.url.split(",")[0]).path.strip("/")
        return path or DEFAULT_NAMESPACE

    @property
    def servers(self) -> list[str]:
        """The addresses of the servers, without the namespace."""
        parts = (urlsplit(url.strip()) for url in self.url.split(","))
        return [urlunsplit((part.scheme, part.netloc, "", "", "")) for part in parts]

    @property
    def shown(self) -> str:
        """The address without a password, for messages."""
        parts = (urlsplit(url) for url in self.servers)
        return ", ".join(f"{part.scheme}://{part.hostname}:{part.port or 4222}" for part in parts)

    def tls(self) -> ssl.SSLContext | None:
        """The TLS context that checks NATS's certificate and presents our own; None without TLS."""
        if self.ca is None and not any(url.startswith("tls:") for url in self.servers):
            return None
        context = ssl.create_default_context(cafile=self.ca)
        if self.certificate is not None:
            context.load_cert_chain(self.certificate, self.key)
        return context


class NatsBus:
    """A connection to NATS."""

    def __init__(self, address: NatsAddress, *, name: str) -> None:
        self._address = address
        self._name = name
        self._client = Client()
        self._open: dict[int, Callable[[], Awaitable[Subscription]]] = {}
        """Functions that subscribe to each open subject, for connections after the start."""
        self._subscribed: dict[int, Subscription] = {}
        self._next = 0
        self._connecting: asyncio.Task[None] | None = None
        self._pause_ms = RECONNECT_SECONDS * 1000
        self._connected_ms: int | None = None
        self._lost_ms = 0
        self._lost_since_ms: int | None = None
        self._answering: set[asyncio.Task[None]] = set()
        self._closing = False

    @property
    def connected(self) -> bool:
        """Whether the connection is up."""
        return self._client.is_connected

    @property
    def lost_ms(self) -> int:
        """The total time since opening in which the connection was lost or not established."""
        since_ms = self._lost_since_ms
        return self._lost_ms + (0 if since_ms is None else _now_ms() - since_ms)

    async def _note_lost(self) -> None:
        if self._lost_since_ms is None:
            self._lost_since_ms = _now_ms()
            logger.warning(
                "the bus is disconnected; tables of other processes are paused until it is back"
            )

    async def _note_found(self) -> None:
        self._lost_ms, self._lost_since_ms = self.lost_ms, None
        logger.info("the bus is connected again")

    async def _note_given_up(self) -> None:
        """Replace a client that has stopped reconnecting."""
        if not self._closing:
            assert self._connecting is not None
            self._connecting.cancel()  # it may still subscribe, by the old client
            pause_ms = self._next_pause_ms()
            logger.warning(
                "the bus closed the connection; reconnecting in %d ms: %s",
                *(pause_ms, self._client.last_error),
            )
            self._subscribed.clear()
            self._connecting = asyncio.create_task(self._connect_anew(pause_ms), name="bus")

    def _next_pause_ms(self) -> int:
        """How long to wait for now; NATS may refuse the next client for the same reason."""
        since_ms, self._connected_ms = self._connected_ms, None
        if since_ms is not None and _now_ms() - since_ms > RECONNECT_MAX_SECONDS * 1000:
            self._pause_ms = RECONNECT_SECONDS * 1000
        pause_ms = self._pause_ms
        self._pause_ms = min(2 * pause_ms, RECONNECT_MAX_SECONDS * 1000)
        return pause_ms

    async def _connect_anew(self, pause_ms: int) -> None:
        await asyncio.sleep(pause_ms / 1000)
        self._client = Client()
        while True:
            try:
                await self._connect()
            except (NatsError, OSError) as error:
                # The certificate files are read again, and may be in the middle of a replacement.
                logger.warning("cannot reconnect to the bus yet: %s", error)
                await asyncio.sleep(RECONNECT_SECONDS)
            else:
                return

    async def open(self) -> None:
        """Connect; if NATS cannot be reached yet, keep trying in the background."""
        self._lost_since_ms = _now_ms()
        self._connecting = asyncio.create_task(self._connect(), name="bus")
        done, _ = await asyncio.wait([self._connecting], timeout=CONNECTED_WITHIN_SECONDS)
        if not done:
            logger.warning("the bus at %s cannot be reached yet", self._address.shown)
            return
        self._connecting.result()

    async def _connect(self) -> None:
        await self._client.connect(
            self._address.servers,
            name=self._name,
            tls=self._address.tls(),
            max_reconnect_attempts=-1,
            reconnect_time_wait=RECONNECT_SECONDS,
            ping_interval=PING_SECONDS,
            max_outstanding_pings=1,
            error_cb=_log_error,
            disconnected_cb=self._note_lost,
            reconnected_cb=self._note_found,
            closed_cb=self._note_given_up,
        )
        self._lost_ms, self._lost_since_ms = self.lost_ms, None
        self._connected_ms = _now_ms()
        logger.info("the bus at %s is connected", self._address.shown)
        for number, subscribe in tuple(self._open.items()):
            if number not in self._subscribed:
                self._subscribed[number] = await subscribe()

    async def publish(self, subject: str, body: str) -> None:
        """Publish to all subscribers; nothing is sent while the connection is lost."""
        if self.connected:
            with contextlib.suppress(NatsError, OSError):
                await self._client.publish(self._named(subject), body.encode())

    async def subscribe(self, subject: str, handler: Handler) -> Ending:
        """Call the handler with every message from now on."""

        async def take(message: Msg) -> None:
            body = _text(message)
            if body is not None:
                handler(body)

        return await self._keep(subject, take, "")

    async def request(self, subject: str, body: str, *, timeout_ms: int) -> str:
        """Ask the process that serves a subject; raises NoAnswer or NotServed."""
        if not self.connected:
            await asyncio.sleep(min(timeout_ms, 1000) / 1000)
            raise NoAnswer(subject)
        try:
            answer = await self._client.request(
                self._named(subject), body.encode(), timeout=timeout_ms / 1000
            )
        except NoRespondersError as error:
            raise NotServed(subject) from error
        except (NatsError, OSError, TimeoutError) as error:
            raise NoAnswer(subject) from error
        text = _text(answer)
        if text is None:
            raise NoAnswer(subject)
        return text

    async def serve(self, subject: str, server: Server, *, group: str = "") -> Ending:
        """Answer requests from now on, many at a time."""

        async def take(message: Msg) -> None:
            task = asyncio.create_task(_answer(message, server))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

        return await self._keep(subject, take, group)

    async def close(self) -> None:
        """End the connection."""
        self._closing = True
        if self._connecting is not None:
            self._connecting.cancel()
            await asyncio.gather(self._connecting, return_exceptions=True)
        for task in self._answering:
            task.cancel()
        await asyncio.gather(*self._answering, return_exceptions=True)
        with contextlib.suppress(NatsError, OSError):
            await self._client.close()

    async def _keep(
        self, subject: str, take: Callable[[Msg], Awaitable[None]], group: str
    ) -> Ending:
        number = self._next = self._next + 1

        async def subscribe() -> Subscription:
            return await self._client.subscribe(
                self._named(subject), group, cb=take, pending_msgs_limit=WAITING_MAX
            )

        self._open[number] = subscribe
        if self.connected or self._client.is_reconnecting:
            try:
                self._subscribed[number] = await subscribe()
            except BaseException:
                # The caller has no ending for it.
                del self._open[number]
                raise

        async def end() -> None:
            self._open.pop(number, None)
            subscription = self._subscribed.pop(number, None)
            if subscription is not None:
                with contextlib.suppress(NatsError, OSError):
                    await subscription.unsubscribe()

        return end

    def _named(self, subject: str) -> str:
        return f"{self._address.namespace}.{subject}"


async def _answer(message: Msg, server: Server) -> None:
    body = _text(message)
    if body is None:
        return
    try:
        answer = await server(body)
    except Exception:
        logger.exception("a request on %s could not be answered", message.subject)
        return
    if answer is not None and message.reply:
        with contextlib.suppress(NatsError, OSError):
            await message.respond(answer.encode())


def _text(message: Msg) -> str | None:
    """The body of a message; None if it is not text, and so not from a process of this house."""
    try:
        return message.data.decode()
    except UnicodeDecodeError:
        return None


async def _log_error(error: Exception) -> None:
    # While NATS is away, every attempt to reconnect ends here.
    logger.debug("the bus: %s", error)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
