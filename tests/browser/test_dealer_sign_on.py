"""Dealers sign on by badge and PIN, hand the table over, and call a supervisor to their screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from openfelt.client import Casino
from openfelt.protocol import messages
from openfelt.server.credentials.pin_rules import FAILURES_MAX
from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.dealers import PASSWORD, LiveTable
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.languages import check_spanish
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.screens import chip_dollars
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.server.open_house import SUPERVISOR

PIN, OWN_PIN = "730184", "520937"
TOUCH_PX = 48


class Pit:
    """A live table whose dealer's terminal is enrolled, and staff with badges."""

    def __init__(self, scripts: ScriptLoop, house: BrowserHouse, game: str) -> None:
        self._scripts = scripts
        self._house = house
        self.live = LiveTable(scripts, house, game)
        self.live.__enter__()
        self.live.go()
        self.table = self.live.name

    def staff(self, name: str, badge: str, *, role: str = "dealer") -> None:
        """Open an account with a badge and a PIN that must be changed."""
        self._scripts.do(self._staff(name, badge, role))

    async def _staff(self, name: str, badge: str, role: str) -> None:
        async with Casino(self._house.address) as eve:
            await eve.sign_in(**SUPERVISOR)
            account = {"name": name, "password": PASSWORD, "role": role, "public_name": name}
            await eve.post("/api/v1/accounts", account | {"temporary": False})
            await eve.post(f"/api/v1/accounts/{name}/badge", {"badge": badge, "pin": PIN})

    def unlock(self, name: str) -> None:
        """Let the supervisor unlock a PIN."""
        self._scripts.do(self._unlock(name))

    async def _unlock(self, name: str) -> None:
        async with Casino(self._house.address) as eve:
            await eve.sign_in(**SUPERVISOR)
            await eve.post(f"/api/v1/accounts/{name}/unlock", {})

    def tips_cents(self, name: str) -> int:
        """The tips of a dealer's last shift, as a supervisor sees them."""
        return self._scripts.do(self._tips_cents(name))

    async def _tips_cents(self, name: str) -> int:
        async with Casino(self._house.address) as eve:
            await eve.sign_in(**SUPERVISOR)
            shifts = await eve.get(f"/api/v1/dealers/{name}/shifts")
            cents = shifts[0]["tips_cents"]
            assert isinstance(cents, int)
            return cents

    def enrol(self, guest: Guest) -> None:
        """Enrol a browser as the dealer's terminal of the table, which it then opens."""
        headers = {"Origin": self._house.address}
        for path, form in (
            ("sign-in", SUPERVISOR),
            ("terminals", {"label": self.table, "table": self.table}),
            ("sign-out", {}),
        ):
            address = f"{self._house.address}/api/v1/{path}"
            answer = guest.page.request.post(address, data=form, headers=headers)
            assert answer.ok, answer.text()
        guest.page.set_viewport_size({"width": 1366, "height": 768})
        guest.page.goto(f"{self._house.address}/#/deal/{self.table}")


class Terminal:
    """The dealer's terminal, as staff use it."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.page = guest.page

    @property
    def step(self) -> Locator:
        """What the dealer does next."""
        return self.page.get_by_role("region", name="What to do next").get_by_role("status")

    @property
    def alert(self) -> Locator:
        """Why badge or PIN was refused."""
        return self.page.get_by_role("main").get_by_role("alert").first

    def only_refusals(self) -> None:
        """Forget what the browser says of answers that refuse, which these tests ask for."""
        refused = "Failed to load resource: the server responded with a status of 4"
        complaints = self.guest.complaints
        complaints[:] = [
            said for said in complaints if refused not in said or "/api/v1/dealer/" not in said
        ]

    def press(self, words: str) -> None:
        """Press a button."""
        self.guest.press(self.page.get_by_role("button", name=words, exact=True))

    def type(self, label: str, digits: str) -> None:
        """Type digits into the pad, and go on."""
        field = self.page.get_by_label(label, exact=True)
        expect(field).to_be_focused()
        self.page.keyboard.type(digits)
        self.page.keyboard.press("Enter")

    def touch(self, label: str, digits: str, press: str) -> None:
        """Touch digits on the number pad, and go on."""
        expect(self.page.get_by_label(label, exact=True)).to_be_visible()
        pad = self.page.get_by_role("group", name="Number pad")
        for digit in digits:
            self.guest.press(pad.get_by_role("button", name=digit, exact=True))
        self.press(press)

    def badge(self, number: str, pin: str = OWN_PIN) -> None:
        """Enter badge and PIN by keyboard."""
        self.type("Badge number", number)
        self.type("PIN", pin)

    def first_time(self, number: str) -> None:
        """Enter badge and PIN for the first time, and change the PIN."""
        self.badge(number, PIN)
        self.type("New PIN", OWN_PIN)
        self.type("New PIN again", OWN_PIN)

    def scan(self, *cards: str) -> None:
        """Scan cards, each once the last one has been taken."""
        for card in cards:
            before = self.step.inner_text()
            self.page.keyboard.type(card)
            expect(self.step).not_to_have_text(before)


@pytest.fixture
def pits(house: BrowserHouse, scripts: ScriptLoop) -> Callable[..., Pit]:
    """Opens live tables with a dealer's terminal each."""
    return lambda game="washington": Pit(scripts, house, game)


