"""The bus of a server: within the process, or over NATS where there are several."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from openfelt.runtime.bus.bound_bus import BoundBus
from openfelt.runtime.bus.bus import Bus
from openfelt.runtime.bus.local_bus import LocalBus
from openfelt.runtime.bus.sealed_bus import SealedBus
from openfelt.runtime.clock import Clock
from openfelt.server.settings import ClusterSettings, SettingsError
from openfelt.storage.cluster.cluster_door import BusReport, BusState
from openfelt.storage.door import Store, StoreError
from openfelt.storage.keyring import Keyring

POLL_SECONDS: Final = 0.2
REBIND_SECONDS: Final = 5
"""How often a process checks whether the database has begun a new epoch."""

logger = logging.getLogger(__name__)


@asynccontextmanager
async def open_bus(settings: ClusterSettings, clock: Clock) -> AsyncIterator[Bus]:
    """Open the bus, and close it on the way out; raises SettingsError."""
    if settings.bus is None:
        local = LocalBus()
        yield local
        await local.close()
        return
    try:
        from openfelt.runtime.bus.nats_bus import NatsAddress, NatsBus
    except ImportError as error:
        raise SettingsError(
            "A bus needs the client of NATS: pip install 'openfelt[cluster]'"
        ) from error
    address = NatsAddress(
        url=settings.bus,
        ca=settings.bus_ca,
        certificate=settings.bus_certificate,
        key=settings.bus_key,
    )
    bus = NatsBus(address, name=settings.name or "openfelt")
    try:
        await bus.open()
        yield BoundBus(SealedBus(bus, Keyring.of(os.environ), clock))
    finally:
        await bus.close()


class BusWatch:
    """Tracks the state of this process's bus connection, and how long it has lasted."""

    def __init__(self, bus: Bus, settings: ClusterSettings, clock: Clock) -> None:
        self._bus = bus
        self._has_bus = settings.bus is not None
        self._clock = clock
        self._connected, self._since_ms = bus.connected, clock.monotonic_ms()
        self._lost_ms = bus.lost_ms

    def report(self) -> BusReport:
        """The current state; called at short intervals, in any thread."""
        if not self._has_bus:
            return BusReport(BusState.NONE)
        now_ms = self._clock.monotonic_ms()
        connected, lost_ms = self._bus.connected, self._bus.lost_ms
        if connected != self._connected or (connected and lost_ms != self._lost_ms):
            self._connected, self._since_ms = connected, now_ms
        self._lost_ms = lost_ms
        state = BusState.CONNECTED if connected else BusState.LOST
        return BusReport(state, now_ms - self._since_ms)


async def until_connected(bus: Bus) -> None:
    """Wait for the bus: a table taken earlier would be out of reach for other processes."""
    if not bus.connected:
        logger.warning("this server takes no tables before it reaches the bus")
    while not bus.connected:  # noqa: ASYNC110 (a bus tells no event)
        await asyncio.sleep(POLL_SECONDS)


async def bind_bus(bus: Bus, store: Store, clock: Clock) -> None:
    """Keep the bus from other databases, and from copies of this one; raises StoreError."""
    if isinstance(bus, BoundBus):
        await bus.bind(await asyncio.to_thread(store.copy_id, clock.wall_ms()))


async def keep_bound(bus: Bus, store: Store, clock: Clock) -> None:
    """Follow the database into a new epoch, until cancelled."""
    while True:
        await asyncio.sleep(REBIND_SECONDS)
        try:
            await bind_bus(bus, store, clock)
        except StoreError as error:
            logger.warning("the id of the database cannot be read: %s", error)
