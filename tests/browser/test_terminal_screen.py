"""The screen of a stadium terminal shows all that its document lists, before and after a game."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.screens import check_felt, check_meters, chip_dollars

HANDS = (1, 2, 3)
SPOTS = ("Trips", "Ante", "Blind", "Ultimate Pairs Bonus", "Play", "Bad Beat Bonus")


def in_sight(guest: Guest, *words: str) -> None:
    """Words that stand on the screen, wholly in sight."""
    for text in words:
        line = guest.page.get_by_text(text, exact=True).filter(visible=True).first
        expect(line).to_be_in_viewport(ratio=1)


def check_top_bar(guest: Guest, table: str) -> None:
    bar = guest.page.get_by_role("banner")
    expect(bar.get_by_role("heading", level=1)).to_have_text("Stadium Ultimate Texas Hold'em")
    for words in (table, "Min-bet $10.00", "Max-bet $100.00", "Denom $0.01", "TID #1"):
        expect(bar).to_contain_text(words)
    in_sight(guest, table, "Play money")


def check_dealer(guest: Guest) -> None:
    area = guest.dealer_area()
    for words in ("Dealer hand", "Dealer cards", "Dealer position", "Dealer chips", "Board"):
        expect(area.get_by_text(words, exact=True)).to_be_in_viewport(ratio=1)
    expect(area).to_contain_text("Dealer chips $0")
    expect(area).to_contain_text("Tips $0")


def check_results(guest: Guest) -> None:
    """The counts are those of the last games, as the table has counted them."""
    games = guest.wire.public["results"][:5]
    rows = guest.page.get_by_role("complementary").get_by_role("table").first.get_by_role("row")
    for at, kind in enumerate(("ante", "blind", "play"), start=1):
        counts = [sum(game[what].get(kind, 0) for game in games) for what in ("wins", "stand_offs")]
        expect(rows.nth(at).get_by_role("cell")).to_have_text([str(count) for count in counts])


def check_spots(guest: Guest) -> None:
    for hand in HANDS:
        expect(guest.hand(hand)).to_contain_text(f"Hand {hand}")
        for spot in SPOTS:
            expect(guest.circle(hand, spot)).to_be_in_viewport(ratio=1)
            name = guest.hand(hand).get_by_text(spot, exact=True)
            expect(name).to_be_in_viewport(ratio=1)
        expect(guest.hand(hand).get_by_text("=", exact=True)).to_be_in_viewport(ratio=1)


def check_chips(guest: Guest) -> None:
    chips = guest.page.get_by_role("radio")
    for dollars in ("$10", "$25", "$50", "$100"):
        chip = guest.page.get_by_role("radio", name=f"{dollars} chip", exact=True)
        expect(chip).to_be_in_viewport(ratio=1)
        guest.press(chip)
        in_sight(guest, f"{dollars} chip")
        expect(chips.and_(guest.page.locator("[aria-checked=true]"))).to_have_count(1)


@pytest.mark.clause(
    "S.screen.table_name",
    "S.screen.table_number",
    "S.screen.min_bet",
    "S.screen.max_bet",
    "S.screen.denomination",
    "S.screen.demo",
    "S.screen.game_number",
    "S.screen.terminal_number",
    "S.screen.dealer_hand",
    "S.screen.dealer_position",
    "S.screen.dealer_chips",
    "S.screen.dealer_cards",
    "S.screen.ante_pushes",
    "S.screen.malfunction",
    "S.screen.hand_1",
    "S.screen.hand_2",
    "S.screen.hand_3",
    "S.screen.spot.trips",
    "S.screen.spot.ante_blind",
    "S.screen.spot.ultimate_pairs",
    "S.screen.spot.play",
    "S.screen.spot.bad_beat",
    "S.screen.bet",
    "S.screen.win",
    "S.screen.credit",
    "S.screen.chips",
    "S.screen.chip_selected",
    "S.screen.results",
    "S.screen.results.games",
    "S.screen.paytables",
    "S.screen.paytables.help",
    "S.screen.help",
)
def test_a_stadium_terminal_shows_all_that_its_document_lists(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    table = guest.own_table("stadium")
    guest.sit("$500")
    check_top_bar(guest, table)
    check_dealer(guest)
    check_spots(guest)
    check_chips(guest)
    check_meters(guest)
    in_sight(guest, "Player hand results", "Win", "Stand off")
    in_sight(guest, "All players at this table, over the last 5 games")
    in_sight(guest, "Paytables*", "Three of a kind", "*Refer to Help for details")
    in_sight(guest, "Malfunction voids all pays and plays")
    in_sight(guest, "Ante pushes if dealer has less than a pair")

    # On a phone the two notices and the mark of play money stand too.
    guest.page.set_viewport_size({"width": 390, "height": 664})
    in_sight(guest, "Ante pushes if dealer has less than a pair", "Play money", "Denom $0.01")
    in_sight(guest, "Malfunction voids all pays and plays", "Dealer chips", "$100 chip")
    guest.page.set_viewport_size({"width": 1920, "height": 1080})

    # A tap on Play is answered, though nothing can be bet there yet.
    guest.place(1, "Play")
    expect(guest.page.get_by_role("dialog", name="What Play pays on")).to_be_visible()
    guest.close_panel()
    guest.place(1, "Ante", "$10")
    guest.press(guest.button("For the dealer"))
    guest.place(1, "Ante", "$10")
    guest.settled_bets()
    expect(guest.dealer_area()).to_contain_text("Dealer chips $20")
    guest.deal()
    guest.play_out()
    expect(guest.page.get_by_role("banner")).to_contain_text("Game #1")
    check_felt(guest)
    check_meters(guest)
    check_results(guest)
    lines = guest.wire.hands["1.1"]["lines"]
    tips = sum(line["payout_cents"] for line in lines if line["for_dealer"])
    expect(guest.dealer_area()).to_contain_text(f"Tips {chip_dollars(tips)}")
    rules = guest.open_panel("Help")
    for words in ("Ante pushes if dealer has less than a pair", "Ultimate Pairs Bonus"):
        expect(rules).to_contain_text(words)
