"""A program with the password of the bus and no key of the house records messages, and sends them
again or sends its own.

What it sends again is authentic. It must all the same have no second effect: a wrong password that
counts fifty times would keep a supervisor out, a gateway's word that a player has left would cost
the player the seat, and a command that was refused would be carried out a minute later.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from nats.aio import client as nats_client
from nats.aio.msg import Msg

from openfelt.runtime.bus import subjects
from openfelt.runtime.bus.bus import NoAnswer
from openfelt.runtime.bus.local_bus import LocalBus
from openfelt.runtime.bus.nats_bus import NatsAddress, NatsBus
from openfelt.runtime.bus.sealed_bus import KEYS_READ_MS, STALE_MS, SealedBus
from openfelt.runtime.bus.taken_messages import KEPT_MAX
from openfelt.server.cluster.presence import Attendance
from openfelt.server.cluster.shared_limits import SharedLimits
from openfelt.server.credentials.throttle import Attempt, Throttle
from openfelt.server.limits.rates import Buckets, Rate
from openfelt.server.settings import AttemptLimits
from openfelt.storage.keyring import Keyring
from tests.kit.floors import StandingClock
from tests.kit.nats_server import NatsServer

KEYS = f"00000001:{'ab' * 32}"
RATE = Rate(per_minute=60, burst=40)


class Line(LocalBus):
    """A bus with a stranger who records everything."""

    def __init__(self) -> None:
        super().__init__()
        self.recorded: list[tuple[str, str]] = []

    async def publish(self, subject: str, body: str) -> None:
        self.recorded.append((subject, body))
        await super().publish(subject, body)

    async def request(self, subject: str, body: str, *, timeout_ms: int) -> str:
        self.recorded.append((subject, body))
        return await super().request(subject, body, timeout_ms=timeout_ms)

    async def repeat(self, times: int = 50) -> None:
        """Send everything again that was published."""
        for subject, body in tuple(self.recorded) * times:
            await super().publish(subject, body)
        await _settled()


class House:
    """Two processes of one house on one line."""

    def __init__(self) -> None:
        self.clock, self.line = StandingClock(), Line()
        self.east, self.west = self.bus(), self.bus()

    def bus(self) -> SealedBus:
        return SealedBus(self.line, Keyring(Path("/nowhere"), content=KEYS), self.clock)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    house = House()
    yield house
    await house.line.close()


async def _settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_what_gateways_tell_of_a_caller_counts_once(house: House) -> None:
    told, heard = (
        SharedLimits(bus, house.clock, process=name, gateways=lambda: 2)
        for name, bus in (("east", house.east), ("west", house.west))
    )
    throttles = [Throttle(AttemptLimits(), house.clock) for _ in range(2)]
    rates = [Buckets(RATE, house.clock) for _ in range(2)]
    for shared, throttle, rate in zip((told, heard), throttles, rates, strict=True):
        shared.add_throttles({"passwords": throttle})
        shared.add_rates({"requests": rate})
        rate.share("requests", shared)
    running = [asyncio.create_task(shared.run()) for shared in (told, heard)]
    await _settled()
    owner = Attempt("ann", "203.0.113.9")
    await throttles[0].admit(owner)
    for _ in range(4):
        assert rates[0].take("ann") == 0
    await _settled()
    await house.line.repeat()
    # One wrong password is not fifty, and the owner may try again; four requests are not two
    # hundred.
    await throttles[1].admit(owner)
    assert [rates[1].take("ann") for _ in range(30)] == [0] * 30
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


async def test_an_old_word_about_who_is_there_is_not_believed_again(house: House) -> None:
    heard: list[list[str]] = []

    def hear(body: str) -> None:
        heard.append(msgspec.json.decode(body, type=Attendance).people)

    await house.west.subscribe(subjects.PRESENCE, hear)
    for people in ([], ["ann"]):
        told = Attendance("east", "felt", people)
        await house.east.publish(subjects.PRESENCE, msgspec.json.encode(told).decode())
    await _settled()
    await house.line.repeat()
    assert heard == [[], ["ann"]]


async def test_a_command_is_asked_once(house: House) -> None:
    """The table decides a refused command anew once its refusal is forgotten."""
    asked: list[str] = []

    async def answer(body: str) -> str:
        asked.append(body)
        return "refused"

    end = await house.west.serve("table.a.commands", answer)
    assert await house.east.request("table.a.commands", "bet", timeout_ms=30_000) == "refused"
    (recorded,) = house.line.recorded
    for _ in range(3):
        with pytest.raises(NoAnswer):
            await LocalBus.request(house.line, *recorded, timeout_ms=1)
    # Nor does the process ask it after it has put the table down and taken it up again.
    await end()
    await house.west.serve("table.a.commands", answer)
    with pytest.raises(NoAnswer):
        await LocalBus.request(house.line, *recorded, timeout_ms=1)
    assert asked == ["bet"]


async def test_only_what_was_taken_is_dropped(house: House) -> None:
    heard: list[str] = []
    await house.west.subscribe("a", heard.append)
    for number in range(KEPT_MAX + 10):
        await house.east.publish("b", str(number))
        await house.east.publish("a", str(number))
    await _settled()
    assert heard == [str(number) for number in range(KEPT_MAX + 10)]
    late, (*_, last) = house.bus(), house.line.recorded
    first = next(body for subject, body in house.line.recorded if subject == "a")
    for body in (last[1], first):
        await LocalBus.publish(house.line, "a", body)
    await late.publish("a", "of another sender")
    await _settled()
    assert heard[KEPT_MAX + 10 :] == ["of another sender"]
    # A sender that was silent for long is forgotten, and what it sent before is too old.
    house.clock.pass_ms(2 * STALE_MS + 1)
    await late.publish("a", "later")
    await LocalBus.publish(house.line, "a", first)
    await _settled()
    assert heard[-1] == "later"
    assert len(house.west._taken._taken) == 1


async def test_messages_under_invented_keys_do_not_keep_the_disk_busy(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring, read = Keyring(tmp_path / "felt.keys"), 0
    keyring.rotate()
    reload = Keyring.reload

    def counted(self: Keyring) -> None:
        nonlocal read
        read += 1
        reload(self)

    monkeypatch.setattr(Keyring, "reload", counted)
    bus = SealedBus(house.line, keyring, house.clock)
    heard: list[str] = []
    await bus.subscribe("a", heard.append)
    for number in range(1000):
        await house.line.publish("a", f"{number:08x}:AAAA")
    await _settled()
    assert read <= 1
    # A key that another process has added since is still found.
    house.clock.pass_ms(KEYS_READ_MS)
    other = Keyring(tmp_path / "felt.keys")
    other.rotate()
    await SealedBus(house.line, other, house.clock).publish("a", "under the new key")
    await _settled()
    assert heard == ["under the new key"]


async def test_bytes_that_are_no_text_are_dropped_without_a_word(
    nats: NatsServer, caplog: pytest.LogCaptureFixture
) -> None:
    """A stranger who could have each of them logged would fill the disk."""
    bus = NatsBus(NatsAddress(url=f"{nats.url}/bytes"), name="house")
    await bus.open()
    stranger = nats_client.Client()
    await stranger.connect(nats.url)
    heard: asyncio.Queue[str] = asyncio.Queue()
    asked: list[str] = []

    async def answer(body: str) -> str:
        asked.append(body)
        return body

    async def forge(message: Msg) -> None:
        await message.respond(b"\xff\xfe")

    await bus.subscribe("told", heard.put_nowait)
    await bus.serve("asked", answer)
    await stranger.subscribe("bytes.forged", cb=forge)
    await stranger.flush()
    for subject in ("bytes.told", "bytes.asked"):
        await stranger.publish(subject, b"\xff\xfe")
    await stranger.flush()
    with pytest.raises(NoAnswer):
        await bus.request("forged", "?", timeout_ms=30_000)
    assert await bus.request("asked", "?", timeout_ms=30_000) == "?"
    await bus.publish("told", "text")
    assert await asyncio.wait_for(heard.get(), 30) == "text"
    await stranger.close()
    await bus.close()
    assert asked == ["?"]
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
