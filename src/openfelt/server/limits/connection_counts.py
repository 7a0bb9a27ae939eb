"""How many HTTP connections each network has open, here and at the other gateways of the house."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from openfelt.server.limits.rates import Sharing

TOLD_PARTS: Final = 20
"""A number is told to other gateways when it passes a multiple of one of so many parts of the
limit, so a client with a few connections costs no message."""


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
        """The connections of each network at other gateways, as far as they are told."""
        self._sharing: Sharing | None = None
        self._on_change: Callable[[Sequence[str]], None] | None = None
        self.on_excess: Callable[[str], None] = lambda _: None
        """Called with a network that has too many once others have told theirs."""

    @property
    def here(self) -> Mapping[str, int]:
        """The open connections in this process, of networks that have enough to be told."""
        return {network: count for network, count in self._open.items() if count >= self._step}

    def share(self, sharing: Sharing, on_change: Callable[[Sequence[str]], None]) -> None:
        """Count with the other gateways of the house; tell networks whose number has changed."""
        self._sharing, self._on_change = sharing, on_change

    def add(self, network: str) -> None:
        """Count a connection that was opened."""
        self._change(network, self._open[network] + 1)

    def remove(self, network: str) -> None:
        """Count a connection no longer."""
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
        """Another gateway has these connections now, and had those before."""
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

        A gateway cannot close what is idle at another one. So none closes any of its own as long
        as it has no more than its part of the limit: a newcomer is let in, and the gateway that
        has the most makes room. A process that cannot hear the others has its part alone.
        """
        count = self._open[network]
        if self._sharing is None:
            return count > self._most
        in_all = count + self._elsewhere[network]
        exceeded = self._sharing.parts > 1 or in_all > self._most
        return exceeded and count > max(1, self._most // self._sharing.gateways)
