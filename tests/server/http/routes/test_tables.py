"""Endpoints of the lobby: tables, private tables and links."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from openfelt.rules import VoidRound
from openfelt.rules.wagers import WagerKind
from openfelt.table.commands import SYSTEM, EndTime
from tests.kit.server.open_house import OpenHouse, name_of, open_house
from tests.kit.tables import FLOOR

TABLES = ["california-1", "demo-1", "draw-1", "stadium-1", "stadium-2", "washington-1"]


async def test_the_tables_of_the_starter_floor(house: OpenHouse) -> None:
    lines = (await (await house.client()).get("/api/v1/tables")).json()
    assert [line["table"] for line in lines] == TABLES
    for line in lines:
        assert line["dealer_mode"] == ("live" if line["table"] == "demo-1" else "virtual")
        assert line["phase"] == "open"
        assert line["seats_taken"] == 0
        assert line["own_seat"] is None
        assert not line["private"]
        assert (line["clock_seconds"] is None) == (line["table"] == "demo-1")
        assert 0 < line["min_cents"] <= line["max_cents"]
    by_name = {line["table"]: line for line in lines}
    assert by_name["washington-1"]["link"] == "house-link"
    assert by_name["washington-1"]["meter_cents"] == 1_000_000
    assert by_name["california-1"]["player_banked"]
    assert {line["table"]: line["enrolled_only"] for line in lines} == {
        "california-1": True,
        "draw-1": False,
        "demo-1": True,
        "stadium-1": True,
        "stadium-2": True,
        "washington-1": True,
    }


async def test_the_law_bounds_what_a_table_takes(house: OpenHouse) -> None:
    lines = (await (await house.client()).get("/api/v1/tables")).json()
    washington = next(line for line in lines if line["table"] == "washington-1")
    limits = (await house.state("washington-1")).house.limits[-1]
    assert limits.single_wager_max_cents is not None
    assert washington["max_cents"] * 4 <= limits.single_wager_max_cents


async def test_seats_that_are_taken_are_counted_and_the_callers_is_shown(house: OpenHouse) -> None:
    ann, bob = await house.guest(), await house.guest()
    await house.sit("stadium-1", await name_of(ann), 17)
    for client, seat in ((ann, 17), (bob, None)):
        lines = (await client.get("/api/v1/tables")).json()
        stadium = next(line for line in lines if line["table"] == "stadium-1")
        assert (stadium["seats_taken"], stadium["own_seat"]) == (1, seat)
        assert stadium["own_credit_cents"] == (50_000 if seat else None)
        assert not stadium["own_in_play"]


async def test_the_lobby_tells_the_phase_the_time_left_and_what_the_caller_has_there(
    house: OpenHouse,
) -> None:
    guest = await house.guest()

    async def card() -> dict[str, Any]:
        lines = (await guest.get("/api/v1/tables")).json()
        return next(line for line in lines if line["table"] == "draw-1")

    await house.sit("draw-1", await name_of(guest), 1)
    assert ((await card())["round_phase"], (await card())["clock_left_ms"]) == (None, None)
    await house.bet("draw-1", 1)
    betting = await card()
    assert betting["round_phase"] == "wagering"
    assert 0 < betting["clock_left_ms"] <= betting["clock_seconds"] * 1000
    assert betting["own_staked_cents"] > 0
    assert betting["own_staked_cents"] + betting["own_credit_cents"] == 50_000
    state = await house.state("draw-1")
    assert state.clock is not None
    await house.do("draw-1", EndTime(state.clock.number), SYSTEM)
    playing = await card()
    assert playing["round_phase"] == "playing"
    # The two seconds in which terminals show the cards are not counted.
    assert 0 < playing["clock_left_ms"] <= 30_000


@pytest.mark.parametrize("name", ["draw", "online", "stadium", "washington"])
async def test_every_house_that_allows_it_can_be_played_alone(house: OpenHouse, name: str) -> None:
    guest = await house.guest()
    houses = {line["id"]: line for line in (await guest.get("/api/v1/houses")).json()}
    assert houses[name]["private_tables"]
    assert not houses["california"]["private_tables"]
    opened = await guest.post("/api/v1/tables/private", json={"house": name})
    table = opened.json()["table"]
    await house.sit(table, await name_of(guest), 1)
    await house.bet(table, 1)
    assert (await house.state(table)).clock is None, "it waits for its player"
    await house.play(table)
    assert len((await guest.get(f"/api/v1/tables/{table}/rounds")).json()) == 1


async def test_the_lobby_says_how_many_rounds_were_void_and_seeds_withheld(
    house: OpenHouse,
) -> None:
    guest = await house.guest()
    lines = (await guest.get("/api/v1/tables")).json()
    names = ("rounds", "rounds_voided", "rounds_withdrawn", "seeds", "seeds_withheld")
    counts = dict.fromkeys(names, 0)
    assert all(line["fairness"] == counts for line in lines)
    await house.sit("draw-1", await name_of(guest), 2)
    await house.bet("draw-1", 2)
    await house.do("draw-1", VoidRound("misdeal"), FLOOR)
    lines = (await guest.get("/api/v1/tables")).json()
    draw = next(line for line in lines if line["table"] == "draw-1")
    assert draw["fairness"] == counts | {"rounds_withdrawn": 1}


async def test_the_callers_seat_is_shown_with_its_credit_and_whether_a_hand_is_running(
    house: OpenHouse,
) -> None:
    ann, bob = await house.guest(), await house.guest()
    await house.sit("draw-1", await name_of(ann), 2)

    async def shown(client: httpx.AsyncClient) -> tuple[int | None, bool]:
        lines = (await client.get("/api/v1/tables")).json()
        line = next(line for line in lines if line["table"] == "draw-1")
        return line["own_credit_cents"], line["own_in_play"]

    assert await shown(ann) == (50_000, False)
    await house.bet("draw-1", 2)
    credit_cents = (await house.state("draw-1")).seats[2].credit_cents
    assert credit_cents < 50_000
    assert await shown(ann) == (credit_cents, True)
    assert await shown(bob) == (None, False)
    await house.play("draw-1")
    assert await shown(ann) == ((await house.state("draw-1")).seats[2].credit_cents, False)


async def test_a_private_table_is_made_once(house: OpenHouse) -> None:
    ann = await house.guest()
    name = await name_of(ann)
    body = {"house": "online"}
    first = (await ann.post("/api/v1/tables/private", json=body)).json()
    assert first == {"table": f"private.online.{name}"}
    assert (await ann.post("/api/v1/tables/private", json=body)).json() == first
    state = await house.state(first["table"])
    assert state.opened.private_to == name
    assert state.opened.clock is None


async def test_refused_private_tables(house: OpenHouse) -> None:
    client, guest, eve = await house.client(), await house.guest(), await house.supervisor()
    path = "/api/v1/tables/private"
    assert (await client.post(path, json={"house": "online"})).status_code == 401
    assert (await eve.post(path, json={"house": "online"})).status_code == 403
    assert (await guest.post(path, json={"house": "nowhere"})).status_code == 404
    banked = await guest.post(path, json={"house": "california"})
    assert (banked.status_code, banked.json()["code"]) == (409, "not_private")
    assert (await guest.post(path, json={"house": 7})).status_code == 422
    assert (await guest.post(path, json={"house": "online", "x": 1})).status_code == 422


async def test_a_house_of_the_players_own_is_played_by_its_own_rules(house: OpenHouse) -> None:
    ann = await house.guest()
    name = await name_of(ann)
    path = "/api/v1/tables/private"
    body = {"house": "online", "rules": {"paytables": {"trips": "UTH-05"}, "hands": 3}}
    table = (await ann.post(path, json=body)).json()["table"]
    assert table == f"private.online@own.{name}"
    state = await house.state(table)
    assert (state.opened.private_to, state.house.hands_per_seat) == (name, 3)
    assert state.house.hand_table(WagerKind.TRIPS).name == "UTH-05"
    sheet = f"/api/v1/houses/online?fingerprint={state.house.fingerprint}"
    assert (await ann.get(sheet)).json()["changes"] == [
        {"what": "hands", "wager": None, "value": "3", "usual": "1"},
        {"what": "paytable", "wager": "trips", "value": "UTH-05", "usual": "UTH-03"},
    ]
    # The house itself stays as it is, at the player's other table and in the lobby.
    usual = (await ann.post(path, json={"house": "online"})).json()["table"]
    assert (await house.state(usual)).house == house.services.catalog.houses["online"]
    assert (await ann.get("/api/v1/houses/online")).json()["changes"] == []
    own = {card["table"]: card["own_rules"] for card in (await ann.get("/api/v1/tables")).json()}
    assert (own[table], own[usual], own["draw-1"]) == (True, False, False)
    await house.sit(table, name, 1)
    await house.bet(table, 1)
    assert await house.play(table) == 1
    # There is one such table for each house: other rules apply there from the next round on.
    again = {"house": "online", "rules": {"paytables": {}}}
    assert (await ann.post(path, json=again)).json()["table"] == table
    changed = await house.state(table)
    assert (changed.house.hands_per_seat, changed.rounds) == (1, 1)
    listed = [card["table"] for card in (await ann.get("/api/v1/tables")).json()]
    assert sum(line.startswith("private.") for line in listed) == 2
    bob = await house.guest()
    assert (await bob.get(f"/api/v1/tables/{table}/rounds")).status_code == 404


REFUSED_RULES: list[Any] = [
    ({"house": "california", "rules": {}}, 409, "bad_rules"),
    ({"house": "online", "rules": {"paytables": {"trips": "UTH-99"}}}, 404, "not_found"),
    ({"house": "online", "rules": {"paytables": {"bonus": "UDP-01"}}}, 409, "bad_rules"),
    ({"house": "online", "rules": {"hands": 4}}, 422, None),
    ({"house": "online", "rules": {"seats": 4}}, 422, None),
    ({"house": "washington", "rules": {"paytables": {"progressive": "PRG-01"}}}, 409, "bad_rules"),
]


@pytest.mark.parametrize(("body", "status", "code"), REFUSED_RULES)
async def test_rules_that_cannot_be_are_refused(
    house: OpenHouse, body: dict[str, Any], status: int, code: str | None
) -> None:
    guest = await house.guest()
    answer = await guest.post("/api/v1/tables/private", json=body)
    assert answer.status_code == status
    assert code is None or answer.json()["code"] == code
    listed = [card["table"] for card in (await guest.get("/api/v1/tables")).json()]
    assert listed == TABLES


async def test_where_money_is_real_no_player_chooses_the_rules(tmp_path: Path) -> None:
    async with open_house(tmp_path, play_money=False) as house:
        client = await house.client()
        joined = {"name": "ann", "password": "correct horse battery"}
        assert (await client.post("/api/v1/sign-up", json=joined)).status_code == 200
        body = {"house": "online", "rules": {"paytables": {"trips": "UTH-05"}}}
        answer = await client.post("/api/v1/tables/private", json=body)
        assert (answer.status_code, answer.json()["code"]) == (409, "no_practice")
        assert (await client.get("/api/v1/houses/online/own-rules")).status_code == 404
        lines = (await client.get("/api/v1/houses")).json()
        assert not any(line["own_rules"] for line in lines)


async def test_what_may_be_chosen_is_told(house: OpenHouse) -> None:
    client = await house.client()
    told = (await client.get("/api/v1/houses/draw/own-rules")).json()
    assert told == {
        "house": "draw",
        "hands": 1,
        "hands_max": 3,
        "wagers": [
            {
                "wager": "bonus",
                "usual": "UDP-01",
                "names": ["UDP-01", "UDP-02", "UDP-03", "UDP-04"],
            }
        ],
    }
    assert (await client.get("/api/v1/houses/california/own-rules")).status_code == 404
    assert (await client.get("/api/v1/houses/nowhere/own-rules")).status_code == 404


async def test_links_show_their_meters(house: OpenHouse) -> None:
    (link,) = (await (await house.client()).get("/api/v1/links")).json()
    assert link == {
        "link": "house-link",
        "meter_cents": 1_000_000,
        "seed_cents": 1_000_000,
        "phase": "open",
        "tables": ["washington-1"],
        "rounds": 0,
        "wins": 0,
    }


# Tables that a supervisor opens ---------------------------------------------------------------

LIVE = {"table": "live-1", "house": "washington", "dealer_mode": "live", "link": "house-link"}


async def test_a_supervisor_opens_a_table_that_is_listed_at_once(house: OpenHouse) -> None:
    eve, guest = await house.supervisor(), await house.guest()
    before = [line["table"] for line in (await guest.get("/api/v1/tables")).json()]
    clock = {"wager_seconds": 30, "decision_seconds": 40}
    answer = await eve.post("/api/v1/tables", json=LIVE | {"clock": clock})
    assert (answer.status_code, answer.json()) == (200, {"table": "live-1"})
    lines = {line["table"]: line for line in (await guest.get("/api/v1/tables")).json()}
    assert sorted(lines) == sorted([*before, "live-1"])
    assert lines["live-1"]["dealer_mode"] == "live"
    assert lines["live-1"]["clock_seconds"] == 30
    assert lines["live-1"]["link"] == "house-link"
    opened = (await house.state("live-1")).opened
    assert opened.clock is not None
    assert opened.clock.decision_seconds == 40
    again = await eve.post("/api/v1/tables", json=LIVE | {"link": None})
    assert (again.status_code, again.json()["code"]) == (409, "table_exists")


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"house": "nowhere"}, 404, "not_found"),
        ({"table": "private.live.1"}, 403, "not_allowed"),
        ({"table": "Not A Name"}, 409, "bad_table"),
        ({"dealer_mode": None}, 409, "bad_table"),
        ({"dealer_mode": "either"}, 422, "malformed"),
        ({"house": "draw", "link": "house-link"}, 409, "bad_table"),
        ({"link": "no-link"}, 409, "no_such_link"),
        ({"clock": {"wager_seconds": 0, "decision_seconds": 9}}, 422, "malformed"),
        ({"seats": 9}, 422, "malformed"),
    ],
)
async def test_a_table_that_cannot_be_is_refused(
    house: OpenHouse, changes: dict[str, object], status: int, code: str
) -> None:
    eve = await house.supervisor()
    answer = await eve.post("/api/v1/tables", json=LIVE | changes)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    lines = (await eve.get("/api/v1/tables")).json()
    assert [line["table"] for line in lines] == TABLES
