"""An export as a folder: its files, and a signed manifest that names each of them.

The signed text is the manifest as JSON with sorted keys, without its key and signature, after
``openfelt.export/1`` and a line feed.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Annotated, Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.exports.export_files import ExportFormat, check_format, write_rows
from openfelt.runtime.exports.export_rows import COLUMNS, ExportTable, Period, Value, rows_of
from openfelt.runtime.notary.checkpoints import HashText
from openfelt.runtime.notary.keys import public_key_of
from openfelt.runtime.notary.notary import last_checkpoint
from openfelt.storage.backup.regular_files import open_regular
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Store
from openfelt.storage.rulebook import Rulebook

MANIFEST: Final = "manifest.json"
_FORMAT: Final = "openfelt.export/1"
PROGRESS_EVERY: Final = 500
_EVENT_TABLES: Final = frozenset({ExportTable.ROUNDS, ExportTable.LINES, ExportTable.EVENTS})

Progress = Callable[[int, int], object]
Moment = Annotated[int, msgspec.Meta(ge=0, le=253_402_300_799_999)]
"""Milliseconds since 1970, up to the year 9999."""


class ExportError(Exception):
    """An export that cannot be written, or is not what was signed; the sentence says why."""


class ExportedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A file of an export."""

    name: Annotated[str, msgspec.Meta(pattern=r"\A[a-z]{1,20}\.(csv|jsonl|parquet)\Z")]
    table: str
    rows: Annotated[int, msgspec.Meta(ge=0)]
    size: int
    sha256: str
    columns: list[str]


class ExportManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of an export, under its signature."""

    format: str
    at_ms: int
    software: str
    start_ms: int
    """The period of the export: its first moment."""
    end_ms: int
    """The first moment after it."""
    events: int
    """How many events the record had when the export began."""
    checkpoint: int
    """The number of the notary's last checkpoint then, 0 for none."""
    by: str
    """Who has exported it."""
    files: list[ExportedFile]
    archived_ms: Moment = 0
    """What is older is in archives of the database and not in these files; 0 without archives."""

    @property
    def lacks_history(self) -> bool:
        """Whether a part of the period may be in archives."""
        return self.start_ms < self.archived_ms


class SignedExport(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of the manifest's file."""

    manifest: ExportManifest
    key: HashText
    signature: str

    @property
    def signature_holds(self) -> bool:
        """Whether the key that it names has signed it."""
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.key))
            key.verify(bytes.fromhex(self.signature), _text(self.manifest))
        except (ValueError, InvalidSignature):
            return False
        return True


def _text(manifest: ExportManifest) -> bytes:
    return f"{_FORMAT}\n".encode() + msgspec.json.encode(manifest, order="sorted")


def write_export(
    store: Store,
    folder: Path,
    key: Ed25519PrivateKey,
    clock: Clock,
    *,
    tables: Sequence[ExportTable],
    form: ExportFormat,
    period: Period,
    progress: Progress | None = None,
) -> SignedExport:
    """Write the files of an export into a folder that has none yet, and sign them.

    Raises ExportError, FormatMissing, StoreError or OSError.
    """
    check_format(form)
    paths = {table: folder / f"{table.value}{form.suffix}" for table in tables}
    _check_free(folder, paths.values())
    folder.mkdir(0o700, parents=True, exist_ok=True)
    events = sum(head.version for head in store.heads().values())
    total = max(1, events * sum(table in _EVENT_TABLES for table in tables))
    done = 0

    def steps(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None and done % PROGRESS_EVERY == 0:
            progress(min(done, total), total)

    rulebook = Rulebook(store)
    last, archive = last_checkpoint(store), store.archive(with_state=False)
    files = [
        _write_file(path, form, table, rows_of(store, rulebook, table, period, steps))
        for table, path in paths.items()
    ]
    manifest = ExportManifest(
        format=form.value,
        at_ms=clock.wall_ms(),
        software=version_of("openfelt"),
        start_ms=period.start_ms,
        end_ms=period.end_ms,
        events=events,
        checkpoint=last.number if last is not None else 0,
        by=acting().actor,
        files=files,
        archived_ms=archive.at_ms if archive is not None else 0,
    )
    return _write_manifest(folder, manifest, key)


def _check_free(folder: Path, paths: Iterable[Path]) -> None:
    """Refuse a folder in which something would be overwritten."""
    if (folder / MANIFEST).exists():
        raise ExportError(f"{folder} already has an export. Nothing is overwritten.")
    for path in paths:
        if path.exists():
            raise ExportError(f"{path} already exists. Nothing is overwritten.")


def _write_file(
    path: Path, form: ExportFormat, table: ExportTable, rows: Iterable[dict[str, Value]]
) -> ExportedFile:
    """Write the file of one table; returns its line of the manifest."""
    try:
        count = write_rows(path, form, COLUMNS[table], rows)
    except CodecError as error:
        raise ExportError(f"{error} Run an audit.") from error
    return ExportedFile(
        name=path.name,
        table=table.value,
        rows=count,
        size=path.stat().st_size,
        sha256=_sha256(path),
        columns=list(COLUMNS[table]),
    )


def _write_manifest(folder: Path, manifest: ExportManifest, key: Ed25519PrivateKey) -> SignedExport:
    """Sign the manifest, and write it beside the files that it names."""
    signed = SignedExport(
        manifest=manifest, key=public_key_of(key), signature=key.sign(_text(manifest)).hex()
    )
    content = msgspec.json.format(msgspec.json.encode(signed), indent=2)
    (folder / MANIFEST).write_bytes(content + b"\n")
    return signed


def check_export(folder: Path, public_keys: Collection[str] = ()) -> SignedExport:
    """The manifest of an export whose files are those that were signed; raises ExportError."""
    try:
        signed = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=SignedExport)
    except OSError as error:
        raise ExportError(f"{folder / MANIFEST} cannot be read: {error.strerror}.") from error
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise ExportError(f"{folder / MANIFEST} is not the manifest of an export.") from error
    if not signed.signature_holds:
        raise ExportError("The signature does not hold: the manifest has been changed.")
    if public_keys and signed.key not in public_keys:
        raise ExportError(f"The export is signed with another key, {signed.key}.")
    for file in signed.manifest.files:
        path = folder / file.name
        try:
            digest = _sha256(path)
        except OSError as error:
            raise ExportError(f"{path} cannot be read: {error.strerror}.") from error
        if digest != file.sha256:
            raise ExportError(f"{path} has been changed: its SHA-256 is not the one signed.")
    return signed


def other_files(folder: Path, signed: SignedExport) -> int:
    """How many files a folder has that are not of the export, and so are not signed."""
    own = {MANIFEST, *(file.name for file in signed.manifest.files)}
    return sum(path.name not in own for path in folder.iterdir())


def _sha256(path: Path) -> str:
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
