"""The list of own rounds: page after page, under their days, and each with its replay and proof."""

import re
import secrets
from datetime import datetime
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from openfelt.client import Casino
from openfelt.protocol.messages import Bet
from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.accounts import PASSWORD, sign_in_without_form
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import SCREENS, Guest, Screen
from tests.kit.browser.keyboard import press, tab_to
from tests.kit.browser.layout import layout_faults
from tests.kit.browser.screens import chip_dollars, signed_dollars
from tests.kit.browser.script_loop import ScriptLoop

ROUNDS = 45
PAGE = 20


async def play(address: str, name: str, rounds: int) -> str:
    """Create an account, and play rounds at a table of its own; gives the table."""
    async with Casino(address) as casino:
        await casino.sign_up(name, PASSWORD)
        named = await casino.private_table()
        async with casino.table(named) as table:
            await table.sit(buy_in_cents=50_000)
            for number in range(1, rounds + 1):
                wagers = {"ante": 100, "trips": 100} if number % 3 else {"ante": 200}
                await table.bet(**wagers)
                await table.deal()
                await table.decide(Bet(multiple=4))
                await table.until(lambda now: "set_wagers" in now.private.may)
            await table.leave()
        return named


@pytest.fixture(scope="module")
def player(house: BrowserHouse) -> tuple[str, str]:
    """The name of a player who has played many rounds, and the table."""
    name = f"old-{secrets.token_hex(4)}"
    with ScriptLoop() as scripts:
        return name, scripts.do(play(house.address, name, ROUNDS))


def open_history(
    house: BrowserHouse, entrance: Entrance, screen: Screen, player: tuple[str, str]
) -> tuple[Guest, Locator]:
    """The player's list of rounds."""
    guest = entrance.outside(house, screen)
    sign_in_without_form(guest, player[0])
    guest.go(player[1])
    return guest, guest.open_panel("History")


def told(guest: Guest, table: str) -> list[dict[str, Any]]:
    """What the server says of all rounds."""
    asked = guest.context.request.get(f"/api/v1/tables/{table}/rounds?limit=100")
    found: list[dict[str, Any]] = asked.json()
    return found


def shown(panel: Locator) -> list[str]:
    """The days and the rounds of the list, as they are read."""
    rows = panel.locator("tbody tr")
    return [re.sub(r"\s+", " ", text).strip() for text in rows.all_inner_texts()]


def expected(rounds: list[dict[str, Any]]) -> list[str]:
    """The list as it has to be, from what the server says."""
    lines: list[str] = []
    day = ""
    for one in rounds:
        at = datetime.fromtimestamp(one["at_ms"] / 1000).astimezone()
        name = f"{at:%A, %B} {at.day}, {at.year}"
        if name != day:
            lines.append(name)
            day = name
        time = f"{at:%I:%M %p}".lstrip("0")
        money = f"{chip_dollars(one['staked_cents'])} {signed_dollars(one['credit_change_cents'])}"
        lines.append(f"#{one['number']} {time} {money} Replay Proof")
    return lines


@SCREENS
def test_older_rounds_come_page_by_page(
    house: BrowserHouse, entrance: Entrance, screen: Screen, player: tuple[str, str]
) -> None:
    guest, panel = open_history(house, entrance, screen, player)
    rounds = told(guest, player[1])
    assert [one["number"] for one in rounds] == list(range(ROUNDS, 0, -1))
    expect(panel).to_contain_text("Ultimate Texas Hold'em, online · your own table")
    older = panel.get_by_role("button", name="Show older rounds")
    for count in (PAGE, 2 * PAGE):
        expect(panel.get_by_role("status")).to_have_text(f"{count} rounds")
        assert shown(panel) == expected(rounds[:count])
        if guest.phone:
            assert layout_faults(guest) == set()
        check_axe(guest, f"{count} rounds")
        guest.press(older)
    expect(panel.get_by_role("status")).to_have_text(f"{ROUNDS} rounds")
    assert shown(panel) == expected(rounds)
    expect(older).to_have_count(0)
    expect(panel.get_by_text("These are all your rounds at this table.")).to_be_visible()
    check_axe(guest, "all rounds")


