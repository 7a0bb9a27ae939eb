"""The dealer's terminal in a browser, and players at the same table who are programs."""

from playwright.sync_api import Locator, ViewportSize, expect

from openfelt.client import Casino, Terminal
from openfelt.protocol import messages
from tests.kit.browser.accounts import sign_in, sign_in_without_form
from tests.kit.browser.dealers import LiveTable
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.script_loop import ScriptLoop

SMALL: ViewportSize = {"width": 1366, "height": 768}
"""The smallest screen that a dealer stands at."""


class Dealer:
    """A dealer in front of the dealer's terminal of a live table.

    With ``by_form`` the dealer signs in at the entrance and picks the table in the lobby.
    """

    def __init__(self, guest: Guest, table: LiveTable, *, by_form: bool = False) -> None:
        self.guest = guest
        self.page = guest.page
        self.page.set_viewport_size(SMALL)
        if by_form:
            self.page.goto("/")
            sign_in(guest, table.dealer)
            guest.in_lobby()
            guest.press(self.page.get_by_role("link").filter(has_text=table.name))
        else:
            sign_in_without_form(guest, table.dealer)
            self.page.goto(f"/#/deal/{table.name}")

    @property
    def step(self) -> Locator:
        """What the dealer does next."""
        return self.page.get_by_role("region", name="What to do next").get_by_role("status")

    def does(self, words: str) -> None:
        """Wait until the terminal says what to do."""
        expect(self.step).to_have_text(words)

    def press(self, words: str) -> None:
        """Press the one large button."""
        self.guest.press(self.page.get_by_role("button", name=words, exact=True))

    def scan(self, *cards: str) -> None:
        """Scan cards, each once it is due: what is scanned too early is not taken."""
        for card in cards:
            expect(self.step).to_contain_text("Next card:")
            before = self.step.inner_text()
            self.page.keyboard.type(card)
            expect(self.step).not_to_have_text(before)

    def spot(self, name: str) -> Locator:
        """A spot of the felt."""
        return self.page.get_by_role("region", name=name, exact=True)

    def announces(self, *calls: str) -> None:
        """Wait until the hands are called in these words."""
        said = self.page.get_by_role("region", name="Announce").get_by_role("listitem")
        expect(said).to_have_text([*calls])

    def checks(self, words: str) -> None:
        """Wait until the chips on the felt are summed up in these words."""
        check = self.page.get_by_role("region", name="Before the first card")
        expect(check).to_contain_text(words)

    def refusal(self) -> Locator:
        """Why the last card or press was refused."""
        return self.page.get_by_role("region", name="What to do next").get_by_role("alert")


class ScriptedPlayer:
    """A guest at a live table who bets, checks as long as that goes, and never folds."""

    def __init__(self, scripts: ScriptLoop, house: BrowserHouse, table: str) -> None:
        self._scripts = scripts
        self._casino = Casino(house.address)
        self._table = table
        self.terminal: Terminal
        scripts.do(self._come())

    async def _come(self) -> None:
        await self._casino.guest()
        self.terminal = await self._casino.table(self._table).__aenter__()
        await self.terminal.sit(buy_in_cents=50_000)

    def go(self) -> None:
        """Let the player's terminal be gone."""
        self._scripts.do(self._go())

    async def _go(self) -> None:
        await self.terminal.__aexit__(None, None, None)
        await self._casino.__aexit__(None, None, None)

    def take_bank(self, cents: int) -> None:
        """Bank the next round."""
        self._scripts.do(self._take_bank(cents))

    async def _take_bank(self, cents: int) -> None:
        await self.terminal.until(lambda now: "take_bank" in now.private.may)
        seat = self.terminal.private.seat
        assert seat is not None
        await self.terminal.ask(messages.TakeBank(seat=seat, cover_cents=cents))

    def bet(self, ante_cents: int) -> None:
        """Bet on one hand, once bets are open."""
        self._scripts.do(self._bet(ante_cents))

    async def _bet(self, ante_cents: int) -> None:
        await self.terminal.until(lambda now: "set_wagers" in now.private.may)
        await self.terminal.bet(ante=ante_cents)

    def decide(self) -> None:
        """Decide for every own hand that has to."""
        self._scripts.do(self._decide())

    async def _decide(self) -> None:
        for spot, hand in dict(self.terminal.private.hands).items():
            if hand.due:
                choice: messages.DecisionAsked = messages.Check()
                if hand.may_hold:
                    choice = messages.Hold(cards=[card for card in hand.cards[:2] if card])
                elif not any(offered.kind == "check" for offered in hand.choices):
                    choice = messages.Bet(multiple=1)
                await self.terminal.ask(messages.Decide(spot=spot, decision=choice))
