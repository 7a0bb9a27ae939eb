"""A table with a live dealer, who deals when the test says so, card by card."""

import itertools
from types import TracebackType
from typing import Self

from openfelt.client import Casino, Terminal
from openfelt.protocol import messages
from openfelt.protocol.messages import CommandAsked
from openfelt.protocol.table_views import PublicView, RoundView
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.server.open_house import SUPERVISOR

PASSWORD = "correct horse battery"
_NUMBERS = itertools.count(1)


class LiveTable:
    """A new table of a house, and the dealer who stands at it; use it with ``with``.

    With a ``table``, that table instead of a new one.
    """

    def __init__(
        self, scripts: ScriptLoop, house: BrowserHouse, game: str, *, table: str | None = None
    ) -> None:
        number = next(_NUMBERS)
        self.name = table or f"live{number}-{game}"
        self._is_new = table is None
        self.dealer = f"dora-{number}"
        self._scripts = scripts
        self._address = house.address
        self._game = game
        self._casino: Casino | None = None
        self._terminal: Terminal | None = None

    def __enter__(self) -> Self:
        if self._is_new:
            self._scripts.do(self._open())
        self.come(self.dealer)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.go()

    async def _open(self) -> None:
        async with Casino(self._address) as supervisor:
            await supervisor.sign_in(**SUPERVISOR)
            asked = {"table": self.name, "house": self._game, "dealer_mode": "live"}
            await supervisor.post("/api/v1/tables", asked)

    # Coming and going -----------------------------------------------------------------

    def come(self, dealer: str) -> None:
        """Let a dealer come to the table, who has not signed on yet."""
        self.dealer = dealer
        self._scripts.do(self._come())

    async def _come(self) -> None:
        async with Casino(self._address) as supervisor:
            await supervisor.sign_in(**SUPERVISOR)
            account = {
                "name": self.dealer,
                "password": PASSWORD,
                "role": "dealer",
                "public_name": self.dealer,
                "temporary": False,
            }
            await supervisor.post("/api/v1/accounts", account)
        self._casino = Casino(self._address)
        await self._casino.sign_in(self.dealer, PASSWORD)
        self._terminal = self._casino.table(self.name)
        await self._terminal.__aenter__()

    def go(self) -> None:
        """Let the dealer's terminal be gone, without a word."""
        self._scripts.do(self._go())

    async def _go(self) -> None:
        if self._terminal is not None:
            await self._terminal.__aexit__(None, None, None)
        if self._casino is not None:
            await self._casino.__aexit__(None, None, None)
        self._terminal = self._casino = None

    # Dealing --------------------------------------------------------------------------

    @property
    def public(self) -> PublicView:
        """The table as its dealer sees it."""
        assert self._terminal is not None
        return self._terminal.public

    @property
    def round(self) -> RoundView:
        """The round as its dealer sees it."""
        assert self.public.round is not None
        return self.public.round

    def do(self, command: CommandAsked) -> int:
        """Give a command, and give the version of the table after it."""
        return self._scripts.do(self._do(command))

    async def _do(self, command: CommandAsked) -> int:
        assert self._terminal is not None
        version = await self._terminal.ask(command)
        await self._terminal.until(lambda now: now.version >= version)
        return version

    def supervise(self, command: CommandAsked) -> int:
        """Let a supervisor give a command that a dealer may not give alone."""
        return self._scripts.do(self._supervise(command))

    async def _supervise(self, command: CommandAsked) -> int:
        assert self._terminal is not None
        async with Casino(self._address) as supervisor:
            await supervisor.sign_in(**SUPERVISOR)
            async with supervisor.table(self.name) as terminal:
                version = await terminal.ask(command)
        await self._terminal.until(lambda now: now.version >= version)
        return version

    def sign_on(self) -> int:
        """Be the table's dealer from now on."""
        return self.do(messages.ChangeDealer(dealer=self.dealer))

    def open_bets(self) -> int:
        """Take wagers."""
        return self.do(messages.OpenBets())

    def close_bets(self) -> int:
        """No more bets."""
        return self.do(messages.CloseBets())

    def deal(self, cards: str) -> int:
        """Scan cards, one after another."""
        return [self.do(messages.DealCard(card=card)) for card in cards.split()][-1]

    def turn(self) -> int:
        """Turn over what is next."""
        return self.do(messages.TurnCards())

    def turn_all(self) -> None:
        """Wait until cards are due to be turned over, and turn over all of them."""
        self._scripts.do(self._turn_all())

    async def _turn_all(self) -> None:
        assert self._terminal is not None
        await self._terminal.until(lambda now: _turns(now.public))
        while _turns(self._terminal.public):
            await self._do(messages.TurnCards())

    def confirm(self) -> int:
        """Confirm the round, which settles it."""
        return self.do(messages.Confirm())

    def void(self, reason: str) -> int:
        """Let a supervisor declare the round void."""
        return self.supervise(messages.VoidRound(reason=reason))

    def void_round_of(self, guest: Guest, reason: str) -> None:
        """Sign on, and void the first round at the table after the guest, at seat 1, got cards."""
        self.sign_on()
        guest.go(self.name)
        guest.sit("$500", seat=1)
        self.open_bets()
        guest.pick_chip("$5")
        guest.press(guest.circle(1, "Ante"))
        guest.until(lambda: self.public.round is not None and self.public.round.hands)
        self.close_bets()
        self.deal("As Ah Kc Kd")
        self.void(reason)


def _turns(public: PublicView) -> bool:
    """Whether cards are due to be turned over."""
    return public.round is not None and public.round.step == "turn"
