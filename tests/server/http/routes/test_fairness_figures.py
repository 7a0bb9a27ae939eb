"""Fairness and alerts over HTTP: what tables play is counted, and alerts have their supervisors."""

import asyncio
import threading

import pytest

from openfelt.runtime.audit import audit
from openfelt.server.supervision import alert_conditions, house_watch
from openfelt.server.supervision.house_watch import LOOKED_MS
from openfelt.server.supervision.real_play import fairness_watch
from tests.kit.server.open_house import OpenHouse, name_of

FAIRNESS = "/api/v1/floor/fairness"
ALERTS = "/api/v1/floor/alerts"


@pytest.fixture(autouse=True)
def unlimited_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine, a view waits until everything is counted."""
    monkeypatch.setattr(house_watch, "PATIENCE_SECONDS", None)


async def play_a_round(house: OpenHouse) -> None:
    ann = await name_of(await house.guest())
    await house.sit("stadium-1", ann, 5)
    await house.bet("stadium-1", 5)
    await house.play("stadium-1")


async def test_a_view_does_not_wait_for_the_mathematics(
    house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_watch, "PATIENCE_SECONDS", 0.1)
    compiled = asyncio.Event()
    house.services.watch.ready = compiled.wait
    sue = await house.supervisor()
    await play_a_round(house)
    while not (view := (await sue.get(FAIRNESS)).json())["behind"]:
        pass  # the record itself is not read yet
    assert view["rounds"] == 0
    assert (await sue.get(ALERTS)).json()["alerts"] == []
    compiled.set()
    monkeypatch.setattr(house_watch, "PATIENCE_SECONDS", None)
    view = (await sue.get(FAIRNESS)).json()
    assert (view["rounds"], view["behind"]) == (1, 0)


async def test_a_view_does_not_wait_for_the_history(
    house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_watch, "PATIENCE_SECONDS", 0.1)
    counting, go_on = threading.Event(), threading.Event()

    def slow(_: object) -> None:
        counting.set()
        go_on.wait()

    monkeypatch.setattr(fairness_watch, "compute_odds", slow)
    sue = await house.supervisor()
    await play_a_round(house)
    view = (await sue.get(FAIRNESS)).json()
    await asyncio.to_thread(counting.wait)
    view = (await sue.get(FAIRNESS)).json()
    go_on.set()
    assert view["rounds"] == 0
    assert view["behind"] > 0


async def test_rounds_are_compared_with_theory(house: OpenHouse) -> None:
    sue = await house.supervisor()
    ann = await name_of(await house.guest())
    await house.sit("stadium-1", ann, 5)
    for _ in range(3):
        await house.bet("stadium-1", 5)
        await house.play("stadium-1")
    house.clock.pass_ms(LOOKED_MS)
    view = (await sue.get(FAIRNESS)).json()
    assert (view["rounds"], view["behind"], view["decks"]) == (3, 0, 3)
    row = next(one for one in view["wagers"] if (one["kind"], one["wager"]) == ("table", "game"))
    assert (row["name"], row["basis"], row["rounds"]) == ("stadium-1", "best_play", 3)
    points = (await sue.get(f"{FAIRNESS}/series?kind=table&name=stadium-1&wager=game")).json()
    assert [point["rounds"] for point in points] == [1, 2, 3]
    assert points[-1]["win_cents"] == row["win_cents"]
    assert view["players"][0]["player"] == ann
    assert (await sue.get(f"{FAIRNESS}/series?kind=table&wager=nothing")).json() == []
    assert (await sue.get(f"{FAIRNESS}/series?kind=player&wager=game")).status_code == 422


async def test_an_idle_table_is_raised_seen_and_closed(house: OpenHouse) -> None:
    sue = await house.supervisor()
    ann = await name_of(await house.guest())
    await house.sit("stadium-1", ann, 5)
    house.clock.pass_ms(16 * 60_000)
    sue = await house.supervisor()
    view = (await sue.get(ALERTS)).json()
    (alert,) = view["alerts"]
    assert (alert["kind"], alert["subject"], alert["seen_by"]) == ("idle", "stadium-1", None)
    names = {one["name"]: one for one in view["settings"]}
    assert names["evidence_one_in"]["value"] == names["evidence_one_in"]["default"] == 10_000
    assert (await sue.get("/api/v1/floor")).json()["alerts_open"] == 1
    number = alert["number"]
    seen = (await sue.post(f"{ALERTS}/{number}/seen")).json()
    assert seen["seen_by"] == "supervisor"
    assert (await sue.post(f"{ALERTS}/{number}/close", json={"reason": ""})).status_code == 422
    closed = await sue.post(f"{ALERTS}/{number}/close", json={"reason": "A fire drill."})
    assert (closed.json()["closed_by"], closed.json()["reason"]) == ("supervisor", "A fire drill.")
    again = await sue.post(f"{ALERTS}/{number}/close", json={"reason": "Again."})
    assert again.json()["code"] == "alert_closed"
    house.clock.pass_ms(LOOKED_MS)
    view = (await sue.get(ALERTS)).json()
    assert [one["closed_by"] for one in view["alerts"]] == ["supervisor"]
    assert audit(house.services.store).clean


async def test_evidence_and_results_raise_alerts(house: OpenHouse) -> None:
    sue = await house.supervisor()
    ann = await name_of(await house.guest())
    await house.sit("stadium-1", ann, 5)
    await house.bet("stadium-1", 5)
    await house.play("stadium-1")
    house.clock.pass_ms(LOOKED_MS)
    await sue.get(FAIRNESS)
    watch = house.services.watch.fairness
    for _ in range(200):
        watch.players.players[ann].wins.add_symmetric(1)
    series = watch.subjects["table", "stadium-1"].wagers["game"]
    series.rounds, series.win_cents = alert_conditions.ROUNDS_MIN, -100_000_000
    house.clock.pass_ms(LOOKED_MS)
    kinds = {one["kind"]: one for one in (await sue.get(ALERTS)).json()["alerts"]}
    assert kinds["always_wins"]["subject"] == ann
    assert kinds["hold"]["subject"] == "table/stadium-1/game"
