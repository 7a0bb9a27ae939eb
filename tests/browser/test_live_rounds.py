"""A whole live round of every house at the dealer's terminal: by scanner, by HTTP, by the picker.

The dealer is a person in front of a browser; the players are programs. The dealer's page is
reloaded and offline in every phase, and the server is killed in mid-deal.
"""

import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from openfelt.cards import FULL_DECK
from openfelt.client import Casino
from openfelt.client.card_reader import CardReader
from tests.browser.conftest import Entrance
from tests.kit.browser.dealer_screens import Dealer, ScriptedPlayer
from tests.kit.browser.dealers import LiveTable
from tests.kit.browser.floor import BOARD_FIRST, FROM_FIVE, BrowserHouse, require_site
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.cases import with_variants
from tests.kit.server.open_house import SUPERVISOR
from tests.kit.server.real_server import free_port, server_process

CARD = re.compile(r'"([2-9TJQKA][cdhs])"')
Feed = Callable[[str], None]
"""Deals one card, which the table takes."""


class Pit:
    """A live table with a dealer in a browser and players who are programs."""

    def __init__(
        self, house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, table: LiveTable
    ) -> None:
        self.house = house
        self.table = table
        self._entrance = entrance
        self.dealer = Dealer(entrance.outside(house), table)
        self.players: list[ScriptedPlayer] = []
        self._scripts = scripts
        self.dealt: list[str] = []

    def sit(self, count: int = 1) -> None:
        """Let players sit down."""
        for _ in range(count):
            self.players.append(ScriptedPlayer(self._scripts, self.house, self.table.name))

    def open_round(self) -> None:
        """Sign on, take bets and close them; where players bank, the first one does."""
        self.dealer.press("Sign on")
        bettors = self.players
        if self.table.name.endswith("california"):
            self.players[0].take_bank(40_000)
            bettors = self.players[1:]
        else:
            self.dealer.press("Open bets")
        for player in bettors:
            player.bet(1000)
        number = len(bettors)
        have = "1 hand has" if number == 1 else f"{number} hands have"
        self.dealer.does(f"{have} bet. Check the chips, then close the bets.")
        self.dealer.press("No more bets")
        expect(self.dealer.step).to_contain_text("Next card")

    def replace_browser(self) -> None:
        """The dealer's device breaks, and the dealer comes back at another one."""
        self.dealer.page.close()
        self.dealer = Dealer(self._entrance.outside(self.house), self.table)

    def token(self) -> str:
        """A token for a card reader of the table."""
        return self._scripts.do(self._token())

    async def _token(self) -> str:
        async with Casino(self.house.address) as supervisor:
            await supervisor.sign_in(**SUPERVISOR)
            asked = {"table": self.table.name, "label": "Shuffler"}
            return str((await supervisor.post("/api/v1/readers", asked))["token"])

    # Feeding -------------------------------------------------------------------------

    def by_scanner(self, card: str) -> None:
        """The card as a scanner types it, with a line's end."""
        self.dealer.page.keyboard.type(card)
        self.dealer.page.keyboard.press("Enter")

    def by_picker(self, card: str) -> None:
        """The card touched on the screen."""
        deck = self.dealer.page.get_by_role("group", name="Cards of the deck")
        words = next(c.words for c in FULL_DECK if str(c) == card)
        self.dealer.guest.press(deck.get_by_role("button", name=words, exact=True))

    # Playing -------------------------------------------------------------------------

    def play(self, feed: Feed | None, before_step: Callable[[str], None] = lambda _: None) -> None:
        """Do what the terminal says until the round is confirmed.

        Without a feed, a device sends the cards by itself.
        """
        deck = [str(card) for card in FULL_DECK]
        random.Random(self.table.name).shuffle(deck)
        while True:
            words = self.dealer.step.inner_text()
            if any(part in words for part in ("Open the bets", "open the bets", "takes the bank")):
                return
            before_step(words)
            if words.startswith("Next card"):
                if feed is not None:
                    self.dealt.append(deck.pop())
                    feed(self.dealt[-1])
            elif "decide" in words:
                for player in self.players:
                    player.decide()
            elif words.startswith("Turn over"):
                self.dealer.press("Turn over")
            elif words.startswith("All cards are out"):
                self.dealer.press("Confirm")
            else:
                assert "seeds" in words, words
            expect(self.dealer.step).not_to_have_text(words, timeout=60_000)


