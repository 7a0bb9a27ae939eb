"""The files in ops/ as tests start them: their own text, with addresses of the test."""

import os
import shlex
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from openfelt.client import Casino
from tests.kit.repository import ROOT

OPS = ROOT / "ops"
PROGRAM = "from openfelt.cli import main; main()"


def program(name: str) -> str:
    """The path of a program; the test is skipped where it is not installed."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@contextmanager
def running(*command: str, folder: Path, **variables: str) -> Iterator[None]:
    """A program that runs until the block ends."""
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, env=os.environ | variables, cwd=folder
        )
    try:
        yield
        assert process.poll() is None, (folder / "log").read_text(encoding="utf-8")
    finally:
        process.terminate()
        process.wait(60)


async def play_a_hand(address: str) -> None:
    """Enter, sit down, bet and leave, by HTTP and a websocket."""
    async with Casino(address) as casino:
        await casino.guest()
        async with casino.table(await casino.private_table()) as table:
            await table.sit(buy_in_cents=50_000)
            await table.bet(ante=1000)
            await table.deal()
            assert table.public.round is not None


def wait_for(address: str, authority: Path) -> None:
    """Wait until a proxy has found its gateway."""
    deadline, trusted = time.monotonic() + 120, ssl.create_default_context(cafile=authority)
    while True:
        try:
            if httpx.get(f"{address}/healthz", verify=trusted).status_code == 200:
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < deadline, "the proxy does not answer"
        time.sleep(0.1)


def changed(text: str, old: str, new: str) -> str:
    """A text with one thing replaced, which must be there."""
    assert old in text, old
    return text.replace(old, new)


class Unit:
    """A unit of systemd: its command and its variables, for one instance."""

    def __init__(self, file: str, *, instance: str = "") -> None:
        self.text = (OPS / "systemd" / file).read_text(encoding="utf-8")
        self._instance = instance

    def settings(self, name: str) -> list[str]:
        """The values of a setting, one for each of its lines."""
        lines = [line.partition("=") for line in self.text.splitlines()]
        return [value.replace("%i", self._instance) for key, _, value in lines if key == name]

    @property
    def command(self) -> list[str]:
        """The command that it starts."""
        (line,) = self.settings("ExecStart")
        return shlex.split(line)

    def variables(self, files: Mapping[str, str]) -> dict[str, str]:
        """The variables of its process, given the texts of the files that it reads. As in systemd,
        what files say goes before what the unit says."""
        lines = self.settings("Environment")
        for path in self.settings("EnvironmentFile"):
            assert path.startswith("-") or path in files, path
            lines += files.get(path.removeprefix("-"), "").splitlines()
        pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
        return {name: value for name, _, value in pairs}

    @contextmanager
    def started(self, folder: Path, variables: Mapping[str, str]) -> Iterator[None]:
        """Its own command, run by this interpreter until the block ends."""
        folder.mkdir()
        command = (sys.executable, "-c", PROGRAM, *self.command[1:])
        with running(*command, folder=folder, **variables):
            yield
