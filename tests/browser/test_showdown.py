"""The end of a round at a glance: the cards that won, the row that paid, whose turn it was."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from openfelt.cards import evaluate, parse_cards
from tests.browser.conftest import Entrance
from tests.kit.browser.dealers import LiveTable
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.screens import card_words, check_screen
from tests.kit.browser.script_loop import ScriptLoop

SEAT = 3
FLUSH = ("Ah 7h", "Kc Qd", "2h 9h Jh 4s 9c")
BEATEN_FLUSH = ("Ah 7h", "9c 9d", "2h 9h Jh 4s Jc")
NOTHING = ("Ah 7d", "Kc Kd", "2h 9c Js 4s 5c")
"""Deals: the player's cards, the dealer's, and the board."""


@pytest.fixture
def live(house: BrowserHouse, scripts: ScriptLoop) -> Iterator[LiveTable]:
    """A table with a live dealer, who deals what is written above."""
    with LiveTable(scripts, house, "washington") as live:
        live.sign_on()
        yield live


@pytest.fixture
def guest(house: BrowserHouse, entrance: Entrance, live: LiveTable) -> Guest:
    """A guest at that table."""
    guest = entrance(house)
    guest.go(live.name)
    guest.sit("$500", seat=SEAT)
    return guest


def play(guest: Guest, live: LiveTable, deal: tuple[str, str, str], *wagers: str) -> None:
    """A whole round: five dollars on each wager, and four times the Ante to play."""
    bet(guest, live, *wagers)
    live.close_bets()
    player, dealer, board = deal
    live.deal(f"{player} {dealer}")
    guest.choose(1, "4x")
    live.deal(board)
    while live.round.step == "turn":
        live.turn()
    live.confirm()
    guest.until(lambda: guest.wire.over)
    check_screen(guest)


def bet(guest: Guest, live: LiveTable, *wagers: str) -> None:
    """Bets are open, and five dollars lie on each wager."""
    live.open_bets()
    guest.until(lambda: guest.wire.phase == "wagering")
    for wager in wagers:
        guest.place(1, wager, "$5")
    guest.settled_bets()


def paytable(guest: Guest, name: str) -> Locator:
    """The paytable beside the felt, by the wager that it is of."""
    side = guest.page.get_by_role("complementary", name="Results and paytables")
    return side.get_by_role("table", name=re.compile(f"^{name} "))


def pick(guest: Guest, name: str) -> None:
    """Pick a paytable to be shown beside the felt."""
    tabs = guest.page.get_by_role("group", name="Paytables")
    guest.press(tabs.get_by_role("button", name=re.compile(f"^{name}")))


def marked(guest: Guest, name: str) -> list[str]:
    """The rows that are marked, as a screen reader says them."""
    rows = paytable(guest, name).get_by_role("rowheader")
    words = [re.sub(r"\s+", " ", row.inner_text()).strip() for row in rows.all()]
    return [row for row in words if "paid" in row]


def cards_lit(guest: Guest, light: str) -> list[str]:
    """The cards that lie on the felt in such a light, in words."""
    found = guest.page.get_by_role("main").locator(f"[data-light={light}]")
    return sorted(found.evaluate_all("cards => cards.map((card) => card.ariaLabel)"))


def words_of(cards: str) -> list[str]:
    """Cards as a screen reader says them, in the order of the alphabet."""
    return sorted(card_words([*cards.split()]))


def test_the_cards_that_won_and_the_row_that_paid(guest: Guest, live: LiveTable) -> None:
    play(guest, live, FLUSH, "Ante", "Trips")
    expect(guest.hand(1).get_by_text("Wins", exact=True)).to_be_visible()
    assert cards_lit(guest, "lit") == words_of("Ah 7h 2h 9h Jh")
    assert cards_lit(guest, "dim") == words_of("Kc Qd 4s 9c")
    told = guest.hand(1).get_by_text("Deciding cards: ")
    expect(told).to_have_text(re.compile("ace of hearts.*two of hearts"))
    # Trips has paid more than Blind, so it is shown; both say so.
    assert marked(guest, "Trips") == ["Flush paid $35"]
    tabs = guest.page.get_by_role("group", name="Paytables")
    expect(tabs.get_by_role("button", name="Blind (has paid)")).to_be_visible()
    pick(guest, "Blind")
    assert marked(guest, "Blind") == ["Flush paid $7.50"]

    bet(guest, live, "Ante")
    assert marked(guest, "Blind") == []
    pick(guest, "Trips")
    assert marked(guest, "Trips") == []
    expect(tabs.get_by_text("has paid")).to_have_count(0)
    assert cards_lit(guest, "lit") == cards_lit(guest, "dim") == []
    expect(guest.hand(1).get_by_text("Wins", exact=True)).to_have_count(0)


@pytest.mark.variant
def test_what_lost_is_not_celebrated(guest: Guest, live: LiveTable) -> None:
    play(guest, live, BEATEN_FLUSH, "Ante")
    expect(guest.hand(1).get_by_text("Loses", exact=True)).to_be_visible()
    lit = cards_lit(guest, "lit")
    assert lit == words_of("9c 9d 9h Jh Jc")
    full_house = evaluate(parse_cards("9c9d2h9hJh4sJc"))
    assert lit == sorted(card.words for card in full_house.cards)
    assert {"ace of hearts", "seven of hearts"} <= set(cards_lit(guest, "dim"))
    pick(guest, "Blind")
    assert marked(guest, "Blind") == ["Flush made, not paid"]
    glow = "meter => getComputedStyle(meter.parentElement).boxShadow.split('rgb').length - 1"
    assert guest.meter("Win").evaluate(glow) == guest.meter("Bet").evaluate(glow)


@pytest.mark.variant
def test_a_paytable_that_the_player_picks_stays(guest: Guest, live: LiveTable) -> None:
    play(guest, live, FLUSH, "Ante", "Trips")
    expect(paytable(guest, "Trips")).to_be_visible()
    pick(guest, "Bad Beat")
    expect(paytable(guest, "Bad Beat")).to_be_visible()
    play(guest, live, FLUSH, "Ante", "Trips")
    expect(paytable(guest, "Trips")).to_be_visible()
    play(guest, live, NOTHING, "Ante", "Trips")
    expect(paytable(guest, "Bad Beat")).to_be_visible()


@pytest.mark.variant
def test_the_felt_speaks_of_the_hand_that_is_marked(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.own_table("stadium")
    guest.sit("$500")
    for hand in (1, 2, 3):
        guest.place(hand, "Ante")
    guest.settled_bets()
    guest.deal()
    guest.press(guest.hand(2).get_by_role("heading", name="Hand 2"))
    check_spoken_of(guest, 2)
    guest.page.keyboard.press("ArrowRight")
    check_spoken_of(guest, 3)
    guest.page.keyboard.press("ArrowRight")
    check_spoken_of(guest, 1)
    guest.choose(1, "Check")
    check_spoken_of(guest, 2)
    guest.choose(2, "Check")
    check_spoken_of(guest, 3)
    guest.choose(3, "Check")
    guest.until(lambda: guest.wire.street == "on_flop")
    # The hand that decided last may still be the marked one, or the first one is.
    guest.until(lambda: spoken_of(guest) == marked_hand(guest) is not None)


def spoken_of(guest: Guest) -> int:
    """The number of the hand that the felt speaks of."""
    said = re.search(r"Hand (\d): .*Your decision\.", guest.dealer_area().inner_text())
    return int(said[1]) if said else 0


def marked_hand(guest: Guest) -> int | None:
    """The hand whose frame stands out; None while that changes."""
    hands = guest.page.get_by_role("group", name="Your hands").get_by_role("region")
    shadows = hands.evaluate_all("hands => hands.map((hand) => getComputedStyle(hand).boxShadow)")
    found = [number for number, shadow in enumerate(shadows, start=1) if shadow != "none"]
    return found[0] if len(found) == 1 else None


def check_spoken_of(guest: Guest, hand: int) -> None:
    """What is written on the felt and said aloud is about this hand, and its frame stands out."""
    shown = guest.wire.hands[f"1.{hand}"]
    made = shown.get("made") or ", ".join(card_words(shown["cards"])).capitalize()
    words = f"Hand {hand}: {made}. Your decision."
    expect(guest.dealer_area().get_by_text(words)).to_be_visible()
    expect(guest.page.get_by_role("status").filter(has_text=words)).to_have_count(1)
    guest.until(lambda: marked_hand(guest) == hand)
