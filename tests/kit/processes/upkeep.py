"""Commands of upkeep in separate processes, each of which may be killed at any of its steps.

A step is a statement that SQLite runs or that PostgreSQL is sent, or a file that is opened for
writing, renamed, linked or removed. One process loads the program once, and starts a child for
each command:

    python -m tests.kit.processes.upkeep

It reads a line of JSON with ``arguments``, ``kill_at`` (null for a command that is to end on its
own) and ``file_bytes`` (null, or the size that no file may exceed, as on a full disk), and writes
one with the ``code`` of the child (-9 for a killed one), its ``steps`` and what it has ``said``.
"""

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import psycopg

from tests.kit.repository import ROOT

_FILES: Final = frozenset({"os.rename", "os.link", "os.remove", "os.mkdir", "shutil.copyfile"})
_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Ended(NamedTuple):
    """How a command has ended."""

    code: int
    """Its exit code, or the negative number of the signal that killed it."""
    steps: int
    """How many steps it took, 0 for one that was killed."""
    said: str

    @property
    def killed(self) -> bool:
        """Whether it was killed."""
        return self.code == -signal.SIGKILL


class Upkeep:
    """Runs commands of ``openfelt``, one after another."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.kit.processes.upkeep"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def run(
        self, *arguments: str | Path, kill_at: int | None = None, file_bytes: int | None = None
    ) -> Ended:
        """Run a command; kill it when it begins this step, or let no file grow beyond a size."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        asked = {
            "arguments": list(map(str, arguments)),
            "kill_at": kill_at,
            "file_bytes": file_bytes,
        }
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        return Ended(**json.loads(self._process.stdout.readline()))


def _steps(kill_at: int | None) -> list[int]:
    """Count the steps of this process from now on, and kill it at one of them."""
    taken = [0]

    def step() -> None:
        taken[0] += 1
        if taken[0] == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def heard(event: str, values: tuple[Any, ...]) -> None:
        if event in _FILES or (event == "open" and (values[2] or 0) & _WRITES):
            step()

    connect = sqlite3.connect

    def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.set_trace_callback(lambda _: step())
        return connection

    sqlite3.connect = traced  # type: ignore[assignment]
    for cursor in (psycopg.Cursor, psycopg.ServerCursor):
        for name in ("execute", "executemany", "fetchmany", "copy"):
            if name in vars(cursor):
                setattr(cursor, name, _counted(vars(cursor)[name], step))
    sys.addaudithook(heard)
    return taken


def _counted(method: Callable[..., Any], step: Callable[[], None]) -> Callable[..., Any]:
    """A method of a cursor that takes a step first."""

    def counted(*arguments: Any, **options: Any) -> Any:
        step()
        return method(*arguments, **options)

    return counted


def _child(arguments: list[str], kill_at: int | None, file_bytes: int | None, output: int) -> int:
    from openfelt.cli import main

    os.dup2(output, 1)
    os.dup2(output, 2)
    if file_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    taken, code = _steps(kill_at), 0
    try:
        main(arguments)
    except SystemExit as ended:
        code = int(ended.code or 0)
    sys.stdout.flush()
    sys.stderr.flush()
    os.write(output, f"\n{taken[0]}".encode())
    return code


def _run(arguments: list[str], kill_at: int | None, file_bytes: int | None) -> Ended:
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = _child(arguments, kill_at, file_bytes, output.fileno())
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said, _, steps = output.read().decode().rpartition("\n")
    return Ended(code, int(steps) if steps.isdecimal() else 0, said)


def main() -> None:
    """Run the commands of standard input."""
    import openfelt.cli.app
    import openfelt.runtime.archive.archive_moves
    import openfelt.server.accounts.account_audit  # noqa: F401 (loaded once for all children)

    for line in sys.stdin:
        asked = json.loads(line)
        ended = _run(asked["arguments"], asked["kill_at"], asked["file_bytes"])
        sys.stdout.write(json.dumps(ended._asdict()) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
