"""Hundreds of terminals at one stadium table, through real sockets from a second process.

The server runs as ``openfelt serve`` in its own process on the loopback address; this
process is the terminals. Every terminal plays whole rounds: it bets, decides, and sees its
result. In the first round people press within some seconds of each other, as they do in a
hall; in the second all press in the same instant, which is the worst that can happen.
Printed are the times from a command to its answer, from a command to the last terminal that
sees what it changed, and from the first terminal that sees a change to the last one. All of
them hold what this process needs to be so many terminals; how much processor time that is, and how
much the server needs, is printed beside them.

Every terminal gives a seed. After the last round all of them fetch their proofs and the list of
seeds over some seconds, as browsers do, and some check them. Printed are the times, how often the
server was busy, and the bytes for a terminal compared with a proof that contains the list.
``OPENFELT_BENCH_TERMINALS="500 2000"`` sets the sizes.
"""

import asyncio
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx
import msgspec
import uvloop
from msgspec import UNSET
from rich.progress import track

from bench.aims import note
from openfelt.client import Casino, Terminal
from openfelt.protocol.messages import Bet, Change, Check, DecisionAsked, FromServer
from tests.kit.soak.processor_time import processor_time

SIZES = [int(size) for size in os.environ.get("OPENFELT_BENCH_TERMINALS", "500 2000").split()]
SPREADS = {"within 8 seconds": 8.0, "in one instant": 0.0}
"""How the terminals press, one round for each: within so many seconds."""
TABLE = "stadium-1"
AT_ONCE = 50
SPREAD_SECONDS = 0.01
"""Terminals fetch their proofs over this time for each of them, as in the browser."""
CHECKED = 20
"""How many of the terminals check what they have fetched."""


class Watching:
    """When each version was seen, by all terminals."""

    def __init__(self) -> None:
        self.first: dict[int, float] = {}
        self.last: dict[int, float] = {}
        self.seen: dict[int, int] = {}

    def by_all(self, version: int, size: int) -> float | None:
        """When the last terminal saw the change that holds this version; None if one never did."""
        change = min((seen for seen in self.first if seen >= version), default=None)
        return self.last[change] if change is not None and self.seen[change] >= size else None

    def note(self, version: int) -> None:
        """One more terminal has seen this version."""
        now = time.perf_counter()
        self.first.setdefault(version, now)
        self.last[version] = now
        self.seen[version] = self.seen.get(version, 0) + 1


def watched(terminal: Terminal, watching: Watching) -> Terminal:
    """A terminal that notes when it sees each change."""
    take = terminal._take

    async def noting(message: FromServer) -> None:
        if isinstance(message, Change) and message.public is not UNSET:
            watching.note(message.version)
        await take(message)

    terminal._take = noting  # type: ignore[method-assign]
    return terminal


def ms(seconds: list[float]) -> str:
    """Median, 99th of a hundred, and the longest, in milliseconds."""
    ordered = sorted(seconds)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return (
        f"p50 {statistics.median(ordered) * 1000:8.1f} ms   p99 {p99 * 1000:8.1f} ms   "
        f"longest {ordered[-1] * 1000:8.1f} ms"
    )


class Pressed(NamedTuple):
    """One command: when it was sent and answered, and the version that it brought."""

    sent: float
    answered: float
    version: int


async def press(doing: Callable[[], Awaitable[int]], wait: float, log: list[Pressed]) -> None:
    """Press a button after a while, and note how long its answer takes."""
    await asyncio.sleep(wait)
    sent = time.perf_counter()
    version = await doing()
    log.append(Pressed(sent, time.perf_counter(), version))


async def all_press(
    buttons: list[Callable[[], Awaitable[int]]], seconds: float, log: list[Pressed]
) -> None:
    """Let every terminal press within so many seconds, the same way in every run."""
    chance = random.Random(len(log))
    await asyncio.gather(*(press(button, chance.uniform(0, seconds), log) for button in buttons))


