"""Fair pools: callers take turns, floods are refused, and abandoned work is not done."""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

import pytest

from openfelt.server.errors import Denied
from openfelt.server.limits import fair_pool
from openfelt.server.limits.fair_pool import FairPool

_Result = TypeVar("_Result")


class Bench:
    """A pool of one thread that is busy until it is let go, and notes what it does."""

    def __init__(self, pool: FairPool) -> None:
        self.pool = pool
        self.done: list[str] = []
        self._open = threading.Event()

    async def occupy(self) -> "asyncio.Task[bool]":
        """Keep the thread busy."""
        return await self.begin(lambda: self._open.wait(60), caller="first")

    def let_go(self) -> None:
        """Let the thread go on."""
        self._open.set()

    async def wait(
        self, name: str, caller: str, *, recognised: bool = False
    ) -> "asyncio.Task[None]":
        """Queue a piece of work."""
        return await self.begin(
            lambda: self.done.append(name), caller=caller, recognised=recognised
        )

    async def begin(
        self, work: Callable[[], _Result], *, caller: str, recognised: bool = False
    ) -> "asyncio.Task[_Result]":
        """Begin some work, and let it take its place in the queue."""
        task = asyncio.ensure_future(self.pool.run(work, caller=caller, recognised=recognised))
        await asyncio.sleep(0)
        return task


def pool(*, waiting_max: int = 8, per_caller: int = 4) -> FairPool:
    return FairPool("test", threads=1, waiting_max=waiting_max, waiting_per_caller=per_caller)


async def test_a_flood_delays_only_itself() -> None:
    with closing(pool()) as fair:
        bench = Bench(fair)
        tasks: list[asyncio.Task[None]] = []
        busy = await bench.occupy()
        tasks += [await bench.wait(f"flood {number}", "flood") for number in range(4)]
        tasks.append(await bench.wait("ann", "ann"))
        bench.let_go()
        await asyncio.gather(busy, *tasks)
        assert bench.done[:2] == ["flood 0", "ann"]


async def test_recognised_callers_come_before_any_number_of_strangers() -> None:
    with closing(pool()) as fair:
        bench = Bench(fair)
        busy = await bench.occupy()
        tasks = [await bench.wait(f"stranger {number}", f"{number}") for number in range(8)]
        gone = await bench.wait("gone", "bob", recognised=True)
        tasks.append(await bench.wait("ann", "ann", recognised=True))
        assert fair.waiting == 10
        gone.cancel()
        bench.let_go()
        await asyncio.gather(busy, *tasks)
        assert bench.done[:2] == ["ann", "stranger 0"]


async def test_a_thread_rests_as_long_as_it_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_pool, "REST_SECONDS_MAX", 1000)
    fair = FairPool("test", threads=1, waiting_max=8, waiting_per_caller=4, rest=10_000)
    with closing(fair):
        await fair.run(lambda: time.sleep(0.01), caller="ann")
        waiting = asyncio.ensure_future(fair.run(lambda: None, caller="bob"))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        assert fair.waiting == 1
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def test_work_that_took_long_is_followed_by_a_short_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on a machine whose processors other programs have."""
    monkeypatch.setattr(fair_pool, "REST_SECONDS_MAX", 0.01)
    fair = FairPool("test", threads=1, waiting_max=8, waiting_per_caller=4, rest=10_000)
    with closing(fair):
        async with asyncio.timeout(60):
            for caller in ("ann", "bob"):
                await fair.run(lambda: time.sleep(0.01), caller=caller)


async def test_a_caller_has_so_many_places_and_no_more() -> None:
    with closing(pool(per_caller=2)) as fair:
        bench = Bench(fair)
        busy = await bench.occupy()
        tasks = [await bench.wait("flood", "flood") for _ in range(2)]
        with pytest.raises(Denied, match="busy"):
            await fair.run(lambda: None, caller="flood")
        bench.let_go()
        await asyncio.gather(busy, *tasks)


async def test_a_full_queue_makes_room_for_a_caller_with_less() -> None:
    with closing(pool(waiting_max=4, per_caller=4)) as fair:
        bench = Bench(fair)
        busy = await bench.occupy()
        flood = [await bench.wait(f"flood {number}", "flood") for number in range(4)]
        ann = await bench.wait("ann", "ann")
        bench.let_go()
        results = await asyncio.gather(busy, ann, *flood, return_exceptions=True)
        assert sum(isinstance(result, Denied) for result in results) == 1
        assert isinstance(results[-1], Denied)
        assert bench.done == ["flood 0", "ann", "flood 1", "flood 2"]


async def test_work_whose_caller_has_gone_is_not_done() -> None:
    with closing(pool()) as fair:
        bench = Bench(fair)
        busy = await bench.occupy()
        gone = [await bench.wait(f"gone {number}", "flood") for number in range(3)]
        stays = await bench.wait("stays", "flood")
        for task in gone:
            task.cancel()
        await asyncio.gather(*gone, return_exceptions=True)
        assert fair.waiting == 1
        bench.let_go()
        await asyncio.gather(busy, stays)
        assert bench.done == ["stays"]
        assert await fair.run(lambda: "again", caller="ann") == "again"


async def test_a_turn_that_comes_while_its_caller_goes_is_passed_on() -> None:
    with closing(pool()) as fair:
        bench = Bench(fair)
        busy = await bench.occupy()
        gone, stays = await bench.wait("gone", "a"), await bench.wait("stays", "b")
        bench.let_go()
        await busy
        gone.cancel()
        await asyncio.gather(gone, stays, return_exceptions=True)
        assert "stays" in bench.done
        assert await fair.run(lambda: "again", caller="ann") == "again"


async def test_work_that_fails_frees_its_thread() -> None:
    with closing(pool()) as fair:
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await fair.run(lambda: 1 // 0, caller="ann")
