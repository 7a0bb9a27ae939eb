"""The starter floor: once on an empty database, and never on another."""

from pathlib import Path

import pytest

from openfelt.catalog import load_catalog
from openfelt.catalog.fingerprints import dealt_by_either, fingerprint
from openfelt.rules.house import DealerMode
from openfelt.runtime.streams import table_stream
from openfelt.server.accounts.sign_in import SignIn
from openfelt.server.services import DefaultCredentials
from openfelt.server.tables.starter_floor import STARTER_TABLES, floor_catalog
from openfelt.storage.door import Unavailable
from tests.kit.floors import Shift
from tests.kit.server.open_house import OpenHouse, name_of, open_house


def test_houses_with_live_dealers_only_are_dealt_virtually_too() -> None:
    for name, house in load_catalog().houses.items():
        copy = dealt_by_either(house)
        assert copy.dealer_mode is not DealerMode.LIVE
        assert copy.fingerprint == fingerprint(copy)
        assert (copy == house) == (house.dealer_mode is not DealerMode.LIVE)
        assert (copy.wagers, copy.limits, copy.play) == (house.wagers, house.limits, house.play)
        assert floor_catalog(load_catalog(), starter=False).houses[name] is house


async def test_the_floor_is_set_up_once(tmp_path: Path) -> None:
    for _ in range(2):
        async with open_house(tmp_path) as house:
            streams = house.services.store.streams()
            tables = {starter.table for starter in STARTER_TABLES}
            assert set(map(table_stream, tables)) <= set(streams)
            assert "link/house-link" in streams
            assert set(house.services.floor.running) == tables


async def test_an_interrupted_set_up_is_finished_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise Unavailable("The disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(SignIn, "open_default_account", fail)
        with pytest.raises(Unavailable):
            async with open_house(tmp_path):
                pytest.fail("The server has started.")
    async with open_house(tmp_path) as house:
        lines = (await (await house.client()).get("/api/v1/tables")).json()
        assert len(lines) == len(STARTER_TABLES)
        await house.supervisor()


async def test_a_database_in_use_gets_no_starter_floor(tmp_path: Path) -> None:
    shift = Shift(tmp_path / "felt.db")
    shift.open_table("washington", name="ours")
    shift.close()

    async with open_house(tmp_path) as house:
        assert list(house.services.floor.running) == ["ours"]
        assert house.services.store.streams("account/") == ()


async def test_the_default_password_is_for_a_local_server_only(
    tmp_path: Path,
) -> None:
    with pytest.raises(DefaultCredentials, match="--set-password supervisor"):
        async with open_house(tmp_path, host="0.0.0.0"):
            pytest.fail("The server has started.")
    # It is given once; the next start finds it in the database.
    for password in ("quite another one", None):
        async with open_house(tmp_path, host="0.0.0.0", supervisor_password=password) as house:
            client = await house.client(base="http://anything")
            body = {"name": "supervisor", "password": "quite another one"}
            assert (await client.post("/api/v1/sign-in", json=body)).status_code == 200


async def test_a_given_password_replaces_the_default_one_only(tmp_path: Path) -> None:
    async with open_house(tmp_path, supervisor_password="quite another one"):
        """Only the start matters."""
    async with open_house(tmp_path, supervisor_password="a third one, too late") as house:
        client = await house.client()
        body = {"name": "supervisor", "password": "quite another one"}
        assert (await client.post("/api/v1/sign-in", json=body)).status_code == 200


async def test_every_table_of_the_floor_can_be_played(house: OpenHouse) -> None:
    name = await name_of(await house.guest())
    for starter in STARTER_TABLES:
        if starter.house == "california":
            continue
        await house.sit(starter.table, name, 1, 10_000)
        await house.bet(starter.table, 1)
        assert await house.play(starter.table) == 1
