"""A thread pool for slow work, with a bounded queue."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from openfelt.server.errors import busy

_Result = TypeVar("_Result")


class BoundedPool:
    """Runs slow work in a few separate threads, so that other requests do not wait for it."""

    def __init__(self, name: str, *, threads: int, waiting_max: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._slots = threading.Semaphore(threads + waiting_max)

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """Run some work and return its result; raises Denied if the queue is full."""
        if not self._slots.acquire(blocking=False):
            raise busy()
        try:
            future = self._threads.submit(work)
        except BaseException:
            self._slots.release()
            raise
        # Work that has started runs to its end even if its caller has gone, and so keeps its slot.
        future.add_done_callback(lambda _: self._slots.release())
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Finish running work, drop what waits, and end the threads."""
        self._threads.shutdown(cancel_futures=True)
