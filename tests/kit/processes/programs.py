"""Casinos as separate processes: started, stopped, killed, and never left behind."""

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from typing import IO, Any, Self

from openfelt.runtime.streams import table_stream
from tests.kit.processes.warm_interpreter import ForkedProgram

PATIENCE_SECONDS = 60
"""After this long without what a test waits for, it fails instead of waiting forever."""

TABLES = {table_stream(name) for name in ("stadium", "washington", "california", "olga", "otto")}
"""The streams of the casino's tables."""

Line = dict[str, Any]
"""An answer as the casino printed it."""


class CasinoProcess:
    """One run of ``tests.kit.processes.casino``; leaving the context kills it if it still runs."""

    def __init__(self, database: str, *options: str) -> None:
        self._process = ForkedProgram.of_module(
            "tests.kit.processes.casino", database, *options, errors=subprocess.PIPE
        )
        self.lines: list[Line] = []
        self._complaints: list[str] = []
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._readers = (
            _reading(self._process.stdout, self._keep),
            _reading(self._process.stderr, self._complaints.append),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    # Signals -----------------------------------------------------------------------

    def send(self, number: signal.Signals) -> None:
        """Send a signal, such as SIGSTOP, to this process alone."""
        self._process.send_signal(number)

    def kill(self) -> list[Line]:
        """Kill it immediately, as ``kill -9`` does, and return its output."""
        if self._process.poll() is None:
            os.kill(self._process.pid, signal.SIGKILL)
        return self.ended()

    def ended(self) -> list[Line]:
        """Wait for its end, and give everything that it has told."""
        self._process.wait(timeout=PATIENCE_SECONDS)
        for reader in self._readers:
            reader.join()
        return self.lines

    def finished(self) -> list[Line]:
        """Wait until it ends on its own, in good order."""
        lines = self.ended()
        assert self._process.returncode == 0, self.complaints
        return lines

    # Listening ---------------------------------------------------------------------

    @property
    def complaints(self) -> str:
        """What it has written to its standard error."""
        return "".join(self._complaints)

    def wait_until(self, come_true: Callable[[list[Line]], bool], *, after: int = 0) -> None:
        """Wait until something is true of the lines after the first ``after``."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not come_true(self.lines[after:]):
            assert self._process.poll() is None, f"it has ended: {self.complaints}"
            assert time.monotonic() < deadline, f"{self.lines[-5:]} {self.complaints}"
            time.sleep(0.01)

    def wait_for_answers(self, count: int, *, after: int = 0) -> None:
        """Wait until this many commands have been carried out after some first lines."""
        self.wait_until(lambda lines: len(accepted(lines)) >= count, after=after)

    def _keep(self, text: str) -> None:
        # The last line may be torn where the process was killed while it wrote it.
        if text.endswith("\n"):
            self.lines.append(json.loads(text))


def _reading(stream: IO[str], keep: Callable[[str], None]) -> threading.Thread:
    """Read a stream to its end in a thread, so that its writer never waits."""

    def read() -> None:
        with stream:
            for text in stream:
                keep(text)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread


def accepted(lines: list[Line], stream: str | None = None) -> list[Line]:
    """The answers of commands that were carried out, of one stream where it is named."""
    return [
        line
        for line in lines
        if line.get("refused", "") is None and stream in (None, line["stream"])
    ]


def refused(lines: list[Line], code: str) -> set[str]:
    """The streams that have refused something with this code."""
    return {line["stream"] for line in lines if line.get("refused") == code}


def runs_all(lines: list[Line]) -> bool:
    """Whether commands have been carried out at every table."""
    return {line["stream"] for line in accepted(lines)} >= TABLES
