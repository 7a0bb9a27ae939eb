"""One terminal's socket: a greeting, then commands in and changes out.

A socket is a little state machine that rejects wrong steps loudly. Every command gets an
answer; a message that is none gets a problem; too many of those end the socket.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from fastapi import WebSocket, WebSocketDisconnect

from openfelt.protocol.messages import (
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
    encode,
)
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.runtime.tables.requests import Answer, Request, RuntimeCode
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.process.metrics import Metrics
from openfelt.server.socket.commands import table_command
from openfelt.server.socket.frames import Bad, Unreadable, decode, receive
from openfelt.server.tables.permits import FROM_ANYWHERE
from openfelt.server.tables.rooms import Place, Room, Rooms

HELLO_SECONDS: Final = 10
PROBLEMS_MAX: Final = 20
CLOSE_SECONDS: Final = 2
"""How long a terminal may take to hear why it is let go."""
COMMANDS_AT_ONCE_MAX: Final = 32
"""How many commands of one socket may wait for their answers."""

STOPPED_TRIES_MAX: Final = 10
STOPPED_WAIT_SECONDS: Final = 1

_CLOSE_LOST: Final = 1006
_CLOSE_POLICY: Final = 1008
_CLOSE_TOO_SLOW: Final = 4008
_CLOSE_GONE: Final = 4004
_CLOSE_PROTOCOL: Final = 4002

_RUNTIME_CODES: Final = frozenset(RuntimeCode)
"""Refusals that are no decision of the table, and so are in no record."""
_MOVES_WALLET: Final = (BuyIn, Collect, LeaveSeat)


async def serve_terminal(
    socket: WebSocket,
    table: str,
    viewer: Viewer | None,
    rooms: Rooms,
    *,
    on_command: Callable[[], None] = lambda: None,
) -> None:
    """Serve one terminal until either side ends it. The caller has checked who it is.

    ``on_command`` is called for every command that comes in, which keeps a session in use.
    """
    await socket.accept()
    try:
        hello = await _hello(socket)
        room = await _room(rooms, table)
        place = await room.enter(viewer, seen=hello.seen)
        try:
            await _serve(socket, room, place, on_command)
        finally:
            room.leave(place)
    except Bad as bad:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await socket.send_text(encode(Problem(code=bad.problem, sentence=bad.sentence)))
                await socket.close(bad.code)
    except WebSocketDisconnect:
        pass


async def _hello(socket: WebSocket) -> Hello:
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            message = decode(await receive(socket))
    except (TimeoutError, Unreadable) as error:
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


async def _serve(
    socket: WebSocket, room: Room, place: Place, on_command: Callable[[], None]
) -> None:
    """Send and receive side by side; when one ends, both do."""
    tasks = [
        asyncio.create_task(_send(socket, place)),
        asyncio.create_task(_Receiver(socket, room, place, on_command).run()),
        asyncio.create_task(_let_go(place, room.metrics)),
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        # Also where the socket is ended from outside, because its session is over.
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def _send(socket: WebSocket, place: Place) -> None:
    while True:
        message = await place.queue.get()
        try:
            await socket.send_text(message)
        except RuntimeError as error:
            # The line has closed itself, for a message beyond its limit or for silence.
            raise WebSocketDisconnect(_CLOSE_LOST) from error


async def _let_go(place: Place, metrics: Metrics) -> None:
    """Wait until the viewer is let go, even while a message waits for a slow line."""
    await place.gone.wait()
    metrics.turned_away.labels("let_go").inc()
    raise Bad(_CLOSE_TOO_SLOW, "let_go", "This terminal is not served here any more.")


class _Receiver:
    """Takes the messages of one socket."""

    def __init__(
        self, socket: WebSocket, room: Room, place: Place, on_command: Callable[[], None]
    ) -> None:
        self._socket = socket
        self._on_command = on_command
        self._room = room
        self._place = place
        self._asking: set[asyncio.Task[None]] = set()
        self._problems = 0

    async def run(self) -> None:
        """Take messages until the socket ends."""
        try:
            while True:
                data = await receive(self._socket)
                await self._wait_for_turn()
                try:
                    self._take(decode(data))
                except Unreadable as unreadable:
                    self._answer_unreadable(unreadable)
        finally:
            for task in self._asking:
                task.cancel()

    async def _wait_for_turn(self) -> None:
        """Take no more messages than one person sends; the rest waits on the line."""
        viewer = self._place.viewer
        key = viewer.name if viewer is not None else f"visitor {id(self)}"
        while wait_ms := self._room.pace.take(key):  # noqa: ASYNC110 (a bucket wakes nobody)
            await asyncio.sleep(wait_ms / 1000)

    def _answer_unreadable(self, unreadable: Unreadable) -> None:
        """Say what is wrong; a command that has an id gets its answer all the same."""
        self._count_problem()
        if unreadable.command is not None:
            self._on_command()
            self._refuse(unreadable.command, RefusalCode.MALFORMED, unreadable.sentence)
        else:
            self._say("malformed", unreadable.sentence)

    def _take(self, message: FromClient) -> None:
        if isinstance(message, Command):
            self._on_command()
        match message:
            case Ping():
                self._place.send(encode(Pong()))
            case Hello():
                self._count_problem()
                self._say("hello_twice", "A socket says hello once.")
            case Command() if len(self._asking) >= COMMANDS_AT_ONCE_MAX:
                self._refuse(message.id, RuntimeCode.BUSY, "Too many at once.")
            case Command():
                task = asyncio.create_task(self._ask(message))
                self._asking.add(task)
                task.add_done_callback(self._asking.discard)

    async def _ask(self, message: Command) -> None:
        viewer, room = self._place.viewer, self._room
        table = room.mailbox.worker.table
        if viewer is None:
            return self._refuse(message.id, "signed_out", "Sign in to play.")
        kind = message.command.__struct_config__.tag
        if kind not in FROM_ANYWHERE and viewer.remote_at(table.house):
            return self._refuse(
                message.id, "not_enrolled", "This table is played at the house's own terminals."
            )
        try:
            command = table_command(message.command)
        except Refusal as refusal:
            return self._refuse(message.id, refusal.code.value, refusal.sentence)
        request = Request(by=viewer.person, command=command, id=message.id)
        with room.metrics.answer_seconds.time():
            answer = await self._certain(request)
        if answer is None:
            return None
        if answer.refused in _RUNTIME_CODES:
            room.metrics.turned_away.labels(answer.refused).inc()
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
            encode(
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
        self._room.metrics.turned_away.labels(code).inc()
        self._answer(command, Answer(version=self._room.version, refused=code, sentence=sentence))

    def _count_problem(self) -> None:
        self._problems += 1
        if self._problems > PROBLEMS_MAX:
            raise Bad(_CLOSE_POLICY, "too_many_problems", "Too many messages that are none.")

    def _say(self, code: str, sentence: str) -> None:
        self._place.send(encode(Problem(code=code, sentence=sentence)))
