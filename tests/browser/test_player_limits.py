"""Limits and breaks: a player sets them, a supervisor sees them and adds others, and play stops."""

import os
from pathlib import Path
from typing import Final

from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.accounts import PASSWORD, sign_in, write
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import SCREENS, Guest, Screen
from tests.kit.browser.languages import check_texts
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.browser.staff import sign_in_as

SHOTS: Final = os.environ.get("OPENFELT_FLOOR_PICTURES")


def look(guest: Guest, where: str) -> None:
    """No violation and no missing text."""
    check_axe(guest, where)
    check_texts(guest)
    if SHOTS:
        name = f"{where}-{guest.screen.name.lower()}.png".replace(" ", "-")
        guest.page.screenshot(path=Path(SHOTS) / name)


@SCREENS
def test_a_player_sets_limits_and_takes_a_break(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, screen: Screen
) -> None:
    ann, name = entrance.visitor(house, screen), f"limited-{screen.name.lower()}"
    ann.press(ann.button("I don't have an account"))
    write(ann, name, PASSWORD)
    ann.press(ann.button("Create an account"))
    ann.in_lobby()
    # The player sets a limit that no hand fits into.
    ann.press(ann.page.get_by_role("button", name="Your account"))
    panel = ann.page.get_by_role("dialog", name="Your account")
    panel.get_by_text("Limits and breaks").click()
    panel.get_by_label("Limit in dollars").fill("20")
    panel.get_by_role("button", name="Set limit").click()
    losses = panel.get_by_role("table", name="Losses")
    expect(losses.get_by_role("row", name="Today")).to_contain_text("$20.00")
    panel.get_by_label("Limit in dollars").fill("500")
    panel.get_by_role("button", name="Set limit").click()
    expect(losses.get_by_role("row", name="Today")).to_contain_text("$500.00 from ")
    expect(losses.get_by_role("row", name="Today")).to_contain_text("$20.00")
    look(ann, "the limits")
    ann.close_panel()
    ann.own_table("online")
    ann.sit("$100")
    ann.place(1, "Ante", "$5")
    expect(ann.notice()).to_contain_text("The limit on losses is $20.00 in a day")
    # A supervisor sees what the player has set, and sets a limit of the house.
    sue = entrance.outside(house)
    sign_in_as("supervisor", sue, house, scripts)
    sue.page.goto(f"{house.address}/#/floor/people")
    desk = sue.page.get_by_role("region", name="An account")
    desk.get_by_label("Name", exact=True).fill(name)
    desk.get_by_role("button", name="Find").click()
    desk.get_by_text("Limits and breaks").click()
    times = desk.get_by_role("table", name="Time of play")
    desk.get_by_label("Limit on").select_option("time")
    desk.get_by_label("Limit in minutes").fill("90")
    desk.get_by_label("Reason", exact=True).first.fill("Asked for at the desk.")
    desk.get_by_role("button", name="Set limit").click()
    expect(times.get_by_role("row", name="Today")).to_contain_text("1 h 30 min")
    expect(times.get_by_role("row", name="Today")).to_contain_text("set by the house")
    look(sue, "the limits of a player")
    # The player takes a break: the session ends, and signing in shows until when.
    ann.page.goto(f"{house.address}/#/")
    ann.in_lobby()
    ann.press(ann.page.get_by_role("button", name="Your account"))
    panel.get_by_text("Limits and breaks").click()
    panel.get_by_role("button", name="Take a break").click()
    panel.get_by_role("button", name="Yes, exclude from play").click()
    expect(ann.button("I don't have an account")).to_be_visible()
    sign_in(ann, name)
    ann.press(ann.page.get_by_role("button", name="Your account"))
    panel.get_by_text("Limits and breaks").click()
    expect(panel.get_by_text("Excluded from play until")).to_be_visible()
    look(ann, "a break")
