"""Progressive links over HTTP: every action has a reason, and the books say what was done."""

from openfelt.runtime.audit import audit
from tests.kit.server.open_house import OpenHouse

BOOKS = "/api/v1/floor/links"
LINKS = "/api/v1/links"
RATES = {"percent": "12.5", "seed_cents": 100_000, "ceiling_cents": None}


async def test_a_link_is_opened_changed_paused_and_retired_into_another(house: OpenHouse) -> None:
    sue = await house.supervisor()
    for name in ("old", "next"):
        answer = await sue.post(LINKS, json={"link": name, **RATES, "reason": "A new hall."})
        assert answer.status_code == 200, answer.text
    opened = answer.json()
    assert (opened["meter_exact"], opened["rates"]["percent"]) == ("100000", "12.5")
    again = await sue.post(LINKS, json={"link": "old", **RATES, "reason": "A new hall."})
    assert again.json()["code"] == "link_exists"
    slower = {**RATES, "percent": "10", "reason": "A slower meter."}
    changed = (await sue.post(f"{LINKS}/old/rates", json=slower)).json()
    assert (changed["rates"]["percent"], changed["waiting"]["percent"]) == ("12.5", "10")
    paused = (await sue.post(f"{LINKS}/old/pause", json={"reason": "The sign is dark."})).json()
    assert (paused["phase"], paused["pause_reason"]) == ("paused", "The sign is dark.")
    await sue.post(f"{LINKS}/old/resume", json={"reason": "The sign is lit."})
    early = await sue.post(f"{LINKS}/old/retire", json={"reason": "The end.", "into": "next"})
    assert early.json()["code"] == "link_not_paused"
    await sue.post(f"{LINKS}/old/pause", json={"reason": "The end."})
    await sue.post(f"{LINKS}/old/retire", json={"reason": "The end.", "into": "next"})
    books = {one["link"]: one for one in (await sue.get(BOOKS)).json()}
    assert (books["old"]["phase"], books["old"]["whole"]["moved_out"]) == ("retired", "100000")
    assert books["next"]["whole"]["moved_in"] == "100000"
    assert books["next"]["meter_cents"] == 200_000
    for one in books.values():
        assert one["reconciliation"]["difference_cents"] == 0
        assert one["whole"]["difference"] == one["recent"]["difference"] == "0"
    entries = (await sue.get(f"{BOOKS}/old/entries")).json()["entries"]
    assert [one["kind"] for one in entries] == [
        "link_retired",
        "link_paused",
        "link_resumed",
        "link_paused",
        "link_rates_changed",
        "link_opened",
    ]
    assert all(one["reason"] and one["by"] == "supervisor" for one in entries)
    assert entries[0]["other_link"] == "next"
    assert audit(house.services.store).clean


async def test_rates_and_reasons_are_checked(house: OpenHouse) -> None:
    sue = await house.supervisor()
    for wrong in (
        {"percent": "1e3"},
        {"percent": "-1"},
        {"percent": "1.1234567"},
        {"seed_cents": -1},
        {"reason": ""},
        {"reason": "two\nlines"},
        {"link": ""},
    ):
        form = {"link": "made", **RATES, "reason": "A new hall.", **wrong}
        assert (await sue.post(LINKS, json=form)).status_code == 422, wrong
    over = {"link": "made", **RATES, "percent": "101", "reason": "A new hall."}
    assert (await sue.post(LINKS, json=over)).json()["code"] == "bad_rates"
    assert (await sue.get(f"{BOOKS}/made/entries")).status_code == 404
