"""A server that runs tables, and a bus that is not there yet."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openfelt.runtime.bus.bus import Bus
from openfelt.runtime.bus.local_bus import LocalBus
from openfelt.server import lifecycle
from openfelt.server.settings import Settings
from openfelt.storage.addresses import open_store
from tests.kit.floors import until
from tests.kit.server.open_house import quick_passwords


async def test_no_table_is_taken_before_the_bus_is_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bus = LocalBus()
    bus.connected = False

    @contextlib.asynccontextmanager
    async def late_bus(*_: object) -> AsyncIterator[Bus]:
        yield bus

    monkeypatch.setattr(lifecycle, "open_bus", late_bus)
    database = str(tmp_path / "felt.db")
    async with contextlib.AsyncExitStack() as stack:
        opening = lifecycle.open_services(
            Settings(database=database, port=0), passwords=quick_passwords()
        )
        opened = asyncio.create_task(stack.enter_async_context(opening))
        await until(lambda: opened.done() or "before it reaches the bus" in caplog.text)
        assert not opened.done()
        assert not open_store(database).members()
        bus.connected = True
        services = await opened
        assert services.store.members()
