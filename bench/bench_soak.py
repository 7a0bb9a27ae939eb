"""A hall of 200 terminals that plays on while attackers do their worst.

A server, the hall and the attackers are three processes on one machine. Phases take turns: quiet,
hostile, quiet, hostile. In a hostile phase strangers from eight addresses send control frames and
empty fragments, read slowly or not at all, open requests and sockets that they never finish, flood
the sign-in, post long proofs, give commands and make requests that are refused, go on after the
server has closed their sockets, open and drop sockets, send cards by a stolen and by guessed tokens
of card readers, guess PINs, also at a stolen dealer's terminal, and change their own rules, each at
a bounded rate. Printed are the times from a command of the hall to its answer in both, their ratio,
and what the attackers did. The run fails if the hall's 95th percentile is more than twice that of
the quiet server, or a terminal was thrown out.

All three share the machine's processors, so part of every ratio is the processor time that the
attackers need for themselves; it is printed too, beside that of the hall and of the server, and how
long the server's event loop waited for a processor. ``OPENFELT_SOAK_SECONDS`` sets the length of a
phase, ``OPENFELT_BENCH_TERMINALS`` the size of the hall; ``OPENFELT_SOAK_ATTACKS="pings sign_in"``
picks some of the attacks, to find out which of them a hall feels.
"""

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import httpx
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from tests.kit.repository import ROOT
from tests.kit.server.real_server import free_port
from tests.kit.soak.attackers import Stolen, steal
from tests.kit.soak.hall import Hall
from tests.kit.soak.processor_time import ProcessorTime, processor_time

PHASE_SECONDS = float(os.environ.get("OPENFELT_SOAK_SECONDS", "30"))
TERMINALS = int(os.environ.get("OPENFELT_BENCH_TERMINALS", "200"))
PHASES = ("quiet", "hostile", "quiet", "hostile")
RATIO_MAX = 2.0
PERCENTILES = (50, 95, 99)


@dataclass
class Shares:
    """Who had the processors in all phases of a kind."""

    seconds: float = 0.0
    hall: float = 0.0
    server: ProcessorTime = field(default_factory=ProcessorTime)

    def __str__(self) -> str:
        of_one = {
            "event loop": self.server.loop,
            "server's other threads": self.server.others,
            "hall": self.hall,
        }
        shown = ", ".join(f"{name} {used / self.seconds:.0%}" for name, used in of_one.items())
        return f"{shown}; the loop waited {self.server.loop_waited / self.seconds:.1%} of the time"

    @contextlib.contextmanager
    def counted(self, server: int) -> Iterator[None]:
        """Count a phase."""
        began, hall, used = time.perf_counter(), time.process_time(), processor_time(server)
        yield
        self.seconds += time.perf_counter() - began
        self.hall += time.process_time() - hall
        self.server += processor_time(server) - used


def main() -> None:
    """Run the phases, and print what each kind of them was like."""
    port = free_port()
    shares = {kind: Shares() for kind in PHASES}
    with tempfile.TemporaryDirectory() as folder, server(Path(folder), port) as process:
        times, attacks = asyncio.run(soak(port, process, shares))
        log = (Path(folder) / "server.log").read_text("utf-8", "replace")
    quiet, hostile = (percentiles(times[kind]) for kind in ("quiet", "hostile"))
    print(f"  {TERMINALS} terminals, {PHASE_SECONDS:g} seconds a phase, from command to answer")
    print(f"    {'':9}" + "".join(f"{f'p{number}':>12}" for number in PERCENTILES))
    for kind, found in (("quiet", quiet), ("hostile", hostile)):
        shown = "".join(f"{seconds * 1000:>9.1f} ms" for seconds in found)
        print(f"    {kind:9}{shown}   {len(times[kind]):,} commands")
    ratios = [after / before for before, after in zip(quiet, hostile, strict=True)]
    print(f"    {'ratio':9}" + "".join(f"{ratio:>12.2f}" for ratio in ratios))
    print("  of one processor:")
    for kind, share in shares.items():
        print(f"    {kind:9}{share}")
    report(attacks)
    faults = [line for line in log.splitlines() if '"level": "error"' in line]
    print("\n".join(f"  logged: {line[:300]}" for line in faults[:5]))
    if ratios[1] > RATIO_MAX or faults:
        sys.exit(f"The hall's 95th percentile is {ratios[1]:.2f} times that of the quiet server.")


