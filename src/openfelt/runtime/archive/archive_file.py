"""The file of an archive: the whole database as it was when a checkpoint was signed.

It is a database itself, with a manifest like that of a backup. It can be audited, searched and
restored alone; the first event after it names the last one in it.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from openfelt.runtime.archive.cut import Cut, NothingToArchive, last_round
from openfelt.runtime.audit.database import audit_from
from openfelt.runtime.audit.progress.progress_state import AuditState
from openfelt.runtime.streams import ARCHIVES_STREAM, StreamKind, kind_of, name_of, table_stream
from openfelt.storage.backup.backup_file import make_backup
from openfelt.storage.backup.manifest import Manifest, Progress, manifest_path, read_manifest
from openfelt.storage.door import Store
from openfelt.storage.keyring import Keyring
from openfelt.storage.sqlite import SqliteStore
from openfelt.storage.sqlite.errors import plain
from openfelt.storage.streams.append_keys import APPENDS_STREAM

_BALANCES = (
    "INSERT INTO balances (account, cents)"
    " SELECT account, sum(cents) FROM ("
    "  SELECT credit AS account, cents FROM transfers WHERE number <= ?"
    "  UNION ALL SELECT debit, -cents FROM transfers WHERE number <= ?"
    "  UNION ALL SELECT key, value FROM json_each(?)"
    " ) GROUP BY account HAVING sum(cents) <> 0"
)


_HEAD_MOVED = (
    "UPDATE streams SET version = ?,"
    " hash = coalesce("
    "(SELECT hash FROM events e WHERE e.stream = streams.name AND e.version = ?), hash),"
    " at_ms = coalesce("
    "(SELECT at_ms FROM events e WHERE e.stream = streams.name AND e.version = ?), 0)"
    " WHERE name = ?"
)
_FORMS_LEFT = (
    "INSERT INTO event_forms (name, schema)"
    " SELECT name, max(schema) FROM events WHERE stream <> ? GROUP BY name"
)


class ArchiveError(NothingToArchive):
    """The history to be archived is not in order; nothing has been changed."""


class WrittenArchive(NamedTuple):
    """An archive that has been written and audited."""

    manifest: Manifest
    state: AuditState
    left: list[Path]
    """Files that interrupted processes have left in the same folder."""


def write_archive(
    url: str,
    path: Path,
    cut: Cut,
    *,
    opening: str,
    keyring: Keyring | None = None,
    progress: Progress | None = None,
) -> WrittenArchive:
    """Copy a database, cut the copy off after a checkpoint, and audit it.

    ``opening`` are the balances of what was archived before, as JSON. Raises ArchiveError and
    leaves no file if the copy has findings.
    """
    state: AuditState | None = None

    def edit(copy: Path) -> None:
        nonlocal state
        transfer, balances = _cut_off(copy, cut, opening, keyring)
        with closing(SqliteStore(copy, keyring=keyring)) as store:
            store.authenticate_cut()
            store.mark_cut(cut.checkpoint, cut.at_ms)
        state = _audited(copy, cut, keyring)
        state = msgspec.structs.replace(state, transfer=transfer, balances=balances)

    # The file gets its name once it is cut off and audited.
    backup = make_backup(url, path, progress=progress, edit=edit)
    assert state is not None
    return WrittenArchive(backup.manifest, state, backup.left)


def is_unrecorded(store: Store, path: Path, keyring: Keyring | None) -> bool:
    """Whether a file is an archive of this database that the database does not list.

    Nothing has been removed because of it: a process ended just before it was recorded.
    """
    if not path.is_file() or not manifest_path(path).exists():
        return False
    sha256, archive = read_manifest(path).sha256, store.archive(with_state=False)
    while archive is not None:
        if archive.sha256 == sha256:
            return False
        archive = store.archive(with_state=False, before=archive.number)
    with closing(SqliteStore(path, keyring=keyring)) as file:
        file.check_cut()
        cut, own, theirs = file.cut_at(), store.authentication(), file.authentication()
    return (
        cut is not None
        and own is not None
        and theirs is not None
        and (own.database == theirs.database)
    )


def _audited(path: Path, cut: Cut, keyring: Keyring | None) -> AuditState:
    with closing(SqliteStore(path, keyring=keyring)) as store:
        report, state = audit_from(store, None)
    if state is None or (state.checkpoints.number, state.checkpoints.hash) != (
        cut.checkpoint,
        cut.hash,
    ):
        problem = report.findings[0] if report.findings else "; ".join(report.notes)
        raise ArchiveError(f"The history cannot be archived before its audit is clean: {problem}")
    return state


def _cut_off(
    path: Path, cut: Cut, opening: str, keyring: Keyring | None
) -> tuple[int, dict[str, int]]:
    """Remove everything after a checkpoint.

    Returns the number of a transfer up to which all are in the file, and the balances after it: a
    slow writer may have got a lower number than the last one before the checkpoint.
    """
    with closing(SqliteStore(path, keyring=keyring)) as store:
        for stream, full_head in store.heads().items():
            # Nothing that was appended without a key of the house gets into an archive.
            store.check_head(stream, full_head)
        rounds = {
            stream: last_round(store, stream, head.version)
            for stream, head in cut.heads.items()
            if kind_of(stream) is StreamKind.TABLE
        }
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            return _cut_rows(connection, cut, opening, rounds)
    except sqlite3.Error as error:
        raise plain(error) from error


def _cut_rows(
    connection: sqlite3.Connection, cut: Cut, opening: str, rounds: Mapping[str, int]
) -> tuple[int, dict[str, int]]:
    connection.execute("BEGIN")
    all_numbers = {number for (number,) in connection.execute("SELECT number FROM transfers")}
    names = [name for (name,) in connection.execute("SELECT name FROM streams").fetchall()]
    for stream in names:
        if stream == APPENDS_STREAM:
            continue
        version = _last_version(connection, cut, stream)
        for table in ("events", "transfers", "snapshots"):
            connection.execute(
                f"DELETE FROM {table} WHERE stream = ? AND version > ?",  # noqa: S608
                (stream, version),
            )
        connection.execute(_HEAD_MOVED, (version, version, version, stream))
        if version == 0:
            for table, column in (("streams", "name"), ("secrets", "stream")):
                connection.execute(
                    f"DELETE FROM {table} WHERE {column} = ?",  # noqa: S608
                    (stream,),
                )
    for stream, playing in rounds.items():
        _drop_later_secrets(connection, stream, playing)
    connection.execute("DELETE FROM checkpoints WHERE number > ?", (cut.checkpoint,))
    # A form that was first written after the checkpoint is not one of the archive.
    connection.execute("DELETE FROM event_forms")
    connection.execute(_FORMS_LEFT, (APPENDS_STREAM,))
    kept = {number for (number,) in connection.execute("SELECT number FROM transfers")}
    transfer = min(all_numbers - kept, default=max(all_numbers, default=0) + 1) - 1
    balances = _add_up(connection, opening, transfer)
    _add_up(connection, opening, max(kept, default=0))
    connection.execute("COMMIT")
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return transfer, balances


def _add_up(connection: sqlite3.Connection, opening: str, up_to: int) -> dict[str, int]:
    """Write the balances after a transfer, and return them."""
    connection.execute("DELETE FROM balances")
    connection.execute(_BALANCES, (up_to, up_to, opening))
    return dict(connection.execute("SELECT account, cents FROM balances ORDER BY account"))


def _last_version(connection: sqlite3.Connection, cut: Cut, stream: str) -> int:
    """How many events of a stream are archived.

    The decks of archived rounds were purged later, so all purges of archived tables belong to the
    archive, and so does what says that keys were lost or that history was archived before.
    """
    head = cut.heads.get(stream)
    kind = kind_of(stream)
    purged = kind is StreamKind.PURGE and table_stream(name_of(stream)) in cut.heads
    if purged or kind is StreamKind.LOST_KEY or stream == ARCHIVES_STREAM:
        (last,) = connection.execute(
            "SELECT version FROM streams WHERE name = ?", (stream,)
        ).fetchone()
        return int(last)
    return head.version if head is not None else 0


def _drop_later_secrets(connection: sqlite3.Connection, stream: str, playing: int) -> None:
    """Remove the decks and keys of rounds after the next one: they are in play now."""
    names = connection.execute("SELECT name FROM secrets WHERE stream = ?", (stream,)).fetchall()
    for (name,) in names:
        number = name.removeprefix("key/").partition("/")[0]
        if number.isdecimal() and int(number) > playing + 1:
            connection.execute("DELETE FROM secrets WHERE stream = ? AND name = ?", (stream, name))
