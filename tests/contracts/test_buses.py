"""What every bus offers: within a process, over NATS, and sealed."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openfelt.runtime.bus import nats_bus
from openfelt.runtime.bus.bound_bus import BoundBus
from openfelt.runtime.bus.bus import Bus, NoAnswer, NotServed
from openfelt.runtime.bus.local_bus import LocalBus
from openfelt.runtime.bus.nats_bus import NatsAddress, NatsBus
from openfelt.runtime.bus.sealed_bus import SealedBus
from openfelt.runtime.clock import SystemClock
from openfelt.storage.keyring import Keyring
from tests.kit.floors import until
from tests.kit.nats_server import NatsServer, nats_server

KEYS = Keyring(Path("/nowhere"), content=f"00000001:{'ab' * 32}")
_namespaces = itertools.count()


@pytest.fixture(params=["local", "nats", "sealed"])
async def buses(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Bus, Bus]]:
    """Two ends of one bus."""
    if request.param == "local":
        local = LocalBus()
        yield local, local
        await local.close()
        return
    server: NatsServer = request.getfixturevalue("nats")
    address = NatsAddress(url=f"{server.url}/contract{next(_namespaces)}")
    ends = [NatsBus(address, name=name) for name in ("here", "there")]
    for end in ends:
        await end.open()
    if request.param == "sealed":
        yield SealedBus(ends[0], KEYS, SystemClock()), SealedBus(ends[1], KEYS, SystemClock())
    else:
        yield ends[0], ends[1]
    for end in ends:
        await end.close()


async def test_subscribers_hear_what_is_published(buses: tuple[Bus, Bus]) -> None:
    here, there = buses
    heard: asyncio.Queue[str] = asyncio.Queue()
    end = await here.subscribe("table.a.changed", heard.put_nowait)
    await _until_subscribed(here)
    await there.publish("table.b.changed", "not for us")
    await there.publish("table.a.changed", "ä 1")
    assert await asyncio.wait_for(heard.get(), 30) == "ä 1"
    await end()
    await _until_subscribed(here)
    await there.publish("table.a.changed", "too late")
    await _until_subscribed(there)
    assert heard.empty()


async def test_a_handler_that_fails_does_not_end_its_subscription(
    buses: tuple[Bus, Bus], caplog: pytest.LogCaptureFixture
) -> None:
    here, there = buses
    heard: asyncio.Queue[str] = asyncio.Queue()

    def take(body: str) -> None:
        if body == "bad":
            raise RuntimeError(body)
        heard.put_nowait(body)

    await here.subscribe("table.a.changed", take)
    await _until_subscribed(here)
    await there.publish("table.a.changed", "bad")
    await there.publish("table.a.changed", "good")
    assert await asyncio.wait_for(heard.get(), 30) == "good"


async def test_a_request_is_answered_by_the_process_that_serves_it(
    buses: tuple[Bus, Bus],
) -> None:
    here, there = buses

    async def double(body: str) -> str | None:
        await asyncio.sleep(0)
        return body + body

    end = await here.serve("table.a.commands", double)
    await _until_subscribed(here)
    answers = await asyncio.gather(
        *(there.request("table.a.commands", str(n), timeout_ms=30_000) for n in range(20))
    )
    assert answers == [str(n) * 2 for n in range(20)]
    await end()
    await _until_subscribed(here)
    with pytest.raises(NotServed):
        await there.request("table.a.commands", "?", timeout_ms=30_000)


async def test_a_server_may_be_silent(buses: tuple[Bus, Bus]) -> None:
    here, there = buses

    async def silent(_: str) -> None:
        return None

    await here.serve("table.a.commands", silent)
    await _until_subscribed(here)
    with pytest.raises(NoAnswer) as unanswered:
        await there.request("table.a.commands", "?", timeout_ms=50)
    assert not isinstance(unanswered.value, NotServed)


async def test_of_a_group_one_gets_each_request(buses: tuple[Bus, Bus]) -> None:
    here, there = buses
    asked: list[str] = []

    async def take(body: str) -> str | None:
        asked.append(body)
        return body

    await here.serve("wanted", take, group="tables")
    await there.serve("wanted", take, group="tables")
    await _until_subscribed(here)
    await _until_subscribed(there)
    for number in range(10):
        await here.request("wanted", str(number), timeout_ms=30_000)
    assert asked == [str(number) for number in range(10)]


async def _until_subscribed(bus: Bus) -> None:
    """Wait until the server has taken what this end has sent so far."""
    with pytest.raises(NoAnswer):
        await bus.request("served.by.none", "", timeout_ms=30_000)


# NATS alone --------------------------------------------------------------------------


async def test_a_bus_connects_again_and_keeps_its_subscriptions() -> None:
    with nats_server() as server:
        ends = [NatsBus(NatsAddress(url=server.url), name=name) for name in ("here", "there")]
        for end in ends:
            await end.open()
        heard: asyncio.Queue[str] = asyncio.Queue()
        await ends[0].subscribe("a", heard.put_nowait)
        server.kill()
        while any(end.connected for end in ends):  # noqa: ASYNC110 (the client tells no event)
            await asyncio.sleep(0.01)
        await until(lambda: all(end.lost_ms > 0 for end in ends))
        await ends[1].publish("a", "lost")
        with pytest.raises(NoAnswer):
            await ends[1].request("a", "?", timeout_ms=10)
        server.start()
        while not all(end.connected for end in ends):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await until(lambda: ends[0]._lost_since_ms is None)  # the bus notes it a moment later
        lost_ms = ends[0].lost_ms
        await _until_subscribed(ends[0])
        assert ends[0].lost_ms == lost_ms
        await ends[1].publish("a", "heard")
        assert await asyncio.wait_for(heard.get(), 30) == "heard"
        for end in ends:
            await end.close()


async def test_a_bus_that_nats_itself_has_cut_off_connects_again(tmp_path: Path) -> None:
    settings = tmp_path / "nats.conf"
    settings.write_text("max_connections: 10")
    with nats_server(["-c", str(settings)]) as server:
        ends = [NatsBus(NatsAddress(url=server.url), name=name) for name in ("here", "there")]
        heard: asyncio.Queue[str] = asyncio.Queue()
        for end in ends:
            await end.open()
            await end.subscribe("a", heard.put_nowait)
        before_ms = [end.lost_ms for end in ends]
        settings.write_text("max_connections: 1")
        server.reload()
        await until(lambda: [end.lost_ms for end in ends] != before_ms)
        settings.write_text("max_connections: 10")
        server.reload()
        await until(lambda: all(end.connected and end._subscribed for end in ends))
        for end in ends:
            await _until_subscribed(end)
        await ends[0].publish("a", "heard")
        for _ in ends:
            assert await asyncio.wait_for(heard.get(), 30) == "heard"
        for end in ends:
            await end.close()


async def test_a_bus_that_nats_cuts_off_again_and_again_waits_in_between(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = tmp_path / "nats.conf"
    settings.write_text("max_subs: 2\n")
    with nats_server(["-c", str(settings)]) as server:
        bus, connected = NatsBus(NatsAddress(url=server.url), name="here"), 0
        connect = bus._connect

        async def counted() -> None:
            nonlocal connected
            connected += 1
            await connect()

        await bus.open()
        bus._connect = counted  # type: ignore[method-assign]
        bus._pause_ms = 50
        for number in range(5):
            await bus.subscribe(f"s{number}", lambda _: None)
        await until(lambda: connected >= 3)
        await asyncio.sleep(1)
        # It waits twice as long each time.
        assert connected <= 8
        await bus.close()
    assert "the bus closed the connection" in caplog.text
    assert "maximum subscriptions exceeded" in caplog.text


async def test_a_bus_that_was_well_for_a_while_connects_again_soon() -> None:
    bus = NatsBus(NatsAddress(url="nats://localhost"), name="here")
    assert [bus._next_pause_ms() // 1000 for _ in range(6)] == [1, 2, 4, 8, 15, 15]
    now_ms = nats_bus._now_ms()
    bus._connected_ms = now_ms - 14_000
    assert bus._next_pause_ms() == 15_000
    bus._connected_ms = now_ms - 16_000
    assert [bus._next_pause_ms() for _ in range(2)] == [1000, 2000]


async def test_a_subscription_that_fails_is_not_made_later(
    monkeypatch: pytest.MonkeyPatch, nats: NatsServer
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise OSError("the line was cut")

    bus = NatsBus(NatsAddress(url=nats.url), name="here")
    await bus.open()
    monkeypatch.setattr(bus._client, "subscribe", broken)
    with pytest.raises(OSError, match="the line was cut"):
        await bus.subscribe("a", lambda _: None)
    assert not bus._open
    await bus.close()


async def test_a_bus_may_be_opened_before_nats_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openfelt.runtime.bus.nats_bus.CONNECTED_WITHIN_SECONDS", 0.01)
    server = NatsServer()
    bus = NatsBus(NatsAddress(url=server.url), name="early")
    await bus.open()
    heard: asyncio.Queue[str] = asyncio.Queue()
    await bus.subscribe("a", heard.put_nowait)
    await until(lambda: bus.lost_ms > 0)
    server.start()
    try:
        while not bus.connected:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        while heard.empty():
            await bus.publish("a", "heard")
            await asyncio.sleep(0.01)
        await until(lambda: bus._lost_since_ms is None)
        lost_ms = bus.lost_ms
        await _until_subscribed(bus)
        assert bus.lost_ms == lost_ms > 0
    finally:
        await bus.close()
        server.kill()


# The seal ----------------------------------------------------------------------------


class _Tapped(LocalBus):
    """A bus on which everything that passes is seen."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, str]] = []

    async def publish(self, subject: str, body: str) -> None:
        self.seen.append((subject, body))
        await super().publish(subject, body)

    async def request(self, subject: str, body: str, *, timeout_ms: int) -> str:
        self.seen.append((subject, body))
        answer = await super().request(subject, body, timeout_ms=timeout_ms)
        self.seen.append((subject, answer))
        return answer


