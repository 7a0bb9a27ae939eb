"""The manifest of a backup: the contents of the file, so that a loss is noticed before it is
restored.

It is stored beside the backup and names the SHA-256 of the file. It names the keys that the secrets
need, and never holds one.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from openfelt.storage.balances.balance_door import NUMBER_END
from openfelt.storage.door import StoreError
from openfelt.storage.shown_names import shown
from openfelt.storage.sql.rows import Row

FORMAT: Final = "openfelt.backup/1"
SUFFIX: Final = ".manifest"
_CHUNK_BYTES: Final = 1 << 20

Run = Callable[[str], Sequence[Row]]
"""Runs a statement and returns its rows."""
Progress = Callable[[int, int], object]
"""Called with the steps done so far, and of all steps."""


class BackupError(StoreError):
    """A backup cannot be made, or is not what its manifest says; nothing has been overwritten."""


class SignedLast(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The notary's last checkpoint in a backup."""

    number: int
    at_ms: int
    key: str
    """The public key."""
    signature: str


class Contents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a database. Two copies of one state have the same contents."""

    schema: int
    position: int
    """How many events all streams have had: the versions of their heads added up."""
    last_transfer: int
    head: str
    """A hash over the heads of all streams."""
    rows: dict[str, int]
    """How many rows each table has."""
    checkpoint: SignedLast | None
    keys: tuple[str, ...]
    """The ids of the keys without which its secrets cannot be opened."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A backup in a few lines of JSON."""

    format: str
    openfelt: str
    """The version of the program that made it."""
    made_at_ms: int
    contents: Contents
    bytes: int
    sha256: str


def manifest_path(backup: Path) -> Path:
    """The path of a backup's manifest.

    >>> manifest_path(Path("casino.backup")).name
    'casino.backup.manifest'
    """
    return backup.with_name(backup.name + SUFFIX)


def read_manifest(backup: Path) -> Manifest:
    """The manifest of a backup; raises BackupError if there is none, or not one of ours."""
    path = manifest_path(backup)
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except OSError as error:
        if not backup.exists():
            raise BackupError(f"There is no file {backup}.") from error
        raise BackupError(
            f"The manifest {path} cannot be read: {error.strerror}. A backup of openfelt backup "
            "has one; a plain copy of a database has none, and may lack its end."
        ) from error
    except msgspec.MsgspecError as error:
        raise BackupError(f"{path} is not the manifest of a backup: {error}.") from error
    if manifest.format != FORMAT:
        raise BackupError(f"{path} has the format {manifest.format}; this Openfelt reads {FORMAT}.")
    return manifest


def sha256_of(path: Path, progress: Progress | None = None) -> str:
    """The hash of a file."""
    digest, done, total = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
            done += len(chunk)
            if progress is not None:
                progress(done, total)
    return digest.hexdigest()


# What a database holds -------------------------------------------------------


def contents_of(run: Run, schema: int, tables: Sequence[str]) -> Contents:
    """The contents of a database, read at one moment."""
    position, head = heads_of(run)
    ((last_transfer,),) = run(
        f"SELECT coalesce(max(number), 0) FROM transfers WHERE number < {NUMBER_END}"  # noqa: S608
    )
    signed = run(
        "SELECT number, at_ms, key, signature FROM checkpoints ORDER BY number DESC LIMIT 1"
    )
    return Contents(
        schema=schema,
        position=position,
        last_transfer=last_transfer,
        head=head,
        rows={table: run(f"SELECT count(*) FROM {table}")[0][0] for table in sorted(tables)},  # noqa: S608
        checkpoint=SignedLast(*signed[0]) if signed else None,
        keys=_keys_of(run, schema),
    )


def heads_of(run: Run) -> tuple[int, str]:
    """How many events all streams have had, and a hash over their heads."""
    digest, position = hashlib.sha256(), 0
    for name, version, last_hash in run(
        "SELECT name, version, hash FROM streams WHERE version > 0 ORDER BY name"
    ):
        position += version
        digest.update(f"{len(name)}:{name} {version} {last_hash}\n".encode())
    return position, digest.hexdigest()


def _keys_of(run: Run, schema: int) -> tuple[str, ...]:
    """The ids of the main keys in secrets, and in the events and snapshots of earlier versions."""
    sealed = (
        "SELECT DISTINCT substr(body, 12, 8) FROM {}"
        """ WHERE substr(body, 1, 11) = '{{"sealed":"' AND substr(body, 12, 4) <> 'key/'"""
    )
    questions = [sealed.format(table) for table in ("events", "snapshots")]
    if schema >= _ENCRYPTED_SINCE:
        questions.append("SELECT DISTINCT key FROM secrets WHERE key <> ''")
    return tuple(sorted({str(key) for question in questions for (key,) in run(question)}))


_ENCRYPTED_SINCE: Final = 3
"""The schema since which secrets name their keys."""


def faults_of(run: Run) -> list[str]:
    """Faults of a database that can be seen without replaying it."""
    faults = [
        f"the last event of {shown(stream)} is missing or not the one that its head names"
        for (stream,) in run(
            "SELECT s.name FROM streams s LEFT JOIN events e"
            " ON e.stream = s.name AND e.version = s.version"
            " WHERE s.version > 0 AND (e.hash IS NULL OR e.hash <> s.hash) ORDER BY s.name LIMIT 5"
        )
    ]
    faults += [
        f"events of {shown(stream)} are missing"
        for (stream,) in run(
            "SELECT stream FROM events GROUP BY stream"
            " HAVING count(*) <> max(version) - min(version) + 1 ORDER BY stream LIMIT 5"
        )
    ]
    ((total,),) = run("SELECT coalesce(sum(cents), 0) FROM balances")
    if total:
        faults.append("the accounts do not add up to zero")
    return faults
