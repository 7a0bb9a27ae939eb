"""Limits of callers that two gateways count together, and what each does without the bus."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, Gauge

from openfelt.runtime.bus.local_bus import LocalBus
from openfelt.server.cluster import shared_counts as module
from openfelt.server.cluster.shared_counts import GONE_MS
from openfelt.server.cluster.shared_limits import SharedLimits
from openfelt.server.credentials.throttle import Attempt, Throttle
from openfelt.server.errors import Denied
from openfelt.server.limits.connection_counts import ConnectionCounts
from openfelt.server.limits.rates import Buckets, NetworkBuckets, Rate
from openfelt.server.limits.socket_counts import SocketCounts, SocketOpenings
from openfelt.server.settings import AttemptLimits
from tests.kit.floors import StandingClock, until

RATE = Rate(per_minute=60, burst=40)
ANN = Attempt("ann", "203.0.113.9")
SITE = "203.0.113.9/32"


class _Bus(LocalBus):
    """A bus that can be lost by one of its users."""

    def __init__(self, line: LocalBus) -> None:
        super().__init__()
        self._line = line
        self.publish = line.publish  # type: ignore[method-assign]
        self.subscribe = line.subscribe  # type: ignore[method-assign]


class Gateway:
    """The limits of one gateway."""

    def __init__(self, name: str, line: LocalBus, clock: StandingClock) -> None:
        self.bus = _Bus(line)
        self.shared = SharedLimits(self.bus, clock, process=name, gateways=lambda: 2)
        self.rate = Buckets(RATE, clock)
        self.rate.share("requests", self.shared)
        self.networks = NetworkBuckets(RATE, clock)
        self.openings = SocketOpenings(Rate(per_minute=1, burst=2), clock)
        self.throttle = Throttle(AttemptLimits(), clock)
        gauge = Gauge("sockets", "open", registry=CollectorRegistry())
        self.sockets = SocketCounts(gauge, per_account=4, per_address=100)
        self.shared.add_rates(
            {"requests": self.rate, "networks": self.networks.share("networks", self.shared)}
            | self.openings.share("openings", self.shared)
        )
        self.shared.add_throttles({"passwords": self.throttle})
        self.shared.add_sockets(self.sockets)
        self.connections = ConnectionCounts(40)
        self.shared.add_connections(self.connections)


Opened = Callable[[str], Awaitable[Gateway]]


@pytest.fixture
async def opened(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Opened]:
    """Opens gateways on one bus."""
    monkeypatch.setattr(module, "BATCH_SECONDS", 0)
    line, clock, tasks = LocalBus(), StandingClock(), []

    async def made(name: str) -> Gateway:
        gateway = Gateway(name, line, clock)
        tasks.append(asyncio.create_task(gateway.shared.run()))
        await _settled()
        return gateway

    yield made
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _settled() -> None:
    """Let everything be told that can be."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_caller_has_the_limit_of_the_house_and_not_of_each_gateway(opened: Opened) -> None:
    east, west = await opened("east"), await opened("west")
    taken = 0
    for number in range(2 * RATE.burst):
        gateway = (east, west)[number % 2]
        taken += gateway.rate.take("ann") == 0
        await _settled()
    assert RATE.burst <= taken <= RATE.burst * (1 + 2 / 20)
    assert west.rate.take("bob") == 0
    # What was used up elsewhere is forgiven as fast as what was used up here.
    east.rate._clock.pass_ms(60_000)  # type: ignore[attr-defined]
    assert east.rate.take("ann") == west.rate.take("ann") == 0


async def test_a_caller_who_stays_below_the_limit_is_not_told_about(opened: Opened) -> None:
    east, west = await opened("east"), await opened("west")
    heard: list[str] = []
    await west.bus.subscribe("spending", heard.append)
    for _ in range(30):
        assert east.rate.take("ann") == 0
        east.rate._clock.pass_ms(1000)  # type: ignore[attr-defined]
        await _settled()
    assert not heard


async def test_networks_and_openings_of_sockets_are_counted_together(opened: Opened) -> None:
    east, west = await opened("east"), await opened("west")
    while not east.networks.take("203.0.113.9"):
        pass
    for _ in range(2):
        assert east.openings.allow(account="ann", address="203.0.113.9")
        assert east.openings.allow(account=None, address="203.0.113.9")
    await _settled()
    assert west.networks.take("203.0.113.9") > 0
    assert not west.openings.allow(account="ann", address="203.0.113.9")
    assert not west.openings.allow(account=None, address="203.0.113.9")


async def test_without_the_bus_a_gateway_grants_its_part_alone(opened: Opened) -> None:
    east, west = await opened("east"), await opened("west")
    for gateway in (east, west):
        gateway.bus.connected = False
    assert [sum(each.rate.take("ann") == 0 for _ in range(100)) for each in (east, west)] == [
        20,
        20,
    ]
    assert _held(east, 4) == _held(west, 4) == 2


async def test_wrong_passwords_at_one_gateway_slow_down_the_other(opened: Opened) -> None:
    east, west = await opened("east"), await opened("west")
    for _ in range(3):
        await east.throttle.admit(ANN)
    await _settled()
    with pytest.raises(Denied) as denied:
        await west.throttle.admit(ANN)
    assert denied.value.code == "slow_down"
    await west.throttle.admit(Attempt("ann", "198.51.100.1"))
    # A supervisor has set a new password at one gateway.
    east.throttle.forgive("ann")
    await _settled()
    await west.throttle.admit(ANN)
    west.throttle.succeeded(ANN)
    await _settled()
    assert east.throttle._count("ann from 203.0.113.9/32") == 0


