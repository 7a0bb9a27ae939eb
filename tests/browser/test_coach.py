"""The coach: off until it is switched on, at an own table after each decision, and in replays."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.measured_boxes import box_faults
from tests.kit.browser.screens import MINUS


def told(guest: Guest) -> list[dict[str, Any]]:
    """What the server says of the decisions of the first round."""
    table = guest.wire.public["table"]
    answer = guest.context.request.get(f"/api/v1/tables/{table}/rounds/1/coach")
    assert answer.ok
    decisions = answer.json()["decisions"]
    assert isinstance(decisions, list)
    return decisions


def mark_of(decisions: list[dict[str, Any]]) -> str:
    """What the top bar says of these decisions."""
    cost = sum(one["choices"][one["chosen"]]["cost"] for one in decisions)
    return f"Coach: {MINUS}{max(cost, 0.001):.3f} Ante" if cost else "Coach: best play"


def test_at_an_own_table_the_coach_speaks_after_each_decision(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.own_table("online")
    guest.sit("$500")
    guest.press(guest.button("Coach"))
    panel = guest.page.get_by_role("dialog", name="Coach")
    switch = panel.get_by_role("switch", name=re.compile("^Coach"))
    expect(switch).not_to_be_checked()
    guest.press(switch)
    guest.close_panel()
    expect(guest.button("Coach is on")).to_be_visible()
    guest.place(1, "Ante")
    guest.settled_bets()
    guest.deal()
    guest.choose(1, "Check")
    expect(guest.button(mark_of(told(guest)))).to_be_visible()
    assert not box_faults(guest)
    guest.play_out()
    decisions = told(guest)
    assert len(decisions) == 3
    guest.press(guest.button(mark_of(decisions)))
    report = panel.get_by_role("table", name="Your decisions in round #1")
    expect(report.get_by_role("row")).to_have_count(1 + 2 * len(decisions) + 1)
    for street in ("Before the flop", "On the flop", "On the river"):
        expect(report.get_by_role("row", name=re.compile(f"^{street}"))).to_be_visible()
    check_axe(guest, "coach")
    # The switch is remembered by the browser, and the coach looks at what the screen shows again.
    guest.page.reload()
    expect(guest.button(mark_of(decisions))).to_be_visible()


@pytest.mark.variant
def test_at_a_shared_table_the_coach_is_found_in_the_replay_only(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.own_table("stadium")
    guest.sit("$500")
    guest.place(1, "Ante")
    guest.settled_bets()
    guest.deal()
    expect(guest.page.get_by_role("button", name=re.compile("Coach"))).to_have_count(0)
    guest.play_out()
    panel = guest.open_panel("History")
    guest.press(panel.get_by_role("button", name="Replay"))
    guest.press(panel.get_by_role("button", name="Ask the coach"))
    report = panel.get_by_role("table", name="Your decisions in round #1")
    expect(report.get_by_role("row", name=re.compile("^Before the flop Check"))).to_be_visible()
    expect(panel.get_by_text("In Antes: what Ante, Blind and Play win")).to_be_visible()
    check_axe(guest, "coach in a replay")
