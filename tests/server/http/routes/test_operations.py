"""Endpoints for operators: health and metrics."""

import asyncio
import shutil
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from openfelt.rules import SetWagers
from openfelt.rules.wagers import Spot
from openfelt.runtime.audit import audit
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.tables.floor import LEASE_MS
from openfelt.runtime.tables.stops import StopReason
from openfelt.server.store.store_health import CACHE_MS
from openfelt.storage.door import Unavailable
from openfelt.storage.sqlite import SqliteStore
from tests.kit.server.open_house import PASSWORD, SUPERVISOR, OpenHouse, name_of, open_house


async def test_a_healthy_server_is_ok(house: OpenHouse) -> None:
    answer = await (await house.client()).get("/healthz")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ok",
        "tables_running": 6,
        "tables_stopped": [],
        "private_tables_stopped": 0,
        "tables_abandoned": [],
        "private_tables_abandoned": 0,
        "notary": "off",
        "clock": "ok",
        "bus": "none",
        "sockets": 0,
    }


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (((), False, True), (200, "ok", "ok")),
        ((("east", "west"), False, True), (200, "degraded", "apart")),
        (((), False, False), (200, "degraded", "lost")),
        (((), True, False), (503, "failing", "cut off")),
    ],
)
async def test_the_bus_is_part_of_the_health(
    house: OpenHouse,
    monkeypatch: pytest.MonkeyPatch,
    state: tuple[tuple[str, ...], bool, bool],
    expected: tuple[int, str, str],
) -> None:
    """A proxy takes a server out of service that alone has lost the bus, and no other."""
    services, (apart, cut_off, connected) = house.services, state
    cluster = replace(services.settings.cluster, bus="nats://127.0.0.1:4222")
    monkeypatch.setattr(services, "settings", replace(services.settings, cluster=cluster))
    monkeypatch.setattr(services.bus, "connected", connected, raising=False)
    monkeypatch.setattr(services.ownership, "_note_members", lambda _: None)
    monkeypatch.setattr(services.ownership, "apart", apart)
    monkeypatch.setattr(services.ownership, "cut_off", cut_off)
    answer = await (await house.client()).get("/healthz")
    assert (answer.status_code, answer.json()["status"], answer.json()["bus"]) == expected


@pytest.mark.parametrize(
    ("gone_ms", "expected"),
    [
        ({}, ("ok", [], 0)),
        ({"draw-1": LEASE_MS}, ("ok", [], 0)),
        ({"draw-1": LEASE_MS + 1}, ("degraded", ["draw-1"], 0)),
        ({"private.ann.online": LEASE_MS + 1, "draw-1": 1}, ("degraded", [], 1)),
    ],
)
async def test_tables_that_no_process_has_taken_over_are_part_of_the_health(
    house: OpenHouse,
    monkeypatch: pytest.MonkeyPatch,
    gone_ms: dict[str, int],
    expected: tuple[str, list[str], int],
) -> None:
    """After the time that a takeover takes, and not before; the server itself works (200)."""
    ownership, now_ms = house.services.ownership, house.clock.monotonic_ms()
    monkeypatch.setattr(ownership, "_note", lambda _: None)
    since = {table: now_ms - ms for table, ms in gone_ms.items()}
    monkeypatch.setattr(ownership, "_over_since_ms", since)
    answer = await (await house.client()).get("/healthz")
    seen = answer.json()
    assert answer.status_code == 200
    told = (seen["status"], seen["tables_abandoned"], seen["private_tables_abandoned"])
    assert told == expected


