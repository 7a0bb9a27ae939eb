"""A Python interpreter that has imported the server already, and forks for each program it runs.

Nine tenths of what a server takes to start are imports. A worker of pytest starts one such
interpreter when it first needs it, and each program is its own process from then on:

    python -m tests.kit.processes.warm_interpreter CONTROL

It reads orders from the socket with the number CONTROL. With each come the standard streams of the
program and a pipe, to which its process id is written at once, and its exit code at its end.
"""

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import IO, Any, Final, Self

from tests.kit.repository import ROOT

PRELOADED: Final = (
    "openfelt.cli.app",
    "openfelt.cli.serve",
    "openfelt.server.process.listener",
    "tests.kit.processes.casino",
    "uvicorn.protocols.http.h11_impl",
    "uvloop",
)
_NUMBER: Final = 8
_ORDER_BYTES: Final = 1 << 20


class ForkedProgram:
    """A program in its own process, with what tests use of ``subprocess.Popen``."""

    def __init__(
        self,
        code: str,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        output: IO[Any] | int | None = None,
        errors: IO[Any] | int | None = None,
    ) -> None:
        """Runs ``code`` with the arguments, and with the environment of this process by default."""
        order = {
            "code": code,
            "arguments": arguments,
            "environment": dict(os.environ if environment is None else environment),
        }
        self.stdout, out = _stream(output)
        self.stderr, err = _stream(errors)
        self._status, told = os.pipe()
        with open(os.devnull, "rb") as nothing:  # noqa: PTH123 (its number is what matters)
            socket.send_fds(
                _control(),
                [json.dumps(order).encode()],
                [nothing.fileno(), out, err, told],
            )
        for mine, number in ((self.stdout, out), (self.stderr, err)):
            if mine is not None:
                os.close(number)
        os.close(told)
        pid = self._number()
        assert pid is not None, "the warm interpreter has ended"
        self.pid = pid
        self.returncode: int | None = None

    @classmethod
    def of_module(cls, module: str, *arguments: str, errors: int | None = None) -> Self:
        """Runs a module as the main one, with its output to be read."""
        code = f"import runpy\nrunpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
        return cls(code, *arguments, output=subprocess.PIPE, errors=errors)

    def poll(self) -> int | None:
        """Its exit code, or None while it runs."""
        if self.returncode is None and select.select([self._status], [], [], 0)[0]:
            self._end()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, and give its exit code: below 0, the signal that ended it."""
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
            self._end()
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it immediately."""
        self.send_signal(signal.SIGKILL)

    def _end(self) -> None:
        self.returncode = self._number()
        os.close(self._status)

    def _number(self) -> int | None:
        told = os.read(self._status, _NUMBER)
        return int.from_bytes(told, "big", signed=True) if told else None


def _stream(wanted: IO[Any] | int | None) -> tuple[IO[str] | None, int]:
    """The end of a pipe to read from, where one is wanted, and the number to write to."""
    if wanted == subprocess.PIPE:
        reading, writing = os.pipe()
        return os.fdopen(reading, encoding="utf-8"), writing
    if wanted is None:
        return None, sys.__stdout__.fileno() if sys.__stdout__ else 1
    return None, wanted if isinstance(wanted, int) else wanted.fileno()


@cache
def _control() -> socket.socket:
    """Start the interpreter of this worker, which ends when this socket is closed."""
    mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    mine.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _ORDER_BYTES)
    with its:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(its.fileno())], cwd=ROOT, pass_fds=[its.fileno()]
        )

    def end() -> None:
        mine.close()
        process.wait()

    atexit.register(end)
    return mine


# In the interpreter itself ------------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """What a forked process is to run."""

    code: str
    arguments: list[str]
    environment: dict[str, str]

    def run(self) -> None:
        """Run the code as the main module."""
        os.environ.clear()
        os.environ.update(self.environment)
        sys.argv = ["-c", *self.arguments]
        main = sys.modules["__main__"] = ModuleType("__main__")
        exec(compile(self.code, "<string>", "exec"), main.__dict__)


def wait_for_order(control: socket.socket) -> Order:
    """Fork for each order, and return in the forked process alone."""
    running: dict[int, int] = {}
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes)
    while True:
        ready, _, _ = select.select([control.fileno(), woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
            _tell_ends(running)
        if control.fileno() not in ready:
            continue
        message, descriptors, _, _ = socket.recv_fds(control, _ORDER_BYTES, 4)
        if not message:
            # The worker of pytest has ended, and may have been killed before it ended its programs.
            for child in running:
                os.kill(child, signal.SIGKILL)
            sys.exit()
        status = descriptors.pop()
        child = os.fork()
        if child == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for number, descriptor in enumerate(descriptors):
                os.dup2(descriptor, number)
            for descriptor in (*descriptors, status, woken, wakes, *running.values()):
                os.close(descriptor)
            control.close()
            return Order(**json.loads(message))
        os.write(status, child.to_bytes(_NUMBER, "big"))
        running[child] = status
        for descriptor in descriptors:
            os.close(descriptor)


def _tell_ends(running: dict[int, int]) -> None:
    while running:
        child, status = os.waitpid(-1, os.WNOHANG)
        if not child:
            return
        code = os.waitstatus_to_exitcode(status)
        pipe = running.pop(child)
        try:
            os.write(pipe, code.to_bytes(_NUMBER, "big", signed=True))
        except BrokenPipeError:
            """The test has not waited for it."""
        os.close(pipe)


def prepare() -> None:
    """Do what every server does at its start, if it comes out the same each time."""
    for module in PRELOADED:
        importlib.import_module(module)
    from openfelt.catalog import load_catalog
    from openfelt.server.credentials.password_guesses import guesses
    from openfelt.server.self_check.installed_files import software_at_start

    load_catalog(None)
    software_at_start()
    guesses("a password")
    # A forked process shares these objects for as long as its collector does not look at them.
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    prepare()
    wait_for_order(socket.socket(fileno=int(sys.argv[1]))).run()
