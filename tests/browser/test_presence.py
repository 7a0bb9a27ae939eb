"""Sounds, favourite bets and the graph of a visit, as a player meets them."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.screens import signed_dollars

COUNT_CONTEXTS = """
  globalThis.contexts = 0;
  globalThis.AudioContext = class extends AudioContext {
    constructor() { super(); globalThis.contexts += 1; }
  };
"""


@pytest.mark.variant
def test_sounds_begin_with_the_first_press_and_keep_their_volume(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.context.add_init_script(COUNT_CONTEXTS)
    guest.own_table("online")
    expect(guest.page.get_by_role("button", name=re.compile("^Sit down with"))).to_be_visible()
    assert guest.page.evaluate("contexts") == 0
    guest.sit("$500")
    guest.place(1, "Ante")
    guest.settled_bets()
    assert guest.page.evaluate("contexts") == 1
    panel = guest.open_panel("Settings")
    expect(panel.get_by_role("switch", name=re.compile("^Sound"))).to_be_checked()
    volume = panel.get_by_role("slider", name="Volume")
    volume.press("End")
    expect(volume).to_have_attribute("aria-valuetext", "100%")
    volume.press("ArrowLeft")
    expect(volume).to_have_attribute("aria-valuetext", "95%")
    guest.close_panel()
    guest.page.keyboard.press("q")
    guest.page.reload()
    panel = guest.open_panel("Settings")
    expect(panel.get_by_role("switch", name=re.compile("^Sound"))).not_to_be_checked()
    volume = panel.get_by_role("slider", name="Volume")
    expect(volume).to_be_disabled()
    expect(volume).to_have_value("95")


@pytest.mark.variant
def test_a_favourite_bet_is_saved_kept_and_laid(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance(house)
    guest.own_table("online")
    guest.sit("$500")
    guest.place(1, "Ante", "$5")
    guest.place(1, "Trips", "$1")
    guest.settled_bets()
    guest.press(guest.button("Favourites"))
    panel = guest.page.get_by_role("dialog", name="Favourite bets")
    guest.press(panel.get_by_role("button", name="Save the current bets as favourite 2"))
    slot = panel.get_by_role("listitem", name="Favourite 2")
    expect(slot).to_contain_text("Ante and Blind $5, Trips $1")
    expect(slot.get_by_role("button", name="On the felt")).to_be_disabled()
    check_axe(guest, "favourites")
    guest.close_panel()
    guest.press(guest.button("Clear bet"))
    guest.until(lambda: guest.wire.cents("bet") == 0)
    # With the keyboard alone, and after the page was loaded again.
    guest.page.reload()
    expect(guest.button("Favourites")).to_be_visible()
    expect(guest.meter("Bet")).to_have_text("$0.00")
    guest.page.keyboard.press("Shift+Digit2")
    guest.settled_bets()
    assert guest.wire.cents("bet") == 1100
    guest.press(guest.button("Clear bet"))
    guest.until(lambda: guest.wire.cents("bet") == 0)
    guest.page.keyboard.press("v")
    name = "Place favourite 2: Ante and Blind $5, Trips $1, $11 in total"
    guest.press(panel.get_by_role("button", name=name))
    expect(panel).to_have_count(0)
    guest.settled_bets()
    assert guest.wire.cents("bet") == 1100


@pytest.mark.variant
def test_the_graph_of_a_visit_has_the_figures_of_the_history(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    table = guest.own_table("online")
    guest.sit("$500")
    for number in (1, 2):
        guest.place(1, "Ante")
        guest.settled_bets()
        guest.deal()
        guest.play_out("4x")
        assert guest.wire.public["round"]["number"] == number
    net_cents = guest.wire.cents("credit") - 50_000
    told = guest.context.request.get(f"/api/v1/tables/{table}/visit").json()
    assert (told["rounds"], told["credit_change_cents"]) == (2, net_cents)
    panel = guest.open_panel("History")
    net = signed_dollars(net_cents)
    graph = panel.get_by_role(
        "img", name=re.compile(f"over 2 rounds of this visit: now {re.escape(net)}")
    )
    expect(graph).to_be_visible()
    guest.press(panel.get_by_text("The figures as a table"))
    figures = panel.get_by_role("table", name="Your result in this visit")
    for point in told["points"]:
        row = figures.get_by_role("row", name=re.compile(f"^#{point['number']}"))
        expect(row).to_contain_text(signed_dollars(point["total_cents"]))
    check_axe(guest, "graph of a visit")
