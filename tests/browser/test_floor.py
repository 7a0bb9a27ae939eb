"""The floor's page: a supervisor sees every table, looks into one and acts; an auditor reads."""

import json
import os
import re
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Locator, expect
from pypdf import PdfReader

from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.accounts import sign_in
from tests.kit.browser.dealers import LiveTable
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import SCREENS, Guest, Screen
from tests.kit.browser.languages import check_texts, messages
from tests.kit.browser.layout import layout_faults
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.browser.staff import PASSWORD, sign_in_as

SIZES: Final = ((1366, 768), (768, 1024), (390, 664))
"""A desk, a tablet and a small phone."""
PAGES: Final = (
    ("#/floor", "floor.title"),
    ("#/floor/people", "floor.people"),
    ("#/floor/shift", "money.heading"),
    ("#/floor/jackpots", "jackpots.title"),
    ("#/floor/fairness", "isfair.title"),
    ("#/floor/alerts", "alerts.title"),
)
"""Addresses of the floor with their headings."""
SHOTS: Final = os.environ.get("OPENFELT_FLOOR_PICTURES")


def enter(
    entrance: Entrance, house: BrowserHouse, scripts: ScriptLoop, role: str, address: str = ""
) -> Guest:
    """A member of staff at the floor's page."""
    staff = entrance.outside(house)
    sign_in_as(role, staff, house, scripts)
    staff.page.goto(f"{house.address}/{address}")
    return staff


def row(staff: Guest, table: str) -> Locator:
    """The line of a table."""
    return staff.page.get_by_role("row").filter(has=staff.page.get_by_role("link", name=table))


def look(staff: Guest, where: str) -> None:
    """Nothing is wrong with the page at any size."""
    check_axe(staff, where)
    check_texts(staff)
    for width, height in SIZES:
        staff.page.set_viewport_size({"width": width, "height": height})
        over = staff.page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        assert over <= 0, (where, width, over)
        if SHOTS:
            name = f"{where}-{width}.png".replace(" ", "-")
            staff.page.screenshot(path=Path(SHOTS) / name)
    staff.page.set_viewport_size({"width": 1366, "height": 768})


def test_a_supervisor_begins_on_the_floor_and_finds_a_table(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, pictures: Pictures
) -> None:
    sue = entrance.outside(house)
    name = sign_in_as("supervisor", sue, house, scripts)
    sue.context.clear_cookies()
    sue.page.goto(house.address)
    sign_in(sue, name, PASSWORD)
    expect(sue.page.get_by_role("link", name="stadium-1", exact=True)).to_be_visible()
    assert sue.page.url.endswith("#/floor")
    look(sue, "the tables")
    pictures.keep(sue.page, "floor-tables")
    sue.press(sue.button("Keep a checkpoint"))
    expect(row(sue, "california-1")).to_contain_text("0 more")
    sue.page.get_by_label("Compare with").select_option("")
    expect(row(sue, "california-1")).not_to_contain_text("0 more")
    sue.page.get_by_role("searchbox").fill("CALIFORNIA-1")
    expect(row(sue, "california-1")).to_be_visible()
    expect(sue.page.get_by_role("link", name="stadium-1", exact=True)).to_have_count(0)
    sue.page.get_by_role("searchbox").fill("no such table")
    expect(sue.page.get_by_text("No table matches.")).to_be_visible()
    sue.page.get_by_role("searchbox").fill("")
    sue.press(sue.button("Live dealer"))
    expect(sue.page.get_by_role("link", name="stadium-1", exact=True)).to_have_count(0)
    expect(row(sue, "demo-1")).to_be_visible()


def test_the_floor_shows_what_was_played_and_the_felt_of_a_table(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, pictures: Pictures
) -> None:
    with LiveTable(scripts, house, "washington") as live:
        live.sign_on()
        sue = enter(entrance, house, scripts, "supervisor", "#/floor")
        expect(row(sue, live.name)).to_contain_text(live.dealer)
        expect(row(sue, live.name).locator(".rounds")).to_have_text("0")
        ann = entrance(house)
        ann.go(live.name)
        ann.sit("$500", seat=1)
        live.open_bets()
        ann.pick_chip("$5")
        ann.press(ann.circle(1, "Ante"))
        expect(row(sue, live.name)).to_contain_text("Bets open")
        expect(row(sue, live.name).locator(".players")).to_have_text("1/6")
        sue.press(sue.page.get_by_role("link", name=live.name))
        expect(sue.page.get_by_role("heading", name=live.name)).to_be_visible()
        felt = sue.page.get_by_role("region", name="The felt", exact=True).first
        expect(felt.get_by_text("$10.00").first).to_be_visible()
        look(sue, "a table")
        pictures.keep(sue.page, "floor-table")