async def _echo(body: str) -> str | None:
    return f"you said {body}"


async def test_nothing_that_passes_can_be_read_or_moved_to_another_subject() -> None:
    tapped = _Tapped()
    bus = SealedBus(tapped, KEYS, SystemClock())
    heard: list[str] = []
    await bus.subscribe("a", heard.append)
    await bus.subscribe("b", heard.append)
    await bus.serve("c", _echo)
    await bus.publish("a", "ace of spades")
    assert await bus.request("c", "queen of hearts", timeout_ms=30_000) == (
        "you said queen of hearts"
    )
    assert heard == ["ace of spades"]
    assert not any("spades" in body or "hearts" in body for _, body in tapped.seen)
    (_, sealed), *_ = tapped.seen
    await tapped.publish("b", sealed)
    await tapped.publish("a", f"{sealed[:-8]}AAAAAAA=")
    await tapped.publish("a", "ace of clubs")
    await asyncio.sleep(0)
    assert heard == ["ace of spades"]


async def test_an_answer_belongs_to_its_request() -> None:
    tapped = _Tapped()
    bus = SealedBus(tapped, KEYS, SystemClock())
    end = await bus.serve("c", _echo)
    await bus.request("c", "first", timeout_ms=30_000)
    old_answer = tapped.seen[-1][1]
    await end()

    async def repeat(_: str) -> str | None:
        return old_answer

    await tapped.serve("c", repeat)
    with pytest.raises(NoAnswer):
        await bus.request("c", "second", timeout_ms=30_000)


