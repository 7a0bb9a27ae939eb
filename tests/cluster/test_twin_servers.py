"""Two servers of one house that both take callers and run tables, as ``openfelt serve`` does."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from functools import partial

import pytest

from openfelt.client import Casino, Terminal
from openfelt.runtime.streams import link_stream
from openfelt.server.settings import ServerRole
from openfelt.server.tables.room import Room
from openfelt.server.tables.starter_floor import LINK
from openfelt.storage.addresses import open_store
from openfelt.storage.door import Store
from tests.kit.cluster.shared_house import SharedHouse, phase_of, play_a_round
from tests.kit.nats_server import NatsServer
from tests.kit.postgres_server import PostgresServer
from tests.kit.server.open_house import PASSWORD

PATIENCE_SECONDS = 60
COUNTED = "link_round_counted"


class Twins:
    """Both servers by their names, and their store."""

    def __init__(self, addresses: dict[str, str], store: Store) -> None:
        self.addresses = addresses
        self.store = store

    def owner(self, table: str) -> str | None:
        """The server that runs a table now."""
        leases = self.store.held_leases(f"table/{table}")
        held = {lease.stream: lease.owner for lease in leases if lease.left_ms}
        return held.get(f"table/{table}")

    def other(self, table: str) -> str:
        """The address of the server that does not run a table."""
        (name,) = self.addresses.keys() - {self.owner(table)}
        return self.addresses[name]

    def shared_out(self) -> bool:
        """Whether each of them runs half of the starter floor."""
        owners = [lease.owner for lease in self.store.held_leases("table/") if lease.left_ms]
        return all(owners.count(name) >= 3 for name in self.addresses)


async def until(ready: Callable[[], bool]) -> None:
    """Wait for something that no terminal shows."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not ready():  # noqa: ASYNC110 (the database does not say when it has changed)
            await asyncio.sleep(0.05)


@pytest.fixture(scope="module")
def twins(
    tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer, nats: NatsServer
) -> Iterator[Twins]:
    house = SharedHouse(tmp_path_factory.mktemp("twins"), postgres, nats)
    with (
        house.serving("first", ServerRole.BOTH) as first,
        house.serving("second", ServerRole.BOTH) as second,
        closing(open_store(house.database)) as store,
    ):
        yield Twins({"first": first, "second": second}, store)


@contextlib.asynccontextmanager
async def same_caller(casino: Casino, address: str) -> AsyncIterator[Casino]:
    """The caller of one server at the other one, without signing in again."""
    async with Casino(address) as other:
        other._http.cookies.update(casino._http.cookies)
        yield other


async def test_a_player_of_one_server_plays_and_watches_at_tables_of_the_other(
    twins: Twins,
) -> None:
    await until(twins.shared_out)
    owner = twins.owner("washington-1")
    assert owner is not None
    async with Casino(twins.other("washington-1")) as there, Casino(twins.addresses[owner]) as here:
        for casino in (there, here):
            await casino.guest()
            assert {"washington-1", "stadium-1"} <= {
                each["table"] for each in await casino.tables()
            }
        async with there.table("washington-1") as table, here.table("washington-1") as watched:
            await table.sit(buy_in_cents=50_000)
            await play_a_round(table)
            await watched.until(lambda now: phase_of(now) == "settled")
            assert table.private.credit_cents == 50_000 + table.private.net_cents
            await table.leave()


async def test_a_private_table_is_played_at_the_server_that_granted_it(twins: Twins) -> None:
    """One of the two servers runs it, and the player gets there through either of them."""
    first, second = twins.addresses.values()
    async with Casino(first) as casino:
        await casino.guest()
        name = await casino.private_table("online")
        async with casino.table(name) as table:
            await table.sit(buy_in_cents=50_000)
            await play_a_round(table)
            credit = table.private.credit_cents
        async with same_caller(casino, second) as other:
            assert name in {each["table"] for each in await other.tables()}
            assert await other.private_table("online") == name
            async with other.table(name) as again:
                assert again.private.credit_cents == credit
                await play_a_round(again)


async def test_the_meter_of_a_link_moves_on_all_screens(
    twins: Twins, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round at one table reaches viewers of another table of the link, at both servers."""
    # Every second a room sends all that has changed; without it, only the meter is sent.
    monkeypatch.setattr(Room, "refresh", lambda _: None)
    first, second = twins.addresses.values()
    async with Casino(first) as casino, Casino(second) as other:
        await casino.sign_in("supervisor", PASSWORD)
        form = {"table": "washington-2", "house": "washington", "dealer_mode": "virtual"}
        await casino.post("/api/v1/tables", form | {"link": LINK})
        for each in (casino, other):
            await each.guest()
        async with (
            casino.table("washington-1") as here,
            other.table("washington-1") as there,
            casino.table("washington-2") as table,
        ):
            before = [viewer.public.meter_cents for viewer in (here, there)]
            await table.sit(buy_in_cents=50_000)
            await play_a_round(table, ante=1000, progressive=100)
            async with asyncio.timeout(PATIENCE_SECONDS):
                for viewer, cents in zip((here, there), before, strict=True):
                    await viewer.until(partial(_has_other_meter, cents))
            assert here.public.meter_cents == there.public.meter_cents
            await until(lambda: counted_rounds(twins.store) == ["washington-2"])


def _has_other_meter(cents: int | None, viewer: Terminal) -> bool:
    return viewer.public.meter_cents != cents


def counted_rounds(store: Store) -> list[str]:
    """The tables whose rounds the record of the link has counted."""
    events = store.events(link_stream(LINK))
    return [json.loads(each.open_body)["table"] for each in events if each.name == COUNTED]
