"""Pages for whoever runs the server."""

from pathlib import Path

import pytest

from openfelt.rules import SetWagers
from openfelt.rules.wagers import Spot
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.worker import Stopped
from openfelt.storage.door import Unavailable
from tests.server.open_house import OpenHouse, name_of, tell


def test_a_server_that_is_well_says_so(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        answer = await (await house.client()).get("/healthz")
        assert answer.status_code == 200
        assert answer.json() == {
            "status": "ok",
            "tables_running": 5,
            "tables_stopped": [],
            "sockets": 0,
        }

    tell(tmp_path, story)


def test_a_stopped_table_and_a_lost_store_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(house: OpenHouse) -> None:
        client = await house.client()
        worker = (await house.premises.floor.mailbox("draw-1")).worker
        worker.stopped = Stopped(RuntimeCode.SHUFFLER_FAILED, "The shuffler has failed.")
        answer = await client.get("/healthz")
        assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
        assert answer.json()["tables_stopped"] == ["draw-1"]
        assert "openfelt_tables_stopped 1.0" in (await client.get("/metrics")).text

        def gone(_: str) -> None:
            raise Unavailable("The disk is gone.")

        with monkeypatch.context() as broken:
            broken.setattr(house.premises.store._store, "head", gone)  # type: ignore[attr-defined]
            answer = await client.get("/healthz")
            assert (answer.status_code, answer.json()["status"]) == (503, "failing")

    tell(tmp_path, story)


def test_metrics_count_what_happens(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        guest = await house.guest()
        name = await name_of(guest)
        await house.sit("draw-1", name, 1)
        refused = await house.ask("draw-1", SetWagers(Spot(2, 1), ()), name)
        assert refused.refused is not None
        await house.bet("draw-1", 1)
        await house.play("draw-1")
        text = (await guest.get("/metrics")).text
        for line in (
            'openfelt_rounds_total{state="opened"} 1.0',
            'openfelt_rounds_total{state="settled"} 1.0',
            f'openfelt_refusals_total{{code="{refused.refused}"}} 1.0',
            'openfelt_requests_total{method="POST",page="/api/guest",status="200"} 1.0',
            'openfelt_sign_ins_total{outcome="guest"} 1.0',
            "openfelt_tables_running 5.0",
            "openfelt_sockets 0.0",
        ):
            assert line in text.splitlines(), line
        assert "openfelt_commit_seconds_count" in text
        assert "openfelt_commands_total" in text

    tell(tmp_path, story)


def test_paths_that_people_make_up_do_not_fill_the_metrics(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        client = await house.client()
        for number in range(20):
            await client.get(f"/made-up-{number}")
            await client.get(f"/api/tables/made-up-{number}/rounds")
        assert "made-up" not in (await client.get("/metrics")).text

    tell(tmp_path, story)


def test_metrics_are_for_this_machine_and_for_staff(tmp_path: Path) -> None:
    async def story(house: OpenHouse) -> None:
        far = await house.client(address="10.0.0.9")
        assert (await far.get("/metrics")).status_code == 403
        await far.post("/api/guest")
        assert (await far.get("/metrics")).status_code == 403
        await far.post("/api/sign-in", json={"name": "supervisor", "password": "openfelt"})
        assert (await far.get("/metrics")).status_code == 200

    tell(tmp_path, story)
