"""Where the processor time of a command goes, in halls of 1, 100, 500 and 2,000 terminals.

One process holds a stadium without sockets: its worker, its store and its room. Every command of a
round is handled as the mailbox would, and the processor time of each part is divided by the number
of commands: the worker without the store, the store's commit, and the room, which works out and
encodes what each viewer is sent. The public change, which a room sends to all viewers at intervals,
is not part of it. The last check of a street, which brings every player the next cards, is counted
apart, and so is the last decision, which settles the round; its elapsed time, with the disk and
the message to every player, is printed too. Halls take turns; the last lines compare the largest
hall with that of a hundred.
``OPENFELT_BENCH_HALLS="1 100 500 2000"`` sets the sizes.
"""

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.progress import track

from bench.aims import note
from openfelt.rules import Bet, Check
from openfelt.runtime.requests import Request
from openfelt.runtime.tables.mailbox import BATCH_MAX
from openfelt.server.process.listener import shorten_collections
from openfelt.storage.door import Commit, Head
from tests.kit.server.silent_halls import SilentHall, silent_hall

HALLS = [int(size) for size in os.environ.get("OPENFELT_BENCH_HALLS", "1 100 500 2000").split()]
COMMANDS = 2000
"""How many commands of each kind a hall gives at least; a small hall plays more rounds."""
ROUNDS_MIN = 4
"""A large hall plays so many, because a single settlement may be slowed down by chance."""
KINDS = (
    "first bet",
    "changed bet",
    "check",
    "end of a street, per hand",
    "last decision, per hand",
)
PARTS = ("worker", "store", "room")


class Meter:
    """The processor time of a hall by kind of command and part, in seconds."""

    def __init__(self, hall: SilentHall) -> None:
        self._hall = hall
        self.seconds: dict[str, dict[str, float]] = {
            kind: dict.fromkeys(PARTS, 0.0) for kind in KINDS
        }
        self.commands = dict.fromkeys(KINDS, 0)
        self.settlings: list[float] = []
        """How long each settlement took by the clock, from the last decision to the last view."""
        self._commit = hall.worker._timed_commit
        self._kind = ""
        hall.worker._timed_commit = self._timed  # type: ignore[method-assign]

    def _timed(self, commit: Commit) -> Mapping[str, Head]:
        started = time.process_time()
        try:
            return self._commit(commit)
        finally:
            taken = time.process_time() - started
            if self._kind:
                self.seconds[self._kind]["store"] += taken
                self.seconds[self._kind]["worker"] -= taken

    def measure(self, kind: str, requests: Sequence[Request], *, count: int) -> None:
        """Handle requests and tell the room, and add up what that took."""
        self._kind, parts = kind, self.seconds[kind]
        for start in range(0, len(requests), BATCH_MAX):
            batch = requests[start : start + BATCH_MAX]
            # The store takes its part off the worker's meanwhile.
            handled = _seconds(partial(self._hall.handle, batch))
            parts["worker"] += handled
            parts["room"] += _seconds(self._hall.tell)
        self.commands[kind] += count
        self._kind = ""

    def microseconds(self, kind: str) -> dict[str, float]:
        """The processor time of one command, by part."""
        each, count = self.seconds[kind], max(1, self.commands[kind])
        return {part: each[part] / count * 1e6 for part in PARTS}


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def play(meter: Meter, hall: SilentHall) -> None:
    """One round of all players: they bet, change the bet, check twice, and play."""
    size = hall.size
    meter.measure("first bet", hall.bets(0), count=size)
    meter.measure("changed bet", hall.bets(1), count=size)
    hall.close_bets()
    for _ in range(2):
        *others, last = hall.decisions(Check())
        meter.measure("check", others, count=len(others))
        meter.measure("end of a street, per hand", [last], count=size)
    *others, last = hall.decisions(Bet(1))
    hall.handle(others)
    hall.tell()
    started = time.perf_counter()
    meter.measure("last decision, per hand", [last], count=size)
    meter.settlings.append(time.perf_counter() - started)
    hall.publish()
    hall.prepare()


@dataclass(frozen=True)
class HallCosts:
    """What one hall has cost."""

    by_kind: dict[str, dict[str, float]]
    settling_seconds: float
    """The median of the elapsed times of its settlements."""


async def costs(size: int) -> HallCosts:
    """What each kind of command costs in a hall of this size."""
    with tempfile.TemporaryDirectory() as folder:
        async with silent_hall(Path(folder) / "felt.db", size) as hall:
            shorten_collections()
            meter = Meter(hall)
            for _ in range(max(ROUNDS_MIN, COMMANDS // size // 10)):
                play(meter, hall)
            by_kind = {kind: meter.microseconds(kind) for kind in KINDS}
            return HallCosts(by_kind, statistics.median(meter.settlings))


def main() -> None:
    """Print what commands cost in each hall, and how that grows."""
    halls = {}
    for size in track(HALLS, description="halls", transient=True):
        halls[size] = asyncio.run(costs(size))
    print("microseconds of processor time for each command")
    print(f"{'':26}{'terminals':>10}" + "".join(f"{part:>10}" for part in PARTS) + f"{'all':>10}")
    for kind in KINDS:
        for size, hall in halls.items():
            parts = hall.by_kind[kind]
            if not any(parts.values()):
                continue
            figures = "".join(f"{parts[part]:10.0f}" for part in PARTS)
            print(f"{kind:26}{size:10,}{figures}{sum(parts.values()):10.0f}")
    small, large = min((size for size in HALLS if size >= 100), default=HALLS[0]), max(HALLS)
    for kind in KINDS:
        before, after = (sum(halls[size].by_kind[kind].values()) for size in (small, large))
        if not before:
            continue
        growth = after / before
        print(f"growth from {small:,} to {large:,} terminals, {kind}: {growth:.2f}")
        if (small, large) == (100, 2000):
            note({"changed bet": "growth_bet", "check": "growth_check"}.get(kind, ""), growth)
    for size, hall in halls.items():
        seconds = hall.settling_seconds
        print(f"settling {size:,} hands, from the last decision to the last view: {seconds:.3f} s")
    if 2000 in halls:
        note("settling", sum(halls[2000].by_kind[KINDS[-1]].values()) * 2000 / 1e6)
        note("settling_elapsed", halls[2000].settling_seconds)


if __name__ == "__main__":
    main()
