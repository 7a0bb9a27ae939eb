"""Limits of the frames of a WebSocket, in the protocol itself.

A control frame or a fragment has six bytes, and the library works on each of them in Python: one
read of a socket can hold tens of thousands, which would stall every table for a second. So a
socket's bytes are taken in small slices, one for each turn of the event loop, and a socket that
sends more control frames and fragments than a browser ever does is closed. Messages wait in the
system's buffer until the application has taken those before them.

A message that is one plain frame is read and written without the library (``plain_frames``); the
library gets the others, whole and in order, so that its checks of the protocol are the only ones.
"""

import logging
from collections.abc import Callable
from typing import Any, Final

from websockets.protocol import State

from openfelt.runtime.clock import Clock, SystemClock
from openfelt.server.limits.networks import networks_of
from openfelt.server.limits.rates import Buckets, Rate
from openfelt.server.process.plain_frames import frame_head, plain_text, text_frame
from openfelt.server.process.text_frames import CheckedText
from openfelt.server.socket.direct_text import DIRECT_TEXT

SLICE_BYTES: Final = 1024
"""How many bytes of a socket are read in one turn of the loop: at most 170 of the smallest
frames."""
HEAD_BYTES_MAX: Final = 14
"""The longest head of a frame."""
FRAMES: Final = Rate(per_minute=60, burst=40)
"""Control frames and fragments of one socket; a browser answers a ping every 20 seconds."""
FRAMES_OF_BUSY_ADDRESS: Final = Rate(per_minute=12, burst=6)
"""The same while the socket's address is over its own limit; the other terminals of a hall stay far
below."""
ADDRESS_FRAMES: Final = Rate(per_minute=24_000, burst=4_000)
"""Control frames and fragments of one address, and of the networks that it is in: a hall of 4,000
terminals sends half of that."""
GRACE_SECONDS: Final = 3
"""Extra time to wait for a pong, in case this process was late to read it."""
ABORT_SECONDS: Final = 2
"""How long a client may take to read the reason for a close."""
DROPPED_BYTES_MAX: Final = 1_000_000
"""How many bytes are still read from a client that broke the protocol, so that it receives the
reason."""

_POLICY: Final = 1008

logger = logging.getLogger(__name__)


class FrameLimits:
    """The limits that all sockets of one server share."""

    def __init__(self, clock: Clock | None = None) -> None:
        clock = clock or SystemClock()
        self._sockets = Buckets(FRAMES, clock)
        self._sockets_of_busy = Buckets(FRAMES_OF_BUSY_ADDRESS, clock)
        self._addresses = Buckets(ADDRESS_FRAMES, clock)
        self.on_flood: Callable[[str], None] = lambda _: None
        """Called for each socket that is closed, with the client's address."""

    def allow(self, socket: str, address: str, frames: int) -> bool:
        """Count frames of a socket; False if they are too many."""
        networks = networks_of(address)
        for _ in range(frames):
            busy = self._addresses.take_all(networks) > 0
            over = self._sockets.take(socket) > 0
            over_while_busy = self._sockets_of_busy.take(socket) > 0
            if over or (busy and over_while_busy):
                return False
        return True


