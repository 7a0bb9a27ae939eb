"""The limits of callers, which the gateways of a house count together.

A caller has the limit of the house, whichever gateways it goes to. Each gateway tells the others
what a caller has used up of a rate once that is a twentieth of the burst, every step of a wrong
password, and the sockets of an address or account when their number changes. So the count of a
gateway is behind the others by a twentieth of the burst for each of them, and by what is under way.

The bus may lose such a message, and then a caller has a little more. While this process is without
the bus, it takes each limit for its own part alone: the limit divided by the number of gateways.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from openfelt.runtime.bus import subjects
from openfelt.runtime.bus.bus import Bus
from openfelt.runtime.clock import Clock
from openfelt.server.credentials.throttle import Attempt, Throttle, ThrottleStep
from openfelt.server.limits.rates import Buckets
from openfelt.server.limits.socket_counts import SocketCounts

WHOLE_SECONDS: Final = 15
"""How often a gateway tells all its sockets, in case a message was lost."""
GONE_MS: Final = 50_000
"""After this long without a word of a gateway, its sockets are gone."""
BATCH_SECONDS: Final = 0.1
"""How long changed numbers of sockets are gathered for one message."""
WAITING_MAX: Final = 10_000
"""How many messages may wait to be sent; further ones are dropped."""
_KEYS_MAX: Final = 5000
"""Of how many keys one message tells."""


class Spent(msgspec.Struct, frozen=True):
    """What a key has used up of a limit at one gateway."""

    process: str
    limit: str
    key: str
    times: int
    count: int


class Attempted(msgspec.Struct, frozen=True):
    """A step of an attempt to sign in at one gateway."""

    process: str
    throttle: str
    step: ThrottleStep
    name: str
    address: str
    proof: str | None


class Sockets(msgspec.Struct, frozen=True):
    """How many sockets keys have at one gateway, 0 for none any more."""

    process: str
    counts: dict[str, int]
    first: bool = False
    """Whether the gateway has just started: the others tell it of theirs, and forget its old ones.
    """


class SharedLimits:
    """Tells and hears what callers have used up. It belongs to one event loop."""

    def __init__(
        self, bus: Bus, clock: Clock, *, process: str, gateways: Callable[[], int]
    ) -> None:
        self._bus = bus
        self._clock = clock
        self._process = process
        self._gateways = gateways
        self._rates: dict[str, Buckets] = {}
        self._throttles: dict[str, Throttle] = {}
        self._sockets: SocketCounts | None = None
        self._changed: set[str] = set()
        self._news = asyncio.Event()
        self._messages: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(WAITING_MAX)
        self._elsewhere: dict[str, Counter[str]] = {}
        self._heard_ms: dict[str, int] = {}

    # What the limits ask for ---------------------------------------------------------------

    @property
    def gateways(self) -> int:
        """How many processes take callers now, this one included."""
        return max(1, self._gateways())

    @property
    def parts(self) -> int:
        """Into how many parts a limit is divided: 1 while the gateways hear each other."""
        return 1 if self._bus.connected else self.gateways

    def spent(self, limit: str, key: str, *, times: int, count: int) -> None:
        """Tell the others what a key has used up of a limit here."""
        self._tell(subjects.SPENDING, Spent(self._process, limit, key, times, count))

    def _tell(self, subject: str, told: msgspec.Struct) -> None:
        if not self._messages.full():
            self._messages.put_nowait((subject, msgspec.json.encode(told)))

    # What is shared ------------------------------------------------------------------------

    def add_rates(self, rates: Mapping[str, Buckets]) -> None:
        """Charge these buckets for what other gateways tell; they tell by ``spent``."""
        self._rates |= rates

    def add_throttles(self, throttles: Mapping[str, Throttle]) -> None:
        """Count wrong attempts together."""
        for name, throttle in throttles.items():
            self._throttles[name] = throttle
            throttle.share(self, self._teller(name))

    def _teller(self, name: str) -> Callable[[ThrottleStep, Attempt], None]:
        def tell(step: ThrottleStep, attempt: Attempt) -> None:
            fields = (attempt.name, attempt.address, attempt.proof)
            self._tell(subjects.ATTEMPTS, Attempted(self._process, name, step, *fields))

        return tell

    def add_sockets(self, sockets: SocketCounts) -> None:
        """Count open sockets together."""
        self._sockets = sockets
        sockets.share(lambda: self.parts, self._note)

    def _note(self, keys: Sequence[str]) -> None:
        self._changed.update(keys)
        self._news.set()

    # Telling -------------------------------------------------------------------------------

    async def run(self) -> None:
        """Tell and hear, until cancelled."""
        ends = [
            await self._bus.subscribe(subjects.SPENDING, self._hear_spent),
            await self._bus.subscribe(subjects.ATTEMPTS, self._hear_attempt),
            await self._bus.subscribe(subjects.SOCKETS, self._hear_sockets),
        ]
        self._tell_sockets(first=True)
        tasks = [asyncio.create_task(work) for work in (self._send(), self._gather())]
        try:
            while True:
                await asyncio.sleep(WHOLE_SECONDS)
                self.forget_silent()
                self._tell_sockets()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for end in ends:
                await end()

    async def _send(self) -> None:
        while True:
            subject, body = await self._messages.get()
            await self._bus.publish(subject, body.decode())

    async def _gather(self) -> None:
        """Tell changed numbers of sockets, those of a moment in one message."""
        while True:
            await self._news.wait()
            await asyncio.sleep(BATCH_SECONDS)
            self._news.clear()
            changed, self._changed = self._changed, set()
            here = self._here
            self._tell_counts({key: here.get(key, 0) for key in changed})

    @property
    def _here(self) -> Mapping[str, int]:
        return {} if self._sockets is None else self._sockets.here

    def _tell_sockets(self, *, first: bool = False) -> None:
        self._tell_counts(dict(self._here), first=first)

    def _tell_counts(self, counts: Mapping[str, int], *, first: bool = False) -> None:
        keys = list(counts)
        for begin in range(0, max(len(keys), 1), _KEYS_MAX):
            some = {key: counts[key] for key in keys[begin : begin + _KEYS_MAX]}
            self._tell(subjects.SOCKETS, Sockets(self._process, some, first=first))

    # Hearing -------------------------------------------------------------------------------

    def _hear_spent(self, body: str) -> None:
        told = msgspec.json.decode(body, type=Spent)
        buckets = self._rates.get(told.limit)
        if told.process != self._process and buckets is not None:
            buckets.charge(told.key, times=told.times, count=told.count)

    def _hear_attempt(self, body: str) -> None:
        told = msgspec.json.decode(body, type=Attempted)
        throttle = self._throttles.get(told.throttle)
        if told.process != self._process and throttle is not None:
            throttle.heard(told.step, Attempt(told.name, told.address, told.proof))

    def _hear_sockets(self, body: str) -> None:
        told = msgspec.json.decode(body, type=Sockets)
        if told.process == self._process:
            return
        if told.first:
            self._forget(told.process)
            self._tell_sockets()
        known = self._elsewhere.setdefault(told.process, Counter())
        self._heard_ms[told.process] = self._clock.monotonic_ms()
        before = {key: known[key] for key in told.counts}
        for key, count in told.counts.items():
            known[key] = count
            if not count:
                del known[key]
        if self._sockets is not None:
            self._sockets.elsewhere(before, told.counts)

    def forget_silent(self) -> None:
        """Take the sockets of gateways for gone of which nothing was heard for a while."""
        if not self._bus.connected:
            now_ms = self._clock.monotonic_ms()
            self._heard_ms = dict.fromkeys(self._heard_ms, now_ms)
        limit_ms = self._clock.monotonic_ms() - GONE_MS
        for process in [name for name, heard_ms in self._heard_ms.items() if heard_ms < limit_ms]:
            self._forget(process)

    def _forget(self, process: str) -> None:
        self._heard_ms.pop(process, None)
        gone = self._elsewhere.pop(process, Counter())
        if self._sockets is not None:
            self._sockets.elsewhere(gone, {})
