"""Rate limits: a token bucket for each network or account, and a bounded number of buckets."""

import math
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from openfelt.runtime.clock import Clock
from openfelt.server.limits.networks import Network, networks_of

KEYS_MAX: Final = 20_000
"""How many buckets are kept; the least recently used one is dropped first."""
_MINUTE_MS: Final = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A rate limit: a burst of requests at once, then a number of requests per minute."""

    per_minute: int
    burst: int


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

    def take(self, key: str, *, times: int = 1) -> int:
        """Count one request; 0 if it is within the limit, else how many milliseconds to wait.

        The key has ``times`` the limit.
        """
        now_ms = self._clock.monotonic_ms()
        each_ms = _MINUTE_MS / (self._rate.per_minute * times)
        full_ms = max(self._full_ms.pop(key, now_ms), now_ms)
        wait_ms = full_ms - now_ms - each_ms * (self._rate.burst * times - 1)
        self._full_ms[key] = full_ms if wait_ms > 0 else full_ms + each_ms
        while len(self._full_ms) > self._keys_max:
            self._full_ms.popitem(last=False)
        return max(0, math.ceil(wait_ms))

    def take_all(self, networks: Iterable[Network]) -> int:
        """Count one request of nested networks, the smallest first; as ``take`` for each.

        What the smallest may not send does not count for the larger ones.
        """
        for network in networks:
            wait_ms = self.take(network.name, times=network.share)
            if wait_ms:
                return wait_ms
        return 0


class NetworkBuckets:
    """A rate limit of addresses and of the networks that they are in.

    A client with one IPv6 address usually has a whole network of them, so that a limit of single
    addresses would be none.

    >>> from openfelt.runtime.clock import SystemClock
    >>> buckets = NetworkBuckets(Rate(per_minute=1, burst=1), SystemClock())
    >>> [buckets.take(f"2001:db8:1:{number}::1") > 0 for number in range(4)]
    [False, False, True, True]
    """

    def __init__(self, rate: Rate, clock: Clock) -> None:
        self._buckets = Buckets(rate, clock)

    def take(self, address: str) -> int:
        """Count one request; 0 if it is within the limits, else how many milliseconds to wait."""
        return self._buckets.take_all(networks_of(address))
