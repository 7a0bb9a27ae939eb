"""Whole rounds with the keyboard alone, and the focus can always be seen."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest, Screen, can
from tests.kit.browser.keyboard import FOCUSED_NAME, press, tab_to
from tests.kit.browser.screens import check_choices, check_money, check_screen

BANKERS_COLLECTION_CENTS, PLAYERS_COLLECTION_CENTS = 200, 100
"""What California collects where the Ante is the smallest one."""


def come_in_by_keyboard(guest: Guest, *, table: str) -> None:
    """From the entrance to a seat with Tab and Enter."""
    tab_to(guest, "Play now")
    guest.page.keyboard.press("Enter")
    expect(guest.page.get_by_role("heading", name="Pick a table")).to_be_visible()
    expect(guest.page.get_by_role("link").filter(has_text="stadium-1")).to_be_visible()
    tab_to(guest, table, exact=table.startswith("Ultimate"))
    guest.page.keyboard.press("Enter")
    expect(guest.page.get_by_role("main", name="The table")).to_be_visible()
    tab_to(guest, "$500")
    guest.page.keyboard.press("Space")
    tab_to(guest, "Sit down with $500")
    guest.page.keyboard.press("Enter")
    guest.until(lambda: guest.wire.private.get("credit_cents") == 50_000)
    expect(guest.meter("Credit")).to_have_text("$500.00")


def test_stadium_by_shortcuts(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance.visitor(house)
    come_in_by_keyboard(guest, table="keys-stadium")
    press(guest, "2", "a", "t", "ArrowRight", "a", "e", "a", "e", "ArrowRight", "a", "x", "u")
    guest.settled_bets()
    wagers = {spot: hand["wagers"] for spot, hand in guest.wire.hands.items()}
    assert {spot: sum(one["cents"] for one in laid) for spot, laid in wagers.items()} == {
        "1.1": 3000,
        "1.2": 4000,
        "1.3": 2000,
    }
    press(guest, "d")
    guest.until(lambda: guest.wire.due)
    check_screen(guest)
    press_decisions(guest)
    check_screen(guest)
    press(guest, "r")
    guest.until(lambda: guest.wire.phase == "wagering" and guest.wire.cents("bet") == 9000)
    press(guest, "Delete")
    guest.until(lambda: guest.wire.cents("bet") == 0)


def press_decisions(guest: Guest) -> None:
    """Decide by keys: 4x for the hand that is asked first, then check, and 1x at the river."""
    first = True
    while guest.wire.due:
        check_choices(guest)
        can_check = can(guest.wire.due[0], "Check")
        with guest.deciding():
            press(guest, "4" if first else "c" if can_check else "1")
        guest.next_turn()
        first = False


@pytest.mark.variant
def test_washington_by_shortcuts(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance.visitor(house)
    come_in_by_keyboard(guest, table="keys-washington")
    press(guest, "a", "t", "p", "g")
    guest.settled_bets()
    (hand,) = guest.wire.hands.values()
    laid = {one["kind"] for one in hand["wagers"]}
    assert laid == {"ante", "blind", "trips", "ultimate_pairs", "progressive"}
    # The house takes six wagers of a hand, the Play wager among them; the rest stays as it lies.
    press(guest, "b")
    expect(guest.notice()).to_contain_text("6 wagers")
    guest.settled_bets()
    (hand,) = guest.wire.hands.values()
    assert {one["kind"] for one in hand["wagers"]} == laid
    press(guest, "d")
    guest.until(lambda: guest.wire.due)
    check_screen(guest)
    press_decisions(guest)
    check_screen(guest)
    tab_to(guest, "Collect")
    check_money_by_keyboard(guest)


@pytest.mark.variant
def test_california_by_keys_on_both_sides(house: BrowserHouse, entrance: Entrance) -> None:
    banker, player = entrance.visitor(house), entrance.visitor(house)
    for guest in (banker, player):
        come_in_by_keyboard(guest, table="keys-california")
    banker.until(lambda: banker.wire.public.get("bank_offered_to") == 1)
    tab_to(banker, "Bank with $30")
    press(banker, "Shift+Tab")
    banker.page.keyboard.type("300")
    tab_to(banker, "Bank with $300")
    press(banker, "Enter")
    player.until(lambda: player.wire.phase == "wagering")
    expect(player.page.get_by_role("button", name="Hand 1, Ante, ")).to_be_enabled()
    press(player, "a", "t")
    player.settled_bets()
    player.until(lambda: player.wire.due)
    check_screen(player)
    press_decisions(player)
    check_screen(player)
    banker.until(lambda: banker.wire.over)
    net = -player.wire.cents("net") - BANKERS_COLLECTION_CENTS
    assert banker.wire.cents("wallet") + banker.wire.cents("credit") == 100_000 + net
    check_money(player, fees_cents=PLAYERS_COLLECTION_CENTS)


@pytest.mark.variant
def test_draw_by_shortcuts(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance.visitor(house)
    come_in_by_keyboard(guest, table="Ultimate Draw Poker")
    press(guest, "2", "a", "1", "n")
    guest.settled_bets()
    assert guest.wire.cents("bet") == 600
    press(guest, "d")
    guest.until(lambda: guest.wire.due)
    (hand,) = guest.wire.due
    expect(guest.page.get_by_role("button", name="Card 5: ")).to_be_visible()
    press(guest, "2", "4", "2", "5")
    expect(guest.hand(1).get_by_role("button", pressed=True)).to_have_count(2)
    press(guest, "d")
    guest.until(lambda: guest.wire.over)
    (after,) = guest.wire.hands.values()
    assert after["held"] == [hand["cards"][3], hand["cards"][4]]
    check_screen(guest)
    tab_to(guest, "Collect")
    check_money_by_keyboard(guest)


def check_money_by_keyboard(guest: Guest) -> None:
    """Collect with Enter, and find the wallet as it should be."""
    wallet = guest.wire.cents("wallet") + guest.wire.cents("credit")
    assert wallet == 100_000 + guest.wire.cents("net")
    guest.page.keyboard.press("Enter")
    guest.until(lambda: guest.wire.cents("credit") == 0)
    assert guest.wallet_cents() == wallet


def test_online_by_tab_and_enter_alone(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance.visitor(house)
    come_in_by_keyboard(guest, table="Ultimate Texas Hold'em")
    tab_to(guest, "Hand 1, Ante")
    press(guest, "Enter", "Space")
    guest.until(lambda: guest.wire.private.get("bet_cents") == 400)
    tab_to(guest, "Deal")
    press(guest, "Enter")
    guest.until(lambda: guest.wire.due)
    while guest.wire.due:
        tab_to(guest, "Check" if can(guest.wire.due[0], "Check") else "Fold")
        with guest.deciding():
            press(guest, "Enter")
        guest.next_turn()
    check_screen(guest)
    check_money(guest)


def test_every_page_takes_the_focus_to_what_it_is_about(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance.visitor(house)
    tab_to(guest, "Play now")
    press(guest, "Enter")
    expect(guest.page.get_by_role("heading", name="Pick a table")).to_be_focused()
    expect(guest.page.get_by_role("link").filter(has_text="stadium-1")).to_be_visible()
    tab_to(guest, "Ultimate Draw Poker", exact=True)
    press(guest, "Enter")
    expect(guest.button("Sit down with $500")).to_be_focused()
    press(guest, "Enter")
    guest.until(lambda: guest.wire.private.get("credit_cents") == 50_000)
    expect(guest.page.get_by_role("main", name="The table")).to_be_focused()
    press(guest, "1", "a")
    guest.settled_bets()
    press(guest, "Enter")
    guest.until(lambda: guest.wire.due)
    guest.page.goto("/#/verify")
    expect(guest.page.get_by_role("heading", name="Verify a round")).to_be_focused()


@pytest.mark.variant
def test_enter_on_the_amount_that_is_picked_sits_down(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.own_table("online")
    tab_to(guest, "$100")
    press(guest, "Enter")
    expect(guest.button("Sit down with $100")).to_be_visible()
    assert guest.wire.private.get("seat") is None
    press(guest, "Enter")
    guest.until(lambda: guest.wire.private.get("credit_cents") == 10_000)


@pytest.mark.variant
def test_help_scrolls_by_keys_as_soon_as_it_is_open(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house, Screen.PHONE)
    guest.own_table("online")
    press(guest, "h")
    words = guest.page.get_by_role("dialog", name="Help").get_by_role("region", name="Help")
    expect(words).to_be_focused()
    press(guest, "PageDown")
    guest.until(lambda: words.evaluate("part => part.scrollTop") > 0)


@pytest.mark.variant
def test_panels_by_keys_keep_and_give_back_the_focus(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.own_table("online")
    guest.sit()
    for key, name in {"y": "Paytables", "h": "Help", "i": "History", "s": "Settings"}.items():
        tab_to(guest, "Collect")
        press(guest, key)
        panel = guest.page.get_by_role("dialog", name=name)
        expect(panel).to_be_visible()
        for _ in range(4):
            press(guest, "Tab")
            outside = """document.activeElement !== document.body
              && !document.querySelector("dialog").contains(document.activeElement)"""
            assert not guest.page.evaluate(outside)
        press(guest, "Escape")
        expect(panel).to_have_count(0)
        assert guest.page.evaluate(FOCUSED_NAME) == "Collect"
