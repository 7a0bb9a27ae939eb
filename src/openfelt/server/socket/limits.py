"""How many sockets each address and each account has open, with a limit for both."""

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence

from prometheus_client import Gauge

from openfelt.server.settings import Limits


class SocketCounts:
    """Counts open sockets."""

    def __init__(self, limits: Limits, gauge: Gauge) -> None:
        self._limits = limits
        self._gauge = gauge
        self._open: Counter[str] = Counter()

    @contextlib.contextmanager
    def counted(self, keys: Sequence[str]) -> Iterator[bool]:
        """Count a socket under its keys while it is open; False if that exceeds a limit.

        >>> from prometheus_client import CollectorRegistry
        >>> counts = SocketCounts(
        ...     Limits(sockets_per_account=1),
        ...     Gauge("sockets", "open", registry=CollectorRegistry()),
        ... )
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
        limits = self._limits
        account = key.startswith("account ")
        return limits.sockets_per_account if account else limits.sockets_per_address
