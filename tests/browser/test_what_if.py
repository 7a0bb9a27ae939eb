"""The page of drafts: figures follow what is typed, by keyboard, and a house file is taken away."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.browser.test_floor import enter, look
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.script_loop import ScriptLoop


def test_figures_follow_what_is_typed_and_a_house_file_is_written(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, pictures: Pictures
) -> None:
    sue = enter(entrance, house, scripts, "supervisor", "#/floor/what-if")
    page = sue.page
    page.get_by_label("Begin with", exact=True).select_option("online")
    pays = page.get_by_label("Trips, Three of a kind: pays")
    expect(pays).to_have_value("3 to 1")
    trips = page.get_by_role("row").filter(has_text="3.4979%")
    expect(trips).to_contain_text("=")
    pays.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("4")
    # Trips is priced while the game is still being counted.
    expect(trips).to_contain_text("\N{MINUS SIGN}4.8299%")
    pays.fill("four")
    expect(page.get_by_role("alert").filter(has_text="wagers.trips.rows[6].pays")).to_be_visible()
    expect(pays).to_have_attribute("aria-invalid", "true")
    pays.fill("4 to 1")
    expect(page.get_by_text("Exact, over all deals and for the best play.")).to_be_visible(
        timeout=120_000
    )
    expect(page.get_by_role("row", name="House advantage per Ante 2.1850%")).to_be_visible()
    page.get_by_label("Fractions").check()
    expect(page.get_by_text("50643648973/2317817502000").first).to_be_visible()
    page.get_by_label("Name of the house").fill("riverside")
    page.get_by_label("Title").fill("Riverside")
    page.get_by_label("Reason", exact=True).fill("A friendlier Trips.")
    page.keyboard.press("Enter")
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download riverside.toml").click()
    text = taken.value.path().read_text(encoding="utf-8")
    assert 'paytable = "RIVERSIDE"' in text
    assert re.search(r'source = "From online, by .*: A friendlier Trips[.]"', text)
    page.evaluate("scrollTo(0, 0)")
    look(sue, "what-if")
    pictures.keep(page, "floor-what-if")
    page.get_by_label("Begin with", exact=True).select_option("draw")
    held = page.get_by_role("row").filter(has_text="held the house way").first
    expect(held).to_contain_text("=")
    expect(page.get_by_label("Play before the flop")).to_have_count(0)
    page.get_by_label("Ante Bonus, Royal flush: pays").fill("60")
    expect(held).not_to_contain_text("=")
    expect(page.get_by_text("best holds: at most")).to_be_visible()
    look(sue, "what-if-draw")
