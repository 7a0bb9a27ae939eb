"""Attackers of a soak, as a program: a bounded hostile mix against a server on loopback.

Most of them are strangers. One has stolen the token of a card reader, one a dealer's terminal, and
some are guests who have the server compute.

Every kind of attacker has a rate that it keeps to, so that this program itself needs little of the
processors that it shares with the server. It says when it is ready, runs until a signal comes, and
then prints what it did and how much processor time that took, as JSON.
"""

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import struct
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import httpx

from openfelt.protocol.api_prefix import API
from openfelt.protocol.messages import PROTOCOL
from tests.kit.fuzz.frames import CONTINUATION, PING, PONG, TEXT, frame

TABLE: Final = "stadium-1"
LIVE_TABLE: Final = "soak-live"
SUPERVISOR: Final = {"name": "supervisor", "password": "seven green felt tables"}
OWN_TABLES: Final = [
    {"blind": f"UTH-0{blind}", "trips": f"UTH-0{trips}"}
    for blind in range(1, 6)
    for trips in range(1, 6)
]
ADDRESSES: Final = [f"127.20{group}.0.{number}" for group in range(2) for number in range(1, 5)]
"""The addresses of all attackers together: a stranger has a few, not thousands."""
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True, slots=True)
class Stolen:
    """What thieves have, each as the header that proves it."""

    reader: str
    """The token of a card reader."""
    device: str
    """The cookie of a dealer's terminal."""
    guest: str
    """The session of a guest, which did not have to be stolen."""


async def steal(port: int) -> Stolen:
    """Have the supervisor make what is stolen, before attackers keep the sign-in busy."""
    base = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=base, headers={"Origin": base}, timeout=60) as supervisor:
        (await supervisor.post(f"{API}/sign-in", json=SUPERVISOR)).raise_for_status()
        live = {"table": LIVE_TABLE, "house": "washington", "dealer_mode": "live"}
        (await supervisor.post(f"{API}/tables", json=live)).raise_for_status()
        stolen = {"table": LIVE_TABLE, "label": "Stolen"}
        reader = await supervisor.post(f"{API}/readers", json=stolen)
        return Stolen(
            reader=f"Authorization: Bearer {reader.raise_for_status().json()['token']}\r\n",
            device=_cookie_line(await supervisor.post(f"{API}/terminals", json=stolen)),
            guest=_cookie_line(await supervisor.post(f"{API}/guest")),
        )


