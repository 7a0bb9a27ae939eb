"""The notary of a running server, which signs a checkpoint of all records at every interval.

Each database has its own key and its own file of published checkpoints, named after it. Two
databases in one file of checkpoints would contradict each other.
"""

import asyncio
import logging
import re
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

from openfelt.runtime.clock import Clock
from openfelt.runtime.notary.keys import KeyFileError, load_or_make_key, public_key_of
from openfelt.runtime.notary.notary import Notary, NotaryError
from openfelt.server.settings import Settings
from openfelt.server.store.single_instance import sqlite_file
from openfelt.storage.door import Store, StoreError

KEY_SUFFIX: Final = ".notary.key"
PUBLISHED_SUFFIX: Final = ".checkpoints"
SHARED_KEY: Final = "notary.key"
"""The name of a key file from the time when databases of one folder shared a key."""

logger = logging.getLogger(__name__)


def key_file(database: str, folder: Path, *, suffix: str = KEY_SUFFIX) -> Path:
    """The file of a database's key: beside an embedded database, in the folder for any other.

    >>> key_file("sqlite:////data/felt.db", Path("/keys")).as_posix()
    '/data/felt.db.notary.key'
    >>> key_file("postgresql://ann:secret@db.example/felt", Path("/keys")).as_posix()
    '/keys/db.example-felt.notary.key'
    """
    file = sqlite_file(database)
    if file is not None:
        file = file.resolve()
        return file.with_name(file.name + suffix)
    return folder / f"{_server_database(database)}{suffix}"


def _server_database(database: str) -> str:
    """A name for a server's database that does not depend on its user or password."""
    address = urlsplit(database)
    # Host, port and name are in the address or in its options.
    options = {name: values[-1] for name, values in parse_qs(address.query).items()}
    _, _, where = address.netloc.rpartition("@")
    parts = (
        options.get("host", where),
        options.get("port", ""),
        options.get("dbname", address.path.strip("/")),
    )
    return re.sub(r"[^A-Za-z0-9._-]+", "-", "-".join(filter(None, parts))).strip("-") or "database"


async def sign_checkpoints(settings: Settings, store: Store, clock: Clock) -> None:
    """Sign at every interval until cancelled; failures are logged and tried again."""
    if settings.notary_key is None:
        return
    pause = settings.notary_ms / 1000
    notary = None
    while notary is None:
        try:
            notary = await asyncio.to_thread(_notary, settings.notary_key, store, clock)
        except KeyFileError as error:
            logger.error("checkpoints are not signed: %s", error)
            return
        except StoreError as error:
            logger.error("the notary cannot start: %s", error)
            await asyncio.sleep(pause)
    while True:
        await asyncio.sleep(pause)
        try:
            await asyncio.to_thread(notary.sign)
        except (NotaryError, StoreError, OSError) as error:
            logger.error("a checkpoint was not signed: %s", error)


def _notary(wanted: Path, store: Store, clock: Clock) -> Notary:
    key = _key_in_use(wanted, store)
    published = key.with_name(key.name + PUBLISHED_SUFFIX)
    return Notary(store, load_or_make_key(key), clock, published=published)


def _key_in_use(wanted: Path, store: Store) -> Path:
    """The key of the database, or the folder's shared one where it has signed the database."""
    shared = wanted.with_name(SHARED_KEY)
    if wanted.exists() or not shared.exists():
        return wanted
    signers = {checkpoint.key for checkpoint in store.checkpoints()}
    if signers and public_key_of(load_or_make_key(shared)) in signers:
        return shared
    logger.warning("%s has signed nothing in this database, which gets a key of its own", shared)
    return wanted
