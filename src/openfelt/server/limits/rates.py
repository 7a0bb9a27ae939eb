"""Rate limits: a token bucket for each network or account, and a bounded number of buckets."""

import math
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from openfelt.runtime.clock import Clock
from openfelt.server.limits.networks import Network, networks_of

KEYS_MAX: Final = 20_000
"""How many buckets are kept; the least recently used one is dropped first."""
TOLD_PARTS: Final = 20
"""A key's use is reported to other gateways once it is this fraction of its burst."""
_MINUTE_MS: Final = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A rate limit: a burst of requests at once, then a number of requests per minute."""

    per_minute: int
    burst: int


class Sharing(Protocol):
    """How the gateways of a house share their limits, see ``openfelt.server.cluster``."""

    @property
    def gateways(self) -> int:
        """How many processes serve callers now, including this one."""
        ...

    @property
    def parts(self) -> int:
        """Into how many parts a limit is divided: 1 while the gateways hear each other."""
        ...

    def spent(self, limit: str, key: str, *, times: int, count: int) -> None:
        """Report to the others how much of a limit a key has used up here."""
        ...


class Buckets:
    """The buckets of all keys under one rate limit.

    >>> from openfelt.runtime.clock import SystemClock
    >>> buckets = Buckets(Rate(per_minute=1, burst=2), SystemClock())
    >>> [buckets.take("ann") > 0 for _ in range(3)]
    [False, False, True]
    """

    def __init__(self, rate: Rate, clock: Clock, *, keys_max: int = KEYS_MAX) -> None:
        self._rate = rate
        self._clock = clock
        self._keys_max = keys_max
        self._full_ms: OrderedDict[str, float] = OrderedDict()
        """When each bucket will be full again. A key without an entry has a full one."""
        self._sharing: Sharing | None = None
        self._name = ""
        self._untold: OrderedDict[str, int] = OrderedDict()
        """What each key has used up here since its bucket was full that other gateways do not know
        yet.
        """

    def share(self, name: str, sharing: Sharing) -> None:
        """Count together with the other gateways from now on, under the name of the limit."""
        self._name, self._sharing = name, sharing

    def take(self, key: str, *, times: int = 1) -> int:
        """Count one request; 0 if it is within the limit, otherwise the milliseconds to wait.

        The key has ``times`` the limit.
        """
        now_ms = self._clock.monotonic_ms()
        each_ms, burst = _MINUTE_MS / (self._rate.per_minute * times), self._rate.burst * times
        if self._sharing is not None and (parts := self._sharing.parts) > 1:
            each_ms, burst = each_ms * parts, max(1, burst // parts)
        full_ms = max(self._full_ms.pop(key, now_ms), now_ms)
        wait_ms = full_ms - now_ms - each_ms * (burst - 1)
        self._full_ms[key] = full_ms if wait_ms > 0 else full_ms + each_ms
        while len(self._full_ms) > self._keys_max:
            self._full_ms.popitem(last=False)
        if self._sharing is not None and wait_ms <= 0:
            self._tell(self._sharing, key, times, was_full=full_ms <= now_ms)
        return max(0, math.ceil(wait_ms))

    def _tell(self, sharing: Sharing, key: str, times: int, *, was_full: bool) -> None:
        """Report what a key has used up, once it is enough to be worth a message."""
        count = 1 if was_full else self._untold.pop(key, 0) + 1
        if count >= self._rate.burst * times / TOLD_PARTS:
            self._untold.pop(key, None)
            sharing.spent(self._name, key, times=times, count=count)
            return
        self._untold[key] = count
        while len(self._untold) > self._keys_max:
            self._untold.popitem(last=False)

    def charge(self, key: str, *, times: int, count: int) -> None:
        """Count what a key has used up at another gateway; its bucket is empty at most."""
        now_ms = self._clock.monotonic_ms()
        each_ms = _MINUTE_MS / (self._rate.per_minute * times)
        full_ms = max(self._full_ms.pop(key, now_ms), now_ms) + each_ms * count
        self._full_ms[key] = min(full_ms, now_ms + each_ms * self._rate.burst * times)
        while len(self._full_ms) > self._keys_max:
            self._full_ms.popitem(last=False)

    def take_all(self, networks: Iterable[Network]) -> int:
        """Count one request against nested networks, the smallest first, as ``take`` does for each.

        Requests refused for the smallest do not count for the larger ones.
        """
        for network in networks:
            wait_ms = self.take(network.name, times=network.share)
            if wait_ms:
                return wait_ms
        return 0


class NetworkBuckets:
    """A rate limit for addresses and for the networks that contain them.

    A client with one IPv6 address usually has a whole network of them, so that a limit on single
    addresses would be useless.

    >>> from openfelt.runtime.clock import SystemClock
    >>> buckets = NetworkBuckets(Rate(per_minute=1, burst=1), SystemClock())
    >>> [buckets.take(f"2001:db8:1:{number}::1") > 0 for number in range(4)]
    [False, False, True, True]
    """

    def __init__(self, rate: Rate, clock: Clock) -> None:
        self._buckets = Buckets(rate, clock)

    def share(self, name: str, sharing: Sharing) -> Buckets:
        """Count together with the other gateways; returns the buckets that they charge."""
        self._buckets.share(name, sharing)
        return self._buckets

    def take(self, address: str) -> int:
        """Count one request; 0 if it is within the limits, otherwise the milliseconds to wait."""
        return self._buckets.take_all(networks_of(address))
