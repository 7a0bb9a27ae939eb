"""The services of several servers on one PostgreSQL database."""

from pathlib import Path

from openfelt.table.commands import LeaveSeat
from tests.kit.floors import StandingClock, until
from tests.kit.postgres_server import PostgresServer
from tests.kit.server.open_house import PASSWORD, name_of, open_house, signed_in

ANN = {"name": "ann", "password": PASSWORD}


async def test_two_servers_share_accounts_sessions_and_tables(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    database, clock = postgres.fresh_database(), StandingClock()

    async with (
        open_house(tmp_path, clock=clock, database=database) as first,
        open_house(tmp_path, clock=clock, database=database) as second,
    ):
        # The second one is to take no tables from the first.
        store, name = first.services.store, second.services.ownership.name
        assert store.drain_member(name, drained=True)
        await until(lambda: len(first.services.floor.running) == 6)
        assert len(second.services.floor.running) == 0
        here, there = await first.client(), await second.client()
        opened = await here.post("/api/v1/sign-up", json=ANN)
        there.cookies.update(opened.cookies)
        assert await name_of(there) == "ann"
        await first.sit("draw-1", "ann", 4)
        clock.pass_ms(10_000)
        lines = (await there.get("/api/v1/tables")).json()
        assert [line["own_seat"] for line in lines if line["table"] == "draw-1"] == [4]
        moved = await second.ask("draw-1", LeaveSeat(4), "ann")
        assert moved.refused == "moved"
        await there.post("/api/v1/sign-out")
        clock.pass_ms(1001)
        assert not await signed_in(here)
