"""Limits on how many sockets each address and account has open, and how fast it opens them."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from prometheus_client import Gauge

from openfelt.runtime.clock import Clock
from openfelt.server.limits.rates import Buckets, NetworkBuckets, Rate, Sharing


class SocketCounts:
    """Counts open sockets."""

    def __init__(self, gauge: Gauge, *, per_account: int, per_address: int) -> None:
        self._per_account = per_account
        self._per_address = per_address
        self._gauge = gauge
        self._open: Counter[str] = Counter()
        self._elsewhere: Counter[str] = Counter()
        """The sockets of each key at other gateways."""
        self._sharing: Sharing | None = None
        self._on_change: Callable[[Sequence[str]], None] | None = None

    @property
    def here(self) -> Mapping[str, int]:
        """The open sockets of each key in this process."""
        return self._open

    def share(self, sharing: Sharing, on_change: Callable[[Sequence[str]], None]) -> None:
        """Count together with the other gateways; report changed keys to ``on_change``."""
        self._sharing, self._on_change = sharing, on_change

    def elsewhere(self, before: Mapping[str, int], now: Mapping[str, int]) -> None:
        """Replace the numbers of another gateway: those before by those now."""
        self._elsewhere.update(now)
        self._elsewhere.subtract(before)
        for key in (*before, *now):
            if self._elsewhere[key] <= 0:
                del self._elsewhere[key]

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
        if any(self._open[key] + self._elsewhere[key] >= self._limit(key) for key in keys):
            yield False
            return
        self._open.update(keys)
        self._gauge.inc()
        self._tell(keys)
        try:
            yield True
        finally:
            self._gauge.dec()
            self._open.subtract(keys)
            for key in keys:
                if self._open[key] <= 0:
                    del self._open[key]
            self._tell(keys)

    def _tell(self, keys: Sequence[str]) -> None:
        if self._on_change is not None:
            self._on_change(keys)

    def _limit(self, key: str) -> int:
        most = self._per_account if key.startswith("account ") else self._per_address
        return max(1, most // (self._sharing.parts if self._sharing is not None else 1))


class SocketOpenings:
    """The rate at which sockets may be opened, by account, or by network without one.

    Every socket is sent the whole table at first, so opening one costs the server far more than its
    caller. The terminals of a hall behind one address may still all reconnect at the same time.
    """

    def __init__(self, rate: Rate, clock: Clock) -> None:
        self._accounts = Buckets(rate, clock)
        self._visitors = NetworkBuckets(rate, clock)

    def share(self, name: str, sharing: Sharing) -> dict[str, Buckets]:
        """Count together with the other gateways; returns the buckets that they charge."""
        self._accounts.share(name, sharing)
        visitors = f"{name} of visitors"
        return {name: self._accounts, visitors: self._visitors.share(visitors, sharing)}

    def allow(self, *, account: str | None, address: str) -> bool:
        """Count a socket that is being opened; False if that exceeds the rate."""
        if account is not None:
            return self._accounts.take(account) == 0
        return self._visitors.take(address) == 0
