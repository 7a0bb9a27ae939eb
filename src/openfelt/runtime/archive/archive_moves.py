"""History moved from a database to an archive, and back."""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from openfelt.record_events.archive_events import HistoryArchived, HistoryReturned
from openfelt.runtime.archive.archive_file import WrittenArchive, is_unrecorded, write_archive
from openfelt.runtime.archive.cut import Cut, NothingToArchive, cut_before, movable
from openfelt.runtime.audit.progress.progress_state import AuditState
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import DAY_MS, Clock
from openfelt.runtime.streams import ARCHIVES_STREAM
from openfelt.storage.backup.archived_history import Archive
from openfelt.storage.backup.backup_file import remove_backup, verify_backup
from openfelt.storage.backup.manifest import BackupError
from openfelt.storage.backup.returned_history import return_history
from openfelt.storage.codec import Codec
from openfelt.storage.door import Append, Commit, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.keyring import Keyring

Progress = Callable[[int, int], object]

logger = logging.getLogger(__name__)


def archive_history(
    store: Store,
    url: str,
    path: Path,
    clock: Clock,
    *,
    keep_days: int,
    keyring: Keyring | None = None,
    progress: Progress | None = None,
) -> tuple[Archive, WrittenArchive | None]:
    """Move history that is older than some days into a new file, and keep what play needs.

    Tables may keep running. The file is written and audited first; only then is anything removed,
    some rows at a time. An interrupted move is finished first; if nothing else is old enough, no
    file is written. Raises NothingToArchive, BackupError or another StoreError.
    """
    finished = _finish_interrupted(store, clock)
    try:
        cut = _movable_cut(store, clock.wall_ms() - keep_days * DAY_MS)
    except NothingToArchive:
        if finished is None:
            raise
        return finished, None
    before = store.archive(with_state=False)
    opening = json.dumps(dict(before.balances) if before else {})
    if is_unrecorded(store, path, keyring):
        logger.warning("%s was left by an interrupted process, and is written again", path)
        remove_backup(path)
    written = write_archive(url, path, cut, opening=opening, keyring=keyring, progress=progress)
    archive = Archive(
        number=before.number + 1 if before else 1,
        at_ms=cut.at_ms,
        checkpoint=cut.checkpoint,
        transfer=written.state.transfer,
        balances=written.state.balances,
        sha256=written.manifest.sha256,
        state=written.state.to_json(),
    )
    store.add_archive(archive)
    _record(store, clock, _event_of(archive))
    _drop_archived(store, archive)
    return archive, written


def _movable_cut(store: Store, before_ms: int) -> Cut:
    cut = cut_before(store, before_ms)
    if not movable(store, cut.versions):
        raise NothingToArchive(
            "No table has history that can be archived yet. The decks of that time must be purged, "
            "which a running server does after --keep-decks days and openfelt retention --apply "
            "does immediately; and the table must have continued for some 500 events, so that it "
            "has a newer snapshot."
        )
    return cut


def _finish_interrupted(store: Store, clock: Clock) -> Archive | None:
    """Finish the last archive, if a process ended in the middle of it; None if none did."""
    archive = store.archive()
    if archive is None:
        return None
    record, finished = _ArchivesRecord.read(store), False
    if record.last != _event_of(archive):
        finished = True
        if record.returned == _event_of(archive):
            raise BackupError(
                f"Putting archive {archive.number} back was interrupted. Finish that first, with "
                "--put-back."
            )
        _record(store, clock, _event_of(archive))
    dropped = _drop_archived(store, archive)
    return archive if finished or dropped else None


def _drop_archived(store: Store, archive: Archive) -> int:
    """Remove what is in an archive and not needed by play; returns the number of rows."""
    dropped = 0
    streams = AuditState.from_json(archive.state).streams
    versions = {stream: audited.position.version for stream, audited in streams.items()}
    for stream, version in movable(store, versions).items():
        while rows := store.drop_events(stream, version):
            dropped += rows
    while rows := store.drop_transfers(archive.transfer):
        dropped += rows
    return dropped


def put_back(
    store: Store, url: str, path: Path, clock: Clock, *, progress: Progress | None = None
) -> Archive:
    """Put the history of the newest archive back into its database; raises BackupError.

    An upgrade that changes the form of snapshots needs the whole history of a table once.
    """
    archive = store.archive(with_state=False)
    manifest = verify_backup(path)
    if archive is None or archive.sha256 != manifest.sha256:
        returned = _ArchivesRecord.read(store).returned
        if returned is not None and returned.sha256 == manifest.sha256:
            raise BackupError(
                f"The history of archive {returned.number} is already back in the database."
            )
        raise BackupError(f"{path} is not the newest archive of this database.")
    # The record comes first: whether or not this is interrupted, it can be done again.
    if _ArchivesRecord.read(store).returned != _event_of(archive):
        _record(store, clock, HistoryReturned(archive.number))
    return_history(path, url, progress)
    return archive


@dataclass(frozen=True, slots=True)
class _ArchivesRecord:
    """The archives as the record describes them."""

    last: HistoryArchived | None
    """The newest archive that has not been put back."""
    returned: HistoryArchived | None
    """The archive that was put back by the last event, None if that was another one."""

    @classmethod
    def read(cls, store: Store) -> "_ArchivesRecord":
        """Read all events of archives, which are few."""
        archived: list[HistoryArchived] = []
        returned = None
        for stored in store.events(ARCHIVES_STREAM):
            event, returned = _codec().decode(stored), None
            if isinstance(event, HistoryArchived):
                archived = [kept for kept in archived if kept.number < event.number]
                archived.append(event)
            elif archived:
                returned = archived.pop()
        return cls(archived[-1] if archived else None, returned)


def _event_of(archive: Archive) -> HistoryArchived:
    return HistoryArchived(archive.number, archive.checkpoint, archive.transfer, archive.sha256)


def _codec() -> EventCodec:
    return EventCodec(Codec(lambda _: None))


def _record(store: Store, clock: Clock, event: HistoryArchived | HistoryReturned) -> None:
    """Record what was done, and by whom."""
    append = Append(
        stream=ARCHIVES_STREAM,
        expected_version=store.head(ARCHIVES_STREAM).version,
        events=(_codec().encode(event, cause=acting()),),
    )
    store.commit(Commit(at_ms=clock.wall_ms(), appends=(append,)))