@pytest.mark.clause("S.15")
def test_a_dealer_signs_on_by_pin_and_changes_it(
    house: BrowserHouse, entrance: Entrance, pits: Callable[..., Pit], pictures: Pictures
) -> None:
    pit = pits()
    pit.staff("pia", "3101")
    terminal = Terminal(entrance.outside(house))
    pit.enrol(terminal.guest)
    pad = terminal.page.get_by_role("group", name="Number pad")
    for button in pad.get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= TOUCH_PX
    check_axe(terminal.guest, "badge and PIN")
    pictures.keep(terminal.page, "dealer-sign-on")
    terminal.touch("Badge number", "3101", "Next")
    terminal.touch("PIN", PIN, "Sign on")
    terminal.type("New PIN", "123456")
    terminal.type("New PIN again", "123456")
    expect(terminal.alert).to_contain_text("too easy to guess")
    terminal.type("New PIN", OWN_PIN)
    terminal.type("New PIN again", "520938")
    expect(terminal.alert).to_contain_text("differ")
    terminal.type("New PIN", OWN_PIN)
    terminal.type("New PIN again", OWN_PIN)
    expect(terminal.step).to_have_text("Open the bets.")
    # A reloaded terminal goes on; signing off ends the session too.
    terminal.page.reload()
    expect(terminal.step).to_have_text("Open the bets.")
    terminal.press("Sign off")
    expect(terminal.page.get_by_label("Badge number")).to_be_visible()
    terminal.badge("3101")
    expect(terminal.step).to_have_text("Open the bets.")
    terminal.only_refusals()


@pytest.mark.variant
def test_wrong_pins_lock_and_a_supervisor_unlocks(
    house: BrowserHouse, entrance: Entrance, pits: Callable[..., Pit]
) -> None:
    pit = pits()
    pit.staff("paz", "3102")
    guest = entrance.outside(house)
    terminal = Terminal(guest)
    pit.enrol(guest)
    alert = terminal.alert
    for _ in range(FAILURES_MAX):
        terminal.badge("3102", "100000")
        expect(alert).to_have_text("Badge number or PIN is wrong.")
    terminal.badge("3102", PIN)
    expect(alert).to_have_text("This PIN is locked: a supervisor can unlock it.")
    pit.unlock("paz")
    terminal.first_time("3102")
    expect(terminal.step).to_have_text("Open the bets.")
    terminal.only_refusals()


def _correct_with_approval(guest: Guest, terminal: Terminal) -> None:
    """A hand has decided, so a supervisor approves the correction of one card."""
    expect(terminal.page.get_by_role("button", name="Correct Seat 1, card 1")).to_have_count(0)
    terminal.press("Supervisor")
    terminal.press("Correct a card")
    expect(terminal.step).to_contain_text("Touch the wrong card on the felt")
    guest.press(terminal.page.get_by_role("button", name="Correct Seat 1, card 1"))
    terminal.page.keyboard.type("Ad")
    # The supervisor approves this one correction: which card becomes which.
    named = terminal.page.get_by_text("Seat 1, card 1: face-down card becomes ace of diamonds.")
    expect(named).to_be_visible()
    terminal.first_time("3105")


def test_a_handover_in_a_round_and_a_void_by_a_supervisor(
    house: BrowserHouse, entrance: Entrance, pits: Callable[..., Pit], pictures: Pictures
) -> None:
    pit = pits()
    for name, badge, role in (
        ("quin", "3103", "dealer"),
        ("rosa", "3104", "dealer"),
        ("sven", "3105", "supervisor"),
    ):
        pit.staff(name, badge, role=role)
    player, guest = entrance(house), entrance.outside(house)
    terminal = Terminal(guest)
    pit.enrol(guest)
    terminal.first_time("3103")
    player.go(pit.table)
    player.sit("$500")
    terminal.press("Open bets")
    player.until(lambda: player.wire.phase == "wagering")
    player.place(1, "Ante", "$5")
    player.settled_bets()
    terminal.press("No more bets")
    terminal.scan("As")
    expect(player.page.get_by_text("quin", exact=True)).to_be_visible()
    # Rosa takes over in the middle of the deal.
    terminal.press("Hand over")
    dialog = terminal.page.get_by_role("dialog", name="Hand over the table")
    expect(dialog).to_contain_text("quin deals here.")
    check_axe(guest, "handing over")
    terminal.first_time("3104")
    expect(dialog).to_contain_text("rosa takes over from quin. quin confirms.")
    pictures.keep(terminal.page, "dealer-handover")
    terminal.press("Hand over to rosa")
    expect(dialog).to_be_hidden()
    expect(terminal.page.get_by_text("Dealer: rosa")).to_be_visible()
    expect(terminal.step).to_have_text("Next card: Seat 1, card 2.")
    expect(player.page.get_by_text("rosa", exact=True)).to_be_visible()
    terminal.scan("KH", "2c", "7d")
    player.choose(1, "Check")
    _correct_with_approval(guest, terminal)
    player.until(lambda: [hand["cards"] for hand in player.wire.hands.values()] == [["Ad", "Kh"]])
    expect(terminal.page.get_by_role("button", name="Correct Seat 1, card 1")).to_have_count(0)
    # The round is declared void, this time with name and password.
    terminal.press("Supervisor")
    terminal.press("Void the round")
    terminal.press("misdeal")
    pictures.keep(terminal.page, "dealer-approval")
    check_axe(guest, "a supervisor approves")
    terminal.press("Approve with name and password")
    terminal.page.get_by_label("Name", exact=True).fill("sven")
    terminal.page.get_by_label("Password", exact=True).fill(PASSWORD)
    terminal.press("Approve")
    player.until(lambda: player.wire.phase == "voided")
    expect(terminal.step).to_have_text("Open the bets.")
    terminal.only_refusals()


