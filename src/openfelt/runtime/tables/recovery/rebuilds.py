"""Tables rebuilt in the background where no snapshot saves the replay of a long record.

That is so after an upgrade that changes the form of snapshots. A table with a hundred thousand
rounds takes minutes to replay; in the meantime all other tables run, and this one reports that it
is not ready yet. The result is written as a snapshot, so it is done once.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from openfelt.record_events.purge_events import DecksPurged
from openfelt.runtime.clock import Clock
from openfelt.runtime.shuffle.deck_secrets import round_key
from openfelt.runtime.streams import purge_stream, table_stream
from openfelt.runtime.tables.recovery.recovery import recover
from openfelt.runtime.tables.recovery.snapshots import snapshot_of, usable_version
from openfelt.storage.cluster.cluster_door import HeldLease
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Append, Commit, Conflict, Fenced, Store, StoreError
from openfelt.storage.event_forms import EventCodec

REPLAYED_AT_ONCE_MAX: Final = 5000
"""A table with more events after its snapshot than this is rebuilt in the background."""
LEASE_MS: Final = 15_000

logger = logging.getLogger(__name__)


class Rebuilds:
    """The tables of one process that are being rebuilt, one after another."""

    def __init__(self, store: Store, codec: EventCodec, clock: Clock, *, owner: str) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock
        self._owner = owner
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._turn = asyncio.Semaphore(1)

    @property
    def tables(self) -> frozenset[str]:
        """The tables that are not ready yet."""
        return frozenset(self._tasks)

    def needed(self, table: str) -> bool:
        """Whether a table must be rebuilt before it can be used; this call blocks.

        A table that another process runs is only read here: that one writes its snapshots.
        """
        stream = table_stream(table)
        version = self._store.head(stream).version
        if version <= REPLAYED_AT_ONCE_MAX:
            return False
        if version - usable_version(self._store.snapshot(stream)) <= REPLAYED_AT_ONCE_MAX:
            return False
        held = self._held(stream)
        return held is None or held.left_ms == 0 or held.owner == self._owner

    def _held(self, stream: str) -> HeldLease | None:
        leases = self._store.held_leases(stream)
        return next((lease for lease in leases if lease.stream == stream), None)

    def start(self, table: str, then: Callable[[str], Awaitable[object]]) -> None:
        """Rebuild a table in the background, unless that has begun, and call ``then``."""
        if table not in self._tasks:
            logger.warning("table %s is rebuilt from its record; it is not ready yet", table)
            self._tasks[table] = asyncio.create_task(self._rebuild(table, then), name="rebuilding")

    async def close(self) -> None:
        """Stop; what is not finished begins again at the next start."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _rebuild(self, table: str, then: Callable[[str], Awaitable[object]]) -> None:
        try:
            async with self._turn:
                # Not in one of the floor's threads, which write for the other tables.
                await asyncio.to_thread(self.write_snapshot, table)
        except (StoreError, CodecError) as error:
            logger.error("table %s cannot be rebuilt: %s", table, error)
            return
        finally:
            del self._tasks[table]
        logger.warning("table %s is rebuilt", table)
        await then(table)

    def write_snapshot(self, table: str) -> None:
        """Replay a table, and keep the result as its snapshot; this call blocks."""
        recovered = recover(self._store, self._codec, table)
        if recovered is None:
            return
        # The lease is taken after the replay, which would outlast it.
        stream = table_stream(table)
        wanted = self._held(stream) is not None
        lease = self._store.take_lease(stream, self._owner, ttl_ms=LEASE_MS)
        if lease is None:
            return
        state, key = recovered.table, round_key(recovered.table.rounds)
        if state.playing is None and (state.round is None or state.rounds <= self._purged(table)):
            # The cards of its last round are gone, and so is their key.
            state, key = replace(state, round=None), ""
        append = Append(
            stream=stream,
            expected_version=recovered.head.version,
            fence=lease.fence,
            snapshot=snapshot_of(self._codec, state, recovered.since),
            snapshot_key=key,
        )
        try:
            self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))
        except (Conflict, Fenced):
            # Another process runs the table, and writes its own snapshots.
            return
        finally:
            # Others must still find a table whose process has died.
            self._store.release_lease(lease, wanted=wanted)

    def _purged(self, table: str) -> int:
        """The last round of a table whose cards have been purged, 0 for none."""
        events = map(self._codec.decode, self._store.events(purge_stream(table)))
        return max((event.last for event in events if isinstance(event, DecksPurged)), default=0)
