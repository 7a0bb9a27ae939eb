"""An event loop whose time is virtual: it passes only while all tasks wait, and then at once.

Work that the program gives to threads is done in place, so one seed does everything in one thread.
"""

import asyncio
import contextlib
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

START_MS = 1_800_000_000_000
Result = TypeVar("Result")


class _Selector(selectors.SelectSelector):
    """Waits for nothing: the time that it would wait passes for the loop."""

    def __init__(self) -> None:
        super().__init__()
        self.passed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Let the time pass."""
        if timeout is None:
            raise RuntimeError("all tasks wait for something that does not come")
        self.passed += max(timeout, 0)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """Runs tasks in virtual time."""

    def __init__(self) -> None:
        self._virtual = _Selector()
        super().__init__(self._virtual)

    def time(self) -> float:
        """The virtual time in seconds."""
        return self._virtual.passed

    def run_in_executor(  # type: ignore[override]
        self, _: object, work: Callable[..., Any], *arguments: Any
    ) -> "asyncio.Future[Any]":
        """Do the work in place."""
        done = self.create_future()
        try:
            done.set_result(work(*arguments))
        except Exception as error:  # noqa: BLE001 (as a thread would tell it)
            done.set_exception(error)
        return done


class VirtualClock:
    """The clock of all processes of one simulation."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop

    def wall_ms(self) -> int:
        """The time of day."""
        return START_MS + self.monotonic_ms()

    def monotonic_ms(self) -> int:
        """The time since the simulation began."""
        return round(self._loop.time() * 1000)


def run_virtually(work: Callable[[VirtualClock], Coroutine[Any, Any, Result]]) -> Result:
    """Run a coroutine in virtual time."""
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(work(VirtualClock(loop)))
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
            with contextlib.suppress(BaseException):
                loop.run_until_complete(task)
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
