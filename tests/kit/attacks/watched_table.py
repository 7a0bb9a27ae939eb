"""A live table of a cluster at which people play and look on through both gateways."""

import asyncio
from random import Random
from typing import Final

import httpx

from tests.kit.attacks.gateways import TwoGateways
from tests.kit.attacks.server_under_attack import get, post
from tests.kit.cluster.processes import FloorProcess
from tests.kit.fuzz.findings import Findings, Participant
from tests.kit.fuzz.people import FuzzedTerminal

ENDING: Final = frozenset(
    {"leave_seat", "collect", "void_round", "close_table", "change_dealer", "correct_card"}
)
"""What ends the fun for others."""
_STILL: Final = ("wagering", "settled", "voided")
"""Phases in which no card lies face down."""


class WatchedTable:
    """A dealer, two players and three strangers, and everything that they were sent."""

    def __init__(self, house: TwoGateways, name: str) -> None:
        self.house, self.name = house, name
        self.findings = Findings()
        table = {"table": name, "house": "washington", "dealer_mode": "live"}
        post(house.east.supervisor(), "/tables", table)
        dealer = house.west.person("dealer")
        self._dealer = get(dealer, "/me")["name"]
        self._acting = [self._terminal(house.east.person("guest"), 0, "player")]
        self._acting.append(self._terminal(house.west.person("guest"), 1, "player"))
        self._acting.append(self._terminal(dealer, 1, "dealer"))
        strangers = (house.east.browser(), house.west.browser(), house.west.person("guest"))
        self._watching = [
            self._terminal(one, number, "player") for number, one in enumerate(strangers)
        ]

    def _terminal(self, browser: httpx.Client, number: int, role: str) -> FuzzedTerminal:
        me, gateway = get(browser, "/me"), self.house.both[number % 2]
        cookies = "; ".join(f"{one.name}={one.value}" for one in browser.cookies.jar)
        who = Participant(me["player"] or me["name"] or "nobody", role, cookies, [])
        return FuzzedTerminal(gateway.address, self.name, who, Random(number), self.findings)

    async def come(self) -> None:
        """Let all of them come, and the dealer sign on."""
        for one in (*self._acting, *self._watching):
            await one.come()
        await self._acting[-1]._ask({"kind": "change_dealer", "dealer": self._dealer})

    async def leave(self) -> None:
        """Let all of them go."""
        for one in (*self._acting, *self._watching):
            await one.leave()

    async def play(self) -> None:
        """Let every participant do one thing that continues the round."""
        for one in self._acting:
            may = one.view.private.get("may", [])
            one.view.private["may"] = [kind for kind in may if kind not in ENDING]
            await one.play()
        await asyncio.sleep(0.05)

    @property
    def rounds(self) -> int:
        """The number of the round that a stranger sees."""
        return int((self._watching[0].view.public.get("round") or {}).get("number", 0))

    @property
    def dealt(self) -> bool:
        """Whether cards lie on the table, as a stranger sees it."""
        state = self._watching[0].view.public.get("round") or {}
        return state.get("phase", "wagering") not in _STILL

    def owner(self) -> FloorProcess:
        """The process that runs the table."""
        servers = get(self.house.east.supervisor(), "/servers")["servers"]
        (name,) = [
            server["name"]
            for server in servers
            for table in server["tables"]
            if self.name in table.values()
        ]
        return next(process for process in self.house.house.tables if process.name == name)
