"""The endpoints of the auditor's page."""

import asyncio
import gzip
import io
import json
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from openfelt.runtime.audit import audit
from openfelt.runtime.exports.export_folder import check_export
from openfelt.runtime.notary.keys import load_or_make_key, public_key_of
from openfelt.runtime.notary.notary import Notary
from openfelt.runtime.shipment.copy_audit import audit_copy
from openfelt.runtime.shipment.segment_file import segment_path
from openfelt.runtime.shipment.shipper import Shipper
from openfelt.runtime.streams import table_stream
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from openfelt.server.audit_desk import verifications
from openfelt.server.supervision.shared_values import whole_steps
from tests.kit.server.open_house import OpenHouse, open_house
from tests.kit.storage.newer_events import write_newer_event

API = "/api/v1/audit"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """A server with a notary's key."""
    async with open_house(tmp_path, notary_key=tmp_path / "felt.db.notary.key") as house:
        yield house


async def until(client: httpx.AsyncClient, path: str, key: str) -> Any:
    """What an endpoint says once nothing is in progress; gives up after a minute."""
    for _ in range(600):
        told = (await client.get(path)).json()
        if key == "running" and told["running"] is None:
            return told
        if key == "export" and told["export"]["ended"]:
            return told["export"]
        await asyncio.sleep(0.1)
    raise AssertionError("it did not end")


def read_by(house: OpenHouse) -> list[tuple[str, str, str]]:
    """Who has read what."""
    return [
        (stored.cause.actor, *json.loads(stored.body).values())
        for stored in house.services.store.events("readings")
    ]


async def test_the_log_says_who_did_what(house: OpenHouse) -> None:
    ada = await house.auditor()
    await house.stadium_round()
    page = (await ada.get(f"{API}/events")).json()
    assert page["next"] is None
    names = [entry["name"] for entry in page["entries"]]
    assert {"table_opened", "software_checked", "account_opened"} <= set(names)
    assert "card_dealt" not in names
    found = (await ada.get(f"{API}/events", params={"text": "account/ADA"})).json()["entries"]
    assert found[-1]["name"] == "account_opened"
    assert found[-1]["actor"] == "floor:supervisor"
    deep = await ada.get(f"{API}/event", params={"stream": "account/ada", "version": 1})
    assert deep.json()["entry"]["fields"]["role"] == "auditor"
    assert len(deep.json()["hash"]) == 64
    assert "argon2" not in deep.text
    assert (await ada.get(f"{API}/events", params={"after": "nonsense"})).status_code == 422
    zero = await ada.get(f"{API}/event", params={"stream": "\x00", "version": 1})
    assert zero.status_code == 422
    nothing = await ada.get(f"{API}/event", params={"stream": "account/none", "version": 1})
    assert nothing.status_code == 404


async def test_a_round_is_recalled_as_it_was_seen_and_the_reading_is_recorded(
    house: OpenHouse,
) -> None:
    ada = await house.auditor()
    number = await house.stadium_round()
    form = {"table": "stadium-1", "round": number}
    recalled = (await ada.post(f"{API}/recalls", json=form)).json()
    assert recalled["replay"] is True
    frozen = json.loads(recalled["frozen"])
    views = frozen["views"]
    assert set(views["seats"]) == {"5", "9"}
    for view in (views["dealer"], *views["seats"].values()):
        last = whole_steps(view["steps"], frozen["shared"])[-1]
        assert last["public"]["dealer"]
    assert views["dealer"]["steps"][-1]["own"] == {}
    assert read_by(house) == [("auditor:ada", "round", f"stadium-1/{number}")]
    # A round in progress is never shown, and nothing was read then.
    await house.bet("stadium-1", 5)
    await house.deal("stadium-1")
    refused = await ada.post(f"{API}/recalls", json=form | {"round": number + 1})
    assert refused.status_code == 409
    assert "is not over yet" in refused.text
    assert (await ada.post(f"{API}/recalls", json=form | {"table": "none"})).status_code == 404
    assert len(read_by(house)) == 1


async def test_reading_a_dispute_is_recorded(house: OpenHouse) -> None:
    ada, supervisor = await house.auditor(), await house.supervisor()
    number = await house.stadium_round()
    form = {"table": "stadium-1", "round": number, "note": "Was it folded?"}
    assert (await supervisor.post("/api/v1/disputes", json=form)).status_code == 200
    assert (await ada.get("/api/v1/disputes/1/export")).status_code == 200
    assert read_by(house) == [("auditor:ada", "dispute", "1")]
    assert audit(house.services.store).clean


async def test_the_record_is_verified_on_demand(house: OpenHouse, tmp_path: Path) -> None:
    ada = await house.auditor()
    await house.stadium_round()
    assert (await ada.get(f"{API}/verifications")).json()["results"] == []
    begun = (await ada.post(f"{API}/verifications", json={"full": True})).json()
    assert begun["running"]["by"] == "auditor:ada"
    assert (await ada.post(f"{API}/verifications", json={})).status_code == 409
    told = await until(ada, f"{API}/verifications", "running")
    for _ in range(100):
        if told["results"]:
            break
        await asyncio.sleep(0.05)
        told = (await ada.get(f"{API}/verifications")).json()
    (result,) = told["results"]
    assert (result["findings"], result["problem"], result["full"]) == (0, "", True)
    assert result["rounds"] == 1
    assert result["by"] == "auditor:ada"
    assert told["every_hours"] == 24
    # The command line continues where the server has ended, and the other way round.
    assert (tmp_path / "felt.db.audited").exists()


