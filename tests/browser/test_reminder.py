"""The reminder of time and result comes when it is set, and never over a hand that decides."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.screens import signed_dollars


@pytest.mark.variant
def test_the_reminder_comes_when_it_is_set(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.own_table("online")
    guest.sit("$500")
    panel = guest.open_panel("Settings")
    panel.get_by_label("Remind me of time played and result").select_option("Every 15 minutes")
    guest.close_panel()
    play_a_round(guest)
    guest.place(1, "Ante", "$5")
    guest.settled_bets()
    guest.deal()
    net = guest.wire.cents("net")
    guest.page.clock.install()
    let_minutes_pass(guest, 16)
    reminder = guest.page.get_by_role("dialog", name="Your session")
    expect(guest.choices(1)).to_be_visible()
    expect(reminder).to_have_count(0)
    first_net = net_of_rounds(guest)
    guest.play_out()
    expect(reminder).to_be_visible()
    expect(reminder).to_contain_text("You have played for 16 minutes.")
    expect(reminder).to_contain_text("2 rounds")
    total = first_net + guest.wire.cents("net")
    expect(reminder).to_contain_text(signed_dollars(total))
    assert net == 0 or first_net != 0
    guest.press(reminder.get_by_role("button", name="Keep playing"))
    expect(reminder).to_have_count(0)
    let_minutes_pass(guest, 15)
    expect(reminder).to_contain_text("You have played for 31 minutes.")


@pytest.mark.variant
def test_the_reminder_waits_for_bets_and_offers_to_stop(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.own_table("online")
    guest.sit("$500")
    panel = guest.open_panel("Settings")
    panel.get_by_label("Remind me of time played and result").select_option("Every 15 minutes")
    guest.close_panel()
    guest.place(1, "Ante", "$5")
    guest.settled_bets()
    guest.page.clock.install()
    let_minutes_pass(guest, 16)
    reminder = guest.page.get_by_role("dialog", name="Your session")
    # The page looks at its clock within these steps, and bets that lie there keep it waiting.
    let_minutes_pass(guest, 1)
    expect(reminder).to_have_count(0)
    guest.press(guest.button("Clear bet"))
    expect(reminder).to_contain_text("You have played for 17 minutes.")
    guest.press(reminder.get_by_role("button", name="Stop and collect $500.00"))
    guest.in_lobby()
    expect(guest.page.get_by_role("region", name="Your seat")).to_have_count(0)
    assert guest.wallet_cents() == 100_000


def play_a_round(guest: Guest) -> None:
    """One whole round."""
    guest.place(1, "Ante", "$5")
    guest.settled_bets()
    guest.deal()
    guest.play_out()


def net_of_rounds(guest: Guest) -> int:
    """What the rounds so far have brought, by the server's own account of them."""
    table = guest.wire.public["table"]
    rounds = guest.context.request.get(f"/api/v1/tables/{table}/rounds").json()
    return sum(int(one["credit_change_cents"]) for one in rounds)


def let_minutes_pass(guest: Guest, minutes: int) -> None:
    """Move the page's clock on; its timers go on by the real one."""
    guest.page.clock.fast_forward(minutes * 60_000)
