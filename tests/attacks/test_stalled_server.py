"""One visitor's socket sends control frames and fragments until the server stalls, and the clock
folds players who pressed in time. The same happens where the process itself is late: stopped,
blocked, or waiting for a slow disk.
"""

import asyncio
import contextlib
import select
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from openfelt.client import Casino, Terminal
from openfelt.protocol.messages import Bet
from openfelt.rules.house import ClockRule, DealerMode
from tests.kit.server.halls import Hall, open_hall
from tests.kit.server.raw_frames import (
    EMPTY_FRAGMENT,
    EMPTY_START,
    PING,
    PONG,
    connected,
    one_byte_fragments,
    text_frame,
)
from tests.kit.server.real_server import ServerProcess, free_port, server_process

PATIENCE_SECONDS = 60
TABLE = "stadium-1"
DECISION_MS = 4000
SETUP = f"""
from openfelt.rules.house import ClockRule
from openfelt.server import lifecycle
from openfelt.server.tables import starter_floor
clock = ClockRule(wager_seconds=2, decision_seconds={DECISION_MS // 1000})
tables = (starter_floor.StarterTable("{TABLE}", "stadium", clock),)
lifecycle.STARTER_TABLES = starter_floor.STARTER_TABLES = tables
"""
PONG_RECEIVED = b"\x8a\x00"
ANSWERED_MAX = 1000
"""Far more pings of one connection than the server answers, and far fewer than are sent."""
FLOODS = {
    "pings": PING * 40_000,
    "pongs": PONG * 40_000,
    "long pings": (bytes([0x89, 0xFD]) + bytes(4) + b"x" * 125) * 2_000,
    "empty fragments": EMPTY_START + EMPTY_FRAGMENT * 40_000,
    "one-byte fragments": one_byte_fragments(40_000),
    "pings between fragments": EMPTY_START + (EMPTY_FRAGMENT + PING) * 20_000,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A real server whose clock gives a few seconds."""
    folder = tmp_path_factory.mktemp("stalled")
    with server_process(folder, free_port(), setup=SETUP) as process:
        process.folder = folder  # type: ignore[attr-defined]
        yield process


# Floods --------------------------------------------------------------------------------


def test_a_socket_that_floods_is_closed_before_it_stalls_anyone(server: ServerProcess) -> None:
    before = closed_for_frames(server)
    for name, flood in FLOODS.items():
        with contextlib.closing(connected(server.address, TABLE)) as attacker:
            assert is_closed_while_sending(attacker, flood), name
    assert closed_for_frames(server) - before == len(FLOODS)
    assert httpx.get(f"{server.address}/healthz").status_code == 200


def test_a_flood_before_the_hello_is_closed_as_well(server: ServerProcess) -> None:
    before = closed_for_frames(server)
    with contextlib.closing(connected(server.address, TABLE, hello=False)) as attacker:
        assert is_closed_while_sending(attacker, FLOODS["pings"])
    # It would be closed in any case, but not for its frames.
    assert closed_for_frames(server) - before == 1


def test_a_flood_of_messages_after_the_server_has_closed_is_cut_off(server: ServerProcess) -> None:
    before = closed_for_frames(server)
    with contextlib.closing(connected(server.address, TABLE, hello=False)) as attacker:
        attacker.sendall(text_frame("no hello"))
        # The server closes with a reason; the attacker does not answer that, and goes on.
        assert read_until(attacker, b"no_hello", times=1)
        assert is_closed_while_sending(attacker, text_frame("") * 40_000)
    assert closed_for_frames(server) - before == 1


def test_a_client_that_pings_now_and_then_and_divides_a_message_is_served(
    server: ServerProcess,
) -> None:
    with contextlib.closing(connected(server.address, TABLE)) as client:
        client.sendall(PING * 10)
        whole = b'{"type":"ping"}'
        parts = [whole[:5], whole[5:9], whole[9:]]
        client.sendall(
            bytes([0x01, 0x80 | len(parts[0])]) + bytes(4) + parts[0]
            + bytes([0x00, 0x80 | len(parts[1])]) + bytes(4) + parts[1]
            + bytes([0x80, 0x80 | len(parts[2])]) + bytes(4) + parts[2]
        )  # fmt: skip
        client.sendall(text_frame('{"type":"ping"}') * 50)
        assert read_until(client, b'{"type":"pong"}', times=51)


async def test_a_player_who_presses_during_a_flood_is_not_folded(server: ServerProcess) -> None:
    """Clocks give back the time of a stall, so that alone does not show that there is none. What
    shows it is how little the server does for each attacker: it answers few of the pings."""
    async with playing(server) as terminal:
        flood = Flood(server.address)
        attackers = asyncio.gather(*(asyncio.to_thread(flood.run) for _ in range(3)))
        try:
            assert await asyncio.to_thread(flood.at_work.wait, PATIENCE_SECONDS)
            await terminal.decide(Bet(multiple=4))
            assert decided(terminal) == "bet 4x"
        finally:
            flood.over.set()
            await attackers
        assert flood.answered < ANSWERED_MAX


# A late process ------------------------------------------------------------------------


async def test_a_decision_that_waits_in_the_socket_of_a_stopped_process_counts(
    server: ServerProcess,
) -> None:
    """Ann presses while the process is stopped, for longer than the clock gives. Bob has not
    pressed: his clock goes on where it was, and he sees what is left of it."""
    async with two_playing(server) as (ann, bob):
        number = clock_number(bob)
        server.process.send_signal(signal.SIGSTOP)
        try:
            pressing = asyncio.create_task(ann.decide(Bet(multiple=4)))
            await asyncio.sleep(1.5 * DECISION_MS / 1000)
            assert not pressing.done()
            bob.clock_left_ms = None
        finally:
            server.process.send_signal(signal.SIGCONT)
        await pressing
        assert decided(ann) == "bet 4x"
        await bob.until(lambda now: now.clock_left_ms is not None)
        assert clock_number(bob) == number
        await bob.decide(Bet(multiple=4))
        assert decided(bob) == "bet 4x"


async def test_a_decision_made_while_the_disk_is_slow_counts(server: ServerProcess) -> None:
    database = server.folder / "felt.db"  # type: ignore[attr-defined]
    async with two_playing(server) as (ann, bob):
        with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            # The store waits for the lock with Ann's decision, beyond the end of the clock.
            # Bob's arrives in time and waits behind it.
            pressing = [asyncio.create_task(ann.decide(Bet(multiple=4)))]
            await asyncio.sleep(0.5)
            pressing.append(asyncio.create_task(bob.decide(Bet(multiple=4))))
            await asyncio.sleep(DECISION_MS / 1000)
            other.execute("ROLLBACK")
        await asyncio.gather(*pressing)
        assert (decided(ann), decided(bob)) == ("bet 4x", "bet 4x")


async def test_a_decision_made_before_the_loop_was_blocked_counts(tmp_path: Path) -> None:
    async with open_hall(tmp_path) as hall:
        clock = ClockRule(wager_seconds=1, decision_seconds=2)
        await hall.open(TABLE, "stadium", mode=DealerMode.VIRTUAL, clock=clock)
        async with hall.terminal(TABLE, "ann") as ann:
            await sit_and_bet(ann)
            await in_the_socket(hall, ann)
            assert decided(ann) == "bet 4x"


async def test_a_decision_after_the_end_still_comes_too_late(tmp_path: Path) -> None:
    async with open_hall(tmp_path) as hall:
        clock = ClockRule(wager_seconds=1, decision_seconds=1)
        await hall.open(TABLE, "stadium", mode=DealerMode.VIRTUAL, clock=clock)
        async with hall.terminal(TABLE, "ann") as ann:
            await sit_and_bet(ann)
            await ann.until(lambda now: decided(now) is not None)
            assert decided(ann) == "check"


# What they need ------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def playing(server: ServerProcess) -> AsyncIterator[Terminal]:
    """A guest whose hand has to decide."""
    async with Casino(server.address) as casino:
        await casino.guest()
        async with casino.table(TABLE) as terminal:
            await sit_and_bet(terminal)
            yield terminal


@contextlib.asynccontextmanager
async def two_playing(server: ServerProcess) -> AsyncIterator[tuple[Terminal, Terminal]]:
    """Two guests at one table, both of whose hands have to decide."""
    async with Casino(server.address) as first, Casino(server.address) as second:
        await first.guest()
        await second.guest()
        async with first.table(TABLE) as ann, second.table(TABLE) as bob:
            await asyncio.gather(ann.sit(buy_in_cents=50_000), bob.sit(buy_in_cents=50_000))
            await asyncio.gather(ann.bet(ante=1000), bob.bet(ante=1000))
            for terminal in (ann, bob):
                await terminal.until(lambda now: "decide" in now.private.may)
            yield ann, bob


async def sit_and_bet(terminal: Terminal) -> None:
    await terminal.sit(buy_in_cents=50_000)
    await terminal.until(lambda now: "set_wagers" in now.private.may)
    await terminal.bet(ante=1000)
    await terminal.until(lambda now: "decide" in now.private.may)


async def in_the_socket(_: Hall, terminal: Terminal) -> None:
    """Send a decision, and block the loop before it can be read."""
    pressing = asyncio.create_task(terminal.decide(Bet(multiple=4)))
    # The client's own turns: its bytes are written, and the server has not read them yet.
    await asyncio.sleep(0)
    time.sleep(3)  # noqa: ASYNC251 (the loop is blocked on purpose)
    await pressing


def decided(terminal: Terminal) -> str | None:
    """What the first hand decided first, in words."""
    hands = terminal.private.hands
    hand = next(iter(hands.values()), None)
    return hand.decisions[0].decision if hand is not None and hand.decisions else None


def clock_number(terminal: Terminal) -> int | None:
    return terminal.public.clock.number if terminal.public.clock else None


def closed_for_frames(server: ServerProcess) -> int:
    text = httpx.get(f"{server.address}/metrics").text
    counted = [line for line in text.splitlines() if 'code="too_many_frames"' in line]
    return sum(int(float(line.split()[-1])) for line in counted if "_total" in line)


def is_closed_while_sending(connection: socket.socket, flood: bytes) -> bool:
    """Whether the server ends a connection that goes on sending."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    try:
        connection.settimeout(1)
        while time.monotonic() < deadline:
            with contextlib.suppress(TimeoutError):
                connection.sendall(flood)
    except OSError:
        return True
    return False


class Flood:
    """Attackers who connect and send pings, again and again."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.over = threading.Event()
        self.at_work = threading.Event()
        """Whether an attacker was thrown out, or served beyond the limit."""
        self.answered = 0
        """How many pings of one connection were answered at most."""

    def run(self) -> None:
        """Flood until it is over."""
        while not self.over.is_set():
            with (
                contextlib.suppress(OSError, AssertionError),
                contextlib.closing(connected(self._address, TABLE)) as attacker,
            ):
                self._send_pings(attacker)

    def _send_pings(self, connection: socket.socket) -> None:
        unsent, answered = FLOODS["pings"], 0
        try:
            while not self.over.is_set():
                senders = [connection] if unsent else []
                readable, writable, _ = select.select([connection], senders, [], 0.1)
                if writable:
                    unsent = unsent[connection.send(unsent[:65_536]) :]
                if readable:
                    received = connection.recv(65_536)
                    answered += received.count(PONG_RECEIVED)
                    self.answered = max(self.answered, answered)
                    if not received or answered > ANSWERED_MAX:
                        self.at_work.set()
                    if not received:
                        return
        except OSError:
            self.at_work.set()
            raise


def read_until(connection: socket.socket, wanted: bytes, *, times: int) -> bool:
    received = b""
    while received.count(wanted) < times:
        part = connection.recv(65_536)
        if not part:
            return False
        received += part
    return True
