"""Faults of the socket layer, drawn by a seed: real terminals play over lines that are cut, at
tables that move between two servers, while the database is away for a moment.

Unlike the rest of the simulator this runs in real time, over loopback sockets, because the socket
layer is what is tested: the seed decides what happens, and the machine when. In the end every
terminal must see what a fresh one sees, and the independent checker holds the database against
everything that any terminal was told.
"""

import asyncio
import contextlib
import uuid
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

from openfelt.client import Refused, Terminal, TerminalClosed
from openfelt.protocol.messages import (
    Bet,
    BuyIn,
    Check,
    CommandAsked,
    Decide,
    DecisionAsked,
    Fold,
)
from openfelt.runtime.streams import table_stream
from openfelt.table.commands import Person, Role
from tests.independent.record import check_record
from tests.kit.server.changing_lines import ChangingLines, changing_lines
from tests.kit.server.halls import DOLLARS, Hall, open_hall

PLAYERS: Final = ("ann", "bob", "cat")
PAUSE_SECONDS: Final = (0.05, 0.3)
"""The shortest and the longest time between two faults."""
PATIENCE_SECONDS: Final = 120


class NotedTerminal(Terminal):
    """A terminal that keeps what it was told."""

    def __init__(self, player: str, port: int) -> None:
        headers = {"X-Name": player, "X-Role": Role.PLAYER.value, "X-Remote": ""}
        address = f"127.0.0.1:{port}"
        self.player = player
        self.table = f"online-{player}"
        self.told: list[Mapping[str, Any]] = []
        super().__init__(
            f"ws://{address}/ws/tables/{self.table}", origin=f"http://{address}", headers=headers
        )

    async def ask(self, command: CommandAsked, *, id: str | None = None) -> int:  # noqa: A002
        """Send a command, and note its answer."""
        name = id or uuid.uuid4().hex
        try:
            version = await super().ask(command, id=name)
        except Refused as refused:
            self._note(name, 0, refused.code)
            raise
        self._note(name, version, None)
        return version

    def _note(self, name: str, version: int, refused: str | None) -> None:
        stream, actor = table_stream(self.table), str(Person(Role.PLAYER, self.player))
        line = {"stream": stream, "actor": actor, "id": name}
        self.told.append(line | {"version": version, "refused": refused})


async def run_sockets(folder: Path, seed: int, *, faults: int) -> Counter[str]:
    """Play under so many faults, and check everything; gives what has happened."""
    random, tally = Random(seed), Counter[str]()
    told: list[Mapping[str, Any]] = []
    async with (
        asyncio.timeout(PATIENCE_SECONDS),
        open_hall(folder, owner="east") as east,
        open_hall(folder, owner="west") as west,
        contextlib.AsyncExitStack() as stack,
    ):
        # Each player has an address: of two who came back by one in turn, each could be led to the
        # server that does not run the table, again and again.
        lines = {
            player: await stack.enter_async_context(changing_lines(east.port, west.port))
            for player in PLAYERS
        }
        for player in PLAYERS:
            await east.open(f"online-{player}", "online", private_to=player)
            east.floor.cashier.deposit(player, DOLLARS, id="first")
        terminals = [
            await stack.enter_async_context(NotedTerminal(player, lines[player].port))
            for player in PLAYERS
        ]
        playing = [
            asyncio.ensure_future(_play(terminal, Random(random.random()), tally))
            for terminal in terminals
        ]
        for _ in range(faults):
            await asyncio.sleep(random.uniform(*PAUSE_SECONDS))
            await _strike(random, tally, tuple(lines.values()), (east, west), folder)
        for task in playing:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
        assert not [end for end in ended if not isinstance(end, asyncio.CancelledError)], ended
        for terminal in terminals:
            await _compare(terminal, lines[terminal.player])
            told += terminal.told
        tally["lines"] = sum(each.lines for each in lines.values())
    tally["answers"] = len(told)
    check_record(folder / "hall.db", told)
    return tally


async def _strike(
    random: Random,
    tally: Counter[str],
    lines: tuple[ChangingLines, ...],
    halls: tuple[Hall, Hall],
    folder: Path,
) -> None:
    chance = random.random()
    if chance < 0.5:
        tally["lines cut"] += 1
        for each in lines:
            each.cut()
    elif chance < 0.9:
        table = f"online-{random.choice(PLAYERS)}"
        for here, there in (halls, halls[::-1]):
            mailbox = here.floor.running.get(table)
            if mailbox is not None and not mailbox.lost:
                tally["table moved"] += 1
                await here.floor._put_down(table, mailbox)
                with contextlib.suppress(Exception):
                    # A terminal may have brought it back already.
                    await there.floor.mailbox(table)
                return
    else:
        tally["database away"] += 1
        file = folder / "hall.db"
        away = file.rename(folder / "away.db")
        await asyncio.sleep(random.uniform(*PAUSE_SECONDS))
        away.rename(file)


async def _play(terminal: NotedTerminal, random: Random, tally: Counter[str]) -> None:
    """Sit down, bet, decide and top up, for ever."""
    while True:
        try:
            await _act(terminal, random, tally)
        except Refused:
            await asyncio.sleep(0.02)
        except TerminalClosed as closed:
            raise AssertionError(f"{terminal.player} was given up: {closed}") from closed


async def _act(terminal: NotedTerminal, random: Random, tally: Counter[str]) -> None:
    private = terminal.private
    if private.seat is None:
        await terminal.sit()
    elif "decide" in private.may:
        (hand,) = private.hands.values()
        chosen = random.choice(hand.choices)
        decisions: dict[str, DecisionAsked] = {"check": Check(), "fold": Fold()}
        decision = decisions.get(chosen.kind) or Bet(multiple=chosen.multiple or 1)
        await terminal.ask(Decide(spot=f"{private.seat}.1", decision=decision))
        tally["decisions"] += 1
    elif private.credit_cents < 10_000:
        await terminal.ask(BuyIn(seat=private.seat, cents=10_000))
    elif "close_bets" in private.may and random.random() < 0.7:
        await terminal.deal()
        tally["deals"] += 1
    elif "set_wagers" in private.may:
        await terminal.bet(ante=random.choice((500, 1000)))
    else:
        await asyncio.sleep(0.01)


async def _compare(terminal: NotedTerminal, lines: ChangingLines) -> None:
    """A terminal whose line was lost again and again comes to see what a fresh one sees.

    That a table has stopped or goes on is sent within a second, without a new version.
    """
    async with NotedTerminal(terminal.player, lines.port) as fresh:
        for _ in range(PATIENCE_SECONDS * 5):
            if (terminal.public, terminal.private) == (fresh.public, fresh.private):
                return
            await asyncio.sleep(0.1)
        assert terminal.public == fresh.public
        assert terminal.private == fresh.private
