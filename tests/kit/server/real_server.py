"""A real server on a free port of this machine, in its own thread, for as long as a block lasts;
and one in its own process, to be killed."""

import asyncio
import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from openfelt.server.credentials.passwords import Passwords
from openfelt.server.process.listener import Listener, bind
from openfelt.server.settings import Settings
from tests.independent.record import check_record
from tests.kit.processes.warm_interpreter import ForkedProgram
from tests.kit.server.open_house import PASSWORD, quick_passwords

STARTING_SECONDS = 60
QUICK_HASHES = """
from argon2 import PasswordHasher
from openfelt.server.credentials import passwords
passwords.PasswordHasher = lambda **_: PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""
"""Runs first in a server's process: hashes of passwords that take next to no time."""
LIMITED_FILES = """
import resource
files, hard = resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(files, ({soft}, {hard} or hard))
"""
"""Runs first in a server's process: so many files open at most, as ``ulimit`` sets it."""
MAIN = "from openfelt.cli import main\nmain()"


@contextlib.contextmanager
def served(settings: Settings, *, passwords: Passwords | None = None) -> Iterator[str]:
    """Serve in a thread; gives the address. Unless given, hashes take next to no time."""
    bound = bind(settings.host, settings.port)
    port = bound.getsockname()[1]
    ready = threading.Event()
    listener = Listener(settings, bound, passwords=passwords or quick_passwords())
    failed: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(listener.listen(ready=lambda _: ready.set(), signals=False))
        except BaseException as error:  # noqa: BLE001 (told to the test below)
            failed.append(error)
            ready.set()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert ready.wait(STARTING_SECONDS)
        if not failed:
            yield f"http://127.0.0.1:{port}"
    finally:
        listener.end()
        thread.join(STARTING_SECONDS)
        bound.close()
    if failed:
        raise failed[0]


class ServerProcess:
    """``openfelt serve`` as an operator starts it, with at most this many open files if given."""

    def __init__(
        self,
        folder: Path,
        port: int,
        *arguments: str,
        files: int | None = None,
        soft_files: int | None = None,
        password: str | None = PASSWORD,
        setup: str = QUICK_HASHES,
        database: str = "felt.db",
    ) -> None:
        """The supervisor's first ``password`` is random without one. ``setup`` is Python that runs
        first in the process, to make its times short. Every module of the server has been imported
        by then, so it sets a name in each module that has imported it by name."""
        self.address = f"http://127.0.0.1:{port}"
        self.database = folder / database
        self.checked = True
        """Whether the independent checker looks at the database when the process has ended. A
        test that alters the database sets this to False."""
        self._log = (folder / "server.log").open("ab")
        words = ["serve", "--database", str(self.database), "--port", str(port), *arguments]
        limited = files is not None or soft_files is not None
        limits = LIMITED_FILES.format(soft=soft_files or files, hard=files) if limited else ""
        self.process = ForkedProgram(
            f"{limits}\n{setup}\n{MAIN}",
            *words,
            environment=_environment(folder, password),
            output=self._log,
            errors=self._log,
        )

    def wait_until_open(self) -> None:
        """Wait until it answers."""
        deadline = time.monotonic() + STARTING_SECONDS
        with httpx.Client(base_url=self.address) as client:
            while time.monotonic() < deadline:
                with contextlib.suppress(httpx.TransportError):
                    if client.get("/healthz").status_code == 200:
                        return
                assert self.process.poll() is None, "the server has ended"
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal, and give the exit code; what it leaves behind is checked."""
        self.process.send_signal(number)
        code = self.process.wait(STARTING_SECONDS)
        self._log.close()
        if self.checked and self.database.exists():
            check_record(self.database)
        return code


def _environment(folder: Path, password: str | None) -> dict[str, str]:
    """What the process is told; nothing of it depends on what other tests are doing."""
    told = {"XDG_DATA_HOME": str(folder)}
    if password is not None:
        told["OPENFELT_SUPERVISOR_PASSWORD"] = password
    return os.environ | told


@contextlib.contextmanager
def server_process(
    folder: Path, port: int, *arguments: str, **options: Any
) -> Iterator[ServerProcess]:
    """A server in its own process, which is gone in the end."""
    server = ServerProcess(folder, port, *arguments, **options)
    try:
        server.wait_until_open()
        yield server
    finally:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)


def free_port() -> int:
    """A free port."""
    with contextlib.closing(bind("127.0.0.1", 0)) as bound:
        port: int = bound.getsockname()[1]
        return port
