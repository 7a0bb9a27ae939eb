"""Fairness and alerts over HTTP: what tables play is counted, and alerts have their supervisors."""

import asyncio
import threading
from pathlib import Path

import pytest

from openfelt.cards import Card
from openfelt.rules import CloseBets, CorrectCard, DealCard, VoidRound
from openfelt.runtime.audit import audit
from openfelt.server.supervision import alert_conditions, house_watch
from openfelt.server.supervision.house_watch import LOOKED_MS
from openfelt.server.supervision.real_play import fairness_watch
from openfelt.table.commands import ChangeDealer, OpenBets, Person, Role
from openfelt.table.deck import deck_places
from tests.kit.server.open_house import OpenHouse, name_of, open_house
from tests.kit.tables import FLOOR

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

    def slow(*_: object) -> None:
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
    assert (view["rounds"], view["behind"], view["decks"]) == (3, 0, 6)
    row = next(one for one in view["wagers"] if (one["kind"], one["wager"]) == ("table", "game"))
    assert (row["name"], row["basis"], row["rounds"]) == ("stadium-1", "best_play", 3)
    points = (await sue.get(f"{FAIRNESS}/series?kind=table&name=stadium-1&wager=game")).json()
    assert [point["rounds"] for point in points] == [1, 2, 3]
    assert points[-1]["win_cents"] == row["win_cents"]
    assert view["players"][0]["player"] == ann
    assert (await sue.get(f"{FAIRNESS}/series?kind=table&wager=nothing")).json() == []
    assert (await sue.get(f"{FAIRNESS}/series?kind=player&wager=game")).status_code == 422


async def mishaps(house: OpenHouse, table: str, dealer: str, *, voids: int, fixes: int) -> None:
    """A dealer deals rounds that are declared void, with wrongly scanned cards in the first."""
    await house.do(table, ChangeDealer(dealer), FLOOR)
    dan = Person(Role.DEALER, dealer)
    for number in range(voids):
        await house.do(table, OpenBets(), dan)
        await house.bet(table, 1)
        await house.do(table, CloseBets(), dan)
        await house.do(table, DealCard(Card.parse("2c")), dan)
        for card in ("3d", "4h", "5s")[: fixes if number == 0 else 0]:
            state = (await house.state(table)).playing
            assert state is not None
            place = next(iter(deck_places(state.house, state.plan)))
            await house.do(table, CorrectCard(place, Card.parse(card)), dan)
        await house.do(table, VoidRound("The shuffler jammed."), FLOOR)
    await house.do(table, ChangeDealer(None), FLOOR)


async def test_many_voids_or_corrections_of_one_dealer_are_alerts(tmp_path: Path) -> None:
    limits = tmp_path / "alerts.toml"
    limits.write_text("voids = 0\ncorrections = 0\ndealer_voids = 3\ndealer_corrections = 2\n")
    async with open_house(tmp_path, alerts=limits) as house:
        sue = await house.supervisor()
        for table in ("pit-1", "pit-2"):
            form = {"table": table, "house": "washington", "dealer_mode": "live"}
            assert (await sue.post("/api/v1/tables", json=form)).status_code == 200
            await house.sit(table, await name_of(await house.guest()), 1)
        # Dora is below both limits at each table, and Dan passes one of them at both together.
        await mishaps(house, "pit-1", "dan", voids=2, fixes=0)
        await mishaps(house, "pit-2", "dan", voids=1, fixes=1)
        await mishaps(house, "pit-1", "dora", voids=2, fixes=1)

        async def found() -> dict[tuple[str, str], str]:
            house.clock.pass_ms(LOOKED_MS)
            alerts = (await sue.get(ALERTS)).json()["alerts"]
            return {(one["kind"], one["subject"]): one["detail"] for one in alerts}

        assert await found() == {("dealer_voids", "dan"): "3"}
        await mishaps(house, "pit-2", "dora", voids=1, fixes=1)
        assert await found() == {
            ("dealer_voids", "dan"): "3",
            ("dealer_voids", "dora"): "3",
            ("dealer_corrections", "dora"): "2",
        }
        raised = list(house.services.store.events("alert/house"))
        assert [one.name for one in raised] == ["alert_raised"] * 3


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
