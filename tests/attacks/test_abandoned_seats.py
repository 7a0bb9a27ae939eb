"""A player bets, leaves and closes the browser, so that credit stays at the seat and ghosts fill
the table: in an empty room, across a kill of the server, or on a connection that is half open.
"""

import asyncio
import contextlib
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from openfelt.client import Casino, Terminal
from tests.kit.server.raw_frames import connected
from tests.kit.server.real_server import ServerProcess, free_port, server_process

PATIENCE_SECONDS = 60
SHORT_TIMES = """
from openfelt.rules.house import ClockRule
from openfelt.server import lifecycle
from openfelt.server.process import frame_limits, listener
from openfelt.server.tables import absence_rules, starter_floor
absence_rules.SEAT_MS = 1500
absence_rules.BANK_MS = 500
listener.PING_SECONDS = 1
frame_limits.GRACE_SECONDS = 0.5
clock = ClockRule(wager_seconds=2, decision_seconds=2)
lifecycle.STARTER_TABLES = starter_floor.STARTER_TABLES = (
    starter_floor.StarterTable("stadium-1", "stadium", clock),
    starter_floor.StarterTable("draw-1", "draw", None),
)
"""
"""A server whose seats are held for a second and a half instead of three minutes."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A real server that holds a seat for a moment only."""
    folder = tmp_path_factory.mktemp("abandoned")
    with server_process(folder, free_port(), setup=SHORT_TIMES) as process:
        yield process


@pytest.mark.variant
async def test_a_seat_is_given_back_although_the_room_is_empty(server: ServerProcess) -> None:
    async with Casino(server.address) as ann:
        await ann.guest()
        async with ann.table("stadium-1") as terminal:
            await bets(terminal)
        await until_released(ann, "stadium-1")


async def test_a_seat_is_given_back_although_the_table_has_no_clock(server: ServerProcess) -> None:
    async with Casino(server.address) as ann, Casino(server.address) as bob:
        await ann.guest()
        await bob.guest()
        async with ann.table("draw-1") as terminal, bob.table("draw-1") as other:
            await bets(terminal)
            await bets(other)
        for player in (ann, bob):
            await until_released(player, "draw-1")
            # Bets were open and no card was dealt: everything goes back.
            assert (await player.me())["wallet_cents"] == 100_000


async def test_a_seat_is_given_back_although_its_connection_is_half_open(
    server: ServerProcess,
) -> None:
    async with Casino(server.address) as ann:
        await ann.guest()
        async with ann.table("stadium-1") as terminal:
            await terminal.sit(buy_in_cents=50_000)
            # This socket stays connected and never answers a ping, as a dead machine's does.
            silent = await asyncio.to_thread(half_open, server.address, ann)
        with contextlib.closing(silent):
            await until_released(ann, "stadium-1")
            assert (await ann.me())["wallet_cents"] == 100_000


async def test_a_player_who_is_there_keeps_the_seat(server: ServerProcess) -> None:
    async with Casino(server.address) as ann, Casino(server.address) as bob:
        await ann.guest()
        await bob.guest()
        async with ann.table("stadium-1") as terminal:
            await terminal.sit(buy_in_cents=50_000)
            async with bob.table("stadium-1") as other:
                await other.sit(buy_in_cents=50_000)
            await until_released(bob, "stadium-1")
            assert terminal.private.seat is not None
            assert await own_seat(ann, "stadium-1") == terminal.private.seat


async def test_seats_are_given_back_after_the_server_was_killed(tmp_path: Path) -> None:
    port = free_port()
    server = ServerProcess(tmp_path, port, setup=SHORT_TIMES)
    server.wait_until_open()
    async with Casino(server.address) as ann, Casino(server.address) as bob:
        await ann.guest()
        await bob.guest()
        async with ann.table("stadium-1") as in_play, bob.table("stadium-1") as seated:
            await seated.sit(buy_in_cents=50_000)
            await bets(in_play)
            server.end(signal.SIGKILL)
        with server_process(tmp_path, port, setup=SHORT_TIMES):
            for player in (ann, bob):
                await until_released(player, "stadium-1")
            assert (await bob.me())["wallet_cents"] == 100_000


async def bets(terminal: Terminal) -> None:
    await terminal.sit(buy_in_cents=50_000)
    await terminal.bet(ante=1000)


async def own_seat(player: Casino, table: str) -> int | None:
    card = next(card for card in await player.tables() if card["table"] == table)
    seat: int | None = card["own_seat"]
    return seat


async def until_released(player: Casino, table: str) -> None:
    """Wait until the lobby shows no seat of the player. The lobby watches no table."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while await own_seat(player, table) is not None:
        assert time.monotonic() < deadline, "the seat is still taken"
        await asyncio.sleep(0.1)


def half_open(address: str, player: Casino) -> socket.socket:
    """A terminal's connection on which nothing more will ever be said."""
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in player._http.cookies.jar)
    return connected(address, "stadium-1", headers={"Cookie": cookies})