async def test_without_the_bus_each_wrong_password_counts_for_all_gateways(opened: Opened) -> None:
    east = await opened("east")
    east.bus.connected = False
    await east.throttle.admit(ANN)
    east.throttle.withdraw(ANN)
    for _ in range(2):
        await east.throttle.admit(ANN)
    with pytest.raises(Denied):
        await east.throttle.admit(ANN)


def _held(gateway: Gateway, wanted: int) -> int:
    """How many sockets of an account are granted, of those that are wanted at a time."""
    with ExitStack() as stack:
        return sum(
            stack.enter_context(gateway.sockets.counted(["account ann"])) for _ in range(wanted)
        )


async def test_sockets_are_counted_together(opened: Opened) -> None:
    east, west = await opened("east"), await opened("west")
    with ExitStack() as stack:
        for _ in range(3):
            assert stack.enter_context(east.sockets.counted(["account ann", "address 1"]))
        await _settled()
        assert _held(west, 4) == 1
        # A gateway that is started hears what the others have.
        south = await opened("south")
        assert _held(south, 4) == 1
        # One that is restarted has none of its old ones.
        again = await opened("east")
        await _settled()
        assert _held(west, 4) == 4
        assert _held(again, 4) == 4
    await _settled()
    assert not west.sockets._elsewhere


async def test_a_lost_message_is_made_up_for_by_the_next_list(opened: Opened) -> None:
    east, west = await opened("east"), await opened("west")
    with east.sockets.counted(["account ann"]):
        await until(lambda: _held(west, 4) == 3)
        # What tells of the end is lost.
        east.bus.publish = _nowhere  # type: ignore[method-assign]
    await _settled()
    assert _held(west, 4) == 3
    east.bus.publish = west.bus.publish  # type: ignore[method-assign]
    for counts in east.shared._counts.values():
        counts.tell_all()
    await until(lambda: _held(west, 4) == 4)


async def _nowhere(subject: str, body: str) -> None:
    pass


async def test_sockets_of_a_gateway_that_is_silent_are_gone(opened: Opened) -> None:
    east, west = await opened("east"), await opened("west")
    with east.sockets.counted(["account ann"]):
        await until(lambda: _held(west, 4) == 3)
        clock = west.shared._clock
        assert isinstance(clock, StandingClock)
        clock.pass_ms(GONE_MS + 1)
        # An outage of the bus says nothing of the others.
        west.bus.connected = False
        west.shared.forget_silent()
        west.bus.connected = True
        assert _held(west, 4) == 3
        clock.pass_ms(GONE_MS + 1)
        west.shared.forget_silent()
        assert _held(west, 4) == 4


def _connect(gateway: Gateway, count: int) -> None:
    for _ in range(count):
        gateway.connections.add(SITE)


async def test_connections_are_counted_together_and_a_newcomer_is_let_in(opened: Opened) -> None:
    east, west = await opened("east"), await opened("west")
    shed: list[str] = []

    def make_room(network: str) -> None:
        """Close idle ones, as the connections of a server do."""
        while east.connections.is_exceeded(network):
            east.connections.remove(network)
            shed.append(network)

    east.connections.on_excess = make_room
    _connect(east, 40)
    await _settled()
    assert not east.connections.is_exceeded(SITE)
    # What is idle at one gateway must not keep the same address out of another one.
    for count in range(1, 21):
        west.connections.add(SITE)
        await _settled()
        assert not west.connections.is_exceeded(SITE)
        assert len(shed) in (count, count - 1), "a number is told in steps of a twentieth"
    # Beyond its part, a gateway makes room itself.
    west.connections.add(SITE)
    assert west.connections.is_exceeded(SITE)
    west.connections.remove(SITE)
    for _ in range(20):
        east.connections.remove(SITE)
    await _settled()
    _connect(west, 20)
    assert not west.connections.is_exceeded(SITE)
    _connect(west, 1)
    assert west.connections.is_exceeded(SITE)


async def test_a_few_connections_are_not_told_about(opened: Opened) -> None:
    east, west = await opened("east"), await opened("west")
    heard: list[str] = []
    await west.bus.subscribe("connections", heard.append)
    for _ in range(1000):
        east.connections.add(SITE)
        await asyncio.sleep(0)
        east.connections.remove(SITE)
    await _settled()
    assert not heard
    _connect(east, 20)
    await _settled()
    assert len(heard) == 1, "those of a moment in one message"


async def test_without_the_bus_a_gateway_holds_its_part_of_connections(opened: Opened) -> None:
    east, west = await opened("east"), await opened("west")
    _connect(west, 40)
    await _settled()
    east.bus.connected = False
    _connect(east, 20)
    assert not east.connections.is_exceeded(SITE)
    _connect(east, 1)
    assert east.connections.is_exceeded(SITE)


async def test_a_failure_between_two_subscriptions_leaves_none_behind(opened: Opened) -> None:
    """What was begun again after it would charge callers twice."""
    east, west = await opened("east"), Gateway("west", LocalBus(), StandingClock())
    line = east.bus._line
    west.bus = _Bus(line)
    west.shared._bus = west.bus
    heard = len(line._handlers["spending"])

    async def broken(subject: str, handler: Any) -> Any:
        if subject == "attempts":
            raise OSError("the line was cut")
        return await line.subscribe(subject, handler)

    west.bus.subscribe = broken  # type: ignore[method-assign]
    with pytest.raises(OSError, match="the line was cut"):
        await west.shared.run()
    assert len(line._handlers["spending"]) == heard
