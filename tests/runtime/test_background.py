"""Background tasks that fail, and go on."""

import asyncio

import pytest

from openfelt.runtime import background
from openfelt.runtime.background import kept_up
from openfelt.runtime.cluster.duty import Duty
from tests.kit.floors import until
from tests.kit.storage.store_places import Place


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "AGAIN_SECONDS", 0.001)


async def test_a_task_that_fails_is_logged_and_begins_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    begun = 0

    async def task() -> None:
        nonlocal begun
        begun += 1
        if begun < 3:
            raise ValueError(f"fault {begun}")

    await kept_up(task)
    assert begun == 3
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]
    assert caplog.text.count("is restarted: ValueError in test_background.py") == 2
    # It may come from within the rules, and quote a card.
    assert "fault 2" not in caplog.text
    assert not any(record.exc_info for record in caplog.records)


async def test_a_task_that_is_cancelled_stays_so() -> None:
    running = asyncio.create_task(kept_up(lambda: asyncio.sleep(3600)))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_work_for_the_house_goes_on_after_a_fault(place: Place) -> None:
    """A notary, say, that has met an unexpected error once signs again."""
    faults, done = [KeyError("once")], asyncio.Event()

    async def work() -> None:
        if faults:
            raise faults.pop()
        done.set()
        await asyncio.sleep(3600)

    duty = Duty(place.open(), "house", owner="east", ttl_ms=60_000)
    running = asyncio.create_task(duty.run(lambda: [work]))
    try:
        await until(done.is_set)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
