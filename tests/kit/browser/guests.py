"""A guest in front of a screen: what can be pressed and read there, found as people find it.

Everything is looked up by its role and its words, as a screen reader would announce it.
"""

import contextlib
import json
import re
import time
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, Self

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    expect,
)

from openfelt.protocol.merge_patch import Plain
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.wire import Wire

FIRST_WALLET_CENTS = 100_000
WAITING_SECONDS = 20
expect.set_options(timeout=WAITING_SECONDS * 1000)


ROUND_MS = 120_000
"""Longer than the clock gives a whole round of any table of the starter floor."""


class Screen(Enum):
    """The two screens that the terminal is drawn for."""

    TERMINAL = (1920, 1080)
    PHONE = (390, 844)

    @property
    def context_options(self) -> dict[str, Any]:
        """What a browser context of this screen is made with."""
        width, height = self.value
        phone = self is Screen.PHONE
        return {
            "viewport": {"width": width, "height": height},
            "has_touch": phone,
            "is_mobile": phone,
            "device_scale_factor": 2 if phone else 1,
        }


SCREENS = pytest.mark.parametrize(
    "screen",
    [Screen.TERMINAL, pytest.param(Screen.PHONE, marks=pytest.mark.variant)],
    ids=["terminal", "phone"],
)
"""Both screens, for tests that are the same on each."""


