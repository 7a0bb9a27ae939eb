"""Backups of a database: made while a server writes, verified, and restored to a new location.

A backup is always a SQLite database. So it can be audited without a server, needs no programs of
PostgreSQL's own version, and may be restored into either kind of store.
"""

import logging
import os
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from openfelt.storage.addresses import file_of
from openfelt.storage.backup.manifest import (
    FORMAT,
    BackupError,
    Contents,
    Manifest,
    Progress,
    faults_of,
    heads_of,
    manifest_path,
    read_manifest,
    sha256_of,
)
from openfelt.storage.backup.sqlite_files import (
    COMPANIONS,
    PRIVATE_MODE,
    check_file,
    contents,
    end_leases,
    reading,
    sync,
    writing,
)
from openfelt.storage.backup.unfinished_files import (
    is_stale,
    remove_with_companions,
    stale_files,
    unfinished,
    unfinished_path,
)
from openfelt.storage.migrations import schema_of

PAGES_AT_ONCE: Final = 4096

logger = logging.getLogger(__name__)


class Backup(NamedTuple):
    """A backup that has been written or restored."""

    manifest: Manifest
    faults: list[str]
    """Faults of the database that it is a copy of."""
    left: list[Path]
    """Files that interrupted backups and restores have left in the same folder."""


def make_backup(
    url: str,
    path: Path,
    *,
    progress: Progress | None = None,
    edit: Callable[[Path], object] | None = None,
) -> Backup:
    """Copy a database as it is at one moment, verify the copy, and write its manifest.

    Nothing is overwritten, and no file of this name is left if it fails; remains of an interrupted
    process are removed. ``edit`` changes the copy before it gets its name. Raises BackupError, or
    another StoreError where the database cannot be read.
    """
    for taken in (path, manifest_path(path)):
        # A manifest without its file is a part of an interrupted backup, if that is there too.
        if taken.exists() and (taken == path or not unfinished_path(path).exists()):
            raise BackupError(f"{taken} already exists. Nothing is overwritten; name a new file.")
    with unfinished(path) as copy:
        wanted = _copied(url, copy, progress)
        actual, faults = check_file(copy)
        if (actual.position, actual.head) != wanted:
            raise BackupError(
                f"The copy is not the original: it has {actual.position:,} events, the original "
                f"{wanted[0]:,}."
            )
        if edit is not None:
            edit(copy)
            actual, faults = check_file(copy)
        manifest = _manifest(copy, actual)
        _write_manifest(manifest_path(path), manifest)
        copy.rename(path)
        sync(path)
    return Backup(manifest, faults, stale_files(path.absolute().parent))


def _manifest(path: Path, actual: Contents) -> Manifest:
    return Manifest(
        format=FORMAT,
        openfelt=version("openfelt"),
        made_at_ms=time.time_ns() // 1_000_000,
        contents=actual,
        bytes=path.stat().st_size,
        sha256=sha256_of(path),
    )


def remove_backup(path: Path) -> None:
    """Remove a backup, its manifest and what SQLite keeps beside it."""
    remove_with_companions(path)
    manifest_path(path).unlink(missing_ok=True)


def _copied(url: str, target: Path, progress: Progress | None) -> tuple[int, str]:
    """Copy a database into a new file; returns its position and its heads at that moment."""
    file = file_of(url)
    if file is not None:
        if not file.is_file():
            raise BackupError(f"There is no database at {file}.")
        with reading(file) as source, writing(target) as copy:
            # The transaction that this begins sees one moment, so writers do not disturb the copy.
            wanted = heads_of(source.run)
            schema_of(source)
            source.connection.backup(
                copy.connection,
                pages=PAGES_AT_ONCE,
                progress=_pages(progress),
            )
        return wanted
    from openfelt.storage.backup import postgres_rows

    with postgres_rows.reading(url) as server, writing(target) as copy:
        wanted = heads_of(server.run)
        postgres_rows.copy_out(server, copy, progress)
    return wanted


def _pages(progress: Progress | None) -> Callable[[int, int, int], object] | None:
    """The progress of SQLite's own copying."""
    if progress is None:
        return None
    return lambda _, left, total: progress(total - left, total)


def _write_manifest(path: Path, manifest: Manifest) -> None:
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_MODE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(text)
    sync(path)


# Restoring -------------------------------------------------------------------


def verify_backup(path: Path, *, progress: Progress | None = None) -> Manifest:
    """Check that a backup is what its manifest says; raises BackupError or NewerSchema."""
    manifest = read_manifest(path)
    try:
        digest = sha256_of(path, progress)
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror}.") from error
    if digest != manifest.sha256:
        raise BackupError(
            f"{path} is not the file that its manifest describes: its SHA-256 is {digest}, not "
            f"{manifest.sha256}."
        )
    with reading(path) as database:
        schema_of(database)
    return manifest