class TerminalSocket(CheckedText):
    """A WebSocket whose frames are limited."""

    limits: FrameLimits
    """Set by the class that ``frames_limited_by`` makes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._unread = bytearray()
        self._frame_left = 0
        """How many bytes of the frame that the library is reading have not arrived yet."""
        self._in_parts = False
        """Whether the library is reading a message of several frames."""
        self._short = False
        """Whether the unread bytes are fewer than the head of a frame."""
        self._next_turn_due = False
        self._pong_late = False
        self._dropped_bytes: int | None = None
        """How many bytes were read after the client broke the protocol; None if it has not."""

    async def run_asgi(self) -> None:
        """Run the application, which may write text without a queue in between."""
        self.scope["extensions"][DIRECT_TEXT] = {"write": self.write_text}
        await super().run_asgi()

    # Reading ---------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Take bytes from the client, as many as this turn of the loop allows."""
        if not self.handshake_initiated:
            # The request that uvicorn has read and checked already.
            super().data_received(data)
            return
        if self._dropped_bytes is not None:
            self._drop(data)
            return
        self._unread += data
        self._short = False
        if not self._next_turn_due:
            self._read_slice()

    @property
    def _blocked(self) -> bool:
        """Whether the application has yet to take the last message. A closed socket delivers
        none."""
        return self.read_paused or not (self.close_sent or self.queue.empty())

    def _read_slice(self) -> None:
        self._next_turn_due = False
        if self.disconnected or self.transport.is_closing():
            self._unread.clear()
            return
        if not self._blocked:
            self._short = False
            if not self._read_plain_frame():
                self._read_other_frames()
        self._go_on()

    def _read_plain_frame(self) -> bool:
        """Read a message that is one plain frame; False if the next one is not, or is not whole."""
        if self._frame_left or self._in_parts or not self._open:
            return False
        unread = self._unread
        head = frame_head(unread)
        if head is None or not head.plain or head.end > len(unread):
            return False
        try:
            text = plain_text(unread, head)
        except UnicodeDecodeError:
            return False
        del unread[: head.end]
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        return True

    def _read_other_frames(self) -> None:
        """Hand frames to the library after counting them, so that none of a flood reaches it."""
        part, frames = self._other_frames()
        if frames and not self.limits.allow(str(id(self)), self._address, frames):
            self._end_flood()
        elif part:
            super().data_received(part)
        else:
            self._short = True

    def _other_frames(self) -> tuple[bytes, int]:
        """The bytes of a slice that the library reads, up to a plain frame or an incomplete head.

        Also, how many control frames and parts of messages begin in them. Data that arrives after
        the server has closed is ignored, but it is read and counted.
        """
        unread, end, is_open, frames = self._unread, 0, self._open, 0
        # More frames than the burst are a flood; the exact number does not matter.
        while end < min(len(unread), SLICE_BYTES) and frames <= FRAMES.burst:
            if not self._frame_left:
                head = frame_head(unread[end : end + HEAD_BYTES_MAX])
                if head is None or (end and is_open and head.plain and not self._in_parts):
                    break
                self._frame_left = head.end
                is_part = self._in_parts or head.begins_or_goes_on
                frames += head.control or is_part or self.close_sent
                self._in_parts = self._in_parts if head.control else head.begins_or_goes_on
            taken = min(self._frame_left, len(unread) - end, SLICE_BYTES - end)
            self._frame_left -= taken
            end += taken
        part = bytes(unread[:end])
        del unread[:end]
        return part, frames

    def _go_on(self) -> None:
        """Continue reading in the next iteration, once the application has taken what was read."""
        if self.transport.is_closing():
            return
        if self._unread and not self._short:
            self.transport.pause_reading()
            if not self._blocked and not self._next_turn_due:
                self._next_turn_due = True
                self.loop.call_soon(self._read_slice)
        elif not self.read_paused:
            self.transport.resume_reading()

    async def send(self, message: Any) -> None:
        """Send a message of the application; after a close, the client's reply is still read."""
        await super().send(message)
        if self.close_sent and self._unread:
            self._go_on()

    async def receive(self) -> Any:
        """The next message for the application; unread data is then read."""
        message = await super().receive()
        if self._unread:
            self._go_on()
        return message

    # Clients that break the protocol -----------------------------------------------------

    def handle_parser_exception(self) -> None:
        """Say why the socket ends, and for a moment keep reading what the client is still sending.

        A connection that is closed with unread bytes is reset, and the reason would be lost.
        """
        assert self.conn.close_sent is not None
        code, reason = self.conn.close_sent.code, self.conn.close_sent.reason
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self._unread.clear()
        if not self.transport.can_write_eof():
            self.transport.close()
            return
        self._dropped_bytes = 0
        self.transport.write_eof()
        self.transport.resume_reading()
        # It also keeps uvicorn from closing the connection when the application ends.
        self.close_timer = self.loop.call_later(ABORT_SECONDS, self.transport.abort)

    def handle_ping(self) -> None:
        """Answer a ping, unless an earlier frame of the same slice has ended the socket."""
        if self._dropped_bytes is None:
            super().handle_ping()

    def shutdown(self) -> None:
        """Notify the client that the server closes, unless it already knows why its socket ends."""
        if self._dropped_bytes is None:
            super().shutdown()
        else:
            self.transport.abort()

    def _drop(self, data: bytes) -> None:
        assert self._dropped_bytes is not None
        self._dropped_bytes += len(data)
        if self._dropped_bytes > DROPPED_BYTES_MAX:
            self.transport.abort()

    @property
    def _address(self) -> str:
        """The client's address; behind a trusted proxy, the one that the proxy names."""
        client = (self.scope.get("client") if hasattr(self, "scope") else None) or self.client
        return client[0] if client else ""

    def _end_flood(self) -> None:
        logger.warning(
            "a socket sends too many control frames or fragments",
            extra={"fields": {"address": self._address}},
        )
        self.limits.on_flood(self._address)
        self._unread.clear()
        self.conn.data_to_send()
        self.conn.fail(_POLICY, "too many frames")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self._end()

    def _end(self) -> None:
        """Notify the application immediately, without waiting for a client that does not read."""
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": _POLICY})
        self.transport.close()
        self.loop.call_later(ABORT_SECONDS, self.transport.abort)

    # Writing ---------------------------------------------------------------------------

    @property
    def _open(self) -> bool:
        """Whether messages pass in both directions."""
        return self.handshake_complete and not self.close_sent and self.conn.state is State.OPEN

    def write_text(self, message: str) -> bool:
        """Write a message immediately; False if the client is slow to read, or is gone."""
        if not self._open or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(text_frame(message))
        return True

    # Half-open connections -------------------------------------------------------------

    def send_keepalive_ping(self) -> None:
        """Ping the client."""
        self._pong_late = False
        super().send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        """Close the connection of a client that does not answer, after reading what has arrived."""
        if not self._pong_late:
            self._pong_late = True
            self.pong_timer = self.loop.call_later(GRACE_SECONDS, self.keepalive_timeout)
            return
        super().keepalive_timeout()
        self._end()


def frames_limited_by(limits: FrameLimits) -> type[TerminalSocket]:
    """The protocol class whose sockets these limits count and close."""
    shared = limits

    class Limited(TerminalSocket):
        limits = shared

    return Limited
