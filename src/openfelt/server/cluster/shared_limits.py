"""The limits of callers, which the gateways of a house enforce together.

A caller has one limit for the house, regardless of which gateways it connects to. Each gateway
tells the others how much of a rate a caller has used up, once that is a twentieth of the burst;
every step of a sign-in attempt; the sockets of an address or account, when their number changes;
and its HTTP connections, when their number has changed by a twentieth of the limit. So the count of
a gateway lags by at most a twentieth of the burst for each of the others, and by messages in
transit.

The bus may lose such a message, and then a caller is allowed a little more. While this process is
without the bus, it enforces its own part of each limit: the limit divided by the number of
gateways.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Final

import msgspec

from openfelt.runtime.background import kept_up
from openfelt.runtime.bus import subjects
from openfelt.runtime.bus.bus import Bus
from openfelt.runtime.clock import Clock
from openfelt.server.cluster.shared_counts import CountsHere, OpenCounts, SharedCounts
from openfelt.server.credentials.throttle import Attempt, Throttle, ThrottleStep
from openfelt.server.limits.rates import Buckets

WHOLE_SECONDS: Final = 15
"""How often a gateway sends all its numbers of sockets and connections, in case a message was
lost."""
WAITING_MAX: Final = 10_000
"""How many messages may wait to be sent; further ones are dropped."""


class LimitUse(msgspec.Struct, frozen=True):
    """The part of a limit that a key has used up at one gateway."""

    process: str
    limit: str
    key: str
    times: int
    count: int


class SignInStep(msgspec.Struct, frozen=True):
    """A step of an attempt to sign in at one gateway."""

    process: str
    throttle: str
    step: ThrottleStep
    name: str
    address: str
    proof: str | None


class SharedLimits:
    """Exchanges what callers have used up with other gateways. It belongs to one event loop."""

    def __init__(
        self, bus: Bus, clock: Clock, *, process: str, gateways: Callable[[], int]
    ) -> None:
        self._bus = bus
        self._clock = clock
        self._process = process
        self._gateways = gateways
        self._rates: dict[str, Buckets] = {}
        self._throttles: dict[str, Throttle] = {}
        self._counts: dict[str, SharedCounts] = {}
        """By the subject on which each is sent."""
        self._messages: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(WAITING_MAX)

    # What the limits ask for ---------------------------------------------------------------

    @property
    def gateways(self) -> int:
        """How many processes serve callers now, including this one."""
        return max(1, self._gateways())

    @property
    def parts(self) -> int:
        """Into how many parts a limit is divided: 1 while the gateways hear each other."""
        return 1 if self._bus.connected else self.gateways

    def spent(self, limit: str, key: str, *, times: int, count: int) -> None:
        """Report to the others how much of a limit a key has used up here."""
        self._tell(subjects.SPENDING, LimitUse(self._process, limit, key, times, count))

    def _tell(self, subject: str, told: msgspec.Struct) -> None:
        if not self._messages.full():
            self._messages.put_nowait((subject, msgspec.json.encode(told)))

    # What is shared ------------------------------------------------------------------------

    def add_rates(self, rates: Mapping[str, Buckets]) -> None:
        """Charge these buckets for what other gateways report; they report by ``spent``."""
        self._rates |= rates

    def add_throttles(self, throttles: Mapping[str, Throttle]) -> None:
        """Count wrong attempts together."""
        for name, throttle in throttles.items():
            self._throttles[name] = throttle
            throttle.share(self, self._teller(name))

    def _teller(self, name: str) -> Callable[[ThrottleStep, Attempt], None]:
        def tell(step: ThrottleStep, attempt: Attempt) -> None:
            fields = (attempt.name, attempt.address, attempt.proof)
            self._tell(subjects.ATTEMPTS, SignInStep(self._process, name, step, *fields))

        return tell

    def add_sockets(self, sockets: CountsHere) -> None:
        """Count open sockets together."""
        self._add_counts(subjects.SOCKETS, sockets)

    def add_connections(self, connections: CountsHere) -> None:
        """Count open HTTP connections together."""
        self._add_counts(subjects.CONNECTIONS, connections)

    def _add_counts(self, subject: str, counts: CountsHere) -> None:
        def tell(told: OpenCounts) -> None:
            self._tell(subject, told)

        shared = SharedCounts(counts, self._clock, process=self._process, tell=tell)
        self._counts[subject] = shared
        counts.share(self, shared.note)

    # Telling -------------------------------------------------------------------------------

    async def run(self) -> None:
        """Send and receive, until cancelled."""
        handlers = {
            subjects.SPENDING: self._hear_spent,
            subjects.ATTEMPTS: self._hear_attempt,
            **{subject: counts.hear for subject, counts in self._counts.items()},
        }
        async with AsyncExitStack() as ends:
            for subject, handler in handlers.items():
                ends.push_async_callback(await self._bus.subscribe(subject, handler))
            await self._share()

    async def _share(self) -> None:
        """Report to the others, until cancelled."""
        gathers = [counts.gather for counts in self._counts.values()]
        for counts in self._counts.values():
            counts.tell_all(first=True)
        tasks = [asyncio.create_task(kept_up(work)) for work in (self._send, *gathers)]
        try:
            while True:
                await asyncio.sleep(WHOLE_SECONDS)
                self.forget_silent()
                for counts in self._counts.values():
                    counts.tell_all()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(self) -> None:
        while True:
            subject, body = await self._messages.get()
            await self._bus.publish(subject, body.decode())

    # Hearing -------------------------------------------------------------------------------

    def _hear_spent(self, body: str) -> None:
        spent = msgspec.json.decode(body, type=LimitUse)
        buckets = self._rates.get(spent.limit)
        if spent.process != self._process and buckets is not None:
            buckets.charge(spent.key, times=spent.times, count=spent.count)

    def _hear_attempt(self, body: str) -> None:
        attempted = msgspec.json.decode(body, type=SignInStep)
        throttle = self._throttles.get(attempted.throttle)
        if attempted.process != self._process and throttle is not None:
            throttle.heard(
                attempted.step, Attempt(attempted.name, attempted.address, attempted.proof)
            )

    def forget_silent(self) -> None:
        """Drop the sockets and connections of silent gateways."""
        for counts in self._counts.values():
            counts.forget_silent(connected=self._bus.connected)