def restore_backup(
    path: Path,
    url: str,
    *,
    progress: Progress | None = None,
    then: Callable[[], object] = lambda: None,
) -> Backup:
    """Restore a backup to a location without a database, verified before and after.

    Leases have ended in it: no process runs its tables. ``then`` completes the restore once the
    database is there. If the process ends before that, the next attempt calls it again. Raises
    BackupError, and leaves nothing behind, if anything is not as the manifest says.
    """
    target = file_of(url)
    if target is None:
        return _restore_into_server(path, url, then, progress)
    if _is_restored(path, target):
        manifest = verify_backup(path, progress=progress)
        faults = []
        logger.warning("an interrupted restore into %s is finished", target)
        then()
        unfinished_path(target).unlink()
    else:
        _check_free(target)
        manifest = verify_backup(path, progress=progress)
        faults = _restore_file(path, target, manifest.contents, then)
    return Backup(manifest, faults, stale_files(target.absolute().parent))


_HEADS_BUT_OWN: Final = (
    "SELECT name, version, hash FROM streams WHERE version > 0 AND name <> 'appends'"
)


def _heads_but_own(run: Callable[[str], Iterable[Sequence[object]]]) -> list[tuple[object, ...]]:
    # Databases sort texts each in their own way.
    return sorted(map(tuple, run(_HEADS_BUT_OWN)), key=str)


def _is_restored(path: Path, target: Path) -> bool:
    """Whether a restore of this backup was interrupted after the database got its name."""
    left = unfinished_path(target)
    if not (target.exists() and left.exists() and target.samefile(left) and is_stale(left)):
        return False
    # Nothing has been written since, except to the store's own stream by the restore itself.
    with reading(path) as backup, reading(target) as database:
        return _heads_but_own(backup.run) == _heads_but_own(database.run)


def _check_free(target: Path) -> None:
    """Refuse a path that has a database, or a file that SQLite would take for its log."""
    for ending in ("", *COMPANIONS):
        taken = target.with_name(target.name + ending)
        if taken.exists() or taken.is_symlink():
            raise BackupError(
                f"{taken} already exists. Nothing is overwritten: move it away, or name a new file."
            )


def _restore_file(
    path: Path, target: Path, wanted: Contents, then: Callable[[], object]
) -> list[str]:
    try:
        target.parent.mkdir(0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BackupError(f"{target} cannot be written: {error.strerror}.") from error
    with unfinished(target) as copy:
        shutil.copyfile(path, copy)
        end_leases(copy)
        actual, faults = check_file(copy)
        _check_same(actual, wanted)
        sync(copy)
        # Unlike renaming, a link never replaces a file that has just appeared.
        os.link(copy, target)
        sync(target)
        # The first name goes last: as long as it is there, the restore is not finished.
        then()
    return faults


def _restore_into_server(
    path: Path, url: str, then: Callable[[], object], progress: Progress | None
) -> Backup:
    from openfelt.storage.backup import postgres_rows

    with postgres_rows.restoring(url):
        manifest = read_manifest(path)
        with postgres_rows.reading(url) as database, reading(path) as source:
            # Nothing has been written since, except to the store's own stream by the restore.
            left = postgres_rows.is_unfinished(database, manifest.sha256) and (
                _heads_but_own(database.run) == _heads_but_own(source.run)
            )
            if not left:
                postgres_rows.check_empty(database)
        verify_backup(path, progress=progress)
        faults: list[str] = []
        if left:
            logger.warning("an interrupted restore is finished")
        else:
            faults = _restore_rows(path, url, manifest, progress)
        then()
        postgres_rows.mark_finished(url)
    return Backup(manifest, faults, [])


def _restore_rows(path: Path, url: str, manifest: Manifest, progress: Progress | None) -> list[str]:
    from openfelt.storage.backup import postgres_rows

    with reading(path) as source, postgres_rows.filling(url) as target:
        postgres_rows.copy_in(source, target, progress)
        # The transaction is committed only if this raises nothing.
        _check_same(contents(target), manifest.contents)
        postgres_rows.mark_unfinished(target, manifest.sha256)
        return faults_of(target.run)


def _check_same(actual: Contents, wanted: Contents) -> None:
    if actual != wanted:
        raise BackupError(
            f"What was restored is not what was backed up: {actual.position:,} events instead of "
            f"{wanted.position:,}."
        )
