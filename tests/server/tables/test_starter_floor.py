"""The starter floor: once on an empty database, and never on another."""

import re
import sqlite3
from pathlib import Path

import pytest

from openfelt.catalog import load_catalog
from openfelt.rules.fingerprints import dealt_by_either, fingerprint
from openfelt.rules.house import DealerMode
from openfelt.runtime.streams import table_stream
from openfelt.server.accounts.events import AccountRole, PasswordState
from openfelt.server.accounts.sign_in import SignIn, new_account
from openfelt.server.tables.starter_floor import DEMONSTRATION, STARTER_TABLES, floor_catalog
from openfelt.storage.door import Unavailable
from tests.kit.docs import DOCS, read, sections
from tests.kit.floors import Shift
from tests.kit.repository import ROOT
from tests.kit.server.open_house import PASSWORD, OpenHouse, name_of, open_house


def test_houses_with_live_dealers_only_are_dealt_virtually_too() -> None:
    for name, house in load_catalog().houses.items():
        copy = dealt_by_either(house)
        assert copy.dealer_mode is not DealerMode.LIVE
        assert copy.fingerprint == fingerprint(copy)
        assert (copy == house) == (house.dealer_mode is not DealerMode.LIVE)
        assert (copy.wagers, copy.limits, copy.play) == (house.wagers, house.limits, house.play)
        assert floor_catalog(load_catalog(), starter=False).houses[name] is house


def test_the_pages_name_the_tables_of_the_floor() -> None:
    listed = re.findall(
        r"`([a-z]+-[0-9])`", sections(DOCS / "guides" / "serve.md")["The starter floor"]
    )
    assert set(listed) == {starter.table for starter in STARTER_TABLES}
    assert f"At `{DEMONSTRATION}` you are the dealer" in read(ROOT / "README.md")


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
        broken.setattr(SignIn, "open_supervisor", fail)
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


async def test_the_first_password_is_random_and_shown_once(tmp_path: Path) -> None:
    async with open_house(tmp_path, supervisor_password=None) as house:
        password = house.services.first_password
        assert password is not None
        client = await house.client()
        body = {"name": "supervisor", "password": password}
        assert (await client.post("/api/v1/sign-in", json=body)).json()["step"] == "password"
    async with open_house(tmp_path, supervisor_password=None) as house:
        assert house.services.first_password is None
    with sqlite3.connect(tmp_path / "felt.db") as database:
        assert password not in "\n".join(database.iterdump())


async def test_the_password_that_every_floor_once_had_is_replaced(tmp_path: Path) -> None:
    """A database of version 0.1 has the well-known password."""
    async with open_house(tmp_path, starter=False) as house:
        hashed = await house.services.passwords.hash("openfelt")
        decide = new_account(
            "supervisor",
            AccountRole.SUPERVISOR,
            by=None,
            hashed=hashed,
            state=PasswordState.WELL_KNOWN,
        )
        house.services.accounts.change("supervisor", decide)
    async with open_house(tmp_path, supervisor_password=None) as house:
        client = await house.client()
        known = {"name": "supervisor", "password": "openfelt"}
        assert (await client.post("/api/v1/sign-in", json=known)).status_code == 401
        own = known | {"password": house.services.first_password}
        assert (await client.post("/api/v1/sign-in", json=own)).json()["step"] == "password"


async def test_a_given_password_replaces_the_first_one_only(tmp_path: Path) -> None:
    for password in (None, PASSWORD, "a third one, too late"):
        async with open_house(tmp_path, supervisor_password=password) as house:
            if password is None:
                continue
            client = await house.client()
            body = {"name": "supervisor", "password": PASSWORD}
            assert (await client.post("/api/v1/sign-in", json=body)).json()["step"] is None


async def test_every_table_of_the_floor_can_be_played(house: OpenHouse) -> None:
    name = await name_of(await house.guest())
    for starter in STARTER_TABLES:
        if starter.house == "california" or starter.dealer_mode is DealerMode.LIVE:
            continue
        await house.sit(starter.table, name, 1, 10_000)
        await house.bet(starter.table, 1)
        assert await house.play(starter.table) == 1
