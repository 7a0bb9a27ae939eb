"""A round of each house at every size of screen: nothing is covered and no words are cut.

The boxes are measured at each size in each state of the round, in one page for each house.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.measured_boxes import box_faults

WAGERS = {
    "stadium": ("Ante", "Trips", "Ultimate Pairs", "Bad Beat", "Play the Board"),
    "washington": ("Ante", "Trips", "Ultimate Pairs", "Bad Beat"),
    "draw": ("Ante", "Bonus"),
    "online": ("Ante", "Trips"),
}


def fits(guest: Guest) -> None:
    """Everything on the screen is whole and beside everything else, at every size."""
    assert not box_faults(guest)


def draw_or_play_out(guest: Guest) -> None:
    """Decide until the round is over."""
    if guest.wire.due and guest.wire.due[0]["may_hold"]:
        guest.press(guest.page.get_by_role("button", name=re.compile("^Draw 5")))
        guest.until(lambda: guest.wire.over)
    else:
        guest.play_out()


@pytest.mark.parametrize("house_name", WAGERS)
def test_a_round_fits(house: BrowserHouse, entrance: Entrance, house_name: str) -> None:
    guest = entrance(house)
    if house_name in ("stadium", "online"):
        guest.own_table(house_name)
        guest.sit("$500")
    else:
        guest.go(f"sizes-{house_name}")
        guest.sit("$500", seat=3)
    for wager in WAGERS[house_name]:
        guest.place(1, wager)
    if house_name == "stadium":
        guest.press(guest.button("For the dealer"))
        guest.place(1, "Bad Beat")
    guest.settled_bets()
    fits(guest)
    guest.deal()
    fits(guest)
    draw_or_play_out(guest)
    fits(guest)
    if house_name == "stadium":
        guest.open_panel("Settings").get_by_label("Language").select_option("es")
        guest.page.keyboard.press("Escape")
        expect(guest.page.get_by_role("dialog")).to_have_count(0)
        fits(guest)


def test_a_round_in_the_cardroom_fits(house: BrowserHouse, entrance: Entrance) -> None:
    banker, player = entrance(house), entrance(house)
    for guest, seat in ((banker, 1), (player, 2)):
        guest.go("sizes-california")
        guest.sit("$500", seat=seat)
    fits(banker)
    banker.page.get_by_role("textbox", name="Bank wager").fill("300")
    banker.press(banker.button("Bank with $300"))
    player.until(lambda: player.wire.phase == "wagering")
    player.place(1, "Ante")
    player.place(1, "Trips")
    player.settled_bets()
    player.until(lambda: player.wire.due)
    fits(player)
    fits(banker)
    player.play_out()
    banker.until(lambda: banker.wire.over)
    fits(player)
