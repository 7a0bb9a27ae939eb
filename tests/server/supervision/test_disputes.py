"""Disputes: what is frozen with one press stays, through purges, archives and time."""

import hashlib
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import pytest

from openfelt.runtime.archive.cut import movable
from openfelt.runtime.audit import audit
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof_forms import read_proof
from openfelt.runtime.rounds.purge import Purge
from openfelt.runtime.streams import dispute_stream
from openfelt.server.supervision import frozen_rounds
from openfelt.server.supervision.disputes import KEPT_MS
from openfelt.server.supervision.frozen_pictures import (
    RENDERER,
    PictureTitle,
    digest_of_picture,
    picture,
)
from tests.kit.audit.audited_floors import tamper
from tests.kit.server.open_house import OpenHouse, name_of

DAY_MS = 86_400_000


async def press(supervisor: httpx.AsyncClient, number: int, **form: Any) -> httpx.Response:
    """Open a dispute about a round of the stadium."""
    asked = {"table": "stadium-1", "round": number, "note": "Was it folded?"} | form
    return await supervisor.post("/api/v1/disputes", json=asked)


async def exported(client: httpx.AsyncClient, number: int = 1) -> tuple[dict[str, Any], Any]:
    """The export of a dispute, and the frozen round in it."""
    answer = await client.get(f"/api/v1/disputes/{number}/export")
    assert answer.status_code == 200, answer.text
    assert "attachment" in answer.headers["content-disposition"]
    export = answer.json()
    digest = hashlib.sha256(export["frozen"].encode()).hexdigest()
    assert digest == export["dispute"]["digest"] == export["record"][0]["body"]["digest"]
    return export, json.loads(export["frozen"])


def cards_in(steps: list[Any], spot: str) -> list[str | None]:
    """The cards of a hand at the end, as a view shows them."""
    own = steps[-1]["own"].get(spot)
    cards: list[str | None] = own["cards"] if own else []
    return cards


async def test_a_round_is_frozen_as_the_dealer_and_each_seat_saw_it(house: OpenHouse) -> None:
    supervisor = await house.supervisor()
    number = await house.stadium_round()
    opened = (await press(supervisor, number)).json()
    assert (opened["number"], opened["seats"], opened["by"]) == (1, [5, 9], "supervisor")
    assert opened["until_ms"] - opened["at_ms"] == KEPT_MS >= 365 * DAY_MS
    _, frozen = await exported(supervisor)
    for own, other in ((5, 9), (9, 5)):
        steps = (await seen_by(supervisor, own))["steps"]
        assert all(cards_in(steps, f"{own}.1"))
        assert cards_in(steps, f"{other}.1") == []
    dealer = await seen_by(supervisor, 0)
    assert all(step["own"] == {} for step in dealer["steps"])
    assert frozen["record"][0]["name"] == "round_opened"
    assert frozen["record"][-1]["name"] == "round_settled"
    rules = house.services.catalog.house(frozen["house"])
    assert check_round_proof(read_proof(json.dumps(frozen["proof"])), rules).cards > 0


