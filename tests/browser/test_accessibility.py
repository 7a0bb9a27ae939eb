"""axe-core finds no violation on any page, in any phase, on either screen."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import SCREENS, Screen
from tests.kit.browser.pictures import Pictures


@SCREENS
def test_entrance_lobby_and_verifier(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest = entrance.visitor(house, screen)
    expect(guest.button("Play now")).to_be_visible()
    check_axe(guest, "entrance")
    guest.press(guest.button("I don't have an account"))
    check_axe(guest, "opening an account")
    guest.press(guest.button("Play now"))
    expect(guest.page.get_by_role("link").filter(has_text="stadium-2")).to_be_visible()
    check_axe(guest, "lobby")
    guest.press(guest.button("Settings"))
    check_axe(guest, "settings in the lobby")
    guest.close_panel()
    guest.press(guest.page.get_by_role("link", name="Verify a round"))
    expect(guest.page.get_by_role("heading", name="Verify a round")).to_be_visible()
    check_axe(guest, "verifier")


@SCREENS
def test_stadium_in_every_phase_and_its_pages(
    house: BrowserHouse, entrance: Entrance, screen: Screen, pictures: Pictures
) -> None:
    guest = entrance(house, screen)
    guest.own_table("stadium")
    check_axe(guest, "before sitting down")
    guest.sit("$500")
    check_axe(guest, "before bets")
    guest.place(1, "Ante")
    guest.place(1, "Trips")
    guest.settled_bets()
    check_axe(guest, "bets placed")
    guest.deal()
    while not guest.wire.over:
        check_axe(guest, str(guest.wire.street))
        guest.choose(1, "Check" if guest.wire.street != "on_river" else "1x")
        guest.next_turn()
    check_axe(guest, "settled")
    for name in ("Paytables", "Help", "History", "Settings"):
        panel = guest.open_panel(name)
        if name == "History":
            replay = panel.get_by_role("button", name="Replay")
            expect(replay).to_be_visible()
            check_axe(guest, "list of rounds")
            guest.press(replay)
            guest.press(panel.get_by_role("button", name="Verify"))
            expect(panel.get_by_text("The server agrees")).to_be_visible()
        check_axe(guest, name)
        if name == "Help" and not guest.phone:
            pictures.keep(guest.page, "help")
        guest.close_panel()


@pytest.mark.variant
@SCREENS
def test_draw_in_every_phase(house: BrowserHouse, entrance: Entrance, screen: Screen) -> None:
    guest = entrance(house, screen)
    guest.own_table("draw")
    guest.sit("$500")
    check_axe(guest, "before bets")
    guest.place(1, "Ante", "$5")
    guest.settled_bets()
    guest.deal()
    guest.press(guest.page.get_by_role("button", name="Card 1: "))
    check_axe(guest, "holding")
    guest.press(guest.button("Draw 4 cards"))
    guest.until(lambda: guest.wire.over)
    check_axe(guest, "settled")


@pytest.mark.variant
@SCREENS
def test_cardroom_and_credit(house: BrowserHouse, entrance: Entrance, screen: Screen) -> None:
    guest = entrance(house, screen)
    guest.go("california-1")
    check_axe(guest, "before sitting down")
    guest.sit("$500")
    expect(guest.page.get_by_role("region", name="The bank")).to_be_visible()
    check_axe(guest, "the bank is offered")
    guest.press(guest.button("Add credit"))
    expect(guest.page.get_by_role("dialog", name="Credit")).to_be_visible()
    check_axe(guest, "credit")
    guest.close_panel()
    guest.line_may_break = True
    guest.context.set_offline(True)
    expect(guest.page.get_by_role("alertdialog")).to_be_visible()
    check_axe(guest, "the line is lost")
    guest.context.set_offline(False)
    expect(guest.page.get_by_role("alertdialog")).to_have_count(0)
    guest.press(guest.button("Back to the lobby"))
    expect(guest.page.get_by_role("heading", name="Pick a table")).to_be_visible()
