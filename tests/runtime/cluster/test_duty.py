"""A duty is done by one process at a time, and taken over when that one ends or dies."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any

from openfelt.runtime.background import BackgroundTask
from openfelt.runtime.cluster.duty import Duty
from openfelt.runtime.streams import duty_stream
from tests.kit.floors import until
from tests.kit.storage.store_places import Place

TTL_MS = 150


class Worker:
    """A process with one duty, and whether it works."""

    def __init__(self, place: Place, name: str) -> None:
        self.duty = Duty(place.open(now_ms=place.clock), "house", owner=name, ttl_ms=TTL_MS)
        self.at_work = False
        self.task = asyncio.create_task(self.duty.run(self.work))

    def work(self) -> list[BackgroundTask]:
        return [self._work, self._fail]

    async def _work(self) -> None:
        self.at_work = True
        try:
            await asyncio.sleep(3600)
        finally:
            self.at_work = False

    async def _fail(self) -> None:
        raise ValueError("one task that fails does not end the others")

    async def end(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def test_one_process_works_and_the_next_follows_it(place: Place) -> None:
    async with AsyncExitStack() as stack:
        east = Worker(place, "east")
        stack.push_async_callback(east.end)
        await until(lambda: east.at_work)
        west = Worker(place, "west")
        stack.push_async_callback(west.end)
        await until(west.duty.is_held)
        assert not west.at_work
        assert not east.duty.is_held(), "it holds the lease itself"
        await east.end()
        await until(lambda: west.at_work)


async def test_a_duty_that_is_lost_is_laid_down(place: Place) -> None:
    async with AsyncExitStack() as stack:
        east = Worker(place, "east")
        stack.push_async_callback(east.end)
        await until(lambda: east.at_work)
        place.clock.ms += 3_600_000
        store = place.open()
        assert store.take_lease(duty_stream("house"), "west", ttl_ms=60_000) is not None
        await until(lambda: not east.at_work)
        assert east.duty.is_held()


async def test_work_that_is_done_once_waits_for_its_turn(place: Place) -> None:
    order: list[str] = []

    def worker(name: str) -> Callable[[], Coroutine[Any, Any, None]]:
        async def work() -> None:
            order.append(f"{name} begins")
            await asyncio.sleep(0)
            order.append(f"{name} ends")

        return work

    duties = {
        name: Duty(place.open(), "start", owner=name, ttl_ms=TTL_MS) for name in ("east", "west")
    }
    await asyncio.gather(*(duty.once(worker(name)) for name, duty in duties.items()))
    first = order[0].split()[0]
    second = "west" if first == "east" else "east"
    assert order == [f"{first} begins", f"{first} ends", f"{second} begins", f"{second} ends"]


async def test_a_process_that_has_lost_its_name_takes_no_duty(place: Place) -> None:
    store = place.open()
    duty = Duty(store, "house", owner="east", ttl_ms=TTL_MS, may_take=lambda: False)
    assert not await duty.attempt(list)
    assert store.held_leases(duty_stream("house")) == ()