@pytest.mark.variant
def test_the_focus_stays_where_the_keyboard_is(
    house: BrowserHouse, entrance: Entrance, player: tuple[str, str]
) -> None:
    guest, panel = open_history(house, entrance, Screen.TERMINAL, player)
    older = panel.get_by_role("button", name="Show older rounds")
    expect(older).to_be_visible()
    tab_to(guest, "Show older rounds")
    press(guest, "Enter")
    expect(panel.get_by_role("status")).to_have_text(f"{2 * PAGE} rounds")
    expect(older).to_be_focused()
    press(guest, "Enter")
    expect(panel.get_by_text("These are all your rounds at this table.")).to_be_focused()
    press(guest, "Shift+Tab")
    expect(panel.get_by_role("button", name="Proof of round #1", exact=True)).to_be_focused()
    press(guest, "Enter")
    back = panel.get_by_role("button", name="All rounds")
    expect(back).to_be_focused()
    expect(panel.get_by_role("heading", name="Round #1", exact=True)).to_be_visible()
    press(guest, "Enter")
    expect(panel.get_by_role("button", name="Proof of round #1", exact=True)).to_be_focused()
    expect(panel.get_by_role("status")).to_have_text(f"{ROUNDS} rounds")


@pytest.mark.variant
@SCREENS
def test_the_oldest_round_has_its_replay_and_its_proof(
    house: BrowserHouse, entrance: Entrance, screen: Screen, player: tuple[str, str]
) -> None:
    guest, panel = open_history(house, entrance, screen, player)
    for _ in range(2):
        guest.press(panel.get_by_role("button", name="Show older rounds"))
    guest.press(panel.get_by_role("button", name="Replay of round #1", exact=True))
    expect(panel.get_by_text("Replay · round #1", exact=True)).to_be_visible()
    guest.press(panel.get_by_role("button", name="All rounds"))
    replay = panel.get_by_role("button", name="Replay of round #1", exact=True)
    expect(replay).to_be_focused()
    expect(replay).to_be_in_viewport()
    guest.press(panel.get_by_role("button", name="Proof of round #2", exact=True))
    guest.press(panel.get_by_role("button", name="Verify"))
    expect(panel.get_by_text("Checked in your browser: 9 cards")).to_be_visible()
    expect(panel.get_by_text("The server agrees: 9 cards checked.")).to_be_visible()


@pytest.mark.variant
def test_a_list_that_cannot_be_read_says_so_and_is_read_again(
    house: BrowserHouse, entrance: Entrance, player: tuple[str, str]
) -> None:
    guest, panel = open_history(house, entrance, Screen.TERMINAL, player)
    expect(panel.get_by_role("status")).to_have_text(f"{PAGE} rounds")
    guest.line_may_break = True
    guest.page.route("**/rounds?*", lambda route: route.abort())
    older = panel.get_by_role("button", name="Show older rounds")
    guest.press(older)
    expect(panel.get_by_role("alert")).to_have_text("Your rounds cannot be loaded right now.")
    expect(panel.get_by_role("status")).to_have_text(f"{PAGE} rounds")
    guest.close_panel()
    panel = guest.open_panel("History")
    expect(panel.get_by_role("alert")).to_have_text("Your rounds cannot be loaded right now.")
    guest.page.unroute("**/rounds?*")
    guest.press(panel.get_by_role("button", name="Try now"))
    expect(panel.get_by_role("status")).to_have_text(f"{PAGE} rounds")
    expect(panel.get_by_role("alert")).to_have_text("")


@pytest.mark.variant
def test_a_round_that_ends_comes_into_the_open_list(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    table = guest.own_table("online")
    panel = guest.open_panel("History")
    expect(panel).to_contain_text("You have not finished a round at this table yet.")
    tab = entrance.beside(guest)
    tab.go(table)
    tab.sit("$500")
    for count in (1, 2):
        tab.place(1, "Ante", "$5")
        tab.settled_bets()
        tab.deal()
        tab.play_out()
        expect(panel.locator("[data-round]")).to_have_count(count)
        net = signed_dollars(tab.wire.cents("net"))
        expect(panel.locator(f"[data-round='{count}']")).to_contain_text(net)
