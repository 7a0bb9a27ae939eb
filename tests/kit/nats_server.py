"""A NATS server for the tests: started on demand on a free port, and gone at the end."""

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.kit.processes.orphan_guard import OrphanGuard, guarded

MISSING = "nats-server is not installed. Install it, on Debian with: apt-get install nats-server"
STARTED_WITHIN_S = 60


class NatsServer:
    """One server, on the same port each time it is started."""

    def __init__(self, arguments: Sequence[str] = ()) -> None:
        found = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin")
        assert found, MISSING
        self._program = found
        self._arguments = arguments
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: OrphanGuard | None = None

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        assert self._process is None, "the server runs already"
        command = [self._program, "-a", "127.0.0.1", "-p", str(self.port), *self._arguments]
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        self._guard = guarded(self._process)
        deadline = time.monotonic() + STARTED_WITHIN_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                assert self._process.poll() is None, "nats-server has ended"
                assert time.monotonic() < deadline, "nats-server does not answer"
                time.sleep(0.02)
            else:
                return

    def pause(self) -> None:
        """Suspend the server, with all its connections open."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let the server go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def reload(self) -> None:
        """Let the server read its configuration again."""
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    def kill(self) -> None:
        """Kill the server."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(timeout=STARTED_WITHIN_S)
            self._process = None
        if self._guard is not None:
            self._guard.release()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def nats_server(arguments: Sequence[str] = ()) -> Iterator[NatsServer]:
    """A running server."""
    server = NatsServer(arguments)
    server.start()
    try:
        yield server
    finally:
        server.kill()