def test_a_round_is_frozen_with_one_press_looked_at_and_decided(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, pictures: Pictures
) -> None:
    with LiveTable(scripts, house, "washington") as live:
        live.void_round_of(entrance(house), "The shuffler jammed.")
        sue = enter(entrance, house, scripts, "supervisor", f"#/floor/table/{live.name}")
        sue.press(sue.button("Freeze a round"))
        expect(sue.page.get_by_role("heading", name="Dispute")).to_be_visible()
        steps = sue.page.get_by_role("status").filter(has_text="No more bets")
        expect(steps).to_be_visible()
        sue.page.get_by_label("As seen by").select_option("1")
        while sue.button("Next").is_enabled():
            sue.press(sue.button("Next"))
        expect(sue.page.get_by_role("img", name="ace of spades").first).to_be_visible()
        look(sue, "a dispute")
        pictures.keep(sue.page, "floor-dispute")
        # On paper there is the frozen picture of what the dealer saw, and of what the seat saw.
        expect(sue.button("Print what was seen")).to_be_enabled()
        pages = PdfReader(
            BytesIO(sue.page.pdf(prefer_css_page_size=True, print_background=True))
        ).pages
        texts = [" ".join(page.extract_text().split()) for page in pages]
        assert len(texts) == 2
        assert "As seen by: The dealer." in texts[0]
        assert "As seen by: Seat 1" in texts[1]
        assert all(page.mediabox.width > page.mediabox.height for page in pages)
        sue.page.get_by_label("Note", exact=True).fill("The video was seen")
        sue.press(sue.button("Add note"))
        expect(sue.page.get_by_text("The video was seen")).to_be_visible()
        sue.page.get_by_label("Reason").fill("The cards came back")
        sue.press(sue.button("Add outcome"))
        expect(sue.page.get_by_text("Rejected: the round stands")).to_be_visible()
        expect(sue.button("Add outcome")).to_have_count(0)
        with sue.page.expect_download() as download:
            sue.press(sue.page.get_by_role("link", name="Export with proof"))
        export = json.loads(download.value.path().read_text())
        assert export["dispute"]["outcome"] == "rejected"
        sue.press(sue.page.get_by_role("link", name="Disputes").first)
        row = sue.page.get_by_role("main").get_by_text(f"{live.name}, round 1")
        expect(row).to_be_visible()


def test_a_table_is_paused_with_a_reason_players_are_told_and_it_goes_on(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop
) -> None:
    ann = entrance(house)
    table = "mouse-draw"
    ann.go(table)
    sue = enter(entrance, house, scripts, "supervisor", f"#/floor/table/{table}")
    sue.press(sue.button("Pause"))
    dialog = sue.page.get_by_role("dialog")
    check_axe(sue, "the reason")
    expect(dialog.get_by_role("button", name="Pause", exact=True)).to_be_disabled()
    dialog.get_by_label("Reason").fill("A spill on the felt")
    sue.press(dialog.get_by_role("button", name="Pause", exact=True))
    expect(dialog).to_have_count(0)
    expect(sue.page.get_by_role("status").filter(has_text="Done.")).to_be_visible()
    ann.until(lambda: ann.wire.public.get("phase") == "paused")
    assert "A spill" not in str(ann.wire.public)
    sue.press(sue.button("Resume play"))
    ann.until(lambda: ann.wire.public.get("phase") == "open")


def test_a_table_is_opened_from_the_floor_and_closed(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop
) -> None:
    sue = enter(entrance, house, scripts, "supervisor", "#/floor")
    sue.press(sue.button("Open a table"))
    dialog = sue.page.get_by_role("dialog")
    dialog.get_by_label("Name of the table").fill("pit-9")
    dialog.get_by_label("House", exact=True).select_option("washington")
    check_axe(sue, "a new table")
    dialog.get_by_label("Dealer", exact=True).select_option("live")
    sue.press(dialog.get_by_role("button", name="Open a table"))
    expect(row(sue, "pit-9")).to_contain_text("No dealer")
    sue.press(sue.page.get_by_role("link", name="pit-9"))
    sue.press(sue.button("Close"))
    dialog.get_by_label("Reason").fill("The end of the test")
    sue.press(dialog.get_by_role("button", name="Close", exact=True).last)
    expect(sue.button("Resume play")).to_be_visible()


