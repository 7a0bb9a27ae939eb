"""The audit of a whole database: everything that can be checked again is checked again.

It reads one stream after another and keeps no record in memory. A database may be audited while
tables play: each stream is read up to where it ended when the audit began.
"""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Final

from openfelt.runtime.audit.answers import audit_old_answers
from openfelt.runtime.audit.books import audit_books
from openfelt.runtime.audit.chain import BookedEvent, booked_events, check_transfers
from openfelt.runtime.audit.checkpoints import CheckpointAudit
from openfelt.runtime.audit.context import AuditContext
from openfelt.runtime.audit.links import LinkAudit, compare_counts
from openfelt.runtime.audit.purges import PurgeAudit
from openfelt.runtime.audit.report import FINDINGS_MAX, AuditReport, ReportDraft
from openfelt.runtime.audit.tables import TableAudit
from openfelt.runtime.audit.wallets import WalletAudit
from openfelt.runtime.streams import StreamKind, kind_of
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, Head, Store
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.rulebook import Rulebook

Progress = Callable[[int, int], object]
"""Called with the number of events checked so far, and of all events."""

PROGRESS_EVERY: Final = 200


def audit(
    store: Store,
    *,
    public_keys: Collection[str] = (),
    published: Path | None = None,
    progress: Progress | None = None,
    findings_max: int = FINDINGS_MAX,
) -> AuditReport:
    """Check a whole database, and report what is wrong and where.

    ``public_keys`` are the notary's, in hexadecimal digits; ``published`` is the file to which
    its checkpoints were published. Raises Unavailable where the store cannot be read, and
    OSError where the file cannot.
    """
    report = ReportDraft(findings_max)
    heads = store.heads()
    context = AuditContext(store, EventCodec(Rulebook(store).codec), report)
    _StreamsAudit(context, heads, progress).run()
    compare_counts(context, heads)
    audit_books(context, heads)
    CheckpointAudit(store, heads, report, public_keys=public_keys).run(published)
    return report.finished()


class _OtherAudit:
    """The audit of a stream of another kind: it must not move money."""

    def __init__(self, context: AuditContext) -> None:
        self._report = context.report

    def take(self, booked: BookedEvent) -> None:
        """Check that the event moves no money."""
        check_transfers(booked, (), self._report)

    def finish(self) -> None:
        """Nothing follows from such a stream."""


StreamAudit = TableAudit | LinkAudit | WalletAudit | PurgeAudit | _OtherAudit


class _StreamsAudit:
    """Audits all streams, one after another."""

    def __init__(
        self, context: AuditContext, heads: Mapping[str, Head], progress: Progress | None
    ) -> None:
        self._context = context
        self._heads = heads
        self._progress = progress
        self._total = sum(head.version for head in heads.values())

    def run(self) -> None:
        """Check every stream up to its head."""
        report = self._context.report
        for stream, head in self._heads.items():
            report.counts.streams += 1
            try:
                self._check(stream, head)
            except (Damaged, CodecError) as error:
                report.find(stream, str(error))
                self._context.broken.add(stream)
        self._show_progress(self._total)

    def _check(self, stream: str, head: Head) -> None:
        context, counts = self._context, self._context.report.counts
        stream_audit, old_events = self._audit_of(stream), 0
        for booked in booked_events(context.store, stream, head, context.report):
            counts.events += 1
            cause = booked.stored.cause
            old_events += not cause.actor
            counts.answers += bool(cause.digest)
            stream_audit.take(booked)
            if counts.events % PROGRESS_EVERY == 0:
                self._show_progress(counts.events)
        stream_audit.finish()
        audit_old_answers(context.store, stream, context.report, old_events=old_events)

    def _audit_of(self, stream: str) -> StreamAudit:
        counts = self._context.report.counts
        match kind_of(stream):
            case StreamKind.TABLE:
                counts.tables += 1
                return TableAudit(self._context, stream)
            case StreamKind.LINK:
                counts.links += 1
                return LinkAudit(self._context, stream)
            case StreamKind.WALLET:
                counts.wallets += 1
                return WalletAudit(self._context, stream)
            case StreamKind.PURGE:
                counts.purges += 1
                return PurgeAudit(self._context, stream)
            case _:
                counts.others += 1
                return _OtherAudit(self._context)

    def _show_progress(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done, self._total)
