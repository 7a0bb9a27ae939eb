"""An audit of the notary's checkpoints: those in the database, and those published elsewhere."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from openfelt.runtime.audit.report import Finding, Pad
from openfelt.runtime.notary.checkpoints import (
    CheckpointError,
    NamedHead,
    checkpoint_hash,
    read_published_line,
    read_statement,
    signature_holds,
    whole_lines,
)
from openfelt.storage.door import FIRST_HASH, Checkpoint, Head, Store


class CheckpointAudit:
    """Checks every checkpoint, and that what it names is still there."""

    def __init__(
        self, store: Store, heads: Mapping[str, Head], pad: Pad, *, public_keys: Collection[str]
    ) -> None:
        self._store = store
        self._heads = heads
        self._pad = pad
        self._keys = set(public_keys)
        self._keys_given = bool(public_keys)
        self._covered: dict[str, int] = {}
        self._number = 0
        self._hash = FIRST_HASH
        self._at_ms = 0

    def run(self, published: Path | None) -> None:
        """Go through the database's checkpoints, beside the published ones where given."""
        lines = _published(published, self._pad) if published is not None else iter(())
        line = next(lines, None)
        for checkpoint in self._store.checkpoints():
            self._pad.counts.checkpoints += 1
            self._pad.signers.add(checkpoint.key)
            while line is not None and line[1].number < checkpoint.number:
                self._missing(*line)
                line = next(lines, None)
            if line is not None and line[1].number == checkpoint.number:
                self._compare(checkpoint, *line)
                line = next(lines, None)
            elif published is not None:
                self._pad.counts.unpublished += 1
            self._in_row(checkpoint)
            self._check(checkpoint, "checkpoints", checkpoint.number)
        while line is not None:
            self._missing(*line)
            line = next(lines, None)
        self._say_what_is_covered(published)

    # One checkpoint ------------------------------------------------------------------

    def _in_row(self, checkpoint: Checkpoint) -> None:
        """The checkpoints of the database are numbered, and each names the one before it."""
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
                    found=previous,
                )
        if checkpoint.at_ms < self._at_ms:
            self._find(
                checkpoint.number,
                "Its time is before that of the checkpoint before it.",
                expected=f"{self._at_ms} or later",
                found=str(checkpoint.at_ms),
            )
        self._number, self._at_ms = checkpoint.number, checkpoint.at_ms
        self._hash = checkpoint_hash(checkpoint)

    def _check(self, checkpoint: Checkpoint, where: str, number: int) -> None:
        """The signature holds, and every head that it names is still there."""
        if not self._keys:
            # Nobody has said whose signature it must be, so the first one must be all of them.
            self._keys = {checkpoint.key}
        if checkpoint.key not in self._keys:
            self._find(
                number,
                "It is signed with another key.",
                where=where,
                expected=" or ".join(sorted(self._keys)),
                found=checkpoint.key,
            )
        elif not signature_holds(checkpoint):
            self._find(
                number,
                "Its signature does not hold.",
                where=where,
                expected="a signature over its number, time and body",
                found=checkpoint.signature,
            )
        try:
            heads = read_statement(checkpoint).heads
        except CheckpointError as error:
            self._find(number, str(error), where=where, expected="a checkpoint", found="none")
            return
        for stream, named in heads.items():
            self._check_head(checkpoint, stream, named)

    def _check_head(self, checkpoint: Checkpoint, stream: str, named: NamedHead) -> None:
        head = self._heads.get(stream)
        if head is None or head.version < named.version:
            # It may have been written since the audit began.
            head = self._store.head(stream)
        events = self._store.events(stream, after=named.version - 1, up_to=named.version)
        event = next(events, None)
        if head.version < named.version or event is None:
            sentence, found = "is gone", f"events up to {head.version}"
        elif event.hash != named.hash:
            sentence, found = "is another one now", event.hash
        else:
            self._covered[stream] = max(named.version, self._covered.get(stream, 0))
            return
        self._pad.find(
            Finding(
                where=stream,
                version=named.version,
                sentence=f"The event that checkpoint {checkpoint.number} has signed {sentence}.",
                expected=named.hash,
                found=found,
            )
        )

    # The published file ----------------------------------------------------------------

    def _compare(self, checkpoint: Checkpoint, number: int, line: Checkpoint) -> None:
        self._pad.counts.published += 1
        if checkpoint != line:
            self._find(
                number,
                f"Checkpoint {line.number} was published as another one than the database has.",
                where="published",
                expected=checkpoint_hash(line),
                found=checkpoint_hash(checkpoint),
            )
            self._check(line, "published", number)

    def _missing(self, number: int, line: Checkpoint) -> None:
        """A checkpoint that only the published file has; what it names must be there still."""
        self._pad.counts.published += 1
        self._find(
            number,
            f"Checkpoint {line.number} was published, but is not in the database.",
            where="published",
            expected=f"checkpoint {line.number} in the database",
            found="none",
        )
        self._check(line, "published", number)

    # What remains ------------------------------------------------------------------

    def _say_what_is_covered(self, published: Path | None) -> None:
        counts = self._pad.counts
        for stream, head in self._heads.items():
            left = head.version - self._covered.get(stream, 0)
            if left > 0:
                counts.streams_uncovered += 1
                counts.events_uncovered += left
        if counts.checkpoints and not self._keys_given:
            self._pad.note(
                "No public key was given, so signatures were checked with the key that the "
                "checkpoints name themselves. Whoever can rewrite the database can do that too."
            )
        if not counts.checkpoints and not counts.published:
            self._pad.note("There is no checkpoint, so an end that was cut off is not noticed.")
        elif published is None:
            self._pad.note(
                "No published checkpoints were given, so an end that was cut off together with "
                "its checkpoints is not noticed."
            )

    def _find(
        self, number: int, sentence: str, *, expected: str, found: str, where: str = "checkpoints"
    ) -> None:
        self._pad.find(
            Finding(where=where, version=number, sentence=sentence, expected=expected, found=found)
        )


def _previous(checkpoint: Checkpoint) -> str | None:
    """What a checkpoint names as the one before it, None where it cannot be read."""
    try:
        return read_statement(checkpoint).previous
    except CheckpointError:
        return None


def _published(path: Path, pad: Pad) -> Iterator[tuple[int, Checkpoint]]:
    """The published checkpoints with the numbers of their lines.

    The notary may be adding to the file. Only what is there at the beginning is read, for
    that much was in the database before.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        lines = _lines_within(file, size)
        for number, line in whole_lines(lines):
            try:
                yield number, read_published_line(line)
            except CheckpointError as error:
                pad.find(Finding(where="published", version=number, sentence=str(error)))


def _lines_within(lines: Iterator[bytes], size: int) -> Iterator[str]:
    for line in lines:
        size -= len(line)
        if size < 0:
            return
        yield line.decode(errors="replace")
