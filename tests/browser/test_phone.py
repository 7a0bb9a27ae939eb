"""Whole rounds on a phone held upright, by touch: nothing overflows, and every button is large."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest, Screen
from tests.kit.browser.layout import layout_faults
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.screens import check_felt, check_meters, check_money, check_screen


class Layout:
    """Looks at the screen in every phase, and complains of all that it saw at the end."""

    def __init__(self) -> None:
        self.faults: set[str] = set()

    def look(self, guest: Guest) -> None:
        """Look at the screen as it is now."""
        self.faults |= layout_faults(guest)


@pytest.fixture
def layout() -> Iterator[Layout]:
    """Everything that was looked at has to fit."""
    layout = Layout()
    yield layout
    assert not layout.faults


@pytest.fixture
def guest(house: BrowserHouse, entrance: Entrance) -> Guest:
    """A guest with a phone."""
    return entrance(house, Screen.PHONE)


def test_stadium_by_touch(guest: Guest, layout: Layout, pictures: Pictures) -> None:
    layout.look(guest)
    guest.own_table("stadium")
    layout.look(guest)
    guest.sit("$500")
    layout.look(guest)
    for hand in (1, 2, 3):
        guest.show_hand(hand)
        guest.place(hand, "Ante")
        guest.place(hand, "Trips")
    guest.settled_bets()
    layout.look(guest)
    guest.deal()
    layout.look(guest)
    check_screen(guest)
    guest.show_hand(1)
    guest.choose(1, "4x")
    pictures.keep(guest.page, "phone")
    guest.play_out()
    layout.look(guest)
    check_screen(guest)
    check_money(guest)


@pytest.mark.variant
def test_draw_by_touch(guest: Guest, layout: Layout) -> None:
    guest.press(guest.button("Ultimate Draw Poker"))
    guest.sit("$500")
    guest.place(1, "Ante", "$25")
    guest.place(1, "Bonus", "$1")
    guest.settled_bets()
    guest.deal()
    layout.look(guest)
    guest.press(guest.page.get_by_role("button", name="Card 1: "))
    guest.press(guest.page.get_by_role("button", name="Card 2: "))
    expect(guest.hand(1).get_by_role("button", pressed=True)).to_have_count(2)
    guest.press(guest.button("Draw 3 cards"))
    guest.until(lambda: guest.wire.over)
    layout.look(guest)
    check_screen(guest)
    check_money(guest)


@pytest.mark.variant
def test_online_by_touch(guest: Guest, layout: Layout) -> None:
    guest.press(guest.button("Ultimate Texas Hold'em"))
    guest.sit("$500")
    guest.place(1, "Ante", "$25")
    guest.settled_bets()
    guest.deal()
    layout.look(guest)
    guest.play_out()
    layout.look(guest)
    check_screen(guest)
    check_money(guest)


@pytest.mark.variant
def test_washington_by_touch(guest: Guest, layout: Layout) -> None:
    guest.own_table("washington")
    guest.sit("$500")
    guest.place(1, "Ante", "$5")
    for wager in ("Trips", "Ultimate Pairs", "Bad Beat"):
        guest.place(1, wager)
    guest.settled_bets()
    layout.look(guest)
    guest.deal()
    layout.look(guest)
    check_screen(guest)
    guest.play_out()
    layout.look(guest)
    check_screen(guest)
    check_money(guest)


@pytest.mark.variant
def test_california_by_touch_on_both_sides(
    house: BrowserHouse, entrance: Entrance, guest: Guest, layout: Layout
) -> None:
    banker, player = guest, entrance(house, Screen.PHONE)
    for one, seat in ((banker, 1), (player, 2)):
        one.go("private.touch.california")
        one.sit("$500", seat=seat)
    layout.look(banker)
    banker.page.get_by_role("textbox", name="Bank wager").fill("300")
    banker.press(banker.button("Bank with $300"))
    player.until(lambda: player.wire.phase == "wagering")
    player.place(1, "Ante", "$5")
    player.place(1, "Trips")
    player.settled_bets()
    layout.look(banker)
    layout.look(player)
    player.until(lambda: player.wire.due)
    layout.look(banker)
    layout.look(player)
    check_screen(player)
    player.play_out()
    banker.until(lambda: banker.wire.over)
    for one in (banker, player):
        layout.look(one)
        check_felt(one)
        check_meters(one)
    check_screen(player)
    check_money(player, fees_cents=100)


def test_pages_fit(guest: Guest, layout: Layout) -> None:
    guest.own_table("stadium")
    guest.sit("$500")
    guest.place(1, "Ante")
    guest.settled_bets()
    guest.deal()
    guest.play_out()
    for name in ("Paytables", "Help", "Settings", "History"):
        panel = guest.open_panel(name)
        layout.look(guest)
        if name == "History":
            guest.press(panel.get_by_role("button", name="Replay"))
            expect(panel.get_by_text(re.compile("^Replay · round #1"))).to_be_visible()
            layout.look(guest)
        guest.close_panel()


@pytest.mark.variant
@pytest.mark.parametrize("house_name", ["washington", "online"])
def test_watching_fits(guest: Guest, layout: Layout, house_name: str) -> None:
    table = "washington-1" if house_name == "washington" else guest.own_table("online")
    guest.go(table)
    layout.look(guest)
