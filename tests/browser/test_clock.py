"""The clock runs out: bets close, hands check, check and fold, and the screen says so each time."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.screens import check_money, check_screen


def clock_says(guest: Guest, words: str) -> None:
    """The clock runs, and what happens at its end is written beside it."""
    clock = guest.page.get_by_role("timer")
    expect(clock).to_contain_text(words)
    expect(clock).to_have_accessible_name("1 second left")


def test_stadium_closes_checks_and_folds_by_the_clock(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.go("private.clock.stadium")
    guest.sit("$500")
    guest.place(1, "Ante")
    clock_says(guest, "then bets close and cards are dealt")
    guest.until(lambda: guest.wire.street == "before_flop")
    clock_says(guest, "then your hand checks")
    guest.until(lambda: guest.wire.street == "on_flop")
    assert_by_clock(guest, ["check"])
    clock_says(guest, "then your hand checks")
    guest.until(lambda: guest.wire.street == "on_river")
    assert_by_clock(guest, ["check", "check"])
    clock_says(guest, "then your hand folds")
    guest.until(lambda: guest.wire.over)
    assert_by_clock(guest, ["check", "check", "fold"])
    assert guest.wire.commands("decide") == guest.wire.commands("close_bets") == []
    expect(guest.hand(1)).to_contain_text("Folded")
    expect(guest.hand(1)).to_contain_text("by the clock")
    expect(guest.page.get_by_role("timer")).to_have_count(0)
    check_screen(guest)
    check_money(guest)


def assert_by_clock(guest: Guest, decisions: list[str]) -> None:
    """The hand has decided so, and each time it was the clock."""
    guest.until(lambda: len(guest.wire.hands["1.1"]["decisions"]) == len(decisions))
    made = guest.wire.hands["1.1"]["decisions"]
    assert [one["decision"] for one in made] == decisions
    assert {one["by"] for one in made} == {"clock"}


@pytest.mark.variant
def test_draw_is_played_the_house_way_by_the_clock(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.go("private.clock.draw")
    guest.sit("$500")
    guest.place(1, "Ante", "$5")
    clock_says(guest, "then bets close and cards are dealt")
    guest.until(lambda: guest.wire.due)
    clock_says(guest, "then your hand is played the house way")
    guest.until(lambda: guest.wire.over)
    (hand,) = guest.wire.hands.values()
    assert [one["by"] for one in hand["decisions"]] == ["clock"]
    check_screen(guest)
    check_money(guest)


@pytest.mark.variant
def test_a_bank_that_nobody_answers_for_passes_on_by_the_clock(
    house: BrowserHouse, entrance: Entrance
) -> None:
    ann, ben = entrance(house), entrance(house)
    for guest, seat in ((ann, 1), (ben, 2)):
        guest.go("private.clock.california")
        guest.sit("$500", seat=seat)
        if guest is ann:
            expect(ann.page.get_by_text("The bank is offered to you")).to_be_visible()
            # No other player waits for the answer of one who sits alone.
            expect(ann.page.get_by_role("timer")).to_have_count(0)
    expect(ann.page.get_by_role("timer")).to_contain_text("then you pass the bank")
    expect(ben.page.get_by_role("timer")).to_contain_text("then seat 1 passes the bank")
    clock_says(ann, "then you pass the bank")
    ben.until(lambda: ben.wire.public.get("bank_offered_to") == 2)
    clock_says(ben, "then you pass the bank")
    ben.until(lambda: ben.wire.public.get("bank_offered_to") is None)
    for guest in (ann, ben):
        expect(guest.page.get_by_role("timer")).to_have_count(0)
        expect(guest.page.get_by_text("No player is banking yet.")).to_be_visible()
        assert guest.wire.commands("decline_bank") == []
    # A player who thinks again may still take it.
    ann.page.get_by_role("textbox", name="Bank wager").fill("100")
    ann.press(ann.button("Bank with $100"))
    ben.until(lambda: ben.wire.round.get("banker_seat") == 1)
