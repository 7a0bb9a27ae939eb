"""A process beside the server, for work that would delay the tables.

A thread of the server would compete with them for Python's interpreter lock. The process answers
each line of JSON with another one, and runs at a lower priority than the server; see
``answer_lines``.
"""

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, Final

NICE: Final = 10
"""The niceness of such a process, so that the server and its tables go first."""


class LineProcess:
    """A process that starts with the first request. Calls block; one thread at a time may call."""

    def __init__(self, module: str) -> None:
        """``module`` is the program, which calls ``answer_lines``."""
        self._program = ("-P", "-m", module)
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def ask(self, asked: object) -> Any:
        """The answer to a value; raises OSError or ValueError if the process cannot be used.

        The next call then starts another one.
        """
        with self._lock:
            try:
                return self._answer(asked)
            except (OSError, ValueError):
                self._end()
                raise

    def close(self) -> None:
        """End the process, even while it is working."""
        process = self._process
        if process is not None:
            process.kill()
        with self._lock:
            self._end()

    def _answer(self, asked: object) -> Any:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 (a program of ours)
                [sys.executable, *self._program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Ctrl+C ends the server, and the server ends this.
                start_new_session=True,
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        with contextlib.suppress(OSError), process:
            pass


def answer_lines(answer: Callable[[Any], object]) -> None:
    """Answer line by line, at a low priority, until the input ends, which it does when the server
    ends."""
    with contextlib.suppress(OSError):
        os.nice(NICE)
    for line in sys.stdin.buffer:
        answered = json.dumps(answer(json.loads(line))).encode()
        sys.stdout.buffer.write(answered + b"\n")
        sys.stdout.buffer.flush()
