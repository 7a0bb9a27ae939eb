"""Players of a cluster who keep a journal of every command that they send and every answer."""

import asyncio
import contextlib
import logging
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Literal, TypeVar

import httpx

from openfelt.client import Casino, CasinoError, Refused, Terminal
from openfelt.protocol.messages import Bet, Check, CommandAsked, DecisionAsked, Fold
from openfelt.protocol.table_views import ChoiceView
from openfelt.table.refusal import TableCode
from tests.independent.journal import Journal

BUY_IN_CENTS = 20_000
LOW_CENTS = 4_000
PAUSE_S = 0.2
LOOK_S = 1.0
BETWEEN_S = 0.1
"""Between two rounds a player looks at the result."""
_Answer = TypeVar("_Answer")

logger = logging.getLogger(__name__)


class Broke(Exception):
    """A guest has lost the play money; another one takes the place."""


class Player:
    """One guest at one table after another, round after round until told to stop."""

    def __init__(self, address: str, journal: Journal, table: str | None, rng: Random) -> None:
        """Without the name of a table, the player opens a private one."""
        self._address, self._journal, self._rng = address, journal, rng
        self._wanted_table = table
        self.table = table
        self.name = ""
        self.doing = "nothing yet"
        """What the player tried last, for the message of a test that waits in vain."""
        self._settled: set[tuple[str | None, int]] = set()
        self.leaving = asyncio.Event()
        self.seated = asyncio.Event()
        self.terminal: Terminal | None = None

    @property
    def rounds(self) -> int:
        """How many rounds the player has seen settled."""
        return len(self._settled)

    async def play(self) -> None:
        """Sit down, and play until `leaving` is set; then finish the round and leave."""
        while True:
            try:
                await self._visit()
            except Broke:
                continue
            return

    async def _visit(self) -> None:
        """Play as one guest; raises Broke when that one has too little money."""
        async with Casino(self._address) as casino:
            self.name = str((await patiently(casino.guest))["name"])
            table = self._wanted_table
            if table is None:
                table = await patiently(casino.private_table)
            self.table = table
            async with casino.table(table) as terminal:
                self.terminal = terminal
                self._keep_journal(terminal)
                while not await self._done(terminal):
                    try:
                        await self._step(terminal)
                    except Refused as refusal:
                        self.doing = f"refused: {refusal}"
                        await asyncio.sleep(PAUSE_S)

    def _keep_journal(self, terminal: Terminal) -> None:
        ask = terminal.ask
        stream, actor = f"table/{self.table}", f"player:{self.name}"

        async def written(command: CommandAsked, *, id: str | None = None) -> int:  # noqa: A002
            name = id or uuid.uuid4().hex
            self._journal.sent(stream, actor, name)
            try:
                version = await ask(command, id=name)
            except Refused as refusal:
                self._journal.answered(stream, actor, name, 0, refusal.code)
                raise
            self._journal.answered(stream, actor, name, version, None)
            return version

        terminal.ask = written  # type: ignore[method-assign]

    async def _done(self, terminal: Terminal) -> bool:
        if not self.leaving.is_set():
            return False
        if terminal.private.seat is None:
            return True
        with contextlib.suppress(Refused):
            await terminal.leave()
            return True
        return False

    async def _step(self, terminal: Terminal) -> None:
        """Do one thing, or wait for news."""
        private, may = terminal.private, terminal.private.may
        self.doing = f"version {terminal.version}, {', '.join(sorted(may))}"
        if private.seat is None:
            await terminal.sit(buy_in_cents=BUY_IN_CENTS)
            self.seated.set()
            return
        due = [hand for hand in private.hands.values() if hand.due and hand.choices]
        state = terminal.public.round
        over = state is None or state.phase in {"settled", "voided"}
        waged = not over and any(hand.wagers for hand in private.hands.values())
        if state is not None and over:
            self._settled.add((self.table, state.number))
        if due:
            await terminal.decide(self._decision(due[0].choices), hand=due[0].hand)
        elif waged and "close_bets" in may and terminal.public.private:
            await terminal.deal()
        elif "set_wagers" in may and not waged and not self.leaving.is_set():
            if "buy_in" in may and private.credit_cents < LOW_CENTS:
                await self._buy_in(terminal)
            await asyncio.sleep(BETWEEN_S)
            least = 100 if terminal.public.private else 1000
            await terminal.bet(ante=least * self._rng.randint(1, 2))
        else:
            version = terminal.version
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await terminal.until(lambda now: now.version != version)

    async def _buy_in(self, terminal: Terminal) -> None:
        try:
            await terminal.sit(buy_in_cents=BUY_IN_CENTS)
        except Refused as refusal:
            if refusal.code != TableCode.WALLET_SHORT:
                raise
            await terminal.leave()
            raise Broke from refusal

    def _decision(self, choices: list[ChoiceView]) -> DecisionAsked:
        chosen = self._rng.choice(choices)
        if chosen.kind == "bet":
            assert chosen.multiple is not None
            return Bet(multiple=chosen.multiple)
        return Check() if chosen.kind == "check" else Fold()


async def patiently(ask: Callable[[], Awaitable[_Answer]]) -> _Answer:
    """Ask over HTTP until there is an answer: one of the gateways may be gone."""
    while True:
        try:
            return await ask()
        except (httpx.TransportError, CasinoError) as error:
            if isinstance(error, CasinoError) and error.status < 500 and error.status != 429:
                raise
            await asyncio.sleep(PAUSE_S)


class Crowd:
    """Players who come and go together, each with a journal page of one file."""

    def __init__(self, address: str, file: Path, tables: list[str | None], *, seed: int) -> None:
        rng = Random(seed)
        self.journal = Journal(file)
        self.players = [
            Player(address, self.journal, table, Random(rng.getrandbits(64))) for table in tables
        ]
        self._tasks: list[asyncio.Task[None]] = []

    async def sit_down(self) -> None:
        """Begin to play, and wait until every player has a seat."""
        self._tasks = [asyncio.create_task(player.play()) for player in self.players]
        seated = [asyncio.create_task(player.seated.wait()) for player in self.players]
        all_seated = asyncio.create_task(_all(seated))
        await asyncio.wait([*self._tasks, all_seated], return_when=asyncio.FIRST_COMPLETED)
        self._raise_if_ended()

    async def play_on(self, rounds: int = 1) -> None:
        """Wait until every player has seen so many more rounds."""
        wanted = {player: player.rounds + rounds for player in self.players}
        try:
            while any(player.rounds < number for player, number in wanted.items()):
                self._raise_if_ended()
                await asyncio.sleep(0.05)
        except asyncio.CancelledError:
            waiting = [
                f"{player.name} at {player.table}: {player.doing}"
                for player, number in wanted.items()
                if player.rounds < number
            ]
            logger.exception("no round was settled for\n%s", "\n".join(waiting))
            raise

    async def leave(self) -> None:
        """Finish the rounds, collect and stand up."""
        for player in self.players:
            player.leaving.set()
        await asyncio.gather(*self._tasks)
        self.journal.close()

    def _raise_if_ended(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()


async def _all(tasks: list[asyncio.Task[Literal[True]]]) -> None:
    await asyncio.gather(*tasks)
