"""The whole floor as one answer: what is known, what is missing, and what wants a supervisor."""

import asyncio
from typing import Any

import httpx

from openfelt.server.supervision.alert_limits import AlertLimits, HouseAlerts
from openfelt.server.supervision.floor_figures import FloorFigures
from openfelt.server.supervision.floor_overview import TRUSTED_MS
from openfelt.server.supervision.table_alerts import MINUTE_MS
from openfelt.table.commands import ChangeDealer, Person, Role, TakeSeat
from tests.kit.server.open_house import OpenHouse, name_of

FLOOR = Person(Role.FLOOR, "supervisor")


async def look(house: OpenHouse, client: httpx.AsyncClient) -> dict[str, Any]:
    """The floor as it is now, and not a moment ago."""
    house.clock.pass_ms(TRUSTED_MS)
    answer = await client.get("/api/v1/floor")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def line(floor: dict[str, Any], table: str) -> dict[str, Any]:
    """One table of the floor."""
    found: dict[str, Any] = next(one for one in floor["tables"] if one["table"] == table)
    return found


async def test_a_table_is_shown_with_its_dealer_its_players_and_its_day(house: OpenHouse) -> None:
    supervisor = await house.supervisor()
    ann = await house.guest()
    await house.sit("stadium-1", await name_of(ann), 5)
    await house.bet("stadium-1", 5)
    at_stake = line(await look(house, supervisor), "stadium-1")
    assert (at_stake["round_phase"], at_stake["players"] >= 1) == ("wagering", True)
    assert at_stake["felt_cents"] > 0
    assert at_stake["figures"]["rounds"] == 0
    await house.play("stadium-1")
    floor = await look(house, supervisor)
    played = line(floor, "stadium-1")
    assert played["figures"]["rounds"] == played["figures"]["hour_rounds"] == 1
    assert played["figures"]["stakes_cents"] >= at_stake["felt_cents"]
    balance = house.services.store.balances("house:stadium-1")
    assert played["figures"]["win_cents"] == sum(balance.values())
    assert floor["totals"]["rounds"] == 1
    assert floor["totals"]["tables_missing"] == 0
    assert floor["supervisors"] == ["supervisor"]


async def test_a_dealer_is_shown_with_the_time_since_signing_on(house: OpenHouse) -> None:
    supervisor = await house.supervisor()
    await house.do("demo-1", ChangeDealer("dan"), FLOOR)
    since_ms = house.clock.wall_ms()
    house.clock.pass_ms(2000)
    table = line(await look(house, supervisor), "demo-1")
    assert (table["dealer"], table["dealer_since_ms"]) == ("dan", since_ms)


async def test_alerts_name_what_waits_for_the_floor(house: OpenHouse) -> None:
    supervisor = await house.supervisor()
    ann = await name_of(await house.guest())
    await house.do("demo-1", TakeSeat(1), ann)
    assert line(await look(house, supervisor), "demo-1")["alerts"] == [
        {"kind": "no_dealer", "count": 1, "since_ms": None}
    ]
    await house.do("demo-1", ChangeDealer("dan"), FLOOR)
    assert line(await look(house, supervisor), "demo-1")["alerts"] == []
    house.services.overview.alerts = HouseAlerts(AlertLimits(idle_minutes=1))
    house.clock.pass_ms(MINUTE_MS)
    floor = await look(house, supervisor)
    (idle,) = line(floor, "demo-1")["alerts"]
    assert idle["kind"] == "idle"
    assert idle["since_ms"] <= floor["at_ms"] - MINUTE_MS
    assert floor["alert_limits"] == {"idle_minutes": 1, "voids": 3, "corrections": 10}
    own = {"demo-1": AlertLimits(idle_minutes=0)}
    house.services.overview.alerts = HouseAlerts(AlertLimits(idle_minutes=1), own)
    assert line(await look(house, supervisor), "demo-1")["alerts"] == []


async def test_however_many_look_the_floor_is_counted_once_a_second(
    house: OpenHouse, monkeypatch: Any
) -> None:
    supervisor, counted = await house.supervisor(), []
    refresh = FloorFigures.refresh

    def count(figures: FloorFigures) -> None:
        counted.append(figures)
        refresh(figures)

    monkeypatch.setattr(FloorFigures, "refresh", count)
    answers = await asyncio.gather(*(supervisor.get("/api/v1/floor") for _ in range(10)))
    assert len({answer.text for answer in answers}) == 1
    assert len(counted) == 1
    await look(house, supervisor)
    assert len(counted) == 2


async def test_figures_that_cannot_be_counted_are_missing_and_not_zero(
    house: OpenHouse, monkeypatch: Any
) -> None:
    supervisor = await house.supervisor()
    monkeypatch.setattr(FloorFigures, "of", lambda *_: None)
    floor = await look(house, supervisor)
    assert {one["figures"] for one in floor["tables"]} == {None}
    assert floor["totals"]["tables_missing"] == len(floor["tables"])


async def test_a_supervisor_who_signs_out_is_no_longer_on_the_floor(house: OpenHouse) -> None:
    supervisor = await house.supervisor()
    account = {"name": "ada", "password": "seven green tables"}
    form = account | {"role": "auditor", "temporary": False}
    assert (await supervisor.post("/api/v1/accounts", json=form)).status_code == 200
    auditor = await house.client()
    assert (await auditor.post("/api/v1/sign-in", json=account)).status_code == 200
    assert (await look(house, auditor))["supervisors"] == ["supervisor"]
    await supervisor.post("/api/v1/sign-out")
    assert (await look(house, auditor))["supervisors"] == []
