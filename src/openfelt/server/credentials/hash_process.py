"""The process that checks passwords beside a server while many wait for it.

A hash takes a processor for some hundredths of a second. A thread of the server would compete for
it with the tables; a thread of a lower priority would hold Python's interpreter lock while it waits
for a processor. A process of its own does neither.
"""

import contextlib
import json
import subprocess
import sys
import threading
from typing import Final

PROGRAM: Final = ("-P", "-m", "openfelt.server.credentials.hash_program")


class HashProcess:
    """A process that starts when it is first used. Calls block; one thread calls at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def matches(self, stored: str, password: str) -> bool | None:
        """Whether a password matches a stored hash; None if the process cannot be used."""
        with self._lock:
            try:
                return self._ask(stored, password)
            except (OSError, ValueError):
                self._end()
                return None

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _ask(self, stored: str, password: str) -> bool:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 (a program of ours)
                [sys.executable, *PROGRAM],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Ctrl+C ends the server, and the server ends this.
                start_new_session=True,
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps([stored, password]).encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        return answer is True

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        with contextlib.suppress(OSError), process:
            pass
