"""What the socket layer costs: the server's processor time for a small message and its answer.

A server in its own process answers the pings of a hundred terminals with pongs, which takes nothing
but the socket layer: a frame is read, decoded, answered, encoded and written. Two servers take
turns: the present one, and one that leaves every frame to the library and every message to the
queue of its viewer. ``OPENFELT_BENCH_PINGS=150`` sets how many messages each terminal sends; more
than 200 are slowed down by the server.
"""

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from rich.progress import track

PINGS = int(os.environ.get("OPENFELT_BENCH_PINGS", "150"))
TERMINALS = 100
TURNS = 3
WAYS = {"library": True, "plain frames": False}
HELLO = b'{"type":"hello","protocol":3}'
PING = b'{"type":"ping"}'
TICKS = os.sysconf("SC_CLK_TCK")


def serve(port: int, database: str, *, library: bool) -> None:
    """Serve in this process, with the library alone if that is asked for."""
    from openfelt.cli.app import app
    from openfelt.server.process.frame_limits import TerminalSocket

    if library:
        setattr(TerminalSocket, "_read_plain_frame", lambda _: False)  # noqa: B010
        setattr(TerminalSocket, "write_text", lambda *_: False)  # noqa: B010
    app(["serve", "--port", str(port), "--database", database, "--log", "plain"])


def framed(payload: bytes) -> bytes:
    """A client's frame, whose mask is zero."""
    return bytes((0x81, 0x80 | len(payload), 0, 0, 0, 0)) + payload


class Wire:
    """One terminal: a socket and its frames."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._buffer = b""
        host = f"127.0.0.1:{port}"
        self._socket.sendall(
            f"GET /ws/tables/stadium-1 HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self._buffer:
            self._buffer += self._socket.recv(65_536)
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        assert b" 101 " in head, head
        self.send(HELLO)
        self.until(b'"type":"welcome"')

    def send(self, payload: bytes) -> None:
        """Send a message."""
        self._socket.sendall(framed(payload))

    def until(self, part: bytes) -> None:
        """Read until a message holds this."""
        while part not in self._buffer:
            self._buffer += self._socket.recv(65_536)
        _, _, self._buffer = self._buffer.partition(part)

    def close(self) -> None:
        """Leave."""
        self._socket.close()


def microseconds(*, library: bool) -> float:
    """The processor time of a server for one ping and its pong."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        words = [str(port), str(Path(folder) / "bench.db"), "library" if library else "plain"]
        server = subprocess.Popen(
            [sys.executable, "-m", "bench.bench_frames", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}")
            wires = [Wire(port) for _ in range(TERMINALS)]
            before = _seconds(server.pid)
            for _ in range(PINGS):
                for wire in wires:
                    wire.send(PING)
                for wire in wires:
                    wire.until(b'"type":"pong"')
            taken = _seconds(server.pid) - before
            for wire in wires:
                wire.close()
            return taken / (PINGS * TERMINALS) * 1e6
        finally:
            server.terminate()
            server.wait(30)


def _seconds(pid: int) -> float:
    """The processor time of another process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _wait_for(address: str) -> None:
    for _ in range(600):
        try:
            httpx.get(f"{address}/healthz", timeout=1).raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("The server did not start.")


def main() -> None:
    """Print what a message and its answer cost either way."""
    taken: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in track(range(TURNS), description="servers", transient=True):
        for way, library in WAYS.items():
            taken[way].append(microseconds(library=library))
    print("the server's processor time for a small message and its answer")
    for way, figures in taken.items():
        print(f"  {way:14} {statistics.median(figures):8.0f} µs")
    ratio = statistics.median(taken["plain frames"]) / statistics.median(taken["library"])
    print(f"  ratio          {ratio:8.2f}")


if __name__ == "__main__":
    if len(sys.argv) == 4:
        serve(int(sys.argv[1]), sys.argv[2], library=sys.argv[3] == "library")
    else:
        main()
