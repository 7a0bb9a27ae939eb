"""The lobby knows tables that other processes run too."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.tables.floor import Floor
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.errors import Denied
from openfelt.server.tables.lobby import Lobby, may_look
from openfelt.storage.sqlite import SqliteStore
from openfelt.table.commands import Person, Role, TakeSeat
from tests.kit.floors import Shift, StandingClock
from tests.kit.postgres_server import PostgresServer
from tests.kit.server.open_house import OpenHouse, name_of, open_house

ANN, BOB = (Viewer(Person(Role.PLAYER, name)) for name in ("ann", "bob"))
EVE = Viewer(Person(Role.FLOOR, "eve"))


async def test_a_table_that_runs_elsewhere_is_read_from_its_record(tmp_path: Path) -> None:
    shift = Shift(tmp_path / "felt.db")
    desk = shift.open_table("washington")

    clock = StandingClock()
    floor = Floor(SqliteStore(tmp_path / "felt.db"), owner="other", clock=clock)
    lobby = Lobby(floor, clock)
    assert [one.id for one in await lobby.public_tables()] == ["table-1"]
    assert (await lobby.table("table-1")).seats == {}
    desk.do(TakeSeat(3), "ann")
    assert (await lobby.table("table-1")).seats == {}
    clock.pass_ms(10_000)
    assert list((await lobby.table("table-1")).seats) == [3]
    clock.pass_ms(10_000)
    assert list((await lobby.table("table-1")).seats) == [3]
    assert not floor.running
    shift.open_table("draw", name="table-2")
    clock.pass_ms(10_000)
    assert [one.id for one in await lobby.public_tables()] == ["table-1", "table-2"]
    with pytest.raises(Denied):
        await lobby.table("table-9")
    floor.worker_services.store.close()
    shift.close()


async def test_a_record_that_cannot_be_read_does_not_hide_other_tables(
    tmp_path: Path,
) -> None:
    async with open_house(tmp_path):
        """The starter floor is set up."""
    with closing(sqlite3.connect(tmp_path / "felt.db")) as database:
        database.execute("UPDATE events SET body = '{}' WHERE stream = 'table/draw-1'")
        database.commit()
    async with open_house(tmp_path) as house:
        client = await house.client()
        tables = [one["table"] for one in (await client.get("/api/v1/tables")).json()]
        assert tables == ["california-1", "demo-1", "stadium-1", "stadium-2", "washington-1"]
        health = (await client.get("/healthz")).json()
        assert (health["status"], health["tables_stopped"]) == ("degraded", ["draw-1"])


async def test_who_may_look_at_a_private_table(house: OpenHouse) -> None:
    guest = await house.guest()
    name = await name_of(guest)
    await guest.post("/api/v1/tables/private", json={"house": "online"})
    table = await house.state(f"private.online.{name}")
    assert may_look(table, Viewer(Person(Role.PLAYER, name)))
    assert may_look(table, EVE)
    assert not may_look(table, ANN)
    assert not may_look(table, None)
    assert not may_look(table, Viewer(Person(Role.DEALER, "dan")))
    public = await house.state("draw-1")
    assert all(may_look(public, viewer) for viewer in (ANN, BOB, EVE, None))
    with pytest.raises(Denied):
        await house.services.lobby.table_for(table.id, BOB)


@pytest.mark.parametrize("name", ["a\x00b", "A", "no such table", "\ud800", "x" * 65, ""])
async def test_a_name_that_no_table_can_have_is_not_found(
    tmp_path: Path, postgres: PostgresServer, name: str
) -> None:
    for database in (str(tmp_path / "felt.db"), postgres.fresh_database()):
        async with open_house(tmp_path, database=database) as house:
            with pytest.raises(Denied) as denied:
                await house.services.lobby.table_for(name, EVE)
            assert denied.value.status == 404
