"""Background tasks that are restarted: an unexpected failure is logged first."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from openfelt.storage.door import shown_error

AGAIN_SECONDS: Final = 5
"""How long after its failure a task is restarted."""

BackgroundTask = Callable[[], Coroutine[Any, Any, None]]
"""Makes a task, which runs until it is cancelled or has nothing left to do."""

logger = logging.getLogger(__name__)


async def kept_up(task: BackgroundTask) -> None:
    """Run a task until it ends by itself, however often it fails.

    Tasks deal with the failures that they expect. An unexpected one must not end the signing of
    checkpoints, say, until a person restarts the server.
    """
    while True:
        try:
            await task()
        except Exception as error:  # noqa: BLE001 (its trace might quote a card)
            logger.error("a background task failed and is restarted: %s", shown_error(error))
            await asyncio.sleep(AGAIN_SECONDS)
        else:
            return