async def seen_by(client: httpx.AsyncClient, seat: int) -> Any:
    """What a seat saw, as the page of a dispute asks for it."""
    answer = await client.get(f"/api/v1/disputes/1/views/{seat}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_each_picture_is_frozen_with_its_hash_and_drawn_from_the_frozen_view(
    house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    supervisor = await house.supervisor()
    await press(supervisor, await house.stadium_round())
    _, frozen = await exported(supervisor)
    # What a later version would draw is not what is printed.
    monkeypatch.setattr(frozen_rounds, "picture", lambda *_: "<svg>another drawing</svg>")
    for seat in (0, 5, 9):
        view = await seen_by(supervisor, seat)
        drawn = view["picture"]
        assert digest_of_picture(drawn) == view["picture_sha256"]
        assert (view["renderer"], frozen["renderer"]) == (RENDERER, RENDERER)
        ET.fromstring(drawn)
        whose = f"Seat {seat}, {view['player']}" if seat else "The dealer and every spectator"
        title = PictureTitle(
            table="stadium-1", round=frozen["round"], house=frozen["rules"]["name"], whose=whose
        )
        assert picture(title, view["steps"]) == drawn
        own = [card for hand in view["steps"][-1]["own"].values() for card in hand["cards"]]
        assert len(own) == (2 if seat else 0)
        assert drawn.count("rx='7'") >= len(own) + 7
    stored = frozen["views"]["seats"]["5"]
    assert json.dumps(stored["picture"]) in json.dumps(frozen)
    assert (await supervisor.get("/api/v1/disputes/1/views/6")).status_code == 404
    readings = [json.loads(one.body) for one in house.services.store.events("readings")]
    assert {"kind": "dispute", "subject": "1, seat 5"} in readings


async def test_a_hall_freezes_every_seat_and_writes_equal_values_once(house: OpenHouse) -> None:
    supervisor = await house.supervisor()
    seats = tuple(range(1, 19))
    for seat in seats:
        await house.sit("stadium-1", await name_of(await house.guest()), seat)
    await house.bet("stadium-1", *seats)
    opened = (await press(supervisor, await house.play("stadium-1"))).json()
    assert opened["seats"] == list(seats)
    _, frozen = await exported(supervisor)
    assert list(map(int, frozen["views"]["seats"])) == list(seats)
    views = [frozen["views"]["dealer"], *frozen["views"]["seats"].values()]
    named = [step["public"] for view in views for step in view["steps"]]
    boards = [value for value in frozen["shared"] if "common" in value]
    # Seats see the same board at the same time, which is written once.
    assert len(boards) == len(set(named)) < len(named) / 3
    assert len({json.dumps(value) for value in frozen["shared"]}) == len(frozen["shared"])
    last = await seen_by(supervisor, 18)
    assert all(cards_in(last["steps"], "18.1"))


async def test_a_second_press_gives_the_same_dispute(house: OpenHouse) -> None:
    supervisor = await house.supervisor()
    number = await house.stadium_round()
    first = (await press(supervisor, number)).json()
    again = (await press(supervisor, number, note="Once more")).json()
    assert again == first
    assert (await supervisor.get("/api/v1/disputes")).json() == [first]


async def test_only_a_finished_round_and_its_seats_are_frozen(house: OpenHouse) -> None:
    supervisor = await house.supervisor()
    number = await house.stadium_round()
    assert (await press(supervisor, number + 7)).status_code == 404
    assert (await press(supervisor, number, table="no-such-table")).status_code == 404
    await house.bet("stadium-1", 5)
    unfinished = await press(supervisor, number + 1)
    assert (unfinished.status_code, unfinished.json()["code"]) == (409, "not_frozen")
    assert (await supervisor.get("/api/v1/disputes")).json() == []


async def test_notes_and_the_outcome_are_added_and_never_changed(house: OpenHouse) -> None:
    supervisor = await house.supervisor()
    await press(supervisor, await house.stadium_round())
    note = {"note": "The video was seen."}
    assert (await supervisor.post("/api/v1/disputes/1/notes", json=note)).status_code == 200
    verdict = {"outcome": "rejected", "note": "It was folded."}
    decided = (await supervisor.post("/api/v1/disputes/1/outcome", json=verdict)).json()
    assert [entry["outcome"] for entry in decided["entries"]] == [None, "rejected"]
    other = {"outcome": "upheld", "note": "No, it was not."}
    second = await supervisor.post("/api/v1/disputes/1/outcome", json=other)
    assert (second.status_code, second.json()["code"]) == (409, "dispute_decided")
    later = (await supervisor.post("/api/v1/disputes/1/notes", json=note)).json()
    assert (later["outcome"], len(later["entries"])) == ("rejected", 3)
    export, _ = await exported(supervisor)
    assert [line["actor"] for line in export["record"]] == ["floor:supervisor"] * 4
    missing = await supervisor.post("/api/v1/disputes/2/notes", json=note)
    assert missing.status_code == 404


async def test_neither_the_purge_nor_an_archive_takes_what_is_frozen(house: OpenHouse) -> None:
    supervisor = await house.supervisor()
    number = await house.stadium_round()
    await press(supervisor, number)
    _, before = await exported(supervisor)
    services = house.services
    house.clock.pass_ms(200 * DAY_MS)
    purge = Purge(
        services.store, services.floor.worker_services.codec, services.round_reader, services.clock
    )
    assert purge.step("stadium-1", keep_days=90) == 1
    supervisor = await house.supervisor()
    assert (await exported(supervisor))[1] == before
    assert movable(services.store, {dispute_stream("1"): 1}) == {}
    assert audit(services.store).clean


async def test_a_frozen_round_that_was_exchanged_is_not_given_and_the_audit_finds_it(
    house: OpenHouse,
) -> None:
    supervisor = await house.supervisor()
    number = await house.stadium_round()
    await press(supervisor, number)
    assert audit(house.services.store).clean
    tamper(
        Path(house.services.settings.database),
        "DELETE FROM secrets WHERE stream = 'dispute/1'",
    )
    refused = await supervisor.get("/api/v1/disputes/1/export")
    assert refused.status_code == 503
    report = audit(house.services.store)
    assert any("frozen round of a dispute" in str(found) for found in report.findings)
