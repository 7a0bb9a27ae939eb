"""A round of each house at every size of screen: nothing is covered and no words are cut.

The boxes are measured at each size in each state of the round, in one page for each house.
"""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.measured_boxes import SIZES, box_faults
from tests.kit.cases import with_variants

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


@pytest.mark.parametrize("house_name", with_variants(WAGERS))
def test_a_round_fits(house: BrowserHouse, entrance: Entrance, house_name: str) -> None:
    guest = entrance(house)
    if house_name in ("stadium", "online"):
        guest.own_table(house_name)
        guest.sit("$500")
    else:
        guest.go(f"sizes-{house_name}")
        guest.press(guest.button("Take seat 3"))
        guest.sit("$500")
        assert guest.wire.private["seat"] == 3
    for wager in WAGERS[house_name]:
        guest.place(1, wager)
    if house_name == "stadium":
        guest.place(2, "Ante")
        guest.place(3, "Ante")
        guest.press(guest.button("For the dealer"))
        guest.place(1, "Bad Beat")
    guest.settled_bets()
    fits(guest)
    guest.deal()
    fits(guest)
    draw_or_play_out(guest)
    fits(guest)
    if house_name == "stadium":
        hands_lie_side_by_side_in_the_replay(guest)
    in_spanish(guest)
    fits(guest)


def in_spanish(guest: Guest) -> None:
    """Choose Spanish, whose words are longer."""
    settings = guest.open_panel("Settings")
    # These guests' systems ask for less motion, which comes before the player's setting.
    moving = settings.get_by_role("switch", name=re.compile("^Animations"))
    expect(moving).not_to_be_checked()
    expect(moving).to_be_disabled()
    settings.get_by_label("Language").select_option("es")
    guest.page.keyboard.press("Escape")
    expect(guest.page.get_by_role("dialog")).to_have_count(0)


def hands_lie_side_by_side_in_the_replay(guest: Guest) -> None:
    """In the replay of three hands they share a row below the dealer's, on every screen."""
    panel = guest.open_panel("History")
    guest.press(panel.get_by_role("button", name="Replay"))
    for size in ("phone", "laptop"):
        width, height = SIZES[size]
        guest.page.set_viewport_size({"width": width, "height": height})
        guest.until(lambda: hands_share_a_row(panel))
    guest.close_panel()


def hands_share_a_row(panel: Locator) -> bool:
    boxes = [
        panel.get_by_role("heading", name=name, exact=True).bounding_box()
        for name in ("Board", "Hand 1", "Hand 2", "Hand 3")
    ]
    board, *hands = [box["y"] for box in boxes if box is not None]
    return len(hands) == 3 and len(set(hands)) == 1 and board < hands[0]


@pytest.mark.variant
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
