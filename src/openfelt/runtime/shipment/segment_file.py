"""The file of a segment: a signed manifest in its first line, and compressed records after it.

The manifest is one line of JSON. The rest of the file is GZIP of one JSON object in each line, so
both can be read with common tools. The signed text is

    openfelt.segment/1, then the manifest without its key and signature

and the hashed text is the same, followed by the public key and the signature. Each part is preceded
by its length and a colon. A manifest names the hash of the one before it, so segments form a chain.
"""

import errno
import gzip
import hashlib
import io
import os
import re
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Annotated, Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from openfelt.runtime.notary.checkpoints import HashText, Number
from openfelt.runtime.notary.keys import public_key_of
from openfelt.runtime.shipment.segment_records import SegmentRecord, read_record, record_line
from openfelt.storage.backup.regular_files import open_regular
from openfelt.storage.backup.sqlite_files import sync_folder
from openfelt.storage.backup.unfinished_files import UNFINISHED
from openfelt.storage.chain import delimited

_FORMAT: Final = "openfelt.segment/1"
SUFFIX: Final = ".segment"
_NAME: Final = re.compile(r"([0-9]{8,18})\.segment")
_MANIFEST_BYTES_MAX: Final = 2**30
_RECORD_BYTES_MAX: Final = 2**28
"""How long a line of the records may be, unpacked."""
_BLOCK: Final = 2**20
_NO_LINKS: Final = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
"""Errors of file systems that have no hard links."""

Counted = Annotated[int, msgspec.Meta(ge=0)]
Moment = Annotated[int, msgspec.Meta(ge=0, le=253_402_300_799_999)]
"""Milliseconds since 1970, up to the year 9999."""


class SegmentError(Exception):
    """A segment that is not what was signed, or cannot be read; the sentence says why."""


class ShippedHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Up to where a segment has the events of a stream."""

    version: Number
    hash: HashText
    transfer: Counted
    """The number of the stream's last transfer by then, 0 for none."""


class SegmentManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The description of a segment, under its signature."""

    copy: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{16}\Z")]
    """The id of the copy to which the segment belongs."""
    number: Number
    previous: HashText
    """The hash of the segment before it, zeros in the first."""
    at_ms: Moment
    software: str
    """The version of Openfelt that has written it."""
    heads: dict[str, ShippedHead]
    """The ends of the streams that have new events in it."""
    checkpoint: Counted
    """The number of the last checkpoint of the notary in the copy, 0 for none."""
    rule_sets: list[str]
    """The fingerprints of the rules that are in it."""
    events: Counted
    rounds: Counted
    """How many rounds that have ended are in it with what was shown of them."""
    size: Counted
    """How many bytes the records take, compressed."""
    sha256: HashText
    """The hash of these bytes."""


class SignedManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line of a segment's file."""

    manifest: SegmentManifest
    key: HashText
    """The public key, in hexadecimal digits."""
    signature: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{128}\Z")]

    @property
    def hash(self) -> str:
        """The hash by which the next segment names this one."""
        text = delimited(_FORMAT, _signed(self.manifest), self.key, self.signature)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def signature_holds(self) -> bool:
        """Whether the key that it names has signed it."""
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.key))
            key.verify(bytes.fromhex(self.signature), _signed_text(self.manifest))
        except (ValueError, InvalidSignature):
            return False
        return True


def signed_manifest(manifest: SegmentManifest, key: Ed25519PrivateKey) -> SignedManifest:
    """A manifest with its signature."""
    signature = key.sign(_signed_text(manifest)).hex()
    return SignedManifest(manifest=manifest, key=public_key_of(key), signature=signature)


def _signed_text(manifest: SegmentManifest) -> bytes:
    return delimited(_FORMAT, _signed(manifest)).encode()


def _signed(manifest: SegmentManifest) -> str:
    return msgspec.json.encode(manifest, order="sorted").decode()


# Files -----------------------------------------------------------------------


def segment_path(folder: Path, number: int) -> Path:
    """The file of a segment.

    >>> segment_path(Path("copy"), 12).as_posix()
    'copy/00000012.segment'
    """
    return folder / f"{number:08}{SUFFIX}"


def segment_files(folder: Path) -> dict[int, Path]:
    """The files of segments in a folder by their numbers, in order; raises OSError."""
    matches = ((_NAME.fullmatch(path.name), path) for path in folder.iterdir())
    return dict(sorted((int(match[1]), path) for match, path in matches if match))


