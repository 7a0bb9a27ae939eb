"""Measures what it costs a process to hold a thousand tables: all leases renewed, and all processes
and leases read, as every process does several times in the time of a lease.

Each on a SQLite file and on a PostgreSQL server with fsync on. The figures are processor time of
this process and of the database server, and the number of statements.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from openfelt.storage.addresses import open_store
from openfelt.storage.cluster.cluster_door import NewMember
from openfelt.storage.door import FIRST_HASH, Store
from tests.kit.postgres_server import postgres_server

TABLES = 1000
TURNS = 20
RENEWALS_PER_SECOND = 0.6
"""Three in every lease of five seconds."""
STEPS_PER_SECOND = 1.0
ME = NewMember(name="east", home="e", run="1", role="both", version="1")


@contextmanager
def stores() -> Iterator[dict[str, Store]]:
    """An empty store of each kind."""
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres_server(durable=True) as server,
        closing(open_store(str(Path(folder) / "felt.db"))) as sqlite,
        closing(open_store(server.fresh_database())) as postgres,
    ):
        yield {"SQLite": sqlite, "PostgreSQL": postgres}


def server_seconds() -> float:
    """The processor time of all PostgreSQL processes that this program has started."""
    ticks = os.sysconf("SC_CLK_TCK")
    used = 0.0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                name, _, rest = (folder / "stat").read_text().rpartition(")")
            except OSError:
                continue
            if "(postgres" in name:
                used += sum(map(int, rest.split()[11:13])) / ticks
    return used


def measured(store: Store) -> tuple[float, float]:
    """The milliseconds of processor time of one renewal and of one step, server included."""
    store.join(ME, ttl_ms=60_000)
    leases = [
        lease
        for number in range(TABLES)
        if (lease := store.take_lease(f"table/{number:04}", "east", ttl_ms=60_000)) is not None
    ]
    assert len(leases) == TABLES
    assert store.head("table/0000").hash == FIRST_HASH
    results = []
    for work in (
        lambda: (store.renew_leases(leases, ttl_ms=60_000), store.renew_member(ME, ttl_ms=60_000)),
        lambda: (store.held_leases("table/"), store.members()),
    ):
        before, server_before = time.process_time(), server_seconds()
        for _ in range(TURNS):
            work()
        used = time.process_time() - before + server_seconds() - server_before
        results.append(used / TURNS * 1000)
    return results[0], results[1]


def main() -> None:
    """Print the cost for each store."""
    with stores() as opened:
        for name, store in opened.items():
            renewal_ms, step_ms = measured(store)
            share = renewal_ms * RENEWALS_PER_SECOND + step_ms * STEPS_PER_SECOND
            print(
                f"{name}: {TABLES:,} leases renewed in {renewal_ms:.1f} ms of processor time, read "
                f"in {step_ms:.1f} ms: {share / 10:.2f}% of one processor"
            )
