"""A well-behaved hall for a soak: terminals that play at one stadium table, and how long each of
their commands takes to be answered."""

import asyncio
import contextlib
import random
import time
from dataclasses import dataclass, field
from typing import Final

import httpx

from openfelt.client import Refused, Terminal
from openfelt.protocol.api_prefix import API
from openfelt.protocol.messages import Bet, Check, Fold

TABLE: Final = "stadium-1"
PRESS_SECONDS: Final = 4.0
"""About how often a player presses something."""
AT_ONCE: Final = 20
BUY_IN_CENTS: Final = 90_000


@dataclass
class Hall:
    """The terminals, and the times of the phase that is being measured."""

    address: str
    size: int
    times: list[float] = field(default_factory=list)
    lost: int = 0
    """Terminals that were disconnected permanently."""

    async def sit_down(self, stack: contextlib.AsyncExitStack) -> list[Terminal]:
        """Let all guests come in and sit down, each guest from its own address."""
        terminals: list[Terminal] = []
        for start in range(0, self.size, AT_ONCE):
            numbers = range(start, min(start + AT_ONCE, self.size))
            cookies = await asyncio.gather(*map(self._guest, numbers))
            for cookie in cookies:
                url = f"ws{self.address.removeprefix('http')}/ws/tables/{TABLE}"
                terminal = Terminal(url, origin=self.address, headers={"Cookie": cookie})
                terminals.append(await stack.enter_async_context(terminal))
                await terminal.sit(buy_in_cents=BUY_IN_CENTS)
        return terminals

    async def _guest(self, number: int) -> str:
        source = f"127.{1 + number // 200}.{number % 200}.1"
        transport = httpx.AsyncHTTPTransport(local_address=source, verify=False)
        async with httpx.AsyncClient(transport=transport, timeout=120) as browser:
            answer = await browser.post(
                f"{self.address}{API}/guest", headers={"Origin": self.address}
            )
            answer.raise_for_status()
            return "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.cookies.jar)

    async def play(self, terminal: Terminal, seed: int) -> None:
        """Press something every few seconds, forever."""
        chance = random.Random(seed)
        while True:
            await asyncio.sleep(chance.uniform(0.5, 1.5) * PRESS_SECONDS)
            began = time.perf_counter()
            try:
                await self._press(terminal, chance)
            except Refused:
                # The clock was quicker, which is an answer too.
                pass
            except Exception:  # noqa: BLE001 (a terminal that is thrown out counts)
                self.lost += 1
                return
            self.times.append(time.perf_counter() - began)

    async def _press(self, terminal: Terminal, chance: random.Random) -> None:
        may = terminal._private.get("may", [])
        if "decide" in may:
            street = (terminal._public.get("round") or {}).get("street")
            last = street == "on_river"
            await terminal.decide(chance.choice((Bet(multiple=1), Fold())) if last else Check())
        else:
            await terminal.bet(ante=chance.choice((500, 1000)))
