"""Something fails without a word: tables stop, the clock is set, the source of chance is broken,
an old backup is restored. Each is said out loud: in the log, in ``/healthz`` and in a metric."""

import asyncio
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest

from openfelt.client import Casino, Terminal
from openfelt.protocol.messages import Bet, BuyIn
from openfelt.runtime.clock import SteadyClock
from tests.kit.attacks.server_under_attack import PATIENCE_SECONDS
from tests.kit.server.open_house import settings_in
from tests.kit.server.real_server import ServerProcess, free_port, served, server_process

DAY_S = 86_400

CHANCE_BY_A_FILE = """
import pathlib
from openfelt.runtime.shuffle import entropy
broken = pathlib.Path({file!r})
def read(size, system=entropy.os.urandom):
    return bytes(size) if broken.exists() else system(size)
entropy.SystemEntropy.__init__ = lambda self: entropy.TestedEntropy.__init__(self, read)
"""
"""Random numbers that are always zero while a file is there."""

CLOCK_IN_A_FILE = """
import pathlib, time
set_by = pathlib.Path({file!r})
def time_ns(system=time.time_ns):
    return system() + int(set_by.read_text()) * 1_000_000_000
time.time_ns = time_ns
from openfelt.server.store import clock_health
clock_health.CHECK_SECONDS = 0.1
"""
"""A clock that a test sets: the file says by how many seconds."""


def health_of(address: str) -> tuple[int, dict[str, Any]]:
    answer = httpx.get(f"{address}/healthz", timeout=PATIENCE_SECONDS)
    return answer.status_code, answer.json()


