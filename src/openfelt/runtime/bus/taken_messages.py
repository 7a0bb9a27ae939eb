"""Protection against replay: the numbers of the bus messages that a process has already taken.

Every sender numbers its messages. A reader keeps the last numbers of each sender and takes none of
them twice; a message that is older than all of them is not taken either. Only messages with a valid
seal are counted, so an outsider cannot fill the memory.
"""

import heapq
from dataclasses import dataclass, field
from typing import Final

from openfelt.runtime.clock import Clock

KEPT_MAX: Final = 256
"""How many numbers of a sender are kept; at most this many messages may overtake another one."""


@dataclass(slots=True)
class _Taken:
    """The last numbers of one sender that one reader has taken."""

    numbers: set[int] = field(default_factory=set)
    order: list[int] = field(default_factory=list)
    """The same numbers as a heap."""
    floor: int = 0
    """This number and all before it count as taken."""
    last_ms: int = 0

    def take(self, number: int) -> bool:
        if number <= self.floor or number in self.numbers:
            return False
        self.numbers.add(number)
        heapq.heappush(self.order, number)
        if len(self.order) > KEPT_MAX:
            self.floor = heapq.heappop(self.order)
            self.numbers.discard(self.floor)
        return True


class TakenMessages:
    """The numbers of all readers and senders."""

    def __init__(self, clock: Clock, *, forget_ms: int) -> None:
        """A sender that was silent for ``forget_ms`` is forgotten: its messages are too old."""
        self._clock = clock
        self._forget_ms = forget_ms
        self._taken: dict[tuple[str, str], _Taken] = {}
        self._looked_ms = clock.monotonic_ms()

    def take(self, reader: str, sender: str, number: int) -> bool:
        """Note a message; False if this reader has taken it before.

        >>> from openfelt.runtime.clock import SystemClock
        >>> taken = TakenMessages(SystemClock(), forget_ms=1000)
        >>> [taken.take("table.a.commands", "gateway", number) for number in (1, 3, 2, 3)]
        [True, True, True, False]
        """
        now_ms = self._clock.monotonic_ms()
        if now_ms - self._looked_ms > self._forget_ms:
            self._forget_silent(now_ms)
        taken = self._taken.setdefault((reader, sender), _Taken())
        taken.last_ms = now_ms
        return taken.take(number)

    def _forget_silent(self, now_ms: int) -> None:
        self._looked_ms, limit_ms = now_ms, now_ms - self._forget_ms
        self._taken = {at: taken for at, taken in self._taken.items() if taken.last_ms > limit_ms}
