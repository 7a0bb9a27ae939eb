"""Chores of a running server: data past its term, finished days, expired vouchers, and refusals of
earlier versions."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Final

from openfelt.runtime.cage.days.day_closings import DayClosings
from openfelt.runtime.cage.days.takings import TakingsBook
from openfelt.runtime.cage.vouchers import Vouchers
from openfelt.runtime.clock import Clock
from openfelt.runtime.rounds.purge import Purge
from openfelt.storage.door import Store, StoreError, Unavailable

PURGE_SECONDS: Final = 3600
"""How often the server searches for decks that have passed their term."""
CLOSE_SECONDS: Final = 300
"""How often the server searches for days to close and for expired vouchers."""
PAUSE_SECONDS: Final = 0.05
"""The pause between two steps of a purge, in which tables write."""
BALANCE_STEPS_MAX: Final = 10_000
"""How often empty accounts are searched in one interval; finished rounds leave further ones."""

logger = logging.getLogger(__name__)


async def drop_after_terms(
    purge: Purge, store: Store, *, keep_days: int, keep_proofs_days: int | None
) -> None:
    """Drop old decks, empty accounts and notes of processes at every interval until cancelled.

    Failures are logged, and tried again at the next interval.
    """
    while True:
        try:
            await _purge_all(purge, store, keep_days, keep_proofs_days)
            await _drop_zero_balances(store)
            await asyncio.to_thread(store.purge_notes)
        except StoreError as error:
            logger.error("data that has passed its term could not be dropped: %s", error)
        await asyncio.sleep(PURGE_SECONDS)


async def _purge_all(
    purge: Purge, store: Store, keep_days: int, keep_proofs_days: int | None
) -> None:
    purged = 0
    for table in await asyncio.to_thread(purge.tables):
        try:
            async for rounds in _purge_table(purge, table, keep_days, keep_proofs_days):
                purged += rounds
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001 (whatever a damaged record makes of it)
            # A table that cannot be read delays no other. Only errors of the store are logged in
            # full: any other comes from within a record, and might quote a card.
            cause = error if isinstance(error, StoreError) else type(error).__name__
            logger.error("the old cards of table %s could not be purged: %s", table, cause)
    if purged:
        await asyncio.to_thread(store.scrub)
        logger.info("the decks or proofs of %d rounds have been purged", purged)


async def _purge_table(
    purge: Purge, table: str, keep_days: int, keep_proofs_days: int | None
) -> AsyncIterator[int]:
    """Purge one table, some rounds at a time; returns how many."""
    if keep_proofs_days:
        while proofs := await asyncio.to_thread(
            purge.drop_proofs, table, keep_days=keep_proofs_days
        ):
            yield proofs
            await asyncio.sleep(PAUSE_SECONDS)
    while rounds := await asyncio.to_thread(purge.step, table, keep_days=keep_days):
        yield rounds
        await asyncio.sleep(PAUSE_SECONDS)


async def _drop_zero_balances(store: Store) -> None:
    """Remove the accounts that hold nothing, most of them of finished rounds."""
    for _ in range(BALANCE_STEPS_MAX):
        if not await asyncio.to_thread(store.drop_zero_balances):
            return
        await asyncio.sleep(PAUSE_SECONDS)


async def close_days(closings: DayClosings, takings: TakingsBook, clock: Clock) -> None:
    """Close days that are over and count their takings, until cancelled.

    Failures are logged and tried again.
    """
    while True:
        try:
            if closed := await asyncio.to_thread(closings.close_due, clock):
                logger.info("%d days of the book are closed", closed)
            if counted := await asyncio.to_thread(takings.count_due, clock):
                logger.info("the takings of %d days are counted", counted)
        except StoreError as error:
            logger.error("the days of the book could not be closed: %s", error)
        await asyncio.sleep(CLOSE_SECONDS)


async def expire_vouchers(vouchers: Vouchers) -> None:
    """Expire vouchers that are past their term, until cancelled; failures are tried again."""
    while True:
        try:
            if expired := await asyncio.to_thread(vouchers.expire_due):
                logger.info("%d vouchers have expired", expired)
        except StoreError as error:
            logger.error("vouchers could not be expired: %s", error)
        await asyncio.sleep(CLOSE_SECONDS)


async def forget_old_refusals(store: Store) -> None:
    """Remove the refusals that earlier versions have stored, a page at a time."""
    after = ("", "", "")
    while True:
        try:
            page_end = await asyncio.to_thread(store.forget_old_refusals, after)
        except StoreError as error:
            logger.error("old refusals could not be removed: %s", error)
            return
        if page_end is None:
            return
        after = page_end
        await asyncio.sleep(PAUSE_SECONDS)
