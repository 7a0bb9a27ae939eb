"""Endpoints of finished rounds, and who may read them."""

import json
from itertools import accumulate
from pathlib import Path

import httpx

from openfelt.maths import first_values, terms_of
from openfelt.maths.hands.starting_hands import cell_name, cell_of
from openfelt.rules import Check, CloseBets, MakeDecision
from openfelt.rules.wagers import Spot
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof_forms import read_proof
from openfelt.server.limits.rates import Rate
from openfelt.server.settings import Limits
from tests.kit.server.open_house import OpenHouse, name_of, open_house

TABLE = "draw-1"


async def two_players(house: OpenHouse) -> tuple[httpx.AsyncClient, httpx.AsyncClient]:
    """Ann and Bob have played one round together."""
    ann, bob = await house.guest(), await house.guest()
    await house.sit(TABLE, await name_of(ann), 1)
    await house.sit(TABLE, await name_of(bob), 2)
    await house.bet(TABLE, 1, 2)
    return ann, bob


async def test_an_own_round_is_listed_replayed_proved_and_verified(house: OpenHouse) -> None:
    guest = await house.guest()
    name = await name_of(guest)
    table = (await guest.post("/api/v1/tables/private", json={"house": "online"})).json()["table"]
    await house.sit(table, name, 1)
    await house.bet(table, 1)
    await house.play(table)
    (line,) = (await guest.get(f"/api/v1/tables/{table}/rounds")).json()
    credit = (await house.state(table)).seats[1].credit_cents
    assert line["round"] == f"{table}/1"
    assert line["credit_change_cents"] == credit - 50_000
    replay = (await guest.get(f"/api/v1/tables/{table}/rounds/1")).json()
    assert {key: replay[key] for key in ("credit_change_cents", "staked_cents", "void")} == {
        key: line[key] for key in ("credit_change_cents", "staked_cents", "void")
    }
    assert replay["replay"] is True
    assert replay["steps"][-1]["public"]["phase"] == "settled"
    assert replay["lines"]
    proof = await guest.get(f"/api/v1/tables/{table}/rounds/1/proof")
    assert proof.headers["content-type"] == "application/json"
    stranger = await house.client()
    verdict = (await stranger.post("/api/v1/verify", content=proof.content)).json()
    assert verdict["ok"]
    assert verdict["cards_checked"] >= 7
    assert verdict["problem"] is None


async def test_the_tables_with_rounds_of_a_player_come_in_one_request(house: OpenHouse) -> None:
    guest, bob = await house.guest(), await house.guest()
    name = await name_of(guest)
    own = (await guest.post("/api/v1/tables/private", json={"house": "online"})).json()["table"]
    for table in (own, TABLE):
        await house.sit(table, name, 1)
        await house.bet(table, 1)
        if table == own:
            await house.play(table)
    path = "/api/v1/played-tables"
    (played,) = (await guest.get(path)).json()
    assert (played["table"], played["house"], played["private"]) == (own, "online", True)
    assert played["last"] == (await guest.get(f"/api/v1/tables/{own}/rounds")).json()[0]
    assert played["visit"] == {
        "rounds": 1,
        "credit_change_cents": played["last"]["credit_change_cents"],
    }
    # A round in progress is no part of a history.
    await house.play(TABLE)
    assert [line["table"] for line in (await guest.get(path)).json()] == [TABLE, own]
    assert (await bob.get(path)).json() == []
    assert (await (await house.client()).get(path)).status_code == 401


async def test_the_course_of_a_visit_is_that_of_its_history(house: OpenHouse) -> None:
    ann, bob = await house.guest(), await house.guest()
    table = (await ann.post("/api/v1/tables/private", json={"house": "online"})).json()["table"]
    path = f"/api/v1/tables/{table}/visit"
    assert (await ann.get(path)).json() == {"rounds": 0, "credit_change_cents": 0, "points": []}
    await house.sit(table, await name_of(ann), 1)
    for _ in range(3):
        await house.bet(table, 1)
        await house.play(table)
    await house.bet(table, 1)  # A round in progress is no part of it.
    course = (await ann.get(path)).json()
    lines = (await ann.get(f"/api/v1/tables/{table}/rounds")).json()
    listed = [(line["number"], line["credit_change_cents"]) for line in reversed(lines)]
    assert [(point["number"], point["credit_change_cents"]) for point in course["points"]] == listed
    totals = list(accumulate(net_cents for _, net_cents in listed))
    assert [point["total_cents"] for point in course["points"]] == totals
    (played,) = (await ann.get("/api/v1/played-tables")).json()
    assert played["visit"] == {key: course[key] for key in ("rounds", "credit_change_cents")}
    assert (await bob.get(path)).status_code == 404
    assert (await (await house.client()).get(path)).status_code == 401


