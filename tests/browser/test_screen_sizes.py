"""A round of each house at every size of screen: nothing is covered and no words are cut.

The boxes are measured at each size in each state of the round, in one page for each house.
"""

import re

import pytest
from playwright.sync_api import Locator, expect

from openfelt.catalog import load_house
from openfelt.rules import WagerKind
from tests.browser.conftest import Entrance
from tests.kit.browser.dealer_screens import ScriptedPlayer
from tests.kit.browser.dealers import LiveTable
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.measured_boxes import SIZES, box_faults
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.cases import with_variants

TRIPS, BONUS = WagerKind.TRIPS, WagerKind.BONUS
SPANISH = pytest.mark.parametrize(
    "spanish",
    [False, pytest.param(True, marks=pytest.mark.sweep)],
    ids=["english", "spanish"],
)
"""The words of a result depend on the cards, and the longest Spanish ones are rare: a sweep meets
them more often."""
WAGERS = {
    "stadium": ("Ante", "Trips", "Ultimate Pairs", "Bad Beat", "Play the Board"),
    "washington": ("Ante", "Trips", "Ultimate Pairs", "Bad Beat"),
    "draw": ("Ante", "Bonus"),
    "online": ("Ante", "Trips"),
}


def fits(guest: Guest) -> None:
    """Everything on the screen is whole and beside everything else, at every size."""
    assert not box_faults(guest)


def draw_or_play_out(guest: Guest) -> None:
    """Decide until the round is over."""
    if guest.wire.due and guest.wire.due[0]["may_hold"]:
        guest.press(guest.page.get_by_role("button", name=re.compile("^Draw 5")))
        guest.until(lambda: guest.wire.over)
    else:
        guest.play_out()


def reads_odds(guest: Guest, house_name: str, kind: WagerKind) -> None:
    """All odds of a wager stand beside the felt, one tap on its name away."""
    side = guest.page.get_by_role("complementary")
    guest.press(side.get_by_role("button", name=kind.words, exact=True))
    odds = side.get_by_role("table").last.get_by_role("cell")
    rows = load_house(house_name).hand_table(kind).rows
    expect(odds).to_have_text([f"{row.odds}" for row in rows])
    for row in odds.all():
        expect(row).to_be_in_viewport(ratio=1)


@SPANISH
@pytest.mark.parametrize(
    "house_name",
    [
        pytest.param("stadium", marks=pytest.mark.clause("S.overview.odds")),
        pytest.param(
            "washington", marks=[pytest.mark.clause("W.overview.odds"), pytest.mark.variant]
        ),
        pytest.param("draw", marks=[pytest.mark.clause("D.13.felt"), pytest.mark.variant]),
        pytest.param("online", marks=[pytest.mark.clause("O.9c", "O.11"), pytest.mark.variant]),
    ],
)
def test_a_round_fits(
    house: BrowserHouse, entrance: Entrance, house_name: str, spanish: bool
) -> None:
    guest = entrance(house)
    if house_name in ("stadium", "online"):
        guest.own_table(house_name)
        guest.sit("$500")
    else:
        # As long as the names that an operator would give.
        guest.go(f"private.sizes.{house_name[:2]}")
        fits(guest)
        guest.press(guest.button("Take seat 3"))
        guest.sit("$500")
        assert guest.wire.private["seat"] == 3
    for wager in WAGERS[house_name]:
        guest.place(1, wager)
    if house_name == "stadium":
        guest.place(2, "Ante")
        guest.place(3, "Ante")
        guest.press(guest.button("For the dealer"))
        guest.place(1, "Bad Beat")
    guest.settled_bets()
    fits(guest)
    reads_odds(guest, house_name, BONUS if house_name == "draw" else TRIPS)
    guest.deal()
    fits(guest)
    draw_or_play_out(guest)
    fits(guest)
    if house_name == "stadium":
        hands_lie_side_by_side_in_the_replay(guest)
    if spanish:
        in_spanish(guest)
        fits(guest)


def in_spanish(guest: Guest) -> None:
    """Choose Spanish, whose words are longer."""
    settings = guest.open_panel("Settings")
    # These guests' systems ask for less motion, which comes before the player's setting.
    moving = settings.get_by_role("switch", name=re.compile("^Animations"))
    expect(moving).not_to_be_checked()
    expect(moving).to_be_disabled()
    settings.get_by_label("Language").select_option("es")
    guest.page.keyboard.press("Escape")
    expect(guest.page.get_by_role("dialog")).to_have_count(0)


