"""A terminal at one table, for scripts: the current views, and commands.

A lost connection is made again, and resumes with what was missed; a command without an answer
is sent again with the same id, so that it is carried out once.
"""

import asyncio
import contextlib
import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Final, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

from openfelt.catalog import load_catalog
from openfelt.client.own_rounds import ROUNDS_KEPT, Bindings, OwnRound, roots_seen
from openfelt.client.reconnection import PATIENCE_SECONDS, Reconnection
from openfelt.protocol.close_codes import FINAL_CODES, CloseCode
from openfelt.protocol.merge_patch import Plain, apply_patch
from openfelt.protocol.messages import (
    PROTOCOL,
    Answered,
    BuyIn,
    Change,
    CloseBets,
    Collect,
    Command,
    CommandAsked,
    Decide,
    DecisionAsked,
    FromServer,
    Hello,
    LeaveSeat,
    Pong,
    Problem,
    RevealSeed,
    SetWagers,
    TakeSeat,
    WagerAsked,
    Welcome,
)
from openfelt.protocol.table_views import PrivateView, PublicView
from openfelt.rules.house import Deck
from openfelt.table.deck import TABLE_DECK

MESSAGE_BYTES_MAX: Final = 8 * 1024 * 1024
PROBLEMS_KEPT: Final = 100
BEAT_SECONDS: Final = 1.0
STALL_SECONDS: Final = 2.5
"""A program that did nothing for this long has not followed the table."""

_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[FromServer] = msgspec.json.Decoder(FromServer)


