"""Changes of accounts, told to the other processes of the house.

Every process reads an account again after a second at the latest. A socket checks its session more
rarely, so it is told at once when a session may have ended, by whichever process.
"""

import asyncio

from openfelt.runtime.bus import subjects
from openfelt.runtime.bus.bus import Bus
from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.sessions import Sessions


class AccountNews:
    """Tells and hears which accounts have changed."""

    def __init__(self, bus: Bus, accounts: Accounts, sessions: Sessions) -> None:
        self._bus = bus
        self._accounts = accounts
        self._sessions = sessions
        self._changed: asyncio.Queue[str] = asyncio.Queue()

    async def run(self) -> None:
        """Tell and hear, until cancelled."""
        loop = asyncio.get_running_loop()

        def note(name: str) -> None:
            loop.call_soon_threadsafe(self._changed.put_nowait, name)

        end = await self._bus.subscribe(subjects.ACCOUNTS, self._hear)
        self._accounts.on_change = note
        try:
            while True:
                await self._bus.publish(subjects.ACCOUNTS, await self._changed.get())
        finally:
            self._accounts.on_change = lambda _: None
            await end()

    def _hear(self, name: str) -> None:
        self._accounts.doubt(name)
        self._sessions.wake(name)