def hands_lie_side_by_side_in_the_replay(guest: Guest) -> None:
    """In the replay of three hands they share a row below the dealer's, on every screen."""
    panel = guest.open_panel("History")
    guest.press(panel.get_by_role("button", name="Replay"))
    for size in ("phone", "laptop"):
        width, height = SIZES[size]
        guest.page.set_viewport_size({"width": width, "height": height})
        guest.until(lambda: hands_share_a_row(panel))
    guest.close_panel()


def hands_share_a_row(panel: Locator) -> bool:
    boxes = [
        panel.get_by_role("heading", name=name, exact=True).bounding_box()
        for name in ("Board", "Hand 1", "Hand 2", "Hand 3")
    ]
    board, *hands = [box["y"] for box in boxes if box is not None]
    return len(hands) == 3 and len(set(hands)) == 1 and board < hands[0]


def stands_written(guest: Guest, *words: str) -> None:
    """Words that are wholly in sight on the felt, on a phone as on a terminal."""
    for size in ("phone", "terminal"):
        width, height = SIZES[size]
        guest.page.set_viewport_size({"width": width, "height": height})
        for text in words:
            line = guest.page.get_by_text(text, exact=True).filter(visible=True).first
            expect(line).to_be_in_viewport(ratio=1)


@SPANISH
@pytest.mark.variant
@pytest.mark.clause("C.standards.odds", "C.table.inscription", "C.20")
@pytest.mark.clause("C.table.areas.1", "C.table.areas.2", "C.table.areas.3", "C.table.areas.4")
def test_a_round_in_the_cardroom_fits(
    house: BrowserHouse, entrance: Entrance, spanish: bool
) -> None:
    banker, player = entrance(house), entrance(house)
    for guest, seat in ((banker, 1), (player, 2)):
        guest.go("private.sizes.ca")
        fits(guest)
        guest.sit("$500", seat=seat)
    fits(banker)
    banker.page.get_by_role("textbox", name="Bank wager").fill("300")
    banker.press(banker.button("Bank with $300"))
    player.until(lambda: player.wire.phase == "wagering")
    player.place(1, "Ante")
    player.place(1, "Trips")
    player.settled_bets()
    reads_odds(player, "california", TRIPS)
    stands_written(player, "Player/dealer only plays with a pair or higher")
    stands_written(player, "Ante", "Blind", "Trips", "Play")
    player.until(lambda: player.wire.due)
    fits(player)
    seats = player.page.get_by_role("list", name="Seats").get_by_role("listitem")
    button = seats.get_by_text("D", exact=True)
    expect(button).to_have_count(1)
    expect(seats.nth(0)).to_contain_text("banking")
    expect(seats.nth(0).get_by_text("D", exact=True)).to_be_in_viewport(ratio=1)
    fits(banker)
    player.play_out()
    banker.until(lambda: banker.wire.over)
    fits(player)
    if spanish:
        in_spanish(player)
        fits(player)


LONG_RESULTS = {
    "a tie without a qualifying hand": "2h 2s 3d 3c Qc Jd 9h 7s 5c",
    "a win without a qualifying hand": "Ah 2s 3d 3c Qc Jd 9h 7s 5c",
    "a full house beaten by a better one": "Qh Kh Qs Ks Qd Kd Jc Jd 2c",
}
"""Cards in the order in which they are dealt in the cardroom: player, bank, player, bank, board."""


@pytest.mark.parametrize("cards", with_variants(LONG_RESULTS.values()), ids=[*LONG_RESULTS])
def test_long_results_fit_in_spanish(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, cards: str
) -> None:
    with LiveTable(scripts, house, "california") as table:
        table.sign_on()
        banker = ScriptedPlayer(scripts, house, table.name)
        player = entrance(house)
        player.go(table.name)
        player.sit("$500")
        banker.take_bank(30_000)
        player.until(lambda: player.wire.phase == "wagering")
        player.place(1, "Ante")
        player.settled_bets()
        table.close_bets()
        table.deal(cards)
        for choice in ("Check", "Check", "1x"):
            player.until(lambda: player.wire.due)
            player.choose(1, choice)
            player.until(lambda: not player.wire.due)
            table.turn_all()
        table.confirm()
        player.until(lambda: player.wire.over)
        in_spanish(player)
        fits(player)
        banker.go()
