"""Chores of a running server: decks whose time is over, and refusals of earlier versions."""

import asyncio
import logging
from typing import Final

from openfelt.runtime.rounds.purge import Purge
from openfelt.storage.door import Store, StoreError

PURGE_SECONDS: Final = 3600
"""How often decks are looked for whose time is over."""
PAUSE_SECONDS: Final = 0.05
"""The pause between two steps of a purge, in which tables write."""

logger = logging.getLogger(__name__)


async def purge_decks(purge: Purge, store: Store, *, keep_days: int) -> None:
    """Purge decks at every interval until cancelled; failures are logged and tried again."""
    while True:
        try:
            await _purge_all(purge, store, keep_days)
        except StoreError as error:
            logger.error("decks are not purged: %s", error)
        await asyncio.sleep(PURGE_SECONDS)


async def _purge_all(purge: Purge, store: Store, keep_days: int) -> None:
    purged = 0
    for table in await asyncio.to_thread(purge.tables):
        while rounds := await asyncio.to_thread(purge.step, table, keep_days=keep_days):
            purged += rounds
            await asyncio.sleep(PAUSE_SECONDS)
    if purged:
        await asyncio.to_thread(store.scrub)
        logger.info("the decks of %d rounds have been purged", purged)


async def forget_old_refusals(store: Store) -> None:
    """Remove the refusals that earlier versions have stored, a page at a time."""
    after = ("", "", "")
    while True:
        try:
            page_end = await asyncio.to_thread(store.forget_old_refusals, after)
        except StoreError as error:
            logger.error("old refusals are not removed: %s", error)
            return
        if page_end is None:
            return
        after = page_end
        await asyncio.sleep(PAUSE_SECONDS)
