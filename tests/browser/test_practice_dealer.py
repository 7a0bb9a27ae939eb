"""A newcomer deals a live round of the demonstration table, and plays it in another window."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.languages import check_spanish
from tests.kit.browser.pictures import Pictures

TABLE = "demo-1"


def dealers_window(player: Guest) -> Page:
    """Open the dealer's terminal from the lobby, and become its dealer."""
    player.in_lobby()
    with player.context.expect_page() as opened:
        player.press(player.page.get_by_role("link", name=re.compile("^Open the dealer")))
    page = opened.value
    page.get_by_role("button", name="Start dealing").click()
    return page


def test_a_newcomer_deals_and_plays_a_round(
    house: BrowserHouse, entrance: Entrance, pictures: Pictures
) -> None:
    player = entrance(house)
    check_axe(player, "the lobby with a practice table")
    page = dealers_window(player)
    assert page.url.startswith("http://localhost:")
    step = page.get_by_role("region", name="What to do next").get_by_role("status")
    page.get_by_role("button", name="Sign on").click()
    # The player is still signed in, under the other name of this machine.
    player.go(TABLE)
    player.sit("$500")
    page.get_by_role("button", name="Open bets").click()
    player.until(lambda: player.wire.phase == "wagering")
    player.place(1, "Ante", "$5")
    player.settled_bets()
    page.get_by_role("button", name="No more bets").click()
    expect(step).to_have_text("Next card: Seat 1, card 1.")
    page.get_by_role("button", name="Deal a card").click()
    expect(step).to_have_text("Next card: Seat 1, card 2.")
    pictures.keep(page, "practice-shoe")
    # After a reload the shoe has another deck, and passes over what is out.
    page.reload()
    expect(step).to_have_text("Next card: Seat 1, card 2.")
    shoe = page.get_by_role("button", name="Deal all due cards")
    shoe.click()
    for choice in ("Check", "Check", "1x"):
        expect(step).to_have_text("1 hand decides.")
        player.choose(1, choice)
        if choice != "1x":
            shoe.click()
    expect(step).not_to_have_text("1 hand decides.")
    while re.match("Turn over", step.inner_text()):
        before = step.inner_text()
        page.get_by_role("button", name="Turn over").click()
        expect(step).not_to_have_text(before)
    page.get_by_role("button", name="Confirm").click()
    player.until(lambda: player.wire.over)
    expect(page.get_by_role("region", name="Take and pay")).to_be_visible()
    page.get_by_role("button", name="Sign off").click()


@pytest.mark.variant
def test_the_entrance_in_spanish(house: BrowserHouse, entrance: Entrance) -> None:
    visitor = entrance.visitor(house)
    visitor.page.evaluate(
        "localStorage.setItem('openfelt.settings', JSON.stringify({language: 'es'}))"
    )
    visitor.page.goto(f"{house.address}/#/practice/{TABLE}")
    visitor.page.reload()
    button = visitor.page.get_by_role("button", name="Empezar a repartir")
    expect(button).to_be_visible()
    check_spanish(visitor)
    check_axe(visitor, "the entrance of practice dealers")
