"""Whole rounds on a phone held upright, by touch: nothing overflows, and every button is large."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.browser.guests import Guest, Screen
from tests.browser.pictures import Pictures
from tests.browser.premises import BrowserHouse
from tests.browser.screens import check_money, check_screen

OVERFLOW = "document.scrollingElement.scrollWidth - innerWidth"
SMALL_BUTTONS = """() => {
  const found = [];
  for (const one of document.querySelectorAll("button, a[href], [role=radio], select, input")) {
    const box = one.getBoundingClientRect();
    const style = getComputedStyle(one);
    const shown = box.width > 0 && box.height > 0 && style.visibility !== "hidden"
      && !one.closest("[inert]");
    // A link within a sentence is as high as its line; WCAG 2.5.8 leaves it alone.
    const inline = one.matches("a") && style.display === "inline";
    // A whole row of words belongs to the switch in it.
    const area = one.closest("label")?.getBoundingClientRect() ?? box;
    if (!shown || inline || (area.width >= 43.5 && area.height >= 43.5)) continue;
    const name = one.getAttribute("aria-label") ?? one.textContent.trim();
    found.push(`${name}: ${Math.round(area.width)}x${Math.round(area.height)}`);
  }
  return found;
}"""


def check_layout(guest: Guest) -> None:
    """Nothing is wider than the screen, and what can be pressed is large enough for a finger."""
    assert guest.page.evaluate(OVERFLOW) <= 0
    assert guest.page.evaluate(SMALL_BUTTONS) == []


@pytest.fixture
def guest(house: BrowserHouse, entrance: Entrance) -> Guest:
    """A guest with a phone."""
    return entrance(house, Screen.PHONE)


def test_stadium_by_touch(guest: Guest, pictures: Pictures) -> None:
    check_layout(guest)
    guest.own_table("stadium")
    check_layout(guest)
    guest.sit("$500")
    check_layout(guest)
    for hand in (1, 2, 3):
        guest.show_hand(hand)
        guest.place(hand, "Ante")
        guest.place(hand, "Trips")
    guest.settled_bets()
    check_layout(guest)
    guest.deal()
    check_layout(guest)
    check_screen(guest)
    guest.show_hand(1)
    guest.choose(1, "4x")
    pictures.keep(guest.page, "phone")
    guest.play_out()
    check_layout(guest)
    check_screen(guest)
    check_money(guest)


def test_draw_by_touch(guest: Guest) -> None:
    guest.press(guest.button("Ultimate Draw Poker"))
    guest.sit("$500")
    guest.place(1, "Ante", "$25")
    guest.place(1, "Bonus", "$1")
    guest.settled_bets()
    guest.deal()
    check_layout(guest)
    guest.press(guest.page.get_by_role("button", name="Card 1: "))
    guest.press(guest.page.get_by_role("button", name="Card 2: "))
    expect(guest.hand(1).get_by_role("button", pressed=True)).to_have_count(2)
    guest.press(guest.button("Draw 3 cards"))
    guest.until(lambda: guest.wire.over)
    check_layout(guest)
    check_screen(guest)
    check_money(guest)


def test_online_by_touch(guest: Guest) -> None:
    guest.press(guest.button("Ultimate Texas Hold'em"))
    guest.sit("$500")
    guest.place(1, "Ante", "$25")
    guest.settled_bets()
    guest.deal()
    check_layout(guest)
    guest.play_out()
    check_layout(guest)
    check_screen(guest)
    check_money(guest)


def test_pages_fit(guest: Guest) -> None:
    guest.own_table("stadium")
    guest.sit("$500")
    guest.place(1, "Ante")
    guest.settled_bets()
    guest.deal()
    guest.play_out()
    for name in ("Paytables", "Help", "Settings", "History"):
        panel = guest.open_panel(name)
        check_layout(guest)
        if name == "History":
            guest.press(panel.get_by_role("button", name="Replay"))
            expect(panel.get_by_text(re.compile("^Replay · game #1"))).to_be_visible()
            check_layout(guest)
        guest.close_panel()


@pytest.mark.parametrize("house_name", ["washington", "online"])
def test_watching_fits(guest: Guest, house_name: str) -> None:
    table = "washington-1" if house_name == "washington" else guest.own_table("online")
    guest.go(table)
    check_layout(guest)
