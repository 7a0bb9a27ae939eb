"""What the felt says and shows at the right moment, in the right place and in the right words."""

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import SCREENS, Guest, Screen
from tests.kit.browser.screens import check_screen, chip_dollars


def box(part: Locator) -> FloatRect:
    found = part.bounding_box()
    assert found is not None
    return found


def overlap(one: FloatRect, other: FloatRect) -> bool:
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


def below_deal(guest: Guest, words: str) -> None:
    """What DEAL waits for, as it is seen and as a screen reader says it."""
    expect(guest.button("Deal")).to_have_accessible_description(words)


@pytest.mark.variant
@SCREENS
def test_a_wager_of_one_dollar_where_no_chip_of_the_house_is_so_small(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest = entrance(house, screen)
    guest.own_table("stadium")
    guest.sit("$500")
    expect(guest.page.get_by_role("radio", checked=True)).to_have_accessible_name("$10 chip")
    guest.place(1, "Ante")
    guest.place(1, "Trips", "$1")
    guest.settled_bets()
    assert {one["kind"]: one["cents"] for one in guest.wire.hands["1.1"]["wagers"]} == {
        "ante": 1000,
        "blind": 1000,
        "trips": 100,
    }


@pytest.mark.variant
@SCREENS
def test_deal_says_what_it_waits_for(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest = entrance(house, screen)
    guest.own_table("online")
    guest.sit("$500")
    below_deal(guest, "Bet first")
    guest.place(1, "Ante")
    guest.settled_bets()
    below_deal(guest, "")
    guest.deal()
    guest.play_out()
    below_deal(guest, "Bet or re-bet")


def test_wagers_for_the_dealer_are_explained_and_their_end_is_told(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.own_table("stadium")
    guest.sit("$1,000")
    guest.place(1, "Ante")
    guest.press(guest.button("For the dealer"))
    expect(guest.dealer_area()).to_contain_text("the winnings are the dealer's")
    guest.place(1, "Ante")
    guest.settled_bets()
    guest.place(1, "Ante", "$100")
    expect(guest.notice()).to_have_text("“For the dealer” is on. Ante: the maximum is $100.")
    guest.deal()
    four = guest.choices(1).get_by_role("button", name="4x")
    expect(four).to_contain_text("$80")
    expect(four).to_contain_text("$40 for the dealer")
    guest.choose(1, "4x")
    guest.until(lambda: guest.wire.over)
    check_screen(guest)
    lines = [line for line in guest.wire.hands["1.1"]["lines"] if line["for_dealer"]]
    won = sum(line["payout_cents"] for line in lines)
    words = f"+{chip_dollars(won)}" if won else "nothing won"
    expect(guest.hand(1)).to_contain_text(f"For the dealer: {words}")
    if won:
        expect(guest.dealer_area()).to_contain_text(f"The dealer wins {chip_dollars(won)}.")


@SCREENS
def test_what_is_refused_covers_no_card(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest = entrance(house, screen)
    guest.own_table("stadium")
    guest.sit("$1,000")
    guest.place(1, "Ante", "$100")
    guest.place(1, "Ante")
    expect(guest.notice()).to_have_text("Ante: the maximum is $100.")
    seen = guest.dealer_area().get_by_text("Ante: the maximum is $100.")
    expect(seen).to_be_in_viewport(ratio=1)
    rows = guest.page.locator(".cards").all()
    assert len(rows) >= 3
    assert not [row for row in rows if overlap(box(seen), box(row))]


@pytest.mark.variant
def test_the_board_stays_where_it_lies(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.own_table("online")
    guest.sit("$500")
    board = guest.dealer_area().locator(".board .cards")
    before = box(board)
    guest.place(1, "Ante")
    guest.settled_bets()
    guest.deal()
    guest.play_out()
    expect(guest.dealer_area()).to_contain_text(guest.wire.round["dealer_made"])
    assert box(board) == before


@pytest.mark.variant
def test_the_last_words_on_the_felt_change_their_language_too(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.own_table("online")
    guest.sit("$500")
    guest.place(1, "Ante")
    guest.settled_bets()
    guest.deal()
    guest.play_out()
    expect(guest.dealer_area()).to_contain_text("Dealer: ")
    settings = guest.open_panel("Settings")
    settings.get_by_role("combobox", name="Language").select_option("es")
    guest.page.keyboard.press("Escape")
    felt = guest.page.locator(".voice")
    expect(felt).to_contain_text("Crupier: ")
    expect(felt).not_to_contain_text("Dealer")
