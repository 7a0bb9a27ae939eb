"""Measures a house of several processes: real table processes and gateways on loopback.

They share a PostgreSQL server that writes to the disk, and a NATS server. Printed are, one after
another: what a gateway adds to a command; commands a second and their times with one, two and three
table processes; what a terminal costs that a gateway holds; the time after the kill of a table
process, and of a gateway, until a terminal is answered again; and commits with a NOTIFY inside
beside commits that are told on the bus afterwards.

``OPENFELT_BENCH_SECONDS`` is how long each load runs, 10 by default; ``OPENFELT_BENCH_PLAYERS`` is
how many play, 24; ``OPENFELT_BENCH_TERMINALS`` how many sockets are held, 5000;
``OPENFELT_BENCH_KILLS`` how many processes are killed, 50; and ``OPENFELT_BENCH_PARTS`` names
some of the parts.
"""

import asyncio
import os
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, closing
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from openfelt.client import Casino, Refused, Terminal
from openfelt.runtime.bus.nats_bus import NatsAddress, NatsBus
from tests.kit.cluster.players import patiently
from tests.kit.cluster.processes import Cluster, FloorProcess, cluster, wait_for
from tests.kit.nats_server import nats_server
from tests.kit.postgres_server import postgres_server

SECONDS = float(os.environ.get("OPENFELT_BENCH_SECONDS", "10"))
PLAYERS = int(os.environ.get("OPENFELT_BENCH_PLAYERS", "24"))
TERMINALS = int(os.environ.get("OPENFELT_BENCH_TERMINALS", "5000"))
KILLS = int(os.environ.get("OPENFELT_BENCH_KILLS", "50"))
PRESSES = 300
SOCKETS_OF_ACCOUNT = 8
SOCKETS_OF_ADDRESS = 2000
"""How many terminals come from one address; a house refuses more than 4,000."""
WRITERS = 8
WATCHED = "stadium-1"
Write = Callable[[psycopg.Connection, int, int], None]


def p99(seconds: list[float]) -> float:
    """The 99th of a hundred."""
    return sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * 0.99))]


def times(seconds: list[float]) -> str:
    """Median, 99th of a hundred, and the longest."""
    return (
        f"p50 {statistics.median(seconds) * 1000:8.1f} ms   p99 {p99(seconds) * 1000:8.1f} ms   "
        f"longest {max(seconds) * 1000:8.1f} ms"
    )


async def seated(stack: AsyncExitStack, address: str) -> Terminal:
    """A guest at a private table."""
    casino = await stack.enter_async_context(Casino(address))
    await patiently(casino.guest)
    table = await patiently(casino.private_table)
    terminal = await stack.enter_async_context(casino.table(table))
    await terminal.sit(buy_in_cents=50_000)
    return terminal


async def press(terminal: Terminal, number: int) -> float:
    """Change the wager of the next round, and give the seconds until the answer."""
    began = time.perf_counter()
    await terminal.bet(ante=100 * (1 + number % 2))
    return time.perf_counter() - began


# A gateway's hop ---------------------------------------------------------------------------


def measure_hop() -> None:
    """The same command at the process that runs the table, and through a gateway."""
    with cluster(tables=1, gateways=1, durable=True, roles=("both", "gateway")) as house:
        near, far = asyncio.run(_hop(house.tables[0].address, house.gateways[0].address))
    print(f"  in the process of the table   {times(near)}")
    print(f"  through a gateway             {times(far)}")
    added = statistics.median(far) - statistics.median(near)
    late = p99(far) - p99(near)
    print(f"  added                         p50 {added * 1000:8.1f} ms   p99 {late * 1000:8.1f} ms")


async def _hop(near: str, far: str) -> tuple[list[float], list[float]]:
    async with AsyncExitStack() as stack:
        ends = [await seated(stack, near), await seated(stack, far)]
        found: tuple[list[float], list[float]] = ([], [])
        for number in range(PRESSES):
            for end, seconds in zip(ends, found, strict=True):
                seconds.append(await press(end, number))
        return found


# Load ------------------------------------------------------------------------------------


def measure_load() -> None:
    """Commands a second of many players, with one, two and three table processes."""
    for size in (1, 2, 3):
        with cluster(tables=size, gateways=2, durable=True) as house:
            seconds, (tables, gateways) = asyncio.run(_load(house))
        rate = len(seconds) / SECONDS
        print(
            f"  {size} table processes, {PLAYERS} players: {rate:8.0f} commands/s, {times(seconds)}"
        )
        each = 1000 / len(seconds)
        print(
            f"    processor time of a command: {tables * each:.2f} ms of table processes, "
            f"{gateways * each:.2f} ms of gateways"
        )


async def _load(house: Cluster) -> tuple[list[float], tuple[float, float]]:
    async with AsyncExitStack() as stack:
        ends = [await seated(stack, house.address) for _ in range(PLAYERS)]
        found: list[float] = []
        before = _spent(house)
        until = time.perf_counter() + SECONDS

        async def keep_pressing(end: Terminal) -> None:
            for number in count():
                if time.perf_counter() > until:
                    return
                found.append(await press(end, number))

        await asyncio.gather(*map(keep_pressing, ends))
        tables, gateways = _spent(house)
        return found, (tables - before[0], gateways - before[1])


