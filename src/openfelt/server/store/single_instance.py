"""The lock of an embedded database: one server at a time, whose files only their owner reads.

With one server at a time, a restarted server owns its tables immediately.
"""

import contextlib
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from openfelt.storage.door import Unavailable

_FILE_MODE: Final = 0o600

logger = logging.getLogger(__name__)


def sqlite_file(database: str) -> Path | None:
    """The file of an embedded database, None for a database server.

    >>> sqlite_file("sqlite:///felt.db").name, sqlite_file("postgresql://host/felt")
    ('felt.db', None)
    """
    scheme, colon, rest = database.partition("://")
    if not colon:
        return Path(database)
    return Path(rest[1:]) if scheme == "sqlite" else None


@contextlib.contextmanager
def single_instance(database: str) -> Iterator[bool]:
    """Lock an embedded database against other servers; whether this server is now alone.

    Raises Unavailable if another server has the database open, and where its folder is missing,
    which may be a mistyped name. The lock ends with the process, even a killed one.
    """
    file = sqlite_file(database)
    try:
        import fcntl
    except ImportError:
        file = None
    if file is None:
        yield False
        return
    try:
        # A link is another name of the same database, and so shares its lock.
        file = file.resolve()
        lock = os.open(f"{file}.lock", os.O_RDWR | os.O_CREAT, _FILE_MODE)
    except FileNotFoundError as error:
        raise Unavailable(
            f"There is no folder {file.parent} for the database. Make it, or name another file."
        ) from error
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
        warn_if_readable(file)
        yield True
    finally:
        os.close(lock)


def warn_if_readable(file: Path) -> None:
    """Warn if users other than its owner may read or change a database.

    It holds the cards of rounds in progress and the hashes of passwords.
    """
    with contextlib.suppress(OSError):
        mode = stat.S_IMODE(file.stat().st_mode)
        if os.name == "posix" and mode & 0o077:
            logger.warning(
                "users other than its owner may read or change %s (mode %04o), which holds "
                "hidden cards: stop the server and run chmod 600 on it",
                file,
                mode,
            )
