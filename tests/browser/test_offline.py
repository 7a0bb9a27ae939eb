"""A line that is lost is said plainly, until then, nothing can be pressed, and then it goes on."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.screens import check_money, check_screen

REACHABLE = """() => [...document.querySelectorAll("button, a[href], input, select")]
  .filter((one) => !one.disabled && !one.closest("[inert]") && one.getClientRects().length > 0)
  .map((one) => one.textContent.trim())"""


def test_offline_and_back_in_the_middle_of_a_hand(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.own_table("online")
    guest.sit("$500")
    guest.place(1, "Ante", "$5")
    guest.settled_bets()
    guest.deal()
    # A seed whose answer got lost would be revealed again.
    guest.until(lambda: not guest.wire.unanswered)
    cards = guest.wire.hands["1.1"]["cards"]
    guest.line_may_break = True
    guest.context.set_offline(True)
    lost = guest.page.get_by_role("alertdialog", name="Connection lost.")
    expect(lost).to_be_visible()
    expect(lost).to_contain_text("until then, nothing can be pressed")
    assert guest.page.evaluate(REACHABLE) == ["Try now"]
    asked = len(guest.wire.sent)
    for key in ("4", "c", "Enter"):
        guest.page.keyboard.press(key)
    sockets = guest.wire.sockets
    guest.context.set_offline(False)
    expect(lost).to_have_count(0)
    guest.until(lambda: guest.wire.sockets > sockets)
    assert [one["type"] for one in guest.wire.sent[asked:]] == ["hello"]
    assert guest.wire.hands["1.1"]["cards"] == cards
    assert guest.wire.hands["1.1"]["decisions"] == []
    check_screen(guest)
    guest.play_out()
    check_screen(guest)
    check_money(guest)


@pytest.mark.variant
def test_offline_in_the_lobby_is_said(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.in_lobby()
    guest.line_may_break = True
    guest.context.set_offline(True)
    expect(guest.page.get_by_text("Connection lost.")).to_be_visible()
    guest.context.set_offline(False)
    expect(guest.page.get_by_text("Connection lost.")).to_have_count(0)
    guest.pick_table("stadium-1")