@pytest.fixture
def pits(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop
) -> Iterator[Callable[..., Pit]]:
    """Opens live tables with their dealers."""
    opened: list[Pit] = []

    def open_pit(game: str, table: str | None = None, at: BrowserHouse = house) -> Pit:
        live = LiveTable(scripts, at, game, table=table).__enter__()
        opened.append(Pit(at, entrance, scripts, live))
        return opened[-1]

    yield open_pit
    for pit in opened:
        for player in pit.players:
            player.go()
        pit.table.__exit__(None, None, None)


# Whole rounds -----------------------------------------------------------------------------


@pytest.mark.clause("S.15", "C.dealing.3", "C.10.3", "C.10.4")
def test_california_by_scanner(pits: Callable[..., Pit]) -> None:
    pit = pits("california")
    pit.sit(3)
    pit.open_round()
    said: list[str] = []

    def listen(step: str) -> None:
        """What the terminal has the dealer announce once all hands lie open."""
        if step.startswith("All cards are out"):
            calls = pit.dealer.page.get_by_role("region", name="Announce").get_by_role("listitem")
            expect(calls).to_have_count(3)
            said.extend(calls.all_inner_texts())

    pit.play(pit.by_scanner, listen)
    banker, first, second = said
    assert re.fullmatch(r"Dealer: .+, (qualifies|does not qualify)\.", banker)
    for seat, call in ((2, first), (3, second)):
        assert re.match(rf"Seat {seat}: [^.]+\. Ante (pays|pushes|loses)", call), call
    expect(pit.dealer.page.get_by_role("region", name="Take and pay")).to_be_visible()


@pytest.mark.clause("S.15")
def test_a_stadium_by_http(pits: Callable[..., Pit]) -> None:
    pit = pits("stadium")
    pit.sit(2)
    pit.open_round()
    hands = pit.dealer.page.locator("dl").filter(has_text="Hands in play")
    expect(hands).to_contain_text("Hands in play 2")
    words = [sys.executable, "-m", "openfelt", "scan", pit.table.name, "--pace", "0", "--bounce"]
    words += ["--server", pit.house.address, "--token", pit.token(), "--rounds", "1", "--wrong"]
    scanning = subprocess.Popen([*words, "--seed", "3"], stdout=subprocess.PIPE, text=True)
    try:
        pit.play(None)
        printed, _ = scanning.communicate(timeout=60)
    finally:
        scanning.kill()
    assert scanning.returncode == 0
    assert len(re.findall("^(dealer|common) card", printed, re.MULTILINE)) == 7
    # What the device sent twice is said on the dealer's screen, with the name of the device.
    assert any(frame.message["type"] == "scan_refused" for frame in pit.dealer.guest.wire.received)
    expect(pit.dealer.page.get_by_role("region", name="Take and pay")).to_have_count(0)


def test_the_dealers_device_sees_no_card_before_it_lies_open(pits: Callable[..., Pit]) -> None:
    pit = pits("washington")
    pit.sit(2)
    pit.open_round()
    wire = pit.dealer.guest.wire
    with CardReader(pit.house.address, pit.table.name, pit.token()) as reader:

        def feed(card: str) -> None:
            reader.send(card, scan_id=f"scan {card}")

        def check(_: str) -> None:
            seen = {card for frame in wire.received for card in CARD.findall(frame.text)}
            assert seen <= open_cards(wire.public["round"])

        pit.play(feed, check)
    assert len(pit.dealt) == 11


def open_cards(state: dict[str, Any]) -> set[str]:
    """The cards that lie face up, from the view that every visitor of the table has."""
    hands = [hand["cards"] for hand in state.get("hands", {}).values()]
    lying = [state.get("common", []), state.get("dealer", []), *hands]
    return {card for cards in lying for card in cards if card}


@pytest.mark.parametrize("size", with_variants([(1366, 768), (1920, 1080)]))
def test_five_cards_of_a_hand_lie_within_it(
    pits: Callable[..., Pit], size: tuple[int, int]
) -> None:
    pit = pits("draw")
    pit.sit(3)
    pit.open_round()
    page = pit.dealer.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    assert page.evaluate(OVERFLOWING) == []
    # The whole deck can be touched without scrolling.
    deck = page.get_by_role("group", name="Cards of the deck").bounding_box()
    assert deck is not None
    assert deck["y"] + deck["height"] <= size[1]


