"""An outage is one line in the log when it begins, and one when it is over."""

import asyncio
import logging

import pytest

from openfelt.runtime.outage_log import OutageLog
from openfelt.runtime.tables.floor import every
from openfelt.storage.door import StoreError, Unavailable
from tests.kit.floors import until

logger = logging.getLogger("openfelt.test")


def test_an_outage_is_told_once_and_a_new_reason_again(caplog: pytest.LogCaptureFixture) -> None:
    outage = OutageLog(logger, "meters are not read")
    for port in (5432, 5433):
        outage.failed(Unavailable(f"The database server cannot be reached: port {port}."))
    assert caplog.messages == [
        "meters are not read: The database server cannot be reached: port 5432."
    ]
    outage.failed(StoreError("The disk is full."))
    assert caplog.messages[1:] == ["meters are not read: The disk is full."]
    outage.over()
    outage.over()
    assert caplog.messages[2:] == ["over: meters are not read"]
    outage.failed(StoreError("The disk is full."))
    assert len(caplog.messages) == 4


async def test_a_chore_that_is_tried_again_and_again_does_not_fill_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tries = 0

    async def read_meters() -> None:
        nonlocal tries
        tries += 1
        if tries < 20:
            raise Unavailable("The database file is gone.")

    task = asyncio.create_task(every(0, read_meters))
    await until(lambda: tries > 25)
    task.cancel()
    assert caplog.messages == [
        "the store is unavailable, read_meters waits: The database file is gone.",
        "over: the store is unavailable, read_meters waits",
    ]
