"""Several servers on one PostgreSQL database: they start, share the tables, and leave."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from openfelt.runtime.cluster.identity import NameRefused
from openfelt.server.lifecycle import open_services
from openfelt.server.services import Services
from openfelt.server.settings import ClusterSettings, Settings
from openfelt.server.tables.starter_floor import STARTER_TABLES
from tests.kit.postgres_server import PostgresServer
from tests.kit.server.open_house import quick_passwords

TABLES = {starter.table for starter in STARTER_TABLES}
WITHIN_SECONDS = 60


class Cluster:
    """Servers on one database, each with a data folder of its own."""

    def __init__(self, database: str, folder: Path, stack: AsyncExitStack) -> None:
        self.database = database
        self._folder = folder
        self._stack = stack

    def settings(self, name: str, *, lease_ms: int = 1500) -> Settings:
        """The settings of one of them."""
        folder = self._folder / name
        folder.mkdir(exist_ok=True)
        return Settings(
            database=self.database,
            port=0,
            notary_key=folder / "felt.notary.key",
            notary_ms=200,
            cluster=ClusterSettings(name=name, folder=folder, lease_ms=lease_ms),
        )

    async def open(self, name: str) -> Services:
        """Open a server, which is closed after the test."""
        opening = open_services(self.settings(name), passwords=quick_passwords())
        return await self._stack.enter_async_context(opening)


@pytest.fixture
async def cluster(postgres: PostgresServer, tmp_path: Path) -> AsyncIterator[Cluster]:
    async with AsyncExitStack() as stack:
        yield Cluster(postgres.fresh_database(), tmp_path, stack)


async def until(condition: Callable[[], Awaitable[bool] | bool]) -> None:
    async with asyncio.timeout(WITHIN_SECONDS):
        while True:
            result = condition()
            if result if isinstance(result, bool) else await result:
                return
            await asyncio.sleep(0.05)


def shared(*servers: Services) -> Callable[[], bool]:
    """Whether the servers run all tables, each table once, and none has two more than another."""

    def are_shared() -> bool:
        running = [set(server.floor.running) for server in servers]
        sizes = [len(tables) for tables in running]
        return (
            set().union(*running) == TABLES
            and sum(sizes) == len(TABLES)
            and max(sizes) - min(sizes) <= 1
        )

    return are_shared


async def test_servers_start_together_on_an_empty_database(cluster: Cluster) -> None:
    one, two = await asyncio.gather(cluster.open("one"), cluster.open("two"))
    assert [one.first_password, two.first_password].count(None) == 1
    await until(shared(one, two))
    assert [member.name for member in one.store.members()] == ["one", "two"]


async def test_one_key_signs_although_each_server_has_a_folder(cluster: Cluster) -> None:
    one, two = await asyncio.gather(cluster.open("one"), cluster.open("two"))
    await until(lambda: (one.notary_health.status, two.notary_health.status) == ("ok", "ok"))
    await until(lambda: len(list(one.store.checkpoints())) >= 1)
    keys = [cluster.settings(name).notary_key for name in ("one", "two")]
    assert [key is not None and key.exists() for key in keys].count(True) == 1


async def test_a_server_that_joins_gets_its_share_and_one_that_leaves_gives_it_back(
    cluster: Cluster,
) -> None:
    one = await cluster.open("one")
    assert set(one.floor.running) == TABLES
    async with open_services(cluster.settings("two"), passwords=quick_passwords()) as two:
        await until(shared(one, two))
    await until(lambda: set(one.floor.running) == TABLES)
    assert [member.name for member in one.store.members()] == ["one"]


async def test_a_drained_server_hands_its_tables_over_and_gets_some_again(
    cluster: Cluster,
) -> None:
    one, two = await cluster.open("one"), await cluster.open("two")
    await until(shared(one, two))
    one.store.drain_member("two", drained=True)
    await until(lambda: not two.floor.running and set(one.floor.running) == TABLES)
    one.store.drain_member("two", drained=False)
    await until(shared(one, two))


async def test_two_living_servers_cannot_have_one_name(cluster: Cluster, tmp_path: Path) -> None:
    one = await cluster.open("one")
    elsewhere = Cluster(cluster.database, tmp_path / "elsewhere", AsyncExitStack())
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(NameRefused, match="Another server runs under the name one"):
        await elsewhere.open("one")
    assert one.ownership.abandoned == ()
    assert set(one.floor.running) == TABLES
