"""The rooms of all tables that are being watched."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final, Self
from weakref import WeakValueDictionary

from openfelt.runtime.background import kept_up
from openfelt.runtime.remote.house_tables import HouseTables, OwnTables
from openfelt.runtime.tables.floor import Floor
from openfelt.server.accounts.public_names import PublicNames
from openfelt.server.limits.message_pace import MessagePace
from openfelt.server.limits.rates import Buckets, Rate, Sharing
from openfelt.server.monitoring.metrics import Metrics
from openfelt.server.pit.approvals import Approvals
from openfelt.server.pit.reused_scans import IDS_MAX, ReusedScans
from openfelt.server.store.short_lived_texts import LocalTexts
from openfelt.server.tables.absentees import Absentees
from openfelt.server.tables.room import Room
from openfelt.storage.door import shown_error

REFRESH_SECONDS: Final = 1
METER_LOOKS: Final = 4
"""How often within that time rooms check the meters of their links."""

logger = logging.getLogger(__name__)


class Rooms:
    """The rooms of all tables that are being watched."""

    def __init__(
        self,
        floor: Floor,
        metrics: Metrics | None = None,
        *,
        names: PublicNames | None = None,
        commands: Rate | None = None,
        approvals: Approvals | None = None,
        reused_scans: ReusedScans | None = None,
        tables: HouseTables | None = None,
    ) -> None:
        """Without ``names``, players see dealers under the names of their accounts. Without
        ``tables``, this process runs all tables.

        ``commands`` is the pace of one player's commands, None for no limit.
        """
        self.floor = floor
        self.tables = tables or OwnTables(floor)
        self._shared = tables is not None
        self._names = names
        self.metrics = metrics or Metrics()
        self._pace = MessagePace(floor.worker_services.clock, commands=commands)
        self._rooms: dict[str, Room] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.absentees = Absentees(floor, shared=self._shared)
        self.approvals = approvals or Approvals(floor.worker_services.clock)
        self.reused_scans = reused_scans or ReusedScans(
            LocalTexts(floor.worker_services.clock, most=IDS_MAX)
        )
        self._tasks: list[asyncio.Task[None]] = []

    def share(self, sharing: Sharing) -> dict[str, Buckets]:
        """Count with the other gateways of the house; returns the buckets that they charge."""
        return self._pace.share(sharing)

    async def __aenter__(self) -> Self:
        work = (self._refresh, self.absentees.run)
        self._tasks = [asyncio.create_task(kept_up(task)) for task in work]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for room in self._rooms.values():
            room.close()
        self._rooms.clear()

    async def room(self, table: str) -> Room:
        """The room of a table; raises Refusal if this process cannot run the table."""
        async with self._opening.setdefault(table, asyncio.Lock()):
            access = await self.tables.access(table)
            room = self._rooms.get(table)
            if room is None or room.access is not access:
                if room is not None:
                    room.close()
                dealer = access.table.dealer
                if dealer is not None and self._names is not None:
                    await self._names.load(dealer)
                room = self._rooms[table] = Room(
                    self.floor,
                    access,
                    self.metrics,
                    self._pace,
                    self.absentees,
                    names=self._names,
                    shared=self._shared,
                )
            return room

    async def _refresh(self) -> None:
        """Every second, send what changes without an event; close rooms that are empty or lost."""
        while True:
            for _ in range(METER_LOOKS):
                await asyncio.sleep(REFRESH_SECONDS / METER_LOOKS)
                for room in tuple(self._rooms.values()):
                    _attempt(room.refresh_meter)
            for table, room in tuple(self._rooms.items()):
                if self._rooms.get(table) is not room:
                    # It was replaced while this loop waited for the name of another one's dealer.
                    continue
                if room.empty or room.access.lost:
                    room.close()
                    del self._rooms[table]
                else:
                    await room.load_dealer()
                    _attempt(room.refresh)

    @property
    def viewers(self) -> int:
        """How many viewers there are in all rooms."""
        return sum(len(room.subscriptions) for room in self._rooms.values())


def _attempt(refresh: Callable[[], None]) -> None:
    """Refresh a room; a fault in it does not keep the others from being refreshed."""
    try:
        refresh()
    except Exception as error:  # noqa: BLE001 (its trace might quote a card)
        logger.error("a room could not be refreshed: %s", shown_error(error))