def read_manifest(path: Path) -> SignedManifest:
    """The manifest of a segment, whose signature is not checked here; raises SegmentError."""
    try:
        with open_regular(path) as file:
            return _manifest_in(file, path)
    except OSError as error:
        raise SegmentError(f"{path.name} cannot be read: {error.strerror}.") from error


def _manifest_in(file: IO[bytes], path: Path) -> SignedManifest:
    line = file.readline(_MANIFEST_BYTES_MAX)
    try:
        return msgspec.json.decode(line, type=SignedManifest)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise SegmentError(f"{path.name} does not begin with a manifest: {error}.") from error


def check_content(path: Path, signed: SignedManifest) -> None:
    """Raise SegmentError if the records of a segment are not those that were signed."""
    size, digest = 0, hashlib.sha256()
    try:
        with open_regular(path) as file:
            _manifest_in(file, path)
            while block := file.read(_BLOCK):
                size += len(block)
                digest.update(block)
    except OSError as error:
        raise SegmentError(f"{path.name} cannot be read: {error.strerror}.") from error
    wanted = signed.manifest
    if size != wanted.size:
        raise SegmentError(
            f"{path.name} has {size:,} bytes of records; {wanted.size:,} were signed."
        )
    if digest.hexdigest() != wanted.sha256:
        raise SegmentError(f"{path.name} has been changed: its records are not those signed.")


class _Hashed(io.RawIOBase):
    """A file that is hashed while it is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        content = self._file.read(size)
        self.digest.update(content)
        return content


def records_in(path: Path, signed: SignedManifest | None = None) -> Iterator[SegmentRecord]:
    """The records of a segment, in order; raises SegmentError.

    With the manifest whose content was checked before, it raises after the last record if the file
    was exchanged meanwhile.
    """
    try:
        with open_regular(path) as file:
            _manifest_in(file, path)
            hashed = _Hashed(file)
            with gzip.GzipFile(fileobj=hashed) as lines:
                while line := lines.readline(_RECORD_BYTES_MAX):
                    yield read_record(line)
            if signed is not None and hashed.digest.hexdigest() != signed.manifest.sha256:
                raise SegmentError(f"{path.name} was exchanged while it was read.")
    except (OSError, EOFError, zlib.error, msgspec.MsgspecError, ValueError) as error:
        raise SegmentError(f"The records of {path.name} cannot be read: {error}.") from error


def write_segment(
    folder: Path,
    number: int,
    records: Iterable[SegmentRecord],
    sign: Callable[[int, str], SignedManifest],
) -> SignedManifest:
    """Write a segment: whole under its name, or not at all.

    ``sign`` is given the size and the SHA-256 of the records once all are written. A file of that
    name is never replaced, and no link is followed, which those who keep the copy could have laid.
    Raises FileExistsError or another OSError.
    """
    target = segment_path(folder, number)
    body, unfinished = (
        target.with_name(f"{target.name}{part}{UNFINISHED}") for part in (".body", "")
    )
    try:
        with gzip.open(body, "xb", compresslevel=6) as packed:
            for record in records:
                packed.write(record_line(record))
        signed = sign(body.stat().st_size, _sha256(body))
        with unfinished.open("xb") as file, body.open("rb") as packed:
            file.write(msgspec.json.encode(signed) + b"\n")
            shutil.copyfileobj(packed, file, _BLOCK)
            file.flush()
            os.fchmod(file.fileno(), 0o440)
            os.fsync(file.fileno())
        _publish(unfinished, target)
        sync_folder(folder)
    finally:
        body.unlink(missing_ok=True)
        unfinished.unlink(missing_ok=True)
    return signed


def _publish(unfinished: Path, target: Path) -> None:
    """Give a file its name, without replacing another; raises FileExistsError."""
    try:
        # Unlike renaming, a link never replaces a file that has just appeared.
        os.link(unfinished, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # A USB stick, for example. One process ships to a folder at a time.
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from error
        unfinished.rename(target)


def remove_unfinished(folder: Path) -> None:
    """Remove what a process has left that was killed while it wrote."""
    for path in folder.glob(f"*{SUFFIX}*{UNFINISHED}"):
        path.unlink()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
