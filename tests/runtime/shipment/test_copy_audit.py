"""The audit of a shipped copy: what every forgery of it leads to, with nothing but the segments."""

import gzip
import hashlib
import os
import shutil
import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.audit.report import AuditReport
from openfelt.runtime.notary.keys import public_key_of
from openfelt.runtime.shipment import copy_audit, segment_file
from openfelt.runtime.shipment.segment_file import (
    SignedManifest,
    check_content,
    read_manifest,
    segment_path,
    signed_manifest,
)
from openfelt.runtime.shipment.segment_records import (
    SegmentRecord,
    ShippedEvent,
    ShippedRound,
    ShippedRules,
)
from openfelt.storage.event_forms import ROUND_SETTLED
from tests.kit.audit.audits import KEY, PUBLIC_KEY, audited, findings_text
from tests.kit.audit.shipped_floors import audited_copy, overwrite, rehashed, rewritten

OTHER = Ed25519PrivateKey.from_private_bytes(bytes(reversed(range(32))))


def test_every_payout_is_reproduced_without_the_database(shipped: Path, copy: Path) -> None:
    whole, alone = audited(shipped), audited_copy(copy, published=shipped / "checkpoints.jsonl")
    assert alone.clean, findings_text(alone)
    for count in ("rounds_settled", "rounds_voided", "rounds_counted", "cards", "transfers"):
        assert getattr(alone.counts, count) == getattr(whole.counts, count), count
    assert alone.counts.segments == 3
    assert alone.counts.rounds_settled > 25
    assert alone.counts.rounds_unreadable == 0
    assert alone.counts.checkpoints == alone.counts.published == 3
    assert alone.counts.events_uncovered == 0
    assert alone.signers == (PUBLIC_KEY,)


def flipped(path: Path, at: float) -> None:
    content = bytearray(path.read_bytes())
    content[int(len(content) * at)] ^= 1
    overwrite(path, bytes(content))


def cut(path: Path) -> None:
    overwrite(path, path.read_bytes()[:-10])


def renamed(copy: Path) -> None:
    """The second and the third segment change places."""
    shutil.move(segment_path(copy, 2), copy / "kept")
    shutil.move(segment_path(copy, 3), segment_path(copy, 2))
    shutil.move(copy / "kept", segment_path(copy, 3))


def piped(copy: Path) -> None:
    """Opening the third segment would wait for ever."""
    segment_path(copy, 3).unlink()
    os.mkfifo(segment_path(copy, 3))


def endless(copy: Path) -> None:
    """The third segment has no end."""
    segment_path(copy, 3).unlink()
    segment_path(copy, 3).symlink_to("/dev/zero")


def resigned(copy: Path) -> None:
    """Another hand signs the second segment and all after it."""
    rewritten(copy, 2, list, key=OTHER)


DAMAGE: list[tuple[str, Callable[[Path], object], str]] = [
    ("a flipped bit in a manifest", lambda c: flipped(segment_path(c, 2), 0.01), "segment 2: "),
    (
        "a flipped bit in the records",
        lambda c: flipped(segment_path(c, 2), 0.6),
        "has been changed",
    ),
    ("a flipped bit at the end", lambda c: flipped(segment_path(c, 3), 0.9999), "has been changed"),
    ("a segment that ends too early", lambda c: cut(segment_path(c, 3)), "bytes of records"),
    ("an empty segment", lambda c: overwrite(segment_path(c, 1), b""), "begin with a manifest"),
    ("the first is removed", lambda c: segment_path(c, 1).unlink(), "Segment 1 is missing"),
    ("one in the middle is removed", lambda c: segment_path(c, 2).unlink(), "Segment 2 is missing"),
    ("a pipe", piped, "cannot be read: It is not a file"),
    ("a device", endless, "cannot be read: It is not a file"),
    ("two change places", renamed, "is that of segment 3, and was renamed"),
    ("signed by another hand", resigned, "It is signed with another key"),
    (
        "a segment of itself again",
        lambda c: shutil.copy(segment_path(c, 3), segment_path(c, 4)),
        "is that of segment 3, and was renamed",
    ),
]


@pytest.mark.parametrize(
    ("damage", "says"), [row[1:] for row in DAMAGE], ids=[r[0] for r in DAMAGE]
)
def test_a_damaged_folder(copy: Path, damage: Callable[[Path], object], says: str) -> None:
    damage(copy)
    for keys in ((PUBLIC_KEY,), ()):
        report = audited_copy(copy, keys=keys)
        assert says in findings_text(report)
        assert report.findings[0].where == "segments"


def test_a_copy_that_another_hand_has_signed_is_found_with_the_key_only(copy: Path) -> None:
    rewritten(copy, 1, list, key=OTHER)
    assert "It is signed with another key" in findings_text(audited_copy(copy))
    unpinned = audited_copy(copy, keys=())
    assert any("would not be detected" in note for note in unpinned.notes)
    both = audited_copy(copy, keys=(PUBLIC_KEY, public_key_of(OTHER)))
    assert both.clean, findings_text(both)


def test_a_removed_end_is_told_by_published_checkpoints(shipped: Path, copy: Path) -> None:
    segment_path(copy, 3).unlink()
    report = audited_copy(copy, published=shipped / "checkpoints.jsonl")
    assert report.clean
    assert any("1 checkpoints were published after the copy ended" in note for note in report.notes)
    assert any("The copy ends with segment 2 of " in note for note in report.notes)


# The house itself writes something else --------------------------------------