async def test_a_server_of_the_version_before_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its messages have a random nonce without a number; each is taken once all the same."""
    line, clock = LocalBus(), SystemClock()
    newer, older = (SealedBus(line, KEYS, clock) for _ in range(2))
    nonces = iter(("0c1d", "0c1d", "77aa"))

    def seal(subject: str, body: str) -> tuple[str, str]:
        nonce = next(nonces)
        text = f"{nonce} {clock.wall_ms()} {body}"
        encrypted = KEYS.encrypt("bus", subject, text)
        return f"{encrypted.key}:{encrypted.body}", nonce

    monkeypatch.setattr(older, "_sealed", seal)

    async def server(body: str) -> str:
        return f"{body}!"

    await newer.serve("commands", server)
    assert await older.request("commands", "bet", timeout_ms=500) == "bet!"
    with pytest.raises(NoAnswer):
        await older.request("commands", "bet", timeout_ms=200)
    assert await older.request("commands", "fold", timeout_ms=500) == "fold!"


async def test_another_house_and_an_old_message_are_dropped() -> None:
    tapped, clock = _Tapped(), _MovedClock()
    bus = SealedBus(tapped, KEYS, clock)
    other_keys = Keyring(Path("/nowhere"), content=f"00000001:{'cd' * 32}")
    heard: list[str] = []
    await bus.subscribe("a", heard.append)
    await SealedBus(tapped, other_keys, clock).publish("a", "of a stranger")
    await bus.publish("a", "new")
    await asyncio.sleep(0)
    clock.moved_ms = 121_000
    await tapped.publish("a", tapped.seen[-1][1])
    await asyncio.sleep(0)
    assert heard == ["new"]


class _MovedClock(SystemClock):
    moved_ms = 0

    def wall_ms(self) -> int:
        return super().wall_ms() + self.moved_ms


async def test_two_databases_with_the_same_keys_do_not_hear_each_other() -> None:
    """As a rehearsal on a copy has them, on the NATS of the house."""
    tapped = _Tapped()
    house, copy = (BoundBus(SealedBus(tapped, KEYS, SystemClock())) for _ in range(2))
    heard: list[str] = []
    await house.subscribe("a", lambda body: heard.append(f"house {body}"))
    await copy.subscribe("a", lambda body: heard.append(f"copy {body}"))
    for bus in (house, copy):
        await bus.serve("c", _echo, group="any")
    await house.publish("a", "before the database is known")
    with pytest.raises(NoAnswer):
        await house.request("c", "as early", timeout_ms=1)
    assert tapped.seen == []
    await house.bind("1111")
    await copy.bind("2222")
    await copy.publish("a", "hello")
    assert await copy.request("c", "hello", timeout_ms=30_000) == "you said hello"
    assert heard == ["copy hello"]
    # A message that is moved to the subject of the other database is dropped there.
    await tapped.publish("1111.a", tapped.seen[0][1])
    await asyncio.sleep(0)
    assert heard == ["copy hello"]


async def test_a_new_epoch_moves_what_is_open() -> None:
    bus, other = (BoundBus(LocalBus()) for _ in range(2))
    other._bus = bus._bus
    heard: list[str] = []
    end = await bus.subscribe("a", heard.append)
    for epoch in ("1", "2"):
        await bus.bind(epoch)
        await other.bind(epoch)
        await other.publish("a", epoch)
        await asyncio.sleep(0)
    assert heard == ["1", "2"]
    await other.bind("1")
    await other.publish("a", "of the old epoch")
    await end()
    await other.bind("2")
    await other.publish("a", "after the end")
    await asyncio.sleep(0)
    assert heard == ["1", "2"]
