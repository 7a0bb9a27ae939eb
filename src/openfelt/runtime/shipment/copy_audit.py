"""The audit of a shipped copy alone: its segments, and then everything in them.

It needs no database and no key of the house. With the notary's public key it also shows that no
other hand has written the copy.
"""

from collections.abc import Collection, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from openfelt.runtime.audit.database import OtherAudits, Progress, audit_from
from openfelt.runtime.audit.report import FINDINGS_MAX, AuditReport, Finding
from openfelt.runtime.shipment.copy_store import CopyFiles, CopyStore, copy_files
from openfelt.runtime.shipment.segment_file import (
    SegmentError,
    SignedManifest,
    check_content,
    read_manifest,
    records_in,
    segment_files,
)
from openfelt.storage.door import FIRST_HASH


def is_copy(folder: Path) -> bool:
    """Whether a folder has segments of a log."""
    return folder.is_dir() and bool(segment_files(folder))


def audit_copy(
    folder: Path,
    *,
    public_keys: Collection[str] = (),
    published: Path | None = None,
    progress: Progress | None = None,
    findings_max: int = FINDINGS_MAX,
    others: Mapping[str, OtherAudits] | None = None,
) -> AuditReport:
    """Check a folder of segments, and settle every round in it again.

    Segments are read up to the first that is missing, was changed or is not signed. Raises OSError.
    """
    segments = _Segments(public_keys)
    with copy_files() as (files, temporary):
        for number, path in segment_files(folder).items():
            if not segments.take(files, number, path):
                break
        files.finish()
        with closing(CopyStore(files, temporary)) as store:
            report, _ = audit_from(
                store.as_store,
                None,
                public_keys=public_keys,
                published=published,
                progress=progress,
                findings_max=findings_max,
                others=others,
                shipped=True,
            )
    return segments.added_to(report, pinned=bool(public_keys), findings_max=findings_max)


class _Segments:
    """The segments of a copy, one after another."""

    def __init__(self, public_keys: Collection[str]) -> None:
        self._pinned = set(public_keys)
        self._findings: list[Finding] = []
        self._last: SignedManifest | None = None

    def take(self, files: CopyFiles, number: int, path: Path) -> bool:
        """Check a segment and add its records; False if it cannot be used."""
        try:
            signed = read_manifest(path)
            fault = self._fault(number, signed)
            if fault is None:
                check_content(path, signed)
                files.add(records_in(path, signed))
        except SegmentError as error:
            fault = str(error)
        if fault is not None:
            self._find(number, fault)
            return False
        self._last = signed
        return True

    def _fault(self, number: int, signed: SignedManifest) -> str | None:
        """Why a segment is not the next one of this copy, None if it is."""
        manifest, last = signed.manifest, self._last
        expected = last.manifest.number + 1 if last is not None else 1
        if number != expected:
            return f"Segment {expected} is missing; the next one is segment {number}."
        if manifest.number != number:
            return f"The file is that of segment {manifest.number}, and was renamed."
        if manifest.previous != (last.hash if last is not None else FIRST_HASH):
            return "It does not follow the segment before it."
        if last is not None and manifest.copy != last.manifest.copy:
            return "It belongs to another copy."
        if not signed.signature_holds:
            return "Its signature does not hold: its manifest has been changed."
        if self._pinned and signed.key not in self._pinned:
            return f"It is signed with another key, {signed.key}."
        if not self._pinned and last is not None and signed.key != last.key:
            return (
                f"It is signed with another key, {signed.key}, not with that of the segment before "
                "it. If the notary's key was changed, name both with --public-key."
            )
        return None

    def _find(self, number: int, sentence: str) -> None:
        self._findings.append(
            Finding(
                where="segments",
                version=number,
                sentence=f"{sentence} Nothing from here on was checked.",
            )
        )

    def added_to(self, report: AuditReport, *, pinned: bool, findings_max: int) -> AuditReport:
        """The report with what was found of the segments themselves."""
        findings = (*self._findings, *report.findings)
        more = report.more_findings + max(0, len(findings) - findings_max)
        notes = list(report.notes)
        last = self._last.manifest if self._last is not None else None
        if last is not None:
            report.counts.segments = last.number
            ended = datetime.fromtimestamp(last.at_ms / 1000, UTC)
            notes.append(
                f"The copy ends with segment {last.number} of {ended:%Y-%m-%d %H:%M:%S} UTC, with "
                f"checkpoint {last.checkpoint}. Removed later segments are detected where it is "
                "shipped, and by checkpoints that were published since."
            )
        if not pinned:
            notes.append(
                "No public key of the notary was given, so the key that the segments name was "
                "trusted: a copy that was signed again with another key would not be detected."
            )
        return AuditReport(
            counts=report.counts,
            findings=findings[:findings_max],
            more_findings=more,
            notes=tuple(notes),
            signers=report.signers,
            fairness=report.fairness,
        )