OVERFLOWING = """() => [...document.querySelectorAll("main section, main dl > div")]
  .filter((part) => part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.getAttribute("aria-label"))"""


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("game", "table", "how"),
    [
        ("washington", None, "by_scanner"),
        ("washington", BOARD_FIRST, "by_picker"),
        ("draw", None, "by_scanner"),
        ("draw", FROM_FIVE, "by_picker"),
        ("california", None, "by_picker"),
        ("stadium", None, "by_scanner"),
    ],
)
def test_every_procedure(pits: Callable[..., Pit], game: str, table: str | None, how: str) -> None:
    pit = pits(game, table)
    pit.sit(3)
    pit.open_round()
    pit.play(getattr(pit, how))


# Faults -----------------------------------------------------------------------------------


def phase_of(words: str) -> str:
    """The kind of step that the terminal asks for."""
    return re.sub(r"\d+|:.*", "", words)


def reload_page(pit: Pit, words: str) -> None:
    pit.dealer.page.reload()
    pit.dealer.does(words)


def replace_browser(pit: Pit, words: str) -> None:
    pit.replace_browser()
    if "decide" not in words:
        # At a table with a clock, time may have ended for the players meanwhile.
        pit.dealer.does(words)


def lose_the_line(pit: Pit, words: str) -> None:
    dealer = pit.dealer
    lost = dealer.page.get_by_role("alertdialog", name="Connection lost.")
    dealer.guest.line_may_break = True
    dealer.guest.context.set_offline(True)
    expect(lost).to_be_visible(timeout=60_000)
    # What is scanned meanwhile is refused, and does not come later.
    dealer.page.keyboard.type("2c")
    dealer.guest.context.set_offline(False)
    expect(lost).to_have_count(0, timeout=60_000)
    if "decide" not in words:
        # At a table with a clock, time may have ended for the players meanwhile.
        dealer.does(words)


@pytest.mark.sweep
@pytest.mark.parametrize("fault", [reload_page, lose_the_line, replace_browser])
@pytest.mark.parametrize("game", ["washington", "california", "stadium", "draw"])
def test_a_fault_of_the_dealers_browser_in_every_phase(
    pits: Callable[..., Pit], game: str, fault: Callable[[Pit, str], None]
) -> None:
    pit = pits(game)
    pit.sit(2)
    pit.open_round()
    seen: set[str] = set()

    def break_once(words: str) -> None:
        if phase_of(words) not in seen and "seeds" not in words:
            seen.add(phase_of(words))
            fault(pit, words)

    with CardReader(pit.house.address, pit.table.name, pit.token()) as reader:
        pit.play(lambda card: void(reader.send(card, scan_id=f"scan {card}")), break_once)
    assert len(seen) >= 3


def void(_: object) -> None:
    """Drop a result."""


@pytest.mark.sweep
def test_a_server_that_is_killed_in_mid_deal(
    entrance: Entrance, pits: Callable[..., Pit], tmp_path: Path
) -> None:
    require_site()
    port = free_port()
    with server_process(tmp_path, port) as server:
        pit = pits("washington", None, BrowserHouse(server.address, tmp_path / "felt.db"))
        pit.sit(1)
        pit.open_round()
        words = [sys.executable, "-m", "openfelt", "scan", pit.table.name, "--pace", "0.5"]
        words += ["--server", server.address, "--token", pit.token(), "--rounds", "1"]
        scanning = subprocess.Popen([*words, "--seed", "3"], stdout=subprocess.PIPE, text=True)
        pit.dealer.does("Next card: Dealer, card 1.")
        pit.dealer.guest.line_may_break = True
        server.end(signal.SIGKILL)
    try:
        with server_process(tmp_path, port):
            lost = pit.dealer.page.get_by_role("alertdialog", name="Connection lost.")
            expect(lost).to_have_count(0, timeout=60_000)
            pit.play(None)
            printed, _ = scanning.communicate(timeout=60)
            for player in pit.players:
                player.go()
            pit.players.clear()
    finally:
        scanning.kill()
    dealt = re.findall(r"^(?:hand|dealer|common).* (\w\w)$", printed, re.MULTILINE)
    assert len(dealt) == len(set(dealt)) == 9
