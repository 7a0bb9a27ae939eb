"""A supervisor changes a table, and its player is told before the next round."""

import os
from pathlib import Path
from typing import Final

from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.languages import check_texts
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.browser.staff import sign_in_as

SHOTS: Final = os.environ.get("OPENFELT_FLOOR_PICTURES")


def look(guest: Guest, where: str) -> None:
    """No violation and no missing text, and nothing wider than a small phone."""
    check_axe(guest, where)
    check_texts(guest)
    for width, height in ((1366, 900), (390, 664)):
        guest.page.set_viewport_size({"width": width, "height": height})
        over = guest.page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        assert over <= 0, (where, width, over)
        if SHOTS:
            name = f"{where}-{width}.png".replace(" ", "-")
            guest.page.screenshot(path=Path(SHOTS) / name, full_page=True)
    guest.page.set_viewport_size({"width": 1366, "height": 768})


def test_a_supervisor_changes_a_table_and_its_player_is_told(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop
) -> None:
    ann = entrance(house)
    table = ann.own_table("online")
    sue = entrance.outside(house)
    sign_in_as("supervisor", sue, house, scripts)
    # A private table has no chips to be counted, so nothing is asked about them.
    sue.page.goto(f"{house.address}/#/floor/table/{table}")
    sue.page.get_by_text("Change the table").click()
    box = sue.page.get_by_role("group").filter(has_text="Change the table")
    expect(box.get_by_label("Trips", exact=True)).to_be_checked()
    box.get_by_label("Ante: Most $").fill("50")
    box.get_by_label("Trips", exact=True).uncheck()
    expect(box.get_by_role("button", name="Change rules")).to_be_disabled()
    box.get_by_label("Reason").fill("A quiet evening.")
    box.get_by_role("button", name="Change rules").click()
    expect(box.get_by_text("Noted: it applies from the next round.")).to_be_visible()
    expect(box.get_by_label("Trips", exact=True)).not_to_be_checked()
    expect(box.get_by_label("Ante: Most $")).to_have_value("50")
    look(sue, "the terms")
    notice = ann.page.get_by_role("status").filter(has_text="A quiet evening.")
    expect(notice).to_contain_text("on: other rules or limits.")
    check_axe(ann, "a table that was changed")
    if SHOTS:
        ann.page.screenshot(path=Path(SHOTS) / "told.png")
    ann.press(ann.button("Understood"))
    expect(notice).to_have_count(0)
