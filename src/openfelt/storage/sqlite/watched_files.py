"""The files of a SQLite database, watched for what other programs do to them.

SQLite keeps writing to a file that was deleted or replaced while it was open. Everything appears to
work, and after the next start all of it is gone. That applies to the database, to its write-ahead
log, which holds the newest commits, and to the index of that log. So the store checks all three
before and after every use.
"""

import os
import threading
from pathlib import Path
from typing import Final

LOG_SUFFIX: Final = "-wal"
INDEX_SUFFIX: Final = "-shm"
_WRITE_BITS: Final = 0o222

Identity = tuple[int, int]
"""The device and the number of a file. The name may later belong to another file."""


class WatchedFiles:
    """The database, its log and the index of its log, as they were when they were opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # SQLite names the log after the file that a link leads to.
        target = path.resolve()
        self.log = target.with_name(target.name + LOG_SUFFIX)
        self.index = target.with_name(target.name + INDEX_SUFFIX)
        self._file: Identity | None = None
        self._beside: dict[Path, Identity | None] = {}
        self._bytes = (0, 0)
        """The sizes of the database and of its log so far: a file that shrinks may have been cut.
        """
        self._lock = threading.Lock()

    def opened(self) -> None:
        """Watch the database from now on."""
        self._file = _identity(_status(self._path))

    def logging(self) -> None:
        """Watch its log and the index of its log too; a connection must have both open."""
        self._beside = {path: _identity(_status(path)) for path in (self.log, self.index)}

    def problem(self, *, writing: bool) -> str | None:
        """The change to one of the files, None if they are as they were opened."""
        if self._file is None:
            return None
        status = _status(self._path)
        if _identity(status) != self._file:
            return "The database file has been moved or replaced"
        if writing and status is not None and not status.st_mode & _WRITE_BITS:
            return "The database file has been made read-only"
        if self.log_lost:
            return "The write-ahead log of the database has been moved, deleted or replaced"
        if self._changed(self.index):
            return "The index of the write-ahead log has been moved, deleted or replaced"
        return None

    @property
    def log_lost(self) -> bool:
        """Whether the log that is open is no longer the one that the next start would read."""
        return self._changed(self.log)

    @property
    def log_replaced(self) -> bool:
        """Whether another program has put content where the lost log was."""
        return self.log_lost and _size(self.log) > 0

    def _changed(self, path: Path) -> bool:
        return path in self._beside and _identity(_status(path)) != self._beside[path]

    # Sizes ---------------------------------------------------------------------------

    @property
    def shrunk(self) -> bool:
        """Whether a file is smaller than it has been; the store finds out if that is right."""
        with self._lock:
            database, log = self.sizes()
            if database < self._bytes[0] or log < self._bytes[1]:
                return True
            self._bytes = database, log
            return False

    def sizes(self) -> tuple[int, int]:
        """The sizes of the database and of its log."""
        return _size(self._path), _size(self.log)

    def accept_sizes(self) -> None:
        """Accept the files as they are now as intact."""
        with self._lock:
            self._bytes = self.sizes()


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def _identity(status: os.stat_result | None) -> Identity | None:
    return None if status is None else (status.st_dev, status.st_ino)


def _size(path: Path) -> int:
    status = _status(path)
    return 0 if status is None else status.st_size
