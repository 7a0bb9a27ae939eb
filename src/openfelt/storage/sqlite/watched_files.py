"""The files of a SQLite database, watched for what other programs do to them.

SQLite keeps writing to a file that was deleted or replaced while it was open. Everything appears to
work, and after the next start all of it is gone. That applies to the database, to its write-ahead
log, which holds the newest commits, and to the index of that log. So the store checks all three
before and after every use.
"""

import os
import threading
from pathlib import Path
from typing import Final, NamedTuple

LOG_SUFFIX: Final = "-wal"
INDEX_SUFFIX: Final = "-shm"
_WRITE_BITS: Final = 0o222

Identity = tuple[int, int]
"""The device and the number of a file. The name may later belong to another file."""


class FileCheck(NamedTuple):
    """What a look at the files has found."""

    problem: str | None
    """The change to one of the files, None if they are as they were opened."""
    shrunk: bool
    """Whether a file is smaller than it has been; the store finds out if that is right."""


class WatchedFiles:
    """The database, its log and the index of its log, as they were when they were opened."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)
        # SQLite names the log after the file that a link leads to.
        target = path.resolve()
        self.log = str(target.with_name(target.name + LOG_SUFFIX))
        self.index = str(target.with_name(target.name + INDEX_SUFFIX))
        self._file: Identity | None = None
        self._beside: tuple[Identity | None, Identity | None] | None = None
        """The log and the index, once a connection has both open."""
        self._bytes = (0, 0)
        """The sizes of the database and of its log so far: a file that shrinks may have been cut.
        """
        self._lock = threading.Lock()

    def opened(self) -> None:
        """Watch the database from now on."""
        self._file = _identity(_status(self._path))

    def logging(self) -> None:
        """Watch its log and the index of its log too; a connection must have both open."""
        self._beside = _identity(_status(self.log)), _identity(_status(self.index))

    def check(self, *, writing: bool) -> FileCheck:
        """Look at each of the files once, because every use of the store does so twice."""
        with self._lock:
            database, log = _status(self._path), _status(self.log)
            if (problem := self._problem(database, log, writing=writing)) is not None:
                return FileCheck(problem, shrunk=False)
            sizes = _size(database), _size(log)
            if sizes[0] < self._bytes[0] or sizes[1] < self._bytes[1]:
                return FileCheck(None, shrunk=True)
            self._bytes = sizes
            return _INTACT

    def _problem(
        self, database: os.stat_result | None, log: os.stat_result | None, *, writing: bool
    ) -> str | None:
        if self._file is None:
            return None
        if _identity(database) != self._file:
            return "The database file has been moved or replaced"
        if writing and database is not None and not database.st_mode & _WRITE_BITS:
            return "The database file has been made read-only"
        if self._beside is None:
            return None
        if _identity(log) != self._beside[0]:
            return "The write-ahead log of the database has been moved, deleted or replaced"
        if _identity(_status(self.index)) != self._beside[1]:
            return "The index of the write-ahead log has been moved, deleted or replaced"
        return None

    @property
    def log_lost(self) -> bool:
        """Whether the log that is open is no longer the one that the next start would read."""
        return self._beside is not None and _identity(_status(self.log)) != self._beside[0]

    @property
    def log_replaced(self) -> bool:
        """Whether another program has put content where the lost log was."""
        return self.log_lost and _size(_status(self.log)) > 0

    # Sizes ---------------------------------------------------------------------------

    def sizes(self) -> tuple[int, int]:
        """The sizes of the database and of its log."""
        return _size(_status(self._path)), _size(_status(self.log))

    @property
    def database_shrunk(self) -> bool:
        """Whether the database itself is smaller than it has been, and not only its log."""
        return _size(_status(self._path)) < self._bytes[0]

    def accept_sizes(self) -> None:
        """Accept the files as they are now as intact."""
        with self._lock:
            self._bytes = self.sizes()


_INTACT: Final = FileCheck(None, shrunk=False)


def _status(path: str) -> os.stat_result | None:
    # A plain text and function: a Path takes longer than the system call.
    try:
        return os.stat(path)  # noqa: PTH116
    except OSError:
        return None


def _identity(status: os.stat_result | None) -> Identity | None:
    return None if status is None else (status.st_dev, status.st_ino)


def _size(status: os.stat_result | None) -> int:
    return 0 if status is None else status.st_size
