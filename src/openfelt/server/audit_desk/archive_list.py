"""Archives of old history: their list, their available files, and rounds in them.

A database knows each archive by its number, its time and the hash of its file. A file is available
if it is in the folder that the operator has named, and is the one that was written.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from openfelt.runtime.archive.joined_store import JoinedStore
from openfelt.runtime.rounds.record import RoundReader
from openfelt.server.errors import Denied, not_found
from openfelt.server.supervision.disputes import LOOKED_MAX
from openfelt.server.supervision.frozen_rounds import FrozenRound, RoundFreezer
from openfelt.storage.backup.archived_history import Archive
from openfelt.storage.backup.backup_file import verify_backup
from openfelt.storage.backup.manifest import manifest_path, read_manifest
from openfelt.storage.door import Store, StoreError
from openfelt.storage.sqlite import SqliteStore


@dataclass(frozen=True, slots=True)
class ListedArchive:
    """An archive of this database."""

    archive: Archive
    file: Path | None
    """Where its file is, None if it is not at hand."""
    problem: str = ""
    """Why a file that is there cannot be read."""


class Archives:
    """The archives of one store. All calls block; threads may share it."""

    def __init__(self, store: Store, folder: Path | None) -> None:
        self._store = store
        self.folder = folder
        self._verified: dict[Path, tuple[int, int]] = {}
        """Files whose hashes were computed, by their size and time then."""
        self._lock = threading.Lock()

    def all(self) -> list[ListedArchive]:
        """Every archive, the newest first."""
        files = self._files()
        return [self._listed(archive, files) for archive in self._recorded()]

    def look(self, table: str, number: int, *, seats: Sequence[int]) -> FrozenRound:
        """A finished round that is in an archive at hand; raises Denied."""
        archives = self.all()
        parts = [
            entry.file
            for entry in reversed(archives)
            if entry.file is not None and not entry.problem
        ]
        with ExitStack() as opened:
            stores = [opened.enter_context(closing(SqliteStore(path))) for path in parts]
            joined = JoinedStore(self._store, stores).as_store
            try:
                freezer = RoundFreezer(joined, RoundReader(joined))
                return freezer.freeze(table, number, seats=seats, seats_max=LOOKED_MAX)
            except Denied:
                missing = [
                    entry.archive.number
                    for entry in archives
                    if entry.file is None or entry.problem
                ]
                if not missing:
                    raise
        names = ", ".join(map(str, sorted(missing)))
        raise not_found(
            f"Round {number} of {table} is not in this database. It may be in archive {names}, "
            "whose file is not available: put it into the folder of --archives."
        )

    def _recorded(self) -> Iterator[Archive]:
        archive = self._store.archive(with_state=False)
        while archive is not None:
            yield archive
            archive = self._store.archive(with_state=False, before=archive.number)

    def _files(self) -> dict[str, Path]:
        """The files of the folder that have a manifest, by the hash that it names."""
        files: dict[str, Path] = {}
        if self.folder is None or not self.folder.is_dir():
            return files
        for path in sorted(self.folder.iterdir()):
            if path.is_file() and manifest_path(path).exists():
                try:
                    files[read_manifest(path).sha256] = path
                except StoreError:
                    continue
        return files

    def _listed(self, archive: Archive, files: dict[str, Path]) -> ListedArchive:
        path = files.get(archive.sha256)
        if path is None:
            return ListedArchive(archive, None)
        try:
            self._verify(path)
        except (StoreError, OSError) as error:
            return ListedArchive(archive, path, str(error))
        return ListedArchive(archive, path)

    def _verify(self, path: Path) -> None:
        """Compute the hash of a file, once as long as it stays; raises StoreError."""
        with self._lock:
            status = path.stat()
            seen = status.st_size, status.st_mtime_ns
            if self._verified.get(path) != seen:
                verify_backup(path)
                self._verified[path] = seen
