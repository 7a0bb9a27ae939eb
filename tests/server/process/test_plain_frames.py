"""Plain frames, read here and by the library: the application gets the same, in every division of
the bytes that a network may make."""

import asyncio
import random
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from openfelt.server.process.frame_limits import FrameLimits, TerminalSocket, frames_limited_by
from openfelt.server.process.plain_frames import (
    PLAIN_BYTES_MAX,
    frame_head,
    plain_text,
    text_frame,
)
from openfelt.server.socket.direct_text import DIRECT_TEXT
from tests.kit.floors import StandingClock

HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class Wire(asyncio.Transport):
    """A transport that keeps what is written, and whose client never reads too slowly."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closing = False
        self.paused = False

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.closing = True

    def is_closing(self) -> bool:
        return self.closing

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def can_write_eof(self) -> bool:
        return False


async def heard(
    parts: list[bytes], *, plain: bool, direct: bool = False
) -> tuple[list[Any], bytes]:
    """What the application hears of these parts of a stream, and what the client gets back."""
    messages: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while messages[-1:] == [] or messages[-1]["type"] != "websocket.disconnect":
            messages.append(await receive())
            if direct and (text := messages[-1].get("text")):
                assert scope["extensions"][DIRECT_TEXT]["write"](text)

    kind = frames_limited_by(FrameLimits(StandingClock()))
    config = uvicorn.Config(app, ws_per_message_deflate=False, ws_max_size=4096, log_config=None)
    socket = kind(config, ServerState(), {})
    if not plain:
        socket._read_plain_frame = lambda: False  # type: ignore[method-assign]
    wire = Wire()
    socket.connection_made(wire)
    socket.data_received(HANDSHAKE)
    await settled(socket)
    wire.written = b""
    for part in parts:
        socket.data_received(part)
        await settled(socket)
        assert len(socket._unread) < 14 or wire.closing, "what was read is passed on"
    socket.connection_lost(None)
    await asyncio.gather(*socket.tasks)
    return messages, wire.written


async def settled(socket: TerminalSocket) -> None:
    """Let the loop turn until nothing moves."""
    quiet = 0
    while quiet < 4:
        await asyncio.sleep(0)
        quiet = 0 if socket._next_turn_due or not socket.queue.empty() else quiet + 1


def masked(frame: Frame) -> bytes:
    return frame.serialize(mask=True)


def some_frames(chance: random.Random) -> bytes:
    """Frames as a browser sends them, and some that it does not send."""
    text = "".join(chance.choices("aé€😀{}", k=chance.choice([0, 3, 60, 130, 900, 1500]))).encode()
    match chance.randrange(8):
        case 0:
            return masked(Frame(Opcode.PING, b"there?"))
        case 1:
            cut = chance.randrange(len(text) + 1)
            between = masked(Frame(Opcode.PONG, b"")) if chance.random() < 0.5 else b""
            return (
                masked(Frame(Opcode.TEXT, text[:cut], fin=False))
                + between
                + masked(Frame(Opcode.CONT, text[cut:]))
            )
        case 2:
            return masked(Frame(Opcode.BINARY, text))
        case _:
            return masked(Frame(Opcode.TEXT, text))


BROKEN = {
    "text that is not UTF-8": masked(Frame(Opcode.TEXT, b"\xff\xfe")),
    "a text within a message of parts": masked(Frame(Opcode.TEXT, b"a", fin=False))
    + masked(Frame(Opcode.TEXT, b"b")),
    "a part of no message": masked(Frame(Opcode.CONT, b"a")),
    "a frame without a mask": Frame(Opcode.TEXT, b"a").serialize(mask=False),
    "a reserved bit": b"\xc1\x81abcd1",
    "a message that is too long": masked(Frame(Opcode.TEXT, b"a" * 5000)),
    "a length of many bytes": b"\x81\xff" + b"\x7f" * 12,
    "the end": masked(Frame(Opcode.CLOSE, b"\x03\xe8bye")),
}


def divided(stream: bytes, chance: random.Random) -> list[bytes]:
    """A stream in parts of any length."""
    longest, parts = chance.choice([3, 100, 5000]), []
    while stream:
        length = chance.randint(1, longest)
        parts.append(stream[:length])
        stream = stream[length:]
    return parts[:200] + ([b"".join(parts[200:])] if parts[200:] else [])


@pytest.mark.anyio
@pytest.mark.parametrize("ending", [None, *BROKEN])
async def test_the_application_hears_what_the_library_would_tell(ending: str | None) -> None:
    chance = random.Random(ending)
    for _ in range(4):
        stream = b"".join(some_frames(chance) for _ in range(6))
        parts = divided(stream, chance)
        if ending is not None:
            # Nothing after it is heard.
            parts += [BROKEN[ending], masked(Frame(Opcode.TEXT, b"more"))]
        assert await heard(parts, plain=True) == await heard(parts, plain=False)


@pytest.mark.anyio
async def test_a_message_is_written_at_once() -> None:
    frames = [masked(Frame(Opcode.TEXT, text.encode())) for text in ("one", "two" * 50)]
    messages, written = await heard(frames, plain=True, direct=True)
    assert [message.get("text") for message in messages] == ["one", "two" * 50, None]
    assert written == text_frame("one") + text_frame("two" * 50)


@pytest.mark.anyio
async def test_half_a_head_that_is_completed_while_the_application_is_busy_is_read() -> None:
    """The head of the second message comes in two parts, and the first message still waits."""
    taken: list[Any] = []
    busy = asyncio.Event()

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await busy.wait()
        while len(taken) < 2:
            taken.append((await receive()).get("text"))

    config = uvicorn.Config(app, ws_per_message_deflate=False, log_config=None)
    socket = frames_limited_by(FrameLimits(StandingClock()))(config, ServerState(), {})
    socket.connection_made(Wire())
    socket.data_received(HANDSHAKE)
    await asyncio.sleep(0.01)
    second = masked(Frame(Opcode.TEXT, b"two"))
    socket.data_received(second[:1])
    socket.queue.put_nowait({"type": "websocket.receive", "text": "one"})
    socket.data_received(second[1:])
    busy.set()
    await asyncio.sleep(0.05)
    assert taken == ["one", "two"]
    socket.connection_lost(None)
    await asyncio.gather(*socket.tasks)


@pytest.mark.anyio
async def test_the_reply_to_a_close_is_read_behind_messages_that_wait() -> None:
    """The application closes after one of three messages that came together."""

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await receive()
        await send({"type": "websocket.close", "code": 4001})

    config = uvicorn.Config(app, ws_per_message_deflate=False, log_config=None)
    socket = frames_limited_by(FrameLimits(StandingClock()))(config, ServerState(), {})
    wire = Wire()
    socket.connection_made(wire)
    socket.data_received(HANDSHAKE)
    await settled(socket)
    socket.data_received(masked(Frame(Opcode.TEXT, b"more")) * 3)
    await asyncio.sleep(0.01)
    assert not wire.paused
    socket.data_received(masked(Frame(Opcode.CLOSE, b"\x0f\xa1")))
    await asyncio.sleep(0.01)
    assert wire.closing
    socket.connection_lost(None)
    await asyncio.gather(*socket.tasks)


@pytest.mark.parametrize("length", [0, 125, 126, 65_535, 65_536])
def test_a_message_is_framed_as_the_library_frames_it(length: int) -> None:
    text = "a" * length
    assert text_frame(text) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def test_a_head_is_read_once_it_is_whole() -> None:
    stream = masked(Frame(Opcode.TEXT, "é".encode() * 100))
    heads = [frame_head(bytearray(stream[:length])) for length in range(len(stream) + 1)]
    assert heads[:4] == [None] * 4
    head = heads[4]
    assert head is not None
    assert head.plain
    assert head.end == len(stream)
    assert plain_text(bytearray(stream), head) == "é" * 100
    long = frame_head(bytearray(masked(Frame(Opcode.TEXT, b"a" * PLAIN_BYTES_MAX))))
    assert long is not None
    assert not long.plain


class EndingWire(Wire):
    """A transport on which nothing can be written after its end."""

    ended = False

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.ended = True

    def write(self, data: Any) -> None:
        assert not self.ended, "nothing is written after the end"
        super().write(data)


@pytest.mark.anyio
async def test_nothing_is_written_once_a_client_was_told_why_its_socket_ends() -> None:
    """A ping comes with the bytes that break the protocol, and then the server closes."""

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    config = uvicorn.Config(app, ws_per_message_deflate=False, log_config=None)
    socket = frames_limited_by(FrameLimits(StandingClock()))(config, ServerState(), {})
    wire = EndingWire()
    socket.connection_made(wire)
    socket.data_received(HANDSHAKE)
    await settled(socket)
    ping = masked(Frame(Opcode.PING, b"there?"))
    socket.data_received(BROKEN["text that is not UTF-8"] + ping)
    await settled(socket)
    assert wire.ended
    socket.shutdown()
    assert wire.closing
    socket.connection_lost(None)
    await asyncio.gather(*socket.tasks)