def test_an_auditor_reads_the_floor_and_is_offered_nothing(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop
) -> None:
    ada = enter(entrance, house, scripts, "auditor", "#/floor")
    expect(row(ada, "stadium-1")).to_be_visible()
    expect(ada.button("Open a table")).to_have_count(0)
    ada.page.goto(f"{house.address}/#/floor/table/demo-1")
    expect(ada.page.get_by_text("nothing that you may do here")).to_be_visible()
    expect(ada.page.get_by_role("button", name=re.compile("Pause|Close|Void"))).to_have_count(0)
    ada.page.goto(f"{house.address}/#/floor/people")
    expect(ada.page.get_by_role("heading", name="Terminals", exact=True)).to_be_visible()
    expect(ada.page.get_by_role("heading", name="New account")).to_have_count(0)


def test_accounts_are_opened_barred_and_admitted_and_a_browser_is_enrolled(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop
) -> None:
    sue = enter(entrance, house, scripts, "supervisor", "#/floor/people")
    new = sue.page.get_by_role("region", name="New account")
    new.get_by_label("Name", exact=True).fill("carla-of-the-cage")
    new.get_by_label("Role", exact=True).select_option("cashier")
    new.get_by_label("First password").fill("long enough for staff")
    sue.press(new.get_by_role("button", name="Open account"))
    expect(new.get_by_text("The account carla-of-the-cage is open.")).to_be_visible()
    desk = sue.page.get_by_role("region", name="An account")
    desk.get_by_label("Name", exact=True).fill("carla-of-the-cage")
    sue.press(desk.get_by_role("button", name="Find"))
    expect(desk.get_by_role("definition").filter(has_text=re.compile("^Cashier$"))).to_be_visible()
    desk.get_by_label("Reason for barring").fill("A test")
    sue.press(desk.get_by_role("button", name="Bar", exact=True))
    expect(desk.get_by_role("definition").filter(has_text="A test")).to_be_visible()
    sue.press(desk.get_by_role("button", name="Admit again"))
    expect(desk.get_by_role("button", name="Bar", exact=True)).to_be_visible()
    look(sue, "people")
    terminals = sue.page.get_by_role("region", name="Terminals")
    terminals.get_by_label("Label").fill("Desk of the test")
    sue.press(terminals.get_by_role("button", name="Enrol this browser"))
    expect(terminals.get_by_text("Desk of the test")).to_be_visible()
    _stop_and_start(sue, terminals)
    sue.press(terminals.get_by_role("button", name="Remove: Cabinet 12"))
    expect(terminals.get_by_text("Cabinet 12")).to_have_count(0)


def _stop_and_start(sue: Guest, terminals: Locator) -> None:
    """A terminal is renamed, taken out of service with a reason, and put into service again."""
    own = terminals.get_by_role("listitem").filter(has_text="Desk of the test")
    sue.press(own.get_by_role("button", name="Change", exact=True))
    panel = terminals.get_by_role("group", name="Desk of the test")
    panel.get_by_label("Label").fill("Cabinet 12")
    sue.press(panel.get_by_role("button", name="Rename"))
    panel = terminals.get_by_role("group", name="Cabinet 12")
    stop = panel.get_by_role("button", name="Out of service")
    expect(stop).to_be_disabled()
    panel.get_by_label("Reason").fill("The screen flickers")
    sue.press(stop)
    expect(terminals.get_by_text("Out of service: The screen flickers")).to_be_visible()
    look(sue, "a terminal out of service")
    panel.get_by_label("Reason").fill("A new screen")
    sue.press(panel.get_by_role("button", name="Put into service"))
    expect(terminals.get_by_text("The screen flickers")).to_have_count(0)


def test_the_shifts_and_tips_of_a_dealer_are_shown(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop
) -> None:
    with LiveTable(scripts, house, "washington") as live:
        live.sign_on()
        sue = enter(entrance, house, scripts, "supervisor", "#/floor/people")
        desk = sue.page.get_by_role("region", name="An account")
        desk.get_by_label("Name", exact=True).fill(live.dealer)
        sue.press(desk.get_by_role("button", name="Find"))
        sue.press(desk.get_by_text("Shifts and tips"))
        shift = desk.get_by_role("row").filter(has_text=live.name)
        expect(shift).to_contain_text("$0.00 (0)")
        look(sue, "a dealer's shifts")


@pytest.mark.variant
@SCREENS
def test_the_floor_in_spanish(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, screen: Screen
) -> None:
    sue = entrance.visitor(house, screen)
    sue.press(sue.button("Español"))
    sign_in_as("supervisor", sue, house, scripts)
    texts = messages("es")
    for address, heading in PAGES:
        sue.page.goto("about:blank")
        sue.page.goto(f"{house.address}/{address}")
        expect(sue.page.get_by_role("heading", name=texts[heading])).to_be_attached()
        check_axe(sue, address)
        check_texts(sue)
        if sue.phone:
            assert layout_faults(sue) == set()
