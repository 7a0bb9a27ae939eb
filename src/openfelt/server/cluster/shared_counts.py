"""Numbers of sockets or connections that the gateways of a house tell each other."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from openfelt.runtime.clock import Clock
from openfelt.server.limits.rates import Sharing

GONE_MS: Final = 50_000
"""After this long without a word of a gateway, what it had open is gone."""
BATCH_SECONDS: Final = 0.1
"""How long changed numbers are gathered for one message."""
_KEYS_MAX: Final = 5000
"""Of how many keys one message tells."""


class CountsHere(Protocol):
    """Counts what keys have open here, and takes note of what they have elsewhere."""

    @property
    def here(self) -> Mapping[str, int]:
        """What each key has open in this process."""
        ...

    def share(self, sharing: Sharing, on_change: Callable[[Sequence[str]], None]) -> None:
        """Tell keys whose number has changed."""
        ...

    def elsewhere(self, before: Mapping[str, int], now: Mapping[str, int]) -> None:
        """Another gateway has these open now, and had those before."""
        ...


class OpenCounts(msgspec.Struct, frozen=True):
    """How many of a kind keys have open at one gateway, 0 for none any more."""

    process: str
    counts: dict[str, int]
    first: bool = False
    """Whether the gateway has just started: the others tell it of theirs."""
    whole: bool = False
    """Whether this begins a list of all its keys, so that what was known before is forgotten."""


class SharedCounts:
    """Tells and hears the numbers of one kind. It belongs to one event loop."""

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
        """Tell changed numbers, those of a moment in one message, until cancelled."""
        while True:
            await self._news.wait()
            await asyncio.sleep(BATCH_SECONDS)
            self._news.clear()
            changed, self._changed = self._changed, set()
            here = self._counts.here
            self._tell_some({key: here.get(key, 0) for key in changed})

    def tell_all(self, *, first: bool = False) -> None:
        """Tell all numbers, in case a message was lost."""
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
        """Take note of what another gateway tells."""
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
        """Take what gateways have open for gone of which nothing was heard for a while.

        An outage of the bus says nothing of them.
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
