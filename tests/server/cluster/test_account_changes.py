"""Accounts and terminals that are changed at one gateway while their sockets are at another."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openfelt.runtime.bus.bus import Ending, Handler
from openfelt.runtime.bus.local_bus import LocalBus
from openfelt.server.accounts.accounts import Accounts, _Cached
from openfelt.server.accounts.devices import Devices
from openfelt.server.accounts.events import (
    AccountBarred,
    AccountOpened,
    AccountRole,
    DeviceState,
)
from openfelt.server.accounts.sessions import Sessions
from openfelt.server.accounts.table_readers import TableReaders
from openfelt.server.cluster.account_changes import POLL_SECONDS, AccountChanges
from openfelt.storage.addresses import open_store
from openfelt.storage.door import Store
from tests.kit.floors import StandingClock, until


class BrokenBus(LocalBus):
    """A bus whose connection a test cuts."""

    def __init__(self) -> None:
        super().__init__()
        self.connected, self.lost_ms = True, 0

    async def publish(self, subject: str, body: str) -> None:
        """Publish to all subscribers; nothing is sent while the connection is lost."""
        if self.connected:
            await super().publish(subject, body)


class Gateway:
    """What one gateway knows of accounts and terminals."""

    def __init__(self, store: Store, bus: BrokenBus, clock: StandingClock) -> None:
        self.bus = bus
        self.accounts = Accounts(store, clock)
        self.sessions = Sessions(self.accounts, clock, staff_ms=3_600_000)
        self.devices, self.readers = Devices(store, clock), TableReaders(store, clock)
        self.news = AccountChanges(
            bus, self.accounts, self.sessions, devices=self.devices, readers=self.readers
        )


@pytest.fixture
async def gateways(tmp_path: Path) -> AsyncIterator[tuple[Gateway, Gateway]]:
    """Two gateways of one house, whose clocks stand still: nothing is read again by itself."""
    store, bus, clock = open_store(str(tmp_path / "felt.db")), BrokenBus(), StandingClock()
    clock.pass_ms(1)
    east, west = (Gateway(store, bus, clock) for _ in range(2))
    opened = AccountOpened(name="ann", role=AccountRole.PLAYER)
    east.accounts.change("ann", lambda _: ((opened,), ()))
    clock.pass_ms(1)
    running = [asyncio.create_task(gateway.news.run()) for gateway in (east, west)]
    await asyncio.sleep(0)
    yield east, west
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    store.close()


async def test_a_terminal_that_is_locked_or_struck_off_stops_at_every_gateway(
    gateways: tuple[Gateway, Gateway],
) -> None:
    east, west = gateways
    token = east.devices.enrol("Rail 7", by="supervisor")
    await until(lambda: west.devices.find(token) is not None)
    device = west.devices.find(token)
    assert device is not None
    with west.sessions.watched("ann") as changed:
        east.devices.set_state(device.id, DeviceState.LOCKED, reason="a fight", by="supervisor")
        # The socket of the player looks again, and finds what was written.
        await asyncio.wait_for(changed.wait(), 30)
        found = west.devices.find(token)
        assert found is not None
        assert found.stopped == "a fight"
        changed.clear()
        east.devices.remove(device.id, by="supervisor")
        await asyncio.wait_for(changed.wait(), 30)
        assert west.devices.find(token) is None


async def test_a_card_reader_that_is_revoked_is_refused_at_every_gateway(
    gateways: tuple[Gateway, Gateway],
) -> None:
    east, west = gateways
    reader, token = east.readers.issue("felt", "Shoe", by="supervisor")
    await until(lambda: west.readers.find(token) is not None)
    east.readers.revoke(reader, by="supervisor")
    await until(lambda: west.readers.find(token) is None)


async def test_an_account_that_is_read_while_it_changes_is_read_again(
    gateways: tuple[Gateway, Gateway], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the socket of a session that has ended would be served for half a minute."""
    east, west = gateways
    token = await east.sessions.open("ann", idle_ms=60_000)
    assert await west.sessions.find(token) is not None
    keep = west.accounts._keep

    def late(name: str, cached: _Cached) -> _Cached:
        """The account is barred, and the news of it comes, before what was read is kept."""
        east.accounts.change("ann", lambda _: ((AccountBarred("supervisor", "a fight"),), ()))
        west.accounts.doubt(name)
        return keep(name, cached)

    monkeypatch.setattr(west.accounts, "_keep", late)
    stale = west.accounts.get("ann", fresh=True)
    monkeypatch.undo()
    assert stale is not None
    assert stale.barred is None
    assert west.accounts.remembered("ann") is None
    assert await west.sessions.find(token) is None


async def test_what_happens_while_the_bus_is_cut_is_told_afterwards(
    gateways: tuple[Gateway, Gateway],
) -> None:
    """Otherwise the other gateway would serve a barred player until the next regular check."""
    east, west = gateways
    east.bus.connected = False
    with west.sessions.watched("ann") as changed:
        east.accounts.change("ann", lambda _: ((AccountBarred("supervisor", "a fight"),), ()))
        await asyncio.sleep(2 * POLL_SECONDS)
        assert not changed.is_set()
        east.bus.connected = True
        await asyncio.wait_for(changed.wait(), 30)


async def test_a_gateway_that_was_without_the_bus_looks_at_all_its_sockets(
    gateways: tuple[Gateway, Gateway],
) -> None:
    _, west = gateways
    with west.sessions.watched("ann") as changed:
        west.bus.lost_ms += 5000
        await asyncio.wait_for(changed.wait(), 30)


async def test_a_failure_between_two_subscriptions_leaves_none_behind(
    gateways: tuple[Gateway, Gateway], monkeypatch: pytest.MonkeyPatch
) -> None:
    east, _ = gateways
    bus, heard = east.bus, len(east.bus._handlers["accounts"])
    subscribe = bus.subscribe

    async def broken(subject: str, handler: Handler) -> Ending:
        if subject == "devices":
            raise OSError("the line was cut")
        return await subscribe(subject, handler)

    monkeypatch.setattr(bus, "subscribe", broken)
    with pytest.raises(OSError, match="the line was cut"):
        await east.news.run()
    assert len(bus._handlers["accounts"]) == heard
