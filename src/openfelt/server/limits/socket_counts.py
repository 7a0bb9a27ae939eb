"""How many sockets each address and each account has open and opens, with limits for both."""

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence

from prometheus_client import Gauge

from openfelt.runtime.clock import Clock
from openfelt.server.limits.rates import Buckets, NetworkBuckets, Rate


class SocketCounts:
    """Counts open sockets."""

    def __init__(self, gauge: Gauge, *, per_account: int, per_address: int) -> None:
        self._per_account = per_account
        self._per_address = per_address
        self._gauge = gauge
        self._open: Counter[str] = Counter()

    @contextlib.contextmanager
    def counted(self, keys: Sequence[str]) -> Iterator[bool]:
        """Count a socket under its keys while it is open; False if that exceeds a limit.

        >>> from prometheus_client import CollectorRegistry
        >>> gauge = Gauge("sockets", "open", registry=CollectorRegistry())
        >>> counts = SocketCounts(gauge, per_account=1, per_address=10)
        >>> with counts.counted(["account ann"]) as first, counts.counted(["account ann"]) as next:
        ...     first, next
        (True, False)
        """
        if any(self._open[key] >= self._limit(key) for key in keys):
            yield False
            return
        self._open.update(keys)
        self._gauge.inc()
        try:
            yield True
        finally:
            self._gauge.dec()
            self._open.subtract(keys)
            for key in keys:
                if self._open[key] <= 0:
                    del self._open[key]

    def _limit(self, key: str) -> int:
        return self._per_account if key.startswith("account ") else self._per_address


class SocketOpenings:
    """The rate at which sockets may be opened, by account, or by network without one.

    Every socket is sent the whole table at first, so opening one costs the server far more than
    its caller. A hall of terminals behind one address may still come back all at once.
    """

    def __init__(self, rate: Rate, clock: Clock) -> None:
        self._accounts = Buckets(rate, clock)
        self._visitors = NetworkBuckets(rate, clock)

    def allow(self, *, account: str | None, address: str) -> bool:
        """Count a socket that is being opened; False if that exceeds the rate."""
        if account is not None:
            return self._accounts.take(account) == 0
        return self._visitors.take(address) == 0
