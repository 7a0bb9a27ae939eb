"""Members of staff in a browser: their screen, and accounts opened and signed in without a form."""

import itertools
import os
from pathlib import Path

from playwright.sync_api import Locator

from openfelt.client import Casino
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.accounts import sign_in_without_form
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.languages import check_texts, messages
from tests.kit.browser.layout import layout_faults
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.server.open_house import SUPERVISOR

PASSWORD = "seven green felt tables"
PICTURES = os.environ.get("OPENFELT_STAFF_PICTURES")
"""A folder for pictures of what was looked at."""
_NUMBERS = itertools.count(1)


class StaffScreen:
    """A member of staff at a screen, in a language."""

    def __init__(self, guest: Guest, language: str) -> None:
        self.guest = guest
        self.page = guest.page
        self.texts = messages(language)
        self.language = language
        if language == "es":
            guest.press(guest.button("Español"))

    def look(self, where: str) -> None:
        """No violation, no text that is missing, and on a phone nothing too wide or too small."""
        check_axe(self.guest, where)
        check_texts(self.guest)
        if self.guest.phone:
            assert layout_faults(self.guest) == set(), where
        if PICTURES:
            name = f"{where}-{self.guest.screen.name}-{self.language}.png".lower()
            self.page.screenshot(path=Path(PICTURES) / name.replace(" ", "-"), full_page=True)

    def field(self, key: str) -> Locator:
        """A field by the key of its label."""
        return self.page.get_by_label(self.texts[key], exact=True)

    def heading(self, key: str) -> Locator:
        """A heading by its key."""
        return self.page.get_by_role("heading", name=self.texts[key])

    def button(self, key: str, **values: str) -> Locator:
        """A button by the key of its words."""
        name = self.texts[key].format(**values)
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, key: str, **values: str) -> None:
        """Press a button by the key of its words."""
        self.guest.press(self.button(key, **values))


def sign_in_as(role: str, guest: Guest, house: BrowserHouse, scripts: ScriptLoop) -> str:
    """Open an account of a role and sign it in, in the guest's browser; gives its name."""
    name = f"{role}-{next(_NUMBERS)}"

    async def open_account() -> None:
        async with Casino(house.address) as supervisor:
            await supervisor.sign_in(**SUPERVISOR)
            form = {"name": name, "password": PASSWORD, "role": role, "temporary": False}
            await supervisor.post("/api/v1/accounts", form)

    scripts.do(open_account())
    sign_in_without_form(guest, name, PASSWORD)
    return name