class Refused(Exception):
    """The table has refused a command; nothing has changed."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(f"{sentence} ({code})")
        self.code = code
        self.sentence = sentence


class TerminalClosed(Exception):
    """The server no longer serves this terminal."""


class Terminal:
    """One connection to one table; use it with ``async with``."""

    def __init__(
        self,
        url: str,
        *,
        origin: str,
        headers: Mapping[str, str],
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        """``patience_seconds`` is how long the server may be away before it is given up."""
        self._url = url
        self._reconnection = Reconnection(patience_seconds)
        self._origin = origin
        self._headers = dict(headers)
        self.version = 0
        """The version of the last message; see ``openfelt.protocol.messages.Change``."""
        self.clock_left_ms: int | None = None
        """The time left on the running clock when the last message was sent."""
        self._public: Plain = {}
        self._private: Plain = {}
        self._unanswered: dict[str, tuple[bytes, asyncio.Future[Answered]]] = {}
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._news = asyncio.Condition()
        self._welcomed = asyncio.Event()
        self._ended: Exception | None = None
        self.problems: deque[Problem] = deque(maxlen=PROBLEMS_KEPT)
        self.rounds: dict[int, OwnRound] = {}
        """By number, what this terminal saw of its recent rounds."""
        self._revealing: set[asyncio.Task[None]] = set()
        self._bindings = Bindings()
        self._beat: asyncio.TimerHandle | None = None
        self._beaten = 0.0

    # Life ------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run(), name=f"terminal {self._url}")
        welcomed = asyncio.create_task(self._welcomed.wait())
        await asyncio.wait((welcomed, self._task), return_when=asyncio.FIRST_COMPLETED)
        welcomed.cancel()
        self._check_open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._beat is not None:
            self._beat.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def drop(self) -> None:
        """Drop the connection, as if a cable was pulled; it is made again automatically."""
        if self._socket is not None:
            await self._socket.close()

    # What it shows -----------------------------------------------------------------------

    @property
    def connected(self) -> bool:
        """Whether there is a connection now; without one the views are the last that arrived."""
        return self._socket is not None

    @property
    def public(self) -> PublicView:
        """The table as every viewer sees it."""
        return msgspec.convert(self._public, PublicView)

    @property
    def private(self) -> PrivateView:
        """The part that only this viewer sees."""
        return msgspec.convert(self._private, PrivateView)

    async def until(self, ready: Callable[["Terminal"], bool]) -> None:
        """Wait until ``ready`` is true, which is asked again after every message."""
        async with self._news:
            while not ready(self):
                self._check_open()
                await self._news.wait()

    # Commands ----------------------------------------------------------------------------

    async def ask(self, command: CommandAsked, *, id: str | None = None) -> int:  # noqa: A002
        """Send a command and wait for its answer; returns its version, or raises Refused.

        The change that the command has caused arrives before the answer, so ``private`` shows
        it already.
        """
        self._check_open()
        name = id or uuid.uuid4().hex
        message = _encode(Command(id=name, command=command))
        answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._unanswered[name] = (message, answer)
        try:
            if self._socket is not None:
                with contextlib.suppress(ConnectionClosed):
                    await self._socket.send(message.decode())
            answered = await answer
        finally:
            self._unanswered.pop(name, None)
        if not answered.accepted:
            raise Refused(answered.refused or "", answered.sentence or "")
        return answered.version

    async def sit(self, *, buy_in_cents: int = 0, seat: int | None = None) -> int:
        """Sit down, buy in, and return the seat's number."""
        if self.private.seat is None:
            await self.ask(TakeSeat(seat=seat))
        own = self._own_seat()
        if buy_in_cents:
            await self.ask(BuyIn(seat=own, cents=buy_in_cents))
        return own

    async def bet(self, *, hand: int = 1, **cents: int) -> int:
        """Set the wagers of one of the player's hands: ``bet(ante=1000, trips=500)``.

        The first wager of a round binds the seat to a new seed, which is revealed automatically
        when the table calls it. Where cards are virtual, it waits until the decks are sealed.
        """
        seat = self._own_seat()
        await self.until(lambda _: self._sealed() or self._public.get("stopped") is not None)
        if not self._sealed():
            code, sentence = self._public.get("stopped_code"), self._public.get("stopped")
            raise Refused(str(code), str(sentence))
        number = self._betting_round()
        own = self._own_round(number, seat)
        free = self._bindings.are_free(number)
        wagers = [WagerAsked(kind=kind, cents=amount) for kind, amount in cents.items()]
        version = await self.ask(
            SetWagers(
                spot=f"{seat}.{hand}",
                wagers=wagers,
                round=number,
                seed_commitment=own.commitment,
            )
        )
        if any(cents.values()):
            own.sent = True
            # Another terminal of the player may have been quicker.
            first = free and self._bindings.are_free(number, before=version)
            own.bound = own.bound or first
        return version

    def _sealed(self) -> bool:
        """Whether the decks from which the next wager is dealt are committed to, and shown."""
        roots, seat = roots_seen(self._public, self._private), self._private.get("seat")
        number, now = self._betting_round(), self._public.get("round") or {}
        house = load_catalog().houses.get(str(self._public.get("house")))
        virtual = self._public.get("dealer_mode") != "live"
        own = self._private.get("deck_root") if house is None else house.deck is Deck.PER_TERMINAL
        wanted = {TABLE_DECK} if virtual else set()
        if own:
            wanted.add(f"seat-{seat}")
        if not self._private.get("deck_sealed") or not wanted:
            return bool(self._private.get("deck_sealed"))
        # A round without seeds was opened by an earlier version of the server.
        seeded = now.get("phase") != "wagering" or self._public.get("seeds") is not None
        return seeded and self._public.get("deck_round") == number and wanted <= roots.keys()

    def _own_round(self, number: int, seat: int) -> OwnRound:
        """This terminal's observations of the round that it bets on, with its seed."""
        if number not in self.rounds:
            self.rounds[number] = OwnRound(
                table=str(self._public.get("table")),
                number=number,
                seat=seat,
                roots=roots_seen(self._public, self._private),
                here=self.connected,
            )
            for old in sorted(self.rounds)[:-ROUNDS_KEPT]:
                del self.rounds[old]
            if self._beat is None:
                self._beaten = time.monotonic()
                self._next_beat()
        return self.rounds[number]

    def _see(self, *, fresh: bool) -> None:
        """Remember what the views show of the player's rounds."""
        if time.monotonic() - self._beaten > STALL_SECONDS:
            self._away()
        self._bindings.see(self._public, self._private, self.version, fresh=fresh)
        for own in self.rounds.values():
            if not own.ended:
                own.see(self._public, self._private, fresh=fresh)

    def _away(self) -> None:
        for own in self.rounds.values():
            own.away()

    def _next_beat(self) -> None:
        self._beat = asyncio.get_running_loop().call_later(BEAT_SECONDS, self._on_beat)

    def _on_beat(self) -> None:
        """Notice that the program was held up, while a seed of this terminal is due."""
        now, self._beat = time.monotonic(), None
        if now - self._beaten > STALL_SECONDS:
            self._away()
        elif self.connected:
            for own in self.rounds.values():
                own.here = own.here or (not own.dealt and own.digest is None)
        self._beaten = now
        if any(not own.dealt for own in self.rounds.values()):
            self._next_beat()

    def _reveal(self) -> None:
        """Reveal the seed of this terminal, if it is called now with a digest of all seeds."""
        if "reveal_seed" not in self._private.get("may", ()) or self._revealing:
            return
        number = (self._public.get("round") or {}).get("number")
        own = self.rounds.get(number) if isinstance(number, int) else None
        if own is None or own.commitment != self._private.get("seed_commitment"):
            return
        # Without it, other seeds could still be chosen by this one.
        if own.digest is None or own.digest != (self._public.get("seeds") or {}).get("digest"):
            return
        task = asyncio.create_task(self._send_seed(own), name=f"seed of round {number}")
        self._revealing.add(task)
        task.add_done_callback(self._revealing.discard)

    async def _send_seed(self, own: OwnRound) -> None:
        # The deal may begin without it; then the check of the round says so.
        with contextlib.suppress(Refused, TerminalClosed):
            await self.ask(RevealSeed(seat=own.seat, seed=own.seed))
            own.revealed = True

    async def deal(self) -> int:
        """Close the bets, if this does not keep another player from betting.

        It returns when the deal has begun, which waits a moment for the players' seeds.
        """
        version = await self.ask(CloseBets())
        await self.until(lambda _: not self._awaits_seeds())
        return version

    def _awaits_seeds(self) -> bool:
        """Whether the table waits for the players' seeds before it deals."""
        now, seeds = self._public.get("round") or {}, self._public.get("seeds") or {}
        return now.get("phase") == "playing" and not seeds.get("fixed", True)

    async def decide(self, decision: DecisionAsked, *, hand: int = 1) -> int:
        """Make a decision for one of the player's hands."""
        spot, now = f"{self._own_seat()}.{hand}", self._public.get("round") or {}
        return await self.ask(
            Decide(spot=spot, decision=decision, round=now.get("number"), street=now.get("street"))
        )

    async def collect(self) -> int:
        """Move the credit back to the wallet."""
        return await self.ask(Collect(seat=self._own_seat()))

    async def leave(self) -> int:
        """Collect and stand up."""
        return await self.ask(LeaveSeat(seat=self._own_seat()))

    def _betting_round(self) -> int:
        """The round that a bet is for, according to the current view."""
        last = self._public.get("round") or {}
        number: int = last.get("number", 0)
        return number + 1 if last.get("phase") in (None, "settled", "voided") else number

    def _own_seat(self) -> int:
        seat = self._private.get("seat")
        if not isinstance(seat, int):
            raise Refused("not_seated", "Sit down first.")
        return seat

    # The connection ------------------------------------------------------------------------

    async def _run(self) -> None:
        try:
            while await self._tried():
                pass
            self._ended = TerminalClosed("The server cannot be reached.")
        except (TerminalClosed, InvalidHandshake) as error:
            self._ended = TerminalClosed(str(error))
        except msgspec.DecodeError as error:
            self._ended = TerminalClosed(f"The server sent an invalid message: {error}.")
        finally:
            await self._end()

    async def _tried(self) -> bool:
        """Be connected until the connection is lost, and pause; False to give up."""
        try:
            await self._connected()
        except (OSError, ConnectionClosed, InvalidHandshake) as error:
            if not self._reconnection.passes(error):
                raise
        pause = self._reconnection.pause()
        if pause is None:
            return False
        await asyncio.sleep(pause)
        return True

    async def _connected(self) -> None:
        """Connect, resume, and receive messages until the connection is lost."""
        async with connect(
            self._url,
            origin=Origin(self._origin),
            additional_headers=self._headers,
            max_size=MESSAGE_BYTES_MAX,
            compression=None,
        ) as socket:
            seen = self.version if self._welcomed.is_set() else None
            await socket.send(_encode(Hello(protocol=PROTOCOL, seen=seen)).decode())
            self._socket = socket
            for message, _ in tuple(self._unanswered.values()):
                await socket.send(message.decode())
            try:
                async for text in socket:
                    await self._take(_decoder.decode(text))
            finally:
                self._socket = None
                self._away()
                if socket.close_code in FINAL_CODES:
                    raise TerminalClosed(self._why(socket.close_code))

    def _why(self, close_code: int | None) -> str:
        if close_code == CloseCode.SIGNED_OUT:
            return "The session has ended."
        return (
            self.problems[-1].sentence
            if self.problems
            else "The server has refused the connection."
        )

    async def _take(self, message: FromServer) -> None:
        match message:
            case Welcome():
                plain: dict[str, Any] = msgspec.to_builtins(message)
                self._public, self._private = plain["public"], plain["private"]
                self.version = message.version
                self.clock_left_ms = message.clock_left_ms
                self._welcomed.set()
                self._reconnection.connected()
                self._see(fresh=True)
            case Change():
                self._apply(message)
                if message.whole:
                    self._reconnection.connected()
                self._see(fresh=message.whole)
            case Answered():
                waiting = self._unanswered.get(message.id)
                if waiting is not None and not waiting[1].done():
                    waiting[1].set_result(message)
            case Problem():
                self.problems.append(message)
            case Pong():
                pass
        self._reveal()
        async with self._news:
            self._news.notify_all()

    def _apply(self, change: Change) -> None:
        """Bring both views up to date, from the one message about a change."""
        if not isinstance(change.public, msgspec.UnsetType):
            self._public = apply_patch(self._public, msgspec.json.decode(change.public))
        if not isinstance(change.private, msgspec.UnsetType):
            before = {} if change.whole else self._private
            self._private = apply_patch(before, msgspec.json.decode(change.private))
        self.version = change.version
        self.clock_left_ms = change.clock_left_ms

    async def _end(self) -> None:
        ended = self._ended or TerminalClosed("The terminal is closed.")
        for _, answer in self._unanswered.values():
            if not answer.done():
                answer.set_exception(ended)
        async with self._news:
            self._news.notify_all()

    def _check_open(self) -> None:
        if self._ended is not None:
            raise self._ended
        if self._task is not None and self._task.done():
            raise TerminalClosed("The terminal is closed.")
