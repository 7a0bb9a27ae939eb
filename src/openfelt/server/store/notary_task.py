"""The notary of a running server, which signs all records at every interval and at the end.

Each database has its own key and its own file of published checkpoints, named after it. Two
databases in one file of checkpoints would contradict each other.
"""

import asyncio
import logging
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

from openfelt.runtime.clock import Clock
from openfelt.runtime.cluster.duty import Duty
from openfelt.runtime.notary.checkpoints import CheckpointError
from openfelt.runtime.notary.keys import (
    KeyFileError,
    check_key,
    load_or_make_key,
    public_key_of,
)
from openfelt.runtime.notary.notary import Notary, NotaryError, OlderRecord, last_checkpoint
from openfelt.runtime.notary.own_stream import check_own_stream
from openfelt.server.store.notary_health import NotaryHealth, NotaryProblem
from openfelt.server.store.single_instance import sqlite_file
from openfelt.storage.door import CodesRemoved, Store, StoreError

KEY_SUFFIX: Final = ".notary.key"
PUBLISHED_SUFFIX: Final = ".checkpoints"
SHARED_KEY: Final = "notary.key"
"""The name of a key file from the time when databases of one folder shared a key."""

_REMEDY: Final = (
    "Put the key back. If it is permanently lost, put a new one there and run openfelt notary "
    "continue, which records that."
)

logger = logging.getLogger(__name__)


def key_file(database: str, folder: Path) -> Path:
    """The file of a database's key: beside an embedded database, in the folder for any other.

    >>> key_file("sqlite:////data/felt.db", Path("/keys")).as_posix()
    '/data/felt.db.notary.key'
    >>> key_file("postgresql://ann:secret@db.example/felt", Path("/keys")).as_posix()
    '/keys/db.example-felt.notary.key'
    """
    file = sqlite_file(database)
    if file is not None:
        file = file.resolve()
        return file.with_name(file.name + KEY_SUFFIX)
    return folder / f"{_server_database(database)}{KEY_SUFFIX}"


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


def published_file(key: Path) -> Path:
    """The file to which the notary with this key publishes its checkpoints.

    >>> published_file(Path("/data/felt.db.notary.key")).name
    'felt.db.notary.key.checkpoints'
    """
    return key.with_name(key.name + PUBLISHED_SUFFIX)


async def sign_checkpoints(desk: "NotaryDesk", health: NotaryHealth, *, pause_ms: int) -> None:
    """Sign at every interval until cancelled; failures are noted and tried again."""
    while True:
        signed = False
        with _noting(health):
            await asyncio.to_thread(desk.open)
            await asyncio.sleep(pause_ms / 1000)
            await asyncio.to_thread(desk.sign)
            health.done()
            signed = True
        if not signed:
            await asyncio.sleep(pause_ms / 1000)


async def keep_signing(
    desk: "NotaryDesk", health: NotaryHealth, duty: Duty, *, pause_ms: int
) -> None:
    """Sign while this process is the notary of the house, until cancelled.

    Of several processes on one database, one that has the key signs, and the next one takes over
    when it ends. A process without the key is healthy as long as another one signs.
    """
    signing = partial(sign_checkpoints, desk, health, pause_ms=pause_ms)
    while True:
        with _noting(health):
            if not await asyncio.to_thread(duty.is_held):
                await asyncio.to_thread(desk.open)
                await duty.attempt(lambda: [signing])
            else:
                health.done()
        await duty.pause()


async def look_first(desk: "NotaryDesk", health: NotaryHealth, duty: Duty) -> None:
    """Compare the record with what was signed, before a server opens.

    A record whose codes were removed is refused with CodesRemoved; other problems are noted, as
    they are later.
    """
    with _noting(health):
        await asyncio.to_thread(desk.look, duty)


async def sign_first(desk: "NotaryDesk", health: NotaryHealth) -> None:
    """Sign a record that no notary has signed yet; problems are noted."""
    with _noting(health):
        await asyncio.to_thread(desk.sign_first)


@contextmanager
def _noting(health: NotaryHealth) -> Iterator[None]:
    """Note why nothing is signed."""
    try:
        yield
    except CodesRemoved:
        raise
    except KeyFileError as error:
        health.failed(NotaryProblem.KEY, error)
    except OlderRecord as error:
        health.failed(NotaryProblem.OLDER, error)
    except (NotaryError, CheckpointError) as error:
        health.failed(NotaryProblem.RECORD, error)
    except (StoreError, OSError) as error:
        health.failed(NotaryProblem.STORE, error)


class NotaryDesk:
    """A notary with its key file. All calls block."""

    def __init__(self, wanted: Path, store: Store, clock: Clock) -> None:
        self._wanted = wanted
        self._store = store
        self._clock = clock
        self._key = wanted
        self._notary: Notary | None = None
        self._lock = threading.Lock()
        """A thread may still be signing while the server closes."""

    def open(self) -> None:
        """Load or create the key, unless it is loaded."""
        with self._lock:
            if self._notary is None:
                self._key = key_in_use(self._wanted, self._store)
                _check_key(self._key, self._store)
                key = load_or_make_key(self._key)
                published = published_file(self._key)
                self._notary = Notary(self._store, key, self._clock, published=published)

    def look(self, duty: Duty) -> None:
        """Check that the record continues what was signed; raises as ``sign``, or CodesRemoved.

        A process without the key leaves that to the one that signs, if there is one.
        """
        try:
            self.open()
        except KeyFileError:
            if not duty.is_held():
                raise
            return
        finally:
            # A lost key must not hide that the codes are gone.
            check_own_stream(self._store, published_file(self._key))
        with self._lock:
            assert self._notary is not None
            self._notary.check()

    def sign(self) -> None:
        """Sign everything that is unsigned.

        A key that has been lost in the meantime still signs from memory, but would not after a
        restart. So its file is checked each time.
        """
        with self._lock:
            assert self._notary is not None
            self._notary.sign()
            check_key(self._key, self._notary.public_key)

    def sign_first(self) -> None:
        """Sign a record that no notary has signed yet: from then on, its key is the only one."""
        if self._notary is not None and last_checkpoint(self._store) is None:
            self.sign()

    def sign_last(self, duty: Duty) -> None:
        """Sign the record as the server leaves it, unless another process is the notary.

        A failure is logged and stops nothing.
        """
        try:
            if duty.is_held():
                return
            self.open()
            self.sign()
        except (KeyFileError, NotaryError, StoreError, OSError) as error:
            logger.error("the last state of the record is not signed: %s", error)


def _check_key(path: Path, store: Store) -> None:
    """Refuse to continue with a different key from the one that signed last, or to make a new one.

    A lost key would otherwise be replaced silently, and auditors who have the old public key would
    not trust any later checkpoint.
    """
    last = last_checkpoint(store)
    if last is None:
        return
    if not path.exists():
        raise KeyFileError(f"{path.name} is not there, and the notary has signed before. {_REMEDY}")
    if public_key_of(load_or_make_key(path)) != last.key:
        raise KeyFileError(
            f"{path.name} holds a different key from the one that signed last. {_REMEDY}"
        )


def key_in_use(wanted: Path, store: Store) -> Path:
    """The key of the database, or the folder's shared one where it has signed the database."""
    shared = wanted.with_name(SHARED_KEY)
    if wanted.exists() or not shared.exists():
        return wanted
    signers = {checkpoint.key for checkpoint in store.checkpoints()}
    if signers and public_key_of(load_or_make_key(shared)) in signers:
        return shared
    logger.warning("%s has signed nothing in this database, which gets its own key", shared)
    return wanted