async def sit_down(address: str, watching: Watching) -> tuple[Casino, Terminal]:
    casino = Casino(address)
    await casino.guest()
    terminal = watched(casino.table(TABLE), watching)
    await terminal.__aenter__()
    await terminal.sit(buy_in_cents=90_000)
    return casino, terminal


async def play(terminals: list[Terminal], number: int, seconds: float) -> dict[str, list[Pressed]]:
    """One whole round of all terminals; gives what was pressed, by kind."""
    bet: list[Pressed] = []
    checked: list[Pressed] = []
    played: list[Pressed] = []
    bets = [partial(terminal.bet, ante=1000, trips=500) for terminal in terminals]
    await sealed(terminals)
    await all_press([*bets], seconds, bet)
    await decide(terminals, "before_flop", Check(), seconds, checked)
    await decide(terminals, "on_flop", Bet(multiple=2), seconds, played)
    for terminal in terminals:
        await terminal.until(lambda now: _settled(now, number))
        lines = terminal._private["hands"][f"{terminal._private['seat']}.1"]["lines"]
        assert len(lines) == 4, lines
    return {"bets": bet, "checks": checked, "last decisions": played}


async def sealed(terminals: list[Terminal]) -> None:
    """Wait until all terminals can bet: before its deck is committed to, none of them offers it."""
    began = time.perf_counter()
    for terminal in terminals:
        await terminal.until(lambda now: now._sealed())
    seconds = time.perf_counter() - began
    print(f"  the decks of {len(terminals)} are committed to after {seconds:.2f} s")


async def decide(
    terminals: list[Terminal],
    street: str,
    decision: DecisionAsked,
    seconds: float,
    log: list[Pressed],
) -> None:
    """Let all terminals decide alike when the street has come."""
    for terminal in terminals:
        await terminal.until(lambda now: _street(now) == street)
    buttons = [partial(terminal.decide, decision) for terminal in terminals]
    await all_press([*buttons], seconds, log)


def _street(terminal: Terminal) -> str | None:
    state = terminal._public.get("round") or {}
    street: str | None = state.get("street")
    return street


def _settled(terminal: Terminal, number: int) -> bool:
    state = terminal._public.get("round") or {}
    own = terminal._private.get("hands", {}).get(f"{terminal._private['seat']}.1", {})
    return state.get("number") == number and state.get("phase") == "settled" and bool(own["lines"])


class Shares:
    """The processor time of a phase, of the server and of the terminals."""

    def __init__(self, server: int) -> None:
        self._server = server
        self._began, self._own = time.perf_counter(), time.process_time()
        self._used = processor_time(server)

    def __str__(self) -> str:
        used = processor_time(self._server) - self._used
        return (
            f"{time.perf_counter() - self._began:.2f} s; processor time: event loop"
            f" {used.loop:.2f} s, other threads {used.others:.2f} s, the terminals themselves"
            f" {time.process_time() - self._own:.2f} s"
        )


async def run(address: str, size: int, server: int) -> None:
    watching = Watching()
    guests: list[tuple[Casino, Terminal]] = []
    for start in track(range(0, size, AT_ONCE), description=f"{size} sit down", transient=True):
        count = min(AT_ONCE, size - start)
        guests += await asyncio.gather(*(sit_down(address, watching) for _ in range(count)))
    terminals = [terminal for _, terminal in guests]
    for number, (words, seconds) in enumerate(SPREADS.items(), start=1):
        before = set(watching.first)
        shares = Shares(server)
        kinds = await play(terminals, number, seconds)
        log = [pressed for pressed_alike in kinds.values() for pressed in pressed_alike]
        shares_shown = str(shares)
        versions = [version for version in watching.first if version not in before]
        missed = [version for version in versions if watching.seen[version] < size]
        spread = [watching.last[version] - watching.first[version] for version in versions]
        by_all = [(pressed, watching.by_all(pressed.version, size)) for pressed in log]
        print(f"  {size} terminals, {len(log)} presses {words}: every hand is settled,")
        print(f"  {len(missed)} of {len(versions)} changes missed by a terminal")
        answered = [pressed.answered - pressed.sent for pressed in log]
        seen = [at - pressed.sent for pressed, at in by_all if at]
        print(f"    command to answer          {ms(answered)}")
        for kind, alike in kinds.items():
            print(f"      {kind:25}{ms([pressed.answered - pressed.sent for pressed in alike])}")
        if not seconds:
            note(f"instant_{size}", sorted(answered)[int(len(answered) * 0.99)])
        print(f"    command to last viewer     {ms(seen)}")
        print(f"    first to last viewer       {ms(spread)}")
        print(f"    the round took {shares_shown}")
    await verify(guests, len(SPREADS), server)
    for casino, terminal in guests:
        await terminal.__aexit__(None, None, None)
        await casino.__aexit__(None, None, None)


