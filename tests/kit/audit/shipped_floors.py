"""A floor whose log was shipped, forged segments of it, and the audit of the copy."""

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.audit.report import AuditReport
from openfelt.runtime.notary import Notary
from openfelt.runtime.shipment.copy_audit import audit_copy
from openfelt.runtime.shipment.segment_file import (
    SignedManifest,
    read_manifest,
    records_in,
    segment_path,
    signed_manifest,
    write_segment,
)
from openfelt.runtime.shipment.segment_records import SegmentRecord, ShippedEvent
from openfelt.runtime.shipment.shipper import Shipper
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from openfelt.storage.chain import stored_hash
from openfelt.storage.sql.rows import event
from tests.kit.audit.audited_floors import Floor, five_houses
from tests.kit.audit.audits import KEY, PUBLIC_KEY


def ship(floor: Floor, folder: Path) -> SignedManifest | None:
    """Ship what is new on a floor."""
    folder.mkdir(exist_ok=True)
    return Shipper(floor.store, folder, KEY, floor.clock).ship()


def shipped_floor(folder: Path) -> Path:
    """Fill a folder with a floor of five houses, shipped three times, in the middle of rounds."""
    floor = five_houses(folder / "floor.db")
    notary = Notary(floor.store, KEY, floor.clock, published=folder / "checkpoints.jsonl")
    notary.sign()
    ship(floor, folder / "copy")
    # A round that was in progress when it was shipped ends in the next segment.
    floor.close("wash-2")
    floor.finish("wash-2")
    floor.play("net-1", 2)
    notary.sign()
    ship(floor, folder / "copy")
    floor.finish("arena-1")
    floor.cashier.deposit("ann", 5_000, id="last")
    notary.sign()
    ship(floor, folder / "copy")
    floor.store.close()
    return folder


def audited_copy(
    folder: Path, *, keys: tuple[str, ...] = (PUBLIC_KEY,), published: Path | None = None
) -> AuditReport:
    """The audit of the segments in a folder."""
    return audit_copy(folder, public_keys=keys, published=published, others=ACCOUNT_AUDITS)


def rewritten(
    folder: Path,
    number: int,
    change: Callable[[list[SegmentRecord]], Iterable[SegmentRecord]],
    *,
    key: Ed25519PrivateKey = KEY,
) -> None:
    """Write a segment anew with other records, and sign it and all after it with a key."""
    records = list(change(list(records_in(segment_path(folder, number)))))
    previous = _replaced(folder, number, records, None, key)
    while segment_path(folder, number := number + 1).exists():
        records = list(records_in(segment_path(folder, number)))
        previous = _replaced(folder, number, records, previous, key)


def _replaced(
    folder: Path,
    number: int,
    records: list[SegmentRecord],
    previous: str | None,
    key: Ed25519PrivateKey,
) -> str:
    path = segment_path(folder, number)
    manifest = read_manifest(path).manifest
    if previous is not None:
        manifest = msgspec.structs.replace(manifest, previous=previous)
    path.unlink()

    def sign(size: int, sha256: str) -> SignedManifest:
        return signed_manifest(msgspec.structs.replace(manifest, size=size, sha256=sha256), key)

    return write_segment(folder, number, records, sign).hash


def rehashed(shipped: ShippedEvent, **changes: object) -> ShippedEvent:
    """An event with other content, and the hash of that content."""
    changed = msgspec.structs.replace(shipped, **changes)
    return msgspec.structs.replace(changed, hash=stored_hash(event(changed.row)))


def overwrite(path: Path, content: bytes) -> None:
    """Replace the content of a file that is read-only."""
    path.chmod(0o600)
    path.write_bytes(content)
