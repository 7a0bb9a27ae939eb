"""Measures the recovery of a table with a long history after a crash.

A history of 100,000 rounds is played through the real worker; OPENFELT_BENCH_ROUNDS sets
another number. It ends with the worst case: a round is in progress, and the last snapshot is
as old as snapshots get. Then a new process opens the table, several times, with a cold file
cache each time. The output also estimates the time without a snapshot.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from rich.progress import Progress

from openfelt.catalog import load_house
from openfelt.rules import Bet, Check, CloseBets, MakeDecision, SetWagers, Spot, Wager, WagerKind
from openfelt.runtime.cage.cashier import Cashier
from openfelt.runtime.clock import SystemClock
from openfelt.runtime.requests import Request
from openfelt.runtime.shuffle.entropy import SystemEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.open_table import write_table
from openfelt.runtime.tables.recovery.recovery import fold
from openfelt.runtime.tables.recovery.snapshots import SNAPSHOT_EVERY
from openfelt.runtime.tables.worker import TableWorker
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.addresses import open_store
from openfelt.storage.door import Store
from openfelt.table.commands import BuyIn, OpenTable, Person, Role, TableCommand, TakeSeat
from openfelt.table.state import Table

ROUNDS = int(os.environ.get("OPENFELT_BENCH_ROUNDS", "100000"))
BATCH_ROUNDS = 50
"""The number of rounds per transaction while the history is created."""
STARTS = 7
REPLAYED_ROUNDS = 2000
LIMIT_MS = 2000

TABLE = "olga"
PLAYER = Person(Role.PLAYER, "olga")
SPOT = Spot(1, 1)
BET = SetWagers(SPOT, (Wager(WagerKind.ANTE, 100),))
ROUND_EVENTS = 16
"""The approximate number of events per round."""
ROUND: tuple[TableCommand, ...] = (BET, CloseBets(), MakeDecision(SPOT, Bet(4)))


def worker_services_of(store: Store) -> WorkerServices:
    """What a worker needs."""
    return WorkerServices.of(store, Shuffler(SystemEntropy()), SystemClock())


def worker_of(store: Store) -> TableWorker:
    """The table's worker, under a lease."""
    lease = store.take_lease(table_stream(TABLE), "bench", ttl_ms=60_000)
    return TableWorker.start(worker_services_of(store), TABLE, lease)


def carry_out(worker: TableWorker, *commands: TableCommand) -> None:
    """Carry out the player's commands in one transaction."""
    start = worker.head.version
    requests = [
        Request(by=PLAYER, command=command, id=f"{start}-{number}")
        for number, command in enumerate(commands)
    ]
    for answer in worker.handle(requests):
        assert answer.accepted, answer


def make_history(store: Store) -> int:
    """Play all rounds, and start one more; returns the number of events."""
    worker_services = worker_services_of(store)
    command = OpenTable(table=TABLE, house=load_house("online"), private_to=PLAYER.name)
    write_table(worker_services, command, by=Person(Role.FLOOR, "eve"), lease=None)
    Cashier(store, worker_services.codec, worker_services.clock).deposit(
        PLAYER.name, 10_000_000_000, id="deposit"
    )
    worker = worker_of(store)
    carry_out(worker, TakeSeat(1), BuyIn(1, 5_000_000_000))
    with Progress(transient=True) as progress:
        playing = progress.add_task("playing the history", total=ROUNDS)
        while worker.table.rounds + BATCH_ROUNDS < ROUNDS:
            carry_out(worker, *ROUND * BATCH_ROUNDS)
            progress.update(playing, completed=worker.table.rounds)
    grow_old(store, worker)
    return worker.head.version


def grow_old(store: Store, worker: TableWorker) -> None:
    """Continue in small steps until the snapshot is old, and stop in the middle of a round."""
    snapshot = store.snapshot(table_stream(TABLE))
    assert snapshot is not None
    while worker.head.version - snapshot.version < SNAPSHOT_EVERY - 2 * ROUND_EVENTS:
        for command in ROUND:
            carry_out(worker, command)
    for command in (BET, CloseBets(), MakeDecision(SPOT, Check())):
        carry_out(worker, command)


def forget(path: Path) -> None:
    """Drop a file from the page cache, if the system supports it."""
    if hasattr(os, "posix_fadvise"):
        with path.open("rb+") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def start_once(path: str) -> None:
    """Recover the table in this process, and print the time in milliseconds."""
    started = time.perf_counter()
    with closing(open_store(path)) as store:
        opened = time.perf_counter()
        worker = worker_of(store)
        taken = time.perf_counter()
        assert worker.table.playing is not None
        print((opened - started) * 1000, (taken - opened) * 1000)


def cold_starts(path: Path) -> tuple[list[float], list[float]]:
    """Recover the table in one new process after another."""
    opening, taking_up = [], []
    for _ in range(STARTS):
        forget(path)
        done = subprocess.run(
            [sys.executable, __file__, path], check=True, capture_output=True, text=True
        )
        opened_ms, taken_ms = map(float, done.stdout.split())
        opening.append(opened_ms)
        taking_up.append(taken_ms)
    return opening, taking_up


def replay_ms(store: Store) -> float:
    """The time to read and replay one round of the record, in milliseconds."""
    worker_services, state = worker_services_of(store), None
    started = time.perf_counter()
    for stored in store.events(table_stream(TABLE)):
        state = fold(state, worker_services.codec.decode(stored))
        if state.rounds == min(REPLAYED_ROUNDS, ROUNDS):
            break
    assert isinstance(state, Table)
    return (time.perf_counter() - started) * 1000 / state.rounds


def main() -> None:
    """Print the recovery time of a table with a long history."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "felt.db"
        with closing(open_store(str(path))) as store:
            events = make_history(store)
            snapshot = store.snapshot(table_stream(TABLE))
            assert snapshot is not None
            behind = events - snapshot.version
            each_ms = replay_ms(store)
        size = path.stat().st_size / 1e6
        opening, taking_up = cold_starts(path)
    print(f"{ROUNDS:,} rounds, {events:,} events, {size:,.0f} MB; the snapshot is {behind} behind")
    print(f"  opening the store    median {statistics.median(opening):8.1f} ms")
    print(
        f"  taking the table up  median {statistics.median(taking_up):8.1f} ms"
        f"   longest {max(taking_up):8.1f} ms   (below {LIMIT_MS})"
    )
    print(
        f"  without a snapshot   {each_ms:.2f} ms a round, so about"
        f" {each_ms * ROUNDS / 1000:,.0f} s for all of them"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        start_once(sys.argv[1])
    else:
        main()
