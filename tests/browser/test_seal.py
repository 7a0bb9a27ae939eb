"""The badge of the sealed deck opens the whole fingerprints, and they are those of the proof."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest, Screen


def open_seal(guest: Guest) -> Locator:
    """Press the badge; on a phone it is in the menu."""
    if guest.phone:
        guest.press(guest.button("Menu"))
    badge = guest.page.get_by_role("button", name="Show the whole fingerprint")
    guest.press(badge.last)
    return guest.page.get_by_role("dialog", name="Deck sealed")


@pytest.mark.parametrize("screen", list(Screen), ids=lambda screen: screen.name.lower())
def test_the_badge_shows_the_decks_that_concern_the_player(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest = entrance(house, screen)
    guest.context.grant_permissions(["clipboard-read", "clipboard-write"])
    guest.own_table("stadium")
    guest.sit("$500")
    guest.place(1, "Ante")
    guest.settled_bets()
    guest.until(lambda: guest.wire.private.get("deck_root"))
    own = f"seat-{guest.wire.private['seat']}"
    roots = {
        "table": guest.wire.public["commitments"]["table"],
        own: guest.wire.private["deck_root"],
    }
    panel = open_seal(guest)
    expect(panel.get_by_role("code")).to_have_text([roots["table"], roots[own]])
    expect(panel).to_contain_text("Your own deck: your cards come from it")
    guest.press(panel.get_by_role("button", name="Copy: Your own deck"))
    expect(panel.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    assert guest.page.evaluate("navigator.clipboard.readText()") == roots[own]
    guest.page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    if guest.phone:
        guest.close_panel()
    guest.deal()
    guest.play_out()
    table = guest.wire.public["table"]
    number = guest.wire.round["number"]
    proof = guest.context.request.get(f"/api/v1/tables/{table}/rounds/{number}/proof").json()
    published = {one["deck"]: one["root"] for one in proof["commitments"]}
    assert published == roots
