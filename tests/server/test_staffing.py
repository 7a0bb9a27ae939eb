"""Setting passwords while no server runs."""

from pathlib import Path

import pytest

from openfelt.server.denied import Denied
from openfelt.server.staffing import set_password
from tests.server.open_house import PASSWORD, OpenHouse, tell


async def nothing(_: OpenHouse) -> None:
    """Only opening and closing matter."""


def signs_in(folder: Path, name: str, password: str) -> None:
    async def story(house: OpenHouse) -> None:
        client = await house.client(base="http://anywhere")
        body = {"name": name, "password": password}
        assert (await client.post("/api/sign-in", json=body)).status_code == 200
        assert (await client.get("/api/me")).json()["role"] == "supervisor"

    tell(folder, story, host="0.0.0.0")


def test_the_default_password_is_replaced(tmp_path: Path) -> None:
    tell(tmp_path, nothing)
    assert not set_password(str(tmp_path / "felt.db"), "supervisor", PASSWORD)
    signs_in(tmp_path, "supervisor", PASSWORD)


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
