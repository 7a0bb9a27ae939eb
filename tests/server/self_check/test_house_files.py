"""A house file that was changed holds its tables until a supervisor accepts it, or it is back."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.streams import HOUSE_FILES_STREAM
from openfelt.server.self_check.house_files import house_hashes
from tests.kit.own_houses import house_document, toml_text
from tests.kit.server.open_house import OpenHouse, name_of, open_house

OWN = {"id": "riverside", "name": "Riverside"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two houses of the operator."""
    folder = tmp_path / "houses"
    folder.mkdir()
    (folder / "riverside.toml").write_text(toml_text(house_document("online", OWN)), "utf-8")
    hill = {"id": "hillside", "name": "Hillside"}
    (folder / "hillside.toml").write_text(toml_text(house_document("online", hill)), "utf-8")
    return folder


def change(folder: Path, house: str = "riverside", cents: int = 5_000) -> None:
    """Raise the most that may be bet."""
    base = {"id": house, "name": house.title(), "wagers.ante.max_cents": cents}
    (folder / f"{house}.toml").write_text(toml_text(house_document("online", base)), "utf-8")


def recorded(house: OpenHouse) -> list[tuple[str, Any]]:
    """What the record says of house files."""
    events = house.services.store.record(HOUSE_FILES_STREAM)
    return [(stored.name, json.loads(stored.body)["houses"]) for stored in events]


async def open_tables(house: OpenHouse, supervisor: httpx.AsyncClient) -> str:
    """A table of each own house, and one of a house that came with the program; gives a player."""
    player = await name_of(await house.guest())
    for name in ("riverside", "hillside", "online"):
        form = {"table": f"{name}-1", "house": name, "dealer_mode": "virtual"}
        answer = await supervisor.post("/api/v1/tables", json=form)
        assert answer.status_code == 200, answer.text
    return player


async def held(client: httpx.AsyncClient) -> list[str]:
    """The houses that are held, as the page of the auditor has it."""
    answer = (await client.get("/api/v1/software")).json()
    return [one["house"] for one in answer["held"]]


async def alerts(client: httpx.AsyncClient) -> dict[str, list[str]]:
    """By table, what wants a supervisor."""
    floor = (await client.get("/api/v1/floor")).json()
    return {
        table["table"]: [alert["kind"] for alert in table["alerts"]] for table in floor["tables"]
    }


async def test_a_change_while_the_server_runs_stops_the_tables_of_that_house(
    tmp_path: Path, folder: Path
) -> None:
    async with open_house(tmp_path, houses=folder) as house:
        supervisor = await house.supervisor()
        player = await open_tables(house, supervisor)
        assert [name for name, _ in recorded(house)] == ["house_files_accepted"]
        await house.sit("riverside-1", player, 1)
        await house.bet("riverside-1", 1)
        change(folder)
        house.services.house_files.check()
        # The round in progress is finished, and the next one does not begin.
        await house.play("riverside-1")
        with pytest.raises(AssertionError, match="house_held"):
            await house.bet("riverside-1", 1)
        assert await held(supervisor) == ["riverside"]
        house.clock.pass_ms(2_000)
        seen = await alerts(supervisor)
        assert "house_held" in seen["riverside-1"]
        assert "house_held" not in seen["hillside-1"] + seen["online-1"]
        await house.sit("hillside-1", await name_of(await house.guest()), 1)
        await house.bet("hillside-1", 1)
        assert recorded(house)[1:] == [
            ("house_files_changed", {"riverside": "Its file or a paytable was changed."})
        ]
        form = {"houses": ["riverside"], "reason": "The commission has approved it."}
        accepted = await supervisor.post("/api/v1/software/houses", json=form)
        assert accepted.json()["held"] == []
        await house.bet("riverside-1", 1)
        assert recorded(house)[2:] == [
            ("house_files_accepted", {"riverside": house_hashes(folder)["riverside"]}),
            ("house_files_changed", {}),
        ]
        again = await supervisor.post("/api/v1/software/houses", json=form)
        assert again.status_code == 409
        assert audit(house.services.store).clean


async def test_a_change_between_two_starts_is_noticed_and_an_accepted_file_may_come_back(
    tmp_path: Path, folder: Path
) -> None:
    before = (folder / "riverside.toml").read_text("utf-8")
    async with open_house(tmp_path, houses=folder) as house:
        await open_tables(house, await house.supervisor())
    change(folder)
    (folder / "hillside.toml").write_text("this is no house", "utf-8")
    (folder / "hillside.toml").rename(folder / "hillside.txt")
    async with open_house(tmp_path, houses=folder) as house:
        supervisor = await house.supervisor()
        assert await held(supervisor) == ["hillside", "riverside"]
        (folder / "riverside.toml").write_text(before, "utf-8")
        assert await held(supervisor) == ["hillside"]
        assert recorded(house)[-1][1].keys() == {"hillside"}
    async with open_house(tmp_path, houses=folder) as house:
        assert await held(await house.supervisor()) == ["hillside"]


async def test_a_paytable_beside_the_houses_counts_and_a_new_house_is_accepted_by_itself(
    tmp_path: Path, folder: Path
) -> None:
    async with open_house(tmp_path, houses=folder):
        """Both houses are loaded for the first time."""
    change(folder, "seaside")
    async with open_house(tmp_path, houses=folder) as house:
        assert await held(await house.supervisor()) == []
        tables = folder / "paytables"
        tables.mkdir()
        (tables / "own.toml").write_text("# a paytable", "utf-8")
        assert await held(await house.supervisor()) == ["hillside", "riverside", "seaside"]
