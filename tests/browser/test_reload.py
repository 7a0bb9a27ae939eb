"""A page that is loaded again in any phase brings back exactly that moment."""

import contextlib

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest, can
from tests.kit.browser.screens import (
    check_choices,
    check_felt,
    check_meters,
    check_money,
    check_screen,
)
from tests.kit.cases import with_variants

EVERYTHING = """() => {
  const shown = (one) => one.getClientRects().length > 0;
  const words = (one) => one.getAttribute("aria-label") ?? one.textContent;
  const named = (one) => words(one).replace(/\\s+/g, " ").trim();
  const button = (one) => [named(one), one.disabled, one.ariaPressed];
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  return {
    buttons: all("main button, footer button").map(button),
    pictures: all("main [role=img]").map(named),
    meters: all("footer dl").map((one) => one.innerText),
    made: all("main .made, main .words, main .result").map((one) => one.innerText),
    seat: all("header dl").map((one) => one.innerText),
  };
}"""


def check_reload(guest: Guest) -> None:
    """Load the page again: the same cards, the same bets, the same buttons, without the clock."""
    check_meters(guest)
    check_choices(guest)
    before, sockets = guest.page.evaluate(EVERYTHING), guest.wire.sockets
    guest.page.reload()
    guest.until(lambda: guest.wire.sockets > sockets)
    expect(guest.page.get_by_role("contentinfo")).to_be_visible()
    with contextlib.suppress(AssertionError):
        guest.until(lambda: guest.page.evaluate(EVERYTHING) == before)
    # Once time is up, pytest shows what differs.
    assert guest.page.evaluate(EVERYTHING) == before


@pytest.mark.parametrize("name", with_variants(["stadium", "washington", "online"]))
def test_hold_em_in_every_phase(house: BrowserHouse, entrance: Entrance, name: str) -> None:
    guest = entrance(house)
    guest.own_table(name)
    guest.sit("$500")
    check_reload(guest)
    for number in (1, 2) if name == "stadium" else (1,):
        guest.place(number, "Ante")
        guest.place(number, "Trips")
    guest.settled_bets()
    guest.page.reload()
    guest.until(lambda: guest.wire.hands)
    check_reload(guest)
    guest.deal()
    streets = []
    while not guest.wire.over:
        streets.append(guest.wire.street)
        check_reload(guest)
        check_screen(guest)
        for hand in list(guest.wire.due):
            guest.choose(hand["hand"], "Check" if can(hand, "Check") else "1x")
        guest.next_turn()
    assert streets == ["before_flop", "on_flop", "on_river"]
    check_screen(guest)
    check_reload(guest)
    check_screen(guest)
    check_money(guest)


@pytest.mark.variant
def test_a_cardroom_in_every_phase_on_both_sides(house: BrowserHouse, entrance: Entrance) -> None:
    banker, player = entrance(house), entrance(house)
    for guest, seat in ((banker, 1), (player, 2)):
        guest.go("private.reload.california")
        guest.sit("$500", seat=seat)
        check_reload(guest)
    banker.page.get_by_role("textbox", name="Bank wager").fill("300")
    banker.press(banker.button("Bank with $300"))
    player.until(lambda: player.wire.phase == "wagering")
    player.place(1, "Ante", "$5")
    player.settled_bets()
    player.page.reload()
    player.until(lambda: player.wire.hands)
    check_reload(player)
    streets = []
    player.next_turn()
    while not player.wire.over:
        streets.append(player.wire.street)
        banker.until(lambda: banker.wire.street == player.wire.street)
        for guest in (banker, player):
            check_reload(guest)
        check_screen(player)
        (hand,) = player.wire.due
        player.choose(1, "Check" if can(hand, "Check") else "1x")
        player.next_turn()
    assert streets == ["before_flop", "on_flop", "on_river"]
    banker.until(lambda: banker.wire.over)
    for guest in (banker, player):
        # The terminal checks the deal by itself, and says so a moment later.
        expect(guest.page.get_by_text("Round 1 checked: dealt fairly").first).to_be_attached()
        check_felt(guest)
        check_reload(guest)
    check_screen(player)
    check_money(player, fees_cents=100)


@pytest.mark.variant
def test_draw_in_every_phase(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.own_table("draw")
    guest.sit("$500")
    check_reload(guest)
    guest.place(1, "Ante", "$5")
    guest.settled_bets()
    guest.page.reload()
    guest.until(lambda: guest.wire.hands)
    check_reload(guest)
    guest.deal()
    check_reload(guest)
    guest.press(guest.page.get_by_role("button", name="Card 1: "))
    guest.press(guest.button("Draw 4 cards"))
    guest.until(lambda: guest.wire.over)
    check_screen(guest)
    check_reload(guest)
    check_screen(guest)
    check_money(guest)
