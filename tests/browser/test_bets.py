"""Chips on the felt: placed, dragged, doubled, undone, repeated, cleared, within their limits."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.screens import check_hands, check_meters, dollars


@pytest.fixture
def guest(house: BrowserHouse, entrance: Entrance) -> Guest:
    """A guest at a stadium table of their own."""
    guest = entrance(house)
    guest.own_table("stadium")
    return guest


def check_bet(guest: Guest, cents: int) -> None:
    """So much lies on the felt, on the screen and at the table."""
    guest.until(lambda: guest.wire.cents("bet") == cents)
    expect(guest.meter("Bet")).to_have_text(dollars(cents))
    check_meters(guest)
    check_hands(guest)


@pytest.mark.variant
@pytest.mark.clause("S.screen.x2", "S.screen.undo", "S.screen.clear_bet")
def test_double_undo_and_clear(guest: Guest) -> None:
    guest.sit("$500")
    expect(guest.button("X2")).to_be_disabled()
    expect(guest.button("Undo")).to_be_disabled()
    guest.place(1, "Ante", "$25")
    guest.place(2, "Ante", "$10")
    guest.place(2, "Bad Beat")
    check_bet(guest, 5000 + 2000 + 1000)
    guest.press(guest.button("X2"))
    check_bet(guest, 16_000)
    guest.press(guest.button("Undo"))
    check_bet(guest, 8000)
    guest.press(guest.button("Clear the bets of hand 1"))
    check_bet(guest, 3000)
    guest.press(guest.button("Clear bet"))
    check_bet(guest, 0)
    guest.press(guest.button("Undo"))
    guest.press(guest.button("Undo"))
    check_bet(guest, 8000)


def test_cards_are_dealt_for_the_chips_on_the_screen_however_fast_they_are_asked_for(
    guest: Guest,
) -> None:
    guest.sit("$500")
    guest.place(1, "Ante", "$25")
    guest.place(2, "Ante", "$10")
    check_bet(guest, 7000)
    for key in ("x", "u", "d"):
        guest.page.keyboard.press(key)
    guest.until(lambda: guest.wire.due)
    check_bet(guest, 7000)
    guest.play_out()
    assert guest.wire.refusals() == []


@pytest.mark.variant
def test_chips_are_dragged_to_a_circle(guest: Guest) -> None:
    guest.sit("$500")
    chip = guest.page.get_by_role("radio", name="$50 chip", exact=True)
    chip.drag_to(guest.circle(2, "Ante"))
    check_bet(guest, 10_000)
    chip.drag_to(guest.dealer_area())
    guest.place(2, "Trips", "$10")
    check_bet(guest, 11_000)


@pytest.mark.variant
def test_limits_refuse_whole(guest: Guest) -> None:
    guest.sit("$1,000")
    guest.place(1, "Ante", "$50")
    guest.place(1, "Ante", "$25")
    guest.place(2, "Ante", "$10")
    check_bet(guest, 17_000)
    guest.press(guest.button("X2"))
    expect(guest.notice()).to_contain_text(
        "Nothing was doubled: one wager would exceed its maximum of $100."
    )
    check_bet(guest, 17_000)
    guest.place(1, "Ante", "$50")
    expect(guest.notice()).to_contain_text("Ante: the maximum is $100.")
    check_bet(guest, 17_000)
    assert guest.wire.refusals() == []


@pytest.mark.variant
def test_a_chip_below_the_minimum_is_raised_to_it(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.own_table("washington")
    guest.sit("$500")
    guest.place(1, "Ante", "$1")
    expect(guest.notice()).to_contain_text("Ante was raised to the minimum.")
    check_bet(guest, 1000)
    guest.place(1, "Bad Beat")
    expect(guest.notice()).to_contain_text("Trips")
    check_bet(guest, 1000)
    # The table is on no link, so the house's progressive is not offered.
    expect(guest.circle(1, "Progressive")).to_have_count(0)


@pytest.mark.variant
def test_credit_that_is_too_low_is_said(guest: Guest) -> None:
    guest.sit("$100")
    guest.place(1, "Ante", "$25")
    guest.place(1, "Trips", "$10")
    check_bet(guest, 6000)
    guest.press(guest.button("X2"))
    expect(guest.notice()).to_contain_text("Nothing was doubled: your credit does not cover it.")
    check_bet(guest, 6000)
    guest.place(2, "Ante", "$25")
    expect(guest.notice()).to_contain_text("Your credit does not cover that.")
    check_bet(guest, 6000)
    assert guest.wire.refusals() == []


@pytest.mark.clause("S.screen.rebet")
def test_a_double_tap_on_re_bet_repeats_the_bets_once(guest: Guest) -> None:
    guest.sit("$1,000")
    expect(guest.button("Re-bet")).to_be_disabled()
    guest.place(1, "Ante")
    guest.place(1, "Trips")
    guest.place(3, "Ante")
    check_bet(guest, 5000)
    guest.deal()
    guest.play_out()
    laid = {spot: hand["wagers"] for spot, hand in guest.wire.hands.items()}
    guest.button("Re-bet $50").dblclick()
    expect(guest.button("Re-bet")).to_be_disabled()
    check_bet(guest, 5000)
    again = {spot: hand["wagers"] for spot, hand in guest.wire.hands.items()}
    assert again == {
        spot: [one for one in wagers if one["kind"] != "play"] for spot, wagers in laid.items()
    }
    guest.press(guest.button("X2"))
    check_bet(guest, 10_000)
    guest.deal()
    guest.play_out()
    guest.page.reload()
    guest.press(guest.button("Re-bet $100"))
    check_bet(guest, 10_000)


def test_chips_for_the_dealer_end_with_the_bets(guest: Guest) -> None:
    guest.sit("$500")
    switch = guest.button("For the dealer")
    guest.place(1, "Ante", "$10")
    guest.press(switch)
    guest.place(1, "Trips")
    check_bet(guest, 3000)
    expect(switch).to_have_attribute("aria-pressed", "true")
    guest.deal()
    guest.play_out()
    expect(switch).to_have_attribute("aria-pressed", "false")
    guest.place(1, "Ante")
    check_bet(guest, 2000)
    laid = guest.wire.hands["1.1"]["wagers"]
    assert [one["for_dealer"] for one in laid] == [False, False]