class Guest:
    """A person at a screen."""

    def __init__(self, context: BrowserContext, house: BrowserHouse, screen: Screen) -> None:
        self.context = context
        self.house = house
        self.screen = screen
        self._page: Page = context.new_page()
        self._page.set_default_timeout(WAITING_SECONDS * 1000)
        self._opened = True
        """Whether the page has been opened; a guest who goes straight to a table needs no lobby."""
        self.wire = Wire()
        self.wire.listen(self._page)
        self.complaints: list[str] = []
        """Errors and warnings on the page's console; one of them fails the test in the end."""
        self.line_may_break = False
        """Whether the test breaks the line on purpose, of which the browser complains."""
        self._refusal: tuple[str, int] | None = None
        self._refusals_seen = 0
        self._page.on("console", self._console)
        self._page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))

    @property
    def page(self) -> Page:
        """The page, in the lobby unless the guest has gone elsewhere."""
        if not self._opened:
            self._opened = True
            self._page.goto("/")
            self.in_lobby()
        return self._page

    def _console(self, said: ConsoleMessage) -> None:
        where = str(said.location.get("url", ""))
        broken = self.line_may_break and re.search(r"net::ERR_|WebSocket connection", said.text)
        if said.type not in ("error", "warning") or broken:
            return
        page, status = self._refusal or ("", 0)
        if page and where.endswith(page) and f"status of {status}" in said.text:
            self._refusals_seen += 1
        else:
            self.complaints.append(f"console {said.type}: {said.text} ({where})")

    @contextlib.contextmanager
    def refused(self, page: str, status: int) -> Iterator[None]:
        """The server refuses a request in here, and the browser writes that to its console."""
        seen, self._refusal = self._refusals_seen, (page, status)
        try:
            yield
            self.until(lambda: self._refusals_seen > seen)
        finally:
            self._refusal = None

    # Coming in -----------------------------------------------------------------------------

    @classmethod
    def open(cls, browser: Browser, house: BrowserHouse, screen: Screen) -> Self:
        """A guest who opens the first page."""
        guest = cls(_context(browser, house, screen), house, screen)
        guest.page.goto("/")
        return guest

    @classmethod
    def outside(cls, browser: Browser, house: BrowserHouse, screen: Screen) -> Self:
        """A guest who has not opened a page yet, and may sign in before the first one."""
        return cls(_context(browser, house, screen), house, screen)

    def beside(self) -> Self:
        """The same person at another page of the same browser."""
        other = type(self)(self.context, self.house, self.screen)
        other.page.goto("/")
        return other

    @classmethod
    def come_in(
        cls, browser: Browser, house: BrowserHouse, screen: Screen, *, moving: bool = False
    ) -> Self:
        """A guest with play money, who has signed in without the first page."""
        guest = cls(_context(browser, house, screen, moving=moving), house, screen)
        answer = guest.context.request.post("/api/v1/guest", headers={"Origin": house.address})
        assert answer.ok
        guest._opened = False
        return guest

    def in_lobby(self) -> None:
        """Wait until the lobby is there; a guest who has just come in opens it."""
        expect(self.page.get_by_role("heading", name="Pick a table")).to_be_visible()

    @property
    def phone(self) -> bool:
        """Whether it is the small screen."""
        return self.screen is Screen.PHONE

    def press(self, what: Locator) -> None:
        """Press something, with a finger on a phone and with the mouse elsewhere."""
        if self.phone:
            what.tap()
        else:
            what.click()

    def wallet_cents(self) -> int:
        """What the server says the wallet holds."""
        return int(self.context.request.get("/api/v1/me").json()["wallet_cents"])

    def own_table(self, house: str) -> str:
        """Go to a table of one's own, which the lobby offers for some of the houses only."""
        if house == "stadium":
            table = next(self.house.stadiums)
            self.go(table)
            return table
        asked = self.context.request.post(
            "/api/v1/tables/private",
            data=json.dumps({"house": house}),
            headers={"Content-Type": "application/json", "Origin": self.house.address},
        )
        table = str(asked.json()["table"])
        self.go(table)
        return table

    def go(self, table: str) -> None:
        """Go to a table by its address."""
        self._opened = True
        self.page.goto(f"/#/table/{table}")
        expect(self.page.get_by_role("main", name="The table")).to_be_visible()

    def pick_table(self, table: str) -> None:
        """Go to a table through the lobby."""
        self.press(self.page.get_by_role("link").filter(has_text=table))
        expect(self.page.get_by_role("main", name="The table")).to_be_visible()

    def sit(self, dollars: str = "$500", *, seat: int | None = None) -> None:
        """Sit down with an amount, at a seat or wherever one is free."""
        if seat is not None:
            self.press(self.button(f"Seat {seat}"))
        self.press(self.page.get_by_role("button", name=dollars, exact=True))
        self.press(self.button(f"Sit down with {dollars}"))
        cents = int(dollars.lstrip("$").replace(",", "")) * 100
        self.until(lambda: self.wire.private.get("credit_cents") == cents)
        expect(self.meter("Credit")).to_have_text(f"{dollars}.00")

    # Waiting -------------------------------------------------------------------------------

    def until(self, ready: Callable[[], object], seconds: float = WAITING_SECONDS) -> None:
        """Wait until something is so; messages come in meanwhile."""
        deadline = time.monotonic() + seconds
        pause_ms = 20.0
        while not ready():
            assert time.monotonic() < deadline, (
                f"waited in vain: {self.wire.public}, {self.wire.private}"
            )
            self.page.wait_for_timeout(pause_ms)
            # Most of what is waited for comes at once; a clock takes seconds.
            pause_ms = min(pause_ms * 1.2, 100)

    # What is on the screen -----------------------------------------------------------------

    def button(self, name: str) -> Locator:
        """A button by its words."""
        return self.page.get_by_role("button", name=name, exact=True)

    def meter(self, name: str) -> Locator:
        """The figure of a meter: Credit, Bet or Win."""
        rows = self.page.get_by_role("contentinfo").locator("dl > div")
        return rows.filter(has_text=re.compile(f"^\\s*{name}")).get_by_role("definition").first

    def circle(self, hand: int, wager: str) -> Locator:
        """A betting circle."""
        name = re.compile(f"^Hand {hand}, {re.escape(wager)}(?: Bonus)?, ")
        by_role = self.page.get_by_role
        return by_role("button", name=name).or_(by_role("img", name=name))

    def hand(self, number: int) -> Locator:
        """The part of the screen that shows one own hand."""
        return self.hand_named(f"Hand {number}")

    def hand_named(self, name: str) -> Locator:
        """The part of the screen that shows an own hand, by its name in any language."""
        return self.page.get_by_role("region", name=name, exact=True)

    def dealer_area(self) -> Locator:
        """The part of the screen with the dealer's cards and the board."""
        return self.page.get_by_role("region", name="Dealer and board")

    def cards_in(self, part: Locator) -> list[str]:
        """The cards that a part of the screen shows, in words."""
        named = part.get_by_role("img").evaluate_all(
            "images => images.map((image) => image.getAttribute('aria-label'))"
        )
        return [name for name in named if re.search(r" of \w+s$|^face-down card$", name)]

    def notice(self) -> Locator:
        """What was refused, as it is said at once."""
        return self.page.get_by_role("alert")

    # What is done ---------------------------------------------------------------------------

    def pick_chip(self, dollars: str) -> None:
        """Take a chip of the tray in hand."""
        chip = self.page.get_by_role("radio", name=f"{dollars} chip", exact=True)
        # At a shared table another guest's round may be in progress, which its clock ends.
        chip.wait_for(timeout=ROUND_MS)
        self.press(chip)

    def show_hand(self, number: int) -> None:
        """On a phone, bring a hand to the front."""
        tabs = self.page.get_by_role("group", name="Hands", exact=True)
        if self.phone and tabs.is_visible():
            self.press(tabs.get_by_role("button", name=re.compile(f"^Hand {number}")))
            expect(self.circle(number, "Ante")).to_be_in_viewport()

    def place(self, hand: int, wager: str, chip: str | None = None) -> None:
        """Put a chip on a circle."""
        if chip is not None:
            self.pick_chip(chip)
        self.press(self.circle(hand, wager))

    def settled_bets(self) -> None:
        """Wait until the table has everything that lies on the screen."""
        self.until(
            lambda: (
                not self.wire.unanswered and self.wire.cents("bet") == self.shown_cents("Bet") > 0
            )
        )

    def shown_cents(self, meter: str) -> int:
        """What a meter shows."""
        return int(re.sub(r"\D", "", self.meter(meter).inner_text()))

    def deal(self) -> None:
        """Have the cards dealt, and wait until a decision is asked for or the round is over."""
        self.press(self.button("Deal"))
        self.next_turn()

    def choices(self, hand: int) -> Locator:
        """The buttons of the decisions that are open to a hand."""
        return self.page.get_by_role("group", name=f"Choices for hand {hand}")

    def choose(self, hand: int, words: str) -> None:
        """Decide for a hand, by the words on the button."""
        with self.deciding():
            self.press(self.choices(hand).get_by_role("button", name=re.compile(f"^{words}")))

    @contextlib.contextmanager
    def deciding(self) -> Iterator[None]:
        """Something in here decides for a hand; wait until the table says so."""
        made = self.wire.decisions
        yield
        self.until(lambda: self.wire.decisions > made)

    def next_turn(self) -> None:
        """Wait until an own hand has to decide, or the round is over."""
        self.until(lambda: self.wire.due or self.wire.over)

    def play_out(self, first: str = "Check") -> None:
        """Decide for every hand until the round is over: check, and play 1x at the river."""
        while not self.wire.over:
            self.next_turn()
            for hand in list(self.wire.due):
                self.show_hand(hand["hand"])
                self.choose(hand["hand"], first if can(hand, first) else "1x")

    def collect(self) -> None:
        """Take the whole credit back to the wallet."""
        if self.phone:
            self.press(self.button("Menu"))
            self.press(self.page.get_by_role("dialog").get_by_role("button", name="Collect"))
        else:
            self.press(self.button("Collect"))
        self.until(lambda: self.wire.cents("credit") == 0)
        expect(self.meter("Credit")).to_have_text("$0.00")

    def open_panel(self, name: str) -> Locator:
        """Open one of the pages over the table: Paytables, Help, History or Settings."""
        if self.phone:
            self.press(self.button("Menu"))
            menu = self.page.get_by_role("dialog", name="Menu")
            self.press(menu.get_by_role("button", name=name, exact=True))
        else:
            nav = self.page.get_by_role("navigation", name="Menu")
            self.press(nav.get_by_role("button", name=name, exact=True))
        panel = self.page.get_by_role("dialog", name=name)
        expect(panel).to_be_visible()
        return panel

    def close_panel(self) -> None:
        """Close the page over the table."""
        self.press(self.page.get_by_role("dialog").get_by_role("button", name="Close"))
        expect(self.page.get_by_role("dialog")).to_have_count(0)


def _context(
    browser: Browser, house: BrowserHouse, screen: Screen, *, moving: bool = False
) -> BrowserContext:
    """A browser of its own for a guest."""
    return browser.new_context(
        **screen.context_options,
        base_url=house.address,
        locale="en-US",
        reduced_motion="no-preference" if moving else "reduce",
    )


def can(hand: Plain, words: str) -> bool:
    """Whether a hand is offered a decision, by the words of its button."""
    offered = [
        f"{one['multiple']}x" if one["kind"] == "bet" else one["kind"].capitalize()
        for one in hand["choices"]
    ]
    return words in offered
