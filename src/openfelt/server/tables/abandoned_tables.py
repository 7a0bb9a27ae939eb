"""Tables that no process runs although players sit there: the process that ran them has ended.

A process that starts takes up the public tables that are free. A table whose process ends later,
or whose lease had not run out at the start, is found here, so that its seats are given back too.
"""

import asyncio
import logging
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.streams import PRIVATE_PREFIX, StreamKind, name_of
from openfelt.runtime.tables.floor import Floor
from openfelt.runtime.tables.recovery import recover
from openfelt.storage.codec import CodecError
from openfelt.storage.door import StoreError

SWEEP_SECONDS: Final = 120

logger = logging.getLogger(__name__)


class AbandonedTables:
    """Takes up tables at which players sit and which no process runs."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._versions: dict[str, int] = {}
        """The version of each table at the last sweep. One that has changed since is run."""
        self._empty_at: dict[str, int] = {}
        """The version at which a table had no players."""

    async def run(self) -> None:
        """Sweep at intervals, until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self.sweep()
            except StoreError as error:
                logger.warning("abandoned tables could not be listed: %s", error)

    async def sweep(self) -> None:
        """Take up the tables that have not changed since the last sweep and have players."""
        for table in await self._floor.in_thread(self._still):
            try:
                await self._floor.mailbox(table)
            except Refusal as refusal:
                # Another process runs it: this one tries again at the next sweep.
                logger.debug("table %s is not taken up: %s", table, refusal)

    def _still(self) -> list[str]:
        tools = self._floor.tools
        before, self._versions = self._versions, {}
        tables = []
        for stream, head in tools.store.heads(StreamKind.TABLE.prefix).items():
            table = name_of(stream)
            if table in self._floor.running or table.startswith(PRIVATE_PREFIX):
                continue
            self._versions[table] = head.version
            if before.get(table) != head.version or self._empty_at.get(table) == head.version:
                continue
            if self._has_players(table):
                tables.append(table)
            else:
                self._empty_at[table] = head.version
        return tables

    def _has_players(self, table: str) -> bool:
        tools = self._floor.tools
        try:
            recovered = recover(tools.store, tools.codec, table)
        except CodecError as error:
            logger.error("table %s cannot be read: %s", table, error)
            return False
        return recovered is not None and bool(recovered.table.seats)
