"""A live dealer deals card by card, and the player's terminal shows and says everything."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, expect

from openfelt.protocol.messages import ChangeDealer, CorrectCard
from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.dealers import LiveTable
from tests.kit.browser.floor import FROM_FIVE, BrowserHouse
from tests.kit.browser.guests import SCREENS, Guest, Screen
from tests.kit.browser.languages import check_spanish, messages
from tests.kit.browser.layout import layout_faults
from tests.kit.browser.measured_boxes import box_faults
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.screens import (
    card_words,
    check_felt,
    check_hands,
    check_money,
    check_screen,
    lying_cards,
)
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.cases import with_variants

SIGNED_OFF_MS = 60_000
"""Long enough for the table to sign an absent dealer off, and for the players to be told."""

YOUR_CARDS = "Waiting for the dealer to deal your cards."
OWN_CARDS = "Waiting for the dealer's own cards."
BOARD = "Waiting for the dealer to deal the board."
DRAW_CARDS = "Waiting for the dealer to deal the draw cards."
CONFIRM = "Waiting for the dealer to confirm the round."
NEXT_ROUND = "Waiting for the dealer to open bets."
NOBODY = "No dealer has signed on. The next round starts when a dealer opens betting."
NOBODY_PLAYING = (
    "No dealer has signed on. The round continues when one does; all wagers stay where they are."
)


@pytest.fixture
def live(house: BrowserHouse, scripts: ScriptLoop) -> Iterator[Callable[..., LiveTable]]:
    """Opens tables with a live dealer, who has not signed on yet."""
    tables: list[LiveTable] = []

    def open_table(game: str, table: str | None = None) -> LiveTable:
        tables.append(LiveTable(scripts, house, game, table=table).__enter__())
        return tables[-1]

    yield open_table
    for table in tables:
        table.__exit__(None, None, None)


def waiting(guest: Guest) -> Locator:
    """The sentence beside the chips: what the table waits for."""
    return guest.page.get_by_role("contentinfo").get_by_role("status")


def felt_line(guest: Guest) -> Locator:
    """What is written on the felt."""
    return guest.dealer_area().locator(".voice p").first


def seen(guest: Guest, version: int) -> None:
    """Wait until the terminal has been told what the dealer did, and check its cards."""
    guest.until(lambda: guest.wire.version >= version)
    check_felt(guest)
    (hand,) = guest.wire.hands.values()
    if hand["may_hold"]:
        # Cards that can be held are buttons.
        for number, words in enumerate(card_words(hand["cards"]), start=1):
            expect(guest.page.get_by_role("button", name=f"Card {number}: {words}")).to_be_visible()
    else:
        lies(guest, guest.hand(1), lying_cards(guest, hand))
        check_hands(guest)
    if guest.phone:
        assert layout_faults(guest) == set()


def lies(guest: Guest, part: Locator, cards: list[str | None]) -> None:
    """Wait until exactly these cards lie in a part of the screen."""
    wanted = card_words(cards)
    guest.until(lambda: guest.cards_in(part) == wanted)


def sit_and_bet(guest: Guest, table: LiveTable, *wagers: str) -> None:
    """Sit down at a table whose dealer then opens bets, bet, and have bets closed."""
    guest.go(table.name)
    guest.sit("$500")
    table.sign_on()
    bet(guest, table, *wagers)


def bet(guest: Guest, table: LiveTable, *wagers: str) -> None:
    """Bet in a new round, and have bets closed."""
    table.open_bets()
    guest.until(lambda: guest.wire.phase == "wagering")
    for wager in wagers:
        guest.place(1, wager, "$5")
    guest.settled_bets()
    table.close_bets()


# Whole rounds -----------------------------------------------------------------------------


@SCREENS
def test_washington_card_by_card(
    house: BrowserHouse,
    entrance: Entrance,
    live: Callable[..., LiveTable],
    screen: Screen,
    pictures: Pictures,
) -> None:
    table, guest = live("washington"), entrance(house, screen)
    guest.pick_table(table.name)
    guest.sit("$500")
    expect(waiting(guest)).to_have_text(NOBODY)
    check_axe(guest, "no dealer")
    table.sign_on()
    expect(waiting(guest)).to_have_text(NEXT_ROUND)
    if not guest.phone:
        expect(guest.dealer_area()).to_contain_text(table.dealer)
    table.open_bets()
    expect(felt_line(guest)).to_have_text("Place your bets.")
    guest.place(1, "Ante", "$5")
    guest.place(1, "Trips")
    guest.settled_bets()
    expect(guest.button("Deal")).to_have_count(0)
    expect(guest.circle(1, "Progressive")).to_have_count(0)
    table.close_bets()
    expect(guest.page.get_by_role("alert")).to_have_text(f"{table.dealer} pressed No more bets.")
    expect(waiting(guest)).to_have_text(YOUR_CARDS)
    for card, wait in {"As": YOUR_CARDS, "Kh": OWN_CARDS, "2c": OWN_CARDS}.items():
        seen(guest, table.deal(card))
        expect(waiting(guest)).to_have_text(wait)
        expect(felt_line(guest)).to_have_text("The dealer is dealing.")
    check_axe(guest, "the dealer deals")
    if not guest.phone:
        pictures.keep(guest.page, "live-dealer")
    seen(guest, table.deal("7d"))
    assert guest.cards_in(guest.dealer_area()) == ["face-down card"] * 2
    guest.choose(1, "Check")
    expect(waiting(guest)).to_have_text(BOARD)
    for card in ("9h", "Js"):
        seen(guest, table.deal(card))
        expect(waiting(guest)).to_have_text(BOARD)
    seen(guest, table.deal("Ks"))
    expect(felt_line(guest)).to_have_text("Pair of kings. Your decision.")
    guest.choose(1, "2x")
    expect(waiting(guest)).to_have_text(BOARD)
    seen(guest, table.deal("3d"))
    expect(felt_line(guest)).to_have_text("Turn: three of diamonds.")
    seen(guest, table.deal("3s"))
    expect(waiting(guest)).to_have_text("Waiting for the dealer's hand to be turned over.")
    while table.round.step == "turn":
        seen(guest, table.turn())
    expect(waiting(guest)).to_have_text(CONFIRM)
    assert guest.cards_in(guest.dealer_area())[:2] == ["two of clubs", "seven of diamonds"]
    table.confirm()
    guest.until(lambda: guest.wire.over)
    expect(waiting(guest)).to_have_text(NEXT_ROUND)
    # The dealer's pair of threes qualifies: Ante and Play win, the Blind pushes, Trips lose.
    assert guest.wire.cents("net") == 500 + 1000 - 500
    expect(felt_line(guest)).to_have_text("Dealer: pair of threes. You win $10.")
    check_screen(guest)
    check_money(guest)


@pytest.mark.variant
@SCREENS
def test_draw_card_by_card(
    house: BrowserHouse, entrance: Entrance, live: Callable[..., LiveTable], screen: Screen
) -> None:
    table, guest = live("draw"), entrance(house, screen)
    sit_and_bet(guest, table, "Ante", "Bonus")
    for card, wait in {
        "As": YOUR_CARDS,
        "Ah": YOUR_CARDS,
        "2c": YOUR_CARDS,
        "7d": YOUR_CARDS,
        "9h": OWN_CARDS,
        "Ks": OWN_CARDS,
        "Kd": OWN_CARDS,
        "3c": OWN_CARDS,
        "4c": OWN_CARDS,
        "8d": DRAW_CARDS,
        "Ac": DRAW_CARDS,
        "7h": DRAW_CARDS,
        "7s": DRAW_CARDS,
        "Qd": DRAW_CARDS,
        "Qs": "Tap the cards you want to hold, then draw.",
    }.items():
        seen(guest, table.deal(card))
        expect(waiting(guest)).to_have_text(wait)
    assert guest.cards_in(guest.dealer_area()) == ["face-down card"] * 10
    check_axe(guest, "holding")
    guest.press(guest.page.get_by_role("button", name="Card 1: "))
    guest.press(guest.page.get_by_role("button", name="Card 2: "))
    guest.press(guest.button("Draw 3 cards"))
    expect(waiting(guest)).to_have_text("Waiting for the dealer's hand to be turned over.")
    seen(guest, table.turn())
    assert guest.cards_in(guest.dealer_area())[:2] == ["king of spades", "king of diamonds"]
    expect(waiting(guest)).to_have_text("Waiting for the draw cards to be turned over.")
    while table.round.step == "turn":
        seen(guest, table.turn())
    expect(waiting(guest)).to_have_text(CONFIRM)
    table.confirm()
    guest.until(lambda: guest.wire.over)
    # Aces full against the dealer's kings: the Ante, its bonus and the Bonus are paid.
    assert [line["result"] for line in guest.wire.hands["1.1"]["lines"]] == ["win"] * 3
    check_screen(guest)
    check_money(guest)


@pytest.mark.variant
def test_each_card_is_laid_as_it_is_scanned_where_cards_move(
    house: BrowserHouse, entrance: Entrance, live: Callable[..., LiveTable]
) -> None:
    table, guest = live("washington"), entrance(house, moving=True)
    sit_and_bet(guest, table, "Ante")
    own: list[str | None] = []
    felt: list[str | None] = []
    for card, place in (("As", own), ("Kh", own), ("2c", felt), ("7d", felt)):
        place.append(card if place is own else None)
        table.deal(card)
        lies(guest, guest.hand(1), own)
        lies(guest, guest.dealer_area(), felt)
    guest.choose(1, "4x")
    for card in ("9h", "Js", "Ks", "3d", "3s"):
        felt.append(card)
        table.deal(card)
        lies(guest, guest.dealer_area(), felt)
    table.turn_all()
    table.confirm()
    expect(felt_line(guest)).to_have_text("Dealer: pair of threes. You win $25.")
    check_screen(guest)


SHOWERS = """
window.showers = 0;
new MutationObserver(changes => {
  for (const change of changes)
    for (const node of change.addedNodes)
      if (node.classList?.contains("celebration")) window.showers += 1;
}).observe(document.body, { childList: true, subtree: true });
"""


@pytest.mark.variant
def test_only_a_round_that_wins_is_celebrated_and_once(
    house: BrowserHouse, entrance: Entrance, live: Callable[..., LiveTable]
) -> None:
    table, guest = live("washington"), entrance(house, moving=True)
    sit_and_bet(guest, table, "Ante")
    guest.page.evaluate(SHOWERS)
    for first, own in enumerate(("As Ad", "2h 7c", "As Ad")):
        if first:
            bet(guest, table, "Ante")
        table.deal(f"{own} Kc Kd")
        guest.next_turn()
        guest.choose(1, "4x")
        table.deal("Ah Js 9s 3d 3s" if own == "As Ad" else "Kh Js 9s 3d 3s")
        table.turn_all()
        table.confirm()
        guest.until(lambda: guest.wire.over)
        wins = 1 if first < 2 else 2
        expect(felt_line(guest)).to_contain_text("You lose" if own == "2h 7c" else "You win")
        guest.until(lambda wins=wins: guest.page.evaluate("window.showers") == wins)  # type: ignore[misc]


@pytest.mark.variant
def test_a_reload_in_the_middle_of_the_deal_brings_the_same_moment(
    house: BrowserHouse, entrance: Entrance, live: Callable[..., LiveTable]
) -> None:
    table, guest = live("washington"), entrance(house)
    sit_and_bet(guest, table, "Ante")
    seen(guest, table.deal("As"))
    guest.page.reload()
    expect(waiting(guest)).to_have_text(YOUR_CARDS)
    assert guest.cards_in(guest.hand(1)) == ["ace of spades"]
    seen(guest, table.deal("Kh"))
    expect(waiting(guest)).to_have_text(OWN_CARDS)


# Others at the table --------------------------------------------------------------------------


@pytest.mark.variant
def test_a_neighbour_and_a_watcher_see_who_is_dealt_to_and_no_hidden_card(
    house: BrowserHouse, entrance: Entrance, live: Callable[..., LiveTable]
) -> None:
    table = live("washington")
    ann, bob, watcher = (entrance(house) for _ in range(3))
    for guest, seat in ((ann, 1), (bob, 3)):
        guest.go(table.name)
        guest.sit("$500", seat=seat)
    watcher.go(table.name)
    table.sign_on()
    table.open_bets()
    for guest in (ann, bob):
        guest.until(lambda guest=guest: guest.wire.phase == "wagering")  # type: ignore[misc]
        guest.place(1, "Ante", "$5")
        guest.settled_bets()
    table.close_bets()
    expect(waiting(ann)).to_have_text(YOUR_CARDS)
    expect(waiting(bob)).to_have_text("Waiting for the dealer to deal seat 1.")
    expect(felt_line(watcher)).to_have_text("Waiting for the dealer to deal seat 1.")
    table.deal("As Kh")
    expect(waiting(ann)).to_have_text("Waiting for the dealer to deal seat 3.")
    expect(waiting(bob)).to_have_text(YOUR_CARDS)
    version = table.deal("5d 5h 2c 7d")
    for guest in (ann, bob, watcher):
        guest.until(lambda guest=guest: guest.wire.version >= version)  # type: ignore[misc]
    for guest, hidden in ((ann, "5d 5h 2c 7d"), (bob, "As Kh 2c 7d"), (watcher, "As Kh 5d 5h 2c")):
        told = " ".join(frame.text for frame in guest.wire.received)
        assert not [card for card in hidden.split() if f'"{card}"' in told]
    ann.choose(1, "Check")
    expect(waiting(ann)).to_have_text("Waiting for 1 hand to decide.")
    expect(felt_line(watcher)).to_have_text("Waiting for 1 hand to decide.")
    bob.choose(1, "Check")
    expect(felt_line(watcher)).to_have_text(BOARD)


@pytest.mark.variant
def test_a_player_banks_and_a_live_dealer_deals(
    house: BrowserHouse, entrance: Entrance, live: Callable[..., LiveTable]
) -> None:
    table = live("california")
    ann, bob = (entrance(house) for _ in range(2))
    for guest, seat in ((ann, 1), (bob, 2)):
        guest.go(table.name)
        guest.sit("$500", seat=seat)
    table.sign_on()
    expect(waiting(bob)).to_have_text("The bank is offered to seat 1.")
    ann.press(ann.page.get_by_role("button", name=re.compile("^Bank with")).first)
    bob.until(lambda: bob.wire.phase == "wagering")
    bob.place(1, "Ante", "$5")
    bob.settled_bets()
    table.close_bets()
    expect(waiting(ann)).to_have_text("Waiting for the dealer to deal seat 2.")
    expect(waiting(bob)).to_have_text(YOUR_CARDS)
    table.deal("As")
    for guest in (ann, bob):
        expect(waiting(guest)).to_have_text("Waiting for the player/dealer's cards.")
    table.deal("2c Kh 7d 9h Js Ks 3d 3s")
    bob.next_turn()
    bob.choose(1, "4x")
    expect(waiting(ann)).to_have_text("Waiting for the board to be turned over.")
    table.turn_all()
    for guest in (ann, bob):
        expect(waiting(guest)).to_have_text(CONFIRM)
    table.confirm()
    for guest in (ann, bob):
        guest.until(lambda guest=guest: guest.wire.over)  # type: ignore[misc]
        check_screen(guest)
    # Kings and threes beat sevens and threes: what bob wins, ann's bank has paid.
    assert bob.wire.cents("net") == 2500
    assert ann.wire.cents("net") == -2500


# Corrections, void rounds ------------------------------------------------------------------


@SCREENS
def test_corrected_cards_are_shown_and_said_and_count(
    house: BrowserHouse, entrance: Entrance, live: Callable[..., LiveTable], screen: Screen
) -> None:
    table, guest = live("washington"), entrance(house, screen)
    sit_and_bet(guest, table, "Ante")
    table.deal("As Ks")
    seen(guest, table.do(CorrectCard(lies="hand", position=2, card="Kd", spot="1.1")))
    expect(guest.notice()).to_have_text(
        "Your card 2 has been corrected: king of diamonds, not king of spades."
    )
    expect(felt_line(guest)).to_have_text("A card has been corrected.")
    check_axe(guest, "a corrected card")
    table.deal("2c 7d")
    guest.next_turn()
    guest.choose(1, "Check")
    seen(guest, table.deal("9h Js 4c"))
    seen(guest, table.supervise(CorrectCard(lies="common", position=3, card="Kc")))
    expect(guest.notice()).to_have_text(
        "Card 3 of the board has been corrected: king of clubs, not four of clubs."
    )
    expect(guest.hand(1)).to_contain_text("Pair of kings")
    guest.choose(1, "2x")
    seen(guest, table.deal("3d 3s"))
    while table.round.step == "turn":
        seen(guest, table.turn())
    seen(guest, table.supervise(CorrectCard(lies="dealer", position=1, card="7c")))
    expect(guest.notice()).to_have_text(
        "The dealer's card 1 has been corrected: seven of clubs, not two of clubs."
    )
    table.confirm()
    guest.until(lambda: guest.wire.over)
    # Two pairs, kings over threes, against the corrected sevens and threes.
    expect(felt_line(guest)).to_have_text("Dealer: two pair, sevens and threes. You win $15.")
    check_screen(guest)
    check_money(guest)


@pytest.mark.clause("S.screen.void_game")
@pytest.mark.parametrize("game", with_variants(["washington", "draw"]))
@SCREENS
def test_a_void_round_says_why_and_gives_every_wager_back(
    house: BrowserHouse,
    entrance: Entrance,
    live: Callable[..., LiveTable],
    game: str,
    screen: Screen,
) -> None:
    table, guest = live(game), entrance(house, screen)
    bonuses = {"washington": ("Trips", "Ultimate Pairs", "Bad Beat"), "draw": ("Bonus",)}
    sit_and_bet(guest, table, "Ante", *bonuses[game])
    table.deal("As Ks")
    staked = guest.wire.cents("bet")
    seen(guest, table.void("The shuffler has jammed"))
    if screen is Screen.TERMINAL:
        assert not box_faults(guest)
    mark = guest.dealer_area().get_by_text("Void game", exact=True)
    expect(mark).to_be_in_viewport(ratio=1)
    expect(felt_line(guest)).to_contain_text("Round void")
    expect(felt_line(guest)).to_contain_text("The shuffler has jammed")
    expect(felt_line(guest)).to_contain_text("All wagers are returned.")
    lines = guest.wire.hands["1.1"]["lines"]
    assert {line["result"] for line in lines} == {"returned"}
    assert sum(line["returned_cents"] for line in lines) == staked
    assert guest.wire.cents("credit") == 50_000
    check_screen(guest)
    check_axe(guest, "a void round")
    # The next round begins as if nothing had been.
    bet(guest, table, "Ante")
    expect(waiting(guest)).to_have_text(YOUR_CARDS)
    expect(mark).to_have_count(0)
    guest.until(lambda: guest.cards_in(guest.hand(1)) == [])
    table.void("misdeal")
    guest.until(lambda: guest.wire.over)
    check_money(guest)


# The dealer is gone ---------------------------------------------------------------------------


@pytest.mark.variant
def test_an_absent_dealer_is_said_and_another_one_goes_on(
    house: BrowserHouse, entrance: Entrance, live: Callable[..., LiveTable]
) -> None:
    table, guest = live("washington"), entrance(house)
    sit_and_bet(guest, table, "Ante")
    seen(guest, table.deal("As"))
    table.go()
    expect(waiting(guest)).to_have_text(NOBODY_PLAYING, timeout=SIGNED_OFF_MS)
    expect(guest.notice()).to_have_text("The dealer has left the table.")
    expect(felt_line(guest)).to_have_text("Waiting for a dealer.")
    expect(guest.dealer_area()).to_contain_text("No dealer")
    check_axe(guest, "an absent dealer")
    check_screen(guest)
    table.come(f"{table.dealer}-relief")
    table.sign_on()
    expect(waiting(guest)).to_have_text(YOUR_CARDS)
    expect(guest.dealer_area()).to_contain_text(table.dealer)
    seen(guest, table.deal("Kh"))
    expect(waiting(guest)).to_have_text(OWN_CARDS)


def test_a_dealer_who_signs_off_between_rounds_is_waited_for(
    house: BrowserHouse, entrance: Entrance, live: Callable[..., LiveTable]
) -> None:
    table, guest = live("draw"), entrance(house)
    guest.go(table.name)
    guest.sit("$500")
    table.sign_on()
    expect(waiting(guest)).to_have_text(NEXT_ROUND)
    table.do(ChangeDealer(dealer=None))
    expect(waiting(guest)).to_have_text(NOBODY)
    expect(guest.button("Collect")).to_be_enabled()
    guest.press(guest.button("Back to the lobby"))
    guest.in_lobby()
    assert guest.wallet_cents() == 100_000


# Languages and history ---------------------------------------------------------------------


@pytest.mark.variant
def test_a_live_round_in_spanish(
    house: BrowserHouse, entrance: Entrance, live: Callable[..., LiveTable]
) -> None:
    texts, table = messages("es"), live("washington")
    guest = entrance.visitor(house)
    guest.press(guest.button("Español"))
    guest.press(guest.button(texts["welcome.guest"]))
    expect(guest.page.get_by_role("heading", name=texts["lobby.title"])).to_be_visible()
    guest.page.goto(f"/#/table/{table.name}")
    guest.press(guest.button(texts["sit.go"].format(amount="$500")))
    expect(waiting(guest)).to_have_text(texts["wait.no_dealer"])
    table.sign_on()
    expect(waiting(guest)).to_have_text(texts["wait.dealer_opens"])
    table.open_bets()
    ante = f"{texts['hand.name'].format(number=1)}, {texts['wager.ante']}, "
    guest.press(guest.page.get_by_role("button", name=ante))
    guest.until(lambda: guest.wire.cents("bet") == 1000)
    table.close_bets()
    expect(waiting(guest)).to_have_text(texts["wait.deal_own"])
    check_spanish(guest)
    table.deal("As Ks")
    expect(waiting(guest)).to_have_text(texts["wait.deal_dealer"])
    table.do(CorrectCard(lies="hand", position=2, card="Kd", spot="1.1"))
    expect(guest.notice()).to_have_text(
        texts["corrected.own"].format(number=2, card="rey de diamantes", before="rey de picas")
    )
    check_spanish(guest)
    table.deal("2c 7d")
    guest.next_turn()
    with guest.deciding():
        guest.press(guest.button(texts["choice.check"]))
    expect(waiting(guest)).to_have_text(texts["wait.deal_board"])
    table.void("misdeal")
    guest.until(lambda: guest.wire.over)
    expect(guest.page.locator(".voice p").first).to_contain_text(texts["void.misdeal"])
    check_spanish(guest)


@pytest.mark.variant
def test_the_history_of_a_live_round_says_that_a_real_deck_was_dealt(
    house: BrowserHouse, entrance: Entrance, live: Callable[..., LiveTable]
) -> None:
    table, guest = live("washington"), entrance(house)
    sit_and_bet(guest, table, "Ante")
    table.deal("As Kh 2c 7d")
    guest.next_turn()
    guest.choose(1, "4x")
    table.deal("9h Js Ks 3d 3s")
    table.turn_all()
    table.confirm()
    guest.until(lambda: guest.wire.over)
    panel = guest.open_panel("History")
    expect(panel).to_contain_text(f"table {table.name}")
    guest.press(panel.get_by_role("button", name="Replay of round #1"))
    expect(panel.get_by_text(re.compile("^Replay · round #1"))).to_be_visible()
    guest.press(panel.get_by_role("button", name="All rounds"))
    guest.press(panel.get_by_role("button", name="Proof of round #1"))
    expect(panel).to_contain_text("A dealer dealt this round from a real deck")
    expect(panel.get_by_role("button", name="Verify")).to_have_count(0)


# The spread of the draw cards -------------------------------------------------------------


def spots(part: Locator) -> list[tuple[str, bool]]:
    """The number of each spot of the draw cards, and whether a card lies there."""
    found = part.locator(".spot").evaluate_all(
        """spots => spots.map((spot) => [
            spot.querySelector('.number').innerText, !!spot.querySelector('[role=img]')
        ])"""
    )
    return [(number, lies) for number, lies in found]


def laid(*numbers: int) -> list[tuple[str, bool]]:
    """Five spots of which these have a card."""
    return [(str(number), number in numbers) for number in range(1, 6)]


@pytest.mark.parametrize(
    ("table_name", "order"),
    [
        pytest.param(None, [1, 2, 3, 4, 5], id="D.4a",
                     marks=[pytest.mark.clause("D.4a", "R.34"), pytest.mark.variant]),
        pytest.param(FROM_FIVE, [5, 4, 3, 2, 1], marks=pytest.mark.clause("D.4b", "R.34"),
                     id="D.4b"),
    ],
)  # fmt: skip
def test_draw_cards_fill_their_spots_in_the_order_of_the_house(
    house: BrowserHouse,
    entrance: Entrance,
    live: Callable[..., LiveTable],
    table_name: str | None,
    order: list[int],
) -> None:
    table, guest = live("draw", table_name), entrance(house)
    sit_and_bet(guest, table, "Ante")
    for card in ("As", "Ah", "2c", "7d", "9h", "Ks", "Kd", "3c", "4c", "8d"):
        table.deal(card)
    draw_cards = guest.dealer_area().locator(".board")
    guest.until(lambda: spots(draw_cards) == laid())
    for count, card in enumerate(("Ac", "7h", "7s", "Qd", "Qs"), start=1):
        table.deal(card)
        guest.until(lambda: spots(draw_cards) == laid(*order[:count]))  # noqa: B023
    guest.press(guest.page.get_by_role("button", name="Card 1: "))
    guest.press(guest.page.get_by_role("button", name="Card 2: "))
    guest.press(guest.button("Draw 3 cards"))
    table.turn_all()
    table.confirm()
    guest.until(lambda: guest.wire.over)
    # The first card that left the shuffler lies on the first spot of the order.
    dealt = dict(zip(order, card_words(["Ac", "7h", "7s", "Qd", "Qs"]), strict=True))
    lies = [dealt[number] for number in range(1, 6)]
    guest.until(lambda: guest.cards_in(draw_cards) == lies)
    check_replayed_spread(guest, order)


def check_replayed_spread(guest: Guest, order: list[int]) -> None:
    """The replay fills the same spots in the same order."""
    panel = guest.open_panel("History")
    row = panel.get_by_role("row").filter(has_text="#1")
    guest.press(row.get_by_role("button", name="Replay"))
    expect(panel.get_by_text("Replay · round #1")).to_be_visible()
    draw_cards = panel.locator(".replay section").filter(has_text="Draw cards")
    forward = panel.get_by_role("button", name="Next")
    seen = [spots(draw_cards)]
    while forward.is_enabled():
        guest.press(forward)
        if spots(draw_cards) != seen[-1]:
            seen.append(spots(draw_cards))
    assert seen == [laid(*order[:count]) for count in range(6)]
