"""The numbers of open sockets or connections that the gateways of a house share."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from openfelt.runtime.clock import Clock
from openfelt.server.limits.rates import Sharing

GONE_MS: Final = 50_000
"""After this long without a message from a gateway, its counts are dropped."""
BATCH_SECONDS: Final = 0.1
"""How long changes are collected for one message."""
_KEYS_MAX: Final = 5000
"""The most keys in one message."""


class CountsHere(Protocol):
    """Counts what each key has open here, and records what it has open at other gateways."""

    @property
    def here(self) -> Mapping[str, int]:
        """What each key has open in this process."""
        ...

    def share(self, sharing: Sharing, on_change: Callable[[Sequence[str]], None]) -> None:
        """Call ``on_change`` with the keys whose numbers have changed."""
        ...

    def elsewhere(self, before: Mapping[str, int], now: Mapping[str, int]) -> None:
        """Replace the numbers of another gateway: those before by those now."""
        ...


class OpenCounts(msgspec.Struct, frozen=True):
    """How many of one kind each key has open at a gateway; 0 removes the key."""

    process: str
    counts: dict[str, int]
    first: bool = False
    """Whether the gateway has just started; the others then send it their numbers."""
    whole: bool = False
    """Whether this begins a list of all its keys, which replaces its earlier numbers."""


class SharedCounts:
    """Sends and receives the numbers of one kind. It belongs to one event loop."""

    def __init__(
        self, counts: CountsHere, clock: Clock, *, process: str, tell: Callable[[OpenCounts], None]
    ) -> None:
        """``tell`` sends a message to the other gateways."""
        self._counts = counts
        self._clock = clock
        self._process = process
        self._tell = tell
        self._changed: set[str] = set()
        self._news = asyncio.Event()
        self._elsewhere: dict[str, Counter[str]] = {}
        self._heard_ms: dict[str, int] = {}

    def note(self, keys: Sequence[str]) -> None:
        """The numbers of these keys have changed here."""
        self._changed.update(keys)
        self._news.set()

    async def gather(self) -> None:
        """Send changed numbers, collecting those of a moment in one message, until cancelled."""
        while True:
            await self._news.wait()
            await asyncio.sleep(BATCH_SECONDS)
            self._news.clear()
            changed, self._changed = self._changed, set()
            here = self._counts.here
            self._tell_some({key: here.get(key, 0) for key in changed})

    def tell_all(self, *, first: bool = False) -> None:
        """Send all numbers, in case a message was lost."""
        self._tell_some(dict(self._counts.here), first=first, whole=True)

    def _tell_some(
        self, counts: Mapping[str, int], *, first: bool = False, whole: bool = False
    ) -> None:
        keys = list(counts)
        for begin in range(0, max(len(keys), 1), _KEYS_MAX):
            part = {key: counts[key] for key in keys[begin : begin + _KEYS_MAX]}
            begins = begin == 0
            message = OpenCounts(
                self._process, part, first=first and begins, whole=whole and begins
            )
            self._tell(message)

    def hear(self, body: str) -> None:
        """Record what another gateway has sent."""
        message = msgspec.json.decode(body, type=OpenCounts)
        if message.process == self._process:
            return
        if message.first:
            self.tell_all()
        if message.first or message.whole:
            self._forget(message.process)
        process_counts = self._elsewhere.setdefault(message.process, Counter())
        self._heard_ms[message.process] = self._clock.monotonic_ms()
        before = {key: process_counts[key] for key in message.counts}
        for key, count in message.counts.items():
            process_counts[key] = count
            if not count:
                del process_counts[key]
        self._counts.elsewhere(before, message.counts)

    def forget_silent(self, *, connected: bool) -> None:
        """Drop the counts of gateways that have not reported for a while.

        During an outage of the bus, none is dropped.
        """
        now_ms = self._clock.monotonic_ms()
        if not connected:
            self._heard_ms = dict.fromkeys(self._heard_ms, now_ms)
        silent = [name for name, heard_ms in self._heard_ms.items() if heard_ms < now_ms - GONE_MS]
        for process in silent:
            self._forget(process)

    def _forget(self, process: str) -> None:
        self._heard_ms.pop(process, None)
        self._counts.elsewhere(self._elsewhere.pop(process, Counter()), {})
