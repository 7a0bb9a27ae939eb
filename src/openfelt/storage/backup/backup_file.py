"""Backups of a database: made while a server writes, verified at once, restored into a new place.

A backup is a SQLite database, whatever the original is in. So it can be audited without a server,
needs no programs of PostgreSQL's own version, and may be restored into either kind of store.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
from openfelt.storage.migrations import schema_of

PAGES_AT_ONCE: Final = 4096
UNFINISHED: Final = ".unfinished"


class Backup(NamedTuple):
    """A backup that has been written or restored."""

    manifest: Manifest
    faults: list[str]
    """What is wrong with the database that it is a copy of."""


def make_backup(url: str, path: Path, *, progress: Progress | None = None) -> Backup:
    """Copy a database as it is at one moment, verify the copy, and write its manifest.

    Nothing is overwritten, and no file of this name is left if it fails. Raises BackupError, or
    another StoreError where the database cannot be read.
    """
    for taken in (path, manifest_path(path)):
        if taken.exists():
            raise BackupError(f"{taken} exists already. Nothing is overwritten; name a new file.")
    with _unfinished(path) as unfinished:
        wanted = _copied(url, unfinished, progress)
        found, faults = check_file(unfinished)
        if (found.position, found.head) != wanted:
            raise BackupError(
                f"The copy is not the original: it has {found.position:,} events, the original "
                f"{wanted[0]:,}."
            )
        manifest = _manifest(unfinished, found)
        _write_manifest(manifest_path(path), manifest)
        unfinished.rename(path)
        sync(path)
    return Backup(manifest, faults)


def _manifest(path: Path, found: Contents) -> Manifest:
    return Manifest(
        format=FORMAT,
        openfelt=version("openfelt"),
        made_at_ms=time.time_ns() // 1_000_000,
        contents=found,
        bytes=path.stat().st_size,
        sha256=sha256_of(path),
    )


def remake_manifest(path: Path) -> Manifest:
    """The manifest of a backup whose file has been changed on purpose, written anew."""
    found, faults = check_file(path)
    if faults:
        raise BackupError(f"{path}: {'; '.join(faults)}.")
    manifest_path(path).unlink()
    manifest = _manifest(path, found)
    _write_manifest(manifest_path(path), manifest)
    return manifest


def remove_backup(path: Path) -> None:
    """Remove a backup, its manifest and what SQLite keeps beside it."""
    for ending in ("", *COMPANIONS):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    manifest_path(path).unlink(missing_ok=True)


def _copied(url: str, target: Path, progress: Progress | None) -> tuple[int, str]:
    """Copy a database into a new file; gives its position and its heads at that moment."""
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


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    """The name of a file until it is finished; whatever is left of it is removed."""
    unfinished = path.with_name(path.name + UNFINISHED)
    try:
        yield unfinished
    except OSError as error:
        raise BackupError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        for ending in ("", *COMPANIONS):
            unfinished.with_name(unfinished.name + ending).unlink(missing_ok=True)


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
        found = sha256_of(path, progress)
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror}.") from error
    if found != manifest.sha256:
        raise BackupError(
            f"{path} is not the file that its manifest describes: its SHA-256 is {found}, not "
            f"{manifest.sha256}."
        )
    with reading(path) as database:
        schema_of(database)
    return manifest


def restore_backup(path: Path, url: str, *, progress: Progress | None = None) -> Backup:
    """Restore a backup into a place where there is no database, verified before and after.

    Leases have ended in it: no process runs its tables. Raises BackupError, and leaves nothing
    behind, if anything is not as the manifest says.
    """
    target = file_of(url)
    if target is not None:
        _check_free(target)
    else:
        from openfelt.storage.backup import postgres_rows

        postgres_rows.check_free(url)
    manifest = verify_backup(path, progress=progress)
    if target is not None:
        faults = _restore_file(path, target, manifest.contents)
    else:
        faults = _restore_server(path, url, manifest.contents, progress)
    return Backup(manifest, faults)


def _check_free(target: Path) -> None:
    """Refuse a place where a database is, or what SQLite would take for its end."""
    for ending in ("", *COMPANIONS):
        taken = target.with_name(target.name + ending)
        if taken.exists() or taken.is_symlink():
            raise BackupError(
                f"{taken} exists already. Nothing is overwritten: move it away, or name a new file."
            )


def _restore_file(path: Path, target: Path, wanted: Contents) -> list[str]:
    with _unfinished(target) as unfinished:
        target.parent.mkdir(0o700, parents=True, exist_ok=True)
        os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_MODE))
        shutil.copyfile(path, unfinished)
        end_leases(unfinished)
        found, faults = check_file(unfinished)
        _check_same(found, wanted)
        sync(unfinished)
        # Unlike renaming, a link never replaces a file that has appeared meanwhile.
        os.link(unfinished, target)
        sync(target)
    return faults


def _restore_server(path: Path, url: str, wanted: Contents, progress: Progress | None) -> list[str]:
    from openfelt.storage.backup import postgres_rows

    with reading(path) as source, postgres_rows.filling(url) as target:
        postgres_rows.copy_in(source, target, progress)
        # The transaction is committed only if this raises nothing.
        _check_same(contents(target), wanted)
        return faults_of(target.run)


def _check_same(found: Contents, wanted: Contents) -> None:
    if found != wanted:
        raise BackupError(
            f"What was restored is not what was backed up: {found.position:,} events instead of "
            f"{wanted.position:,}."
        )
