"""Changes of accounts and terminals, told to the other processes of the house.

Every process reads an account, and the list of terminals, again after a second at the latest. A
socket checks its session and its terminal more rarely, so it is told at once when a session may
have ended, or a terminal was locked or struck off, by whichever process.
"""

import asyncio
from typing import Final

from openfelt.runtime.bus import subjects
from openfelt.runtime.bus.bus import Bus
from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.devices import Devices
from openfelt.server.accounts.sessions import Sessions
from openfelt.server.accounts.table_readers import TableReaders

_LIST: Final = "list"
"""What is told of a list that has changed: it is read as a whole."""


class AccountNews:
    """Tells and hears which accounts have changed, and that terminals have."""

    def __init__(
        self,
        bus: Bus,
        accounts: Accounts,
        sessions: Sessions,
        *,
        devices: Devices,
        readers: TableReaders,
    ) -> None:
        self._bus = bus
        self._accounts = accounts
        self._sessions = sessions
        self._devices = devices
        self._readers = readers
        self._changed: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    async def run(self) -> None:
        """Send and receive, until cancelled."""
        loop = asyncio.get_running_loop()

        def note(subject: str, body: str) -> None:
            loop.call_soon_threadsafe(self._changed.put_nowait, (subject, body))

        ends = [
            await self._bus.subscribe(subjects.ACCOUNTS, self._hear),
            await self._bus.subscribe(subjects.DEVICES, self._hear_devices),
        ]
        self._accounts.on_change = lambda name: note(subjects.ACCOUNTS, name)
        for register in (self._devices, self._readers):
            register.on_change = lambda: note(subjects.DEVICES, _LIST)
        try:
            while True:
                await self._bus.publish(*await self._changed.get())
        finally:
            self._accounts.on_change = lambda _: None
            for register in (self._devices, self._readers):
                register.on_change = lambda: None
            for end in ends:
                await end()

    def _hear(self, name: str) -> None:
        self._accounts.doubt(name)
        self._sessions.wake(name)

    def _hear_devices(self, _: str) -> None:
        self._devices.doubt()
        self._readers.doubt()
        self._sessions.wake_all()
