"""A real server for each worker, a real Chromium, and guests who come in by the front door.

Playwright's loop runs for as long as it is open, and nothing else in the process can start one
meanwhile; so the browser lasts until the next test of another folder, the server until the end.
"""

import asyncio
import contextlib
import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.kit.browser.floor import BrowserHouse, require_site, set_up
from tests.kit.browser.guests import Guest, Screen
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.repository import ROOT
from tests.kit.server.real_server import free_port, server_process

BROWSERS = ["chromium-headless-shell", "chromium", "google-chrome"]
"""The first of them that is installed is driven; the shell is the same browser and the fastest."""
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--num-raster-threads=1",
]


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """``openfelt serve`` on a file of its own, with a few tables besides the starter floor."""
    require_site()
    folder = tmp_path_factory.mktemp("browser")
    asyncio.run(set_up(folder / "felt.db"))
    with server_process(folder, free_port()) as server:
        yield BrowserHouse(server.address, folder / "felt.db")


@pytest.fixture(scope="package")
def browser(house: BrowserHouse) -> Iterator[Browser]:
    """Chromium, for the tests of this folder. The server is set up before it, in a loop."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert program is not None, "The browser tests need chromium. Install it, so that it is found."
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=CHROMIUM_ARGUMENTS)
        with contextlib.closing(chromium):
            yield chromium


class Entrance:
    """Lets guests in, each in a browser context of their own, and sees them out."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._guests: list[Guest] = []

    def __call__(
        self, house: BrowserHouse, screen: Screen = Screen.TERMINAL, *, moving: bool = False
    ) -> Guest:
        """A guest with play money in the lobby."""
        guest = Guest.come_in(self._browser, house, screen, moving=moving)
        self._guests.append(guest)
        return guest

    def visitor(self, house: BrowserHouse, screen: Screen = Screen.TERMINAL) -> Guest:
        """A guest who has only opened the first page."""
        guest = Guest.open(self._browser, house, screen)
        self._guests.append(guest)
        return guest

    def outside(self, house: BrowserHouse, screen: Screen = Screen.TERMINAL) -> Guest:
        """A guest who has not opened a page yet, and may sign in before the first one."""
        guest = Guest.outside(self._browser, house, screen)
        self._guests.append(guest)
        return guest

    def beside(self, guest: Guest) -> Guest:
        """The same person at another page of the same browser."""
        other = guest.beside()
        self._guests.append(other)
        return other

    def close(self) -> list[str]:
        """See all guests out; returns what their pages complained of."""
        complaints = [said for guest in self._guests for said in guest.complaints]
        for guest in self._guests:
            guest.context.close()
        return complaints


@pytest.fixture
def entrance(browser: Browser) -> Iterator[Entrance]:
    """Guests for one test. An error on the console of any page fails the test."""
    door = Entrance(browser)
    try:
        yield door
    finally:
        complaints = door.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def scripts() -> Iterator[ScriptLoop]:
    """Programs that talk to the server while a browser is open."""
    with ScriptLoop() as loop:
        yield loop


@pytest.fixture
def pictures() -> Pictures:
    """Keeps screenshots for the documentation, where OPENFELT_SCREENSHOTS is set."""
    folder = ROOT / "docs" / "images"
    return Pictures(folder if os.environ.get("OPENFELT_SCREENSHOTS") else None)