async def test_what_a_newer_server_has_written_is_no_finding_of_an_older_one(
    house: OpenHouse,
) -> None:
    ada = await house.auditor()
    write_newer_event(house.services.store, table_stream("draw-1"), "seat_taken")
    await ada.post(f"{API}/verifications", json={})
    for _ in range(600):
        results = (await ada.get(f"{API}/verifications")).json()["results"]
        if results:
            break
        await asyncio.sleep(0.1)
    (result,) = results
    assert result["findings"] == 0
    assert "seat_taken (version 9). Run the newer Openfelt" in result["problem"]


async def test_the_record_is_verified_when_it_is_time(
    house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifications, "LOOK_SECONDS", 0.01)
    ada, kept = await house.auditor(), house.services.verifications
    watching = asyncio.create_task(kept.watch())
    try:
        await asyncio.sleep(0.2)
        assert kept.running is None
        house.clock.pass_ms(verifications.FIRST_MS)
        for _ in range(600):
            results = (await ada.get(f"{API}/verifications")).json()["results"]
            if results:
                break
            await asyncio.sleep(0.1)
        assert (results[0]["asked"], results[0]["by"]) == (False, "system:openfelt")
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


async def test_checkpoints_of_the_notary(house: OpenHouse, tmp_path: Path) -> None:
    ada = await house.auditor()
    key = load_or_make_key(tmp_path / "felt.db.notary.key")
    notary = Notary(house.services.store, key, house.clock)
    before = (await ada.get(f"{API}/checkpoints")).json()["checkpoints"]
    for number in range(60):
        house.services.floor.cashier.deposit("ann", 1, id=f"p{number}")
        assert notary.sign() is not None
        if number in (0, 1, 59):
            told = (await ada.get(f"{API}/checkpoints")).json()
            assert told["checkpoints"][0]["number"] == len(before) + number + 1
    assert len(told["checkpoints"]) == 25
    assert told["checkpoints"][0]["key"] == public_key_of(key)
    assert told["status"] == "ok"


async def test_an_export_is_downloaded_with_its_signed_manifest(
    house: OpenHouse, tmp_path: Path
) -> None:
    ada = await house.auditor()
    await house.stadium_round()
    assert (await ada.get(f"{API}/exports")).json()["export"] is None
    form = {"tables": ["rounds", "lines"], "format": "csv", "first": "1970-01-01"}
    begun = await ada.post(f"{API}/exports", json=form | {"last": "2100-01-01"})
    assert begun.status_code == 200, begun.text
    export = await until(ada, f"{API}/exports", "export")
    assert export["problem"] == ""
    assert {file["name"]: file["rows"] for file in export["files"]}["rounds.csv"] == 1
    answer = await ada.get(f"{API}/exports/1/file")
    assert "openfelt-export-1.zip" in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        archive.extractall(tmp_path / "export")
    signed = check_export(tmp_path / "export")
    assert signed.manifest.by == "auditor:ada"
    assert read_by(house)[0][:2] == ("auditor:ada", "export")
    assert (await ada.get(f"{API}/exports/2/file")).status_code == 404
    for last in ("1969-12-31", "9999-12-31", "2026-02-30"):
        wrong = await ada.post(f"{API}/exports", json=form | {"last": last})
        assert wrong.status_code == 422
    assert (await (await house.guest()).get(f"{API}/exports/1/file")).status_code == 403


async def test_a_servers_whole_record_is_shipped_without_its_secrets(
    house: OpenHouse, tmp_path: Path
) -> None:
    """Accounts, disputes and readings are checked in a copy too, and nothing of them leaks."""
    ada, supervisor = await house.auditor(), await house.supervisor()
    number = await house.stadium_round()
    form = {"table": "stadium-1", "round": number, "note": "Was it folded?"}
    assert (await supervisor.post("/api/v1/disputes", json=form)).status_code == 200
    assert (await ada.get("/api/v1/disputes/1/export")).status_code == 200
    store, key = house.services.store, load_or_make_key(tmp_path / "felt.db.notary.key")
    (tmp_path / "copy").mkdir()
    Shipper(store, tmp_path / "copy", key, house.clock).ship()
    report = audit_copy(tmp_path / "copy", public_keys=[public_key_of(key)], others=ACCOUNT_AUDITS)
    assert report.clean, report.findings
    assert report.counts.rounds_settled == 1
    packed = segment_path(tmp_path / "copy", 1).read_bytes().partition(b"\n")[2]
    plain = gzip.decompress(packed).decode()
    assert "argon2" not in plain
    secrets = {
        body
        for stream in store.streams()
        if not stream.startswith("table/")
        for body in store.secrets(stream).values()
    }
    assert len(secrets) >= 3
    assert not any(body in plain for body in secrets)