async def test_a_stopped_table_and_a_lost_store_are_reported(
    house: OpenHouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    client = await house.client()
    worker = (await house.services.floor.mailbox("draw-1")).worker
    worker.stopped = StopReason(RuntimeCode.SHUFFLER_FAILED, "The shuffler has failed.")
    answer = await client.get("/healthz")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["tables_stopped"] == ["draw-1"]
    assert "openfelt_tables_stopped 1.0" in (await client.get("/metrics")).text

    def gone(*_: object, **__: object) -> None:
        raise Unavailable("The disk is gone.")

    with monkeypatch.context() as broken:
        store = house.services.store._store  # type: ignore[attr-defined]
        broken.setattr(store, "take_lease", gone)
        house.clock.pass_ms(CACHE_MS)
        answer = await client.get("/healthz")
        assert (answer.status_code, answer.json()["status"]) == (503, "failing")
        assert caplog.text.count("the store cannot be written to: The disk is gone.") == 1
    house.clock.pass_ms(CACHE_MS)
    assert (await client.get("/healthz")).status_code == 200


CHORES_SECONDS = 1.5
"""By then the chores of a starting server have gone through an empty house."""


@pytest.mark.parametrize("fate", ["deleted", "replaced", "read-only"])
async def test_a_database_that_is_lost_under_the_server_is_reported(
    house: OpenHouse, tmp_path: Path, fate: str
) -> None:
    client, file = await house.client(), tmp_path / "felt.db"
    assert (await client.get("/healthz")).status_code == 200
    # The chores of the start must not open a file of that name while it is another one.
    await asyncio.sleep(CHORES_SECONDS)
    away = file.rename(tmp_path / "away.db")
    if fate == "replaced":
        shutil.copy(away, file)
    elif fate == "read-only":
        away.rename(file)
        store = house.services.store._store  # type: ignore[attr-defined]
        store._writing_connection().execute("PRAGMA query_only = 1")
    house.clock.pass_ms(CACHE_MS)
    answer = await client.get("/healthz")
    assert (answer.status_code, answer.json()["status"]) == (503, "failing")
    # Nothing is taken that would be gone after a restart.
    assert (await client.post("/api/v1/guest")).status_code == 503
    if fate == "read-only":
        store._writing_connection().execute("PRAGMA query_only = 0")
    else:
        away.rename(file)
    house.clock.pass_ms(CACHE_MS)
    assert (await client.get("/healthz")).status_code == 200
    assert (await client.post("/api/v1/guest")).status_code == 200


async def test_a_health_check_leaves_nothing_to_audit(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        client = await house.client()
        for _ in range(3):
            house.clock.pass_ms(CACHE_MS)
            assert (await client.get("/healthz")).status_code == 200
    with closing(SqliteStore(tmp_path / "felt.db")) as store:
        assert audit(store).findings == ()
        assert "health" not in store.streams()


async def test_a_store_that_hangs_blocks_one_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.server.store.store_health.CHECK_SECONDS_MAX", 0.01)
    hanging, asked = threading.Event(), list[str]()

    def hang(stream: str, *_: object, **__: object) -> None:
        asked.append(stream)
        hanging.wait(60)

    async with open_house(tmp_path) as house:
        client = await house.client()
        store = house.services.store._store  # type: ignore[attr-defined]
        monkeypatch.setattr(store, "take_lease", hang)
        for _ in range(20):
            assert (await client.get("/healthz")).status_code == 503
        monkeypatch.undo()
        hanging.set()
    assert asked.count("health") == 1


async def test_stopped_private_tables_are_counted_and_not_named(house: OpenHouse) -> None:
    guest = await house.guest()
    asked = await guest.post("/api/v1/tables/private", json={"house": "online"})
    table = asked.json()["table"]
    worker = (await house.services.floor.mailbox(table)).worker
    worker.stopped = StopReason(RuntimeCode.SHUFFLER_FAILED, "The shuffler has failed.")
    answer = await (await house.client()).get("/healthz")
    assert answer.json()["status"] == "degraded"
    assert answer.json()["tables_stopped"] == []
    assert answer.json()["private_tables_stopped"] == 1
    assert await name_of(guest) not in answer.text


async def test_metrics_count_what_happens(house: OpenHouse) -> None:
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
        'openfelt_requests_total{method="POST",page="/api/v1/guest",status="200"} 1.0',
        'openfelt_sign_ins_total{outcome="guest"} 1.0',
        "openfelt_tables_running 6.0",
        "openfelt_sockets 0.0",
    ):
        assert line in text.splitlines(), line
    assert "openfelt_commit_seconds_count" in text
    assert "openfelt_commands_total" in text


async def test_unknown_paths_do_not_fill_the_metrics(house: OpenHouse) -> None:
    client = await house.client()
    for number in range(20):
        await client.get(f"/made-up-{number}")
        await client.get(f"/api/v1/tables/made-up-{number}/rounds")
    assert "made-up" not in (await client.get("/metrics")).text


async def test_unknown_methods_do_not_fill_the_metrics(house: OpenHouse) -> None:
    client = await house.client()
    for number in range(20):
        assert (await client.request(f"MADE-UP-{number}", "/healthz")).status_code == 405
    assert (await client.patch("/healthz")).status_code == 405
    text = (await client.get("/metrics")).text
    assert "MADE-UP" not in text
    assert 'openfelt_requests_total{method="other",page="/healthz",status="405"} 20.0' in text
    assert 'openfelt_requests_total{method="PATCH",page="/healthz",status="405"} 1.0' in text


async def test_metrics_are_for_this_machine_and_for_staff(house: OpenHouse) -> None:
    far = await house.client(address="10.0.0.9")
    assert (await far.get("/metrics")).status_code == 401
    await far.post("/api/v1/guest")
    assert (await far.get("/metrics")).status_code == 403
    await far.post("/api/v1/sign-in", json=SUPERVISOR)
    assert (await far.get("/metrics")).status_code == 200


async def test_behind_a_proxy_this_machine_is_not_trusted(tmp_path: Path) -> None:
    hosts = frozenset({"felt.example"})
    async with open_house(tmp_path, hosts=hosts, second_factor=False) as house:
        # A proxy that does not say for whom it asks looks like a caller from this machine.
        client = await house.client(base="http://felt.example")
        assert (await client.get("/metrics")).status_code == 401
        await client.post("/api/v1/guest")
        assert (await client.get("/metrics")).status_code == 403
        assert not (await client.get("/api/v1/me")).json()["enrolled"]
        body = {"name": "supervisor", "password": PASSWORD}
        assert (await client.post("/api/v1/sign-in", json=body)).status_code == 200
        assert (await client.get("/metrics")).status_code == 200
