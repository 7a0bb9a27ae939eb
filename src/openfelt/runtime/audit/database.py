"""An audit of a whole database: everything that can be checked again is checked again.

It reads one stream after another and holds no record in memory. A database may be audited while
tables play: every stream is taken up to where it ended when the audit began.
"""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Final

from openfelt.runtime.audit.answers import audit_answers
from openfelt.runtime.audit.books import audit_books
from openfelt.runtime.audit.chain import Booked, walk
from openfelt.runtime.audit.checkpoints import CheckpointAudit
from openfelt.runtime.audit.links import LinkAudit, compare_counts
from openfelt.runtime.audit.report import FINDINGS_MAX, AuditReport, Finding, Pad
from openfelt.runtime.audit.tables import Desk, OtherAudit, TableAudit, WalletAudit
from openfelt.runtime.streams import StreamKind, kind_of
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, Head, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.rulebook import Rulebook

Progress = Callable[[int, int], object]
"""Is told how many events are done, and how many there are."""

PROGRESS_EVERY: Final = 200


def audit(
    store: Store,
    *,
    public_keys: Collection[str] = (),
    published: Path | None = None,
    progress: Progress | None = None,
    findings_max: int = FINDINGS_MAX,
) -> AuditReport:
    """Check a whole database, and say where it breaks.

    ``public_keys`` are the notary's, in hexadecimal digits; ``published`` is the file to which
    its checkpoints were published. Raises Unavailable where the store cannot be read, and
    OSError where the file cannot.
    """
    pad = Pad(findings_max)
    heads = store.heads()
    desk = Desk(store, EventCodec(Rulebook(store).codec), pad)
    _Streams(desk, heads, progress).run()
    compare_counts(desk, heads)
    audit_books(desk, heads)
    CheckpointAudit(store, heads, pad, public_keys=public_keys).run(published)
    return pad.report()


StreamAudit = TableAudit | LinkAudit | WalletAudit | OtherAudit


class _Streams:
    """Goes along all streams, one after another."""

    def __init__(self, desk: Desk, heads: Mapping[str, Head], progress: Progress | None) -> None:
        self._desk = desk
        self._heads = heads
        self._progress = progress
        self._total = sum(head.version for head in heads.values())

    def run(self) -> None:
        """Check every stream up to its head."""
        for stream, head in self._heads.items():
            self._desk.pad.counts.streams += 1
            try:
                self._check(stream, head)
            except (Damaged, CodecError) as error:
                self._desk.pad.find(Finding(where=stream, sentence=str(error)))
                self._desk.broken.add(stream)
        self._tell(self._total)

    def _check(self, stream: str, head: Head) -> None:
        one = self._audit_of(stream)
        for booked in walk(self._desk.store, stream, head, self._desk.pad):
            self._take(one, booked)
        one.finish()
        audit_answers(self._desk.store, stream, head, self._desk.pad)

    def _take(self, one: StreamAudit, booked: Booked) -> None:
        counts = self._desk.pad.counts
        counts.events += 1
        one.take(booked)
        if counts.events % PROGRESS_EVERY == 0:
            self._tell(counts.events)

    def _audit_of(self, stream: str) -> StreamAudit:
        counts = self._desk.pad.counts
        match kind_of(stream):
            case StreamKind.TABLE:
                counts.tables += 1
                return TableAudit(self._desk, stream)
            case StreamKind.LINK:
                counts.links += 1
                return LinkAudit(self._desk, stream)
            case StreamKind.WALLET:
                counts.wallets += 1
                return WalletAudit(self._desk, stream)
            case _:
                counts.others += 1
                return OtherAudit(self._desk)

    def _tell(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done, self._total)
