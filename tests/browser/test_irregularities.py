"""Something goes wrong at a live table: each irregularity, as dealer and supervisor declare it."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Entrance
from tests.browser.test_dealer_terminal import bet
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.accounts import sign_in_without_form
from tests.kit.browser.dealer_screens import SMALL, Dealer
from tests.kit.browser.dealers import LiveTable
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.languages import messages
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.server.open_house import SUPERVISOR


@pytest.fixture
def table(house: BrowserHouse, scripts: ScriptLoop) -> Iterator[LiveTable]:
    with LiveTable(scripts, house, "washington") as live:
        yield live


class Staff:
    """A dealer or a supervisor in front of the dealer's terminal."""

    def __init__(self, guest: Guest) -> None:
        self.guest, self.page = guest, guest.page

    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog", name="Something is wrong")

    def open(self, what: str) -> None:
        """Open the panel and choose what has happened, such as ``card_face_up.deck``."""
        words = messages("en")[f"wrong.{what}"]
        self.guest.press(self.page.get_by_role("button", name="Something is wrong"))
        self.guest.press(self.dialog().get_by_role("button", name=words))

    def declare(self, what: str, *, hand: str = "", card: str = "") -> None:
        """Declare what has happened."""
        self.open(what)
        if hand:
            self.guest.press(self.dialog().get_by_role("button", name=hand))
        if card:
            self.page.keyboard.type(card)
            expect(self.dialog().get_by_role("status")).to_contain_text("Out of play")
        self.guest.press(self.dialog().get_by_role("button", name="Declare it"))
        expect(self.dialog()).to_have_count(0)

    def approved(self, words: str) -> None:
        """Have a supervisor approve on this screen what the dialog says."""
        dialog = self.page.get_by_role("dialog", name=messages("en")["approval.title"])
        expect(dialog).to_contain_text(words)
        dialog.get_by_label("Name").fill(SUPERVISOR["name"])
        dialog.get_by_label("Password", exact=True).fill(SUPERVISOR["password"])
        self.guest.press(dialog.get_by_role("button", name="Approve", exact=True))
        expect(dialog).to_have_count(0)

    def noted(self) -> Locator:
        return self.page.get_by_role("list", name="What went wrong in this round")


def supervisor_at(guest: Guest, table: LiveTable) -> Staff:
    """A supervisor who opens the terminal of the table on a screen of their own."""
    guest.page.set_viewport_size(SMALL)
    sign_in_without_form(guest, **SUPERVISOR)
    guest.page.goto(f"/#/deal/{table.name}")
    return Staff(guest)


def changed_from(dealer: Dealer, felt: Locator, step: str, seen: list[str]) -> None:
    """Wait until the dealer is told something else, or sees other cards."""
    dealer.guest.until(
        lambda: (dealer.step.inner_text(), dealer.guest.cards_in(felt)) != (step, seen)
    )


def take_bets(dealer: Dealer, *players: Guest) -> None:
    """Open the bets, let the players bet, and close the bets."""
    dealer.press("Open bets")
    for player in players:
        bet(player, "Ante")
    hands = "1 hand has" if len(players) == 1 else f"{len(players)} hands have"
    dealer.does(f"{hands} bet. Check the chips, then close the bets.")
    dealer.press("No more bets")
    dealer.does("Next card: Seat 1, card 1.")


@pytest.mark.clause("R.37")
def test_one_hand_is_void_and_the_others_play_on(
    house: BrowserHouse, entrance: Entrance, table: LiveTable, pictures: Pictures
) -> None:
    one, two = entrance(house), entrance(house)
    dealer = Dealer(entrance.outside(house), table)
    staff = Staff(dealer.guest)
    for player in (one, two):
        player.go(table.name)
        player.sit("$500")
    dealer.press("Sign on")
    take_bets(dealer, one, two)

    # What the dealer may declare alone.
    dealer.guest.press(staff.page.get_by_role("button", name="Something is wrong"))
    check_axe(dealer.guest, "something is wrong")
    pictures.keep(dealer.page, "dealer-wrong")
    staff.page.keyboard.press("Escape")
    staff.open("card_face_up.deck")
    check_axe(dealer.guest, "which card")
    dealer.guest.press(staff.dialog().get_by_role("button", name="Back"))
    staff.page.keyboard.press("Escape")
    staff.declare("card_face_up.deck", card="5d")
    expect(staff.noted()).to_contain_text("the next card takes its place")
    dealer.scan("As")
    dealer.page.keyboard.type("5d")
    expect(dealer.refusal()).to_contain_text("already")
    dealer.does("Next card: Seat 1, card 2.")
    staff.declare("card_exposed.deck", card="6d")
    staff.declare("card_exposed.hand", hand="Seat 1")
    staff.declare("card_misplaced.hand", hand="Seat 1")
    expect(staff.noted().get_by_role("listitem")).to_have_count(4)
    expect(staff.noted()).to_contain_text("Move the cards to the places on the screen")

    # What gives wagers back needs a supervisor, who signs on at the dealer's screen.
    staff.declare("too_many_cards.hand", hand="Seat 1")
    staff.approved("Only a supervisor may declare this.")
    expect(dealer.spot("Seat 1")).to_contain_text("void")
    expect(one.hand(1)).to_contain_text("Your wagers are returned at the end of the round.")

    # The void hand keeps its place in the deal, and is not waited for.
    dealer.scan("Kh", "2s", "7h", "Kc", "Kd")
    dealer.does("1 hand decides.")
    two.choose(1, "4x")
    dealer.scan("Ac", "7d", "9h", "Js", "3c")
    dealer.press("Turn over")
    dealer.does("Turn over: Seat 2.")
    dealer.press("Turn over")
    dealer.press("Confirm")
    dealer.does("Take and pay as shown, then open the bets.")
    one.until(lambda: one.wire.cents("credit") == 50_000)
    two.until(lambda: two.wire.cents("credit") == 50_000 - 3_000)