def _spent(house: Cluster) -> tuple[float, float]:
    """The processor time of all table processes and of all gateways so far."""
    return sum(map(cpu_seconds, house.tables)), sum(map(cpu_seconds, house.gateways))


# Terminals -------------------------------------------------------------------------------


def measure_terminals() -> None:
    """Sockets over two gateways, and what each costs in memory and in time."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with (
        cluster(tables=1, gateways=2, durable=True) as house,
        asyncio.Runner(loop_factory=ManyAddresses) as runner,
    ):
        runner.run(_hold(house, most))


class ManyAddresses(asyncio.SelectorEventLoop):
    """An event loop whose connections come from an address of loopback that can be changed."""

    source = "127.0.0.1"

    async def create_connection(self, *given: Any, **options: Any) -> Any:
        """Connect from the address."""
        options["local_addr"] = (self.source, 0)
        return await super().create_connection(*given, **options)


async def _hold(house: Cluster, files: int) -> None:
    memory = [resident_bytes(gateway) for gateway in house.gateways]
    before = sum(map(cpu_seconds, house.gateways))
    began = time.perf_counter()
    async with AsyncExitStack() as stack:
        held, why = await _connect(stack, house)
        sockets = [(gateway.health() or {}).get("sockets", 0) for gateway in house.gateways]
        grown = sum(map(resident_bytes, house.gateways)) - sum(memory)
        spent = sum(map(cpu_seconds, house.gateways)) - before
        print(
            f"  {held} of {TERMINALS} terminals held in {time.perf_counter() - began:.0f} s, ",
            end="",
        )
        print(f"{sockets} by gateway; files at most {files}; {why}")
        print(f"    memory of the gateways: {grown / max(held, 1) / 1024:.0f} KiB a terminal")
        print(f"    to connect: {spent / max(held, 1) * 1000:.2f} ms of processor time a terminal")
        await _changes(stack, house, held)


async def _connect(stack: AsyncExitStack, house: Cluster) -> tuple[int, str]:
    """Open sockets until there are enough or one is refused; gives the number and the reason."""
    held = 0
    loop = asyncio.get_running_loop()
    assert isinstance(loop, ManyAddresses)
    while held < TERMINALS:
        loop.source = f"127.0.{1 + held // SOCKETS_OF_ADDRESS}.1"
        # The gateways take turns without a balancer, from whose address all terminals would come.
        gateway = house.gateways[held // SOCKETS_OF_ACCOUNT % len(house.gateways)]
        # An account may have eight sockets.
        casino = await stack.enter_async_context(Casino(gateway.address))
        await patiently(casino.guest)
        wanted = min(SOCKETS_OF_ACCOUNT, TERMINALS - held)
        some = [casino.table(WATCHED, patience_seconds=20) for _ in range(wanted)]
        try:
            await asyncio.gather(*map(stack.enter_async_context, some))
        except Exception as error:  # noqa: BLE001 (what limits it is printed)
            return held, f"then: {type(error).__name__} {error}"
        held += len(some)
    return held, "no limit was met"


async def _changes(stack: AsyncExitStack, house: Cluster, held: int) -> None:
    """Let one player sit down and bet while all others watch."""
    casino = await stack.enter_async_context(Casino(house.gateways[0].address))
    await patiently(casino.guest)
    player = await stack.enter_async_context(casino.table(WATCHED))
    await player.sit(buy_in_cents=50_000)
    gateways, tables = sum(map(cpu_seconds, house.gateways)), sum(map(cpu_seconds, house.tables))
    presses = 20
    for number in range(presses):
        await player.bet(ante=1000 * (1 + number % 2))
        await asyncio.sleep(0.2)
    gateways = sum(map(cpu_seconds, house.gateways)) - gateways
    tables = sum(map(cpu_seconds, house.tables)) - tables
    print(
        f"    a change: {gateways / presses / max(held, 1) * 1e6:.0f} us of a gateway for each ",
        end="",
    )
    print(f"terminal, and {tables / presses * 1000:.1f} ms of the table process in all")


# Takeover --------------------------------------------------------------------------------


def measure_takeover() -> None:
    """Kill the process that runs a table, and wait for the next answer of that table."""
    with cluster(tables=3, gateways=1, durable=True) as house:
        seconds = asyncio.run(_takeovers(house))
    print(f"  {KILLS} kills: {times(seconds)}")


def measure_reconnection() -> None:
    """Kill the gateway of a terminal, and wait for the terminal's next answer through another."""
    with cluster(tables=1, gateways=2, durable=True) as house:
        seconds = asyncio.run(_reconnections(house))
    print(f"  {KILLS} kills: {times(seconds)}")


async def _reconnections(house: Cluster) -> list[float]:
    found = []
    async with AsyncExitStack() as stack:
        end = await seated(stack, house.address)
        for number in range(KILLS):
            await press(end, number)
            gateway = next(each for each in house.gateways if (each.health() or {})["sockets"])
            await asyncio.to_thread(gateway.kill)
            found.append(await press(end, number + 1))
            gateway.start()
            await asyncio.to_thread(gateway.wait_until_open)
    return found


