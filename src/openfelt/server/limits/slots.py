"""A limited number of slots, for all callers and for each of them."""

import contextlib
from collections import Counter
from collections.abc import Iterator

from openfelt.server.errors import busy


class Slots:
    """Counts the slots that are taken.

    >>> slots = Slots(2, per_caller=1)
    >>> with slots.entered("ann"), slots.entered("bob"):
    ...     slots.taken
    2
    """

    def __init__(self, most: int, *, per_caller: int) -> None:
        self._most = most
        self._per_caller = per_caller
        self._inside: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """How many slots are taken."""
        return self._inside.total()

    @contextlib.contextmanager
    def entered(self, caller: str) -> Iterator[None]:
        """Take a slot for the duration of a block; raises Denied if none is free."""
        if self.taken >= self._most or self._inside[caller] >= self._per_caller:
            raise busy()
        self._inside[caller] += 1
        try:
            yield
        finally:
            self._inside[caller] -= 1
            if not self._inside[caller]:
                del self._inside[caller]