VOIDS = [
    ("shuffler_malfunction.deck", ""),
    ("card_exposed.common", ""),
    ("too_few_cards.dealer", ""),
    ("too_few_cards.hand", "Seat 1"),
]


@pytest.mark.variant
@pytest.mark.clause("W.irregularities", "R.37")
def test_a_supervisor_voids_the_round(
    house: BrowserHouse, entrance: Entrance, table: LiveTable
) -> None:
    player, dealer = entrance(house), Dealer(entrance.outside(house), table)
    player.go(table.name)
    player.sit("$500")
    dealer.press("Sign on")
    supervisor = supervisor_at(entrance.outside(house), table)
    # Another card in each round, for a card that is sent twice at once is taken once.
    for (what, hand), card in zip(VOIDS, ("As", "Kd", "Qh", "Jc"), strict=True):
        take_bets(dealer, player)
        dealer.scan(card)
        player.until(lambda: player.wire.cents("credit") == 49_000)
        supervisor.declare(what, hand=hand)
        dealer.does("Open the bets.")
        player.until(lambda: player.wire.cents("credit") == 50_000)
        expect(supervisor.noted()).to_contain_text("every wager goes back")


def bets_open(dealer: Dealer, player: Guest) -> None:
    dealer.press("Open bets")
    bet(player, "Ante")


def bets_closed(dealer: Dealer, player: Guest) -> None:
    take_bets(dealer, player)


def in_the_deal(dealer: Dealer, player: Guest) -> None:
    take_bets(dealer, player)
    dealer.scan("As", "Ah", "Kc")


def before_the_decision(dealer: Dealer, player: Guest) -> None:
    in_the_deal(dealer, player)
    dealer.scan("Kd")
    dealer.does("1 hand decides.")


def after_the_decision(dealer: Dealer, player: Guest) -> None:
    before_the_decision(dealer, player)
    player.choose(1, "4x")
    dealer.scan("Ac", "7d")


def before_the_confirmation(dealer: Dealer, player: Guest) -> None:
    after_the_decision(dealer, player)
    dealer.scan("9h", "Js", "3c")
    for _ in range(2):
        dealer.press("Turn over")
    dealer.does("All cards are out. Confirm the round, then take and pay.")


PHASES = [
    bets_open,
    bets_closed,
    in_the_deal,
    before_the_decision,
    after_the_decision,
    before_the_confirmation,
]


@pytest.mark.sweep
@pytest.mark.parametrize("phase", PHASES)
def test_a_round_is_void_in_each_phase_with_an_approval_at_the_dealers_screen(
    house: BrowserHouse,
    entrance: Entrance,
    table: LiveTable,
    phase: Callable[[Dealer, Guest], None],
) -> None:
    player, dealer = entrance(house), Dealer(entrance.outside(house), table)
    player.go(table.name)
    player.sit("$500")
    dealer.press("Sign on")
    phase(dealer, player)
    player.until(lambda: player.wire.cents("credit") < 50_000)
    staff, words = Staff(dealer.guest), messages("en")
    for press in ("approval.open", "approval.act.void_round", "void.misdeal"):
        dealer.guest.press(staff.page.get_by_role("button", name=words[press], exact=True))
    staff.approved(words["approval.act.void_round"])
    player.until(lambda: player.wire.cents("credit") == 50_000)
    dealer.does("Open the bets.")