def report(attacks: list[dict[str, object]]) -> None:
    """What the attackers did in all hostile phases together."""
    done: Counter[str] = Counter()
    for told in attacks:
        done.update(told["done"])  # type: ignore[call-overload]
    used = sum(float(str(told["processor_seconds"])) for told in attacks)
    lasted = sum(float(str(told["seconds"])) for told in attacks)
    print(f"  the attackers used {used / lasted:.0%} of one processor themselves, and did")
    print("\n".join(f"    {count:>9,}  {what}" for what, count in done.most_common()))


async def soak(
    port: int, server: int, shares: dict[str, Shares]
) -> tuple[dict[str, list[float]], list[dict[str, object]]]:
    """Let the hall play through all phases; gives its times by kind of phase."""
    hall = Hall(f"http://127.0.0.1:{port}", TERMINALS)
    times: dict[str, list[float]] = {kind: [] for kind in PHASES}
    attacks: list[dict[str, object]] = []
    async with contextlib.AsyncExitStack() as stack:
        with progress() as bar:
            task = bar.add_task("sitting down", total=len(PHASES) * PHASE_SECONDS)
            terminals = await hall.sit_down(stack)
            stolen = await steal(port)
            playing = [
                asyncio.ensure_future(hall.play(terminal, number))
                for number, terminal in enumerate(terminals)
            ]
            await asyncio.sleep(PHASE_SECONDS / 4)
            for kind in PHASES:
                bar.update(task, description=kind)
                hostile = attacking(port, stolen, attacks) if kind == "hostile" else None
                async with hostile or contextlib.nullcontext():
                    hall.times = times[kind]
                    with shares[kind].counted(server):
                        for _ in range(int(PHASE_SECONDS)):
                            await asyncio.sleep(1)
                            bar.advance(task)
                hall.times = []
        for one in playing:
            one.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    if hall.lost:
        sys.exit(f"{hall.lost} terminals of the hall were thrown out.")
    return times, attacks


@contextlib.asynccontextmanager
async def attacking(
    port: int, stolen: Stolen, told: list[dict[str, object]]
) -> AsyncIterator[None]:
    """Attackers who are ready, for as long as the block lasts."""
    program = [sys.executable, "-m", "tests.kit.soak.attackers", str(port)]
    program.append(json.dumps(asdict(stolen)))
    attackers = await asyncio.create_subprocess_exec(*program, cwd=ROOT, stdout=subprocess.PIPE)
    assert attackers.stdout is not None
    try:
        if await attackers.stdout.readline() != b"ready\n":
            sys.exit("The attackers did not start.")
        yield
        attackers.terminate()
        told.append(json.loads((await attackers.communicate())[0]))
    finally:
        with contextlib.suppress(ProcessLookupError):
            attackers.kill()
        await attackers.wait()


@contextlib.contextmanager
def server(folder: Path, port: int) -> Iterator[int]:
    """A server, for as long as the block lasts; gives the number of its process."""
    with (folder / "server.log").open("wb") as log:
        program = [sys.executable, "-m", "tests.kit.soak.server", str(folder), str(port)]
        process = subprocess.Popen(program, cwd=ROOT, stdout=log, stderr=log)
        try:
            wait_for(port)
            yield process.pid
            process.terminate()
            process.wait(60)
        finally:
            process.kill()
            process.wait()


def wait_for(port: int) -> None:
    """Wait until the server answers."""
    for _ in range(600):
        with contextlib.suppress(httpx.HTTPError):
            httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=1).raise_for_status()
            return
        time.sleep(0.1)
    raise SystemExit("The server did not start.")


def percentiles(times: list[float]) -> list[float]:
    """Some percentiles of the times of a phase."""
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return [cuts[number - 1] for number in PERCENTILES]


def progress() -> Progress:
    """A bar over all phases."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


if __name__ == "__main__":
    main()
