"""Hard work: what takes long has few threads of its own, and only so much of it may wait."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Final, TypeVar

from openfelt.server.http.errors import Denied

AGAIN_MS: Final = 1000
"""After how long it is worth while to ask again."""

_Given = TypeVar("_Given")


class HardWork:
    """Does what takes long, a few pieces at a time. Nobody else is kept waiting by it."""

    def __init__(self, name: str, *, at_once: int, waiting_max: int) -> None:
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix=name)
        self._room = threading.Semaphore(at_once + waiting_max)

    async def do(self, work: Callable[[], _Given]) -> _Given:
        """What the work gives, once its turn has come; refuses it where too much waits."""
        if not self._room.acquire(blocking=False):
            raise Denied(
                HTTPStatus.SERVICE_UNAVAILABLE,
                "busy",
                "There is too much to do at the moment; try again.",
                wait_ms=AGAIN_MS,
            )
        try:
            doing = self._threads.submit(work)
        except BaseException:
            self._room.release()
            raise
        # Work goes on although nobody may want it any more, so its place is free only then.
        doing.add_done_callback(lambda _: self._room.release())
        return await asyncio.wrap_future(doing)

    def close(self) -> None:
        """Finish what has begun, forget what waits, and let the threads go."""
        self._threads.shutdown(cancel_futures=True)
