"""One terminal's connection: a hello, then commands in and changes out.

The connection is a small state machine that rejects wrong steps. Every command gets an answer,
and an invalid message gets a problem; too many of those close the socket.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import WebSocket, WebSocketDisconnect

from openfelt.protocol.close_codes import CloseCode
from openfelt.protocol.messages import (
    PROTOCOL,
    Answered,
    BuyIn,
    ChangeDealer,
    Collect,
    Command,
    CommandAsked,
    FromClient,
    Hello,
    LeaveSeat,
    Ping,
    Pong,
    Problem,
    encode,
)
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.runtime import command_spans
from openfelt.runtime.requests import Answer, Request, RuntimeCode
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.monitoring.metrics import Metrics
from openfelt.server.pit.approvals import Act, Approvals, content_of
from openfelt.server.socket.commands import table_command
from openfelt.server.socket.direct_text import direct_text_of
from openfelt.server.socket.frames import CloseSocket, Unreadable, decode, receive
from openfelt.server.tables.room import Room
from openfelt.server.tables.rooms import Rooms
from openfelt.server.tables.subscriptions import Subscription
from openfelt.storage.door import StoreError, shown_error
from openfelt.table.commands import Person, Role

HELLO_SECONDS: Final = 10
PROBLEMS_MAX: Final = 20
CLOSE_SECONDS: Final = 2
"""How long a terminal may take to receive the reason for which it is disconnected."""
COMMANDS_AT_ONCE_MAX: Final = 32
"""How many commands of one socket may wait for their answers at a time."""

STOPPED_TRIES_MAX: Final = 10
STOPPED_WAIT_SECONDS: Final = 1

_LOST: Final = 1006
_NOT_ENTERED: Final = {
    RuntimeCode.NO_SUCH_TABLE.value: CloseCode.NO_SUCH_TABLE,
    RuntimeCode.MOVED.value: CloseCode.MOVED,
}
"""Why a table cannot be entered; anything else has stopped it for the moment."""
_DISCONNECTED: Final = {
    CloseCode.MOVED: ("moved", "This table is now run by another process."),
    CloseCode.STOPPED: ("stopped", "This table has stopped for the moment."),
}

_RUNTIME_CODES: Final = frozenset(RuntimeCode)
"""Refusals that the table has not decided, and that are not in its record."""
_MOVES_WALLET: Final = (BuyIn, Collect, LeaveSeat)


logger = logging.getLogger(__name__)


async def _nothing() -> None:
    """The follow-up when a dealer signs off whose session is not for one table: none."""


async def serve_terminal(
    socket: WebSocket,
    table: str,
    viewer: Viewer | None,
    rooms: Rooms,
    *,
    on_command: Callable[[], None] = lambda: None,
    on_signed_off: Callable[[], Awaitable[None]] = _nothing,
) -> None:
    """Serve one terminal until either side closes the socket. The caller has authenticated it.

    ``on_command`` is called for every command that comes in, which keeps a session in use, and
    ``on_signed_off`` when a dealer signs off who has signed on by PIN.
    """
    await socket.accept()
    try:
        hello = await _hello(socket)
        room = await _room(rooms, table)
        subscription = await room.enter(viewer, seen=hello.seen)
        subscription.write = direct_text_of(socket)
        try:
            receiver = _Receiver(
                socket,
                room,
                subscription,
                on_command=on_command,
                on_signed_off=on_signed_off,
                approvals=rooms.approvals,
            )
            await _serve(socket, receiver, subscription, room.metrics)
        finally:
            room.leave(subscription)
    except StoreError:
        await _close(
            socket,
            CloseSocket(CloseCode.STOPPED, "stopped", "The store is unavailable at the moment."),
        )
    except CloseSocket as close:
        await _close(socket, close)
    except WebSocketDisconnect:
        pass


async def _close(socket: WebSocket, close: CloseSocket) -> None:
    """Tell the terminal why, and close; it may already have disconnected."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(CLOSE_SECONDS):
            await socket.send_text(encode(Problem(code=close.problem, sentence=close.sentence)))
            await socket.close(close.code)


async def _hello(socket: WebSocket) -> Hello:
    no_hello = CloseSocket(
        CloseCode.POLICY, "no_hello", "The first message on a socket must be hello."
    )
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            message = decode(await receive(socket))
    except (TimeoutError, Unreadable) as error:
        raise no_hello from error
    if not isinstance(message, Hello):
        raise no_hello
    if message.protocol != PROTOCOL:
        raise CloseSocket(
            CloseCode.OTHER_PROTOCOL,
            "other_protocol",
            f"This client speaks protocol {message.protocol} and the server protocol {PROTOCOL}: "
            "reload the page, or upgrade the client.",
        )
    return message


