"""A dealer deals live rounds at the dealer's terminal: by scanner, by the picker, and by touch."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.dealer_screens import Dealer
from tests.kit.browser.dealers import LiveTable
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.languages import check_spanish
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.script_loop import ScriptLoop

TOUCH_PX = 48


@pytest.fixture
def tables(house: BrowserHouse, scripts: ScriptLoop) -> Iterator[Callable[[str], LiveTable]]:
    """Opens live tables, whose dealers then come to the dealer's terminal."""
    opened: list[LiveTable] = []

    def open_table(game: str) -> LiveTable:
        opened.append(LiveTable(scripts, house, game).__enter__())
        return opened[-1]

    yield open_table
    for table in opened:
        table.__exit__(None, None, None)


def bet(player: Guest, *wagers: str) -> None:
    player.until(lambda: player.wire.phase == "wagering")
    for wager in wagers:
        player.place(1, wager, "$5")
    player.settled_bets()


@pytest.mark.clause("S.15")
def test_washington_by_scanner(
    house: BrowserHouse,
    entrance: Entrance,
    tables: Callable[[str], LiveTable],
    pictures: Pictures,
) -> None:
    table = tables("washington")
    player, dealer = entrance(house), Dealer(entrance.outside(house), table, by_form=True)
    player.go(table.name)
    player.sit("$500")
    dealer.does("Sign on as the dealer of this table.")
    check_axe(dealer.guest, "signing on")
    dealer.press("Sign on")
    dealer.does("Open the bets.")
    dealer.press("Open bets")
    dealer.does("Bets are open. No hand has bet yet.")
    bet(player, "Ante", "Trips")
    dealer.does("1 hand has bet. Check the chips, then close the bets.")
    expect(dealer.spot("Seat 1")).to_contain_text("Trips")
    expect(dealer.spot("Seat 1")).to_contain_text("$15.00")
    dealer.checks("On the felt: $15.00 of 1 hand.")
    dealer.press("No more bets")
    dealer.does("Next card: Seat 1, card 1.")
    dealer.scan("As", "KH")
    # What lies face down is not shown to the dealer either.
    assert dealer.guest.cards_in(dealer.spot("Seat 1")) == ["face-down card"] * 2
    dealer.does("Next card: Dealer, card 1.")
    dealer.page.keyboard.type("As")
    expect(dealer.refusal()).to_contain_text("already")
    dealer.does("Next card: Dealer, card 1.")
    check_axe(dealer.guest, "a card is due")
    pictures.keep(dealer.page, "dealer-terminal")
    dealer.scan("2c", "7d")
    dealer.does("1 hand decides.")
    dealer.page.keyboard.type("9h")
    expect(dealer.refusal()).to_have_text("No card is due now: the nine of hearts was not taken.")
    player.choose(1, "Check")
    dealer.scan("10h", "Js", "Qd")
    player.choose(1, "2x")
    dealer.scan("3s", "4s")
    dealer.does("Turn over: Dealer hand.")
    dealer.press("Turn over")
    dealer.does("Turn over: Seat 1.")
    dealer.press("Turn over")
    dealer.does("All cards are out. Confirm the round, then take and pay.")
    dealer.announces(
        "Dealer: queen high, does not qualify.",
        "Seat 1: straight, ace high. Ante pushes; Play pays $10.00; "
        "Blind pays 1 to 1, $5.00; Trips pays 4 to 1, $20.00.",
    )
    laid_out = dealer.page.get_by_role("region", name="Take and pay").inner_text()
    check_axe(dealer.guest, "announcing")
    pictures.keep(dealer.page, "dealer-announce")
    dealer.press("Confirm")
    dealer.does("Take and pay as shown, then open the bets.")
    paid = dealer.page.get_by_role("region", name="Take and pay")
    # A straight: the Play and the Trips are paid, the dealer does not qualify with a queen.
    for words in ("Ante", "Push", "Play", "Pay", "$10.00", "Trips", "$20.00"):
        expect(paid).to_contain_text(words)
    # What was laid out before is what was settled.
    assert paid.inner_text() == laid_out
    check_axe(dealer.guest, "take and pay")
    pictures.keep(dealer.page, "dealer-payouts")


def test_draw_by_the_picker_with_a_correction(
    house: BrowserHouse, entrance: Entrance, tables: Callable[[str], LiveTable]
) -> None:
    table = tables("draw")
    player, dealer = entrance(house), Dealer(entrance.outside(house), table)
    player.go(table.name)
    player.sit("$500")
    dealer.press("Sign on")
    dealer.press("Open bets")
    bet(player, "Ante")
    dealer.press("No more bets")
    picker = dealer.page.get_by_role("group", name="Cards of the deck")
    for button in picker.get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["width"] >= TOUCH_PX
        assert box["height"] >= TOUCH_PX
    dealer.does("Next card: Seat 1, card 1.")
    dealer.guest.press(picker.get_by_role("button", name="ace of spades"))
    dealer.does("Next card: Seat 1, card 2.")
    # The wrong card was touched: the dealer touches it on the felt, and scans the right one.
    dealer.guest.press(dealer.page.get_by_role("button", name="Correct Seat 1, card 1"))
    dealer.does("Scan the right card: Seat 1, card 1.")
    dealer.page.keyboard.type("Ad")
    dealer.does("Next card: Seat 1, card 2.")
    player.until(lambda: [hand["cards"] for hand in player.wire.hands.values()] == [["Ad"]])
    dealer.scan("As", "Kc", "7d", "2h")
    dealer.does("Next card: Dealer, card 1.")


@pytest.mark.variant
def test_another_dealer_and_a_spanish_one(
    house: BrowserHouse, entrance: Entrance, tables: Callable[[str], LiveTable]
) -> None:
    table = tables("washington")
    first = table.dealer
    dealer = Dealer(entrance.outside(house), table)
    dealer.press("Sign on")
    dealer.does("Open the bets.")
    table.go()
    table.come(f"{first}-b")
    other = Dealer(entrance.outside(house), table)
    other.does(f"{first} is dealing here and must sign off first, or a supervisor hands over.")
    dealer.press("Sign off")
    other.does("Sign on as the dealer of this table.")
    other.press("Sign on")
    dealer.does(f"{first}-b is dealing here and must sign off first, or a supervisor hands over.")
    other.page.evaluate(
        "localStorage.setItem('openfelt.settings', JSON.stringify({language: 'es'}))"
    )
    other.page.reload()
    step = other.page.get_by_role("region", name="Qué hacer ahora").get_by_role("status")
    expect(step).to_have_text("Abra las apuestas.")
    check_spanish(other.guest)
