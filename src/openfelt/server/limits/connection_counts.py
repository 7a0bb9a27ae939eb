"""How many HTTP connections each network has open, here and at the other gateways of the house."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from openfelt.server.limits.rates import Sharing

TOLD_PARTS: Final = 20
"""The limit is divided into this many parts, and a number is sent to other gateways when it crosses
from one part into another. So a client with a few connections costs no message."""


class ConnectionCounts:
    """Counts open connections against one limit of each network.

    >>> counts = ConnectionCounts(2)
    >>> for _ in range(3):
    ...     counts.add("203.0.113.9/32")
    >>> counts.is_exceeded("203.0.113.9/32")
    True
    """

    def __init__(self, per_network: int) -> None:
        self._most = per_network
        self._step = max(1, per_network // TOLD_PARTS)
        self._open: Counter[str] = Counter()
        self._elsewhere: Counter[str] = Counter()
        """The connections of each network at other gateways, as reported by these."""
        self._sharing: Sharing | None = None
        self._on_change: Callable[[Sequence[str]], None] | None = None
        self.on_excess: Callable[[str], None] = lambda _: None
        """Called with a network that turns out to have too many after a report from another
        gateway."""

    @property
    def here(self) -> Mapping[str, int]:
        """The open connections in this process, for networks that have enough to be reported."""
        return {network: count for network, count in self._open.items() if count >= self._step}

    def share(self, sharing: Sharing, on_change: Callable[[Sequence[str]], None]) -> None:
        """Count together with the other gateways; report changed networks to ``on_change``."""
        self._sharing, self._on_change = sharing, on_change

    def add(self, network: str) -> None:
        """Count a connection that was opened."""
        self._change(network, self._open[network] + 1)

    def remove(self, network: str) -> None:
        """Stop counting a connection."""
        self._change(network, self._open[network] - 1)

    def _change(self, network: str, count: int) -> None:
        steps = self._open[network] // self._step
        if count > 0:
            self._open[network] = count
        else:
            del self._open[network]
        if self._on_change is not None and count // self._step != steps:
            self._on_change((network,))

    def elsewhere(self, before: Mapping[str, int], now: Mapping[str, int]) -> None:
        """Replace the numbers of another gateway: those before by those now."""
        self._elsewhere.update(now)
        self._elsewhere.subtract(before)
        for network in (*before, *now):
            if self._elsewhere[network] <= 0:
                del self._elsewhere[network]
        for network in now:
            if self.is_exceeded(network):
                self.on_excess(network)

    def is_exceeded(self, network: str) -> bool:
        """Whether this process has to close a connection of a network.

        A gateway cannot close the idle connections of another one. So it closes none of its own as
        long as it has no more than its part of the limit: a new connection is accepted, and a
        gateway that has more than its part makes room. A process that is cut off from the others
        has only its part.
        """
        count = self._open[network]
        if self._sharing is None:
            return count > self._most
        in_all = count + self._elsewhere[network]
        exceeded = self._sharing.parts > 1 or in_all > self._most
        return exceeded and count > max(1, self._most // self._sharing.gateways)
