"""A database together with its archives, for commands that read all history."""

from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from openfelt.storage.door import Store


def joined(store: "Store", archives: Sequence[Path], opened: ExitStack) -> "Store":
    """The database together with its archives, the oldest first; raises StoreError."""
    from openfelt.runtime.archive.joined_store import JoinedStore
    from openfelt.storage.backup.backup_file import verify_backup
    from openfelt.storage.sqlite import SqliteStore

    last = store.archive(with_state=False)
    hashes = [verify_backup(path).sha256 for path in archives]
    if last is None or last.sha256 != hashes[-1]:
        raise Complaint(
            f"{archives[-1]} is not the newest archive of this database.", ExitCode.WRONG_INPUT
        )
    parts = [opened.enter_context(closing(SqliteStore(path))) for path in archives]
    return JoinedStore(store, parts).as_store
