"""A house of one's own: chosen in the lobby, and the table says what is changed."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.measured_boxes import box_faults


def choose_house(guest: Guest, name: str) -> None:
    """Open the dialog in the lobby and pick a house."""
    guest.in_lobby()
    guest.press(guest.button("A house of your own…"))
    dialog = guest.page.get_by_role("dialog", name="A house of your own")
    dialog.get_by_role("combobox", name="House").select_option(label=name)
    expect(dialog.get_by_role("radio", name="3")).to_be_visible()


def test_other_paytables_and_three_hands(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    choose_house(guest, "Ultimate Texas Hold'em, online")
    dialog = guest.page.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Trips pays by").select_option("UTH-05")
    dialog.get_by_role("radio", name="3").check()
    check_axe(guest, "a house of one's own")
    guest.press(dialog.get_by_role("button", name="Open the table"))
    expect(guest.page.get_by_role("main", name="The table")).to_be_visible()
    expect(guest.page.get_by_role("banner")).to_contain_text("Your own rules")
    guest.sit("$500")
    for hand in (1, 2, 3):
        guest.place(hand, "Ante")
    guest.settled_bets()
    assert not box_faults(guest)
    guest.deal()
    guest.play_out()
    assert len(guest.wire.hands) == 3
    panel = guest.open_panel("Help")
    for change in ("3 hands instead of 1", "Trips pays by UTH-05 instead of"):
        expect(panel.get_by_text(re.compile(change))).to_be_visible()


@pytest.mark.variant
def test_a_stadium_at_home_names_its_departure(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    choose_house(guest, "Stadium Ultimate Texas Hold'em")
    guest.press(guest.button("Open the table"))
    guest.sit("$500")
    panel = guest.open_panel("Help")
    expect(
        panel.get_by_text(re.compile("departs from clause S.letter.no_internet"))
    ).to_be_visible()