class Fetched(NamedTuple):
    """What one terminal fetched to verify its round."""

    seconds: float
    proof: int
    listed: int
    busy: int
    """How often the server asked it to come back."""


async def fetch(casino: Casino, number: int, wait: float) -> Fetched:
    """Fetch a proof and its list of seeds as they come over the wire, after a while."""
    await asyncio.sleep(wait)
    began, busy, sizes = time.perf_counter(), 0, []
    for page in ("proof", "seeds"):
        path = f"/api/v1/tables/{TABLE}/rounds/{number}/{page}"
        while (answer := await casino._http.get(path)).status_code == 503:
            busy += 1
            await asyncio.sleep(1 + random.random())
        answer.raise_for_status()
        sizes.append(answer.num_bytes_downloaded)
    return Fetched(time.perf_counter() - began, sizes[0], sizes[1], busy)


async def verify(guests: list[tuple[Casino, Terminal]], number: int, server: int) -> None:
    """Let all terminals fetch what they need to verify a round, and some of them check it."""
    size = len(guests)
    chance = random.Random(size)
    shares, began = Shares(server), time.perf_counter()
    fetched = await asyncio.gather(
        *(fetch(casino, number, chance.uniform(0, size * SPREAD_SECONDS)) for casino, _ in guests)
    )
    seconds = time.perf_counter() - began
    shares_shown = str(shares)
    for casino, terminal in guests[:: max(1, size // CHECKED)]:
        checked = await casino.check_round(terminal, number)
        assert checked.seeds == size, checked
    whole = len(msgspec.json.encode(await guests[0][0].proof(TABLE, number)))
    brief = statistics.mean(one.proof for one in fetched)
    listed = statistics.mean(one.listed for one in fetched)
    print(f"  {size} terminals fetch what they verify, all within {seconds:.1f} s")
    print(f"    proof and list             {ms([one.seconds for one in fetched])}")
    print(f"    fetching took {shares_shown}")
    print(f"    answers that it was busy   {sum(one.busy for one in fetched):8}")
    print(
        f"    bytes of a proof           {brief:10,.0f}   ratio to one with the list inside "
        f"{brief / whole:.3f}"
    )
    print(
        f"    bytes with the list        {brief + listed:10,.0f}   ratio "
        f"{(brief + listed) / whole:.3f}"
    )


def main() -> None:
    """Measure each size on its own server."""
    for size in SIZES:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with tempfile.TemporaryDirectory() as folder:
            program = [sys.executable, "-m", "openfelt", "serve", "--port", str(port)]
            database = str(Path(folder) / "bench.db")
            server = subprocess.Popen(
                [*program, "--database", database, "--log", "plain"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                address = f"http://127.0.0.1:{port}"
                _wait_for(address)
                uvloop.run(run(address, size, server.pid))
            finally:
                server.terminate()
                server.wait(30)


def _wait_for(address: str) -> None:
    for _ in range(300):
        try:
            httpx.get(f"{address}/healthz", timeout=1).raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("The server did not start.")


if __name__ == "__main__":
    main()
