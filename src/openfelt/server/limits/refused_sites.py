"""Sites that keep sending requests although they are refused.

Even a refusal costs work: bytes are parsed, and an answer is written and logged. Responses to a
client that is refused repeatedly are therefore delayed, so that it sends less. One that continues
far beyond its limits, or floods socket after socket, is not answered for some seconds: its
connections are dropped before anything that they send is read. Its open sockets stay open.
"""

from collections import OrderedDict
from typing import Final

from openfelt.runtime.clock import Clock
from openfelt.server.limits.networks import site_of
from openfelt.server.limits.rates import KEYS_MAX, Buckets, Rate

REFUSALS: Final = Rate(per_minute=300, burst=300)
"""How many refusals a site gets before it is shut out. A refused browser waits before it
retries."""
FLOOD_REFUSALS: Final = 30
"""A socket that was closed for a flood, which no browser sends, counts as this many refusals."""
SHUT_OUT_MS: Final = 5_000
AT_ONCE: Final = Rate(per_minute=120, burst=60)
"""How many refusals a site gets without delay; each further one is delayed."""
AT_ONCE_BEYOND: Final = Rate(per_minute=60, burst=10)
"""The same for requests beyond a rate limit and for guessed tokens, which only a program sends in a
row."""
LATE_MS: Final = 1_000


class RefusedSites:
    """Counts the refusals of each site.

    >>> from openfelt.runtime.clock import SystemClock
    >>> sites = RefusedSites(SystemClock())
    >>> for _ in range(400):
    ...     sites.count("203.0.113.9")
    >>> sites.is_shut_out("203.0.113.9"), sites.is_shut_out("203.0.113.10")
    (True, False)
    >>> {sites.late_ms("203.0.113.11") for _ in range(61)} == {0, LATE_MS}
    True
    >>> {sites.late_ms("203.0.113.12", beyond=True) for _ in range(11)} == {0, LATE_MS}
    True
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._refusals = Buckets(REFUSALS, clock)
        self._at_once = Buckets(AT_ONCE, clock)
        self._at_once_beyond = Buckets(AT_ONCE_BEYOND, clock)
        self._until_ms: OrderedDict[str, int] = OrderedDict()

    def count(self, address: str, *, refusals: int = 1) -> None:
        """Note that a request from an address was refused, or an equivalent offence."""
        site = site_of(address)
        if not any(self._refusals.take(site) for _ in range(refusals)):
            return
        self._until_ms[site] = self._clock.monotonic_ms() + SHUT_OUT_MS
        self._until_ms.move_to_end(site)
        while len(self._until_ms) > KEYS_MAX:
            self._until_ms.popitem(last=False)

    def late_ms(self, address: str, *, beyond: bool = False) -> int:
        """The delay before a refusal is sent to an address; each call counts as one refusal.

        ``beyond`` says that the request was beyond a rate limit, or had a guessed token.
        """
        at_once = self._at_once_beyond if beyond else self._at_once
        return LATE_MS if at_once.take(site_of(address)) else 0

    def is_shut_out(self, address: str) -> bool:
        """Whether connections of an address are dropped at the moment."""
        if not self._until_ms:
            return False
        site = site_of(address)
        until_ms = self._until_ms.get(site)
        if until_ms is None:
            return False
        if until_ms > self._clock.monotonic_ms():
            return True
        del self._until_ms[site]
        return False
