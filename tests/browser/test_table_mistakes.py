"""Mistakes at a live table that are not in the deal: chips, crossed scans, a hold, fouled hands."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Entrance
from tests.browser.test_dealer_terminal import bet
from tests.browser.test_irregularities import Staff
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.dealer_screens import Dealer
from tests.kit.browser.dealers import LiveTable
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.script_loop import ScriptLoop


@pytest.fixture
def table(house: BrowserHouse, scripts: ScriptLoop) -> Iterator[LiveTable]:
    with LiveTable(scripts, house, "washington") as live:
        yield live


def card_at(dealer: Dealer, place: str) -> Locator:
    return dealer.page.get_by_role("button", name=f"Correct {place}", exact=True)


def exchange(dealer: Dealer, one: str, other: str) -> None:
    """Touch two cards on the felt, and exchange them."""
    for place in (one, other):
        dealer.guest.press(card_at(dealer, place.replace("Dealer", "Dealer hand")))
    dealer.does(f"Exchange {one} and {other}?")
    dealer.press("Exchange the cards")


def hold_and_go_on(dealer: Dealer, player: Guest, pictures: Pictures) -> None:
    """Call the floor; the player is told, and decides once the table goes on."""
    dealer.press("Call the floor")
    dealer.does("On hold: the floor has been called. The clock has stopped.")
    pictures.keep(dealer.page, "dealer-hold")
    check_axe(dealer.guest, "a table on hold")
    expect(player.page.get_by_text("The floor has been called.").first).to_be_visible()
    expect(player.button("Check")).to_be_disabled()
    pictures.keep(player.page, "live-hold")
    dealer.press("Continue")


def count_chips(dealer: Dealer, pictures: Pictures) -> None:
    """Too few chips lie at seat 2: the terminal names the spot, and no card is dealt before."""
    check = dealer.page.get_by_role("region", name="Before the first card")
    dealer.press("The chips differ")
    check.get_by_label("Seat 2 (booked $10.00)").fill("5")
    dealer.press("Enter the count")
    dealer.checks("There is $15.00 on the felt, but $20.00 was booked.")
    dealer.checks("Seat 2: $5.00 on the felt, $10.00 booked.")
    pictures.keep(dealer.page, "dealer-chips")
    check_axe(dealer.guest, "chips that differ")
    dealer.press("No more bets")
    dealer.does("Next card: Seat 1, card 1.")


def declare_chips(dealer: Dealer, staff: Staff) -> None:
    """What stays as booked is noted by the dealer alone."""
    staff.declare("play_differs.chips", hand="Seat 1")
    staff.open("wager_late.chips")
    check_axe(dealer.guest, "late chips")
    dealer.guest.press(staff.dialog().get_by_role("button", name="Seat 4"))
    staff.dialog().get_by_label("Chips, if counted").fill("25")
    dealer.guest.press(staff.dialog().get_by_role("button", name="Declare it"))
    expect(staff.noted().get_by_role("listitem")).to_have_count(2)


def report_mispayment(dealer: Dealer, staff: Staff, pictures: Pictures) -> None:
    """The book is right, and other chips were paid."""
    dealer.guest.press(staff.page.get_by_role("button", name="Something is wrong"))
    form = staff.dialog().get_by_role("region", name="Chips were paid wrongly")
    form.get_by_label("Amount").fill("5")
    form.get_by_label("Reason").fill("Play paid twice")
    dealer.guest.press(form.get_by_role("button", name="Report"))
    waiting = form.get_by_role("list", name="Mispayments that wait for the floor")
    expect(waiting).to_contain_text("Round 1, seat 1: $5.00 too much was paid.")
    pictures.keep(dealer.page, "dealer-mispaid")
    check_axe(dealer.guest, "a mispayment")
    dealer.guest.press(waiting.get_by_role("button", name="Recovered", exact=True))
    staff.approved("A supervisor notes how it ended.")


@pytest.mark.clause("R.31", "R.40", "R.41", "R.42", "R.43")
def test_the_screen_has_an_answer_to_each_mistake(
    house: BrowserHouse, entrance: Entrance, table: LiveTable, pictures: Pictures
) -> None:
    one, two = entrance(house), entrance(house)
    dealer = Dealer(entrance.outside(house), table)
    staff = Staff(dealer.guest)
    for player in (one, two):
        player.go(table.name)
        player.sit("$500")
    dealer.press("Sign on")
    dealer.press("Open bets")
    for player in (one, two):
        bet(player, "Ante")
    dealer.checks("On the felt: $20.00 of 2 hands.")

    count_chips(dealer, pictures)

    # Two cards were scanned in the wrong order, and are exchanged before the first decision.
    dealer.scan("Kc", "Ah", "2s", "7h", "As", "Kd")
    dealer.does("2 hands decide.")
    hold_and_go_on(dealer, one, pictures)
    exchange(dealer, "Seat 1, card 1", "Dealer, card 1")
    one.until(lambda: next(iter(one.wire.hands.values()))["cards"] == ["As", "Ah"])
    one.choose(1, "4x")
    two.choose(1, "Check")
    dealer.does("Next card: Board, card 1.")
    dealer.scan("Ac", "7d", "9h")

    # After a decision a supervisor approves the exchange, with both places named.
    dealer.press("Supervisor")
    dealer.press("Correct a card")
    exchange(dealer, "Board, card 1", "Board, card 2")
    staff.approved(
        "Board, card 1 (ace of clubs) and Board, card 2 (seven of diamonds) change places"
    )
    expect(dealer.page.get_by_role("region", name="The felt")).to_contain_text("7")

    declare_chips(dealer, staff)
    # A fouled hand needs a supervisor, and so does a card out of play after a decision.
    staff.declare("hand_fouled.hand", hand="Seat 2")
    staff.approved("Only a supervisor may declare this.")
    expect(dealer.spot("Seat 2")).to_contain_text("fouled")
    expect(two.hand(1)).to_contain_text("its wagers lose")
    staff.declare("cards_stuck.deck", card="5d")
    staff.approved("Only a supervisor may declare this.")

    dealer.scan("Js", "3c")
    for _ in range(2):
        dealer.press("Turn over")
    dealer.press("Confirm")
    dealer.does("Take and pay as shown, then open the bets.")
    # Three aces win the Ante and the Play wager; the fouled hand has lost its Ante and Blind.
    one.until(lambda: one.wire.cents("credit") == 50_000 + 2_500)
    two.until(lambda: two.wire.cents("credit") == 50_000 - 1_000)

    report_mispayment(dealer, staff, pictures)
    assert one.wire.cents("credit") == 50_000 + 2_500
