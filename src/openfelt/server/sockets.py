"""One terminal's socket: a greeting, then commands in and changes out.

A socket is a little state machine that rejects wrong steps loudly. Every command gets an
answer; a message that is none gets a problem; too many of those end the socket.
"""

import asyncio
import contextlib
from typing import Final

import msgspec
from fastapi import WebSocket, WebSocketDisconnect

from openfelt.rules.refusal import Refusal
from openfelt.runtime.requests import Answer, Request, RuntimeCode
from openfelt.server.asking import table_command
from openfelt.server.messages import (
    MESSAGE_BYTES_MAX,
    PROTOCOL,
    Answered,
    BuyIn,
    Collect,
    Command,
    FromClient,
    Hello,
    LeaveSeat,
    Ping,
    Pong,
    Problem,
    TakeSeat,
)
from openfelt.server.rooms import Place, Room, Rooms
from openfelt.server.viewer import Viewer

HELLO_SECONDS: Final = 10
PROBLEMS_MAX: Final = 20
COMMANDS_AT_ONCE_MAX: Final = 32
"""How many commands of one socket may wait for their answers."""

STOPPED_TRIES_MAX: Final = 10
STOPPED_WAIT_SECONDS: Final = 1

_CLOSE_POLICY: Final = 1008
_CLOSE_TOO_SLOW: Final = 4008
_CLOSE_GONE: Final = 4004
_CLOSE_PROTOCOL: Final = 4002

_decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)
_encode = msgspec.json.Encoder().encode
_MOVES_WALLET: Final = (BuyIn, Collect, LeaveSeat)


class Bad(Exception):
    """A message that ends the socket, with the code to close it by."""

    def __init__(self, code: int, problem: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.problem = problem
        self.sentence = sentence


async def serve_terminal(
    socket: WebSocket, table: str, viewer: Viewer | None, rooms: Rooms
) -> None:
    """Serve one terminal until either side ends it. The caller has checked who it is."""
    await socket.accept()
    try:
        hello = await _hello(socket)
        room = await _room(rooms, table)
        place = await room.enter(viewer, seen=hello.seen)
        try:
            await _serve(socket, room, place)
        finally:
            room.leave(place)
    except Bad as bad:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.send_bytes(_encode(Problem(code=bad.problem, sentence=bad.sentence)))
            await socket.close(bad.code)
    except WebSocketDisconnect:
        pass


async def _hello(socket: WebSocket) -> Hello:
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            message = await _receive(socket)
    except TimeoutError as error:
        raise Bad(_CLOSE_POLICY, "no_hello", "A socket begins with hello.") from error
    if not isinstance(message, Hello):
        raise Bad(_CLOSE_POLICY, "no_hello", "A socket begins with hello.")
    if message.protocol != PROTOCOL:
        raise Bad(
            _CLOSE_PROTOCOL,
            "other_protocol",
            f"This server speaks protocol {PROTOCOL}; load the page again.",
        )
    return message


async def _room(rooms: Rooms, table: str) -> Room:
    try:
        return await rooms.room(table)
    except Refusal as refusal:
        raise Bad(_CLOSE_GONE, refusal.code.value, refusal.sentence) from refusal


async def _receive(socket: WebSocket) -> FromClient:
    """The next message; raises Bad, or msgspec's error for one that is none."""
    raw = await socket.receive()
    if raw["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(raw.get("code") or 1000)
    text = raw.get("text")
    data = text.encode() if text is not None else raw.get("bytes") or b""
    if len(data) > MESSAGE_BYTES_MAX:
        raise Bad(1009, "too_long", f"A message has at most {MESSAGE_BYTES_MAX} bytes.")
    return _decoder.decode(data)


async def _serve(socket: WebSocket, room: Room, place: Place) -> None:
    """Send and receive side by side; when one ends, both do."""
    sender = asyncio.create_task(_send(socket, place))
    receiver = asyncio.create_task(_Receiver(socket, room, place).run())
    done, pending = await asyncio.wait((sender, receiver), return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    for task in done:
        task.result()


async def _send(socket: WebSocket, place: Place) -> None:
    while True:
        message = await place.queue.get()
        if message is None:
            raise Bad(_CLOSE_TOO_SLOW, "let_go", "This terminal is not served here any more.")
        await socket.send_text(message.decode())


class _Receiver:
    """Takes the messages of one socket."""

    def __init__(self, socket: WebSocket, room: Room, place: Place) -> None:
        self._socket = socket
        self._room = room
        self._place = place
        self._asking: set[asyncio.Task[None]] = set()
        self._problems = 0

    async def run(self) -> None:
        """Take messages until the socket ends."""
        try:
            while True:
                try:
                    message = await _receive(self._socket)
                except msgspec.DecodeError as error:
                    self._problem("malformed", f"That is not a message: {error}")
                    continue
                await self._take(message)
        finally:
            for task in self._asking:
                task.cancel()

    async def _take(self, message: FromClient) -> None:
        match message:
            case Ping():
                self._place.send(_encode(Pong()))
            case Hello():
                self._problem("hello_twice", "A socket says hello once.")
            case Command() if len(self._asking) >= COMMANDS_AT_ONCE_MAX:
                self._answer(
                    message.id,
                    Answer(
                        version=self._room.version, refused="busy", sentence="Too many at once."
                    ),
                )
            case Command():
                task = asyncio.create_task(self._ask(message))
                self._asking.add(task)
                task.add_done_callback(self._asking.discard)

    async def _ask(self, message: Command) -> None:
        viewer, room = self._place.viewer, self._room
        table = room.mailbox.worker.table
        if viewer is None:
            return self._refuse(message.id, "signed_out", "Sign in to play.")
        barred = isinstance(message.command, TakeSeat) and not (
            viewer.enrolled or table.house.remote_play
        )
        if barred:
            return self._refuse(
                message.id, "not_enrolled", "This table is played at the house's own terminals."
            )
        try:
            command = table_command(message.command)
        except Refusal as refusal:
            return self._refuse(message.id, refusal.code.value, refusal.sentence)
        request = Request(by=viewer.person, command=command, id=message.id)
        answer = await self._certain(request)
        if answer is None:
            return None
        self._answer(message.id, answer)
        if answer.accepted and isinstance(message.command, _MOVES_WALLET):
            await room.refresh_wallet(self._place)
        return None

    async def _certain(self, request: Request) -> Answer | None:
        """An answer that holds. A table that has stopped may have written the command or not.

        So it is asked again, with the same id, until it knows. If that takes too long the
        socket ends without an answer; a terminal keeps the id and sends it again.
        """
        for _ in range(STOPPED_TRIES_MAX):
            answer = await self._room.mailbox.ask(request)
            if answer.refused != RuntimeCode.STOPPED:
                return answer
            await asyncio.sleep(STOPPED_WAIT_SECONDS)
        self._place.let_go()
        return None

    def _answer(self, command: str, answer: Answer) -> None:
        self._place.send(
            _encode(
                Answered(
                    id=command,
                    version=answer.version,
                    accepted=answer.accepted,
                    refused=answer.refused,
                    sentence=answer.sentence,
                )
            )
        )

    def _refuse(self, command: str, code: str, sentence: str) -> None:
        self._answer(command, Answer(version=self._room.version, refused=code, sentence=sentence))

    def _problem(self, code: str, sentence: str) -> None:
        self._problems += 1
        if self._problems > PROBLEMS_MAX:
            raise Bad(_CLOSE_POLICY, "too_many_problems", "Too many messages that are none.")
        self._place.send(_encode(Problem(code=code, sentence=sentence)))
