"""The bus of a server: within the process, or over NATS where there are several."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from openfelt.runtime.bus.bus import Bus
from openfelt.runtime.bus.local_bus import LocalBus
from openfelt.runtime.bus.sealed_bus import SealedBus
from openfelt.runtime.clock import Clock
from openfelt.server.settings import ClusterSettings, SettingsError
from openfelt.storage.keyring import Keyring

POLL_SECONDS: Final = 0.2

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
        yield SealedBus(bus, Keyring.of(os.environ), clock)
    finally:
        await bus.close()


async def until_connected(bus: Bus) -> None:
    """Wait for the bus: nobody at another process could reach a table that is taken before."""
    if not bus.connected:
        logger.warning("this server takes no tables before it reaches the bus")
    while not bus.connected:  # noqa: ASYNC110 (a bus tells no event)
        await asyncio.sleep(POLL_SECONDS)
