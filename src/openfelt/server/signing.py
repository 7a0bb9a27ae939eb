"""The notary of a running server: it signs from time to time where all records stand."""

import asyncio
import logging
from pathlib import Path
from typing import Final

from openfelt.runtime.clock import Clock
from openfelt.runtime.notary import Notary, NotaryError
from openfelt.runtime.notary_keys import KeyFileError, load_or_make_key
from openfelt.server.settings import Settings
from openfelt.storage.door import Store, StoreError

PUBLISHED_SUFFIX: Final = ".checkpoints"

logger = logging.getLogger(__name__)


async def sign_checkpoints(settings: Settings, store: Store, clock: Clock) -> None:
    """Sign at every interval, until cancelled; what goes wrong is logged and tried again."""
    if settings.notary_key is None:
        return
    try:
        notary = await asyncio.to_thread(_notary, settings.notary_key, store, clock)
    except KeyFileError as error:
        logger.error("nothing is signed: %s", error)
        return
    while True:
        await asyncio.sleep(settings.notary_ms / 1000)
        try:
            await asyncio.to_thread(notary.sign)
        except (NotaryError, StoreError, OSError) as error:
            logger.error("the notary has not signed: %s", error)


def _notary(key: Path, store: Store, clock: Clock) -> Notary:
    published = key.with_name(key.name + PUBLISHED_SUFFIX)
    return Notary(store, load_or_make_key(key), clock, published=published)