async def test_a_forged_proof_is_detected(house: OpenHouse) -> None:
    ann, _ = await two_players(house)
    await house.play(TABLE)
    path = f"/api/v1/tables/{TABLE}/rounds/1/proof"
    proof = json.loads((await ann.get(path)).text)
    shown = next(card for card in proof["cards"] if card["proof"])
    shown["proof"]["card"] = "As" if shown["proof"]["card"] != "As" else "Ks"
    client = await house.client()
    verdict = (await client.post("/api/v1/verify", json=proof)).json()
    assert not verdict["ok"]
    assert "which is not what" in verdict["problem"]
    proof["fingerprint"] = "0" * 64
    unknown = (await client.post("/api/v1/verify", json=proof)).json()
    assert "does not have the rules" in unknown["problem"]
    for nonsense in (b"", b"{}", b"[1, 2", b"\xff\xfe", b'{"a": 1, "a": 2}', b"[" * 5000):
        assert (await client.post("/api/v1/verify", content=nonsense)).json()["ok"] is False


async def test_a_player_cannot_read_the_rounds_of_another(house: OpenHouse) -> None:
    ann = await house.guest()
    await house.sit(TABLE, await name_of(ann), 1)
    await house.bet(TABLE, 1)
    await house.play(TABLE)
    bob, stranger = await house.guest(), await house.client()
    for path in ("rounds/1", "rounds/1/proof", "rounds/1/seeds"):
        assert (await ann.get(f"/api/v1/tables/{TABLE}/{path}")).status_code == 200
        assert (await bob.get(f"/api/v1/tables/{TABLE}/{path}")).status_code == 404
        assert (await stranger.get(f"/api/v1/tables/{TABLE}/{path}")).status_code == 401
    assert (await bob.get(f"/api/v1/tables/{TABLE}/rounds")).json() == []
    assert (await stranger.get(f"/api/v1/tables/{TABLE}/rounds")).status_code == 401


async def test_the_rounds_of_a_private_table_are_its_players_alone(house: OpenHouse) -> None:
    ann, bob = await house.guest(), await house.guest()
    table = (await ann.post("/api/v1/tables/private", json={"house": "online"})).json()["table"]
    assert (await ann.get(f"/api/v1/tables/{table}/rounds")).json() == []
    assert (await bob.get(f"/api/v1/tables/{table}/rounds")).status_code == 404
    listed = [line["table"] for line in (await bob.get("/api/v1/tables")).json()]
    assert table not in listed
    assert table in [line["table"] for line in (await ann.get("/api/v1/tables")).json()]


async def test_what_two_players_get_of_one_round_differs_by_their_hands(house: OpenHouse) -> None:
    ann, bob = await two_players(house)
    await house.play(TABLE)
    state = (await house.state(TABLE)).round
    assert state is not None
    for seat, client in enumerate((ann, bob), start=1):
        path = f"/api/v1/tables/{TABLE}/rounds/1"
        replay = (await client.get(path)).json()
        assert replay["seat"] == seat
        (hand,) = replay["steps"][-1]["own"].values()
        assert hand["cards"] == [str(card) for card in state.hands[Spot(seat, 1)].cards]