class Attackers:
    """The whole mix, and a count of what it does."""

    def __init__(self, port: int, stolen: Stolen) -> None:
        self._port = port
        self._host = f"127.0.0.1:{port}"
        self._rng = random.Random(7)
        self.done: Counter[str] = Counter()
        self._stolen = stolen

    def all(self) -> list[Awaitable[None]]:
        """The attack of all attackers, which never ends on its own."""
        kinds: tuple[tuple[int, Callable[[], Awaitable[None]], float], ...] = (
            # how many at a time, what each of them does, and the pause before it does so again
            (4, self._pings, 0.5),
            (2, self._empty_fragments, 0.5),
            (10, self._slow_reader, 1.0),
            (30, self._half_open, 1.0),
            (4, self._sign_in, 0.5),
            (1, self._big_proof, 1.0),
            (2, self._refused_commands, 1.0),
            (2, self._refused_requests, 1.0),
            (2, self._after_close, 0.5),
            (2, self._handshakes, 0.5),
            (2, self._reader_calls, 0.2),
            (2, self._guessed_readers, 0.2),
            (2, self._pin_sign_ons, 0.5),
            (1, self._own_houses, 0.5),
        )
        only = os.environ.get("OPENFELT_SOAK_ATTACKS", "").split()
        return [
            self._again(attack, pause, number)
            for count, attack, pause in kinds
            if not only or attack.__name__.removeprefix("_") in only
            for number in range(count)
        ]

    async def _again(
        self, attack: Callable[[], Awaitable[None]], pause: float, number: int
    ) -> None:
        await asyncio.sleep(pause * number / 10)
        while True:
            with contextlib.suppress(OSError, TimeoutError, httpx.HTTPError):
                await attack()
            await asyncio.sleep(pause)

    # Lines -----------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def _line(self, *, buffer_bytes: int | None = None) -> AsyncIterator[Line]:
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if buffer_bytes is not None:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
        made.bind((self._rng.choice(ADDRESSES), 0))
        made.setblocking(False)
        await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", self._port))
        reader, writer = await asyncio.open_connection(sock=made, limit=1024)
        try:
            yield reader, writer
        finally:
            writer.close()

    async def _welcomed(self, line: Line, cookie: str = "") -> None:
        reader, writer = line
        writer.write(
            f"GET /ws/tables/{TABLE} HTTP/1.1\r\nHost: {self._host}\r\n"
            f"Origin: http://{self._host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
            f"{cookie}\r\n".encode()
        )
        async with asyncio.timeout(30):
            await reader.read(1000)
        hello = json.dumps({"type": "hello", "protocol": PROTOCOL}).encode()
        writer.write(frame(TEXT, hello))

    # Attacks -----------------------------------------------------------------------------------

    async def _pings(self) -> None:
        """Ten thousand control frames in a second, as far as the server lets them through."""
        burst = frame(PING) * 400 + frame(PONG) * 100
        await self._burst("control frames", burst, 500)

    async def _empty_fragments(self) -> None:
        burst = frame(TEXT, final=False) + frame(CONTINUATION, final=False) * 499
        await self._burst("empty fragments", burst, 500)

    async def _burst(self, what: str, data: bytes, count: int) -> None:
        async with self._line() as line:
            await self._welcomed(line)
            for _ in range(20):
                line[1].write(data)
                await line[1].drain()
                self.done[what] += count
                await asyncio.sleep(0.05)
                if line[1].is_closing() or line[0].at_eof():
                    return

    async def _slow_reader(self) -> None:
        """A socket that is sent every change of the table, and reads none of them."""
        async with self._line(buffer_bytes=2048) as line:
            await self._welcomed(line)
            self.done["slow readers"] += 1
            line[1].transport.pause_reading()  # type: ignore[attr-defined]
            await asyncio.sleep(20)

    async def _half_open(self) -> None:
        """A request that never ends, or a socket that never says hello."""
        begun = (
            f"GET / HTTP/1.1\r\nHost: {self._host}\r\nX: ",
            f"POST {API}/verify HTTP/1.1\r\nHost: {self._host}\r\nContent-Length: 900000\r\n\r\n"
            + "{" * 5000,
            "",
        )
        async with self._line() as (_, writer):
            writer.write(self._rng.choice(begun).encode())
            self.done["half-open connections"] += 1
            await asyncio.sleep(15)

    async def _request(self, path: str, body: bytes, headers: str = "") -> int:
        headers = (
            f"POST {API}{path} HTTP/1.1\r\nHost: {self._host}\r\nConnection: close\r\n{headers}"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        async with self._line() as (reader, writer):
            writer.write(headers.encode() + body)
            async with asyncio.timeout(60):
                answer = await reader.read(100)
        return int(answer[9:12]) if answer.startswith(b"HTTP/1.1") else 0

    async def _sign_in(self) -> None:
        name = self._rng.choice(("supervisor", f"nobody-{self._rng.randrange(10**6)}"))
        body = json.dumps({"name": name, "password": "not the password at all"}).encode()
        self.done[f"sign-ins answered with {await self._request('/sign-in', body)}"] += 1

    async def _big_proof(self) -> None:
        """A text as long as a proof may be, which is not a proof."""
        body = b'{"x":[' + b'{"a":"0123456789"},' * 45_000 + b"1]}"
        self.done[f"big proofs answered with {await self._request('/verify', body)}"] += 1

    async def _reader_calls(self) -> None:
        """Cards from a stolen reader, ten in a row, each under another id."""
        await self._scans("stolen reader", self._stolen.reader)

    async def _guessed_readers(self) -> None:
        token = f"reader.{self._rng.randbytes(24).hex()}"
        await self._scans("guessed reader", f"Authorization: Bearer {token}\r\n")

    async def _scans(self, who: str, headers: str) -> None:
        for _ in range(10):
            scan = {"id": self._rng.randbytes(8).hex(), "card": "As", "place": "dealer card 1"}
            body = json.dumps(scan).encode()
            status = await self._request(f"/tables/{LIVE_TABLE}/cards", body, headers)
            self.done[f"scans of a {who} answered with {status}"] += 1

    async def _pin_sign_ons(self) -> None:
        """Badges and PINs that are guessed, half of them at a stolen dealer's terminal."""
        badge, pin = (str(self._rng.randrange(10**4, 10**5)) for _ in range(2))
        body = json.dumps({"badge": badge, "pin": pin}).encode()
        device = self._rng.choice((self._stolen.device, ""))
        where = "a stolen terminal" if device else "no terminal"
        status = await self._request("/dealer/sign-on", body, device)
        self.done[f"PINs at {where} answered with {status}"] += 1

    async def _own_houses(self) -> None:
        """Rules of one's own that change all the time, and the returns that follow from them."""
        form = {"house": "washington", "rules": {"paytables": self._rng.choice(OWN_TABLES)}}
        body = json.dumps(form).encode()
        status = await self._request("/tables/private", body, self._stolen.guest)
        self.done[f"houses of one's own answered with {status}"] += 1

    async def _refused_commands(self) -> None:
        """Commands that a table refuses, as fast as a person may send any."""
        text = '{"type":"command","id":"%d","command":{"kind":"close_table","reason":"x"}}'
        async with self._line() as line:
            await self._welcomed(line)
            for number in range(200):
                line[1].write(frame(TEXT, (text % number).encode()))
                self.done["refused commands"] += 1
                await asyncio.sleep(0.02)
                if line[0].at_eof():
                    return

    async def _refused_requests(self) -> None:
        """Requests over one connection that are refused, and go on all the same."""
        paths = (f"{API}/unfinished", f"{API}/passkeys", "/metrics", f"{API}/nothing-here")
        async with self._line() as (reader, writer):
            for number in range(400):
                path = paths[number % len(paths)]
                writer.write(f"GET {path} HTTP/1.1\r\nHost: {self._host}\r\n\r\n".encode())
                await writer.drain()
                self.done["refused requests"] += 1
                async with asyncio.timeout(30):
                    if not await reader.read(4096):
                        return
                await asyncio.sleep(0.01)

    async def _after_close(self) -> None:
        """Frames after one for which the server closes the socket, whose answer is not read."""
        reserved = bytes((0x83, 0x80, 0, 0, 0, 0))
        async with self._line() as line:
            await self._welcomed(line)
            line[1].write(reserved)
            for _ in range(20):
                line[1].write(frame(TEXT, b"{}") * 200)
                await line[1].drain()
                self.done["frames after a close"] += 200
                await asyncio.sleep(0.05)

    async def _handshakes(self) -> None:
        for _ in range(5):
            async with self._line() as line:
                await self._welcomed(line)
            self.done["sockets opened and dropped"] += 1


def _cookie_line(answer: httpx.Response) -> str:
    """The header that sends back the cookies of an answer."""
    answer.raise_for_status()
    cookies = "; ".join(f"{name}={value}" for name, value in answer.cookies.items())
    return f"Cookie: {cookies}\r\n"


async def run(port: int, stolen: Stolen) -> None:
    """Attack until a signal comes."""
    loop, end = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, end.set)
    attackers = Attackers(port, stolen)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    began, used = time.perf_counter(), time.process_time()
    tasks = [asyncio.ensure_future(attack) for attack in attackers.all()]
    await end.wait()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    told = {
        "seconds": time.perf_counter() - began,
        "processor_seconds": time.process_time() - used,
        "done": dict(attackers.done.most_common()),
    }
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    asyncio.run(run(int(sys.argv[1]), Stolen(**json.loads(sys.argv[2]))))
