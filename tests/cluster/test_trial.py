"""Three table processes and two gateways on a real PostgreSQL and a real NATS, while each of them
fails: nothing that was answered is lost, nothing is done twice, and every cent is accounted for.

Players keep a journal of every command and answer on their own disk. It is compared with the
database by plain SQL, which imports nothing of the program, and then the program audits itself.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Self

import psycopg
import pytest

from openfelt.runtime.audit import audit
from openfelt.storage.addresses import open_store
from tests.independent.journal import Comparison, compare
from tests.kit.cluster.far_machine import far_machine, table_process_at
from tests.kit.cluster.players import Crowd
from tests.kit.cluster.processes import Cluster, FloorProcess, cluster, wait_for

LEASE_S = 5.0
"""How long a table process may be silent before its tables are taken over."""
CUT_OFF_S = 10.0
"""How long a process may be without the bus before its tables are taken over."""
PATIENCE_S = 240
FAULTS = int(os.environ.get("OPENFELT_FAULTS", "60"))
"""How many faults the longest trial has."""

logger = logging.getLogger(__name__)
Fault = Callable[[Cluster, Random], Awaitable[None]]


async def table_process_killed(house: Cluster, rng: Random) -> None:
    process = rng.choice(house.tables)
    process.kill()
    await asyncio.sleep(rng.random())
    await restarted(process)


async def table_process_away(house: Cluster, rng: Random) -> None:
    """Killed, and not started again until others play its tables."""
    process = rng.choice(house.tables)
    process.kill()
    await asyncio.sleep(LEASE_S + 2)
    await restarted(process)


async def table_process_asleep(house: Cluster, rng: Random) -> None:
    """Stopped for longer than its lease, and woken: it finds its tables with others."""
    process = rng.choice(house.tables)
    process.send(signal.SIGSTOP)
    await asyncio.sleep(LEASE_S + 2)
    process.send(signal.SIGCONT)


async def gateway_killed(house: Cluster, rng: Random) -> None:
    process = rng.choice(house.gateways)
    process.kill()
    await asyncio.sleep(rng.random())
    await restarted(process)


async def gateway_asleep(house: Cluster, rng: Random) -> None:
    process = rng.choice(house.gateways)
    process.send(signal.SIGSTOP)
    await asyncio.sleep(2 + rng.random())
    process.send(signal.SIGCONT)


async def cut_off_from_the_database(house: Cluster, rng: Random) -> None:
    process = rng.choice(house.tables)
    process.data_wire.cut()
    await asyncio.sleep(LEASE_S + 2)
    process.data_wire.mend()


async def database_does_not_answer(house: Cluster, rng: Random) -> None:
    """The connections stay open, and nothing comes through them for longer than the lease."""
    process = rng.choice(house.tables)
    process.data_wire.hang()
    await asyncio.sleep(LEASE_S + 2)
    process.data_wire.mend()


async def cut_off_from_the_bus(house: Cluster, rng: Random) -> None:
    process = rng.choice(house.processes)
    process.bus_wire.cut()
    await asyncio.sleep(2 + rng.random())
    process.bus_wire.mend()


async def bus_does_not_answer(house: Cluster, rng: Random) -> None:
    process = rng.choice(house.processes)
    process.bus_wire.hang()
    await asyncio.sleep(2 + rng.random())
    process.bus_wire.mend()


async def cut_off_from_the_bus_for_long(house: Cluster, rng: Random) -> None:
    """Until the others have taken its tables."""
    process = rng.choice(house.tables)
    process.bus_wire.cut()
    await asyncio.sleep(CUT_OFF_S + 4)
    process.bus_wire.mend()


async def gateway_without_the_bus_for_long(house: Cluster, rng: Random) -> None:
    process = rng.choice(house.gateways)
    process.bus_wire.hang()
    await asyncio.sleep(CUT_OFF_S + 4)
    process.bus_wire.mend()


async def nats_away(house: Cluster, rng: Random) -> None:
    """For longer than a process may be without the bus: all are, so no table moves."""
    house.nats.kill()
    await asyncio.sleep(CUT_OFF_S + 4 + rng.random())
    await asyncio.to_thread(house.nats.start)


async def nats_asleep(house: Cluster, rng: Random) -> None:
    house.nats.pause()
    await asyncio.sleep(7 + rng.random())
    house.nats.resume()


async def table_process_and_gateway_killed(house: Cluster, rng: Random) -> None:
    processes = (rng.choice(house.tables), rng.choice(house.gateways))
    for process in processes:
        process.kill()
    await asyncio.sleep(rng.random())
    for process in processes:
        await restarted(process)


async def killed_while_another_sleeps(house: Cluster, rng: Random) -> None:
    asleep, killed = rng.sample(house.tables, 2)
    asleep.send(signal.SIGSTOP)
    await asyncio.sleep(1)
    killed.kill()
    await asyncio.sleep(LEASE_S + 1)
    asleep.send(signal.SIGCONT)
    await restarted(killed)


async def rows_locked_by_another_program(house: Cluster, rng: Random) -> None:
    """A foreign transaction locks the rows of all leases for a while, and then goes away."""
    with closing(psycopg.connect(house.database)) as foreign:
        foreign.execute("SELECT name FROM streams WHERE name LIKE 'table/%' FOR UPDATE")
        await asyncio.sleep(2 + rng.random())


async def nats_killed(house: Cluster, rng: Random) -> None:
    house.nats.kill()
    await asyncio.sleep(rng.random())
    await asyncio.to_thread(house.nats.start)


async def postgres_killed(house: Cluster, rng: Random) -> None:
    await asyncio.to_thread(house.postgres.kill)
    await asyncio.sleep(rng.random())
    await asyncio.to_thread(house.postgres.start)


async def restarted(process: FloorProcess) -> None:
    process.start()
    await asyncio.to_thread(process.wait_until_open)


SHORT: tuple[Fault, ...] = (table_process_killed, gateway_killed, nats_killed)
LONGER: tuple[Fault, ...] = (
    table_process_asleep,
    postgres_killed,
    cut_off_from_the_database,
    cut_off_from_the_bus,
)
OTHERS: tuple[Fault, ...] = (
    table_process_away,
    gateway_asleep,
    database_does_not_answer,
    bus_does_not_answer,
)
SEVERAL: tuple[Fault, ...] = (
    cut_off_from_the_bus_for_long,
    gateway_without_the_bus_for_long,
    nats_away,
    nats_asleep,
    table_process_and_gateway_killed,
    killed_while_another_sleeps,
    rows_locked_by_another_program,
)


class ForeignTransaction:
    """A transaction that another program has left open for the whole trial: it has read, holds a
    snapshot and has a number, so that nothing newer counts as finished by all. It must hold nothing
    up."""

    def __init__(self, database: str) -> None:
        self._database = database

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def _open(self) -> None:
        self._connection = psycopg.connect(self._database)
        self._connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        self._connection.execute("SELECT count(*), pg_current_xact_id() FROM events")

    def open_again_if_lost(self) -> None:
        """Begin another one, if the database was killed meanwhile."""
        try:
            self._connection.execute("SELECT count(*) FROM events")
        except psycopg.OperationalError:
            self._connection.close()
            self._open()


async def trial(
    house: Cluster, file: Path, faults: tuple[Fault, ...], rng: Random, tables: list[str | None]
) -> Comparison:
    """Play while one thing after another fails; then hold the database against the journal."""
    crowd = Crowd(house.address, file, tables, seed=rng.getrandbits(32))
    with ForeignTransaction(house.database) as foreign:
        async with asyncio.timeout(PATIENCE_S):
            await crowd.sit_down()
            await crowd.play_on()
        for number, fault in enumerate(faults, start=1):
            logger.info("fault %d of %d: %s", number, len(faults), fault.__name__)
            async with asyncio.timeout(PATIENCE_S):
                await fault(house, rng)
                foreign.open_again_if_lost()
                await crowd.play_on()
        async with asyncio.timeout(PATIENCE_S):
            await crowd.leave()
    found = compare(house.database, [file])
    assert found.unanswered == 0, found
    assert found.accepted > len(tables) * len(faults)
    with closing(open_store(house.database)) as store:
        report = audit(store)
    assert report.clean, "\n".join(map(str, report.findings))
    return found


@pytest.mark.variant
def test_players_lose_nothing_when_a_process_or_the_bus_is_killed(tmp_path: Path) -> None:
    with cluster(warm=True) as house:
        tables: list[str | None] = [None, None, None, None]
        asyncio.run(trial(house, tmp_path / "journal", SHORT, Random(19), tables))


@pytest.mark.sweep
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("faults", [LONGER, OTHERS, SEVERAL])
def test_players_lose_nothing_whatever_fails(faults: tuple[Fault, ...], tmp_path: Path) -> None:
    with cluster(durable=True) as house:
        tables = [None, None, None, None, "stadium-1", "washington-1"]
        asyncio.run(trial(house, tmp_path / "journal", faults, Random(23), tables))


@pytest.mark.sweep
@pytest.mark.timeout(7200)
def test_players_lose_nothing_for_a_long_time(tmp_path: Path) -> None:
    rng = Random(31)
    faults = tuple(rng.choice(SHORT + LONGER + OTHERS + SEVERAL) for _ in range(FAULTS))
    with cluster(durable=True) as house:
        tables = [None] * 12 + ["stadium-1", "stadium-2", "washington-1", "draw-1"]
        asyncio.run(trial(house, tmp_path / "journal", faults, rng, tables))


@pytest.mark.sweep
@pytest.mark.timeout(1800)
def test_players_lose_nothing_when_the_cable_of_a_machine_is_pulled(tmp_path: Path) -> None:
    with (
        far_machine() as machine,
        cluster(tables=1, durable=True) as house,
        table_process_at(machine, house),
    ):

        def tables_there() -> int:
            rows = house.postgres.run(
                "SELECT count(*) FROM streams WHERE name LIKE 'table/%' AND owner = 'far'",
                url=house.database,
            )
            return int(rows[0][0])

        async def cable_pulled(_: Cluster, rng: Random) -> None:
            await asyncio.to_thread(wait_for, tables_there, "tables on the other machine")
            machine.pull_the_cable()
            gone = "the tables to come back"
            await asyncio.to_thread(wait_for, lambda: not tables_there(), gone)
            await asyncio.sleep(3 * LEASE_S * rng.random())
            machine.plug_it_in()

        tables: list[str | None] = [None] * 6
        faults: tuple[Fault, ...] = (cable_pulled,) * 3
        asyncio.run(trial(house, tmp_path / "journal", faults, Random(37), tables))
        wait_for(tables_there, "tables on the other machine")
