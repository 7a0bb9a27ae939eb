"""The audit of the notary's checkpoints, in the database and in the published file."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from openfelt.runtime.audit.progress.progress_state import AuditedCheckpoints
from openfelt.runtime.audit.report import Finding, ReportDraft
from openfelt.runtime.notary.checkpoints import (
    CheckpointError,
    NamedHead,
    RestoreStatement,
    checkpoint_hash,
    read_published_line,
    read_statement,
    signature_holds,
    whole_lines,
)
from openfelt.storage.balances.balance_door import FIRST_NUMBER
from openfelt.storage.door import Checkpoint, Damaged, Head, Store
from openfelt.storage.shown_names import shown, shown_hash


class CheckpointAudit:
    """The audit of all checkpoints, and of the events that they name."""

    def __init__(
        self,
        store: Store,
        heads: Mapping[str, Head],
        report: ReportDraft,
        *,
        public_keys: Collection[str],
        before: AuditedCheckpoints | None = None,
        archived: Mapping[str, int] | None = None,
        shipped: bool = False,
    ) -> None:
        """``archived`` are the versions up to which events may be in an archive, by stream.

        ``shipped`` is for a copy of the log: checkpoints may have been published after its end.
        """
        self._shipped = shipped
        self._store = store
        self._heads = heads
        self._report = report
        self._archived = archived or {}
        self._keys = set(public_keys)
        self._keys_given = bool(public_keys)
        before = before or AuditedCheckpoints()
        self._covered: dict[str, int] = dict(before.covered)
        self.restored: dict[str, int] = {}
        """By stream, the version up to which an older state was restored."""
        self._gone: dict[str, list[Finding]] = defaultdict(list)
        """By stream, signed events that are not there. A later checkpoint may say why."""
        self._number = before.number
        self._hash = before.hash
        self._at_ms = before.at_ms
        self._first = before.number + 1

    @property
    def state(self) -> AuditedCheckpoints:
        """How far the checkpoints have been checked."""
        return AuditedCheckpoints(self._number, self._hash, self._at_ms, self._covered)

    def run(self, published: Path | None) -> None:
        """Check the database's checkpoints, alongside the published ones where they are given."""
        lines = _published(published, self._report) if published is not None else iter(())
        line = next(lines, None)
        while line is not None and line[1].number < self._first:
            self._report.counts.published += 1
            line = next(lines, None)
        after = self._first - 1 if self._first > 1 else FIRST_NUMBER
        for checkpoint in self._store.checkpoints(after=after, damage=self._find_damaged):
            self._report.counts.checkpoints += 1
            self._report.signers.add(shown_hash(checkpoint.key))
            while line is not None and line[1].number < checkpoint.number:
                self._find_missing(*line)
                line = next(lines, None)
            if line is not None and line[1].number == checkpoint.number:
                self._compare(checkpoint, *line)
                line = next(lines, None)
            elif published is not None:
                self._report.counts.unpublished += 1
            self._check_order(checkpoint)
            self._check(checkpoint, "checkpoints", checkpoint.number)
        if line is not None and self._shipped:
            self._note_later(line[1], lines)
            line = None
        while line is not None:
            self._find_missing(*line)
            line = next(lines, None)
        self._check_cut()
        for finding in (finding for gone in self._gone.values() for finding in gone):
            self._report.add(finding)
        self._note_coverage(published)

    def _note_later(self, first: Checkpoint, others: Iterator[tuple[int, Checkpoint]]) -> None:
        """Note what was published since the end of a copy: it has not been shipped, or was cut."""
        last, count = first, 1
        for _, checkpoint in others:
            last, count = checkpoint, count + 1
        until = datetime.fromtimestamp(last.at_ms / 1000, UTC)
        self._report.note(
            f"{count:,} checkpoints were published after the copy ended, the last on "
            f"{until:%Y-%m-%d %H:%M:%S} UTC: what they sign is not in the copy."
        )

    def _check_cut(self) -> None:
        """An archive ends with the checkpoint at which it was cut off."""
        cut = self._store.cut_at()
        if cut is None:
            return
        self._report.note(f"This is an archive. It ends with checkpoint {cut}.")
        if cut != self._number:
            self._find(
                self._number,
                "It is not the last checkpoint of the archive.",
                expected=f"checkpoint {cut}",
                found=f"checkpoint {self._number}",
            )

    # One checkpoint ------------------------------------------------------------------

    def _check_order(self, checkpoint: Checkpoint) -> None:
        """Checkpoints are numbered without gaps, and each names the one before it."""
        if checkpoint.number != self._number + 1:
            self._find(
                self._number + 1,
                "Checkpoints are missing.",
                expected=f"checkpoint {self._number + 1}",
                found=f"checkpoint {checkpoint.number}",
            )
        else:
            previous = _previous(checkpoint)
            if previous is not None and previous != self._hash:
                self._find(
                    checkpoint.number,
                    "It does not follow the checkpoint before it.",
                    expected=self._hash,
                    found=shown_hash(previous),
                )
        if checkpoint.at_ms < self._at_ms:
            self._find(
                checkpoint.number,
                "Its time is earlier than that of the checkpoint before it.",
                expected=f"{self._at_ms} or later",
                found=str(checkpoint.at_ms),
            )
        self._number, self._at_ms = checkpoint.number, checkpoint.at_ms
        self._hash = checkpoint_hash(checkpoint)

    def _check(self, checkpoint: Checkpoint, where: str, number: int) -> None:
        """The signature is valid, and every event that the checkpoint names is still there."""
        if not self._keys:
            # No key was given, so all checkpoints must be signed with the key of the first.
            self._keys = {checkpoint.key}
        if checkpoint.key not in self._keys:
            self._find(
                number,
                "It is signed with another key.",
                where=where,
                expected=" or ".join(map(shown_hash, sorted(self._keys))),
                found=shown_hash(checkpoint.key),
            )
        elif not signature_holds(checkpoint):
            self._find(
                number,
                "Its signature is not valid.",
                where=where,
                expected="a signature over its number, time and body",
                found=shown_hash(checkpoint.signature),
            )
        try:
            statement = read_statement(checkpoint)
        except CheckpointError as error:
            self._find(number, str(error), where=where, expected="a checkpoint", found="none")
            return
        if statement.restored is not None:
            self._take_restored(checkpoint, statement.restored)
        for stream, named in statement.heads.items():
            try:
                self._check_head(checkpoint, stream, named)
            except Damaged as error:
                # What is wrong with one stream must not hide the others.
                self._report.find(stream, str(error), version=named.version)

    def _take_restored(self, checkpoint: Checkpoint, restored: RestoreStatement) -> None:
        """Note a restored state; what it lacks is not a finding, because the notary says so."""
        for stream, lost in restored.lost.items():
            self._gone[stream] = [
                finding for finding in self._gone[stream] if (finding.version or 0) <= lost.kept
            ]
            self._covered[stream] = min(lost.kept, self._covered.get(stream, 0))
            self.restored[stream] = lost.kept
        self._report.counts.events_lost += restored.events
        self._report.note(
            f"Checkpoint {checkpoint.number} records that {restored.actor} restored an older state "
            f"({restored.reason}): {restored.events:,} signed events of {len(restored.lost):,} "
            "streams are gone."
        )

    def _check_head(self, checkpoint: Checkpoint, stream: str, named: NamedHead) -> None:
        head = self._heads.get(stream)
        if head is None or head.version < named.version:
            # The stream may have grown since the audit began.
            head = self._store.head(stream)
        events = self._store.events(stream, after=named.version - 1, up_to=named.version)
        event = next(events, None)
        if event is None and named.version < self._archived.get(stream, 0):
            # The audit of the archive has checked it.
            self._covered[stream] = max(named.version, self._covered.get(stream, 0))
            return
        if head.version < named.version or event is None:
            fate, instead = "is gone", f"events up to {head.version}"
        elif event.hash != named.hash:
            fate, instead = "has been replaced", shown_hash(event.hash)
        else:
            self._covered[stream] = max(named.version, self._covered.get(stream, 0))
            return
        self._gone[stream].append(
            Finding(
                where=shown(stream),
                sentence=f"The event that checkpoint {checkpoint.number} has signed {fate}.",
                version=named.version,
                expected=named.hash,
                found=instead,
            )
        )

    # The published file ----------------------------------------------------------------

    def _compare(self, checkpoint: Checkpoint, number: int, line: Checkpoint) -> None:
        self._report.counts.published += 1
        if checkpoint != line:
            self._find(
                number,
                f"Checkpoint {line.number} differs between the published file and the database.",
                where="published",
                expected=checkpoint_hash(line),
                found=checkpoint_hash(checkpoint),
            )
            self._check(line, "published", number)

    def _find_missing(self, number: int, line: Checkpoint) -> None:
        """Report a checkpoint that only the published file has, and check what it names."""
        self._report.counts.published += 1
        self._find(
            number,
            f"Checkpoint {line.number} was published, but is not in the database.",
            where="published",
            expected=f"checkpoint {line.number} in the database",
            found="none",
        )
        self._check(line, "published", number)

    # What is not covered -------------------------------------------------------------

    def _note_coverage(self, published: Path | None) -> None:
        counts = self._report.counts
        for stream, head in self._heads.items():
            left = head.version - self._covered.get(stream, 0)
            if left > 0:
                counts.streams_uncovered += 1
                counts.events_uncovered += left
        if counts.checkpoints and not self._keys_given:
            self._report.note(
                "No public key was given, so signatures were checked with the key that the "
                "checkpoints themselves name. A forger of the database could have replaced it."
            )
        if not counts.checkpoints and not counts.published:
            self._report.note(
                "There is no checkpoint, so a missing end of the record would not be detected."
            )
        elif published is None:
            self._report.note(
                "No published checkpoints were given, so an end of the record that is missing "
                "together with its checkpoints would not be detected."
            )

    def _find_damaged(self, error: Damaged) -> None:
        self._report.find("checkpoints", str(error))

    def _find(
        self, number: int, sentence: str, *, expected: str, found: str, where: str = "checkpoints"
    ) -> None:
        self._report.find(where, sentence, version=number, expected=expected, found=found)


def _previous(checkpoint: Checkpoint) -> str | None:
    """The hash that a checkpoint names as the one before it, None if it cannot be read."""
    try:
        return read_statement(checkpoint).previous
    except CheckpointError:
        return None


def _published(path: Path, report: ReportDraft) -> Iterator[tuple[int, Checkpoint]]:
    """The published checkpoints with their line numbers.

    The notary may be appending to the file. Only what the file holds at the start is read:
    those checkpoints are in the database already.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        lines = _lines_within(file, size)
        for number, line in whole_lines(lines):
            try:
                yield number, read_published_line(line)
            except CheckpointError as error:
                report.find("published", str(error), version=number)


def _lines_within(lines: Iterator[bytes], size: int) -> Iterator[str]:
    for line in lines:
        size -= len(line)
        if size < 0:
            return
        yield line.decode(errors="replace")
