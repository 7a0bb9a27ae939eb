"""Bounded pools: a few threads, a bounded queue, and refusals beyond it."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import closing

import pytest

from openfelt.server.credentials import passwords
from openfelt.server.errors import Denied
from openfelt.server.limits import work_pools
from openfelt.server.limits.bounded_pool import BoundedPool
from tests.kit.server.open_house import PASSWORD, OpenHouse, name_of, quick_passwords


class Gate:
    """Work that continues once the gate is opened."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self.begun = 0

    def work(self) -> None:
        self.begun += 1
        assert self._open.wait(60)

    def open(self) -> None:
        self._open.set()

    async def begin(self, do: Callable[..., object], count: int) -> list[asyncio.Task[None]]:
        """Begin so many pieces of work, and let them take their places."""
        tasks = [asyncio.ensure_future(do(self.work)) for _ in range(count)]  # type: ignore[call-overload]
        await asyncio.sleep(0)
        return tasks


async def test_work_beyond_the_queue_is_refused() -> None:
    gate = Gate()
    with closing(BoundedPool("test", threads=2, waiting_max=3)) as pool:
        tasks = await gate.begin(pool.run, 5)
        with pytest.raises(Denied) as refused:
            await pool.run(gate.work)
        assert (refused.value.status, refused.value.code) == (503, "busy")
        assert refused.value.wait_ms
        gate.open()
        await asyncio.gather(*tasks)
        assert gate.begun == 5
        assert await pool.run(lambda: "done") == "done"


async def test_abandoned_work_frees_its_slot_once_it_is_finished() -> None:
    gate = Gate()
    with closing(BoundedPool("test", threads=1, waiting_max=1)) as pool:
        going, waiting = await gate.begin(pool.run, 2)
        while not gate.begun:  # noqa: ASYNC110 (a thread has no bell)
            await asyncio.sleep(0.001)
        for task in (going, waiting):
            task.cancel()
        await asyncio.gather(going, waiting, return_exceptions=True)
        (next_one,) = await gate.begin(pool.run, 1)
        with pytest.raises(Denied):
            await pool.run(gate.work)
        gate.open()
        await next_one


async def test_work_that_fails_frees_its_slot() -> None:
    with closing(BoundedPool("test", threads=1, waiting_max=0)) as pool:
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await pool.run(lambda: 1 // 0)


async def test_too_many_passwords_at_once_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate()
    with closing(quick_passwords()) as kept:
        monkeypatch.setattr(kept, "_verify", lambda *_: gate.work())
        count = passwords.THREADS_MAX + passwords.WAITING_MAX
        checks = [
            asyncio.ensure_future(kept.matches("x", "y", caller=str(number)))
            for number in range(count)
        ]
        await asyncio.sleep(0)
        for asked in (kept.matches("x", "y", caller="z"), kept.hash("a password", caller="z")):
            with pytest.raises(Denied):
                await asked
        gate.open()
        await asyncio.gather(*checks)


async def test_an_endpoint_answers_that_the_server_is_busy(house: OpenHouse) -> None:
    gate, guest = Gate(), await house.guest()
    await house.sit("draw-1", await name_of(guest), 1)
    await house.bet("draw-1", 1)
    number = await house.play("draw-1")
    count = work_pools.ROUND_THREADS + work_pools.ROUNDS_WAITING_MAX
    tasks = await gate.begin(house.services.round_pool.run, count)
    path = f"/api/v1/tables/draw-1/rounds/{number}"
    busy = await guest.get(path)
    assert (busy.status_code, busy.json()["code"]) == (503, "busy")
    assert busy.headers["retry-after"] == "1"
    # Sign-ins and play are not affected.
    body = {"name": "ann", "password": PASSWORD}
    assert (await (await house.client()).post("/api/v1/sign-up", json=body)).status_code == 200
    gate.open()
    await asyncio.gather(*tasks)
    assert (await guest.get(path)).status_code == 200