@pytest.mark.variant
def test_a_supervisor_lets_a_dealer_take_over_in_spanish(
    house: BrowserHouse, entrance: Entrance, pits: Callable[..., Pit]
) -> None:
    pit = pits()
    pit.staff("tess", "3106")
    pit.staff("uwe", "3107")
    pit.staff("vera", "3108", role="supervisor")
    guest = entrance.outside(house)
    terminal = Terminal(guest)
    pit.enrol(guest)
    terminal.first_time("3106")
    expect(terminal.step).to_have_text("Open the bets.")
    # Another window keeps Tess at the table; without one she would be signed off after 15 seconds.
    window = entrance.beside(guest)
    window.page.goto(terminal.page.url)
    expect(Terminal(window).step).to_have_text("Open the bets.")
    # At this one she has gone, and her session with her.
    guest.context.clear_cookies(name="openfelt_session")
    terminal.page.evaluate(
        "localStorage.setItem('openfelt.settings', JSON.stringify({language: 'es'}))"
    )
    terminal.page.reload()
    expect(terminal.page.get_by_label("Número de credencial")).to_be_visible()
    check_spanish(guest)
    terminal.type("Número de credencial", "3107")
    terminal.type("PIN", PIN)
    for label in ("PIN nuevo", "Repita el PIN nuevo"):
        terminal.type(label, OWN_PIN)
    expect(terminal.alert).to_contain_text("otro crupier")
    check_spanish(guest)
    terminal.type("Número de credencial", "3108")
    terminal.type("PIN", PIN)
    for label in ("PIN nuevo", "Repita el PIN nuevo"):
        terminal.type(label, OWN_PIN)
    step = terminal.page.get_by_role("region", name="Qué hacer ahora").get_by_role("status")
    expect(step).to_have_text("Abra las apuestas.")
    expect(terminal.page.get_by_text("Crupier: uwe")).to_be_visible()
    terminal.only_refusals()


@pytest.mark.variant
@pytest.mark.clause("S.5")
def test_the_tips_of_the_shift_are_on_the_screen(
    house: BrowserHouse, entrance: Entrance, pits: Callable[..., Pit], scripts: ScriptLoop
) -> None:
    pit = pits("stadium")
    pit.staff("wim", "3109")
    guest = entrance.outside(house)
    terminal = Terminal(guest)
    pit.enrol(guest)
    terminal.first_time("3109")
    tips = terminal.page.get_by_text("Tips of the shift:")
    expect(tips).to_have_text("Tips of the shift: $0")
    terminal.press("Open bets")
    casino = Casino(house.address)
    scripts.do(casino.guest())
    player = casino.table(pit.table)
    scripts.do(player.__aenter__())
    ante = messages.WagerAsked(kind="ante", cents=1000)
    blind = messages.WagerAsked(kind="blind", cents=1000)
    tip = messages.WagerAsked(kind="ante", cents=200, for_dealer=True)
    tip_blind = messages.WagerAsked(kind="blind", cents=200, for_dealer=True)
    scripts.do(player.sit(buy_in_cents=50_000))
    wagers = messages.SetWagers(spot="1.1", wagers=[ante, blind, tip, tip_blind])
    scripts.do(player.ask(wagers))
    terminal.press("No more bets")
    expect(terminal.step).to_contain_text("Next card")
    # The dealer plays the board, so that the player's hand is at least as good.
    terminal.scan("2c", "3d", "4h", "6s", "8c", "Th", "Qd")
    scripts.do(player.until(lambda now: "decide" in now.private.may))
    scripts.do(player.decide(messages.Bet(multiple=4)))
    turn = terminal.page.get_by_role("button", name="Turn over", exact=True)
    confirm = terminal.page.get_by_role("button", name="Confirm", exact=True)
    while True:
        expect(turn.or_(confirm)).to_be_enabled()
        if confirm.is_visible():
            break
        guest.press(turn)
    terminal.press("Confirm")
    scripts.do(
        player.until(lambda now: now.public.round is None or now.public.round.phase == "settled")
    )
    expect(tips).to_have_text(f"Tips of the shift: {chip_dollars(pit.tips_cents('wim'))}")
    scripts.do(player.__aexit__(None, None, None))
    scripts.do(casino.__aexit__(None, None, None))
    terminal.only_refusals()
