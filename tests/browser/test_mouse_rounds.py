"""Full rounds of every house with the mouse, and the screen says what the wire said."""

import itertools
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.screens import (
    card_words,
    check_felt,
    check_hands,
    check_meters,
    check_money,
    check_screen,
    dollars,
    signed_dollars,
)


def test_stadium_with_three_hands_and_wagers_for_the_dealer(
    house: BrowserHouse, entrance: Entrance, pictures: Pictures
) -> None:
    guest = entrance(house)
    guest.pick_table("mouse-stadium")
    guest.sit("$500")
    for hand in (1, 2, 3):
        guest.place(hand, "Ante")
        guest.place(hand, "Trips")
    guest.press(guest.button("For the dealer"))
    guest.place(1, "Ante")
    guest.place(2, "Trips")
    guest.settled_bets()
    assert guest.wire.cents("bet") == 9 * 1000 + 2000 + 1000
    check_meters(guest)
    check_hands(guest)
    guest.deal()
    check_screen(guest)
    guest.choose(1, "4x")
    guest.choose(2, "3x")
    guest.choose(3, "Check")
    check_screen(guest)
    pictures.keep(guest.page, "stadium-flop")
    guest.play_out()
    check_screen(guest)
    pictures.keep(guest.page, "stadium-settled")
    check_money(guest)
    check_replayed_hands(guest)
    leave_for_the_lobby(guest)


def check_replayed_hands(guest: Guest) -> None:
    """The replay shows all three hands side by side, and none above another."""
    panel = guest.open_panel("History")
    guest.press(panel.get_by_role("button", name="Replay").first)
    hands = panel.locator(".replay .hands section")
    expect(hands).to_have_count(3)
    boxes = [box for hand in hands.all() if (box := hand.bounding_box())]
    assert len({round(box["y"]) for box in boxes}) == 1
    for left, right in itertools.pairwise(boxes):
        assert left["x"] + left["width"] <= right["x"]
    guest.close_panel()


