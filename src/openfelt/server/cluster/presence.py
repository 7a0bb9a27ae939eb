"""The people with a terminal at each table, as the processes of a house report them.

The process that runs a table releases the seats of people whose terminals are gone, but their
terminals may be connected to any gateway. So each gateway reports who is at the tables that are
watched there: on every change, and at intervals for all tables. Terminals that a gateway has not
reported for a while are gone. While this process is without the bus it receives no reports, and
treats no person as absent.
"""

import asyncio
from collections import Counter, defaultdict
from typing import Final

import msgspec

from openfelt.runtime.bus import subjects
from openfelt.runtime.bus.bus import Bus
from openfelt.runtime.remote.house_tables import SharedTables
from openfelt.server.tables.absentees import Absentees

TELL_SECONDS: Final = 5
GONE_MS: Final = 16_000
"""After this long without a report from a gateway about a table, its terminals there are gone."""


class Attendance(msgspec.Struct, frozen=True):
    """The people with a terminal of one process at one table, which is watched there."""

    process: str
    table: str
    people: list[str]


class Presence:
    """Reports who is at which table, and receives the reports of others."""

    def __init__(self, bus: Bus, tables: SharedTables, absentees: Absentees) -> None:
        self._bus = bus
        self._floor = tables.floor
        self._clock = tables.floor.worker_services.clock
        self._tables = tables
        self._absentees = absentees
        self._process = tables.process
        self._here: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """The people of this process by table, with the number of their terminals."""
        self._elsewhere: dict[tuple[str, str], frozenset[str]] = {}
        """The people of each other process and table."""
        self._heard_ms: dict[tuple[str, str], int] = {}
        self._lost_ms, self._heard_all_ms = bus.lost_ms, self._clock.monotonic_ms()
        """The total outage of the bus when last seen, and when all gateways have reported again
        after it."""
        self._changed: set[str] = set()
        self._news = asyncio.Event()
        absentees.on_terminals = self._note
        absentees.knows_terminals = self.hears_all

    def _note(self, table: str, person: str, more: int) -> None:
        """A terminal of this process has come or gone."""
        here = self._here[table]
        before = here[person] > 0
        here[person] += more
        if here[person] <= 0:
            del here[person]
        if before != (person in here):
            self._changed.add(table)
            self._news.set()

    async def run(self) -> None:
        """Send and receive, until cancelled."""
        end = await self._bus.subscribe(subjects.PRESENCE, self._hear)
        try:
            while True:
                self.forget_silent()
                watched = self._tables.watched
                self._here = defaultdict(Counter, {t: p for t, p in self._here.items() if p})
                await self._tell({*watched, *self._here})
                await self._tell_changes()
        finally:
            await end()

    async def _tell_changes(self) -> None:
        """Send each change immediately, until the next full report."""
        try:
            async with asyncio.timeout(TELL_SECONDS):
                while True:
                    await self._news.wait()
                    self._news.clear()
                    changed, self._changed = self._changed, set()
                    await self._tell(changed)
        except TimeoutError:
            pass

    async def _tell(self, tables: set[str]) -> None:
        for table in tables:
            attendance = Attendance(self._process, table, sorted(self._here.get(table, ())))
            await self._bus.publish(subjects.PRESENCE, msgspec.json.encode(attendance).decode())

    def _hear(self, body: str) -> None:
        attendance = msgspec.json.decode(body, type=Attendance)
        if attendance.process == self._process:
            return
        self._floor.use(attendance.table)
        self._replace((attendance.process, attendance.table), frozenset(attendance.people))

    def _replace(self, at: tuple[str, str], now: frozenset[str]) -> None:
        before = self._elsewhere.pop(at, frozenset())
        self._heard_ms.pop(at, None)
        if now:
            self._elsewhere[at], self._heard_ms[at] = now, self._clock.monotonic_ms()
        for person in now - before:
            self._absentees.arrive(at[1], person, told=False)
        for person in before - now:
            self._absentees.depart(at[1], person, told=False)

    def forget_silent(self) -> None:
        """Treat terminals without a recent report as gone, not counting outages of the bus."""
        now_ms = self._clock.monotonic_ms()
        if not self._bus.connected or self._bus.lost_ms != self._lost_ms:
            self._lost_ms, self._heard_all_ms = self._bus.lost_ms, now_ms + GONE_MS
            self._heard_ms = dict.fromkeys(self._heard_ms, now_ms)
        for at, heard_ms in tuple(self._heard_ms.items()):
            if now_ms - heard_ms > GONE_MS:
                self._replace(at, frozenset())

    def hears_all(self) -> bool:
        """Whether the terminals of all gateways are known here; called in any thread."""
        told_all = self._bus.connected and self._bus.lost_ms == self._lost_ms
        return told_all and self._clock.monotonic_ms() >= self._heard_all_ms
