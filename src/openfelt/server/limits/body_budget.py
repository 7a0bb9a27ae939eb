"""The memory of request bodies: how many bytes the server holds for all callers and for each site.

A body counts from its first byte until its request is answered, so unfinished bodies count too.
"""

import asyncio
from collections import defaultdict
from types import TracebackType
from typing import Self

from openfelt.server.errors import busy
from openfelt.server.limits.networks import site_of


class BodyBudget:
    """Counts the bytes of all bodies that are held.

    >>> budget = BodyBudget(total=10, per_site=8)
    >>> with budget.hold("203.0.113.9") as body, budget.hold("203.0.113.10") as other:
    ...     body.add(8)
    ...     other.add(2)
    ...     budget.held
    10
    >>> budget.held
    0
    """

    def __init__(self, *, total: int, per_site: int) -> None:
        self._total = total
        self._per_site = per_site
        self._unfinished: defaultdict[str, dict[HeldBody, None]] = defaultdict(dict)
        """The unfinished bodies of each site, oldest first."""
        self._bytes: defaultdict[str, int] = defaultdict(int)
        self.held = 0

    def hold(self, address: str) -> "HeldBody":
        """A body from an address; it is released at the end of its ``with`` block."""
        return HeldBody(self, site_of(address))

    def add(self, body: "HeldBody", count: int) -> None:
        """Count bytes of a body; raises Denied if too many are held."""
        if self._bytes[body.site] + count > self._per_site:
            raise busy()
        self._unfinished[body.site][body] = None
        self._bytes[body.site] += count
        self.held += count
        body.length += count
        while self.held > self._total:
            self._make_room(body)

    def finish(self, body: "HeldBody") -> None:
        """Note that a body is complete: its request will be answered."""
        self._unfinished[body.site].pop(body, None)
        if not self._unfinished[body.site]:
            del self._unfinished[body.site]

    def release(self, body: "HeldBody") -> None:
        """Forget a body."""
        self.finish(body)
        self.held -= body.length
        self._bytes[body.site] -= body.length
        if not self._bytes[body.site]:
            del self._bytes[body.site]
        body.length = 0

    def _make_room(self, newest: "HeldBody") -> None:
        """Drop the oldest unfinished body of the site that holds the most; refuse the newest body
        if it is that one."""
        largest = max(self._unfinished, key=self._bytes.__getitem__)
        oldest = next(iter(self._unfinished[largest]))
        self.release(oldest)
        if oldest is newest:
            raise busy()
        oldest.drop()


class HeldBody:
    """The body of one request. It belongs to the task that makes it."""

    def __init__(self, budget: BodyBudget, site: str) -> None:
        self._budget = budget
        self._task = _task()
        self.site = site
        self.length = 0
        self.dropped = False
        """Whether it was dropped to make room for other bodies; then its task is cancelled."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._budget.release(self)

    def add(self, count: int) -> None:
        """Count bytes that have come in; raises Denied if there are too many."""
        if count:
            self._budget.add(self, count)

    def finish(self) -> None:
        """Note that the body is complete."""
        self._budget.finish(self)

    def drop(self) -> None:
        """Cancel the task that waits for the rest of the body."""
        self.dropped = True
        if self._task is not None:
            self._task.cancel()


def _task() -> "asyncio.Task[object] | None":
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None