@pytest.mark.variant
def test_washington_with_the_progressive(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.pick_table("mouse-washington")
    guest.sit("$500", seat=3)
    meter_cents = guest.wire.public["meter_cents"]
    expect(guest.page.get_by_text(dollars(meter_cents))).to_be_visible()
    guest.place(1, "Ante", "$5")
    guest.place(1, "Trips")
    guest.place(1, "Progressive jackpot")
    guest.settled_bets()
    guest.deal()
    check_screen(guest)
    guest.play_out()
    check_screen(guest)
    # A quarter of the dollar feeds the meter, unless the hand has taken something out of it.
    guest.until(lambda: guest.wire.public["meter_cents"] != meter_cents)
    shown = dollars(guest.wire.public["meter_cents"])
    expect(guest.page.get_by_text(shown)).to_be_visible()
    lines = guest.wire.hands["3.1"]["lines"]
    assert "progressive" in [line["wager"] for line in lines]
    check_money(guest)
    leave_for_the_lobby(guest)


def test_california_where_one_guest_banks_and_another_bets(
    house: BrowserHouse, entrance: Entrance, pictures: Pictures
) -> None:
    banker, player = entrance(house), entrance(house)
    for guest, seat in ((banker, 1), (player, 2)):
        guest.pick_table("pair-california")
        guest.sit("$500", seat=seat)
    banker.until(lambda: len(banker.wire.public["seats_taken"]) == 2)
    taken = bank_with(banker, "300") if banker.wire.public.get("bank_offered_to") == 1 else None
    if taken is None:
        player.press(player.button("Pass the bank"))
        banker.until(lambda: banker.wire.public.get("bank_offered_to") == 1)
        bank_with(banker, "300")
    player.until(lambda: player.wire.phase == "wagering")
    player.place(1, "Ante", "$5")
    player.place(1, "Trips")
    player.settled_bets()
    expect(banker.page.get_by_text("You are banking this round.", exact=True)).to_be_visible()
    expect(banker.meter("Bet")).to_have_text("$300.00")
    expect(player.page.get_by_text("Cards in")).to_be_visible()
    expect(player.button("Deal")).to_be_disabled()
    player.until(lambda: player.wire.due)
    check_screen(player)
    seats = banker.page.get_by_role("list", name="Seats")
    assert banker.cards_in(seats) == ["face-down card"] * 2
    pictures.keep(player.page, "california")
    player.play_out()
    check_screen(player)
    banker.until(lambda: banker.wire.over)
    check_felt(banker)
    check_meters(banker)
    result = banker.wire.cents("wallet") + banker.wire.cents("credit") - 100_000
    assert result == -player.wire.cents("net") - 200
    check_banker(banker)
    check_money(player, fees_cents=100)
    banker.collect()
    assert banker.wallet_cents() == 100_000 + result


def bank_with(guest: Guest, dollars_typed: str) -> bool:
    """Bank the next round; too much is refused with the reason, and no button moves meanwhile."""
    offer = guest.page.get_by_role("form", name="The bank")
    amount = offer.get_by_role("textbox", name="Bank wager")
    passing = offer.get_by_role("button", name="Pass the bank")
    lies = passing.bounding_box()
    amount.fill("99999")
    expect(offer.get_by_role("button", name="Bank with")).to_be_disabled()
    expect(offer.get_by_role("status")).to_have_text(
        "At most $497: your credit of $500 less $3 for the collection."
    )
    assert passing.bounding_box() == lies
    amount.fill(dollars_typed)
    guest.press(offer.get_by_role("button", name=f"Bank with ${dollars_typed}"))
    guest.until(lambda: guest.wire.round.get("banker_seat") == guest.wire.private["seat"])
    bank = guest.page.get_by_role("region", name="The bank")
    expect(bank).to_contain_text(f"${dollars_typed}.00")
    expect(bank).to_contain_text("You again")
    return True


def check_banker(guest: Guest) -> None:
    """A player who has banked sees their own hand, its result and the collection."""
    panel = guest.page.get_by_role("region", name="You bank")
    assert guest.cards_in(panel) == card_words(guest.wire.round["dealer"])
    net = guest.wire.cents("net")
    expect(panel.get_by_role("strong")).to_have_text(signed_dollars(net) if net else "Even")
    expect(panel).to_contain_text("less $2 collection")
    expect(guest.meter("Win")).to_have_text(dollars(max(net, 0)))
    expect(guest.dealer_area()).to_contain_text("Collection: $2.")


def test_draw_with_cards_held_by_a_tap(
    house: BrowserHouse, entrance: Entrance, pictures: Pictures
) -> None:
    guest = entrance(house)
    guest.pick_table("mouse-draw")
    guest.sit("$500", seat=2)
    expect(guest.page.get_by_text("The dealer's house way:")).to_be_visible()
    guest.place(1, "Ante", "$25")
    guest.place(1, "Bonus", "$5")
    guest.settled_bets()
    guest.deal()
    cards = guest.wire.hands["2.1"]["cards"]
    for number in (1, 3, 5):
        held = guest.page.get_by_role("button", name=f"Card {number}: ")
        expect(held).to_have_accessible_name(f"Card {number}: {card_words(cards)[number - 1]}")
        guest.press(held)
        expect(held).to_have_attribute("aria-pressed", "true")
    guest.press(guest.page.get_by_role("button", name="Card 5: "))
    expect(guest.page.get_by_role("button", name="Card 5: ")).to_have_attribute(
        "aria-pressed", "false"
    )
    pictures.keep(guest.page, "draw")
    guest.press(guest.button("Draw 3 cards"))
    guest.until(lambda: guest.wire.over)
    hand = guest.wire.hands["2.1"]
    assert hand["held"] == [cards[0], cards[2]]
    expect(guest.hand(1).get_by_text("Held", exact=True)).to_have_count(2)
    for number in (1, 2, 3):
        expect(guest.hand(1).get_by_text(f"Draw {number}", exact=True)).to_be_visible()
    check_screen(guest)
    held_by_dealer = guest.wire.round.get("dealer_held") or []
    expect(guest.dealer_area().get_by_text("Held", exact=True)).to_have_count(len(held_by_dealer))
    check_money(guest)
    # The wager that paid comes forward by itself; any other is one press away.
    tabs = guest.page.get_by_role("group", name="Paytables")
    guest.press(tabs.get_by_role("button", name=re.compile("^Ante Bonus")))
    expect(guest.page.get_by_role("table", name="Ante Bonus")).to_contain_text("Royal flush")
    leave_for_the_lobby(guest)


@pytest.mark.variant
def test_online_at_a_table_of_ones_own(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house, moving=True)
    guest.press(guest.button("Ultimate Texas Hold'em"))
    guest.sit("$500")
    guest.place(1, "Ante", "$25")
    guest.place(1, "Trips", "$5")
    guest.settled_bets()
    guest.deal()
    check_screen(guest)
    guest.play_out()
    check_screen(guest)
    check_money(guest)
    leave_for_the_lobby(guest)


def leave_for_the_lobby(guest: Guest) -> None:
    """Back in the lobby, the wallet holds what the table has said."""
    guest.press(guest.button("Back to the lobby"))
    expect(guest.page.get_by_role("heading", name="Pick a table")).to_be_visible()
    wallet = guest.page.get_by_role("banner").get_by_text(re.compile(r"^\$"))
    expect(wallet).to_have_text(dollars(guest.wallet_cents()))
