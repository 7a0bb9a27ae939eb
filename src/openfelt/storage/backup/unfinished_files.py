"""Files that are being written: under another name until they are complete, and locked.

A file that a killed process leaves behind is no longer locked. The next attempt under the same name
removes it, and every other attempt in the same folder reports it.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from openfelt.storage.backup.manifest import BackupError, manifest_path
from openfelt.storage.backup.sqlite_files import COMPANIONS, PRIVATE_MODE

UNFINISHED: Final = ".unfinished"
"""The suffix of a file's name until it is complete."""

logger = logging.getLogger(__name__)


def unfinished_path(path: Path) -> Path:
    """The name of a file until it is complete.

    >>> unfinished_path(Path("casino.backup")).name
    'casino.backup.unfinished'
    """
    return path.with_name(path.name + UNFINISHED)


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """An empty, locked file under another name; any remains of it are removed.

    Raises BackupError if another process writes it, or if it cannot be written.
    """
    target = unfinished_path(path)
    try:
        _remove_stale(path)
        descriptor = os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_MODE)
        try:
            _lock(descriptor)
            yield target
        finally:
            remove_with_companions(target)
            os.close(descriptor)
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {error.strerror}.") from error


def remove_with_companions(path: Path) -> None:
    """Remove a file and what SQLite keeps beside it."""
    for ending in ("", *COMPANIONS):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _remove_stale(path: Path) -> None:
    """Remove the remains of this file from an interrupted process."""
    target = unfinished_path(path)
    if not target.exists():
        return
    if not is_stale(target):
        raise BackupError(
            f"{target} is being written by another process, or cannot be locked. Wait for its "
            "end, or name another file."
        )
    logger.warning("%s was left by an interrupted process, and is removed", target)
    if not path.exists():
        # The manifest is written just before the file gets its name.
        manifest_path(path).unlink(missing_ok=True)
    remove_with_companions(target)


def stale_files(folder: Path) -> list[Path]:
    """Files that interrupted processes have left in a folder."""
    return sorted(path for path in folder.glob(f"*{UNFINISHED}") if is_stale(path))


def is_stale(path: Path) -> bool:
    """Whether no process is writing a file."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        _lock(descriptor)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _lock(descriptor: int) -> None:
    """Lock a file until it is closed; raises OSError if that is impossible."""
    try:
        import fcntl
    except ImportError as error:
        raise OSError(0, "this system has no file locks") from error
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