async def test_a_round_in_progress_is_refused(house: OpenHouse) -> None:
    ann, _ = await two_players(house)
    for path in ("rounds/1", "rounds/1/proof", "rounds/1/seeds"):
        answer = await ann.get(f"/api/v1/tables/{TABLE}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (409, "in_progress")
    listed = await ann.get(f"/api/v1/tables/{TABLE}/rounds")
    assert listed.json() == []
    await house.play(TABLE)
    listed = await ann.get(f"/api/v1/tables/{TABLE}/rounds")
    assert len(listed.json()) == 1


async def test_staff_get_the_public_proof_of_any_finished_round(house: OpenHouse) -> None:
    await two_players(house)
    eve = await house.supervisor()
    path = f"/api/v1/tables/{TABLE}/rounds/1/proof"
    assert (await eve.get(path)).json()["code"] == "no_proof"
    await house.play(TABLE)
    proof = await eve.get(path)
    assert (await eve.post("/api/v1/verify", content=proof.content)).json()["ok"]
    assert (await eve.get(f"/api/v1/tables/{TABLE}/rounds/9/proof")).status_code == 404
    assert (await eve.get("/api/v1/tables/nowhere/rounds/1/proof")).status_code == 404


async def test_the_proof_for_a_stadium_player_has_no_hands_of_others(house: OpenHouse) -> None:
    stadium = "stadium-1"

    guests = {seat: await house.guest() for seat in (3, 17)}
    for seat, guest in guests.items():
        await house.sit(stadium, await name_of(guest), seat)
    await house.bet(stadium, *guests)
    await house.play(stadium)
    hands = (await house.state(stadium)).round
    assert hands is not None
    path = f"/api/v1/tables/{stadium}/rounds/1/proof"
    for seat, guest in guests.items():
        answer = await guest.get(path)
        proof = answer.json()
        assert proof["spots"] == [f"{seat}.1"]
        assert {line["deck"] for line in proof["commitments"]} == {"table", f"seat-{seat}"}
        own = [line["proof"]["card"] for line in proof["cards"] if line["lies"] == "hand"]
        assert own == [str(card) for card in hands.hands[Spot(seat, 1)].cards]
        verdict = (await guest.post("/api/v1/verify", content=answer.content)).json()
        assert verdict["ok"]
        assert verdict["cards_checked"] + verdict["cards_never_shown"] == 9
        # What is checked without asking the server comes to the same.
        checked = check_round_proof(read_proof(answer.text), (await house.state(stadium)).house)
        assert (checked.cards, checked.decks) == (verdict["cards_checked"], 2)
    eve = await house.supervisor()
    assert (await eve.get(path)).json()["spots"] == ["3.1", "17.1"]


async def test_histories_come_in_pages_with_limits(house: OpenHouse) -> None:
    ann = await house.guest()
    await house.sit(TABLE, await name_of(ann), 1, 90_000)
    for _ in range(4):
        await house.bet(TABLE, 1)
        await house.play(TABLE)
    path = f"/api/v1/tables/{TABLE}/rounds"
    first = (await ann.get(path, params={"limit": 3})).json()
    assert [line["number"] for line in first] == [4, 3, 2]
    rest = (await ann.get(path, params={"limit": 3, "before": 2})).json()
    assert [line["number"] for line in rest] == [1]
    for wrong in ({"limit": 0}, {"limit": 101}, {"before": 0}, {"limit": "many"}):
        assert (await ann.get(path, params=wrong)).status_code == 422
    assert (await ann.get("/api/v1/tables/nowhere/rounds")).status_code == 404


async def test_histories_have_a_rate_limit(tmp_path: Path) -> None:
    limits = Limits(heavy=Rate(per_minute=6, burst=2))

    async with open_house(tmp_path, limits=limits) as house:
        ann = await house.guest()
        path = f"/api/v1/tables/{TABLE}/rounds"
        assert [(await ann.get(path)).status_code for _ in range(3)] == [200, 200, 429]


# The coach -------------------------------------------------------------------------------


async def test_the_coach_is_refused_at_a_shared_table_until_the_round_is_over(
    house: OpenHouse,
) -> None:
    """Other people's money is at such a table, or the house's: no advice while it is at stake."""
    table = "washington-1"
    ann, bob = await house.guest(), await house.guest()
    for seat, client in enumerate((ann, bob), start=1):
        await house.sit(table, await name_of(client), seat)
    await house.bet(table, 1, 2)
    path = f"/api/v1/tables/{table}/rounds/1/coach"
    await house.deal(table)
    await house.do(table, MakeDecision(Spot(1, 1), Check()), await name_of(ann))
    for client in (ann, bob):
        answer = await client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (409, "in_progress")
        assert '"ev' not in answer.text
    await house.play(table)
    hands = (await house.state(table)).round
    assert hands is not None
    for seat, client in enumerate((ann, bob), start=1):
        # Each player is told of their own hand, and of no other.
        first = (await client.get(path)).json()["decisions"][0]
        values = first_values(terms_of(hands.house))[
            cell_name(cell_of(hands.hands[Spot(seat, 1)].cards))
        ]
        assert {choice["ev_fraction"] for choice in first["choices"]} == {
            str(value) for value in values.values()
        }
    assert (await (await house.guest()).get(path)).status_code == 404
    assert (await (await house.client()).get(path)).status_code == 401
    assert (await (await house.supervisor()).get(path)).status_code == 404


async def test_at_a_private_table_the_coach_looks_at_each_decision_that_was_made(
    house: OpenHouse,
) -> None:
    ann = await house.guest()
    name = await name_of(ann)
    table = (await ann.post("/api/v1/tables/private", json={"house": "online"})).json()["table"]
    await house.sit(table, name, 1)
    await house.bet(table, 1)
    await house.do(table, CloseBets(), name)
    path = f"/api/v1/tables/{table}/rounds/1/coach"
    # The coach does not play: what is still to be decided is not priced.
    assert (await ann.get(path)).json() == {
        "round": f"{table}/1",
        "number": 1,
        "decisions": [],
        "missing": None,
    }
    await house.do(table, MakeDecision(Spot(1, 1), Check()), name)
    (first,) = (await ann.get(path)).json()["decisions"]
    assert (first["hand"], first["street"], first["by"]) == (1, "before_flop", "player")
    assert first["choices"][first["chosen"]]["kind"] == "check"
    bob = await house.guest()
    assert (await bob.get(path)).status_code == 404


async def test_the_coach_has_the_rate_limit_of_histories(tmp_path: Path) -> None:
    async with open_house(tmp_path, limits=Limits(heavy=Rate(per_minute=6, burst=2))) as house:
        ann = await house.guest()
        path = "/api/v1/tables/draw-1/rounds/1/coach"
        statuses = [(await ann.get(path)).status_code for _ in range(3)]
        assert statuses == [404, 404, 429]
