"""The memory of bodies: limits of each site and of all, and which body gives way."""

import asyncio

import pytest

from openfelt.server.errors import Denied
from openfelt.server.limits.body_budget import BodyBudget


def test_a_site_holds_so_many_bytes_and_no_more() -> None:
    budget = BodyBudget(total=100, per_site=10)
    with budget.hold("2001:db8:1:1::1") as first, budget.hold("2001:db8:1:2::1") as second:
        first.add(6)
        second.add(4)
        with pytest.raises(Denied):
            second.add(1)
        with budget.hold("2001:db8:2::1") as other:
            other.add(10)
    assert budget.held == 0


async def test_the_oldest_unfinished_body_of_the_largest_site_gives_way() -> None:
    budget = BodyBudget(total=20, per_site=15)
    dropped: list[str] = []

    async def send(name: str, address: str, count: int) -> None:
        with budget.hold(address) as body:
            try:
                body.add(count)
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                assert body.dropped
                dropped.append(name)

    tasks = [
        asyncio.create_task(send("first", "192.0.2.1", 7)),
        asyncio.create_task(send("second", "192.0.2.1", 7)),
        asyncio.create_task(send("small", "198.51.100.7", 5)),
    ]
    await asyncio.sleep(0)
    with budget.hold("203.0.113.9") as new:
        new.add(6)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert dropped == ["first"]
        assert budget.held == 18
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_a_finished_body_does_not_give_way() -> None:
    budget = BodyBudget(total=10, per_site=10)
    with budget.hold("192.0.2.1") as finished, budget.hold("198.51.100.7") as late:
        finished.add(8)
        finished.finish()
        with pytest.raises(Denied):
            late.add(5)
        assert not finished.dropped
        assert budget.held == 8
