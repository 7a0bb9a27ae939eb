"""The lobby: where one still sits comes first, and help, history and money are at hand."""

import json
import re

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import SCREENS, Guest, Screen
from tests.kit.browser.measured_boxes import cut_controls
from tests.kit.browser.screens import card_words, dollars, signed_dollars


def seats(guest: Guest) -> Locator:
    """The tables at which the guest sits, as the lobby shows them."""
    return guest.page.get_by_role("region", name="Your seat").get_by_role("link")


def test_no_button_of_the_lobby_is_cut_off_at_any_width(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.in_lobby()
    assert not cut_controls(guest)


@pytest.mark.variant
@SCREENS
def test_leaving_in_a_round_is_asked_once_and_the_lobby_leads_back(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest = entrance(house, screen)
    guest.own_table("online")
    guest.sit("$500")
    guest.place(1, "Ante", "$5")
    guest.settled_bets()
    guest.press(guest.button("Back to the lobby"))
    bets = guest.page.get_by_role("dialog", name="Your bets are on the table")
    expect(bets).to_contain_text("They stay where they are until you come back.")
    guest.press(bets.get_by_role("button", name="Stay"))
    expect(bets).to_have_count(0)
    guest.deal()
    (hand,) = guest.wire.hands.values()
    guest.press(guest.button("Back to the lobby"))
    question = guest.page.get_by_role("dialog", name="A hand is in progress")
    credit = dollars(guest.wire.cents("credit"))
    expect(question).to_contain_text(f"Your credit of {credit} stays at the table.")
    expect(question.get_by_role("button", name="Stay")).to_be_focused()
    guest.press(question.get_by_role("button", name="Leave the table"))
    guest.in_lobby()
    expect(guest.page.get_by_role("dialog")).to_have_count(0)
    expect(guest.page.get_by_role("heading", level=2).first).to_have_text("Your seat")
    seat = seats(guest)
    expect(seat).to_have_count(1)
    for words in ("A hand is in progress", credit, "Your credit there", "Return", "Your own table"):
        expect(seat).to_contain_text(words)
    expect(seat).not_to_contain_text("private.")
    guest.press(seat)
    expect(guest.choices(1)).to_be_visible()
    guest.until(lambda: guest.cards_in(guest.hand(1)) == card_words(hand["cards"]))


@pytest.mark.variant
def test_whoever_has_nothing_in_play_leaves_with_the_credit(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.own_table("draw")
    guest.sit("$100")
    guest.press(guest.button("Back to the lobby"))
    guest.in_lobby()
    expect(guest.notice()).to_have_text("$100.00 returned to your wallet.")
    expect(seats(guest)).to_have_count(0)
    assert guest.wallet_cents() == 100_000
    # What was said does not follow to the next table.
    guest.go("washington-1")
    assert guest.notice().inner_text() == ""


@SCREENS
@pytest.mark.clause("S.screen.collect")
def test_collecting_is_confirmed_in_words(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest = entrance(house, screen)
    guest.own_table("online")
    guest.sit("$250")
    guest.collect()
    said = guest.page.get_by_role("status").filter(has_text="$250.00 returned to your wallet.")
    expect(said.first).to_be_attached()
    expect(guest.dealer_area()).to_contain_text("$250.00 returned to your wallet.")


@SCREENS
def test_help_and_history_are_in_the_lobby(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest = entrance(house, screen)
    guest.press(guest.button("Help"))
    panel = guest.page.get_by_role("dialog", name="Help")
    expect(panel).to_contain_text("Sit down at a table and buy in from your wallet.")
    guest.close_panel()
    guest.press(guest.button("History"))
    panel = guest.page.get_by_role("dialog", name="History")
    expect(panel).to_have_text(re.compile("You have not finished a round yet."))
    guest.close_panel()
    guest.own_table("online")
    guest.sit("$500")
    guest.place(1, "Ante", "$5")
    guest.settled_bets()
    guest.deal()
    guest.play_out()
    net = signed_dollars(guest.wire.cents("net"))
    guest.press(guest.button("Back to the lobby"))
    guest.in_lobby()
    guest.press(guest.button("History"))
    played = panel.get_by_role("link")
    expect(played).to_have_count(1)
    expect(played).to_contain_text("Your own table")
    expect(played).to_contain_text(net)
    guest.press(played)
    row = guest.page.get_by_role("dialog", name="History").get_by_role("row")
    expect(row.filter(has_text="#1")).to_contain_text(net)


@pytest.mark.variant
def test_more_play_money_says_what_it_did(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.press(guest.button("More play money"))
    expect(guest.notice()).to_contain_text("gives play money until you hold $1,000.00")
    guest.own_table("online")
    guest.sit("$250")
    guest.place(1, "Ante")
    guest.settled_bets()
    guest.page.goto("/#/")
    guest.in_lobby()
    banner = guest.page.get_by_role("banner")
    expect(banner).to_contain_text("$750.00")
    expect(banner).to_contain_text("$1,000.00 with your tables")
    guest.press(guest.button("More play money"))
    expect(guest.notice()).to_contain_text("in your wallet and at tables together")


@pytest.mark.variant
def test_only_a_terminal_of_another_house_is_told_that_it_may_not_sit(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    washington = guest.page.get_by_role("link").filter(has_text="washington-1")
    expect(washington).to_contain_text("Sit down")
    expect(washington).not_to_contain_text("terminals")

    def elsewhere(route: Route) -> None:
        me = route.fetch().json()
        route.fulfill(body=json.dumps({**me, "enrolled": False}), content_type="application/json")

    guest.page.route("**/api/v1/me", elsewhere)
    guest.page.reload()
    expect(washington).to_contain_text("Only at the house's own terminals")
    expect(washington).to_contain_text("Watch")
    draw = guest.page.get_by_role("link").filter(has_text="draw-1")
    expect(draw).not_to_contain_text("terminals")
    guest.page.unroute_all(behavior="wait")
