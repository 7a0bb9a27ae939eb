"""The starter floor: once on an empty database, and never on another."""

import asyncio
from pathlib import Path

import pytest

from openfelt.catalog import load_catalog
from openfelt.catalog.houses import dealt_by_either, fingerprint
from openfelt.rules.house import DealerMode
from openfelt.server.accounts.sign_in import Door
from openfelt.server.process.starter_floor import STARTER_TABLES, floor_catalog
from openfelt.server.services import DefaultCredentials
from openfelt.storage.door import Unavailable
from tests.kit.floors import Shift
from tests.kit.server.open_house import OpenHouse, name_of, open_house, tell


def test_houses_that_know_live_dealers_only_are_dealt_by_either() -> None:
    for name, house in load_catalog().houses.items():
        copy = dealt_by_either(house)
        assert copy.dealer_mode is not DealerMode.LIVE
        assert copy.fingerprint == fingerprint(copy)
        assert (copy == house) == (house.dealer_mode is not DealerMode.LIVE)
        assert (copy.wagers, copy.limits, copy.play) == (house.wagers, house.limits, house.play)
        assert floor_catalog(load_catalog(), starter=False).houses[name] is house


def test_the_floor_is_set_up_once(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        streams = house.premises.store.streams()
        assert {f"table/{one.table}" for one in STARTER_TABLES} <= set(streams)
        assert "link/house-link" in streams
        assert set(house.premises.floor.running) == {one.table for one in STARTER_TABLES}

    tell(tmp_path, story)
    tell(tmp_path, story)


def test_an_interrupted_set_up_is_finished_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise Unavailable("The disk is full.")

    async def story(house: OpenHouse) -> None:
        lines = (await (await house.client()).get("/api/v1/tables")).json()
        assert len(lines) == len(STARTER_TABLES)
        await house.supervisor()

    with monkeypatch.context() as broken:
        broken.setattr(Door, "open_default_account", fail)
        with pytest.raises(Unavailable):
            tell(tmp_path, story)
    tell(tmp_path, story)


def test_a_database_in_use_gets_no_starter_floor(tmp_path: Path) -> None:
    shift = Shift(tmp_path / "felt.db")
    shift.open_table("washington", name="ours")
    shift.close()

    async def story(house: OpenHouse) -> None:
        assert list(house.premises.floor.running) == ["ours"]
        assert house.premises.store.streams("account/") == ()

    tell(tmp_path, story)


def test_nobody_beyond_this_machine_is_let_in_with_the_default_password(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        client = await house.client(base="http://anything")
        body = {"name": "supervisor", "password": "quite another one"}
        assert (await client.post("/api/v1/sign-in", json=body)).status_code == 200

    with pytest.raises(DefaultCredentials, match="--set-password supervisor"):
        tell(tmp_path, story, host="0.0.0.0")
    tell(tmp_path, story, host="0.0.0.0", supervisor_password="quite another one")
    tell(tmp_path, story, host="0.0.0.0")


def test_a_given_password_replaces_the_default_one_only(tmp_path: Path) -> None:
    async def nothing(_: OpenHouse) -> None:
        """Only the start matters."""

    async def story(house: OpenHouse) -> None:
        client = await house.client()
        body = {"name": "supervisor", "password": "quite another one"}
        assert (await client.post("/api/v1/sign-in", json=body)).status_code == 200

    tell(tmp_path, nothing, supervisor_password="quite another one")
    tell(tmp_path, story, supervisor_password="a third one, too late")


def test_every_table_of_the_floor_can_be_played(tmp_path: Path) -> None:
    async def run() -> None:
        async with open_house(tmp_path) as house:
            name = await name_of(await house.guest())
            for one in STARTER_TABLES:
                if one.house == "california":
                    continue
                await house.sit(one.table, name, 1, 10_000)
                await house.bet(one.table, 1)
                assert await house.play(one.table) == 1

    asyncio.run(run())
