"""A thread pool for expensive work of many callers, who take turns.

Each caller has its own queue and the queues are served in turn, so a caller who floods the pool
delays only its own work. Work of recognised callers comes before that of others, and has its own
places in the queue. Work whose caller has gone is dropped before it starts.
"""

import asyncio
import contextlib
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from openfelt.server.errors import busy

REST_SECONDS_MAX: Final = 1.0
"""The longest rest. Where other programs occupy the processors, work takes long without having used
them, and waiting callers should not wait for a long rest as well."""

_Result = TypeVar("_Result")
_Turn = asyncio.Future[None]


class FairPool:
    """Runs work in a few threads, one piece of each caller at a time. It belongs to one loop."""

    def __init__(
        self,
        name: str,
        *,
        threads: int,
        waiting_max: int,
        waiting_per_caller: int,
        rest: float = 0,
    ) -> None:
        """A thread rests after each piece of work, ``rest`` times as long as that has taken, but
        no longer than ``REST_SECONDS_MAX``."""
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._free = threads
        self._rest = rest
        self._waiting_max = waiting_max
        self._waiting_per_caller = waiting_per_caller
        self._queues: OrderedDict[str, deque[_Turn]] = OrderedDict()
        """The turns of waiting work, by caller; the first caller is next."""
        self._recognised: deque[_Turn] = deque()
        """The turns of recognised callers, which come first."""

    @property
    def waiting(self) -> int:
        """How much work waits for a thread."""
        return len(self._recognised) + sum(map(len, self._queues.values()))

    async def run(
        self, work: Callable[[], _Result], *, caller: str, recognised: bool = False
    ) -> _Result:
        """Run some work and return its result; raises Denied if too much waits already.

        However many others wait, the work of a ``recognised`` caller is next.
        """
        if self._free:
            self._free -= 1
        elif recognised:
            await self._recognised_turn()
        else:
            await self._turn(caller)
        began = time.monotonic()
        try:
            future = self._executor.submit(work)
        except BaseException:
            self._pass_on()
            raise
        # Work that has started runs to its end even if its caller has gone.
        loop = asyncio.get_running_loop()

        def done(_: object) -> None:
            rest = min(self._rest * (time.monotonic() - began), REST_SECONDS_MAX)
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(loop.call_later, rest, self._pass_on)

        future.add_done_callback(done)
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Finish running work, drop what waits, and end the threads."""
        for queue in (self._recognised, *self._queues.values()):
            for turn in queue:
                turn.cancel()
        self._executor.shutdown(cancel_futures=True)

    async def _turn(self, caller: str) -> None:
        """Wait for a thread."""
        queue = self._queues.get(caller, ())
        if len(queue) >= self._waiting_per_caller:
            raise busy()
        if self.waiting - len(self._recognised) >= self._waiting_max:
            self._make_room(len(queue) + 1)
        turn: _Turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(caller, deque()).append(turn)
        await self._wait(turn, lambda: self._forget(caller, turn))

    async def _recognised_turn(self) -> None:
        """Wait for a thread, ahead of all callers who are not recognised."""
        if len(self._recognised) >= self._waiting_max:
            raise busy()
        turn: _Turn = asyncio.get_running_loop().create_future()
        self._recognised.append(turn)
        await self._wait(turn, lambda: _discard(self._recognised, turn))

    async def _wait(self, turn: _Turn, forget: Callable[[], None]) -> None:
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                # The turn came just as its caller left.
                self._pass_on()
            else:
                forget()
            raise

    def _make_room(self, count: int) -> None:
        """Refuse the newest work of the caller with the most, unless the new caller has as much."""
        largest = max(self._queues, key=lambda caller: len(self._queues[caller]))
        if len(self._queues[largest]) <= count:
            raise busy()
        turn = self._queues[largest].pop()
        if not turn.done():
            turn.set_exception(busy())

    def _pass_on(self) -> None:
        """Give a thread that has become free to the next caller in turn."""
        while self._recognised:
            turn = self._recognised.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        while self._queues:
            caller, queue = next(iter(self._queues.items()))
            turn = queue.popleft()
            if queue:
                self._queues.move_to_end(caller)
            else:
                del self._queues[caller]
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _forget(self, caller: str, turn: _Turn) -> None:
        queue = self._queues.get(caller)
        if queue is None:
            return
        _discard(queue, turn)
        if not queue:
            del self._queues[caller]


def _discard(queue: deque[_Turn], turn: _Turn) -> None:
    with contextlib.suppress(ValueError):
        queue.remove(turn)