@pytest.mark.clause("R.38")
def test_a_wrong_payout_is_proposed_and_approved(
    house: BrowserHouse, entrance: Entrance, table: LiveTable
) -> None:
    player, dealer = entrance(house), Dealer(entrance.outside(house), table)
    player.go(table.name)
    player.sit("$500")
    dealer.press("Sign on")
    take_bets(dealer, player)
    dealer.scan("As", "Ah", "Kc", "Kd")
    player.choose(1, "4x")
    dealer.scan("Ac", "7d", "9h", "Js", "3c")
    for _ in range(2):
        dealer.press("Turn over")
    dealer.press("Confirm")
    dealer.does("Take and pay as shown, then open the bets.")
    staff = Staff(dealer.guest)
    dealer.guest.press(staff.page.get_by_role("button", name="Something is wrong"))
    form = staff.dialog().get_by_role("region", name="A payout was wrong")
    # What is typed into a field is no card: nothing is scanned.
    form.get_by_label("Amount").fill("7.50")
    form.get_by_label("Reason").press_sequentially("As paid short")
    check_axe(dealer.guest, "a wrong payout")
    dealer.guest.press(form.get_by_role("button", name="Propose"))
    waiting = form.get_by_role("list", name="Adjustments that wait for a supervisor")
    expect(waiting).to_contain_text("Round 1, seat 1: the player receives $7.50.")
    dealer.guest.press(waiting.get_by_role("button", name="Approve"))
    before = player.wallet_cents()
    staff.approved("A supervisor approves or rejects an adjustment.")
    player.until(lambda: player.wallet_cents() == before + 750)
    history = player.open_panel("History")
    expect(history).to_contain_text("Corrected later: +$7.50")


@pytest.mark.clause("R.39")
def test_the_stub_is_counted_and_scanned(
    house: BrowserHouse, entrance: Entrance, table: LiveTable
) -> None:
    player, dealer = entrance(house), Dealer(entrance.outside(house), table)
    player.go(table.name)
    player.sit("$500")
    dealer.press("Sign on")
    take_bets(dealer, player)
    dealer.scan("As", "Ah", "Kc", "Kd")
    player.choose(1, "4x")
    dealer.scan("Ac", "7d", "9h", "Js", "3c")
    for _ in range(2):
        dealer.press("Turn over")
    staff = Staff(dealer.guest)
    dealer.guest.press(staff.page.get_by_role("button", name="Something is wrong"))
    stub = staff.dialog().get_by_role("region", name="Count the stub")
    stub.get_by_label("Cards left").fill("43")
    dealer.guest.press(stub.get_by_role("button", name="Enter the count"))
    expect(stub).to_contain_text("The deck is whole: 43 cards are left.")
    dealer.guest.press(stub.get_by_role("button", name="Scan the cards"))
    for number, card in enumerate(("2c", "As"), start=1):
        staff.page.keyboard.type(card)
        expect(stub).to_contain_text(f"{number} card")
    dealer.guest.press(stub.get_by_role("button", name="All cards scanned"))
    expect(stub).to_contain_text("2 cards are left, and 43 should be. Call a supervisor.")
    expect(stub).to_contain_text("Twice: ace of spades.")
    assert not any('"stub":{' in frame.text for frame in player.wire.received)


@pytest.mark.variant
@pytest.mark.clause("C.20", "R.18")
def test_the_dealer_follows_the_bank_of_a_cardroom(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop
) -> None:
    with LiveTable(scripts, house, "california") as table:
        banker, player = entrance(house), entrance(house)
        dealer = Dealer(entrance.outside(house), table)
        for guest in (banker, player):
            guest.go(table.name)
            guest.sit("$500")
        dealer.press("Sign on")
        bank = dealer.page.get_by_role("region", name="The bank")
        expect(bank).to_contain_text("The bank is offered to seat 1.")
        banker.page.get_by_label("Bank wager").fill("100")
        banker.press(banker.button("Bank with $100"))
        expect(bank).to_contain_text("Seat 1 banks $100.00, round 1 of 2.")
        bet(player, "Ante")
        dealer.does("1 hand has bet. Check the chips, then close the bets.")
        dealer.press("No more bets")
        expect(bank).to_contain_text("Action begins at Seat 2")
        expect(bank).to_contain_text("Collection taken:")
        cards = iter(["As", "2h", "Ad", "3d", "Ac", "7d", "9h", "Js", "4c"])
        decided = False
        felt = dealer.page.get_by_role("region", name="The felt")
        while not (step := dealer.step.inner_text()).startswith("All cards are out."):
            if step.startswith("Next card"):
                dealer.scan(next(cards))
                continue
            seen = dealer.guest.cards_in(felt)
            if step.startswith("Turn over"):
                dealer.press("Turn over")
            elif not decided:
                player.choose(1, "4x")
                decided = True
            # The board is turned twice in a row: the words are then the same, the cards are not.
            changed_from(dealer, felt, step, seen)
        dealer.does("All cards are out. Confirm the round, then take and pay.")
        # Three aces are paid $20 for the Play wager.
        cover = bank.get_by_role("table", name="Cover used, line by line")
        expect(cover.get_by_role("row", name="Seat 2, Play")).to_contain_text("$80.00")
        check_axe(dealer.guest, "the bank of a cardroom")
