"""Sends random frames and random HTTP bytes to a real server, and watches the effect.

The server must go on: no answer of 500, no unhandled exception in its log, no process that ends,
no memory that grows without end, and a table that still answers a terminal that behaves.
"""

import asyncio
import base64
import contextlib
import json
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

import httpx

from openfelt.client import Terminal
from openfelt.protocol.messages import PROTOCOL
from tests.kit.attacks.server_under_attack import ServerUnderAttack
from tests.kit.fuzz.callers import Caller, callers, forms
from tests.kit.fuzz.frames import TEXT, Frames, Input, frame
from tests.kit.fuzz.http_bytes import Requests

LINES: Final = 16
"""How many connections send at a time."""
PER_SOCKET: Final = 12
"""How many inputs one socket is sent, if it lives so long."""
BATCH: Final = 1000
"""The server is checked after this many inputs."""
ANSWER_SECONDS: Final = 60
QUIET_SECONDS: Final = 0.05
"""How long something that need not be answered is waited for."""
GROWTH_BYTES_MAX: Final = 100 * 1024 * 1024
WARM_UP: Final = 0.2
"""The part of all inputs after which memory is expected to grow no more."""


@dataclass
class FuzzReport:
    """What was sent, and what became of it."""

    seed: int
    sent: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    valid: Counter[str] = field(default_factory=Counter)
    """The statuses of valid requests, which are all waited for. Others may be answered too late."""
    faults: list[str] = field(default_factory=list)
    memory_bytes: list[int] = field(default_factory=list)
    """What the server held after each batch."""

    def lines(self) -> Iterator[str]:
        """The report in words."""
        yield f"seed {self.seed}, {self.sent.total():,} inputs"
        for title, counts in (
            ("sent", self.sent),
            ("came of it", self.outcomes),
            ("of valid requests", self.valid),
        ):
            yield f"  {title}"
            yield from (f"    {count:>9,}  {what}" for what, count in counts.most_common())
        if self.memory_bytes:
            first, last = (held // 2**20 for held in (self.memory_bytes[0], self.memory_bytes[-1]))
            yield f"  memory {first} MiB after the first batch, {last} MiB after the last"
        yield from (f"  FAULT {fault}" for fault in self.faults)


class WireFuzzer:
    """One run against one server."""

    def __init__(self, server: ServerUnderAttack, *, seed: int, inputs: int) -> None:
        self._server = server
        self._inputs = inputs
        self._callers: list[Caller] = []
        self._forms: dict[str, list[str]] = {}
        self._log_read = 0
        self.report = FuzzReport(seed)

    async def run(self, on_progress: Callable[[int], None] = lambda _: None) -> FuzzReport:
        """Send everything, or stop at the first fault."""
        self._callers, self._forms = callers(self._server), forms(self._server)
        rng = Random(self.report.seed)
        witness = self._server.person("guest")
        async with self._server.terminal(witness, "draw-1") as terminal:
            while self.report.sent.total() < self._inputs and not self.report.faults:
                before = self.report.sent.total()
                left = min(BATCH, self._inputs - before)
                shares = [left // LINES + (n < left % LINES) for n in range(LINES)]
                seeds = [rng.getrandbits(64) for _ in range(LINES)]
                senders = (self._http, self._socket)
                await asyncio.gather(
                    *(senders[n % 2](Random(seeds[n]), shares[n]) for n in range(LINES))
                )
                await self._look(terminal, before)
                on_progress(self.report.sent.total() - before)
        return self.report

    # Sending -------------------------------------------------------------------------------

    async def _http(self, rng: Random, count: int) -> None:
        requests = Requests(rng, f"127.0.0.1:{self._server.port}", self._callers, self._forms)
        for _ in range(count):
            made = requests.next()
            self.report.sent[f"http: {made.kind}"] += 1
            patience = ANSWER_SECONDS if made.kind == "valid request" else QUIET_SECONDS
            async with self._line() as (reader, writer):
                with contextlib.suppress(ConnectionError):
                    writer.write(made.data)
                    await writer.drain()
                self._note_answer(made, await _read(reader, patience))

    def _note_answer(self, made: Input, answer: bytes) -> None:
        status = answer[9:12].decode("ascii", "replace") if answer.startswith(b"HTTP/") else ""
        self.report.outcomes[f"http: {status or 'no answer'}"] += 1
        if made.kind == "valid request":
            self.report.valid[status] += 1
        if status == "500":
            self.report.faults.append(f"a {made.kind} was answered with 500")
        if made.kind == "valid request" and not status:
            line = made.data.partition(b"\r\n")[0].decode("ascii", "replace")
            self.report.faults.append(f"a valid request was not answered: {line[:120]}")

    async def _socket(self, rng: Random, count: int) -> None:
        frames = Frames(rng)
        while count > 0:
            inputs = [frames.next() for _ in range(min(count, PER_SOCKET))]
            count -= len(inputs)
            caller = rng.choice(self._callers)
            table = rng.choice(caller.tables)
            async with self._line() as (reader, writer):
                if not await self._upgraded(reader, writer, table, caller):
                    self.report.sent.update(f"socket: {made.kind}" for made in inputs)
                    self.report.outcomes["socket: not opened"] += len(inputs)
                    continue
                answer = b""
                for made in inputs:
                    self.report.sent[f"socket: {made.kind}"] += 1
                    if reader.at_eof() or writer.is_closing():
                        self.report.outcomes["socket: closed already"] += 1
                        continue
                    with contextlib.suppress(ConnectionError):
                        writer.write(made.data)
                        await writer.drain()
                    answer += await _read(reader, 0)
                answer += await _read(reader, QUIET_SECONDS)
                self._note_frames(answer)

    async def _upgraded(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        table: str,
        caller: Caller,
    ) -> bool:
        """Open a socket and say hello."""
        key = base64.b64encode(b"0123456789abcdef").decode()
        host = f"127.0.0.1:{self._server.port}"
        head = (
            f"GET /ws/tables/{table} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n"
        )
        head += "".join(f"{name}: {value}\r\n" for name, value in caller.headers.items()) + "\r\n"
        hello = json.dumps({"type": "hello", "protocol": PROTOCOL}).encode()
        with contextlib.suppress(ConnectionError):
            writer.write(head.encode())
            if not (await _read(reader, ANSWER_SECONDS)).startswith(b"HTTP/1.1 101"):
                return False
            writer.write(frame(TEXT, hello))
            await writer.drain()
            return bool(await _read(reader, ANSWER_SECONDS))
        return False

    def _note_frames(self, data: bytes) -> None:
        for opcode, payload in server_frames(data):
            if opcode == 8:
                code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 1005
                self.report.outcomes[f"socket: closed with {code}"] += 1
                if code == 1011:
                    self.report.faults.append("a socket was closed with 1011, an internal error")
            elif opcode == TEXT:
                message = json.loads(payload)
                kind = message["type"]
                told = message.get("refused") or message.get("code") if kind != "change" else None
                self.report.outcomes[f"socket: {kind}" + (f" {told}" if told else "")] += 1
                if told == "failed":
                    self.report.faults.append(f"a command has failed: {payload.decode()[:300]}")
            else:
                self.report.outcomes["socket: control frame"] += 1

    @contextlib.asynccontextmanager
    async def _line(
        self,
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A connection that leaves nothing behind on this side when it is closed."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._server.port)
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        try:
            yield reader, writer
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    # Looking -------------------------------------------------------------------------------

    async def _look(self, witness: Terminal, before: int) -> None:
        """Check the server after a batch that began with this input."""
        faults = self.report.faults
        where = f"by input {before + BATCH}"
        if self._server.process.process.poll() is not None:
            faults.append(f"the server has ended {where}")
            return
        faults += [f"{line[:400]} ... {line[-2600:]} ({where})" for line in self._new_faults()]
        async with httpx.AsyncClient(timeout=ANSWER_SECONDS) as client:
            health = await client.get(f"{self._server.address}/healthz")
        if health.status_code != 200 or health.json()["status"] == "failing":
            faults.append(f"the server is not well {where}: {health.text}")
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await answers(witness)
        except TimeoutError:
            faults.append(f"the table no longer answers {where}")
        held = self._server.memory_bytes()
        self.report.memory_bytes.append(held)
        warm = int(len(self.report.memory_bytes) - 1 >= self._inputs * WARM_UP / BATCH)
        base = self.report.memory_bytes[int(self._inputs * WARM_UP / BATCH)] if warm else held
        if held - base > GROWTH_BYTES_MAX:
            faults.append(f"the server has grown from {base:,} to {held:,} bytes {where}")

    def _new_faults(self) -> list[str]:
        """What the server has complained of since the last look."""
        lines = self._server.log_lines()
        new, self._log_read = lines[self._log_read :], len(lines)
        return [line for line in new if self._server.is_fault(line)]


async def answers(witness: Terminal) -> None:
    """Let a terminal that behaves sit down and stand up again."""
    await witness.sit(buy_in_cents=1000)
    await witness.leave()


async def _read(reader: asyncio.StreamReader, seconds: float) -> bytes:
    """What comes within a while: at once if something is there already, nothing if it closes."""
    try:
        async with asyncio.timeout(seconds or 0.001):
            return await reader.read(1 << 20)
    except (TimeoutError, ConnectionError):
        return b""


def server_frames(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The frames of a server that are whole in this data."""
    while len(data) >= 2:
        length, at = data[1] & 0x7F, 2
        if length == 126 and len(data) >= 4:
            length, at = struct.unpack(">H", data[2:4])[0], 4
        elif length == 127 and len(data) >= 10:
            length, at = struct.unpack(">Q", data[2:10])[0], 10
        if len(data) < at + length:
            return
        yield data[0] & 0x0F, data[at : at + length]
        data = data[at + length :]
