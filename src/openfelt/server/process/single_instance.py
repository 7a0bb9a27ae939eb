"""An embedded database: one server at a time, so that a restart has its tables at once, and in
files that are nobody else's to read."""

import contextlib
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from openfelt.storage.door import Unavailable

EMBEDDED_OWNER: Final = "embedded"
"""Under this name the one server of an embedded database leases tables. The next one has the
same name, and so need not wait until the leases of one that was killed have ended."""
_OWNERS_FOLDER: Final = 0o700
_OWNERS_FILE: Final = 0o600

logger = logging.getLogger(__name__)


def sqlite_file(database: str) -> Path | None:
    """The file of an embedded database, None where the database is a server's.

    >>> sqlite_file("sqlite:///felt.db").name, sqlite_file("postgresql://host/felt")
    ('felt.db', None)
    """
    scheme, colon, rest = database.partition("://")
    if not colon:
        return Path(database)
    return Path(rest[1:]) if scheme == "sqlite" else None


@contextlib.contextmanager
def only_server(database: str) -> Iterator[str | None]:
    """Keep other servers off an embedded database meanwhile; gives the owner of its leases.

    None stands for a name of this process alone. Raises Unavailable where another server
    has the database open. The lock goes with the process, however that ends.
    """
    file = sqlite_file(database)
    try:
        import fcntl
    except ImportError:
        file = None
    if file is None:
        yield None
        return
    try:
        # A link is another name of the same database, and so has the same lock.
        file = file.resolve()
        file.parent.mkdir(_OWNERS_FOLDER, parents=True, exist_ok=True)
        lock = os.open(f"{file}.lock", os.O_RDWR | os.O_CREAT, _OWNERS_FILE)
    except OSError as error:
        raise Unavailable(
            f"The folder of {file} cannot be written to: {error.strerror}."
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise Unavailable(f"Another server has the database open: {file}.") from error
    try:
        warn_of_readers(file)
        yield EMBEDDED_OWNER
    finally:
        os.close(lock)


def warn_of_readers(file: Path) -> None:
    """Warn where others than its owner may read a database, or change it.

    In it are the cards of rounds in progress and the hashes of passwords.
    """
    with contextlib.suppress(OSError):
        mode = stat.S_IMODE(file.stat().st_mode)
        if os.name == "posix" and mode & 0o077:
            logger.warning(
                "others than its owner may read or change %s (its mode is %04o), which holds cards "
                "that are still hidden: stop the server and run chmod 600 on it",
                file,
                mode,
            )
