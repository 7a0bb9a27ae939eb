"""A database administrator hides who did what: deletes, changes or moves the deeds of staff, or the
answers to commands. The audit finds every change, or the change has no effect."""

from contextlib import closing
from pathlib import Path

import pytest

from openfelt.runtime.audit import audit
from openfelt.storage import Cause, Store
from openfelt.storage.addresses import open_store
from openfelt.table.commands import CloseTable, Person, ReopenTable, Role
from tests.kit.server.open_house import PASSWORD, OpenHouse, open_house
from tests.kit.storage.store_places import Place

FLOOR = Person(Role.FLOOR, "supervisor")
STAFF = "actor LIKE 'floor:%' OR actor LIKE 'dealer:%'"


async def deeds(house: OpenHouse) -> None:
    """What staff do in a day: accounts, devices, tables, and commands at a table."""
    floor = await house.supervisor()
    for name, role in (("dora", "dealer"), ("carl", "player"), ("ed", "auditor")):
        form = {"name": name, "password": PASSWORD, "role": role}
        assert (await floor.post("/api/v1/accounts", json=form)).status_code == 200
    acts: tuple[tuple[str, dict[str, str] | None], ...] = (
        ("/api/v1/accounts/carl/bar", {"reason": "counted the drawer"}),
        ("/api/v1/accounts/carl/admit", None),
        ("/api/v1/accounts/carl/role", {"role": "dealer"}),
        ("/api/v1/tables", {"table": "back-room", "house": "online"}),
        ("/api/v1/terminals", {"label": "seat 4"}),
    )
    for path, body in acts:
        assert (await floor.post(path, json=body)).status_code == 200, path
    for _ in range(20):
        await house.do("back-room", CloseTable("count"), FLOOR)
        await house.do("back-room", ReopenTable(), FLOOR)
    await house.sit("back-room", "ann", 1)


@pytest.fixture
async def attacked(place: Place, tmp_path: Path) -> Place:
    """A database after a day's work."""
    async with open_house(tmp_path, database=str(place.address)) as house:
        house.services.floor.cashier.deposit("ann", 100_000, id="1")
        await deeds(house)
    return place


def findings(place: Place) -> list[str]:
    """What the audit finds."""
    with closing(open_store(str(place.address))) as store:
        return [str(finding) for finding in audit(store).findings]


def causes(store: Store, stream: str) -> list[tuple[str, Cause]]:
    """The events of a stream by name, with their causes."""
    return [(event.name, event.cause) for event in store.events(stream)]


async def test_every_event_names_who_caused_it(attacked: Place) -> None:
    assert findings(attacked) == []
    assert attacked.run("SELECT count(*) FROM events WHERE actor = ''") == [(0,)]
    assert attacked.run("SELECT count(*) FROM answers") == [(0,)]
    with closing(open_store(str(attacked.address))) as store:
        (opened, cause), *_ = causes(store, "table/back-room")
        assert (opened, cause.actor) == ("table_opened", "floor:supervisor")
        assert cause.terminal.startswith("session:")
        for name, wanted in (
            ("account_barred", "floor:supervisor"),
            ("account_role_given", "floor:supervisor"),
        ):
            (cause,) = [cause for event, cause in causes(store, "account/carl") if event == name]
            assert cause.actor == wanted
            assert "address:127.0.0.1" in cause.terminal
        (_, enrolled), *_ = causes(store, "terminals")
        assert enrolled.actor == "floor:supervisor"
        by_command = [cause for _, cause in causes(store, "table/back-room") if cause.digest]
        assert len({(cause.actor, cause.command) for cause in by_command}) == len(by_command) == 42


async def test_sign_ins_name_role_and_address(attacked: Place) -> None:
    with closing(open_store(str(attacked.address))) as store:
        (cause,) = [
            cause
            for name, cause in causes(store, "account/supervisor")
            if name == "account_session_opened"
        ]
    assert (cause.actor, cause.terminal) == ("floor:supervisor", "address:127.0.0.1")


async def test_deleted_deeds_of_staff(attacked: Place) -> None:
    ((count,),) = attacked.run(f"SELECT count(*) FROM events WHERE {STAFF}")
    assert count > 40
    attacked.run(f"DELETE FROM events WHERE {STAFF}")
    assert len(findings(attacked)) > 2


async def test_a_deed_laid_at_another_door(attacked: Place) -> None:
    where = (
        "stream = 'table/back-room' AND version ="
        " (SELECT max(version) FROM events WHERE name = 'table_reopened')"
    )
    parts = ("actor", "terminal", "command", "digest")
    ((*before,),) = attacked.run(f"SELECT {', '.join(parts)} FROM events WHERE {where}")
    undo = ", ".join(f"{part} = '{value}'" for part, value in zip(parts, before, strict=True))
    for change in (
        "actor = 'floor:somebody-else'",
        "actor = 'player:supervisor'",
        "terminal = 'session:0000000000000000'",
        "command = 'another'",
        "digest = 'another'",
        "digest = ''",
        "actor = '', terminal = '', command = '', digest = ''",
    ):
        attacked.run(f"UPDATE events SET {change} WHERE {where}")
        (first, *_) = findings(attacked)
        assert "table/back-room" in first
        assert "it has been changed" in first, change
        attacked.run(f"UPDATE events SET {undo} WHERE {where}")
    assert findings(attacked) == []


async def test_invented_answers_to_commands(attacked: Place) -> None:
    attacked.run(
        "INSERT INTO answers (stream, actor, command, digest, body) VALUES ('table/back-room',"
        f""" 'player:ann', 'next', '{"0" * 64}', '{{"version":3}}')"""
    )
    first, second = findings(attacked)
    assert "The answers of earlier versions have been changed." in first
    assert "player:ann's command next was added later" in second