async def _room(rooms: Rooms, table: str) -> Room:
    try:
        return await rooms.room(table)
    except Refusal as refusal:
        code = _NOT_ENTERED.get(refusal.code.value, CloseCode.STOPPED)
        raise CloseSocket(code, refusal.code.value, refusal.sentence) from refusal


async def _serve(
    socket: WebSocket, receiver: "_Receiver", subscription: Subscription, metrics: Metrics
) -> None:
    """Send and receive concurrently; when one ends, so does the other."""
    tasks = [
        asyncio.create_task(_send(socket, subscription)),
        asyncio.create_task(receiver.run()),
        asyncio.create_task(_let_go(subscription, metrics)),
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        # Also when the caller cancels this, because the session has ended.
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def _send(socket: WebSocket, subscription: Subscription) -> None:
    while True:
        message = await subscription.queue.get()
        try:
            await socket.send_text(message)
            subscription.waiting -= 1
        except RuntimeError as error:
            # The connection has closed itself, for an oversized message or a ping timeout.
            raise WebSocketDisconnect(_LOST) from error


async def _let_go(subscription: Subscription, metrics: Metrics) -> None:
    """Wait until the viewer is disconnected, even while a slow connection blocks the sender."""
    await subscription.gone.wait()
    problem, sentence = _DISCONNECTED.get(
        subscription.why, ("let_go", "This terminal was disconnected; it may reconnect.")
    )
    metrics.turned_away.labels(problem).inc()
    raise CloseSocket(subscription.why, problem, sentence)


class _Receiver:
    """Receives the messages of one socket and acts on them."""

    def __init__(
        self,
        socket: WebSocket,
        room: Room,
        subscription: Subscription,
        *,
        on_command: Callable[[], None],
        on_signed_off: Callable[[], Awaitable[None]],
        approvals: Approvals,
    ) -> None:
        self._socket = socket
        self._approvals = approvals
        self._on_command = on_command
        self._on_signed_off = on_signed_off
        self._room = room
        self._subscription = subscription
        self._asking = subscription.asking
        self._wallet = asyncio.Lock()
        """Held while the wallet is read and sent, so that an earlier read is not sent last."""
        self._problems = 0

    async def run(self) -> None:
        """Receive messages until the socket is closed."""
        try:
            while True:
                data = await receive(self._socket)
                await self._wait_for_turn(self._room.pace.message_wait_ms)
                try:
                    message = decode(data)
                except Unreadable as unreadable:
                    self._answer_unreadable(unreadable)
                    continue
                if isinstance(message, Command) and self._is_player:
                    await self._wait_for_turn(self._room.pace.command_wait_ms)
                self._take(message)
        finally:
            for task in self._asking:
                task.cancel()

    @property
    def _is_player(self) -> bool:
        viewer = self._subscription.viewer
        return viewer is not None and viewer.person.role is Role.PLAYER

    async def _wait_for_turn(self, wait_ms: Callable[[str], int]) -> None:
        """Slow down a client that sends more messages than a person would."""
        viewer = self._subscription.viewer
        key = viewer.name if viewer is not None else f"visitor {id(self)}"
        while ms := wait_ms(key):  # noqa: ASYNC110 (a bucket has no event)
            await asyncio.sleep(ms / 1000)

    def _answer_unreadable(self, unreadable: Unreadable) -> None:
        """Answer a command by its id, and anything else with a problem."""
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
                self._subscription.send(encode(Pong()))
            case Hello():
                self._count_problem()
                self._say(
                    "hello_twice", "The message hello may be sent only once, and must be the first."
                )
            case Command() if len(self._asking) >= COMMANDS_AT_ONCE_MAX:
                self._refuse(
                    message.id,
                    RuntimeCode.BUSY,
                    "Too many commands from this terminal are waiting for an answer.",
                )
            case Command():
                task = asyncio.create_task(self._ask(message))
                self._asking.add(task)
                task.add_done_callback(self._asked)

    def _asked(self, task: "asyncio.Task[None]") -> None:
        """Disconnect a terminal whose command has failed, which repeats it when it is back."""
        self._asking.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            logger.error("a command could not be answered: %s", shown_error(error))
            self._subscription.let_go(CloseCode.STOPPED)

    async def _ask(self, message: Command) -> None:
        viewer, room = self._subscription.viewer, self._room
        if viewer is None:
            return self._refuse(message.id, "signed_out", "Sign in to play.")
        barred = self._barred(message.command, viewer)
        if barred is not None:
            return self._refuse(message.id, *barred)
        try:
            request = await self._request(message, viewer)
        except Refusal as refusal:
            return self._refuse(message.id, refusal.code.value, refusal.sentence)
        name = command_spans.command_name(str(request.by), request.id)
        with (
            room.metrics.answer_seconds.time(),
            command_spans.span("command", table=room.access.table.id, command=name),
        ):
            answer = await self._certain(request)
        if answer is None:
            return None
        if answer.refused in _RUNTIME_CODES:
            room.metrics.turned_away.labels(answer.refused).inc()
        elif message.approval is not None:
            used = (viewer.person.name, message.id)
            await self._approvals.answered(message.approval, command=used, accepted=answer.accepted)
        self._answer(message.id, answer)
        if answer.accepted and isinstance(message.command, _MOVES_WALLET):
            async with self._wallet:
                await room.refresh_wallet(self._subscription)
        if answer.accepted and viewer.by_pin and isinstance(message.command, ChangeDealer):
            await self._after_change(message.command)
        return None

    def _barred(self, command: CommandAsked, viewer: Viewer) -> tuple[str, str] | None:
        """Why this terminal may not give a command, as a code and a sentence; None if it may."""
        kind = str(command.__struct_config__.tag)
        if not viewer.may_give(kind, self._room.access.table.house):
            return "not_enrolled", "This table is played at the house's own terminals only."
        if viewer.stops(kind, takes_back=not getattr(command, "wagers", True)):
            return "terminal_stopped", f"This terminal accepts no new wagers: {viewer.stopped}"
        return None

    async def _request(self, message: Command, viewer: Viewer) -> Request:
        """The request to the table for a message; raises Refusal."""
        command = table_command(message.command)
        if isinstance(message.command, ChangeDealer) and message.command.dealer is not None:
            await self._room.load_dealer(message.command.dealer)
        return Request(
            by=viewer.person,
            command=command,
            id=message.id,
            terminal=viewer.terminal,
            approved_by=await self._approved_by(message, viewer),
        )

    async def _approved_by(self, message: Command, viewer: Viewer) -> Person | None:
        """The supervisor who has approved a command, None for one without an approval.

        Raises Refusal for an approval that is not for this command.
        """
        if message.approval is None:
            return None
        table = self._room.access.table
        kind = str(message.command.__struct_config__.tag)
        content = content_of(message.command)
        act = Act(kind, table.id, viewer.terminal, table.rounds, content)
        used = (viewer.person.name, message.id)
        return await self._approvals.approved_by(message.approval, act, command=used)

    async def _after_change(self, command: ChangeDealer) -> None:
        """End the session of a dealer who has signed off, which was for this table only."""
        if command.dealer is None:
            await self._on_signed_off()

    async def _certain(self, request: Request) -> Answer | None:
        """The final answer. A table that has stopped may or may not have written the command.

        So it is asked again with the same id until it is certain. If that takes too long, or if
        another process runs the table now, the socket is closed without an answer. The terminal
        then reconnects, and sends the same id again.
        """
        for _ in range(STOPPED_TRIES_MAX):
            answer = await self._room.access.ask(request)
            if answer.refused == RuntimeCode.MOVED:
                self._subscription.let_go(CloseCode.MOVED)
                return None
            if answer.refused != RuntimeCode.STOPPED:
                return answer
            await asyncio.sleep(STOPPED_WAIT_SECONDS)
        self._subscription.let_go(CloseCode.STOPPED)
        return None

    def _answer(self, command: str, answer: Answer) -> None:
        answered = Answered(
            id=command,
            version=answer.version,
            accepted=answer.accepted,
            refused=answer.refused,
            sentence=answer.sentence,
        )
        self._room.answer(self._subscription, encode(answered))

    def _refuse(self, command: str, code: str, sentence: str) -> None:
        self._room.metrics.turned_away.labels(code).inc()
        self._answer(command, Answer(version=self._room.version, refused=code, sentence=sentence))

    def _count_problem(self) -> None:
        self._problems += 1
        if self._problems > PROBLEMS_MAX:
            raise CloseSocket(CloseCode.POLICY, "too_many_problems", "Too many invalid messages.")

    def _say(self, code: str, sentence: str) -> None:
        self._subscription.send(encode(Problem(code=code, sentence=sentence)))
