"""A terminal's line is lost again and again: the server dies, the table moves or has stopped.

The client used to give up for good after thirty lost lines in its life, and took a table that
had moved or stopped for one that does not exist.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openfelt.client import Casino, Terminal, TerminalClosed
from openfelt.protocol.messages import BuyIn
from openfelt.runtime.streams import table_stream
from tests.kit.attacks.server_under_attack import ServerUnderAttack
from tests.kit.server.changing_lines import ChangingLines, changing_lines
from tests.kit.server.halls import Hall, open_hall
from tests.kit.server.real_server import free_port, server_process

LOST_LINES = 40
MOVES = 6
PATIENCE_SECONDS = 60


@contextlib.asynccontextmanager
async def terminal_over(lines: ChangingLines, hall: Hall) -> AsyncIterator[Terminal]:
    """A player's terminal over changing lines, seated."""
    terminal = hall.terminal("mine", "ann")
    terminal._url = terminal._url.replace(str(hall.port), str(lines.port))
    async with asyncio.timeout(PATIENCE_SECONDS), terminal:
        await terminal.sit()
        yield terminal


def bought_in(hall: Hall) -> list[str]:
    """The ids of the commands that have put credit on the seat."""
    events = hall.floor.worker_services.store.events(table_stream("mine"))
    return [event.cause.command for event in events if event.name == "bought_in"]


async def test_more_lost_lines_than_a_client_ever_survived(tmp_path: Path) -> None:
    async with open_hall(tmp_path) as hall, changing_lines(hall.port) as lines:
        await hall.open("mine", "online", private_to="ann")
        async with terminal_over(lines, hall) as terminal:
            for number in range(LOST_LINES):
                lines.cut()
                await terminal.ask(BuyIn(seat=1, cents=100), id=f"b{number}")
            assert lines.lines > LOST_LINES
        assert bought_in(hall) == [f"b{number}" for number in range(LOST_LINES)]


async def test_a_table_moves_between_two_servers_and_its_player_follows(tmp_path: Path) -> None:
    async with (
        open_hall(tmp_path, owner="east") as east,
        open_hall(tmp_path, owner="west") as west,
        changing_lines(east.port, west.port) as lines,
    ):
        await east.open("mine", "online", private_to="ann")
        async with terminal_over(lines, east) as terminal:
            here, there = east, west
            for number in range(MOVES):
                await here.floor._put_down("mine", here.floor.running["mine"])
                await there.floor.mailbox("mine")
                here, there = there, here
                # The lines lead to both servers by turns, so every other try is turned away.
                await terminal.ask(BuyIn(seat=1, cents=100), id=f"b{number}")
            assert {problem.code for problem in terminal.problems} == {"moved"}
        assert bought_in(east) == [f"b{number}" for number in range(MOVES)]


async def test_a_table_without_its_store_is_waited_for(tmp_path: Path) -> None:
    async with open_hall(tmp_path) as hall, changing_lines(hall.port) as lines:
        await hall.open("mine", "online", private_to="ann")
        async with terminal_over(lines, hall) as terminal:
            file = tmp_path / "hall.db"
            away = file.rename(tmp_path / "away.db")
            lines.cut()
            await terminal.until(lambda now: any(p.code == "stopped" for p in now.problems))
            away.rename(file)
            await terminal.ask(BuyIn(seat=1, cents=100), id="b")
        assert bought_in(hall) == ["b"]


async def test_a_server_that_is_killed_and_started_again_is_come_back_to(tmp_path: Path) -> None:
    port = free_port()
    with server_process(tmp_path, port):
        casino = Casino(f"http://127.0.0.1:{port}")
        await casino.guest()
        terminal = casino.table(await casino.private_table())
        async with asyncio.timeout(PATIENCE_SECONDS):
            await terminal.__aenter__()
            await terminal.sit()
    try:
        # Leaving the block has killed the process.
        waiting = asyncio.ensure_future(terminal.ask(BuyIn(seat=1, cents=100)))
        await asyncio.sleep(0.5)
        assert not waiting.done()
        with await asyncio.to_thread(_entered, tmp_path, port):
            async with asyncio.timeout(PATIENCE_SECONDS):
                await waiting
                await terminal.until(lambda now: now.private.credit_cents == 100)
    finally:
        await terminal.__aexit__(None, None, None)
        await casino.__aexit__(None, None, None)


def _entered(folder: Path, port: int) -> contextlib.ExitStack:
    """A server process that has been started, to be closed by the caller."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(server_process(folder, port))
        return stack.pop_all()
    raise AssertionError


async def test_what_does_not_exist_is_given_up_at_once(shared_server: ServerUnderAttack) -> None:
    async with Casino(shared_server.address) as casino, asyncio.timeout(PATIENCE_SECONDS):
        await casino.guest()
        with pytest.raises(TerminalClosed):
            async with casino.table("nowhere"):
                pass
        async with casino.table(await casino.private_table()) as terminal:
            await casino.sign_out()
            with pytest.raises(TerminalClosed, match="session has ended"):
                await terminal.until(lambda _: False)
