"""Hundreds of terminals at one stadium table, through real sockets from a second process.

The server runs as ``openfelt serve`` in a process of its own on the loopback address; this
process is the terminals. Every terminal plays whole rounds: it bets, decides, and sees its
result. Printed are the times from a command to its answer, and from the first terminal
that sees a change to the last one. ``OPENFELT_BENCH_TERMINALS="500 2000"`` sets the sizes.
"""

import asyncio
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable
from pathlib import Path

import httpx
from rich.progress import track

from openfelt.client import Casino, Terminal
from openfelt.server.messages import Bet, Check, DecisionAsked, FromServer, PublicChange

SIZES = [int(size) for size in os.environ.get("OPENFELT_BENCH_TERMINALS", "500 2000").split()]
ROUNDS = 2
TABLE = "stadium-1"
AT_ONCE = 50


class Watching:
    """When each version was seen, by all terminals."""

    def __init__(self) -> None:
        self.first: dict[int, float] = {}
        self.last: dict[int, float] = {}
        self.seen: dict[int, int] = {}

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
        if isinstance(message, PublicChange):
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


async def timed(times: list[float], doing: Awaitable[None]) -> None:
    begun = time.perf_counter()
    await doing
    times.append(time.perf_counter() - begun)


async def sit_down(address: str, watching: Watching) -> tuple[Casino, Terminal]:
    casino = Casino(address)
    await casino.guest()
    terminal = watched(casino.table(TABLE), watching)
    await terminal.__aenter__()
    await terminal.sit(buy_in_cents=90_000)
    return casino, terminal


async def play(terminals: list[Terminal], number: int) -> tuple[list[float], list[float]]:
    """One whole round of all terminals; gives the times of bets and of decisions."""
    bets: list[float] = []
    decisions: list[float] = []
    await asyncio.gather(*(timed(bets, one.bet(ante=1000, trips=500)) for one in terminals))
    await decide(terminals, "before_flop", Check(), decisions)
    await decide(terminals, "on_flop", Bet(multiple=2), decisions)
    for one in terminals:
        await one.until(lambda now: _settled(now, number))
        lines = one._private["hands"][f"{one._private['seat']}.1"]["lines"]
        assert len(lines) == 4, lines
    return bets, decisions


async def decide(
    terminals: list[Terminal], street: str, decision: DecisionAsked, times: list[float]
) -> None:
    """Let all terminals decide alike when the street has come."""
    for one in terminals:
        await one.until(lambda now: _street(now) == street)
    await asyncio.gather(*(timed(times, one.decide(decision)) for one in terminals))


def _street(terminal: Terminal) -> str | None:
    state = terminal._public.get("round") or {}
    street: str | None = state.get("street")
    return street


def _settled(terminal: Terminal, number: int) -> bool:
    state = terminal._public.get("round") or {}
    own = terminal._private.get("hands", {}).get(f"{terminal._private['seat']}.1", {})
    return state.get("number") == number and state.get("phase") == "settled" and bool(own["lines"])


async def run(address: str, size: int) -> None:
    watching = Watching()
    guests: list[tuple[Casino, Terminal]] = []
    for start in track(range(0, size, AT_ONCE), description=f"{size} sit down", transient=True):
        count = min(AT_ONCE, size - start)
        guests += await asyncio.gather(*(sit_down(address, watching) for _ in range(count)))
    terminals = [terminal for _, terminal in guests]
    bets: list[float] = []
    decisions: list[float] = []
    before = set(watching.first)
    for number in range(1, ROUNDS + 1):
        begun = time.perf_counter()
        some_bets, some_decisions = await play(terminals, number)
        bets += some_bets
        decisions += some_decisions
        print(
            f"  round {number} over after {time.perf_counter() - begun:.1f} s, its clock included"
        )
    versions = [one for one in watching.first if one not in before]
    spread = [watching.last[one] - watching.first[one] for one in versions]
    missed = [one for one in versions if watching.seen[one] < size]
    print(f"  {size} terminals, {ROUNDS} rounds, every hand settled, {len(missed)} changes missed")
    print(f"  bet to answer, all at once        {ms(bets)}")
    print(f"  decision to answer, all at once   {ms(decisions)}")
    print(f"  first viewer to last viewer       {ms(spread)}")
    for casino, terminal in guests:
        await terminal.__aexit__(None, None, None)
        await casino.__aexit__(None, None, None)


def main() -> None:
    """Measure each size on a server of its own."""
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
                asyncio.run(run(address, size))
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
