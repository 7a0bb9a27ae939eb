"""An event loop for scripts that talk to the server while a browser is open.

Playwright's loop runs in the thread of the tests, so theirs runs in another one.
"""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

WAITING_SECONDS = 60

_Given = TypeVar("_Given")


class ScriptLoop:
    """An event loop in its own thread; use it with ``with``."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="scripts")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(WAITING_SECONDS)
        self._loop.close()

    def do(self, work: Coroutine[Any, Any, _Given]) -> _Given:
        """Run a coroutine there and wait for its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(WAITING_SECONDS)
