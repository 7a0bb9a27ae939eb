"""What an operator does to accounts while no server runs, or while one does."""

import asyncio
from pathlib import Path

import pytest

from openfelt.server.accounts.accounts import CACHE_MS
from openfelt.server.errors import Denied
from openfelt.server.process.account_tools import set_password
from tests.kit.server.open_house import PASSWORD, open_house, signed_in


async def sign_in(folder: Path, name: str, password: str) -> None:
    async with open_house(folder, host="0.0.0.0", hosts=frozenset({"felt.example"})) as house:
        client = await house.client(base="http://felt.example")
        body = {"name": name, "password": password}
        assert (await client.post("/api/v1/sign-in", json=body)).status_code == 200
        assert (await client.get("/api/v1/me")).json()["role"] == "supervisor"


async def test_the_first_password_is_replaced(tmp_path: Path) -> None:
    async with open_house(tmp_path, supervisor_password=None):
        """The starter floor is set up."""
    database = str(tmp_path / "felt.db")
    assert not await asyncio.to_thread(set_password, database, "supervisor", PASSWORD)
    await sign_in(tmp_path, "supervisor", PASSWORD)


async def test_sessions_of_the_account_end(tmp_path: Path) -> None:
    database = str(tmp_path / "felt.db")
    async with open_house(tmp_path) as house:
        token = (await house.supervisor()).cookies["openfelt_session"]
    async with open_house(tmp_path) as house:
        client = await house.client()
        client.cookies.set("openfelt_session", token)
        assert await signed_in(client)
        # It is done from outside, and the server need not be stopped for it.
        await asyncio.to_thread(set_password, database, "supervisor", PASSWORD)
        house.clock.pass_ms(CACHE_MS)
        assert not await signed_in(client)
        body = {"name": "supervisor", "password": PASSWORD}
        assert (await client.post("/api/v1/sign-in", json=body)).status_code == 200


def test_reserved_names_are_refused(tmp_path: Path) -> None:
    database = str(tmp_path / "felt.db")
    for name in ("absence", "openfelt", "house-1"):
        with pytest.raises(Denied, match="This name is taken"):
            set_password(database, name, PASSWORD)
    assert set_password(database, "supervisor", PASSWORD)


async def test_an_empty_house_gets_its_first_supervisor(tmp_path: Path) -> None:
    async with open_house(tmp_path, starter=False):
        """The database is made."""
    database = str(tmp_path / "felt.db")
    assert await asyncio.to_thread(set_password, database, "eve", PASSWORD)
    assert not await asyncio.to_thread(set_password, database, "eve", PASSWORD + "!")
    with pytest.raises(LookupError, match="no account called bob"):
        await asyncio.to_thread(set_password, database, "bob", PASSWORD)
    await sign_in(tmp_path, "eve", PASSWORD + "!")


@pytest.mark.parametrize(("name", "password"), [("Eve", PASSWORD), ("eve", "short")])
def test_what_is_refused_changes_nothing(tmp_path: Path, name: str, password: str) -> None:
    with pytest.raises(Denied):
        set_password(str(tmp_path / "felt.db"), name, password)
    assert not (tmp_path / "felt.db").exists()
