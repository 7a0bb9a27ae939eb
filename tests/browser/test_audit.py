"""The auditor's page: the log, a round recalled, the record verified, an export downloaded."""

import io
import os
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from openfelt.server.lifecycle import EMBEDDED_NAME
from openfelt.storage.addresses import open_store
from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.dealers import LiveTable
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.languages import check_texts
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.browser.staff import sign_in_as

SIZES: Final = ((1366, 768), (768, 1024), (390, 664))
"""A desk, a tablet and a small phone."""
SHOTS: Final = os.environ.get("OPENFELT_AUDIT_PICTURES")


def enter(entrance: Entrance, house: BrowserHouse, scripts: ScriptLoop) -> Guest:
    """An auditor at the auditor's page."""
    ada = entrance.outside(house)
    sign_in_as("auditor", ada, house, scripts)
    ada.page.goto(f"{house.address}/#/audit")
    return ada


def look(ada: Guest, where: str) -> None:
    """Nothing is wrong with the page at any size."""
    check_axe(ada, where)
    check_texts(ada)
    for width, height in SIZES:
        ada.page.set_viewport_size({"width": width, "height": height})
        over = ada.page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        assert over <= 0, (where, width, over)
        if SHOTS:
            ada.page.screenshot(path=Path(SHOTS) / f"{where}-{width}.png".replace(" ", "-"))
    ada.page.set_viewport_size({"width": 1366, "height": 768})


def test_an_auditor_finds_an_event_and_recalls_its_round(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, pictures: Pictures
) -> None:
    with LiveTable(scripts, house, "washington") as live:
        live.void_round_of(entrance(house), "The shuffler jammed.")
        ada = enter(entrance, house, scripts)
        page = ada.page

        # The log is searched for the reason, and the event opened by keyboard.
        page.get_by_label("Find in events").fill("SHUFFLER jammed")
        page.keyboard.press("Enter")
        expect(page.get_by_role("row").filter(has_text="Table opened")).to_have_count(0)
        line = page.get_by_role("row").filter(has_text=f"table/{live.name}")
        expect(line).to_contain_text("The shuffler jammed.")
        line.get_by_role("button", name="Round void").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("No earlier event about the same object")).to_be_visible()
        look(ada, "the log")
        pictures.keep(page, "audit-events")

        # The round is seen as its seat saw it, and marked as a replay.
        ada.press(page.get_by_role("link", name="Rounds", exact=True))
        page.get_by_label("Table", exact=True).fill(live.name)
        page.get_by_label("Round number").fill("1")
        ada.press(ada.button("Recall"))
        expect(page.get_by_text("Replay", exact=True)).to_be_visible()
        page.get_by_label("As seen by").select_option("1")
        while ada.button("Next").is_enabled():
            ada.press(ada.button("Next"))
        expect(page.get_by_role("img", name="ace of spades").first).to_be_visible()
        look(ada, "a recalled round")
        pictures.keep(page, "audit-replay")


def test_an_auditor_verifies_the_record_and_exports_it(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, pictures: Pictures
) -> None:
    ada = enter(entrance, house, scripts)
    page = ada.page
    ada.press(page.get_by_role("link", name="Checks"))
    ada.press(ada.button("Verify everything"))
    expect(page.get_by_text("Everything was checked.").first).to_be_visible(timeout=60_000)
    record = page.get_by_role("region", name="The record", exact=True)
    expect(record.get_by_text("In order").first).to_be_visible()
    expect(page.get_by_text("As installed")).to_be_visible()
    check_servers(page, house)
    look(ada, "the checks")
    pictures.keep(page, "audit-checks")

    ada.press(page.get_by_role("link", name="Exports"))
    ada.press(ada.button("Export"))
    link = page.get_by_role("link", name="Download with manifest")
    expect(link).to_be_visible(timeout=60_000)
    look(ada, "an export")
    with page.expect_download() as download:
        ada.press(link)
    with zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes())) as archive:
        assert {"manifest.json", "rounds.csv", "events.csv"} <= set(archive.namelist())

    # What the auditor has read is in the log itself.
    ada.press(page.get_by_role("link", name="Events", exact=True))
    page.get_by_label("Record", exact=True).select_option("readings")
    ada.press(ada.button("Search"))
    expect(page.get_by_role("button", name="Record read").first).to_be_visible()


def check_servers(page: Page, house: BrowserHouse) -> None:
    """The page says which server runs which tables, and when an operator drains it."""
    servers = page.get_by_role("region", name="Servers", exact=True)
    expect(servers.get_by_text(EMBEDDED_NAME, exact=True)).to_be_visible()
    expect(servers.get_by_text("Running · ")).to_be_visible()
    for table in ("stadium-1", "washington-1"):
        expect(servers.get_by_text(f"{table}: lease ")).to_be_visible()
    with closing(open_store(str(house.database))) as store:
        # It is the only server, so it keeps its tables.
        store.drain_member(EMBEDDED_NAME, drained=True)
        try:
            expect(servers.get_by_text("Hands its tables over")).to_be_visible(timeout=60_000)
        finally:
            store.drain_member(EMBEDDED_NAME, drained=False)


@pytest.mark.variant
def test_the_page_in_spanish(house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop) -> None:
    ada = entrance.visitor(house)
    ada.press(ada.button("Español"))
    sign_in_as("auditor", ada, house, scripts)
    for part, heading in (
        ("", "Sucesos"),
        ("/rounds", "Rondas"),
        ("/checks", "Comprobaciones"),
        ("/exports", "Exportaciones"),
    ):
        ada.page.goto("about:blank")
        ada.page.goto(f"{house.address}/#/audit{part}")
        expect(ada.page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        look(ada, f"es {heading}")
