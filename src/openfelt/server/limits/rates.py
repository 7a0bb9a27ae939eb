"""Rate limits: a token bucket for each address or account, and a bounded number of buckets."""

from collections import OrderedDict
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

from openfelt.runtime.clock import Clock

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
        self._free_ms: OrderedDict[str, int] = OrderedDict()
        """When each bucket will be full again. A key without an entry has a full one."""

    def take(self, key: str) -> int:
        """Count one request; 0 if it is within the limit, else how many milliseconds to wait."""
        now_ms = self._clock.monotonic_ms()
        each_ms = max(1, _MINUTE_MS // self._rate.per_minute)
        full_ms = max(self._free_ms.pop(key, now_ms), now_ms)
        wait_ms = full_ms - now_ms - each_ms * (self._rate.burst - 1)
        self._free_ms[key] = full_ms if wait_ms > 0 else full_ms + each_ms
        while len(self._free_ms) > self._keys_max:
            self._free_ms.popitem(last=False)
        return max(0, wait_ms)


def address_key(address: str) -> str:
    """The key of an address. A client with one IPv6 address usually has its whole /64 network.

    >>> address_key("2001:db8::1") == address_key("2001:db8::ffff")
    True
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)
