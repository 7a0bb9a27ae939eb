"""A supervisor changes a table over REST: from the next round on, with a reason."""

from typing import Any

from httpx import AsyncClient

from openfelt.runtime.streams import table_stream
from openfelt.storage.codec import read_json
from tests.kit.server.open_house import OpenHouse

TABLE = "/api/v1/tables/t-1"


async def opened(eve: AsyncClient, house: str = "online") -> dict[str, Any]:
    """The terms of a new table."""
    form = {"table": "t-1", "house": house}
    assert (await eve.post("/api/v1/tables", json=form)).status_code == 200
    terms = (await eve.get(f"{TABLE}/terms")).json()
    assert isinstance(terms, dict)
    return terms


def wagers(terms: dict[str, Any], **limits: Any) -> list[dict[str, Any]]:
    """The wagers of a table as a form names them, some of them changed or, by None, left out."""
    return [
        {key: wager[key] for key in ("kind", "min_cents", "max_cents", "paytable")}
        | (limits.get(wager["kind"]) or {})
        for wager in terms["wagers"]
        if wager["offered"] and limits.get(wager["kind"], {}) is not None
    ]


def last_event(house: OpenHouse) -> tuple[str, dict[str, Any], str]:
    """The name, the body and the actor of the table's last change."""
    events = list(house.services.store.events(table_stream("t-1")))
    (*_, last) = (event for event in events if "change" in event.name)
    return last.name, read_json(last.body), last.cause.actor


async def test_limits_and_a_paytable_change_and_a_wager_is_withdrawn(house: OpenHouse) -> None:
    eve = await house.supervisor()
    terms = await opened(eve)
    trips = next(wager for wager in terms["wagers"] if wager["kind"] == "trips")
    other = next(name for name in trips["paytables"] if name != trips["paytable"])
    changed = wagers(terms, ante={"max_cents": 5_000}, trips={"paytable": other}, blind={})
    form = {"id": "1", "reason": "A quiet evening.", "house": "online", "wagers": changed}
    answer = await eve.post(f"{TABLE}/rules", json=form)
    assert answer.status_code == 200, answer.text
    after = {wager["kind"]: wager for wager in answer.json()["wagers"]}
    assert (after["ante"]["max_cents"], after["trips"]["paytable"]) == (5_000, other)
    name, body, actor = last_event(house)
    assert (name, body["before"]) == ("rules_changed", terms["fingerprint"])
    assert (body["reason"], actor.partition(":")[0]) == ("A quiet evening.", "floor")
    # The same press again changes nothing.
    assert (await eve.post(f"{TABLE}/rules", json=form)).status_code == 200
    # Trips is withdrawn, and offered again as the house has it.
    form = {**form, "id": "2", "wagers": wagers(answer.json(), trips=None)}
    view = (await eve.post(f"{TABLE}/rules", json=form)).json()
    assert not next(wager for wager in view["wagers"] if wager["kind"] == "trips")["offered"]
    again = [*wagers(view), {"kind": "trips", "min_cents": 500, "max_cents": 5_000}]
    form = {**form, "id": "3", "wagers": again}
    view = (await eve.post(f"{TABLE}/rules", json=form)).json()
    assert next(wager for wager in view["wagers"] if wager["kind"] == "trips")["offered"]


async def test_changes_that_are_impossible_are_refused(house: OpenHouse) -> None:
    eve = await house.supervisor()
    terms = await opened(eve)
    base = {"reason": "A try.", "house": "online"}
    inverted = {"min_cents": 9_000, "max_cents": 500}
    cases: list[tuple[dict[str, Any], int, str]] = [
        ({"wagers": wagers(terms, ante=None)}, 409, "bad_rules"),
        ({"wagers": wagers(terms, ante=inverted)}, 409, "bad_rules"),
        ({"wagers": wagers(terms, ante={"max_cents": 5_001})}, 409, "bad_rules"),
        ({"wagers": wagers(terms, trips={"paytable": "nothing"})}, 404, "not_found"),
        ({"house": "nowhere"}, 404, "not_found"),
        ({"house": "draw"}, 409, "bad_table"),
        ({"house": "california"}, 409, "bad_table"),
        ({"reason": " "}, 422, "malformed"),
    ]
    for number, (wrong, status, code) in enumerate(cases):
        form = {**base, "id": f"wrong {number}", **wrong}
        answer = await eve.post(f"{TABLE}/rules", json=form)
        assert (answer.status_code, answer.json()["code"]) == (status, code), wrong
    link = {"id": "link", "reason": "A try.", "link": "main"}
    answer = await eve.post(f"{TABLE}/link", json=link)
    assert answer.json()["code"] == "bad_table"
    assert (await eve.get(f"{TABLE}/terms")).json() == terms


async def test_a_clock_is_changed_and_players_are_told(house: OpenHouse) -> None:
    eve = await house.supervisor()
    await opened(eve)
    clock = {"wager_seconds": 40, "decision_seconds": 20}
    form = {"id": "1", "reason": "A slow evening.", "clock": clock}
    view = (await eve.post(f"{TABLE}/clock", json=form)).json()
    assert view["clock"] == clock
    notice = (await house.services.lobby.table("t-1")).terms.notice
    assert notice is not None
    assert (notice.round, notice.reason) == (1, "A slow evening.")
    name, body, _ = last_event(house)
    assert (name, body["clock"]) == ("clock_changed", clock)
