"""What the socket layer costs: the server's processor time for a small message and its answer.

A server in its own process answers the pings of a hundred terminals with pongs, which takes nothing
but the socket layer: a frame is read, decoded, answered, encoded and written. The servers
take turns: the present one; one that leaves every frame to the library and every message to the
queue of its viewer; and picows, where it is installed, which decodes a message and answers, with no
application behind it. ``OPENFELT_BENCH_PINGS=150`` sets how many messages each terminal
sends; more than 200 are slowed down by the server.
"""

import importlib
import importlib.util
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from enum import StrEnum
from pathlib import Path
from typing import Any

from rich.progress import track

PINGS = int(os.environ.get("OPENFELT_BENCH_PINGS", "150"))
TERMINALS = 100
TURNS = 3
HELLO = b'{"type":"hello","protocol":3}'
PING = b'{"type":"ping"}'
TICKS = os.sysconf("SC_CLK_TCK")


class Way(StrEnum):
    """What reads and writes the frames of a server."""

    LIBRARY = "library"
    PLAIN_FRAMES = "plain frames"
    PICOWS = "picows"


def serve(port: int, database: str, way: Way) -> None:
    """Serve in this process."""
    if way is Way.PICOWS:
        import uvloop

        uvloop.run(serve_picows(port))
        return
    from openfelt.cli.app import app
    from openfelt.server.process.frame_limits import TerminalSocket

    if way is Way.LIBRARY:
        setattr(TerminalSocket, "_read_plain_frame", lambda _: False)  # noqa: B010
        setattr(TerminalSocket, "write_text", lambda *_: False)  # noqa: B010
    app(["serve", "--port", str(port), "--database", database, "--log", "plain"])


async def serve_picows(port: int) -> None:
    """Greet and answer every ping, with the messages of the server and nothing else behind them."""
    from openfelt.protocol.messages import Hello
    from openfelt.server.socket.frames import decode

    picows: Any = importlib.import_module("picows")
    text = picows.WSMsgType.TEXT

    class Greeter(picows.WSListener):  # type: ignore[misc]
        """One terminal's connection."""

        def on_ws_frame(self, transport: Any, frame: Any) -> None:
            """Answer a hello and a ping."""
            message = decode(frame.get_payload_as_bytes())
            greeting = isinstance(message, Hello)
            transport.send(text, b'{"type":"welcome"}' if greeting else b'{"type":"pong"}')

    server = await picows.ws_create_server(lambda _: Greeter(), "127.0.0.1", port)
    await server.serve_forever()


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


def microseconds(way: Way) -> float:
    """The processor time of a server for one ping and its pong."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        words = [str(port), str(Path(folder) / "bench.db"), way]
        server = subprocess.Popen(
            [sys.executable, "-m", "bench.bench_frames", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait_for(port)
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


def _wait_for(port: int) -> None:
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("The server did not start.")


def main() -> None:
    """Print what a message and its answer cost either way."""
    ways = [way for way in Way if way is not Way.PICOWS or importlib.util.find_spec("picows")]
    taken: dict[Way, list[float]] = {way: [] for way in ways}
    for _ in track(range(TURNS), description="servers", transient=True):
        for way in ways:
            taken[way].append(microseconds(way))
    print("the server's processor time for a small message and its answer")
    medians = {way: statistics.median(figures) for way, figures in taken.items()}
    for way, median in medians.items():
        share = median / medians[Way.LIBRARY]
        alone = ", without an application" if way is Way.PICOWS else ""
        print(f"  {way:14} {median:8.0f} µs, {share:.2f} of the library{alone}")


if __name__ == "__main__":
    if len(sys.argv) == 4:
        serve(int(sys.argv[1]), sys.argv[2], Way(sys.argv[3]))
    else:
        main()
