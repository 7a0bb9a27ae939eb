"""Pages of the lobby: tables, private tables and links."""

from pathlib import Path

from tests.server.open_house import OpenHouse, name_of, tell

TABLES = ["california-1", "draw-1", "stadium-1", "stadium-2", "washington-1"]


def test_the_tables_of_the_starter_floor(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        lines = (await (await house.client()).get("/api/tables")).json()
        assert [line["table"] for line in lines] == TABLES
        for line in lines:
            assert line["dealer_mode"] == "virtual"
            assert line["phase"] == "open"
            assert line["seats_taken"] == 0
            assert line["own_seat"] is None
            assert not line["private"]
            assert line["clock_seconds"] > 0
            assert 0 < line["min_cents"] <= line["max_cents"]
        by_name = {line["table"]: line for line in lines}
        assert by_name["washington-1"]["link"] == "house-link"
        assert by_name["washington-1"]["meter_cents"] == 1_000_000
        assert by_name["california-1"]["player_banked"]
        assert {line["table"]: line["enrolled_only"] for line in lines} == {
            "california-1": True,
            "draw-1": False,
            "stadium-1": True,
            "stadium-2": True,
            "washington-1": True,
        }

    tell(tmp_path, story)


def test_the_law_bounds_what_a_table_takes(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        lines = (await (await house.client()).get("/api/tables")).json()
        washington = next(line for line in lines if line["table"] == "washington-1")
        limits = (await house.state("washington-1")).house.limits[-1]
        assert limits.single_wager_max_cents is not None
        assert washington["max_cents"] * 4 <= limits.single_wager_max_cents

    tell(tmp_path, story)


def test_seats_that_are_taken_are_counted_and_the_own_one_is_shown(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        ann, bob = await house.guest(), await house.guest()
        await house.sit("stadium-1", await name_of(ann), 17)
        for client, seat in ((ann, 17), (bob, None)):
            lines = (await client.get("/api/tables")).json()
            stadium = next(line for line in lines if line["table"] == "stadium-1")
            assert (stadium["seats_taken"], stadium["own_seat"]) == (1, seat)

    tell(tmp_path, story)


def test_a_private_table_is_made_once(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        ann = await house.guest()
        name = await name_of(ann)
        body = {"house": "online"}
        first = (await ann.post("/api/tables/private", json=body)).json()
        assert first == {"table": f"private.online.{name}"}
        assert (await ann.post("/api/tables/private", json=body)).json() == first
        state = await house.state(first["table"])
        assert state.opened.private_to == name
        assert state.opened.clock is None

    tell(tmp_path, story)


def test_who_gets_no_private_table(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        client, guest, eve = await house.client(), await house.guest(), await house.supervisor()
        page = "/api/tables/private"
        assert (await client.post(page, json={"house": "online"})).status_code == 401
        assert (await eve.post(page, json={"house": "online"})).status_code == 403
        assert (await guest.post(page, json={"house": "nowhere"})).status_code == 404
        banked = await guest.post(page, json={"house": "california"})
        assert (banked.status_code, banked.json()["code"]) == (409, "not_private")
        assert (await guest.post(page, json={"house": 7})).status_code == 422
        assert (await guest.post(page, json={"house": "online", "x": 1})).status_code == 422

    tell(tmp_path, story)


def test_links_show_their_meters(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        (link,) = (await (await house.client()).get("/api/links")).json()
        assert link == {
            "link": "house-link",
            "meter_cents": 1_000_000,
            "seed_cents": 1_000_000,
            "phase": "open",
            "tables": ["washington-1"],
            "rounds": 0,
            "wins": 0,
        }

    tell(tmp_path, story)
