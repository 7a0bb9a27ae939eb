"""Changes of accounts and terminals, told to the other processes of the house.

Every process reads an account, and the list of terminals, again after a second at the latest. A
socket checks its session and its terminal more rarely, so it is notified immediately when any
process may have ended a session, or has locked or removed a terminal. What cannot be sent while the
bus is disconnected is sent after the reconnection, and a process that was disconnected checks all
of its sockets then.
"""

import asyncio
from contextlib import AsyncExitStack
from typing import Final

from openfelt.runtime.bus import subjects
from openfelt.runtime.bus.bus import Bus
from openfelt.server.accounts.accounts import CACHE_MS, Accounts
from openfelt.server.accounts.devices import Devices
from openfelt.server.accounts.sessions import Sessions
from openfelt.server.accounts.table_readers import TableReaders

POLL_SECONDS: Final = 0.2
_LIST: Final = "list"
"""The message body for a list that has changed: readers read the whole list again."""


class AccountChanges:
    """Sends and receives which accounts have changed, and that terminals have changed."""

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

        async with AsyncExitStack() as ends:
            ends.push_async_callback(await self._bus.subscribe(subjects.ACCOUNTS, self._hear))
            heard = await self._bus.subscribe(subjects.DEVICES, self._hear_devices)
            ends.push_async_callback(heard)
            ends.callback(self._note_nothing)
            self._accounts.on_change = lambda name: note(subjects.ACCOUNTS, name)
            for register in (self._devices, self._readers):
                register.on_change = lambda: note(subjects.DEVICES, _LIST)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._send())
                tasks.create_task(self._catch_up())

    def _note_nothing(self) -> None:
        self._accounts.on_change = lambda _: None
        for register in (self._devices, self._readers):
            register.on_change = lambda: None

    async def _send(self) -> None:
        while True:
            news = await self._changed.get()
            while not self._bus.connected:  # noqa: ASYNC110 (a bus tells no event)
                await asyncio.sleep(POLL_SECONDS)
            await self._bus.publish(*news)

    async def _catch_up(self) -> None:
        """Check everything again after an outage of the bus, during which messages were lost."""
        lost_ms = self._bus.lost_ms
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if self._bus.connected and self._bus.lost_ms != lost_ms:
                lost_ms = self._bus.lost_ms
                # By then, accounts that were cached before the outage are no longer used.
                await asyncio.sleep(CACHE_MS / 1000)
                self._hear_devices(_LIST)

    def _hear(self, name: str) -> None:
        self._accounts.doubt(name)
        self._sessions.wake(name)

    def _hear_devices(self, _: str) -> None:
        self._devices.doubt()
        self._readers.doubt()
        self._sessions.wake_all()