def wait_for(address: str, **wanted: str) -> int:
    """Wait until the server says this of itself; gives the HTTP status."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        code, health = health_of(address)
        if {name: health[name] for name in wanted} == wanted:
            return code
        assert time.monotonic() < deadline, health
        time.sleep(0.05)


def metric(address: str, name: str) -> float:
    text = httpx.get(f"{address}/metrics").text
    (line,) = [line for line in text.splitlines() if line.startswith(f"openfelt_{name} ")]
    return float(line.split()[1])


def log_of(folder: Path) -> str:
    return (folder / "server.log").read_text("utf-8", "replace")


async def test_tables_that_stop_and_go_on_say_so_and_with_all_stopped_so_does_the_server(
    tmp_path: Path,
) -> None:
    setup = CHANCE_BY_A_FILE.format(file=str(tmp_path / "broken"))
    with server_process(
        tmp_path, free_port(), "--no-starter", "--play-money", setup=setup
    ) as server:
        async with Casino(server.address) as casino, asyncio.timeout(2 * PATIENCE_SECONDS):
            await casino.guest()
            name = await casino.private_table()
            async with casino.table(name) as table:
                await table.sit(buy_in_cents=50_000)
                await _check_store_that_goes(server, tmp_path, table, name)
                await _check_chance_that_fails(server, tmp_path, table, name)


async def _check_store_that_goes(
    server: ServerProcess, folder: Path, table: Terminal, name: str
) -> None:
    # The server may close the socket before it takes the command; then the table has nothing to
    # write, and the file goes once more.
    for _ in range(20):
        away = server.database.rename(folder / "away.db")
        asked = asyncio.ensure_future(table.ask(BuyIn(seat=1, cents=100)))
        if await asyncio.to_thread(_soon, lambda: f"table {name} has stopped:" in log_of(folder)):
            break
        away.rename(server.database)
        await asked
    code = await asyncio.to_thread(wait_for, server.address, status="failing")
    assert code == HTTPStatus.SERVICE_UNAVAILABLE
    away.rename(server.database)
    await asked
    code = await asyncio.to_thread(wait_for, server.address, status="ok")
    assert code == HTTPStatus.OK
    assert log_of(folder).count(f"table {name} has stopped:") == 1
    assert log_of(folder).count(f"table {name} runs again after a stop") == 1


async def _check_chance_that_fails(
    server: ServerProcess, folder: Path, table: Terminal, name: str
) -> None:
    await table.bet(ante=500)
    (folder / "broken").touch()
    await table.deal()
    await table.decide(Bet(multiple=4))
    code = await asyncio.to_thread(wait_for, server.address, status="failing")
    assert code == HTTPStatus.SERVICE_UNAVAILABLE
    _, health = health_of(server.address)
    assert (health["tables_running"], health["private_tables_stopped"]) == (1, 1)
    assert f"table {name} has stopped: The shuffler has failed" in log_of(folder)


def _soon(holds: Any) -> bool:
    """Whether something comes true within two seconds."""
    deadline = time.monotonic() + 2
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _wait_until(holds: Any) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_broken_source_of_chance_at_the_start_is_one_clear_message(tmp_path: Path) -> None:
    setup = "import os\nos.urandom = bytes\n"
    command = [sys.executable, "-c", f"{setup}from openfelt.cli import main\nmain()", "serve"]
    done = subprocess.run(
        [*command, "--database", str(tmp_path / "felt.db"), "--port", str(free_port())],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "random numbers of this machine have failed their self-test" in done.stderr


# The clock ---------------------------------------------------------------------------------


@contextmanager
def server_with_clock(folder: Path, set_by_s: int) -> Iterator[tuple[ServerProcess, Path]]:
    """A server whose machine has a clock that is wrong by so many seconds, and the clock."""
    file = folder / "clock"
    file.write_text(str(set_by_s))
    setup = CLOCK_IN_A_FILE.format(file=str(file))
    with server_process(folder, free_port(), setup=setup) as server:
        yield server, file


def newest_ms(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        ((at_ms,),) = connection.execute("SELECT max(at_ms) FROM events").fetchall()
    return int(at_ms)


def test_a_clock_that_jumps_ahead_does_not_carry_the_record_with_it(tmp_path: Path) -> None:
    with server_with_clock(tmp_path, 0) as (server, clock):
        clock.write_text(str(400 * DAY_S))
        assert wait_for(server.address, status="degraded", clock="jumped") == HTTPStatus.OK
        assert metric(server.address, "clock_jump_seconds") >= 399 * DAY_S
        assert httpx.post(f"{server.address}/api/v1/guest").status_code == HTTPStatus.OK
        assert newest_ms(server.database) < (time.time() + DAY_S) * 1000
        _wait_until(lambda: "the clock of this machine was set by" in log_of(tmp_path))
        clock.write_text("0")
        wait_for(server.address, status="ok", clock="ok")


def test_small_corrections_of_the_clock_are_followed_and_jumps_are_not() -> None:
    now = {"wall": 1_000_000, "steady": 0}
    clock = SteadyClock(lambda: now["wall"], lambda: now["steady"])
    for wall_ms, steady_ms, shown_ms, jump_ms in (
        (1_001_000, 1_000, 1_001_000, 0),
        (1_022_000, 2_000, 1_022_000, 0),
        (9_023_000, 3_000, 1_023_000, 8_000_000),
        (9_033_000, 13_000, 1_033_000, 8_000_000),
        (1_035_000, 14_000, 1_035_000, 0),
        (5_000, 15_000, 1_036_000, -1_031_000),
    ):
        now.update(wall=wall_ms, steady=steady_ms)
        assert (clock.wall_ms(), clock.jump_ms) == (shown_ms, jump_ms)


def test_many_small_steps_are_a_jump_too() -> None:
    now = {"wall": 0, "steady": 0}
    clock = SteadyClock(lambda: now["wall"], lambda: now["steady"])
    for _ in range(3600):
        now.update(wall=now["wall"] + 30_000, steady=now["steady"] + 1_000)
        assert clock.wall_ms() <= now["steady"] + 30_000
    assert clock.jump_ms > 28 * 3_600_000
    # A time service that corrects a little every day is followed for years.
    now.update(wall=0, steady=0)
    clock = SteadyClock(lambda: now["wall"], lambda: now["steady"])
    for _ in range(1000):
        now.update(wall=now["wall"] + DAY_S * 1000 + 9_000, steady=now["steady"] + DAY_S * 1000)
        assert (clock.wall_ms(), clock.jump_ms) == (now["wall"], 0)


# An old backup -----------------------------------------------------------------------------


def test_an_old_copy_of_the_database_is_not_signed_quietly(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = settings_in(
        tmp_path, port=0, notary_key=tmp_path / "felt.db.notary.key", notary_ms=20
    )
    database, old = tmp_path / "felt.db", tmp_path / "old.db"
    with served(settings) as address:
        wait_for(address, notary="ok")
    shutil.copy(database, old)
    with served(settings) as address:
        for _ in range(2):
            before = _checkpoints(database)
            httpx.post(f"{address}/api/v1/guest").raise_for_status()
            _wait_until(lambda before=before: _checkpoints(database) > before)
    shutil.copy(old, database)
    with served(settings) as address:
        assert wait_for(address, status="degraded", notary="older") == HTTPStatus.OK
        assert metric(address, "notary_failing") == 1
    assert "it is an old copy, and what was played since is missing" in caplog.text


def _checkpoints(database: Path) -> int:
    with closing(sqlite3.connect(database, timeout=30)) as connection:
        return int(connection.execute("SELECT count(*) FROM checkpoints").fetchone()[0])
