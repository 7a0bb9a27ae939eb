"""Setting passwords while no server runs."""

import asyncio
from pathlib import Path

import pytest

from openfelt.server.accounts.accounts import TRUSTED_MS
from openfelt.server.accounts.set_password import set_password
from openfelt.server.http.errors import Denied
from tests.kit.server.open_house import PASSWORD, OpenHouse, signed_in, tell


async def nothing(_: OpenHouse) -> None:
    """Only opening and closing matter."""


def signs_in(folder: Path, name: str, password: str) -> None:
    async def story(house: OpenHouse) -> None:
        client = await house.client(base="http://anywhere")
        body = {"name": name, "password": password}
        assert (await client.post("/api/v1/sign-in", json=body)).status_code == 200
        assert (await client.get("/api/v1/me")).json()["role"] == "supervisor"

    tell(folder, story, host="0.0.0.0")


def test_the_default_password_is_replaced(tmp_path: Path) -> None:
    tell(tmp_path, nothing)
    assert not set_password(str(tmp_path / "felt.db"), "supervisor", PASSWORD)
    signs_in(tmp_path, "supervisor", PASSWORD)


def test_whoever_was_signed_in_is_out(tmp_path: Path) -> None:
    database, tokens = str(tmp_path / "felt.db"), list[str]()

    async def sign_in(house: OpenHouse) -> None:
        tokens.append((await house.supervisor()).cookies["openfelt_session"])

    async def come_back(house: OpenHouse) -> None:
        client = await house.client()
        client.cookies.set("openfelt_session", tokens[0])
        assert await signed_in(client)
        # It is done from outside, and the server need not be stopped for it.
        await asyncio.to_thread(set_password, database, "supervisor", PASSWORD)
        house.clock.pass_ms(TRUSTED_MS)
        assert not await signed_in(client)
        body = {"name": "supervisor", "password": PASSWORD}
        assert (await client.post("/api/v1/sign-in", json=body)).status_code == 200

    tell(tmp_path, sign_in)
    tell(tmp_path, come_back)


def test_the_names_of_the_house_itself_are_nobodys(tmp_path: Path) -> None:
    database = str(tmp_path / "felt.db")
    for name in ("absence", "openfelt", "house-1"):
        with pytest.raises(Denied, match="Somebody has this name already"):
            set_password(database, name, PASSWORD)
    assert set_password(database, "supervisor", PASSWORD)


def test_an_empty_house_gets_its_first_supervisor(tmp_path: Path) -> None:
    tell(tmp_path, nothing, starter=False)
    database = str(tmp_path / "felt.db")
    assert set_password(database, "eve", PASSWORD)
    assert not set_password(database, "eve", PASSWORD + "!")
    with pytest.raises(LookupError, match="no account called bob"):
        set_password(database, "bob", PASSWORD)
    signs_in(tmp_path, "eve", PASSWORD + "!")


@pytest.mark.parametrize(("name", "password"), [("Eve", PASSWORD), ("eve", "short")])
def test_what_is_refused_changes_nothing(tmp_path: Path, name: str, password: str) -> None:
    with pytest.raises(Denied):
        set_password(str(tmp_path / "felt.db"), name, password)
    assert not (tmp_path / "felt.db").exists()
