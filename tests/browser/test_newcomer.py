"""What a newcomer asks the terminal: times, clauses, limits, and the way out with the bets."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import LIMITED, BrowserHouse
from tests.kit.browser.languages import messages


def test_help_has_the_times_of_the_table_and_its_clauses_open(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.go("stadium-2")
    clock = guest.wire.public["clock_rule"]
    usual = guest.context.request.get("/api/v1/houses/stadium").json()["clock"]
    assert clock != usual
    rules = guest.open_panel("Help")
    expect(rules).to_contain_text(
        f"You have {clock['wager_seconds']} seconds to bet "
        f"and {clock['decision_seconds']} seconds to decide."
    )
    rules.locator("summary").filter(has_text=re.compile("^Trips$")).click()
    expect(rules).to_contain_text("Example:")
    number = rules.locator("details details summary").filter(has_text="S.13f").first
    number.click()
    text = guest.context.request.get("/api/v1/clauses/S.13f").json()["text"]
    expect(rules.get_by_text(text)).to_be_visible()
    guest.close_panel()
    # The system asks for less motion, so nothing moves, and the switch says so.
    still = guest.open_panel("Settings").get_by_role("switch", name=re.compile("Animations"))
    expect(still).to_be_disabled()
    expect(still).not_to_be_checked()


@pytest.mark.clause("W.additional.3", "R.36")
def test_a_payout_aggregate_stands_in_the_help_and_beside_its_paytable(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.go(LIMITED)
    values = {"wager": "Trips", "limit": "$5,000"}
    words = messages("en")["limits.aggregate"].format(**values)
    assert "paid at most $5,000 together" in words
    expect(guest.open_panel("Help")).to_contain_text(words)
    guest.close_panel()
    expect(guest.open_panel("Paytables")).to_contain_text(words)


def test_the_returns_of_draw_poker_are_calculated(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.go("mouse-draw")
    panel = guest.open_panel("Paytables")
    expect(panel).to_contain_text("101.5439% of the wager")
    expect(panel).to_contain_text("99.2380% of the wager")
    expect(panel).not_to_contain_text("Blind")


def test_who_leaves_while_bets_are_open_may_take_them_along(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.own_table("online")
    guest.sit("$500")
    guest.place(1, "Ante", "$5")
    guest.settled_bets()
    guest.press(guest.button("Back to the lobby"))
    bets = guest.page.get_by_role("dialog", name="Your bets are on the table")
    guest.press(bets.get_by_role("button", name="Take $10.00 back and leave"))
    guest.in_lobby()
    assert guest.wallet_cents() == 100_000