def _paid_more(records: list[SegmentRecord]) -> Iterable[SegmentRecord]:
    """The last settlement of the segment pays a dollar more, with a hash that fits."""
    last = max(
        index
        for index, record in enumerate(records)
        if isinstance(record, ShippedEvent)
        and record.name == ROUND_SETTLED
        and '"payout_cents":500' in record.body
    )
    event = records[last]
    assert isinstance(event, ShippedEvent)
    body = event.body.replace('"payout_cents":500', '"payout_cents":600', 1)
    return [*records[:last], rehashed(event, body=body), *records[last + 1 :]]


def _without(kind: type) -> Callable[[list[SegmentRecord]], Iterable[SegmentRecord]]:
    return lambda records: [record for record in records if not isinstance(record, kind)]


def _other_card(records: list[SegmentRecord]) -> Iterable[SegmentRecord]:
    """Of every round, the shown cards are others than those that were proved."""
    for record in records:
        if isinstance(record, ShippedRound):
            kept = record.kept.replace('\\"card\\":\\"A', '\\"card\\":\\"2', 1)
            record = msgspec.structs.replace(record, kept=kept)
        yield record


def _money_moved(records: list[SegmentRecord]) -> Iterable[SegmentRecord]:
    """The first transfer moves a cent more."""
    done = False
    for record in records:
        if isinstance(record, ShippedEvent) and record.transfers and not done:
            first, *rest = record.transfers
            more = msgspec.structs.replace(first, cents=first.cents + 1)
            record, done = msgspec.structs.replace(record, transfers=[more, *rest]), True
        yield record


def _twice(records: list[SegmentRecord]) -> Iterable[SegmentRecord]:
    return [*records, next(record for record in records if isinstance(record, ShippedEvent))]


LIES: list[tuple[str, Callable[[list[SegmentRecord]], Iterable[SegmentRecord]], str]] = [
    ("a payout", _paid_more, "The settlement is not what the rules give."),
    ("no shown cards", _without(ShippedRound), "the copy lacks cards that were shown"),
    ("other cards", _other_card, "The proof of the round does not prove it."),
    ("no rules", _without(ShippedRules), "It cannot be read."),
    ("a transfer", _money_moved, "Its transfer 1 is not the one that it causes."),
    ("an event twice", _twice, "contradict those before them"),
]


@pytest.mark.parametrize(("lie", "says"), [row[1:] for row in LIES], ids=[row[0] for row in LIES])
def test_a_lie_under_the_right_signature(
    copy: Path, lie: Callable[[list[SegmentRecord]], Iterable[SegmentRecord]], says: str
) -> None:
    rewritten(copy, 1, lie)
    report: AuditReport = audited_copy(copy)
    assert says in findings_text(report)


def test_records_that_cannot_be_unpacked_under_the_right_signature(copy: Path) -> None:
    path = segment_path(copy, 3)
    packed = gzip.compress(b"{}")[:10] + b"\xff" * 20
    manifest = msgspec.structs.replace(
        read_manifest(path).manifest, size=len(packed), sha256=hashlib.sha256(packed).hexdigest()
    )
    overwrite(path, msgspec.json.encode(signed_manifest(manifest, KEY)) + b"\n" + packed)
    assert "The records of 00000003.segment cannot be read" in findings_text(audited_copy(copy))


def test_a_segment_that_is_exchanged_while_it_is_read(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those who keep the copy change it after its hash was compared."""

    def exchange(path: Path, signed: SignedManifest) -> None:
        check_content(path, signed)
        if signed.manifest.number == 3:
            line, _, packed = path.read_bytes().partition(b"\n")
            *kept, _ = gzip.decompress(packed).splitlines(keepends=True)
            overwrite(path, line + b"\n" + gzip.compress(b"".join(kept)))

    monkeypatch.setattr(copy_audit, "check_content", exchange)
    report = audited_copy(copy)
    assert "00000003.segment was exchanged while it was read" in findings_text(report)
    assert report.counts.segments == 2


def test_a_record_without_end_is_not_unpacked(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few kilobytes that unpack to more than the machine has, under a key that is believed."""
    monkeypatch.setattr(segment_file, "_RECORD_BYTES_MAX", 2**20)
    path = segment_path(copy, 3)
    packed = gzip.compress(b" " * 2**24)
    manifest = msgspec.structs.replace(
        read_manifest(path).manifest, size=len(packed), sha256=hashlib.sha256(packed).hexdigest()
    )
    overwrite(path, msgspec.json.encode(signed_manifest(manifest, KEY)) + b"\n" + packed)
    tracemalloc.start()
    assert "The records of 00000003.segment cannot be read" in findings_text(audited_copy(copy))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**24


def test_a_time_beyond_all_calendars_is_a_finding(copy: Path) -> None:
    """It was signed by another hand, whose key is believed because none is given."""
    path = segment_path(copy, 1)
    manifest = msgspec.structs.replace(read_manifest(path).manifest, at_ms=10**17)
    line = msgspec.json.encode(signed_manifest(manifest, OTHER))
    overwrite(path, line + b"\n" + path.read_bytes().partition(b"\n")[2])
    assert "begin with a manifest" in findings_text(audited_copy(copy, keys=()))


def test_a_manifest_names_its_software_and_its_counts(copy: Path) -> None:
    manifests = [read_manifest(segment_path(copy, number)).manifest for number in (1, 2, 3)]
    assert all(manifest.events and manifest.software for manifest in manifests)
    assert [manifest.rounds for manifest in manifests][1:] == [3, 1]
    assert [manifest.checkpoint for manifest in manifests] == [1, 2, 3]
