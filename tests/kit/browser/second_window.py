"""People who are not at the browser: programs that talk to the same server meanwhile.

Playwright's loop runs in the tests' own thread, so theirs runs in another one.
"""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

WAITING_SECONDS = 60

_Given = TypeVar("_Given")


class Elsewhere:
    """A loop in a thread of its own; use it with ``with``."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="elsewhere")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(WAITING_SECONDS)
        self._loop.close()

    def do(self, work: Coroutine[Any, Any, _Given]) -> _Given:
        """Let something be done there, and wait until it is."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(WAITING_SECONDS)
