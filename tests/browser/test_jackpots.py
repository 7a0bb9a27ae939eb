"""The page of jackpots: books that agree with the ledger, and actions with a reason."""

from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.browser.test_floor import enter, look
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.script_loop import ScriptLoop


def test_a_link_is_opened_watched_changed_and_retired_into_another(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, pictures: Pictures
) -> None:
    sue = enter(entrance, house, scripts, "supervisor", "#/floor/jackpots")
    dialog = sue.page.get_by_role("dialog")
    for name in ("hall-a", "hall-b"):
        sue.press(sue.button("Open a link"))
        dialog.get_by_label("Name of the link").fill(name)
        dialog.get_by_label("Contribution in percent").fill("12.5")
        dialog.get_by_label("Seed in dollars").fill("1,000")
        dialog.get_by_label("Reason").fill("A new hall")
        sue.press(dialog.get_by_role("button", name="Open a link"))
        expect(dialog).to_have_count(0)
    desk = sue.page.get_by_role("region", name="hall-a", exact=True)
    expect(desk.get_by_text("Agrees with the ledger: difference $0.00.")).to_be_visible()
    sue.press(desk.get_by_role("button", name="Change the rates"))
    dialog.get_by_label("Contribution in percent").fill("10")
    dialog.get_by_label("Reason").fill("A slower meter")
    sue.press(dialog.get_by_role("button", name="Change the rates"))
    expect(desk.get_by_text("10% of each wager, seed $1,000.00, ceiling none")).to_be_visible()
    sue.press(desk.get_by_role("button", name="Pause"))
    dialog.get_by_label("Reason").fill("The hall closes")
    sue.press(dialog.get_by_role("button", name="Pause"))
    expect(desk.get_by_text("Paused: no progressive wagers are taken.")).to_be_visible()
    sue.press(desk.get_by_text("Awards and actions"))
    expect(desk.get_by_text("A slower meter")).to_be_visible()
    look(sue, "jackpots")
    pictures.keep(sue.page, "floor-jackpots")
    sue.press(desk.get_by_role("button", name="Retire"))
    dialog.get_by_label("Meter and reserve go to").select_option("hall-b")
    dialog.get_by_label("Reason").fill("The hall closes")
    sue.press(dialog.get_by_role("button", name="Retire"))
    expect(desk.locator(".phase")).to_have_text("Retired")
    other = sue.page.get_by_role("region", name="hall-b", exact=True)
    expect(other.get_by_text("$2,000.00").first).to_be_visible()
    ada = enter(entrance, house, scripts, "auditor", "#/floor/jackpots")
    expect(ada.page.get_by_role("region", name="hall-b", exact=True)).to_be_visible()
    expect(ada.button("Open a link")).to_have_count(0)
    expect(ada.button("Pause")).to_have_count(0)
