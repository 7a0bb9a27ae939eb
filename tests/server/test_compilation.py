"""The mathematics is compiled in the background: once, by one process, within its server."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from openfelt.cli.figures.compile_notice import NOTICE
from openfelt.maths.kernels.kernel_cache import compiled_mark
from openfelt.server import compilation
from openfelt.server.compilation import PROGRAM, Compilation
from openfelt.server.compilation_program import COMPILING
from tests.kit.cli.program import openfelt
from tests.kit.server.real_server import free_port, server_process

SHORT = """
import os, time
from openfelt.server import compilation_program as program

def compile_everything(processes):
    with open(os.environ["COMPILED"], "a") as lines:
        lines.write(f"{os.getpid()}\\n")
    while not os.path.exists(os.environ["GO"]):
        time.sleep(0.02)

program.compile_everything = compile_everything
program.main()
"""
"""The program itself, but what it compiles is one line in a file, and it waits for another file."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a program that is done when the test says so."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("COMPILED", str(tmp_path / "compiled"))
    monkeypatch.setenv("GO", str(tmp_path / "go"))
    monkeypatch.setattr(compilation, "PROGRAM", ("-c", SHORT))
    return tmp_path


def compiled_by(cache: Path) -> list[int]:
    """The processes that have compiled."""
    lines = cache / "compiled"
    return [int(pid) for pid in lines.read_text().split()] if lines.exists() else []


async def until_compiling(cache: Path) -> None:
    while not compiled_by(cache):  # noqa: ASYNC110 (another process writes the file)
        await asyncio.sleep(0.02)


async def test_two_servers_compile_once_and_a_third_has_nothing_to_do(
    cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    both = [asyncio.create_task(Compilation(wanted=True).run()) for _ in range(2)]
    await until_compiling(cache)
    (cache / "go").touch()
    await asyncio.gather(*both)
    assert len(compiled_by(cache)) == 1
    assert compiled_mark().exists()
    told = [record.message for record in caplog.records]
    assert sum("happens once on this machine" in line for line in told) == 1
    ended = [record for record in caplog.records if record.message == "the mathematics is compiled"]
    assert [record.__dict__["fields"]["seconds"] >= 0 for record in ended] == [True, True]
    caplog.clear()
    await Compilation(wanted=True).run()
    assert (len(compiled_by(cache)), caplog.records) == (1, [])


async def test_figures_wait_until_nothing_is_compiled_any_more(cache: Path) -> None:
    await asyncio.wait_for(Compilation(wanted=False).ended(), 60)
    running = Compilation(wanted=True)
    task, waiting = asyncio.create_task(running.run()), asyncio.create_task(running.ended())
    await until_compiling(cache)
    assert not waiting.done()
    (cache / "go").touch()
    await task
    await waiting


async def test_a_server_that_closes_ends_the_program(cache: Path) -> None:
    running = Compilation(wanted=True)
    task = asyncio.create_task(running.run())
    await until_compiling(cache)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await running.ended()
    (pid,) = compiled_by(cache)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert not compiled_mark().exists()


@pytest.mark.usefixtures("cache")
def test_the_program_ends_with_a_server_that_was_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SHORT], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stdout.readline().decode().strip() == COMPILING
        program.stdin.close()
        assert program.wait(60) == 0
    assert not compiled_mark().exists()


async def test_a_program_that_fails_is_reported_and_the_server_goes_on(
    cache: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert not compiled_by(cache)
    for failing in (("-c", "raise SystemExit(3)"), ("-c", "import no_such_module")):
        monkeypatch.setattr(compilation, "PROGRAM", failing)
        running = Compilation(wanted=True)
        await running.run()
        await running.ended()
        assert "the mathematics is not precompiled" in caplog.text
        caplog.clear()


@pytest.mark.sweep
@pytest.mark.timeout(3600)
def test_after_the_first_start_nothing_is_compiled_any_more(tmp_path: Path) -> None:
    """A real server compiles everything, and no command compiles anything after it."""
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    os.environ.update(cache)
    try:
        with server_process(tmp_path, free_port(), "--compile", "--log", "json") as server:
            log = tmp_path / "server.log"
            while "the mathematics is compiled" not in log.read_text():
                assert server.process.poll() is None
                time.sleep(0.5)
            server.end(signal.SIGTERM)
        assert compiled_mark().exists()
    finally:
        del os.environ["NUMBA_CACHE_DIR"]
    for asked in (
        ("edge", "washington"),
        ("edge", "stadium"),
        ("advise", "--hole", "Ah Kd"),
        ("advise", "--hole", "Ah Kd", "--board", "2c 7h 9d", "--seen", "Qh Qs", "--dealer", "9c"),
        ("advise", "--hole", "Ah Kd", "--seen", "Qh Qs"),
        ("advise", "--hole", "Ah Kd", "--seen", "Qh Qs", "--dealer", "9c"),
        ("advise", "--game", "draw", "--hand", "7s Ts Qs Kc Ad"),
        ("advise", "--game", "draw", "--hand", "2s 2d 5s 9s Ks", "--bonus", "1", "--seen", "Kd"),
        ("edge", "draw"),
        ("edge", "draw", "--what-if", "full_house=1", "--what-if", "four_of_a_kind=5"),
        ("edge", "draw", "--what-if", "qualifies=pair of tens"),
        ("strategy", "--price"),
        ("strategy", "online", "--name", "perfect"),
        ("simulate", "california"),
        ("simulate", "draw", "--bet", "bonus=1"),
        ("simulate", "online", "--sessions", "20", "--bankroll", "100"),
        ("paytables", "--figures"),
    ):
        told = openfelt(*asked, environment=cache)
        assert told.returncode == 0, told.stderr
        assert NOTICE not in told.stderr, asked
    assert PROGRAM[-1].endswith("compilation_program")