async def _takeovers(house: Cluster) -> list[float]:
    found = []
    async with AsyncExitStack() as stack:
        end = await seated(stack, house.address)
        await press(end, 0)
        for number in range(1, KILLS + 1):
            owner = owner_of(house, end.public.table)
            await asyncio.to_thread(owner.kill)
            began = time.perf_counter()
            while True:
                try:
                    await press(end, number)
                    break
                except Refused:
                    await asyncio.sleep(0.02)
            found.append(time.perf_counter() - began)
            owner.start()
            await asyncio.to_thread(owner.wait_until_open)
    return found


def owner_of(house: Cluster, table: str) -> FloorProcess:
    """The process that holds a table's lease."""

    def holder() -> FloorProcess | None:
        rows = house.postgres.run(
            f"SELECT owner FROM streams WHERE name = 'table/{table}'", url=house.database
        )
        names = [str(owner) for (owner,) in rows]
        return next(
            (each for each in house.tables if names and names[0].startswith(each.name)), None
        )

    wait_for(holder, f"an owner of {table}")
    owner = holder()
    assert owner is not None
    return owner


# NOTIFY ----------------------------------------------------------------------------------


def measure_notify() -> None:
    """Commits of eight writers: plain, with NOTIFY inside, and told on the bus afterwards."""
    with postgres_server(durable=True) as server, nats_server() as nats:
        url = server.fresh_database()
        server.run(
            "CREATE TABLE log (stream int, version int, PRIMARY KEY (stream, version))", url=url
        )
        told = _Teller(nats.url)

        def plain(at: psycopg.Connection, stream: int, version: int) -> None:
            _commit(at, stream, version, notify=False)

        def inside(at: psycopg.Connection, stream: int, version: int) -> None:
            _commit(at, stream, version, notify=True)

        def afterwards(at: psycopg.Connection, stream: int, version: int) -> None:
            _commit(at, stream, version, notify=False)
            told.tell(stream, version)

        kinds: dict[str, Write] = {
            "plain": plain,
            "with NOTIFY": inside,
            "told afterwards": afterwards,
        }
        versions = count(1)
        rates: dict[str, list[float]] = {kind: [] for kind in kinds}
        with closing(psycopg.connect(url, autocommit=True)) as listener:
            listener.execute("LISTEN changed")
            for _ in range(3):
                for kind, write in kinds.items():
                    rates[kind].append(_written(url, write, versions))
        told.close()
    alone = statistics.median(rates["plain"])
    for kind, found in rates.items():
        rate = statistics.median(found)
        print(f"  {kind:16} {rate:8.0f} commits/s of {WRITERS} writers   ratio {rate / alone:.2f}")


def _commit(at: psycopg.Connection, stream: int, version: int, *, notify: bool) -> None:
    with at.transaction():
        at.execute("INSERT INTO log VALUES (%s, %s)", (stream, version))
        if notify:
            at.execute("SELECT pg_notify('changed', %s)", (f"{stream} {version}",))


def _written(url: str, write: Write, versions: "count[int]") -> float:
    """Commits a second of all writers together."""
    done = [0] * WRITERS
    until = time.perf_counter() + SECONDS / 3

    def work(stream: int) -> None:
        with closing(psycopg.connect(url, autocommit=True)) as at:
            while time.perf_counter() < until:
                write(at, stream, next(versions))
                done[stream] += 1

    threads = [threading.Thread(target=work, args=(stream,)) for stream in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / (SECONDS / 3)


class _Teller:
    """Publishes versions from its own loop."""

    def __init__(self, url: str) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._bus = NatsBus(NatsAddress(url=url), name="bench")
        asyncio.run_coroutine_threadsafe(self._bus.open(), self._loop).result(30)

    def tell(self, stream: int, version: int) -> None:
        publish = self._bus.publish(f"table.{stream}.changed", str(version))
        asyncio.run_coroutine_threadsafe(publish, self._loop)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._bus.close(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)


# What processes have used ----------------------------------------------------------------


def cpu_seconds(process: FloorProcess) -> float:
    """The processor time of a process so far."""
    assert process.process is not None
    fields = Path(f"/proc/{process.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_bytes(process: FloorProcess) -> int:
    """The memory of a process."""
    assert process.process is not None
    pages = int(Path(f"/proc/{process.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


PARTS = {
    "hop": measure_hop,
    "load": measure_load,
    "terminals": measure_terminals,
    "takeover": measure_takeover,
    "reconnection": measure_reconnection,
    "notify": measure_notify,
}


def main() -> None:
    """Measure every part, or those that are named."""
    # The processes of a house share their keys, and not those of this machine's user.
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = folder
        for name in os.environ.get("OPENFELT_BENCH_PARTS", " ".join(PARTS)).split():
            print(f"  {name}", flush=True)
            PARTS[name]()


if __name__ == "__main__":
    main()
